"""The tape of the test under way: what its sessions are recorded on, or replayed from."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

import pytest

from ..errors import ReplayEnded, UsageError
from ..model import AnyDict, AnyMapping, Clock, Strings, SystemClock, public
from ..options.options import Options
from ..pytest_private import HookWrapper, fixture_functions, fixture_names, is_set_up, outermost
from .stash import OPTIONS, REPLAY, RESOURCES, RESOURCES_OF_TEST, TAPE

if TYPE_CHECKING:
    from ..cassettes import CassetteDriver, Entry, RecordedPhone, Recording, Replay
    from ..drivers import Driver


class OnTape(NamedTuple):
    """What a session begins with. ``known`` is the phone as it was recorded, where it is replayed,
    and ``replay`` the recording."""

    driver: Driver
    tape: Recording | Replay | None = None
    clock: Clock | None = None
    known: RecordedPhone | None = None
    recorded: Mapping[str, Any] = {}

    def settings(self, options: Options) -> AnyDict:
        """Those of a session. Of a replay, those that no one sets now are as they were recorded."""
        now = session_settings(options)
        if self.known is None:
            return now
        as_then = {name: one for name, one in self.recorded.items() if name in now}
        return {**now, **as_then, **chosen(now), "screenshots": False}


def session_on_tape(
    item: pytest.Item, driver: Driver, clock: Clock | None, states: Mapping[Any, Any], **facts: Any
) -> OnTape:
    """The driver of the next session of this test, recorded or replayed. ``clock`` is the user's
    own, None for the system's; ``facts`` are further fields of its ``RecordedPhone``."""

    replay = replay_of(item)
    if replay:
        player = cast("CassetteDriver", driver)
        player.insert(replay, replay.next_phone())
        return OnTape(driver, replay, replay, player.known, replay.cassette.header.settings)
    if item.config.stash[OPTIONS].trace == "off":
        return OnTape(driver, clock=clock)
    if TAPE not in item.stash:
        item.stash[TAPE] = new_tape(item, clock)
    from ..cassettes import HeldState

    tape = item.stash[TAPE]
    held = []
    for (state, key), made in states.items():
        based_on = tuple(sorted((one.name, whose) for one, whose in made.based_on))
        passed = tuple(sorted(made.passed)) if made.passed is not None else None
        held.append(HeldState(state.name, key, made.app, based_on, made.lost, made.left_by, passed))
    return OnTape(tape.phone(driver, states=tuple(held), **facts), tape, tape)


def new_tape(item: pytest.Item, clock: Clock | None = None) -> Recording:
    """With the phases of the test that have begun already."""
    from ..cassettes import Recording

    tape = Recording(clock or SystemClock())
    for name in tapes_of(item.config).phases:
        tape.phase(name)
    tape.owner = lambda: tapes_of(item.config).owner
    return tape


@contextmanager
def no_part_of_the_test(item: pytest.Item) -> Iterator[None]:
    """Calls made meanwhile that were not recorded end no replay."""
    replay = replay_of(item)
    ended = replay.ended if replay else None
    try:
        yield
    except ReplayEnded:
        pass
    finally:
        if replay:
            replay.ended = ended


@dataclass(frozen=True)
class Segment:
    """What a fixture of a wider scope asked the phones of ``test`` for, the blobs of that, the data
    that were made meanwhile, and the secrets of that tape. ``phones`` are by their numbers
    there."""

    fixture: str
    node: str
    test: str
    phones: Mapping[int, RecordedPhone] = field(default_factory=dict)
    entries: tuple[Entry, ...] = ()
    values: AnyMapping = field(default_factory=dict)
    blobs: Mapping[str, bytes] = field(default_factory=dict)
    secrets: Strings = field(default=(), repr=False)

    def blob(self, digest: str) -> bytes:
        import zlib

        return zlib.decompress(self.blobs[digest])


