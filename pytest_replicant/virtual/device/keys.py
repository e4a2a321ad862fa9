"""``Keys``: what the phone's keys and those of a keyboard do."""

from __future__ import annotations

from collections.abc import Callable

from ..app_kit.fields import EditText
from ..app_kit.widget import Widget
from ..designs.system_nodes import Pressed
from .display import Display
from .editing import Editing
from .panes import Pane
from .tasks import Tasks

NAMED = {
    "HOME": 3, "BACK": 4, "CALL": 5, "ENDCALL": 6, "STAR": 17, "POUND": 18, "DPAD_UP": 19,
    "DPAD_DOWN": 20, "DPAD_LEFT": 21, "DPAD_RIGHT": 22, "DPAD_CENTER": 23, "VOLUME_UP": 24,
    "VOLUME_DOWN": 25, "POWER": 26, "CAMERA": 27, "CLEAR": 28, "COMMA": 55, "PERIOD": 56,
    "SHIFT_LEFT": 59, "SHIFT_RIGHT": 60, "TAB": 61, "SPACE": 62, "ENTER": 66, "DEL": 67,
    "GRAVE": 68, "MINUS": 69, "EQUALS": 70, "LEFT_BRACKET": 71, "RIGHT_BRACKET": 72,
    "BACKSLASH": 73, "SEMICOLON": 74, "APOSTROPHE": 75, "SLASH": 76, "AT": 77, "PLUS": 81,
    "MENU": 82, "SEARCH": 84, "MEDIA_PLAY_PAUSE": 85, "PAGE_UP": 92, "PAGE_DOWN": 93, "ESCAPE": 111,
    "FORWARD_DEL": 112, "MOVE_HOME": 122, "MOVE_END": 123, "VOLUME_MUTE": 164, "APP_SWITCH": 187,
    "NUMPAD_ENTER": 160, "SLEEP": 223, "WAKEUP": 224, "CUT": 277, "COPY": 278, "PASTE": 279,
    **{str(digit): 7 + digit for digit in range(10)},
    **{chr(ord("A") + index): 29 + index for index in range(26)},
}  # fmt: skip
ALIASES = {"DELETE": "DEL", "RECENT": "APP_SWITCH", "CENTER": "DPAD_CENTER", "UP": "DPAD_UP",
           "DOWN": "DPAD_DOWN",
           "LEFT": "DPAD_LEFT", "RIGHT": "DPAD_RIGHT", "NUMPAD_ENTER": "ENTER"}  # fmt: skip
NAMES = {code: name for name, code in NAMED.items()}
GLYPHS = {
    "STAR": "*", "POUND": "#", "COMMA": ",", "PERIOD": ".", "SPACE": " ", "GRAVE": "`",
    "MINUS": "-", "EQUALS": "=", "LEFT_BRACKET": "[", "RIGHT_BRACKET": "]", "BACKSLASH": "\\",
    "SEMICOLON": ";", "APOSTROPHE": "'", "SLASH": "/", "AT": "@", "PLUS": "+",
    **{str(digit): str(digit) for digit in range(10)},
    **{chr(ord("A") + index): chr(ord("a") + index) for index in range(26)},
}  # fmt: skip


SHIFT = 0x1  # KeyEvent.META_SHIFT_ON
SHIFTED = dict(
    zip(",.`-=[]\\;'/1234567890", '<>~_+{}|:"?!@#$%^&*()', strict=True)
)  # AOSP's Virtual.kcm


def key_name(key: str | int) -> str | None:
    """``BACK``, from 4, "4", "back" or "KEYCODE_BACK"; None for a name of no key. A digit as text
    is a key code, as for ``input keyevent``; ``KEYCODE_4`` is the digit."""
    if isinstance(key, int) or (key.isdecimal() and key.isascii()):
        return NAMES.get(int(key))
    upper = key.upper()
    name = upper.removeprefix("KEYCODE_")
    name = ALIASES.get(name, name)
    return name if name in NAMED else None


NOTIFIER = "com.apple.mobilephone"  # the app that an iPhone's banners are of


