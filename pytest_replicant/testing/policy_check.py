"""``check_policy``: whether a policy keeps the contract of ``pytest_replicant_recover``.

In a test of your own policy::

    def test_my_policy_keeps_the_contract():
        survey = Snapshot.parse(SURVEY)
        check_policy(conftest, occasions=[Failure("ELEMENT_NOT_FOUND", "", snapshot=survey)])

It answers the failures that it is for with a ``Recovery`` that says why, and says nothing without
evidence. However little is known of a failure, it raises nothing, and neither acts nor checks on
the session. It names a known strategy and remedies, a candidate of the failure, and retries only
what is retryable.
"""

from __future__ import annotations

import inspect
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from ..drivers import (
    ANDROID_DIALOGS,
    IOS_DIALOGS,
    AppInFront,
    AppStatus,
    DeviceInfo,
    Platform,
    SystemDialogs,
)
from ..errors import DeviceBusy, DeviceOffline, Unsupported, UsageError
from ..logs import Crash
from ..model import (
    FAILURE_CLASSES,
    AnyDict,
    CheckFacts,
    Element,
    Failure,
    FailureCode,
    Recovery,
    RecoveryState,
    Selector,
    Stage,
    shortened,
)
from ..session import (
    DeviceSession,
    SessionSettings,
    Target,
    as_selector,
    as_target,
    forbidden,
    invalid,
)
from ..snapshots import Snapshot
from .contract import must

_APP = "com.example.orders"
_CHECKS = ("VERIFICATION_FAILED", "EXPECT_STATE_MISMATCH")

_ROW = (
    '<node class="android.view.ViewGroup" package="{app}" bounds="[0,{top}][1080,{end}]"><node '
    'class="android.widget.TextView" package="{app}" text="Order {number}" '
    'bounds="[0,{top}][800,{end}]"/><node class="android.widget.Button" package="{app}" '
    'text="Open" clickable="true" enabled="true" bounds="[800,{top}][1080,{end}]"/></node>'
)
_ANDROID = (
    '<hierarchy rotation="0"><node class="android.widget.FrameLayout" package="{app}" '
    'bounds="[0,0][1080,2400]"><node class="android.widget.Toolbar" package="{app}" '
    'bounds="[0,0][1080,200]"><node class="android.widget.TextView" package="{app}" text="Orders" '
    'bounds="[0,0][800,200]"/></node>{rows}<node class="android.widget.EditText" package="{app}" '
    'resource-id="{app}:id/note" hint="Note" text="" clickable="true" enabled="true" '
    'bounds="[0,2000][1080,2150]"/><node class="android.widget.Button" package="{app}" '
    'resource-id="{app}:id/send" text="Send" clickable="true" enabled="true" '
    'bounds="[0,2200][1080,2350]"/></node></hierarchy>'
)
_IOS = (
    '<AppiumAUT><XCUIElementTypeApplication type="XCUIElementTypeApplication" name="Orders" '
    'bundleId="{app}" enabled="true" visible="true" x="0" y="0" width="390" '
    'height="844"><XCUIElementTypeButton type="XCUIElementTypeButton" name="Send" label="Send" '
    'enabled="true" visible="true" x="0" y="700" width="390" '
    'height="50"/></XCUIElementTypeApplication></AppiumAUT>'
)


@lru_cache(maxsize=1)
def _screens() -> tuple[Snapshot, Snapshot]:
    rows = "".join(
        _ROW.format(app=_APP, number=number, top=200 + 150 * number, end=350 + 150 * number)
        for number in range(3)
    )
    android = Snapshot.parse(
        _ANDROID.format(app=_APP, rows=rows), "android", id="s7", size=(1080, 2400)
    )
    return android, Snapshot.parse(_IOS.format(app=_APP), "ios", id="s8", scale=3.0)


def failures_of_every_kind() -> Iterator[Failure]:
    """Every code: with all that is usually known, with an ordinary error as well, on an iPhone,
    with nothing."""
    android, iphone = _screens()
    for code in FAILURE_CLASSES:
        whole = _failure(code, android)
        yield whole
        yield _failure(code, android, element=False)
        yield _failure(code, iphone, element=False)
        yield _failure(code, None, element=False)
        yield Failure(
            code, f"{code}  another run holds it", error=DeviceBusy("another run holds it")
        )


