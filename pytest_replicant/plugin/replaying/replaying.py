"""The hooks of a run on a recording: each test gets its own, and ends with a verdict that is never
a pass."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import Any, ClassVar, Literal

import pytest

from ...cassettes import REPLAYED, CassetteDriver, RecordedFailure, Replay, described
from ...errors import ReplayEnded, UsageError, skips
from ...model import Phase
from ...pool import (
    DevicePool,
    DeviceRequirements,
    DeviceUri,
    Facts,
    NoMatchingDevice,
    OpenDevice,
    Opened,
    Resource,
    ResourcePool,
    read_uri,
)
from ...pytest_private import (
    HookWrapper,
    ReportWrapper,
    error_of,
    innermost,
    outermost,
    strict_xfail,
    tear_down_wider_scopes,
    wider_scopes_held,
)
from ...reporting.attempts.attempt import FAILED_THEN, VERDICT, VERDICT_LATER, attempt_of
from ...reporting.replays import Recordings
from ...reporting.trace_files import failures_of, passed_though_expected_to_fail
from ...running import (
    OPTIONS,
    REPLAY,
    REPLAYED_PHONES,
    REPLAYED_RESOURCES,
    RESOURCES_OF_TEST,
    RUN_ID,
    SECRETS,
    SESSIONS,
    fixture_key,
    held_phones,
    replay_of,
    source_digest,
    tapes_of,
)
from .verdict import Ended, judged

Outcome = Literal["passed", "failed", "skipped"]


class Replaying:
    """Registered in each process of a run whose phone is ``cassette:REPORT``."""

    NAME = "replicant-replaying"

    def __init__(self, config: pytest.Config, recordings: Recordings) -> None:
        uri, knobs = f"cassette:{config.stash[OPTIONS].replay}", dict(recordings.knobs)
        self._network = knobs.pop("network", "") == "allow"
        self._wanted = knobs.pop("expect", "")
        knobs.pop("attempt", "")
        if knobs:
            raise UsageError(
                f"device {uri!r}: no knob {next(iter(knobs))!r}. Knobs: network, expect, attempt."
            )
        if self._wanted not in ("", "reproduced", "holds"):
            raise UsageError(
                f"device {uri!r}: expect is reproduced or holds, not {self._wanted!r}."
            )
        self._redactor = config.stash[SECRETS]
        self._recordings = recordings
        self._current: pytest.Item | None = None
        self._failed: list[RecordedFailure] = []  # of the test that is running, with its subtests
        self._texts: list[str] = []  # of failures that a later report is to tell
        self._judged: list[
            tuple[pytest.TestReport, Outcome]
        ] = []  # with the outcomes that they had
        self._is_left_out = False  # the test that is running skips itself, as it did then
        self._missing: dict[str, ReplayEnded] = {}
        self._stands_on_an_error = False
        config.stash[REPLAYED_PHONES] = _ReplayedPhones(uri, self._replay, recordings)
        config.stash[REPLAYED_RESOURCES] = _ReplayedResources(self._replay)
        if not config.stash[RUN_ID].endswith(REPLAYED):  # else a worker has it from its controller
            config.stash[RUN_ID] += REPLAYED
        first = recordings.first
        matrix = first.header.facts.get("matrix", "") if first else ""
        if matrix:  # a part of the names of its tests
            devices = tuple(map(read_uri, matrix.split()))
            config.stash[OPTIONS] = replace(config.stash[OPTIONS], matrix=True, devices=devices)

    @property
    def _running(self) -> Replay | None:
        return replay_of(self._current) if self._current else None

    def _replay(self) -> Replay:
        if not self._current:
            raise _Ending("no test is running", verdict="beyond the recording")
        if REPLAY not in self._current.stash:
            raise self._missing[self._current.nodeid]
        return self._current.stash[REPLAY]

    # --- which recording --------------------------------------------------------------------------
    def _load(self, item: pytest.Item) -> None:
        found, why = None, ""
        try:
            found = self._recordings.of(item.nodeid)
        except (OSError, ValueError) as error:
            why = f"its recording cannot be read: {error}"
        if not found:
            why = why or self._recordings.why_not(item.nodeid)
            self._missing[item.nodeid] = _Ending(why, verdict="beyond the recording")
            return
        stored, cassette = found
        item.stash[REPLAY] = Replay(
            cassette,
            stored.blob,
            self._redactor,
            ending=_Ending,
            excuse=lambda text: _excuse(item, text),
            owner=lambda: tapes_of(item.config).owner,
        )

    # --- hooks ------------------------------------------------------------------------------------
    @outermost
    def pytest_runtest_protocol(
        self, item: pytest.Item, nextitem: pytest.Item | None
    ) -> HookWrapper:
        self._current, self._failed, self._texts, self._judged = item, [], [], []
        self._load(item)  # any test may ask for a phone while it runs
        with ExitStack() as guards:
            if REPLAY in item.stash or attempt_of(item).asked_for_a_phone:
                guards.enter_context(_guarded(self._slept, network=self._network))
            replay = replay_of(item)
            result = yield
            if replay:
                replay.close()
            self._end_wider_scopes(item, nextitem)
        return result

    def _end_wider_scopes(self, item: pytest.Item, nextitem: pytest.Item | None) -> None:
        """Each test sets up the phone and the recorded data that it shares again, from its own
        recording: so it needs no other test, and no order. What ends here was recorded with another
        test, and is not judged."""
        tapes = tapes_of(item.config)
        if held_phones(item.config).shared or self._stands_on_an_error or tapes.gave_wider:
            self._stands_on_an_error = tapes.gave_wider = False
            nextitem = None
        try:
            tear_down_wider_scopes(item.session, nextitem)
        except (KeyboardInterrupt, SystemExit, pytest.exit.Exception):
            raise
        except BaseException:  # a group of pytest's own outcomes is no Exception
            pass

    def _slept(self, seconds: float) -> None:
        if replay := self._running:
            replay.slept += seconds
            replay.sleep(seconds)

    @outermost
    def pytest_runtest_call(self, item: pytest.Item) -> HookWrapper:
        if not (replay := replay_of(item)):
            return (yield)
        replay.check_used("the setup")
        replay.phase("call")
        for held in held_phones(item.config).shared:
            held.end_session_of_fixture()
        try:
            result = yield
        except skips():
            replay.check_used("the test")
            raise
        replay.check_used("the test")
        return result

    @outermost
    def pytest_runtest_teardown(self, item: pytest.Item) -> HookWrapper:
        """With the test end the wider scopes that ended with it when it was recorded, and no
        others."""
        if not (replay := replay_of(item)):
            return (yield)
        replay.phase("teardown")
        ends = replay.cassette.header.ends
        with pytest.MonkeyPatch.context() as patch, wider_scopes_held(item, but=ends):
            # A fixture may ask in its teardown whether the test passed, by a report that a hook has
            # kept: until then its outcome is as it was.
            for report, outcome in self._judged:
                patch.setattr(report, "outcome", outcome)
            try:
                return (yield)
            finally:
                tear_down_wider_scopes(item.session)

    def pytest_sessionfinish(self) -> None:
        """What an interrupt has left set up ends here, before pytest itself would be broken by
        it."""
        if self._current:
            self._stands_on_an_error = True
            self._end_wider_scopes(self._current, None)

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(
        self, fixturedef: pytest.FixtureDef[Any], request: pytest.FixtureRequest
    ) -> HookWrapper:
        """A fixture of a wider scope that an earlier test had set up is set up on what was recorded
        then."""
        if fixturedef.scope == "function":
            return (yield)
        item, replay = self._current, self._running
        try:
            if not item or not replay:
                return (yield)
            key = self._redactor.text(fixture_key(fixturedef, request))
            replay.set_up.add(key)
            if replay.is_in_fixture or key not in replay.cassette.fixtures:
                return (yield)
            return (yield from self._from_then(item, replay, key))
        except BaseException:
            self._stands_on_an_error = True  # which pytest keeps for the next test
            raise

    def _from_then(self, item: pytest.Item, replay: Replay, key: str) -> HookWrapper:
        sessions = item.stash.setdefault(SESSIONS, [])
        before = {one: one.of_fixture for one in sessions}
        looks = not replay.cassette.fixtures[key]  # at what the fixture before it had read
        if looks or replay.enter(key):
            for one in sessions:
                one.of_fixture = ""
        try:
            result = yield
        finally:
            if looks:
                for one, test in before.items():
                    one.of_fixture = test
        if not looks:
            replay.leave()
            for one in sessions:
                one.of_fixture = "" if before.get(one) == "" else replay.test_of(key)
        return result

    @innermost  # before any other plugin reads the report
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> ReportWrapper:
        report = yield
        attempt, replay = attempt_of(item), replay_of(item)
        error = error_of(call)
        is_ours = replay is not None or isinstance(error, ReplayEnded)
        if attempt.calling:
            if is_ours:
                self._note_part(item, report, error)
            return report
        if report.when == "setup":
            self._is_left_out = replay is None and isinstance(error, skips())
            if error is None:
                return report
        if self._is_left_out or not (is_ours or attempt.asked_for_a_phone):
            return report
        known: Ended | None = attempt.replay_ended
        if isinstance(error, ReplayEnded) and replay:
            replay.ended = replay.ended or error
        if report.when == "teardown":
            if isinstance(error, skips()):  # by which no test fails
                error = None
            if known and (error is None or known.verdict in _OVER):
                _pass(report)  # a test that has left its recording is not judged any more
                return report
        ended = self._ended(item, report, error)
        self._judged.append((report, report.outcome))
        if not ended:
            if report.failed:
                self._texts.append(report.longreprtext)
            _set_aside(report, item, "the recorded failure comes in the teardown")
        elif known and ended.verdict == "reproduced":
            _pass(report)
        else:
            attempt.replay_ended = ended
            texts = [*self._texts, report.longreprtext if report.failed else ""]
            report.sections.extend((FAILED_THEN, text) for text in texts if text)
            # skipped for every reader that counts
            _skip(report, item, f"{ended.verdict} {ended.sentence}")
            setattr(report, VERDICT, vars(ended))
        return report

    def _ended(
        self, item: pytest.Item, report: pytest.TestReport, error: BaseException | None
    ) -> Ended | None:
        replay, phase = replay_of(item), report.when or "call"
        if not replay:
            why = self._missing[item.nodeid].why
            return Ended("beyond the recording", "holds on the recording", why, why)
        skipped = str(error) if isinstance(error, skips()) else None
        if error is None and phase == "call" and (passed := strict_xfail(item)) is not None:
            self._failed.append(passed_though_expected_to_fail(passed, phase))
        elif error is not None and skipped is None and not isinstance(error, ReplayEnded):
            self._failed += self._failures(item, error, phase)
        changed = source_digest(item) != replay.cassette.header.source
        return judged(
            replay, self._failed, phase, changed=changed, wanted=self._wanted, skipped=skipped
        )

    def _failures(
        self, item: pytest.Item, error: BaseException, phase: Phase
    ) -> tuple[RecordedFailure, ...]:
        return failures_of(error, phase, attempt_of(item).sessions, replay_of(item), self._redactor)

    def _note_part(
        self, item: pytest.Item, report: pytest.TestReport, error: BaseException | None
    ) -> None:
        """A part of a test, such as a subtest, has no verdict of its own: its failure is one of the
        test's."""
        if report.failed and error is not None:
            if not isinstance(error, ReplayEnded):
                self._failed += self._failures(item, error, "call")
            self._texts.append(report.longreprtext)
        _set_aside(report, item, "a part of a replayed test")


