"""``SystemDialogs``: the dialogs that the system, not an app, puts over whatever is in front."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ..app_kit.containers import Column, Row, Scroll, Stack
from ..app_kit.labels import Button, Space, Text
from ..app_kit.running import RunningApp
from ..app_kit.view_state import ViewState
from ..app_kit.widget import Widget

ANDROID = "android"


class SystemDialog:
    """One dialog. ``owner`` is the app that it is about: it goes when that dies, and with ``follows`` it is on
    the screen only while that is in front; ``about`` is the package of one whose process is gone already, and it
    goes when that is stopped. ``activity`` is what counts as resumed meanwhile, "" for the app's
    own. ``back`` is what the back key does, None for nothing; ``outside`` the same for a touch beside it."""

    def __init__(
        self,
        package: str,
        window_title: str,
        build: Callable[[], Widget],
        *,
        owner: RunningApp[Any] | None = None,
        follows: bool = False,
        about: str = "",
        activity: str = "",
        back: Callable[[], object] | None = None,
        outside: Callable[[], object] | None = None,
    ) -> None:
        self.package = package
        self.window_title = window_title
        self.build = build
        self.owner = owner
        self.follows = follows
        self.about = about
        self.activity = activity
        self.back = back
        self.outside = outside
        self.view_state = ViewState()


class SystemDialogs:
    """Those that are open, the one in front last. ``changed`` is called for each that comes or goes."""

    def __init__(self, changed: Callable[[], object]) -> None:
        self._changed = changed
        self._open: list[SystemDialog] = []

    def over(self, app: RunningApp[Any]) -> list[SystemDialog]:
        """Those that are on the screen while ``app`` is in front, from the bottom up."""
        return [dialog for dialog in self._open if not dialog.follows or dialog.owner is app]

    def show(self, dialog: SystemDialog) -> None:
        self._open.append(dialog)
        self._changed()

    def close(self, dialog: SystemDialog | None) -> None:
        """Nothing where it is closed already."""
        if dialog is not None and dialog in self._open:
            self._open.remove(dialog)
            self._changed()

    def forget(self, app: RunningApp[Any]) -> None:
        """The app's process has ended, and with it what was about it."""
        for dialog in [each for each in self._open if each.owner is app]:
            self.close(dialog)

    def stopped(self, package: str) -> None:
        """A package was stopped on purpose: nobody is asked about it any more."""
        for dialog in [each for each in self._open if each.about == package]:
            self.close(dialog)


@dataclass(frozen=True)
class DialogAction:
    """A button of a system dialog: its full id, its label, what it does once the dialog is closed."""

    id: str
    label: str
    act: Callable[[], object]


def alert(title: str, message: str, actions: Sequence[DialogAction]) -> Widget:
    """As the framework's own AlertDialog, the first button rightmost."""
    rows: list[Widget] = _title(title) if title else []
    if message:
        text = Text(message, id="android:id/message", width="fill")
        rows.append(Scroll([text], id="android:id/contentPanel", height="wrap", weight=1, padding=(24, 8)))
    if actions:
        buttons = [_button(action, flat=True) for action in actions]
        order = [*buttons[2:], Space(width=0, weight=1), *buttons[1:2], *buttons[:1]]
        rows.append(Row(order, id="android:id/buttonPanel", padding=(12, 8), height="wrap"))
    return framed(Column(rows, id="android:id/parentPanel"))


def list_alert(title: str, actions: Sequence[DialogAction]) -> Widget:
    """A title and a row for each answer, as what the system shows of an app that hangs or crashes."""
    buttons = [_row(action) for action in actions]
    panel = Column(buttons, id="android:id/customPanel", padding=(8, 0, 8, 12))
    return framed(Column([*_title(title), panel], id="android:id/parentPanel"))


def framed(panel: Widget) -> Widget:
    return Stack([Stack([panel], id="android:id/content", width="fill")], width="fill")


def _title(title: str) -> list[Widget]:
    text = Text(title, id="android:id/alertTitle", size=20, bold=True, width="fill")
    return [Column([text], id="android:id/topPanel", padding=(24, 18, 24, 8))]


def _button(action: DialogAction, *, flat: bool) -> Button:
    return Button(action.label, id=action.id, flat=flat, on_click=action.act)


def _row(action: DialogAction) -> Button:
    row = _button(action, flat=True)
    row.width, row.align, row.padding = "fill", "left", (16, 12)
    return row