def _failure(code: FailureCode, snapshot: Snapshot | None, *, element: bool = True) -> Failure:
    stage: Stage = "resolve"
    verb, check = "tap", None
    if code in _CHECKS:
        stage, verb = "verify", "expect_visible"
        check = CheckFacts(verb, 'text="Send it"')
    alike = tuple(each for each in snapshot.elements if each.label == "Open") if snapshot else ()
    found = code in ("AMBIGUOUS_TARGET", "ELEMENT_NOT_FOUND", "STALE_REFERENCE")
    return Failure(
        code,
        f"{code}  it failed",
        candidates=alike if found else (),
        stage=stage,
        action_type=verb,
        target=Selector(text="Open" if code == "AMBIGUOUS_TARGET" else "Send it"),
        element=snapshot.find(text="Send") if snapshot and element else None,
        snapshot=snapshot,
        app=_APP,
        sent=check is not None,
        check=check,
    )


class Witness:
    """Answers the questions that change nothing, from the failure's own screen. All else is
    refused, as a session refuses it while it asks its policies."""

    def __init__(
        self, settings: SessionSettings, resolved: Mapping[Selector, Element], failure: Failure
    ) -> None:
        self.settings = settings
        self.launched = [failure.app] if failure.app else []
        self._resolved = resolved
        self._failure = failure

    @property
    def system_dialogs(self) -> SystemDialogs:
        return IOS_DIALOGS if self.platform == "ios" else ANDROID_DIALOGS

    @property
    def platform(self) -> Platform:
        """That of the failure's screen."""
        snapshot: Snapshot | None = self._failure.snapshot
        return snapshot.platform if snapshot else "android"

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
            raise Unsupported(
                "the crashes of an-iphone cannot be read", capability="CRASHES", device="an-iphone"
            )
        return []

    def snapshot(self) -> Snapshot:
        found: Snapshot | None = self._failure.snapshot
        if not found:
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
        raise UsageError(f"{name}: a policy answers with a Recovery; the session does what it says")


_ANSWER_LENGTH = 100  # characters of an answer in a message


def with_less_known(failure: Failure) -> Iterator[Failure]:
    """The same failure, of which less is known each time."""
    less: AnyDict = {
        **dict.fromkeys(("snapshot", "element", "target", "blocker", "error")),
        "candidates": (),
        "app": "",
        "action_type": "",
        "other_way": {},
        "may_retry": False,
    }
    for name, nothing in less.items():
        if getattr(failure, name) != nothing:
            yield replace(failure, **{name: nothing})


def _described(failure: Failure) -> str:
    """A failure in few words, by what sets it apart from the others that are asked."""
    names = ("snapshot", "element", "error", "blocker")
    known = [name for name in names if getattr(failure, name)] or ["nothing"]
    return f"{failure.code} of {failure.action_type or 'an action'} ({', '.join(known)} known)"


def check_policy(
    policy: Any,
    *,
    occasions: Sequence[Failure] = (),
    codes: Collection[FailureCode] = (),
    settings: SessionSettings | None = None,
    resolved: Mapping[Selector, Element] | None = None,
) -> None:
    """Asks the policy about failures of every kind, and raises ``AssertionError`` at the first
    answer that breaks the contract.

    ``policy`` is the function, or a plugin that has it. ``occasions`` are failures that it is for,
    and answers; ``codes`` those that are evidence enough for it by themselves. To every other
    failure it must say nothing. ``settings`` are what the session works by, such as what it allows;
    ``resolved`` is what selectors meant earlier in the test. No phone is needed.
    """
    function = getattr(policy, "pytest_replicant_recover", policy)
    wanted = inspect.signature(function).parameters

    def ask(failure: Failure) -> tuple[Recovery | None, str]:
        given = {
            "session": Witness(settings or SessionSettings(), resolved or {}, failure),
            "failure": failure,
            "state": RecoveryState.initial(failure.code, retry_allowed=failure.retryable),
        }
        try:
            answer = function(**{name: given[name] for name in wanted})
        except Exception as error:  # whatever it is, it would end the test in place of the failure
            raise AssertionError(
                f"{type(error).__name__} at {_described(failure)}: {error}"
            ) from error
        said = f"to {_described(failure)} it answers {shortened(repr(answer), _ANSWER_LENGTH)}"
        if answer is not None:
            wrong = invalid(answer) or forbidden(answer, failure)
            must(not wrong, f"{said}: {wrong}")
            must(
                bool(answer.reason.strip()),
                f"{said}, and no reason, by which the reader of a red build goes",
            )
        return answer, said

    for failure in failures_of_every_kind():
        answer, said = ask(failure)
        must(answer is None or failure.code in codes, f"{said}, on no evidence")
    for failure in occasions:
        answer, said = ask(failure)
        must(answer is not None, f"{said}, though it is for that")
        for less in with_less_known(failure):
            ask(less)