_Ending = type(
    "ReplayEnded", (ReplayEnded, pytest.fail.Exception), {"__module__": ReplayEnded.__module__}
)
"""As an outcome of pytest's own: it keeps it for the tests that stand on a fixture, and goes on to
tear down."""

_OVER = ("diverged", "beyond the recording", "fails on the recording")


def _pass(report: pytest.TestReport) -> None:
    report.outcome = "passed"
    report.longrepr = None


def _skip(report: pytest.TestReport, item: pytest.Item, why: str) -> None:
    """At the place of the test."""
    path, line, _ = item.location
    report.outcome = "skipped"
    report.longrepr = path, (line or 0) + 1, why


def _set_aside(report: pytest.TestReport, item: pytest.Item, why: str) -> None:
    """The verdict comes later: until then nothing is said of the test, and least that it passed."""
    _skip(report, item, why)
    setattr(report, VERDICT_LATER, True)


_OURS = frozenset(
    {
        "mobile",
        "mobile_device",
        "_held_mobile",
        "mobile_pool",
        "_mobile_kind",
        "new_mobile",
        "request",
    }
)


def _excuse(item: pytest.Item, text: str) -> str:
    """Which fixture a text comes from, that is another one each time."""
    for name, value in getattr(item, "funcargs", {}).items():
        if name in _OURS or not text:
            continue
        if any(text == one or (len(one) > 3 and one in text) for one in _texts(value)):
            return (
                f"It comes from the fixture {name}, which makes another value each time. Next: "
                f"decorate {name} with @recorded, and it is the recorded one."
            )
    return ""


