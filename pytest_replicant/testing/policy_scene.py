"""A recovery policy under check: the failures that it is asked about, and the session that it sees."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ..drivers import ANDROID_DIALOGS, IOS_DIALOGS, AppInFront, AppStatus, DeviceInfo
from ..errors import DeviceBusy, DeviceOffline, Unsupported, UsageError
from ..model import FAILURE_CLASSES, CheckFacts, Element, Failure, FailureCode, RecoveryState, Selector, shortened
from ..session import DeviceSession, SessionSettings, as_selector, as_target
from ..snapshots import Snapshot

if TYPE_CHECKING:
    from ..drivers import Platform, SystemDialogs
    from ..logs import Crash
    from ..session import Target

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
        self,
        settings: SessionSettings,
        resolved: Mapping[Selector, Element],
        failure: Failure,
        acts: list[str],
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
    for name, nothing in {**unknown, "candidates": (), "app": "", "action_type": ""}.items():
        if getattr(failure, name) != nothing:
            yield replace(failure, **{name: nothing})
    yield replace(failure, may_retry=False)


@dataclass(frozen=True)
class PolicyClause:
    """``check`` raises where the ``claim`` does not hold."""

    name: str
    claim: str
    check: Callable[[PolicyScene], None]
    needs_occasion: bool = False

    def unmet(self, scene: PolicyScene) -> str:
        """Why it is not asked of this policy; "" where it is."""
        return "no occasion was given" if self.needs_occasion and not scene.occasions else ""

    def __str__(self) -> str:
        return self.name


def describe(failure: Failure) -> str:
    """A failure in few words, by what sets it apart from the others that are asked."""
    known = [name for name in ("snapshot", "element", "error", "blocker") if getattr(failure, name) is not None]
    return f"{failure.code} of {failure.action_type or 'an action'} ({', '.join(known) or 'nothing'} known)"


def shown(answer: object) -> str:
    return shortened(repr(answer), _ANSWER_LENGTH)
