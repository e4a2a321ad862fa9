"""``check_policy``: whether a policy keeps the contract of ``pytest_replicant_recover``, clause by clause.

In a test of your own policy::

    def test_my_policy_keeps_the_contract():
        survey = Snapshot.parse(SURVEY)
        check_policy(conftest, occasions=[Failure("ELEMENT_NOT_FOUND", "", snapshot=survey)])

or one test a clause, with ``@pytest.mark.parametrize("clause", POLICY_CLAUSES, ids=str)`` and
``clause.check(scene)``.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, wraps
from typing import Any, get_args

from ..drivers import ANDROID_DIALOGS, IOS_DIALOGS, AppInFront, AppStatus, DeviceInfo, Key, Platform, SystemDialogs
from ..errors import DeviceBusy, DeviceOffline, Unsupported, UsageError
from ..logs import Crash
from ..model import (
    FAILURE_CLASSES,
    CheckFacts,
    Element,
    Failure,
    FailureCode,
    Recovery,
    RecoveryState,
    RecoveryStrategy,
    Remedy,
    RemedyKind,
    Selector,
    is_ref,
    shortened,
)
from ..session import DeviceSession, SessionSettings, Target, as_selector, as_target
from ..snapshots import Snapshot
from .contract import Clauses, ContractBroken, Verdict, check_clauses, must

_APP = "com.example.orders"
_CHECKS = ("VERIFICATION_FAILED", "EXPECT_STATE_MISMATCH")

_ROW = (
    '<node class="android.view.ViewGroup" package="{app}" bounds="[0,{top}][1080,{end}]">'
    '<node class="android.widget.TextView" package="{app}" text="Order {number}" bounds="[0,{top}][800,{end}]"/>'
    '<node class="android.widget.Button" package="{app}" text="Open" clickable="true" enabled="true"'
    ' bounds="[800,{top}][1080,{end}]"/></node>'
)
_ANDROID = (
    '<hierarchy rotation="0"><node class="android.widget.FrameLayout" package="{app}" bounds="[0,0][1080,2400]">'
    '<node class="android.widget.Toolbar" package="{app}" bounds="[0,0][1080,200]">'
    '<node class="android.widget.TextView" package="{app}" text="Orders" bounds="[0,0][800,200]"/></node>'
    "{rows}"
    '<node class="android.widget.EditText" package="{app}" resource-id="{app}:id/note" hint="Note" text=""'
    ' clickable="true" enabled="true" bounds="[0,2000][1080,2150]"/>'
    '<node class="android.widget.Button" package="{app}" resource-id="{app}:id/send" text="Send" clickable="true"'
    ' enabled="true" bounds="[0,2200][1080,2350]"/></node></hierarchy>'
)
_IOS = (
    '<AppiumAUT><XCUIElementTypeApplication type="XCUIElementTypeApplication" name="Orders" bundleId="{app}"'
    ' enabled="true"'
    ' visible="true" x="0" y="0" width="390" height="844"><XCUIElementTypeButton type="XCUIElementTypeButton"'
    ' name="Send" label="Send" enabled="true" visible="true" x="0" y="700" width="390" height="50"/>'
    "</XCUIElementTypeApplication></AppiumAUT>"
)


@lru_cache(maxsize=1)
def _screens() -> tuple[Snapshot, Snapshot]:
    rows = "".join(
        _ROW.format(app=_APP, number=number, top=200 + 150 * number, end=350 + 150 * number) for number in range(3)
    )
    android = Snapshot.parse(_ANDROID.format(app=_APP, rows=rows), "android", id="s7", size=(1080, 2400))
    return android, Snapshot.parse(_IOS.format(app=_APP), "ios", id="s8", scale=3.0)


def failures_of_every_kind() -> Iterator[Failure]:
    """Every code: with all that is usually known, with an ordinary error as well, on an iPhone, with nothing."""
    android, iphone = _screens()
    for code in FAILURE_CLASSES:
        whole = _failure(code, android)
        yield whole
        yield _failure(code, android, element=False)
        yield _failure(code, iphone, element=False)
        yield _failure(code, None, element=False)
        yield Failure(code, f"{code}  another run holds it", error=DeviceBusy("another run holds it"))


def _failure(code: FailureCode, snapshot: Snapshot | None, *, element: bool = True) -> Failure:
    check = code in _CHECKS
    alike = tuple(each for each in snapshot.elements if each.label == "Open") if snapshot else ()
    found = code in ("AMBIGUOUS_TARGET", "ELEMENT_NOT_FOUND", "STALE_REFERENCE")
    return Failure(
        code,
        f"{code}  it failed",
        candidates=alike if found else (),
        stage="verify" if check else "resolve",
        action_type="expect_visible" if check else "tap",
        target=Selector(text="Open" if code == "AMBIGUOUS_TARGET" else "Send it"),
        element=snapshot.find(text="Send") if snapshot is not None and element else None,
        snapshot=snapshot,
        app=_APP,
        sent=check,
        check=CheckFacts("expect_visible", 'text="Send it"') if check else None,
    )


class Witness:
    """Answers the questions that change nothing, from the failure's own screen. All else is noted in ``acts``, and
    refused as a session refuses it while it asks its policies."""

    def __init__(
        self, settings: SessionSettings, resolved: Mapping[Selector, Element], failure: Failure, acts: list[str]
    ) -> None:
        self.settings = settings
        self.launched = [failure.app] if failure.app else []
        self._resolved = resolved
        self._failure = failure
        self._acts = acts

    @property
    def system_dialogs(self) -> SystemDialogs:
        return IOS_DIALOGS if self.platform == "ios" else ANDROID_DIALOGS

    @property
    def platform(self) -> Platform:
        """That of the failure's screen."""
        snapshot: Snapshot | None = self._failure.snapshot
        return snapshot.platform if snapshot is not None else "android"

    @property
    def info(self) -> DeviceInfo:
        if self.platform == "ios":
            return DeviceInfo("an-iphone", "ios", "Witness", "17.5", 1170, 2532, 3.0)
        return DeviceInfo("a-phone", "android", "Witness", "14", 1080, 2400, 2.75)

    @property
    def current_app(self) -> AppInFront:
        return AppInFront(self.snapshot().app)

    def last_resolved(self, selector: Selector) -> Element | None:
        return self._resolved.get(selector)

    def died_unexpectedly(self, app: str) -> bool:
        return False

    def app_status(self, app: str | None = None) -> AppStatus:
        return "foreground" if (app or self._failure.app) == self.snapshot().app else "background"

    def crashes(self, app: str | None = None) -> list[Crash]:
        if self.platform == "ios":
            raise Unsupported("the crashes of an-iphone cannot be read", capability="CRASHES", device="an-iphone")
        return []

    def snapshot(self) -> Snapshot:
        found: Snapshot | None = self._failure.snapshot
        if found is None:
            raise DeviceOffline("the screen cannot be read")
        return found

    def find(self, target: Target | None = None, /, **by: Any) -> Element:
        wanted = as_target("find", target, by)
        if isinstance(wanted, Selector):
            return self.snapshot().one(wanted)
        return self.snapshot().element(wanted if isinstance(wanted, str) else wanted.ref)

    def find_all(self, selector: Selector | None = None, /, **by: Any) -> list[Element]:
        return self.snapshot().every(as_selector("find_all", selector, by))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or not hasattr(DeviceSession, name):
            raise AttributeError(f"a session has no {name!r}")
        self._acts.append(name)
        raise UsageError(f"{name}: a policy answers with a Recovery; the session does what it says")


