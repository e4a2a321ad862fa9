"""Phones that tests hold: one session for each test, on a phone of its own or one that a wider
scope shares, until the phone is reset and given back."""

from __future__ import annotations

import math
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import pytest

from ..errors import UNANSWERED, WRONG_CALLS, DeviceBusy, DeviceError, UsageError
from ..options.marks import read_marks
from ..options.options import Options
from ..pytest_private import HookWrapper, fixture_finisher, fixture_functions, innermost
from .scheduling.selection import WIDER_SCOPES, acquire_for_test, acquire_further, requirements_of
from .stash import (
    BASELINES,
    GROUPS,
    OPTIONS,
    PAUSE,
    PICTURE_TAKEN,
    READING_ON,
    SECRETS,
    SESSIONS,
    TRACE_PAGE,
    TestSession,
    attempt_number,
)
from .tapes import no_part_of_the_test, session_on_tape

if TYPE_CHECKING:
    from ..cassettes import HeldState
    from ..model import AnyDict
    from ..pool import DevicePool, DeviceUri, OpenDevice, Opened
    from ..session import DeviceSession

IS_STATE = "mobile_state"
"""Attribute of the function of a fixture that is a state."""

Node = pytest.Item | pytest.Collector


class Scope(NamedTuple):
    """A fixture that shares a phone, the node at whose end it ends, and what ends it."""

    fixture: str
    node: Node
    finish: Callable[[], object]


