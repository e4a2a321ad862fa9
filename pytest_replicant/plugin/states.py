"""``mobile_state``: a fixture that brings the app into a named state, once for each phone and app
build."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import update_wrapper
from typing import TYPE_CHECKING, Any

import pytest

from ..errors import UNANSWERED, ActionFailed, ExpectationFailed, UsageError, what_happened
from ..model import AnyDict, one_line, public
from ..pytest_private import fixture_functions
from ..running import IS_STATE, REPLAY, HeldPhone, asked_states

if TYPE_CHECKING:
    from ..cassettes import HeldState
    from ..session import Check, DeviceSession, Proof

MOST_FAILURES = 2
"""Times in a row that the making of a state may fail: after that, each test that needs it fails at
once."""
MOST_LOST = 2
"""Times in a row that a relaunch of the app may end a state: after that, it is made again without
one."""
_LONGEST = 200

Key = tuple["State", str]
"""A state, and the account and the parameter that it was made for, in one text."""


@dataclass
class Made:
    """A state as it was made on a phone. ``app`` was launched last then, ``based_on`` are the
    states that it was built on. ``test`` is the one that it was last proven for, ``launched`` the
    one that the app was last launched again for; ``lost`` relaunches in a row have ended it.
    ``cleared``: how often that test had cleared it. ``left_by`` is the test that was last on the
    phone in it. ``passed`` are the screens on the way to the proof; None if they were not
    recorded."""

    check: Check
    app: str
    based_on: frozenset[Key]
    test: int
    launched: int = 0
    lost: int = 0
    cleared: int = 0
    left_by: str = ""
    passed: set[str] | None = field(default_factory=set)

    def cleared_in(self, test: int) -> int:
        """How often that test may have cleared its data without ending it."""
        return self.cleared if self.test == test else 0


@dataclass(eq=False)
class State:
    """``make`` brings the app into the state, ``proof`` is what shows then, or makes that of the
    value of the fixture ``belongs_to``. ``failures`` are the first lines of the errors of the
    latest makings, by account and parameter."""

    name: str
    make: Callable[..., object]
    proof: Proof | Callable[[Any], Proof]
    belongs_to: str = ""
    failures: dict[str, list[str]] = field(default_factory=dict)

    def hold(
        self, held: HeldPhone, item: pytest.Item, arguments: AnyDict, owner: object, param: str
    ) -> None:
        """Sees to it that the phone is in this state. Where it was made there, one read proves it.
        Where that fails, the app is launched again; if that does not help, the state is made
        again."""
        from ..session import check_of, why_not_proven

        session = held.session_of(item)
        context = session._context
        if (replay := item.stash.get(REPLAY, None)) is not None:
            replay.set_up.add(f"state {self.name}")
        check = check_of(session, self.name, self._proof_for(owner))
        key: Key = (self, f"{_name_of(owner)} {param}")
        made: Made | None = held.states.pop(key, None)  # a making that is interrupted leaves none
        made = made or self._as_recorded(held, item, key, check)
        cleared = context.cleared_apps
        if made and cleared.count(made.app) > made.cleared_in(held.tests):
            made = None
        if context.replaced_apps:
            made = None
        lost, passed, why = 0, set[str](), ""
        if made:
            stacked = [one for one in asked_states(held, item).values() if key in one.based_on]
            stacked += self._recorded_above(held, item, session, key)
            # a state on top of it proves it as well
            if all(why_not_proven(session, one.check) for one in stacked):
                why = why_not_proven(session, check)
                front = context.other_app(made.app)
                why = why or (f"{front} is in front" if made.app and front else "")
            launched = any(
                other in made.based_on and one.launched == held.tests
                for other, one in held.states.items()
            )
            made = replace(made, test=held.tests, cleared=cleared.count(made.app))
            if not why or (not launched and self._came_back(session, made, check, why)):
                holds = f"state {self.name} holds, as {made.left_by} left it"
                context.recorder.noticed.append(holds)
                held.states[key] = replace(made, left_by=_test_of(item))
                return
            lost, passed = made.lost, made.passed or passed
        passed |= self._make(session, check, arguments, why, key[1])
        app = context.newest_app
        times = context.cleared_apps.count(app)
        based_on, left_by = self._built_on(held, item), _test_of(item)
        made = Made(
            check,
            app,
            based_on,
            held.tests,
            lost=lost,
            cleared=times,
            left_by=left_by,
            passed=passed,
        )
        self._forget_others(held, session, made)
        held.states[key] = made

    def _as_recorded(
        self, held: HeldPhone, item: pytest.Item, key: Key, check: Check
    ) -> Made | None:
        """Of a replay: the state as it held on the phone when the test was recorded."""
        named = _in_any_run(self.name, key[1])
        for then in held.recorded_states:
            if _in_any_run(then.name, then.key) == named:
                held.recorded_states.remove(then)
                return self._as_made_then(then, held, item, check)
        return None

    def _as_made_then(
        self, then: HeldState, held: HeldPhone, item: pytest.Item, check: Check
    ) -> Made:
        states = _states_of(item)
        known = {_in_any_run(one.name, whose): (one, whose) for one, whose in held.states}
        below = (
            known.get(_in_any_run(name, whose), (states.get(name), whose))
            for name, whose in then.based_on
        )
        based_on = frozenset((state, whose) for state, whose in below if state is not None)
        made = Made(check, then.app, based_on, held.tests - 1, lost=then.lost, left_by=then.left_by)
        return replace(made, passed=None if then.passed is None else set(then.passed))

    def _recorded_above(
        self, held: HeldPhone, item: pytest.Item, session: DeviceSession, key: Key
    ) -> Iterator[Made]:
        """Of a replay: states on top of this one that held when the test was recorded, and are
        asked for next."""
        from ..session import check_of

        states, given = _states_of(item), getattr(item, "funcargs", {})
        named = _in_any_run(self.name, key[1])
        for then in held.recorded_states:
            above = states.get(then.name)
            if above and named in {_in_any_run(*each) for each in then.based_on}:
                proof = above._proof_for(given.get(above.belongs_to))
                yield self._as_made_then(then, held, item, check_of(session, above.name, proof))

    def _proof_for(self, owner: object) -> object:
        made: object = self.proof(owner) if callable(self.proof) else self.proof
        return made

    def _came_back(self, session: DeviceSession, made: Made, check: Check, why: str) -> bool:
        """A test may have left the screen that proves the state: the first one of the app may show
        it."""
        from ..session import came_back

        if not made.app or made.lost >= MOST_LOST:
            return False
        made.launched = made.test
        with session.step(one_line(f"state {self.name}: launch again, since {why}", _LONGEST)):
            try:
                session.launch(made.app)
            except (ActionFailed, UsageError):  # not installed any more, say
                return False
            is_back = came_back(session, check, made.passed)
        made.lost = 0 if is_back else made.lost + 1
        return is_back

    def _make(
        self, session: DeviceSession, check: Check, arguments: AnyDict, why: str, whose: str
    ) -> set[str]:
        """Returns the screens on the way to its proof."""
        failures = self.failures.setdefault(whose, [])
        if before := session.recorded(
            f"state {self.name}: failed", lambda: failures[MOST_FAILURES - 1 :]
        ):
            pytest.fail(
                f"state {self.name}: it could not be made {MOST_FAILURES} times in a row, and is "
                f"not tried again in this run. The last time: {before[-1]}",
                pytrace=False,
            )
        title = one_line(
            f"state {self.name}: make{f' again, since {why}' if why else ''}", _LONGEST
        )
        context = session._context
        with session.step(title), context.during("preparing"), context.passed_screens() as passed:
            try:
                self.make(**arguments)
                try:
                    session._expect(check, None)
                except ExpectationFailed as error:
                    error.preface(f"state {self.name} was made, but its proof does not show: ")
                    raise
            except UNANSWERED:
                raise
            except (Exception, pytest.fail.Exception) as error:
                failures.append(f"{type(error).__name__}: {what_happened(error)}")
                raise
        failures.clear()
        return passed

    def _built_on(self, held: HeldPhone, item: pytest.Item) -> frozenset[Key]:
        """The states of this test that the function asks for, through any fixtures, and those that
        they were built on."""
        fixtures, asked = fixture_functions(item), set[str]()
        pending = list(inspect.signature(self.make).parameters)
        while pending:
            name = pending.pop()
            if name not in asked:
                asked.add(name)
                pending += inspect.signature(fixtures[name]).parameters if name in fixtures else ()
        based_on: set[Key] = set()
        for key, one in held.states.items():
            if key[0].name in asked and one.test == held.tests:
                based_on |= {key, *one.based_on}
        return frozenset(based_on)

    def _forget_others(self, held: HeldPhone, session: DeviceSession, made: Made) -> None:
        """Of other states that this one is not built on, nothing is known any more. Raises
        ``UsageError`` if this very test asks for one of them that does not hold any more."""
        from ..session import why_not_proven

        held.recorded_states.clear()  # of a replay: nor of those that this test has not come to
        for key, other in list(held.states.items()):
            if key in made.based_on:
                continue
            if other.test != made.test:
                del held.states[key]
                continue
            why = "its data was cleared"
            if session._context.cleared_apps.count(other.app) <= other.cleared:
                why = why_not_proven(session, other.check)
            if why:
                del held.states[key]
                raise UsageError(
                    f"state {self.name}: once it was made, the state {key[0].name} of the same "
                    f"test held no more: {why}. Next: give the test one of them, or let "
                    f"{self.name} ask for {key[0].name} if it is built on it"
                )


@public
def mobile_state(
    *,
    proof: Proof | Callable[[Any], Proof],
    belongs_to: str = "",
    name: str = "",
    params: Iterable[object] | None = None,
) -> Callable[[Callable[..., object]], Any]:
    """Makes a fixture of a function that brings the app into a state, such as signed in.

    The function runs once for each phone and app build. Before each later test, one read of the
    screen looks for ``proof``; where that does not show, the app is launched again, and then the
    function runs again. The fixture asks for others as any fixture does, and its value is the
    test's ``mobile``.

    ``proof`` is a selector, a ``Screen`` or a check of your own. ``belongs_to`` names a fixture,
    such as one that leases an account: each ``.name`` of its value has a state of its own, and
    ``proof`` may be a function of that value. ``name`` and ``params`` are those of
    ``pytest.fixture``. Raises ``UsageError`` for a generator, since nothing is undone after one
    test.
    """

    def declare(make: Callable[..., object]) -> Any:
        if not inspect.isfunction(make):
            raise UsageError(
                f"mobile_state: {make!r} is no function. Next: write @mobile_state(proof=...) over "
                "a def"
            )
        if (
            inspect.isgeneratorfunction(make)
            or inspect.iscoroutinefunction(make)
            or inspect.isasyncgenfunction(make)
        ):
            raise UsageError(
                f"mobile_state: {make.__name__} is a generator or async, but a state holds for "
                "many tests, and nothing is undone after one. Next: a plain function without yield"
            )
        own = list(inspect.signature(make).parameters)
        if own[:1] in (["self"], ["cls"]):
            raise UsageError(
                f"mobile_state: {make.__name__} is a method. Next: a function of a module"
            )
        state = State(name or make.__name__, make, proof, belongs_to)
        asked = dict.fromkeys(filter(None, [*own, "request", "_held_mobile", belongs_to]))

        def hold(**given: Any) -> DeviceSession:
            request, held = given["request"], given["_held_mobile"]
            param = (
                _text_of(request.param, request.param_index) if hasattr(request, "param") else ""
            )
            arguments = {each: given[each] for each in own}
            state.hold(held, request.node, arguments, given.get(belongs_to), param)
            session: DeviceSession = held.session_of(request.node)
            return session

        update_wrapper(hold, make)
        kind = inspect.Parameter.KEYWORD_ONLY
        hold.__dict__["__signature__"] = inspect.Signature(
            [inspect.Parameter(each, kind) for each in asked]
        )
        hold.__dict__[IS_STATE] = state
        return pytest.fixture(name=state.name, params=params)(hold)

    return declare


def _states_of(item: pytest.Item) -> dict[str, State]:
    """Those that a test asks for, by their names."""
    made = (getattr(function, IS_STATE, None) for function in fixture_functions(item).values())
    return {one.name: one for one in made if isinstance(one, State)}


def _in_any_run(name: str, whose: str) -> tuple[str, str]:
    """A state without what another process has another one of."""
    return name, re.sub(rf"{_BY_IDENTITY}\d+", _BY_IDENTITY, whose)


def _test_of(item: pytest.Item) -> str:
    return getattr(item, "nodeid", "")


def _name_of(owner: object) -> str:
    """What distinguishes accounts; "" for none. Raises ``UsageError`` if nothing does."""
    if owner is None:
        return ""
    if isinstance(owner, (str, int)):
        return str(owner)
    if isinstance(owner, (tuple, list)):
        return " ".join(map(_name_of, owner))
    name = getattr(owner, "name", None)
    if not isinstance(name, (str, int)):
        raise UsageError(
            f"belongs_to: {owner!r} has no name, by which a state belongs to it. Next: give it a "
            ".name"
        )
    return f"{getattr(owner, 'kind', '')} {name}".strip()


_BY_IDENTITY = "object "


def _text_of(param: object, place: int) -> str:
    """A parameter as a text that no other one has in this run, and in no run where it is a text or
    a number."""
    plain = param is None or isinstance(param, (str, int, float, bool))
    return repr(param) if plain else f"{_BY_IDENTITY}{id(param)} at {place}"
