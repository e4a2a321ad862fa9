"""Random walks through the lab, on phones with random faults, that are recorded and then
replayed."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import Any

from pytest_replicant import ExpectationFailed
from pytest_replicant.cassettes import Cassette, CassetteDriver, Header, Recording, Replay
from pytest_replicant.drivers import Driver, Platform
from pytest_replicant.errors import ReplayEnded, ReplicantError
from pytest_replicant.model import Redactor
from pytest_replicant.plugin.replaying import judged
from pytest_replicant.recovery import builtin
from pytest_replicant.reporting import TapeParts, failures_of
from pytest_replicant.session import DeviceSession, Expectation, Recorder, build_session
from pytest_replicant.virtual import Faults
from tests.unit.cassettes.taped_flows import read_back

from .claims_drawn import draw
from .lab_phone import QUICK, lab_phone
from .oracle import Witness
from .seeded_runs import ALLOWANCES, SHARES
from .stations import STATIONS

_ALL = 1_000


@dataclass(frozen=True)
class Move:
    """One call of a walk, on the session or on what the action before came to."""

    title: str
    call: Callable[[Any], Any]
    is_action: bool = False
    on_outcome: bool = False


class Walker:
    """Makes moves, and writes down how each ended. ``caught`` errors are caught, as
    ``pytest.raises`` does; the next one ends the walk."""

    def __init__(self, session: DeviceSession, recorder: Recorder, caught: int) -> None:
        self._session, self._recorder, self._caught = session, recorder, caught
        self._outcome: Any = None
        self.endings: list[str] = []
        self.error: BaseException | None = None

    @property
    def has_outcome(self) -> bool:
        return self._outcome is not None

    def make(self, move: Move) -> Any:
        """What it returned, None where it failed. Raises ``ReplayEnded``."""
        known = len(self._recorder.recoveries)
        result: Any = None
        try:
            result = move.call(self._outcome if move.on_outcome else self._session)
            ending = "held"
        except (ReplicantError, ExpectationFailed) as error:
            ending = f"{type(error).__name__}: {error}"
            self._caught -= 1
            self.error = error if self._caught < 0 else None
        if move.is_action:
            self._outcome = result
        recovered = [f" [{one.policy} {one.strategy}]" for one in self._recorder.recoveries[known:]]
        self.endings.append(f"{move.title}: {ending}{''.join(recovered)}")
        return result


@dataclass(frozen=True)
class TapedWalk:
    """A walk with its recording, as it was written and read again."""

    seed: int
    moves: tuple[Move, ...]
    endings: tuple[str, ...]
    cassette: Cassette
    blobs: Mapping[str, bytes]
    settings: Mapping[str, Any]
    caught: int
    faults: int

    @property
    def failed(self) -> bool:
        return bool(self.cassette.header.failures)

    @property
    def why(self) -> str:
        """Its failure in a line, as a verdict says it."""
        return "; ".join(f"{one.exception}: {one.message}" for one in self.cassette.header.failures)


@dataclass(frozen=True)
class Again:
    """The same on the recording: its verdict, why, and the first ending that is another one."""

    verdict: str
    why: str
    differs: str


def taped_walk(seed: int, platform: Platform) -> TapedWalk:
    """Of an odd seed it ends with one of its first failures."""
    chance = random.Random(f"taped {seed}")
    caught = chance.randint(0, 3) if seed % 2 else _ALL
    names = ("fail_dump", "truncate_dump", "stale_dump", "lose_tap", "slow_dump")
    shares = {name: chance.choice(SHARES) for name in names}
    dropped = chance.choice((0.0, 0.0, 0.0, 0.02, 0.05))
    faults = Faults(**shares, slow_dump_ms=3, drop_connection=dropped, seed=seed)
    settings: dict[str, Any] = {
        **QUICK,
        "action_timeout": 0.8,
        "expect_timeout": 0.6,
        "allow": frozenset(chance.choice(ALLOWANCES)),
        "permission_prompts": chance.choice(["deny", "deny", "leave"]),
        "read_on": chance.choice((0.0, 0.5)),
    }
    with lab_phone(platform, faults) as lab:
        recording = Recording(lab.clock)
        session, recorder = _session(recording.phone(lab.driver), recording, settings)
        with closing(recorder):
            recording.phase("call")
            walker = Walker(session, recorder, caught)
            moves = tuple(_drawn(chance, walker, Witness(lab)))
            failures = failures_of(walker.error, "call", (), recording, recorder.redactor)
            recording.phase("teardown")
        injected = sum(lab.phone.faults.injected.values())
    header = Header(
        f"walk {seed}",
        "failed" if failures else "passed",
        "",
        recording.began_ms,
        failures=failures,
    )
    cassette, blobs = read_back(TapeParts(recording, header), recorder.redactor)
    return TapedWalk(
        seed, moves, tuple(walker.endings), cassette, blobs, settings, caught, injected
    )


def _drawn(chance: random.Random, walker: Walker, witness: Witness) -> Sequence[Move]:
    """Draws moves by what the phone really shows, and makes each."""
    moves: list[Move] = []

    def make(move: Move) -> Any:
        if walker.error is None:
            moves.append(move)
            return walker.make(move)
        return None

    def check(printed: Sequence[Any]) -> None:
        witness.look()
        drawn = draw(chance, witness, on_outcome=walker.has_outcome, printed=printed)
        make(Move(drawn.told, drawn.check, on_outcome=walker.has_outcome))

    for station in chance.choices(STATIONS, k=2):
        make(Move(station.link, partial(_open, station.link), is_action=True))
        shown = make(Move("snapshot", lambda on: on.snapshot()))
        refs = [(one.ref, "", one.text, "") for one in shown.elements if one.text] if shown else []
        for act in chance.choices(station.acts, k=chance.randint(1, 2)):
            make(Move(act.name, act.do, is_action=True))
            for _ in range(chance.randint(1, 3)):
                check(refs)
    return moves


def _open(link: str, session: DeviceSession) -> Expectation:
    return session.open_url(f"lab://{link}")


def _session(
    driver: Driver, tape: Recording | Replay, settings: Mapping[str, Any]
) -> tuple[DeviceSession, Recorder]:
    return build_session(driver, clock=tape, recover=builtin, tape=tape, **settings)


def again(walk: TapedWalk, moves: Sequence[Move] | None = None) -> Again:
    """Makes the moves of the walk, or others, on its recording."""
    replay = Replay(walk.cassette, walk.blobs.__getitem__, Redactor())
    session, recorder = _session(CassetteDriver(replay, replay.next_phone()), replay, walk.settings)
    walker = Walker(session, recorder, walk.caught)
    with closing(recorder):
        replay.phase("call")
        try:
            for move in walk.moves if moves is None else moves:
                if walker.error is None:
                    walker.make(move)
            if walker.error is None:
                replay.check_used("the test")
        except ReplayEnded as ended:
            walker.error = ended
        failures = failures_of(walker.error, "call", (), replay, recorder.redactor)
        ended_as = judged(replay, failures, "call", changed=False)
    assert ended_as is not None
    pairs = zip(walk.endings, walker.endings, strict=False)
    differs = next((f"{now}\n   was {then}" for then, now in pairs if then != now), "")
    return Again(ended_as.verdict, ended_as.why, differs)