HOOK = "pytest_replicant_recover"
_ANSWER_LENGTH = 100  # characters of an answer in a message


@dataclass(frozen=True)
class PolicyScene:
    """A policy, and the failures that it is asked about. See ``check_policy`` for what the fields mean."""

    policy: Any
    occasions: Sequence[Failure]
    codes: Collection[FailureCode]
    settings: SessionSettings
    resolved: Mapping[Selector, Element]
    acts: list[str] = field(default_factory=list)
    """What was called on the session that changes or checks something."""

    @property
    def function(self) -> Callable[..., Any]:
        """Of a plugin its hook; else the policy itself."""
        found: Callable[..., Any] = getattr(self.policy, HOOK, self.policy)
        return found

    def ask(self, failure: Failure, state: RecoveryState | None = None) -> Any:
        """The answer, as the hook would be called: with those of its arguments that it wants."""
        given = {
            "session": Witness(self.settings, self.resolved, failure, self.acts),
            "failure": failure,
            "state": state or RecoveryState.initial(failure.code, retry_allowed=failure.retryable),
        }
        wanted = inspect.signature(self.function).parameters
        return self.function(**{name: given[name] for name in wanted})

    def foreign(self) -> Iterator[Failure]:
        """Failures that are not its business."""
        return (failure for failure in failures_of_every_kind() if failure.code not in self.codes)

    def everything(self) -> Iterator[Failure]:
        """All of them; those that it is for also with one thing after the other unknown."""
        yield from failures_of_every_kind()
        for failure in self.occasions:
            yield failure
            yield from with_less_known(failure)