class Tapes:
    """Registered in every process. Marks where the phases of a test begin, and keeps what fixtures
    of a wider scope did and which data were made: a later test cannot be replayed without."""

    NAME = "replicant-tapes"

    def __init__(self) -> None:
        self._segments: dict[str, Segment] = {}
        self._values: AnyDict = {}  # that recorded fixtures of this test have made
        self._keys: dict[pytest.FixtureDef[Any], str] = {}  # of those that are set up
        self._over: list[str] = []  # keys of fixtures that ended with the test before
        self.gave_wider = False  # data of a fixture of a wider scope
        # keys of fixtures that are set up now, "" of one that is not wider, and their names
        self._set_up: list[tuple[str, str]] = []
        self.phases: list[str] = []  # of the test that is running, that have begun behind its setup
        self.ends: Strings = ()  # node ids of the collectors that end with it

    @outermost
    def pytest_runtest_protocol(self, item: pytest.Item) -> HookWrapper:
        _RUNNING.append((self, item))
        try:
            return (yield)
        finally:
            _RUNNING.pop()

    @property
    def owner(self) -> str:
        """What the names of data begin with that is made now: in which fixture of a wider scope."""
        for key, _ in reversed(self._set_up):
            if key:
                return f"{key}: "
        return ""

    @property
    def fixture(self) -> str:
        """The name of the fixture that is set up now, "" if none is."""
        return self._set_up[-1][1] if self._set_up else ""

    def made(self, name: str, make: Callable[[], object]) -> object:
        """What ``make`` returns, kept for a replay. Raises ``UsageError`` for any value that is no
        data."""
        from ..cassettes import made_and_kept

        key, shown = f"{self.owner}{name}", name.rpartition(".")[2]
        made: object = made_and_kept(self._values, key, shown, make)
        return made

    def values_for(self, item: pytest.Item, broken: Collection[str]) -> AnyDict:
        """The data of the recorded fixtures that a test stands on, and the resources that it
        has."""
        known: AnyDict = {}
        for segment in self._below(item, broken).values():
            known |= segment.values
        known |= self._values
        pool = item.config.stash.get(RESOURCES, None)
        if pool and pool.held:
            from ..cassettes import as_data

            held = [
                {"kind": one.kind, "name": one.name, "data": dict(one.data)} for one in pool.held
            ]
            known[RESOURCES_OF_TEST] = as_data(RESOURCES_OF_TEST, held)
        return known

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self) -> None:
        self.phases, self.ends, self._values = [], (), {}  # of each attempt
        for key in self._over:
            self._segments.pop(key, None)
        self._over.clear()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_call(self, item: pytest.Item) -> None:
        self._begin("call", item)

    @outermost
    def pytest_runtest_teardown(self, item: pytest.Item) -> HookWrapper:
        self._begin("teardown", item)
        around = [one for one in item.listchain()[:-1] if is_set_up(one)]
        try:
            return (yield)
        finally:
            self.ends = tuple(one.nodeid for one in around if not is_set_up(one))

    def _begin(self, phase: str, item: pytest.Item) -> None:
        self.phases.append(phase)
        if tape := item.stash.get(TAPE, None):
            tape.phase(phase)

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(
        self, fixturedef: pytest.FixtureDef[Any], request: pytest.FixtureRequest
    ) -> HookWrapper:
        item, name = getattr(request, "_pyfuncitem", None), fixturedef.argname
        key = fixture_key(fixturedef, request) if fixturedef.scope != "function" else ""
        self._set_up.append((key, name))
        try:
            if not key or not item:
                return (yield)
            self._keys[fixturedef] = key
            segment = Segment(name, request.node.nodeid, item.nodeid)
            return (yield from self._set_up_wider(item, key, segment))
        finally:
            self._set_up.pop()

    def pytest_fixture_post_finalizer(self, fixturedef: pytest.FixtureDef[Any]) -> None:
        """What ends with its test is part of that one; what ends before is part of none any
        more."""
        key = self._keys.pop(fixturedef, "")
        if key and "teardown" in self.phases:
            self._over.append(key)
        else:
            self._segments.pop(key, None)

    def _set_up_wider(self, item: pytest.Item, key: str, segment: Segment) -> HookWrapper:
        tape, made = item.stash.get(TAPE, None), len(self._values)
        began, known = (tape.length, len(tape.values)) if tape else (0, 0)
        sent = place_on(tape_of(item))[1]
        try:
            return (yield)
        except BaseException as error:
            step, sends = place_on(tape_of(item))
            broken = broken_fixtures(error) or BrokenFixtures(step, sends - sent)
            with suppress(AttributeError, TypeError):  # of the user's own, and takes none
                setattr(error, _BROKEN, broken._replace(keys=(*broken.keys, key)))
            raise
        finally:
            tape = item.stash.get(TAPE, None)
            values = [*self._values.items()][made:]
            if tape:
                values += [*tape.values.items()][known:]
            self._keep(key, replace(segment, values=dict(values)), tape, began)

    def _keep(self, key: str, segment: Segment, tape: Recording | None, began: int) -> None:
        from ..cassettes import PHASE

        if segment.values:
            self._segments[key] = segment
        if not tape:
            return
        entries = [one for one in tape.entries(began) if one.method != PHASE]
        numbers = [one.phone for one in entries if not one.is_mark]
        if entries and not numbers:  # it looked at the screen that was read before it
            numbers = [one.phone for one in tape.entries()[:began] if not one.is_mark][-1:]
        if numbers:
            for at, one in enumerate(entries):
                if one.is_mark:
                    entries[at] = one._replace(phone=max(numbers))
            segment = replace(
                segment,
                phones={
                    at: replace(tape.phones[at], taken_over=None, states=(), test=segment.test)
                    for at in numbers
                },
                entries=tuple(entries),
                blobs=tape.packed_blobs(entries),
                secrets=tuple(tape.secrets),
            )
        if tape.phones:  # else it had no phone to look at
            self._segments[key] = segment
            tape.own_fixtures.add(key)

    def segments_for(
        self, item: pytest.Item, tape: Recording, broken: Collection[str]
    ) -> dict[str, Segment]:
        """Those that this test stands on and that are on an earlier test's tape, by their keys.
        ``broken`` are the keys of fixtures that failed it."""
        below = self._below(item, broken).items()
        return {key: one for key, one in below if key not in tape.own_fixtures}

    def _below(self, item: pytest.Item, broken: Collection[str]) -> dict[str, Segment]:
        chain, asked = {node.nodeid for node in item.listchain()}, fixture_names(item)
        return {
            key: one
            for key, one in self._segments.items()
            if one.node in chain and (one.fixture in asked or key in broken)
        }