@dataclass(eq=False)
class HeldPhone:
    """One phone between its acquisition and its reset. ``node`` is the test, or the scope that
    shares it.

    ``scopes`` are the fixtures that share it, none for a test's own. ``kind`` is which of the run's
    phones the scope is for, under ``--replicant-matrix``. ``states`` were made on it, and hold as
    far as is known; ``tests`` counts the attempts of tests that had a session on it;
    ``recorded_states`` are those that held when the test that is replayed was recorded.
    """

    phones: DevicePool
    opened: Opened
    node: Node
    session_args: AnyDict
    kind: DeviceUri | None = None
    scopes: list[Scope] = field(default_factory=list)
    states: dict[Any, Any] = field(default_factory=dict)
    is_over: bool = False
    tests: int = 0
    recorded_states: list[HeldState] = field(default_factory=list)
    _item: pytest.Item | None = None
    _entry: TestSession | None = None
    _earlier: DeviceSession | None = None
    _apps: dict[str, bool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._is_pooled = self.phones.holds(
            self.opened
        )  # else it comes from a fixture of the user's
        self.begin_with(self.node)

    def begin_with(self, node: Node) -> None:
        """It is the phone of this test or scope from now on. Raises ``UsageError`` if it cannot be
        reset as that asks for: at its setup, not at its end."""
        from .provisioning.pools import check_reset

        if not self.phones.is_replayed:
            check_reset(self.opened, read_marks(node).reset, self._options)
        self.node = node

    @property
    def _options(self) -> Options:
        return self.node.config.stash[OPTIONS]

    @property
    def is_usable(self) -> bool:
        """Whether it was neither lost nor closed."""
        return not self._is_pooled or self.phones.holds(self.opened)

    def session_of(self, item: pytest.Item) -> DeviceSession:
        """The session of this test, which begins with its first use. Raises ``UsageError`` if the
        phone is held no more."""
        self.end_session_of_fixture()
        if self._entry and self._item is item:
            return self._entry.session
        if self.is_over or not self.is_usable:
            why = "is given back" if self.is_over else "was lost"
            raise UsageError(
                f"{self.shown}: its phone {why}. Next: use the session of the test that is running"
            )
        self.end_test()
        self._entry = self._begin(item)
        self._item = item
        self.tests += 1
        return self._entry.session

    @property
    def shown(self) -> str:
        """Names the scope, or the test, in messages."""
        return (
            f"{self.scopes[0].fixture} of {self.node.nodeid or 'the run'}"
            if self.scopes
            else self.node.nodeid
        )

    def check_fits(self, item: pytest.Item) -> None:
        """Whether a shared phone satisfies the test's own marker: else raises ``UsageError``, or
        skips a test that is about another phone of the matrix."""
        own, shared = read_marks(item).reset, read_marks(self.node).reset
        if own not in (None, shared):
            raise UsageError(
                f"marker replicant: reset={own!r}, but the phone is shared by {self.shown} and "
                "reset at its end. Next: give reset= to all that share it, by pytestmark, or use "
                "a phone of the test's own"
            )
        why = requirements_of(item).why_not(self.opened.driver)
        if why and self.kind:
            from ..drivers import phone_name

            raise pytest.skip.Exception(f"{phone_name(self.opened.driver)}, of {self.shown}: {why}")
        if why:
            raise UsageError(
                f"marker replicant: {why}, and the phone is shared by {self.shown}, which chose it "
                "by its own marker. Next: give the marker to all that share it, by pytestmark, or "
                "use a phone of the test's own"
            )

    def _begin(self, item: pytest.Item) -> TestSession:
        """A session that the report knows, which closes its recorder once the teardown is
        reported."""
        from ..session import Guard, Keeping, SecondsLeft, build_session
        from .provisioning.pools import note_resources

        stash = item.config.stash
        sessions = item.stash.setdefault(SESSIONS, [])
        left = self._earlier._context.apps if self._earlier else None
        clock = self.session_args.get("clock")
        reading_on = stash.setdefault(READING_ON, SecondsLeft(self._options.read_on[1]))
        states = asked_states(self, item)
        on_tape = session_on_tape(
            item, self.opened.driver, clock, states, taken_over=left, reading_on=reading_on.seconds
        )
        if on_tape.known is not None:
            left, self.recorded_states = on_tape.known.taken_over, list(on_tape.known.states)
            then = on_tape.known.reading_on
            reading_on = SecondsLeft(math.inf if then is None else then)
        own = sum(not one.of_fixture for one in sessions)
        nodeid = f"{item.nodeid} (phone {own + 1})" if own else item.nodeid
        attempt, groups = attempt_number(item), item.stash.get(GROUPS, [])
        page, taken = partial(stash[TRACE_PAGE], nodeid, attempt), stash.get(PICTURE_TAKEN, None)
        settings = {
            **on_tape.settings(self._options),
            "allow": read_marks(item).allow,
            **self.session_args,
            "clock": on_tape.clock,
            "tape": on_tape.tape,
            "reading_on": reading_on,
            "pause": stash.get(PAUSE, None),
            "keeping": Keeping(stash[SECRETS], page, taken, groups),
            "left": left,
        }
        if files := stash.get(BASELINES, None):
            settings["baselines"] = files(item)
        app, rules = settings["app"], self._options.guard
        apps = {app: True} if app else {}
        if rules:
            settings["guard"] = Guard.of(rules, apps)

        # the hooks that are near the test: those of its own folders come first
        hook = item.ihook.pytest_replicant_recover
        session, recorder = build_session(
            on_tape.driver,
            recover=lambda session, failure, state: hook(
                session=session, failure=failure, state=state
            ),
            **settings,
        )
        entry = TestSession(session, recorder, nodeid, attempt)
        sessions.append(entry)
        note_resources(item)
        self._apps |= apps
        return entry

    def end_session_of_fixture(self) -> None:
        """Of a replay: one that is over for this test, since an earlier one had it."""
        entry, item = self._entry, self._item
        if entry and item is not None and entry.of_fixture:
            why = f"its test was {entry.of_fixture}, and its phone stays with {self.shown}"
            entry.session._context.end(why)
            self._entry, self._item, self._earlier = None, None, None
            item.stash[SESSIONS].remove(entry)
            entry.recorder.close()

    def end_test(self) -> None:
        """Ends the session of the test, once. Raises ``DeviceError`` if the phone is in trouble; it
        is closed then."""
        from ..session import late_crash, note_dead_apps

        self.end_session_of_fixture()
        entry, item, self._entry = self._entry, self._item, None
        if not entry or item is None:
            return
        session, context = entry.session, entry.session._context
        try:
            if self.is_usable:
                with no_part_of_the_test(item), self._closing_in_trouble():
                    if self._options.crash != "ignore":
                        entry.late_death = late_crash(session)
                    if self.scopes or self.states:
                        note_dead_apps(session)
                self._apps |= context.launched_apps
                self._forget_states(context.replaced_apps, context.cleared_apps)
            for one in context.interrupts:
                warnings.warn(
                    pytest.PytestWarning(
                        f"{one.title}: it ended with {entry.nodeid}. Next: announce it in a "
                        "fixture of function scope"
                    ),
                    stacklevel=2,
                )
        finally:
            self._earlier, entry.is_over = session, True
            left = f"stays with {self.shown}" if self.scopes else "is given back"
            context.end(f"its test was {entry.nodeid}, and its phone {left}")

    def _forget_states(self, replaced: bool, cleared: Sequence[str]) -> None:
        """Those that do not hold after a test that put another build there, or cleared an app."""
        if replaced:
            self.states.clear()
        for key, made in list(self.states.items()):
            if cleared.count(made.app) > made.cleared_in(self.tests):
                del self.states[key]

    def end(self) -> None:
        """Ends the session of the test and resets the phone, once. Raises as ``end_test`` does."""
        if not self.is_over:
            self.is_over = True
            self.end_test()
            if self.is_usable:
                self.reset()

    def reset(self) -> None:
        """Resets what the tests on it started and set. Raises ``DeviceError``; the phone is closed
        then."""
        from .provisioning.pools import reset_phone

        if self.phones.is_replayed:  # there is no phone
            return
        reset = read_marks(self.node).reset or self._options.reset
        try:
            with self._closing_in_trouble():
                reset_phone(self.phones, self.opened, self._apps, reset, self._options)
        except DeviceError as error:
            error.while_resetting = True
            raise

    @contextmanager
    def _closing_in_trouble(self) -> Iterator[None]:
        from ..pool import is_device_loss, loss_reason

        try:
            yield
        except UNANSWERED as error:
            if isinstance(error, DeviceError) and is_device_loss(error):
                self.phones.quarantine(self.opened, loss_reason(error))
            else:
                self.phones.drop(self.opened)
            raise


class HeldPhones:
    """All of one process. ``shared`` are those of wider scopes. ``parked`` are free and not yet
    reset: a test that asks for a state that was made there goes on; any other finds the phone
    reset."""

    NAME = "replicant-held-phones"

    def __init__(self) -> None:
        self.shared: list[HeldPhone] = []
        self.parked: list[HeldPhone] = []
        self._item: pytest.Item | None = None
        self._lost: Counter[tuple[str, Node]] = Counter()

    # --- for fixtures -----------------------------------------------------------------------------
    def acquire(self, phones: DevicePool, item: pytest.Item, kind: DeviceUri | None) -> Opened:
        """The phone of a test: reset, unless it goes on with a state."""
        return self._reset_first(phones, lambda: acquire_for_test(phones, item, kind), item)

    def acquire_further(self, phones: DevicePool, item: pytest.Item, *named: Any) -> Opened:
        return self._reset_first(phones, lambda: acquire_further(phones, item, *named))

    def _reset_first(
        self, phones: DevicePool, acquire: Callable[[], Opened], item: pytest.Item | None = None
    ) -> Opened:
        while True:
            try:
                opened = acquire()
            except DeviceBusy as busy:
                from ..drivers import phone_name

                # with the scopes that hold phones of this process until they end
                scoped = self.shared if item is not None else []
                for held in scoped:
                    busy.remark(
                        f"  {phone_name(held.opened.driver)} is shared by {held.shown} until that "
                        f"ends. Next: ask for {held.scopes[0].fixture} here too, or give this test "
                        "a file of its own"
                    )
                raise
            parked = self._parked_on(opened)
            if not parked or (item is not None and asked_states(parked, item)):
                return opened
            self.parked.remove(parked)
            try:
                with suppress(DeviceError):  # of an earlier test; the next phone will do
                    parked.reset()
            except BaseException:
                phones.release(opened)
                raise
            if phones.holds(opened):
                return opened

    def _parked_on(self, opened: Opened) -> HeldPhone | None:
        return next((held for held in self.parked if held.opened is opened), None)

    def held_by(
        self, phones: DevicePool, opened: Opened, item: pytest.Item, session_args: AnyDict
    ) -> Iterator[HeldPhone]:
        """A phone of this test's own, with its session. With a state on it, it is not reset
        afterwards, unless the test's marker says how."""
        held = self._parked_on(opened)
        if not held:
            held = HeldPhone(phones, opened, item, session_args)
        else:
            held.begin_with(item)
            self.parked.remove(held)
        try:
            held.session_of(item)
            yield held
        finally:
            held.end_test()
            if held.states and held.is_usable and read_marks(item).reset is None:
                self.parked.append(held)
                cast("OpenDevice", held.opened).on_close(partial(self._close, held))
            else:
                held.end()

    def _close(self, held: HeldPhone) -> None:
        if held in self.parked:
            self.parked.remove(held)
            with suppress(DeviceError):
                held.reset()

    def shared_for(
        self,
        phones: DevicePool,
        request: pytest.FixtureRequest,
        kind: DeviceUri | None,
        session_args: AnyDict,
    ) -> Iterator[DeviceSession]:
        """The session of whichever test is running, on a phone that lives as long as the scope of
        this fixture. Where the test asks for a wider scope too, it is the phone of that one."""
        from ..session import ScopedSession

        name, item = request.fixturename or "", self._item
        assert item is not None
        own = Scope(name, request.node, fixture_finisher(request))
        if self._lost[name, own.node] > 1:
            raise DeviceError(
                f"{name} of {own.node.nodeid} has lost two phones, and no third is tried. Next: "
                "replicant doctor"
            )
        wider = WIDER_SCOPES[: WIDER_SCOPES.index(request.scope)]
        asked = [one for scope in wider if (one := f"{scope}_mobile") in request.fixturenames]
        if asked:
            request.getfixturevalue(asked[0])
        wide = self._held_for(item, asked[:1])
        held = wide
        if not held:
            opened = self._reset_first(
                phones, lambda: acquire_for_test(phones, item, kind, own.node)
            )
            try:
                held = HeldPhone(phones, opened, own.node, session_args, kind)
            except BaseException:
                phones.release(opened)
                raise
            self.shared.append(held)
        held.scopes.append(own)
        try:
            yield ScopedSession(partial(self._current, held, own))
        finally:
            held.scopes.remove(own)
            if not wide:
                try:
                    held.end()
                finally:
                    self.shared.remove(held)
                    phones.release(held.opened)

    def _current(self, held: HeldPhone, scope: Scope) -> DeviceSession:
        if self._item is None or scope.node not in self._item.listchain():
            raise UsageError(
                f"{scope.fixture} of {scope.node.nodeid or 'the run'}: its scope is over. Next: "
                f"ask for {scope.fixture} in the test"
            )
        return held.session_of(self._item)

    def fitting(self, request: pytest.FixtureRequest) -> HeldPhone | None:
        """The phone that a test shares, by the narrowest scope that it asks for; None if it asks
        for none. Raises ``UsageError`` if that does not satisfy its marker."""
        shared = self._shared_by(request.node, request.fixturenames)
        if shared:
            shared.check_fits(request.node)
        return shared

    def _shared_by(self, item: pytest.Item, asked: Sequence[str] = ()) -> HeldPhone | None:
        asked = asked or getattr(item, "fixturenames", ())
        names = (f"{scope}_mobile" for scope in reversed(WIDER_SCOPES))
        return self._held_for(item, [name for name in names if name in asked])

    def _held_for(self, item: pytest.Item, names: Sequence[str]) -> HeldPhone | None:
        chain = item.listchain()
        for name, held in product(names, self.shared):
            if any(one.fixture == name and one.node in chain for one in held.scopes):
                return held
        return None

    # --- hooks ------------------------------------------------------------------------------------
    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """A scope that has lost its phone begins again, on another one."""
        self._item = item
        lost = [held for held in self.shared if not held.is_usable]
        for held in lost:
            for scope in held.scopes[::-1]:
                self._lost[scope.fixture, scope.node] += 1
                try:
                    scope.finish()
                except (DeviceError, *WRONG_CALLS):
                    pass  # the phone is gone
                except Exception as error:
                    warnings.warn(
                        pytest.PytestWarning(
                            f"{scope.fixture} of {scope.node.nodeid} has lost its phone, and its "
                            f"teardown failed: {type(error).__name__}: {error}"
                        ),
                        stacklevel=2,
                    )

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_call(self, item: pytest.Item) -> None:
        if (shared := self._shared_by(item)) is not None:
            shared.check_fits(item)

    @innermost  # once the teardown of the test has used the phone
    def pytest_runtest_teardown(self, nextitem: pytest.Item | None) -> HookWrapper:
        try:
            return (yield)
        finally:
            # and each scope that pytest has not ended: a rerun makes it forget what to tear down
            chain = [] if nextitem is None else nextitem.listchain()
            errors: list[Exception] = []
            for held in [*self.shared]:
                ends = [scope.finish for scope in held.scopes[::-1] if scope.node not in chain]
                if held.phones.is_replayed:  # those end when they did
                    ends.clear()
                for end in (*ends, held.end_test):
                    try:
                        end()
                    except Exception as error:
                        errors.append(error)
            if errors:
                raise errors[0]


def held_phones(config: pytest.Config) -> HeldPhones:
    return cast("HeldPhones", config.pluginmanager.getplugin(HeldPhones.NAME))


def asked_states(held: HeldPhone, item: pytest.Item) -> dict[Any, Any]:
    """Of the states that were made on this phone, those that the test asks for."""
    asked = [getattr(function, IS_STATE, None) for function in fixture_functions(item).values()]
    return {key: made for key, made in held.states.items() if key[0] in asked}