def _texts(value: object, depth: int = 3) -> list[str]:
    if isinstance(value, str):
        return [value]
    inner: Iterable[object] = ()
    if isinstance(value, dict):
        inner = value.values()
    elif isinstance(value, (list, tuple)):
        inner = value
    elif hasattr(value, "__dict__") and not type(value).__module__.startswith(
        ("pytest_replicant", "_pytest")
    ):
        inner = [str(value), *vars(value).values()]
    return [text for one in inner for text in _texts(one, depth - 1)] if depth else []


# --- its phones: each is the recording of the test that is running --------------------------------


class _ReplayedPhones(DevicePool):
    """A test that asks for any phone gets the next one of its own recording. ``current`` is the
    replay of the test that is running; it raises ``ReplayEnded`` if there is none."""

    is_replayed: ClassVar[bool] = True

    def __init__(self, uri: str, current: Callable[[], Replay], recordings: Recordings) -> None:
        super().__init__((read_uri(uri),), self._open)
        self._current = current
        self._recordings = recordings
        self._given: list[Opened] = []

    def _open(self, uri: DeviceUri, timeout: float | None) -> Opened:
        replay = self._current()
        return OpenDevice(CassetteDriver(replay, replay.next_phone(look=True)))

    def acquire(
        self,
        uri: str | DeviceUri | None = None,
        platform: str | None = None,
        timeout: float | None = None,
        *,
        wanted: DeviceRequirements | None = None,
    ) -> Opened:
        """Raises ``ReplayEnded`` if the test has no recording, or had no further phone, and
        ``NoMatchingDevice`` where it has none since no phone of that run would do."""
        wanted = wanted or DeviceRequirements(platform or "")
        if isinstance(uri, str):
            wanted = replace(wanted, platform=read_uri(uri).platform or wanted.platform)
        try:
            opened = self.open(self.uris[0], timeout)
        except ReplayEnded:
            if why := self._why_none(wanted):
                raise NoMatchingDevice(why, reason=why) from None
            raise
        self._given.append(opened)
        if why := wanted.why_not(opened.driver):
            asked = f"asked for {wanted.described}: {why}"
            self._current().end("diverged", f"recorded on {opened.driver.uri}, {asked}")
        return opened

    def _why_none(self, wanted: DeviceRequirements) -> str:
        """Why no phone of the recorded run would do; "" if one may."""
        reasons = {}
        for one in self._recordings.phones:
            why = wanted.why_not_with(Facts.of(*described(one)))
            if not why:
                return ""
            reasons[one.uri] = f"{one.uri}: {why}"
        if not reasons:
            return ""
        each = "; ".join(reasons.values())
        return f"no phone of the recording will do for {wanted.described}: {each}"

    def drop(self, opened: Opened) -> None:
        self._given = [one for one in self._given if one is not opened]

    release = drop  # the next test has a recording of its own

    def holds(self, opened: Opened) -> bool:
        return any(one is opened for one in self._given)

    @property
    def in_use(self) -> list[Opened]:
        return [*self._given]

    def lose(self, opened: Opened, reason: str) -> None:
        """A phone that was lost then cannot be lost now."""

    def close(self) -> None:
        self._given.clear()


