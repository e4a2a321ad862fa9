"""``Pane``: a window of an app together with the widgets that it was laid out from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ...model import Rect
from ..app_kit.containers import Scroll
from ..app_kit.dialog import Dialog
from ..app_kit.fields import EditText
from ..app_kit.metrics import Metrics
from ..app_kit.running import Overlay, RunningApp
from ..app_kit.theme import LIGHT, Theme
from ..app_kit.view_state import ViewState
from ..app_kit.widget import Widget
from ..designs.system_dialog import SystemDialog
from ..ui import Window
from .tasks import Tasks


@dataclass
class Pane:
    """The kit's ``Surface``. ``widgets`` are all of the window's, by path; ``overlay`` is None for
    a screen, ``dialog`` None for all that is not the system's."""

    window: Window
    app: RunningApp[Any]
    view_state: ViewState
    metrics: Metrics
    widgets: dict[str, Widget]
    tasks: Tasks
    overlay: Overlay | None = None
    dialog: SystemDialog | None = None

    @property
    def theme(self) -> Theme:
        return LIGHT if self.dialog is not None else self.app.theme

    def act(self, call: Callable[..., object], *args: object) -> None:
        """Runs what a touch or a key leads to; what an app raises over it kills that app alone."""
        if self.dialog is None:
            self.tasks.guard(self.app, call, *args)
        else:
            call(*args)
            self.tasks.changed()

    def put_off(self, act: Callable[[], object]) -> bool:
        """Keeps an input for when the app is back, if it hangs: it is for this window, and for no
        other that may be there by then. False if the app can take it now."""

        def again() -> None:
            top = self.tasks.dialogs.over(self.app)
            if self.tasks.is_alive(self.app) and self.tasks.front is self.app and not top:
                act()

        return self.dialog is None and self.tasks.hangs.put_off(self.app, again)

    def focus(self, path: str, *, keyboard: bool = True) -> None:
        self.view_state.focus = path
        self.tasks.reveal_focus = True
        if keyboard:
            self.tasks.show_keyboard(True)

    def show_choices(
        self, anchor: Rect, choices: Sequence[str], chosen: int, on_choose: Callable[[int], object]
    ) -> None:
        self.app.show_choices(anchor, choices, chosen, on_choose)

    @property
    def focused_field(self) -> EditText | None:
        widget = self.widgets.get(self.view_state.focus)
        return widget if isinstance(widget, EditText) and widget.enabled else None

    @property
    def fields(self) -> list[EditText]:
        """All that can be typed in, in reading order."""
        return [
            each for each in self.widgets.values() if isinstance(each, EditText) and each.enabled
        ]

    def go_back(self) -> None:
        """Closes the screen, unless that deals with it by itself."""
        if not self.app.screen.back(self.app):
            self.app.back()

    def cancel(self) -> bool:
        """Closes the overlay if it may be closed by a touch outside or the back key; False if
        not."""
        if self.dialog is not None and self.dialog.outside is not None:
            self.dialog.outside()
        if self.overlay is None:
            return False
        content = self.overlay.content
        if isinstance(content, Dialog):
            if not self.tasks.design.closes_outside(content):
                return False
            on_cancel = content.on_cancel
        else:
            on_cancel = None
        self.app.dismiss()
        if on_cancel is not None:
            on_cancel()
        return True


def scroll_around(pane_widgets: dict[str, Widget], path: str) -> Scroll | None:
    """Returns the innermost widget that scrolls the node at ``path``."""
    while "/" in path:
        path = path.rsplit("/", 1)[0]
        widget = pane_widgets.get(path)
        if isinstance(widget, Scroll):
            return widget
    return None