def with_less_known(failure: Failure) -> Iterator[Failure]:
    """The same failure, of which less is known each time."""
    unknown: dict[str, Any] = {"snapshot": None, "element": None, "target": None, "blocker": None, "error": None}
    for name, nothing in {**unknown, "candidates": (), "app": "", "action_type": "", "other_way": {}}.items():
        if getattr(failure, name) != nothing:
            yield replace(failure, **{name: nothing})
    yield replace(failure, may_retry=False)


@dataclass(frozen=True)
class PolicyClause:
    """``check`` raises if the ``claim`` does not hold."""

    name: str
    claim: str
    check: Callable[[PolicyScene], None]
    needs_occasion: bool = False

    def unmet(self, scene: PolicyScene) -> str:
        """Why it is not asked of this policy; "" if it is."""
        return "no occasion was given" if self.needs_occasion and not scene.occasions else ""

    def __str__(self) -> str:
        return self.name


def describe(failure: Failure) -> str:
    """A failure in few words, by what sets it apart from the others that are asked."""
    known = [name for name in ("snapshot", "element", "error", "blocker") if getattr(failure, name) is not None]
    return f"{failure.code} of {failure.action_type or 'an action'} ({', '.join(known) or 'nothing'} known)"


def shown(answer: object) -> str:
    return shortened(repr(answer), _ANSWER_LENGTH)


_CLAUSES = Clauses(PolicyClause)
ARGUMENTS = ("session", "failure", "state")


@_CLAUSES.clause("takes session, failure and state by name, or fewer of them")
def _signature(scene: PolicyScene) -> None:
    must(callable(scene.function), f"{scene.policy!r} is no function, and has no hook of that name")
    unknown = [name for name in inspect.signature(scene.function).parameters if name not in ARGUMENTS]
    must(not unknown, f"it wants {', '.join(unknown)}; there are {', '.join(ARGUMENTS)}")


@_CLAUSES.clause("says nothing without evidence for what it fixes")
def _silent(scene: PolicyScene) -> None:
    for failure in scene.foreign():
        answer = scene.ask(failure)
        must(answer is None, f"to {describe(failure)} it answers {shown(answer)}, on no evidence")


@_CLAUSES.clause("answers the failures that it is for", needs_occasion=True)
def _answers(scene: PolicyScene) -> None:
    for failure in scene.occasions:
        must(scene.ask(failure) is not None, f"to {describe(failure)}, which it is for, it has no answer")


@_CLAUSES.clause("raises nothing, however little is known of a failure")
def _raises_nothing(scene: PolicyScene) -> None:
    for failure in scene.everything():
        try:
            scene.ask(failure)
        except Exception as error:  # whatever it is, it would end the test in place of the failure
            raise AssertionError(f"{type(error).__name__} at {describe(failure)}: {error}") from error


@_CLAUSES.clause("neither acts nor checks on the session: it only answers")
def _touches_nothing(scene: PolicyScene) -> None:
    for failure in scene.everything():
        del scene.acts[:]
        try:
            scene.ask(failure)
        finally:
            called = ", ".join(f"session.{name}" for name in scene.acts)
            must(not called, f"at {describe(failure)} it calls {called}; it may only answer")


NEED_A_TARGET = ("tap", "wait_gone")


def _of_each_answer(fault_of: Callable[[Failure, Recovery], str]) -> Callable[[PolicyScene], None]:
    """A check of every answer that is a recovery; any other is the business of one clause."""

    @wraps(fault_of)
    def check(scene: PolicyScene) -> None:
        for failure in scene.everything():
            answer = scene.ask(failure)
            wrong = fault_of(failure, answer) if isinstance(answer, Recovery) else ""
            must(not wrong, f"to {describe(failure)} it answers {shown(answer)}: {wrong}")

    return check


