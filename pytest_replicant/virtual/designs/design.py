"""``Design``: what differs between platforms in how a phone looks and in what its system does by
itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from ...model import Rect
from ..app_kit.app import App
from ..app_kit.dialog import Dialog, DialogButton
from ..app_kit.fields import EditText
from ..app_kit.metrics import Metrics
from ..app_kit.running import Choices, RunningApp
from ..app_kit.widget import Widget
from ..system.packages import Package
from ..ui import DesignName, Window
from .system_dialog import SystemDialog

Answer = Literal["allow", "foreground_only", "one_time", "deny", "deny_and_dont_ask_again"]
"""What the user says to an app that asks for a permission."""

LOUDEST = 15  # of the volume


@dataclass(frozen=True, slots=True)
class Toast:
    package: str
    text: str


@dataclass(frozen=True, slots=True)
class SystemState:
    """The state behind the system's own windows. ``volume`` is None while it is not being changed,
    ``clip`` while no text was copied a moment ago, ``banner`` while no notification hangs over the
    screen."""

    size: tuple[int, int]
    metrics: Metrics
    app: RunningApp[Any]  # the one in front
    clock: str  # "09:41"
    keyboard: bool
    field: EditText | None  # for typed text
    toast: Toast | None
    input_method: str  # package of the keyboard
    stylus_page: bool  # it shows a page on pens in place of its keys
    volume: int | None
    clip: str | None
    banner: str | None


@dataclass(frozen=True, slots=True)
class Insets:
    """Pixels at the upper and the lower edge of the screen that the system has for itself; ``side``
    are those at the side of a camera in the screen, while it is held across."""

    top: int
    bottom: int
    side: int = 0


class Design(Protocol):
    """The look of a platform: the device model asks it for everything that a user would
    recognise."""

    @property
    def name(self) -> DesignName: ...

    @property
    def home(self) -> App[Any]:
        """The home screen."""
        ...

    @property
    def system_apps(self) -> Sequence[App[Any]]:
        """Those installed with the system: settings and the like. A user's app of the same name
        replaces it."""
        ...

    @property
    def system_packages(self) -> Sequence[Package]:
        """Installed as well, and no app that a user could start."""
        ...

    @property
    def dead_keys(self) -> frozenset[str]:
        """Keys that such a phone has not."""
        ...

    @property
    def asks_once(self) -> bool:
        """Whether what the user refused is never asked for again; else a second refusal is for
        good."""
        ...

    @property
    def focus_needs_keyboard(self) -> bool:
        """Whether a field loses the focus with the keyboard, and the enter key ends its editing."""
        ...

    @property
    def toasts_are_apps(self) -> bool:
        """Whether a toast is a view of its app, and ends with that, rather than a window of the
        system."""
        ...

    @property
    def edge_leads_back(self) -> bool:
        """Whether a swipe from the left edge closes a screen that lies on another."""
        ...

    @property
    def keeps_hidden(self) -> bool:
        """Whether nodes scrolled out of sight stay in an app's hierarchy."""
        ...

    def processes(self, dialogs: Sequence[SystemDialog]) -> Mapping[str, int]:
        """The system's own by pid, while these dialogs are on the screen."""
        ...

    # --- the screen and an app's windows ----------------------------------------------------------
    def insets(self, size: tuple[int, int], metrics: Metrics) -> Insets: ...

    def keyboard_frame(self, size: tuple[int, int], metrics: Metrics) -> Rect:
        """Where the keyboard is while it is shown."""
        ...

    def system_windows(self, state: SystemState) -> list[Window]:
        """Keyboard, bars and what else lies above every app, from the bottom up."""
        ...

    def lock_screen(self, size: tuple[int, int], metrics: Metrics, clock: str) -> Window:
        """Returns the screen shown instead of all apps while the phone is locked."""
        ...

    def screen(self, app: RunningApp[Any], keyboard_dp: float, toast: str) -> Widget:
        """An app's screen with its bar; ``keyboard_dp`` is room to leave, ``toast`` what the app
        says just now."""
        ...

    def dialog(self, app: RunningApp[Any], dialog: Dialog) -> Widget: ...

    def dialog_width(self, size: tuple[int, int], metrics: Metrics) -> int: ...

    def closes_outside(self, dialog: Dialog) -> bool:
        """Whether a touch outside it closes an app's dialog."""
        ...

    def choices(self, app: RunningApp[Any], choices: Choices) -> Widget: ...

    def choices_frame(
        self, anchor: Rect, room: Rect, height: Callable[[int], int], metrics: Metrics
    ) -> Rect:
        """Where a list of choices goes within ``room``; ``height`` says how high it is at a
        width."""
        ...

    # --- what the system says and asks ------------------------------------------------------------
    def asks_for(self, permission: str) -> bool:
        """Whether the user is asked; all else comes with the installation."""
        ...

    def permission_question(
        self,
        app: RunningApp[Any],
        permission: str,
        again: bool,
        answer: Callable[[Answer | None], object],
    ) -> SystemDialog:
        """``again`` where the user refused before; ``answer`` also closes the dialog, None is
        none."""
        ...

    def notice(
        self,
        title: str,
        message: str,
        buttons: Sequence[DialogButton],
        package: str,
        close: Callable[[], object],
    ) -> SystemDialog:
        """An alert of the system's own. The buttons close it by themselves."""
        ...

    def not_responding(
        self, app: RunningApp[Any], close_app: Callable[[], object], wait: Callable[[], object]
    ) -> SystemDialog | None:
        """About an app that hangs; both answers also close it. None if the system says nothing."""
        ...

    def keeps_stopping(
        self, package: str, label: str, close: Callable[[], object]
    ) -> SystemDialog | None:
        """About an app that crashed again; None if the system says nothing."""
        ...