class Keys:
    """Every key by what it does; those that do nothing on this phone (camera, call) are known all
    the same."""

    def __init__(self, tasks: Tasks, display: Display) -> None:
        self._tasks = tasks
        self._display = display
        self._actions: dict[str, Callable[[], object]] = {
            "BACK": self.back,
            "ESCAPE": self.back,
            "HOME": tasks.home,
            "APP_SWITCH": tasks.switch,
            "ENTER": self.enter,
            "NUMPAD_ENTER": self.enter,
            "SEARCH": self.enter,
            "DPAD_CENTER": self.centre,
            "TAB": self.next_field,
            "DPAD_DOWN": self.next_field,
            "DPAD_UP": lambda: self.next_field(-1),
            "DEL": lambda: self.edit(Editing.delete),
            "FORWARD_DEL": lambda: self.edit(lambda editing: editing.delete(forward=True)),
            "MOVE_HOME": lambda: self.edit(lambda editing: editing.move(0)),
            "MOVE_END": lambda: self.edit(lambda editing: editing.move(len(editing.text))),
            "DPAD_LEFT": lambda: self.edit(lambda editing: editing.move(editing.caret - 1)),
            "DPAD_RIGHT": lambda: self.edit(lambda editing: editing.move(editing.caret + 1)),
            "CLEAR": lambda: self.edit(lambda editing: editing.replace("")),
            "COPY": lambda: self.edit(lambda editing: tasks.copy(editing.text)),
            "VOLUME_UP": lambda: tasks.set_volume(tasks.volume + 1),
            "VOLUME_DOWN": lambda: tasks.set_volume(tasks.volume - 1),
            "VOLUME_MUTE": lambda: tasks.set_volume(0),
            "PASTE": self.paste,
        }

    def press(self, key: str | int, meta: int = 0) -> bool:
        """``meta`` as Android's KeyEvent has it."""
        name = key_name(key)
        if name is None:
            return False
        if name in ("POWER", "SLEEP", "WAKEUP"):
            self._display.wake(name == "WAKEUP" or (name == "POWER" and not self._display.awake))
        elif not self._display.usable or name in self._tasks.design.dead_keys:
            if name == "MENU" and self._display.awake:
                self._display.dismiss_keyguard()  # as on every Android phone without a pin
        elif name in GLYPHS:
            glyph = GLYPHS[name]
            self.type(SHIFTED.get(glyph, glyph.upper()) if meta & SHIFT else glyph)
        elif name in self._actions:
            self._actions[name]()
        return True

    def pressed(self, what: Pressed) -> None:
        """A key that was tapped on the screen."""
        if what.glyph:
            self.type(what.glyph)
        elif what.key == "BANNER":
            self._tasks.hide_banner()
            self._tasks.start(NOTIFIER)
        else:
            self.press(f"KEYCODE_{what.key}")

    def paste(self) -> bool:
        """The app in front reads the clipboard, and that is announced."""
        return self._display.top.focused_field is not None and self.type(
            self._tasks.read_clip(self._display.top.app)
        )

    def type(self, text: str) -> bool:
        """Into the field that has the focus; False if none has."""
        return self.edit(lambda editing: editing.insert(text))

    def edit(self, change: Callable[[Editing], object]) -> bool:
        pane = self._display.top
        field = pane.focused_field
        if field is None or not self._display.usable:
            return False
        if not pane.put_off(lambda: self.edit(change)):
            pane.act(change, Editing(pane, field))
        return True

    def back(self) -> None:
        """Closes the keyboard, else a window over the app, else the screen."""
        pane = self._display.top
        if pane.dialog is not None:
            if pane.dialog.back is not None:
                pane.dialog.back()
        elif self._display.keyboard_shown or self._tasks.keyboard_rising is not None:
            self._display.stylus_page_closed = (
                self._display.stylus_page_closed or self._display.stylus_page
            )
            self._tasks.show_keyboard(False)
        elif pane.put_off(self.back):
            pass
        elif pane.overlay is not None:
            pane.act(pane.cancel)
        else:
            pane.act(pane.go_back)

    def enter(self) -> None:
        """A new line, the keyboard's action, or the next field."""
        pane = self._display.top
        field = pane.focused_field
        if pane.put_off(self.enter):
            return
        if field is None:
            self.centre()
        elif field.multiline:
            self.type("\n")
        elif field.on_done is not None:
            pane.act(field.on_done)
            if pane.view_state.focus == field.path and not pane.view_state.wanted_focus:
                self._tasks.show_keyboard(False)
        elif self._tasks.design.focus_needs_keyboard or not self._focus_next_to(pane, field, 1):
            self._tasks.show_keyboard(False)

    def centre(self) -> None:
        """Taps what has the focus."""
        pane = self._display.top
        widget = pane.widgets.get(pane.view_state.focus)
        node = next((node for node in pane.window.root.walk() if node.owner is widget), None)
        if pane.put_off(self.centre):
            return
        if isinstance(widget, Widget) and node is not None and node.enabled:
            pane.act(widget.tapped, pane, node, node.bounds.center)

    def next_field(self, step: int = 1) -> None:
        pane = self._display.top
        field = pane.focused_field
        if field is None:
            fields = pane.fields
            if fields:
                pane.focus(fields[0].path, keyboard=False)
                self._tasks.changed()
        else:
            self._focus_next_to(pane, field, step)

    def _focus_next_to(self, pane: Pane, field: EditText, step: int) -> bool:
        fields = pane.fields
        index = fields.index(field) + step
        if not 0 <= index < len(fields):
            return False
        pane.focus(fields[index].path, keyboard=False)
        self._tasks.changed()
        return True
