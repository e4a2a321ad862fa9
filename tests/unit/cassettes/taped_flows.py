"""Tests as data: steps that run on a virtual phone, which is recorded, and on a replay of that
recording."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from pytest_replicant import ExpectationFailed, ReplicantError
from pytest_replicant.cassettes import (
    FILE_NAME,
    Cassette,
    CassetteDriver,
    Header,
    RecordedFailure,
    Recording,
    Replay,
)
from pytest_replicant.drivers import Driver, Platform
from pytest_replicant.errors import ReplayEnded
from pytest_replicant.kept_runs import newest_at
from pytest_replicant.model import Redactor
from pytest_replicant.plugin.replaying import Ended, judged
from pytest_replicant.recovery import builtin
from pytest_replicant.reporting import CassetteWriting, PartStorage, TapeParts, failures_of
from pytest_replicant.session import DeviceSession, build_session
from pytest_replicant.testing import SharedClock, virtual_device

Error = BaseException


@dataclass(frozen=True)
class Step:
    """One call of a test: an action, a check, a look, or a ``sleep``. A check is one of the action
    before where ``on_outcome``, else of the screen."""

    verb: str
    args: tuple[Any, ...] = ()
    named: Mapping[str, Any] = field(default_factory=dict)
    phone: int = 0
    on_outcome: bool = False

    @property
    def kind(self) -> Literal["action", "check", "look", "sleep"]:
        if self.verb.startswith("expect_"):
            return "check"
        if self.verb == "sleep":
            return "sleep"
        return "look" if self.verb in ("wait_for", "snapshot", "find_all") else "action"

    def __str__(self) -> str:
        values = [
            *map(repr, self.args),
            *(f"{name}={value!r}" for name, value in self.named.items()),
        ]
        phone = f"other{self.phone}." if self.phone else ""
        return f"{phone}{'.' if self.on_outcome else ''}{self.verb}({', '.join(values)})"


def step(verb: str, *args: Any, phone: int = 0, **named: Any) -> Step:
    """An action, or a check of the screen."""
    return Step(verb, args, named, phone)


def then(verb: str, *args: Any, phone: int = 0, **named: Any) -> Step:
    """A check of what the action before came to."""
    return Step(verb, args, named, phone, on_outcome=True)


@dataclass(frozen=True)
class Flow:
    """A test: ``patterns`` hide what they match, ``settings`` are those of its sessions."""

    name: str
    platform: Platform
    steps: tuple[Step, ...]
    apps: tuple[str, ...] = ("dev.replicant.shop",)
    phones: int = 1
    settings: Mapping[str, Any] = field(default_factory=dict)
    patterns: tuple[str, ...] = ()

    def redactor(self) -> Redactor:
        return Redactor((), [re.compile(one) for one in self.patterns])


@dataclass
class Course:
    """How a run of steps went: ``done`` of them held, then came ``error``, if any did."""

    done: int = 0
    error: Error | None = None


def play(
    steps: Sequence[Step], mobiles: Sequence[DeviceSession], sleep: Callable[[float], object]
) -> Course:
    """Makes the steps up to the first that fails."""
    course, outcomes = Course(), dict[int, Any]()
    for one in steps:
        on: Any = (
            outcomes.get(one.phone, mobiles[one.phone]) if one.on_outcome else mobiles[one.phone]
        )
        try:
            if one.kind == "sleep":
                sleep(*one.args)
            else:
                result = getattr(on, one.verb)(*one.args, **one.named)
                if one.kind == "action":
                    outcomes[one.phone] = result
        except (ReplicantError, ExpectationFailed, ReplayEnded) as error:
            course.error = error
            return course
        course.done += 1
    return course


# --- on a phone -----------------------------------------------------------------------------------


@dataclass
class Live:
    """What a virtual phone showed and was sent."""

    recording: Recording
    course: Course = field(default_factory=Course)
    failures: tuple[RecordedFailure, ...] = ()


def live(flow: Flow) -> Live:
    """Runs a flow on fresh virtual phones, recorded."""
    clock, redactor = SharedClock(), flow.redactor()
    with ExitStack() as stack:
        recording = Recording(clock)
        made = Live(recording)
        mobiles = []
        for _ in range(flow.phones):
            device = stack.enter_context(
                virtual_device(*flow.apps, platform=flow.platform, clock=clock)
            )
            mobiles.append(
                _session(flow, recording.phone(device.driver), recording, redactor, stack)
            )
        recording.phase("call")
        made.course = play(flow.steps, mobiles, clock.sleep)
        made.failures = failures_of(made.course.error, "call", (), recording, redactor)
        recording.phase("teardown")
        return made


def _session(
    flow: Flow, driver: Driver, tape: Recording | Replay, redactor: Redactor, stack: ExitStack
) -> DeviceSession:
    settings = {"screenshots": False, **flow.settings}
    session, recorder = build_session(driver, clock=tape, recover=builtin, tape=tape, **settings)
    recorder.redactor = redactor
    stack.callback(recorder.close)
    return session


# --- on a recording -------------------------------------------------------------------------------


@dataclass
class Taped:
    """A flow with its recording, as it is written and read."""

    flow: Flow
    live: Live
    cassette: Cassette
    blobs: Mapping[str, bytes]

    def blob(self, name: str) -> bytes:
        return self.blobs[name]


def taped(flow: Flow) -> Taped:
    """Records a flow, and reads its cassette back from a file."""
    made = live(flow)
    outcome = "failed" if made.failures else "passed"
    header = Header(flow.name, outcome, "", made.recording.began_ms, failures=made.failures)
    redactor = flow.redactor()
    for secret in made.recording.secrets:
        redactor.add(secret)
    return Taped(flow, made, *read_back(TapeParts(made.recording, header), redactor))


def read_back(parts: TapeParts, redactor: Redactor) -> tuple[Cassette, dict[str, bytes]]:
    """A cassette as it is read from its file, and its blobs."""
    with tempfile.TemporaryDirectory() as folder:
        test = Path(folder, "run", "test-00000000")
        storage = PartStorage(test, test.parent / "blobs", redactor)
        CassetteWriting(parts, storage).write()
        assert not storage.warnings, storage.warnings
        (stored,) = newest_at(str(test.parent), FILE_NAME)
        cassette = stored.load()
        return cassette, {name: stored.blob(name) for name in cassette.blobs}


def replayed(tape: Taped, steps: Sequence[Step]) -> tuple[Ended, Course]:
    """Runs steps on the recording, and how that ended."""
    redactor = tape.flow.redactor()
    replay = Replay(tape.cassette, tape.blob, redactor)
    with ExitStack() as stack:

        def sleep(seconds: float) -> None:
            replay.slept += seconds
            replay.sleep(seconds)

        course = Course()
        try:
            mobiles = [
                _session(
                    tape.flow, CassetteDriver(replay, replay.next_phone()), replay, redactor, stack
                )
                for _ in range(tape.flow.phones)
            ]
            replay.check_used("the setup")
            replay.phase("call")
            course = play(steps, mobiles, sleep)
            if course.error is None:
                replay.check_used("the test")
        except ReplayEnded as ended:
            course.error = ended
        error = course.error
        failures = failures_of(error, "call", (), replay, redactor)
        ended_as = judged(replay, failures, "call", changed=True)
        assert ended_as is not None
        return ended_as, course
