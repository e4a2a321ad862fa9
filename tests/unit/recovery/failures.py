"""Failures as policies meet them: on a screen that was really parsed, in a session that only has
settings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pytest_replicant.drivers import ANDROID_DIALOGS
from pytest_replicant.logs import Crash
from pytest_replicant.model import (
    CheckFacts,
    Element,
    Failure,
    FailureCode,
    Recovery,
    RecoveryState,
    RecoveryStrategy,
    Selector,
)
from pytest_replicant.recovery import POLICIES
from pytest_replicant.session import Check, SessionSettings
from pytest_replicant.session.checks import elements, phone, screens
from tests.unit.snapshots.screens import button, hierarchy, node, text

APP = "dev.shop"
SYSTEM = "android"
CONTROLLER = "com.google.android.permissioncontroller"
CONTROLLER_IDS = "com.android.permissioncontroller:id/"


class Session:
    """What a policy may ask of a session."""

    died: Sequence[str] | Exception = ()
    """Kinds of crashes in this test, or why they cannot be read."""
    ended = False
    """Whether the app does not run any more, though the test did not stop it."""

    def __init__(self, resolved: dict[Selector, Element] | None = None, **settings: Any) -> None:
        self.settings = SessionSettings(**settings)
        self.system_dialogs = ANDROID_DIALOGS
        self._resolved = resolved or {}

    def crashes(self, app: str) -> list[Crash]:
        if isinstance(self.died, Exception):
            raise self.died
        kinds: Any = self.died
        return [Crash(kind, app, 7, "", f"{kind} of Cart", "", ()) for kind in kinds]

    def died_unexpectedly(self, app: str) -> bool:
        return self.ended

    def last_resolved(self, selector: Selector) -> Element | None:
        return self._resolved.get(selector)


def failed(code: FailureCode, source: Any = None, /, **facts: Any) -> Failure:
    """One on ``source``, a snapshot, in the app of these tests; of a check where ``action_type`` is
    one."""
    kind = facts.get("action_type", "tap")
    if kind.startswith("expect_") and "check" not in facts:
        facts["check"] = check_facts(kind, facts.get("target"))
    known = {"app": APP, "action_type": "tap", **facts}
    return Failure(code, "it failed", snapshot=source, **known)


def check_facts(kind: str, target: Any = None) -> CheckFacts:
    """The facts of the real check of that kind."""
    named = target if target is not None else Selector(text="Save")
    made: dict[str, Callable[[], Check]] = {
        "expect_visible": lambda: elements.visible(named),
        "expect_gone": lambda: elements.gone(named),
        "expect_seen": lambda: elements.seen(named),
        "expect_count": lambda: elements.count_is(1, named),
        "expect_screen": lambda: screens.screen_is("Catalogue"),
        "expect_changed": screens.changed,
        "expect_unchanged": screens.unchanged,
        "expect_state": lambda: elements.state_is("expect_state", target, {"checked": True}),
        "expect_app": lambda: phone.app_is("foreground", APP),
        "expect_log": lambda: phone.log_says("saved", level=None, tag=None, app=None),
        "expect_no_crash": lambda: phone.no_crash(None),
    }
    return made[kind]().facts


def ask(
    policy: str, failure: Failure, *tried: RecoveryStrategy, session: Any = None
) -> Recovery | None:
    """The answer of one built-in policy, after the strategies in ``tried``."""
    first = RecoveryState.initial(failure.code, retry_allowed=failure.retryable)
    last = tried[-1] if tried else None
    state = RecoveryState(
        first.failure_class,
        failure.code,
        recovery_strategy=last,
        recovery_attempts=len(tried),
        retry_allowed=first.retry_allowed,
        attempted=tried,
    )
    plugin: Any = next(one for one in POLICIES if one.name == policy)
    answer: Recovery | None = plugin.pytest_replicant_recover(session or Session(), failure, state)
    assert answer is None or (answer.policy == policy and answer.reason)
    return answer


def answered(answer: Recovery | None) -> tuple[str, list[str]]:
    """Its strategy, and its remedies."""
    assert answer is not None
    return answer.strategy, [remedy.describe().split("] ")[-1] for remedy in answer.before]


def app_window(*inside: str) -> str:
    return node(
        "FrameLayout", text("Catalogue"), button("Check out", at=(0, 1000, 400, 1100)), *inside
    )


def over_the_app(*inside: str, package: str = SYSTEM) -> str:
    """A window of ``package`` over the app's."""
    return hierarchy(window(*inside, package=package), app_window())


def window(*inside: str, package: str) -> str:
    """As small as a dialog; the system's own surface lays a veil over all of the screen."""
    at = (0, 0, 1080, 2400) if package == "com.android.systemui" else (100, 900, 980, 1600)
    return node("FrameLayout", *inside, at=at, package=package)


def alert(title: str, *labels: str, package: str = SYSTEM, ids: tuple[str, ...] = ()) -> str:
    """A dialog of the framework's own over the app, with buttons side by side."""
    buttons = [
        button(
            label,
            at=(100 + 250 * number, 1500, 340 + 250 * number, 1600),
            package=package,
            resource_id=ids[number] if ids else f"android:id/button{number + 1}",
        )
        for number, label in enumerate(labels)
    ]
    heading = text(
        title, at=(100, 900, 980, 1000), resource_id="android:id/alertTitle", package=package
    )
    return over_the_app(heading, *buttons, package=package)


def prompt(*names: str, message: str = "Allow Shop to take pictures?") -> str:
    """The permission controller's, with these buttons below one another."""
    said = text(
        message,
        at=(100, 900, 980, 1000),
        package=CONTROLLER,
        resource_id=f"{CONTROLLER_IDS}permission_message",
    )
    buttons = [
        button(
            name.removeprefix("permission_").removesuffix("_button"),
            at=(100, 1000 + 100 * number, 980, 1100 + 100 * number),
            package=CONTROLLER,
            resource_id=f"{CONTROLLER_IDS}{name}",
        )
        for number, name in enumerate(names)
    ]
    return over_the_app(said, *buttons, package=CONTROLLER)
