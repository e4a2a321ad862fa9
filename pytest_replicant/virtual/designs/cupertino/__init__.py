"""iOS: UIKit's bars, alerts and menus, a home indicator in place of keys, and SpringBoard's
questions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ....model import Rect
from ...app_kit.app import App
from ...app_kit.dialog import Dialog, DialogButton
from ...app_kit.metrics import Metrics
from ...app_kit.running import Choices, RunningApp
from ...app_kit.widget import Widget
from ...demo_apps.system_apps import system_apps
from ...profile import Profile
from ...system.packages import Package
from ...ui import DesignName, Window
from ..design import Answer, Insets, SystemState
from ..system_dialog import SystemDialog
from ..system_nodes import LAYERS, plain_node
from . import alerts, measures, questions
from .home_screen import HOME
from .screen import screen_widgets
from .system_ui import system_windows

PROCESSES = {"launchd": 1, "backboardd": 61}
DEAD_KEYS = frozenset(
    "BACK ESCAPE APP_SWITCH SEARCH DPAD_CENTER MENU CAMERA CALL ENDCALL CLEAR VOLUME_MUTE".split()  # noqa: SIM905
)


class Cupertino:
    """The ``Design`` of an iPhone."""

    name: DesignName = "cupertino"
    home: App[Any] = HOME
    dead_keys = DEAD_KEYS
    asks_once = True
    focus_needs_keyboard = True
    toasts_are_apps = True
    edge_leads_back = True
    keeps_hidden = True
    system_packages: Sequence[Package] = ()

    def __init__(self, profile: Profile) -> None:
        self._release = profile.release
        self.system_apps: Sequence[App[Any]] = system_apps(profile)

    def processes(self, dialogs: Sequence[SystemDialog]) -> Mapping[str, int]:
        return PROCESSES

    def insets(self, size: tuple[int, int], metrics: Metrics) -> Insets:
        return measures.insets(size, metrics)

    def keyboard_frame(self, size: tuple[int, int], metrics: Metrics) -> Rect:
        return measures.keyboard_frame(size, metrics)

    def system_windows(self, state: SystemState) -> list[Window]:
        return system_windows(state)

    def lock_screen(self, size: tuple[int, int], metrics: Metrics, clock: str) -> Window:
        """Dark: WebDriverAgent wakes and unlocks such a phone in one."""
        frame = Rect(0, 0, *size)
        root = plain_node("UIWindow", "com.apple.springboard", frame, text=clock)
        return Window(
            "system_dialog",
            "com.apple.springboard",
            "Lock Screen",
            LAYERS["toast"],
            root,
            focused=True,
        )

    def screen(self, app: RunningApp[Any], keyboard_dp: float, toast: str) -> Widget:
        return screen_widgets(app, keyboard_dp, toast)

    def dialog(self, app: RunningApp[Any], dialog: Dialog) -> Widget:
        return alerts.app_alert(app, dialog)

    def dialog_width(self, size: tuple[int, int], metrics: Metrics) -> int:
        return metrics.px(measures.ALERT_WIDTH)

    def closes_outside(self, dialog: Dialog) -> bool:
        """Only one that nothing else would close."""
        return dialog.cancelable and not dialog.buttons

    def choices(self, app: RunningApp[Any], choices: Choices) -> Widget:
        return alerts.menu(app, choices)

    def choices_frame(
        self, anchor: Rect, room: Rect, height: Callable[[int], int], metrics: Metrics
    ) -> Rect:
        """Below what it hangs from; if there is no room, above it or elsewhere."""
        width = min(metrics.px(measures.MENU_WIDTH), room.width)
        high, gap = height(width), metrics.px(measures.MENU_GAP)
        left = min(max(anchor.left, room.left), room.right - width)
        top = anchor.bottom + gap
        if top + high > room.bottom:
            top = anchor.top - gap - high
        top = min(max(top, room.top), room.bottom - high)
        return Rect(left, top, left + width, top + high)

    def asks_for(self, permission: str) -> bool:
        return questions.asks_for(permission)

    def permission_question(
        self,
        app: RunningApp[Any],
        permission: str,
        again: bool,
        answer: Callable[[Answer | None], object],
    ) -> SystemDialog:
        return questions.question(app, permission, self._release, answer)

    def notice(
        self,
        title: str,
        message: str,
        buttons: Sequence[DialogButton],
        package: str,
        close: Callable[[], object],
    ) -> SystemDialog:
        """SpringBoard's, no matter what it is about."""
        return alerts.notice(title, message, buttons, close)

    def not_responding(
        self, app: RunningApp[Any], close_app: Callable[[], object], wait: Callable[[], object]
    ) -> SystemDialog | None:
        return None

    def keeps_stopping(
        self, package: str, label: str, close: Callable[[], object]
    ) -> SystemDialog | None:
        return None
