"""``Pane``: a window of an app together with the widgets that it was laid out from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ...model.geometry import Rect
from ..app_kit.containers import Column, RecyclerList, Row, Scroll, Stack
from ..app_kit.dialog import Dialog
from ..app_kit.fields import EditText
from ..app_kit.labels import Button, Space, Text
from ..app_kit.metrics import Metrics
from ..app_kit.running import Choices, Overlay, RunningApp
from ..app_kit.snackbar import snackbar_widget
from ..app_kit.theme import LIGHT, Theme
from ..app_kit.toolbar import with_toolbar
from ..app_kit.view_state import ViewState
from ..app_kit.widget import Sizing, Widget
from ..ui import UiNode, Window
from .system_dialogs import SystemDialog
from .system_ui import NAVIGATION_BAR_DP, STATUS_BAR_DP
from .tasks import Tasks


@dataclass
class Pane:
    """The kit's ``Surface``. ``widgets`` are all of the window's, by path; ``overlay`` is None for a screen,
    ``dialog`` None for all that is not the system's."""

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
        """Keeps an input for when the app is back, if it hangs: it is for this window, and for no other that
        may be there by then. False where the app can take it now."""

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
        return [each for each in self.widgets.values() if isinstance(each, EditText) and each.enabled]

    def cancel(self) -> bool:
        """Closes the overlay if it may be closed by a touch outside or the back key; False where not."""
        if self.dialog is not None and self.dialog.outside is not None:
            self.dialog.outside()
        if self.overlay is None:
            return False
        content = self.overlay.content
        if isinstance(content, Dialog):
            if not content.cancelable:
                return False
            on_cancel = content.on_cancel
        else:
            on_cancel = None
        self.app.dismiss()
        if on_cancel is not None:
            on_cancel()
        return True


def screen_widgets(app: RunningApp[Any], keyboard_dp: float) -> Widget:
    """A screen in the views that every window of AppCompat has around it; ``keyboard_dp`` is room to leave."""
    bar = app.entry.snackbar
    over = [snackbar_widget(bar, lambda: app.close_snackbar(bar))] if bar is not None else []
    screen = [with_toolbar(app.screen, app), *over]
    content = Stack(screen, id="android:id/content", width="fill", height="fill")
    bar_root = Stack([content], id="action_bar_root", width="fill", height="fill")
    fitted = Stack([bar_root], width="fill", height="fill", padding=(0, STATUS_BAR_DP, 0, 0))
    below = max(NAVIGATION_BAR_DP, int(keyboard_dp))
    decor = Column([fitted], height="fill", padding=(0, 0, 0, below))
    bars = [
        Widget(id="android:id/statusBarBackground", width="fill", height=STATUS_BAR_DP),
        Widget(id="android:id/navigationBarBackground", width="fill", height=NAVIGATION_BAR_DP, gravity="end"),
    ]
    return Stack([decor, *bars], width="fill", height="fill", background=app.theme.background)


def dialog_widgets(app: RunningApp[Any], dialog: Dialog) -> Widget:
    """As Android's AlertDialog lays itself out."""
    rows: list[Widget] = []
    if dialog.title:
        title = Text(dialog.title, id="android:id/alertTitle", size=20, bold=True, width="fill")
        rows.append(Column([title], id="topPanel", padding=(24, 18, 24, 8)))
    if dialog.message:
        message = Text(dialog.message, id="android:id/message", width="fill")
        rows.append(Scroll([message], id="contentPanel", height="wrap", weight=1, padding=(24, 8)))
    if dialog.content is not None:
        rows.append(Stack([dialog.content()], id="customPanel", width="fill", padding=(24, 8)))
    if dialog.buttons:
        buttons = [_dialog_button(app, dialog, index) for index in range(len(dialog.buttons))]
        order = [*buttons[2:], Space(width=0, weight=1), *buttons[1:2], *buttons[:1]]  # positive rightmost
        rows.append(Row(order, id="buttonPanel", padding=(12, 8), height="wrap"))
    panel = Column(rows, id="parentPanel", class_name="androidx.appcompat.widget.LinearLayoutCompat")
    content = Stack([panel], id="android:id/content", width="fill")
    return Stack([content], width="fill")


def _dialog_button(app: RunningApp[Any], dialog: Dialog, index: int) -> Widget:
    button = dialog.buttons[index]

    def pressed() -> None:
        app.dismiss()
        if button.on_click is not None:
            button.on_click()

    id = button.id or f"android:id/button{index + 1}"
    return Button(button.label, id=id, flat=True, on_click=pressed, enabled=button.enabled)


def choices_widgets(app: RunningApp[Any], choices: Choices) -> Widget:
    """The list that hangs from a spinner."""

    def choose(index: int) -> Callable[[], None]:
        def chosen() -> None:
            app.dismiss()
            choices.on_choose(index)

        return chosen

    rows = [
        Choice(
            label,
            id="android:id/text1",
            key=f"choice{index}",
            width="fill",
            padding=(16, 14),
            on_click=choose(index),
            chosen=index == choices.chosen,
        )
        for index, label in enumerate(choices.labels)
    ]
    rows_list = RecyclerList(rows, class_name="android.widget.ListView", height="wrap")
    return Stack([rows_list], width="fill")


@dataclass(kw_only=True, eq=False)
class Choice(Text):
    """A row of a list of choices."""

    chosen: bool = False
    class_name: str = "android.widget.CheckedTextView"

    def describe(self, node: UiNode, sizing: Sizing) -> None:
        Text.describe(self, node, sizing)
        node.checkable = True
        node.checked = self.chosen


def scroll_around(pane_widgets: dict[str, Widget], path: str) -> Scroll | None:
    """The innermost widget that scrolls what is at ``path``."""
    while "/" in path:
        path = path.rsplit("/", 1)[0]
        widget = pane_widgets.get(path)
        if isinstance(widget, Scroll):
            return widget
    return None