@_CLAUSES.clause("answers with a Recovery, or None")
def _recovery(scene: PolicyScene) -> None:
    for failure in scene.everything():
        answer = scene.ask(failure)
        right = answer is None or isinstance(answer, Recovery)
        must(right, f"to {describe(failure)} it answers {shown(answer)}: neither a Recovery nor None")


@_CLAUSES.clause("names a known strategy")
@_of_each_answer
def _strategy(failure: Failure, answer: Recovery) -> str:
    known = get_args(RecoveryStrategy)
    return "" if answer.strategy in known else f"there is no such strategy; there are {', '.join(known)}"


@_CLAUSES.clause("takes as another candidate only one of the failure's")
@_of_each_answer
def _candidate(failure: Failure, answer: Recovery) -> str:
    if answer.strategy != "alternate_candidate":
        return ""
    chosen = answer.target
    if isinstance(chosen, Element) and any(chosen.identity == each.identity for each in failure.candidates):
        return ""
    return "its target is none of the failure's candidates"


@_CLAUSES.clause("retries in another way only retryable failures")
@_of_each_answer
def _retryable(failure: Failure, answer: Recovery) -> str:
    allowed = answer.strategy != "retry_adjustment" or failure.retryable
    return "" if allowed else "this failure is not retryable"


@_CLAUSES.clause("names targets as tests do: a ref, an element, a selector")
@_of_each_answer
def _target(failure: Failure, answer: Recovery) -> str:
    targets = [answer.target, *(each.target for each in answer.before if isinstance(each, Remedy))]
    known = (Element, Selector, type(None))
    strange = [e for e in targets if not (isinstance(e, known) or (isinstance(e, str) and is_ref(e)))]
    return f"{strange[0]!r} is no ref, element or selector" if strange else ""


@_CLAUSES.clause("asks beforehand only for remedies that a session has")
@_of_each_answer
def _remedies(failure: Failure, answer: Recovery) -> str:
    if not isinstance(answer.before, tuple) or not all(isinstance(each, Remedy) for each in answer.before):
        return "before is a tuple of remedies: Remedy.tap(...), Remedy.reconnect(), ..."
    for remedy in answer.before:
        if remedy.kind not in get_args(RemedyKind):
            return f"there is no remedy {remedy.kind!r}; there are {', '.join(get_args(RemedyKind))}"
        if remedy.kind in NEED_A_TARGET and remedy.target is None:
            return f"{remedy.kind} needs a target"
        if remedy.kind == "press_key" and remedy.value not in get_args(Key):
            return f"there is no key {remedy.value!r}; there are {', '.join(get_args(Key))}"
    return ""


@_CLAUSES.clause("says why")
@_of_each_answer
def _reason(failure: Failure, answer: Recovery) -> str:
    said = isinstance(answer.reason, str) and answer.reason.strip()
    return "" if said else "a reason is what the reader of a red build goes by, and it has none"


POLICY_CLAUSES: tuple[PolicyClause, ...] = tuple(_CLAUSES)


class PolicyCheckFailed(ContractBroken):
    """Clauses of the contract that the policy breaks, in ``broken``."""

    by = "the policy"


def check_policy(
    policy: Any,
    *,
    occasions: Sequence[Failure] = (),
    codes: Collection[FailureCode] = (),
    settings: SessionSettings | None = None,
    resolved: Mapping[Selector, Element] | None = None,
    clauses: Sequence[PolicyClause] = POLICY_CLAUSES,
) -> tuple[Verdict, ...]:
    """Asks the policy about failures of every kind, and judges what it says; raises ``PolicyCheckFailed``.

    ``policy`` is the function, or a plugin that has it. ``occasions`` are failures that it is for, and answers;
    ``codes`` those that are evidence enough for it by themselves. To every other failure it must say nothing.
    ``settings`` are what the session works by, such as what it allows; ``resolved`` is what selectors meant
    earlier in the test. No phone is needed.
    """
    scene = PolicyScene(policy, tuple(occasions), frozenset(codes), settings or SessionSettings(), resolved or {})
    return check_clauses(clauses, scene, PolicyCheckFailed)