class BrokenFixtures(NamedTuple):
    """Fixtures of a wider scope that failed by one error: at which step, after how many calls that
    may change the phone, and their keys, the innermost first."""

    step: str
    sends: int
    keys: Strings = ()


_BROKEN = "_replicant_broken"
"""Attribute of such an error, which pytest raises again for each test that stands on them."""


def broken_fixtures(error: BaseException) -> BrokenFixtures | None:
    """Those that an error is of; None for any other error."""
    found: BrokenFixtures | None = getattr(error, "__dict__", {}).get(_BROKEN)
    return found


def place_on(tape: Recording | Replay | None) -> tuple[str, int]:
    """The newest step on a tape, and how many calls that may change the phone are on it, in this
    phase; of None, that there are none."""
    return (tape.newest_step, tape.sends) if tape else ("", 0)


def replay_of(item: pytest.Item) -> Replay | None:
    """What its sessions are replayed from, if they are."""
    return item.stash.get(REPLAY, None)


def tape_of(item: pytest.Item) -> Recording | Replay | None:
    """What its sessions are replayed from, or recorded on; None before its first phone."""
    return replay_of(item) or item.stash.get(TAPE, None)


_RUNNING: list[tuple[Tapes, pytest.Item]] = []
"""The test that is running; of a run within a run, the inner one is the last."""

Made = TypeVar("Made", bound="Callable[..., Any]")


