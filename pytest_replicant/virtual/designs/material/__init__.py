"""Android: Material's widgets, three buttons at the bottom, dialogs in the framework's own
views."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ....model import Rect
from ...app_kit.app import App
from ...app_kit.dialog import Dialog, DialogButton
from ...app_kit.metrics import Metrics
from ...app_kit.running import Choices, RunningApp
from ...app_kit.widget import Widget
from ...demo_apps.launcher import LAUNCHER
from ...demo_apps.system_apps import system_apps
from ...profile import Profile
from ...system.packages import Package
from ...ui import DesignName, Window
from ..design import Answer, Insets, SystemState
from ..system_dialog import SystemDialog
from . import complaints, permissions, system_ui
from .askers import ASKERS
from .dialogs import choices_widgets, dialog_widgets
from .lock_screen import lock_screen
from .processes import processes
from .screen import screen_widgets

DIALOG_MARGIN_DP = 16
WIDEST_DIALOG_DP = 560


class Material:
    """The ``Design`` of an Android phone."""

    name: DesignName = "material"
    home: App[Any] = LAUNCHER
    dead_keys: frozenset[str] = frozenset()
    asks_once = False
    focus_needs_keyboard = False
    keeps_hidden = False
    toasts_are_apps = False
    edge_leads_back = False  # it has three buttons at the bottom, and no gestures

    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        self.system_apps: Sequence[App[Any]] = system_apps(profile)

    @property
    def system_packages(self) -> Sequence[Package]:
        """Who asks for permissions."""
        asker = ASKERS[self._profile.permissions]
        answers = ((permissions.REQUEST, asker.activity),)
        return [Package(asker.package, user_id=permissions.USER_ID, system=True, answers=answers)]

    def processes(self, dialogs: Sequence[SystemDialog]) -> Mapping[str, int]:
        return processes(dialogs)

    def insets(self, size: tuple[int, int], metrics: Metrics) -> Insets:
        return system_ui.insets(size, metrics, self._profile.cutout)

    def keyboard_frame(self, size: tuple[int, int], metrics: Metrics) -> Rect:
        return system_ui.keyboard_frame(size, metrics)

    def system_windows(self, state: SystemState) -> list[Window]:
        return system_ui.system_windows(state, self.insets(state.size, state.metrics).top)

    def lock_screen(self, size: tuple[int, int], metrics: Metrics, clock: str) -> Window:
        return lock_screen(size, metrics, clock)

    def screen(self, app: RunningApp[Any], keyboard_dp: float, toast: str) -> Widget:
        """A toast is no part of it: it has a window of its own."""
        return screen_widgets(
            app, keyboard_dp, system_ui.status_bar_dp(app.screen_dp, self._profile.cutout)
        )

    def dialog(self, app: RunningApp[Any], dialog: Dialog) -> Widget:
        return dialog_widgets(app, dialog)

    def dialog_width(self, size: tuple[int, int], metrics: Metrics) -> int:
        return min(size[0] - 2 * metrics.px(DIALOG_MARGIN_DP), metrics.px(WIDEST_DIALOG_DP))

    def closes_outside(self, dialog: Dialog) -> bool:
        return dialog.cancelable

    def choices(self, app: RunningApp[Any], choices: Choices) -> Widget:
        return choices_widgets(app, choices)

    def choices_frame(
        self, anchor: Rect, room: Rect, height: Callable[[int], int], metrics: Metrics
    ) -> Rect:
        """Over what it hangs from, as wide as that."""
        high = height(anchor.width)
        start = min(anchor.top, room.bottom - high)
        return Rect(anchor.left, start, anchor.right, start + high)

    def asks_for(self, permission: str) -> bool:
        return permissions.is_asked_for(permission, self._profile.sdk)

    def permission_question(
        self,
        app: RunningApp[Any],
        permission: str,
        again: bool,
        answer: Callable[[Answer | None], object],
    ) -> SystemDialog:
        return permissions.question(
            ASKERS[self._profile.permissions], app, permission, again, answer
        )

    def notice(
        self,
        title: str,
        message: str,
        buttons: Sequence[DialogButton],
        package: str,
        close: Callable[[], object],
    ) -> SystemDialog:
        return complaints.notice(title, message, buttons, package, close)

    def not_responding(
        self, app: RunningApp[Any], close_app: Callable[[], object], wait: Callable[[], object]
    ) -> SystemDialog | None:
        return complaints.not_responding(app, close_app, wait)

    def keeps_stopping(
        self, package: str, label: str, close: Callable[[], object]
    ) -> SystemDialog | None:
        return complaints.keeps_stopping(package, label, close)