class _ReplayedResources(ResourcePool):
    """The accounts and other resources that the test had when it was recorded. Of a secret no more
    is known than its length."""

    def __init__(self, current: Callable[[], Replay]) -> None:
        super().__init__((), lambda words: "", 0, "", str, lambda secret: None)
        self._current = current
        self._given: list[tuple[Replay, Resource]] = []

    def acquire(self, *kinds: str, name: str = "") -> tuple[Resource, ...]:
        """Raises ``ReplayEnded`` if the test had none of that kind, or not so many."""
        return tuple(self._next(kind, name) for kind in kinds)

    def _next(self, kind: str, name: str) -> Resource:
        replay = self._current()
        used = [each.name for one, each in self._given if one is replay and each.kind == kind]
        for each in _resources(replay):
            if each.kind == kind and name in ("", each.name) and each.name not in used:
                self._given.append((replay, each))
                return each
        return replay.end("beyond the recording", f"the test had no further {kind} {name}".rstrip())

    def release(self, *resources: Resource) -> None:
        """They are no one else's."""

    @property
    def held(self) -> tuple[Resource, ...]:
        return tuple(each for _, each in self._given)

    def close(self) -> None:
        """Nothing was made."""
        self._given.clear()


def _resources(replay: Replay) -> list[Resource]:
    recorded = replay.given(RESOURCES_OF_TEST, "its resources")
    try:
        return [Resource(str(one["kind"]), str(one["name"]), dict(one["data"])) for one in recorded]
    except (KeyError, TypeError, ValueError) as error:
        return replay.end("beyond the recording", f"its resources cannot be read: {error}")