@public
def recorded(make: Made) -> Made:
    """Makes the fixture below ``@pytest.fixture`` one of recorded data: a replay gets the value
    that it had when the test was recorded, and runs neither it nor its teardown. For values that
    differ each time: a user made over HTTP, a uuid, today. Raises ``UsageError`` for a value that
    is no data."""
    name = f"{make.__module__}.{make.__qualname__}"
    if inspect.iscoroutinefunction(make) or inspect.isasyncgenfunction(make):
        raise UsageError(f"@recorded: {make.__name__} is async. Next: decorate a plain fixture")

    def value_of(make_it: Callable[[], object]) -> Any:
        """Each fixture has its own, whichever others are made of the same function."""
        if not _RUNNING:
            return make_it()
        tapes, item = _RUNNING[-1]
        own = f"{tapes.fixture} {name}".lstrip()
        tapes.gave_wider |= bool(tapes.owner)
        if replay := replay_of(item):
            return replay.value(own, make_it, f"the fixture {tapes.fixture or make.__name__}")
        return tapes.made(own, make_it)

    def once(*args: Any, **named: Any) -> Any:
        return value_of(lambda: make(*args, **named))

    def with_teardown(*args: Any, **named: Any) -> Any:
        made: Any = None

        def begin() -> object:
            nonlocal made
            made = make(*args, **named)
            return next(made)

        yield value_of(begin)
        if made is not None:  # else the value is the recorded one
            yield from made

    chosen = with_teardown if inspect.isgeneratorfunction(make) else once
    return cast("Made", functools.wraps(make)(chosen))


def tapes_of(config: pytest.Config) -> Tapes:
    return cast("Tapes", config.pluginmanager.getplugin(Tapes.NAME))


_LONGEST_PARAM = 60  # characters of one by which a set-up is named; others are by their place


def fixture_key(fixturedef: pytest.FixtureDef[Any], request: pytest.FixtureRequest) -> str:
    """Names one set-up of a fixture of a wider scope, in whichever process."""
    given = getattr(request, "param", None)
    plain = isinstance(given, (str, int, float)) and len(str(given)) <= _LONGEST_PARAM
    named = repr(given) if plain else getattr(request, "param_index", "")
    param = f"[{named}]" if hasattr(request, "param") else ""
    item = getattr(request, "_pyfuncitem", None)
    overridden = (
        item is not None and fixture_functions(item).get(fixturedef.argname) is not fixturedef.func
    )
    own = f" in {fixturedef.baseid or 'a plugin'}" if overridden else ""
    return f"{fixturedef.argname}{param} of {request.node.nodeid or 'the run'}{own}"


def source_digest(item: pytest.Item) -> str:
    """Of the test's own code; "" if there is none to read."""
    import hashlib

    try:
        source = inspect.getsource(inspect.unwrap(getattr(item, "function")))  # noqa: B009  # of functions alone
    except (AttributeError, OSError, TypeError):
        return ""
    return hashlib.sha256(source.encode("utf-8", "backslashreplace")).hexdigest()[:16]


def session_settings(options: Options) -> AnyDict:
    """Of the run's options, those that a session works by."""
    from ..session import SessionSettings

    return {
        "app": options.app,
        "action_timeout": options.action_timeout,
        "expect_timeout": options.expect_timeout,
        **dict(zip(("window", "interval", "quiet"), options.stabilize, strict=True)),
        "read_on": options.read_on[0],
        "reconnect_timeout": min(options.device_timeout, SessionSettings.reconnect_timeout),
        "screenshots": options.screenshot != "off" and options.trace != "off",
        "trace": options.trace != "off",
        "recovery": options.recovery,
        "permission_prompts": options.permission_prompts,
        "source": options.source,
        "missing_look": options.missing_look,
        "looks": options.looks,
    }


def chosen(settings: AnyMapping) -> AnyDict:
    """Those of a session that are not what counts if no one says anything."""
    from ..session import SessionSettings

    return {
        name: one for name, one in settings.items() if one != getattr(SessionSettings, name, None)
    }
