"""``RunningApp``: a process of an app, and what the app's own code may ask of the phone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

from .dialog import DialogButton
from .snackbar import LONG_MS, Snackbar
from .view_state import ViewState

if TYPE_CHECKING:
    from ...model import Rect
    from .declared import Declared, Page
    from .dialog import Dialog
    from .host import Host
    from .theme import Theme
    from .timers import Timer
    from .widget import Callback

S = TypeVar("S")

SHORT_TOAST_MS = 2000
LONG_TOAST_MS = 3500


@dataclass(eq=False)
class Choices:
    """An open list of choices; ``anchor`` is the widget that it hangs from, in pixels."""

    anchor: Rect
    labels: Sequence[str]
    chosen: int
    on_choose: Callable[[int], object]


@dataclass(eq=False)
class Overlay:
    """A window over a screen."""

    content: Dialog | Choices
    view_state: ViewState = field(default_factory=ViewState)


@dataclass(eq=False)
class Entry:
    """A screen on the stack, with what it remembers and the windows over it."""

    screen: Page
    view_state: ViewState = field(default_factory=ViewState)
    overlays: list[Overlay] = field(default_factory=list)
    snackbar: Snackbar | None = None


class RunningApp(Generic[S]):
    """What ``build`` and the callbacks of an app are given.

    ``state`` is the process's own and lost with it; ``stored`` is kept on the phone until the app's
    data is cleared. What a callback changed in either is on the screen right afterwards;
    ``changed`` is only for changes made elsewhere.
    """

    def __init__(self, app: Declared[S], host: Host, pid: int, stored: dict[str, Any]) -> None:
        self.app = app
        self.pid = pid
        self.stored = stored
        self.host = host
        self.state: S
        self.entries: list[Entry] = []

    def begin(self, make: Callable[[], Page]) -> None:
        """The process is there: makes its state and the first screen."""
        self.state = self.app.state(self.stored)
        self.open(make())

    # --- where it is ------------------------------------------------------------------------------
    @property
    def package(self) -> str:
        return self.app.package

    @property
    def entry(self) -> Entry:
        """The screen in front."""
        return self.entries[-1]

    @property
    def screen(self) -> Page:
        return self.entry.screen

    @property
    def theme(self) -> Theme:
        theme = self.app.theme
        return theme(self.state) if callable(theme) else theme

    @property
    def activity(self) -> str:
        """The full name of the activity in front."""
        return self.app.full_name(self.entry.screen.activity)

    # --- where to go ------------------------------------------------------------------------------
    def go(self, screen: Page) -> None:
        """Opens a screen over this one."""
        self.host.transition(self, lambda: self.open(screen))

    def replace(self, screen: Page) -> None:
        """Opens a screen in place of this one."""
        self.host.transition(self, lambda: self._restack(self.entries[:-1], screen))

    def reset_to(self, screen: Page) -> None:
        """Opens a screen in place of all there are, as after a sign-out."""
        self.host.transition(self, lambda: self._restack([], screen))

    def to_first(self, make: Callable[[], Page]) -> None:
        """Closes all screens but the first one, at once; ``make`` makes that where it is not
        there."""
        first = make()
        if self.entries[0].screen.activity == first.activity:
            self.host.show_keyboard(False)
            del self.entries[1:]
        else:
            self._restack([], first)

    def back(self) -> None:
        """Closes this screen; the last one leaves the app."""
        self.host.transition(self, self._close)

    def back_to(self, entry: Entry) -> None:
        """Closes all screens over this one."""
        self.host.transition(self, lambda: self._unstack(entry))

    def open(self, screen: Page) -> None:
        """Puts a screen on the stack at once."""
        self.host.show_keyboard(False)
        self.entries.append(Entry(screen))
        screen.opened(self)

    def _restack(self, entries: list[Entry], screen: Page) -> None:
        self.entries = entries
        self.open(screen)

    def _unstack(self, entry: Entry) -> None:
        self.host.show_keyboard(False)
        del self.entries[self.entries.index(entry) + 1 :]

    def _close(self) -> None:
        self.host.show_keyboard(False)
        if len(self.entries) > 1:
            self.entries.pop()
        else:
            self.host.leave(self)

    # --- windows over the screen ------------------------------------------------------------------
    def show(self, dialog: Dialog) -> None:
        """Opens a dialog over this screen."""
        self.host.transition(self, lambda: self._open_overlay(Overlay(dialog)))

    def show_choices(
        self, anchor: Rect, labels: Sequence[str], chosen: int, on_choose: Callable[[int], object]
    ) -> None:
        overlay = Overlay(Choices(anchor, labels, chosen, on_choose))
        self.host.transition(self, lambda: self._open_overlay(overlay))

    def _open_overlay(self, overlay: Overlay) -> None:
        self.host.show_keyboard(False)
        self.entry.overlays.append(overlay)

    def dismiss(self) -> None:
        """Closes the dialog or the list in front; nothing if there is none."""
        if self.entry.overlays:
            self.host.show_keyboard(False)
            self.entry.overlays.pop()
            self.host.changed()

    def toast(self, text: str, *, long: bool = False) -> None:
        """Shows a message for a short while, in a window that no dump holds."""
        self.host.toast(self, text, LONG_TOAST_MS if long else SHORT_TOAST_MS)

    def snackbar(
        self, text: str, action: str = "", on_action: Callback | None = None, *, ms: int = LONG_MS
    ) -> None:
        """Shows a bar over the lower end of this screen, in the screen's own window, for ``ms``
        milliseconds. It takes the place of one that is there, and takes the touches meant for what
        it covers."""
        bar, entry = Snackbar(text, action, on_action), self.entry

        def show() -> None:
            entry.snackbar = bar
            self.after(ms, lambda: self.close_snackbar(bar))

        self.host.transition(self, show)

    def close_snackbar(self, bar: Snackbar | None = None) -> None:
        """The one given or, without one, the one in front; nothing if it is gone already."""
        for entry in self.entries:
            if entry.snackbar is not None and entry.snackbar is (bar or self.entry.snackbar):
                entry.snackbar = None
                self.host.changed()

    # --- what the system puts over the app --------------------------------------------------------
    def has_permission(self, permission: str) -> bool:
        """Whether ``android.permission.…`` is granted now."""
        return self.host.is_granted(self, permission)

    def request_permission(
        self, permission: str, on_result: Callable[[bool], object] | None = None
    ) -> None:
        """Asks the user, in the permission controller's own dialog. Permissions granted already,
        refused twice, and what ``App.permissions`` does not declare is answered at once, within
        this call."""
        self.host.request_permission(self, permission, on_result or (lambda granted: None))

    def system_dialog(
        self, title: str, message: str = "", buttons: Sequence[DialogButton | str] = ("OK",)
    ) -> None:
        """The system, not the app, opens a dialog over the screen in front, such as "Battery
        low"."""
        made = [DialogButton(each) if isinstance(each, str) else each for each in buttons]
        self.host.system_dialog(title, message, made, "android")

    def hang(self, ms: int) -> None:
        """Blocks the app's main thread from the end of this callback on: the screen stays as it is,
        input waits, and after ``App.anr_ms`` of waiting the system says that the app isn't
        responding."""
        self.host.hang(self, ms)

    # --- time, focus, log -------------------------------------------------------------------------
    def after(self, ms: int, callback: Callable[[], object]) -> Timer:
        """Calls back on the phone's clock while this process lives; ``.cancel()`` calls it off."""
        return self.host.later(ms, callback, self)

    def every(self, ms: int, callback: Callable[[], object]) -> Timer:
        """Calls back again and again, first in ``ms`` milliseconds, until the timer is cancelled:
        what moves by itself. A screen that is never at rest is never the same twice."""

        def again() -> None:
            if not timer.cancelled:
                self.after(ms, again)
                callback()

        timer = self.after(ms, again)
        return timer

    def changed(self) -> None:
        self.host.changed()

    def focus(self, key: str, *, keyboard: bool = True) -> None:
        """Moves the focus to the widget with this key or id."""
        view_state = (
            self.entry.overlays[-1].view_state if self.entry.overlays else self.entry.view_state
        )
        view_state.wanted_focus = key
        if keyboard:
            self.host.show_keyboard(True)

    def hide_keyboard(self) -> None:
        self.host.show_keyboard(False)

    def text_of(self, key: str) -> str:
        """Returns the text of a field that the screen keeps, by the field's key or id."""
        texts = self.entry.view_state.texts
        return next((text for path, text in texts.items() if path.rsplit("/", 1)[-1] == key), "")

    @property
    def is_online(self) -> bool:
        """Whether the phone has a network."""
        return self.host.is_online

    @property
    def landscape(self) -> bool:
        """Whether the phone is held so that its screen is wider than high."""
        width, height = self.screen_dp
        return width > height

    @property
    def screen_dp(self) -> tuple[int, int]:
        """Width and height of the screen as it is held, in density-independent pixels or points."""
        return self.host.screen_dp

    def read_file(self, path: str) -> bytes | None:
        """Returns the content of a file of the shared storage; None if there is none."""
        return self.host.read_file(path)

    def log(
        self, text: str, *, level: Literal["V", "D", "I", "W", "E", "F"] = "I", tag: str = ""
    ) -> None:
        """Writes a line to the phone's log; the tag is the app's label unless given."""
        self.host.log(self, level, tag or self.app.label, text)