# --- what a replayed test may not do unnoticed: reach the network, and sleep ----------------------

_REAL_CONNECT = socket.socket.connect


@contextmanager
def _guarded(slept: Callable[[float], object], *, network: bool) -> Iterator[None]:
    """While it is entered, a connection over a network raises ``ConnectionRefusedError``, unless
    ``network``; each ``time.sleep`` is real, and ``slept`` is called with its seconds."""
    sleep = time.sleep

    def sleeping(seconds: Any) -> None:
        sleep(seconds)
        slept(float(seconds))  # as asked for: when it was recorded, it took that long at least

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(time, "sleep", sleeping)
        if not network:
            patch.setattr(socket.socket, "connect", _refuse)
            patch.setattr(socket.socket, "connect_ex", _refuse)
        yield


def _refuse(self: socket.socket, address: Any, /) -> Any:
    if self.family not in (socket.AF_INET, socket.AF_INET6):
        return _REAL_CONNECT(self, address)
    place = ":".join(map(str, address[:2])) if isinstance(address, tuple) else str(address)
    raise ConnectionRefusedError(
        f"a replayed test has no network, and this connects to {place}: the answer may be another "
        "one than when it was recorded. Next: let the fixture that asks for it be one of recorded "
        "data (@recorded, or mobile.recorded(name, make)), or allow it: replicant replay "
        "--allow-network"
    )
