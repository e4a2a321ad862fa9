"""Text and keys. Text arrives exactly, or is refused before anything is typed.

The routes, and why: ``input text`` loses what its shell and its key map do not know, uiautomator2's
``send_keys`` may install an input method. The clipboard is on the screen for seconds, in dumps and
pictures too, and an app that reads it is reported in a toast (Android 12, ClipboardService.java);
so nothing is pasted. Setting a field's text through the accessibility service is exact, but
replaces it, so what the field holds is set again with it. Behind an unknown text, as the dots of a
password, keys are pressed.
"""

from __future__ import annotations

import math
import re
from contextlib import suppress
from typing import Any

from ...errors import Unsupported, UsageError, did_you_mean
from ...model import AnyDict, Point, Rect, as_dotted
from ...snapshots import DOUBTFUL, Snapshot
from ..base import FocusedField, Key
from ..base_driver import Remembered, as_one
from ..checks import check_characters, checked_length, fingers
from .adb import CALL_LIMIT, Ended
from .link import Link, ObjectNotFound
from .screen import SECURITY_SETTINGS, AndroidScreen, Role, rect_of

Selector = dict[str, Any]
"""Selector of a node, as the uiautomator2 server takes it."""

# Android's key codes. Sent by number: uiautomator waits up to a second behind keys that it knows by
# name.
KEY_CODES: dict[Key, int] = {
    "home": 3,
    "back": 4,
    "volume_up": 24,
    "volume_down": 25,
    "power": 26,
    "tab": 61,
    "enter": 66,
    "delete": 67,
    "menu": 82,
    "search": 84,
    "escape": 111,
}
_MOVE_END = 123
_SHIFT = 1  # KeyEvent.META_SHIFT_ON
_CODES = {
    " ": 62, ",": 55, ".": 56, "`": 68, "-": 69, "=": 70, "[": 71, "]": 72, "\\": 73, ";": 74,
    "'": 75, "/": 76, **{str(digit): 7 + digit for digit in range(10)},
    **{chr(ord("a") + number): 29 + number for number in range(26)},
}  # fmt: skip
_SHIFTED = dict(
    zip('<>~_+{}|:"?!@#$%^&*()', ",.`-=[]\\;'/1234567890", strict=True)
)  # of Android's Virtual.kcm

_CLASS_NAME, _IS_FOCUSED, _PACKAGE, _RESOURCE_ID = (
    0x10,
    0x20000,
    0x80000,
    0x200000,
)  # bits of a selector's mask
_INSTANCE = 0x1000000
_FOCUSED: Selector = {
    "mask": _IS_FOCUSED,
    "childOrSibling": [],
    "childOrSiblingSelector": [],
    "focused": True,
}
_FIELDS = ("EditText", "AutoCompleteTextView")
KEYBOARD_QUESTION = "settings get secure default_input_method"
_BULLET = "•"
_MULTI_LINE = 0x20000  # InputType.TYPE_TEXT_FLAG_MULTI_LINE


class AndroidKeyboard(AndroidScreen):
    def __init__(self, link: Link, keyboard: str = "") -> None:
        super().__init__(link)
        self._seen: Remembered[Selector] = Remembered(
            link
        )  # the field that ``focused_field`` found
        self.keyboard = keyboard  # package of the input method, as the phone last named it
        self._emptied: Remembered[Selector] = Remembered(
            link
        )  # the field that ``clear_text`` emptied
        self._typed: Remembered[str] = Remembered(link)  # what the field holds since ``type_text``

    def check_typeable(self, text: str) -> None:
        """Refuses control characters other than tab and newline, halves of surrogate pairs and
        noncharacters. A newline is judged by ``check_field_takes``, once a field has the focus."""
        check_characters(text)

    def check_field_takes(self, text: str) -> None:
        """Refuses a newline in a field of one line, which would drop it."""
        if "\n" not in text:
            return
        kinds = re.findall(r"\binputType=0x([0-9a-fA-F]+)", self._input_method())
        if not kinds or not all(int(kind, 16) & _MULTI_LINE for kind in kinds):
            raise UsageError(
                f"type_text on {self._link.serial}: the text has a newline, and the field with the "
                "focus is not known to take several lines: it would drop it. Nothing was typed. "
                "There is press_key('enter')."
            )

    @as_one
    def type_text(self, text: str) -> None:
        """Types at the end of the field. Raises ``UsageError`` if none has the focus, and for a
        newline that it would drop; ``Unsupported`` behind a text that is not known, for one that
        has no keys."""
        self.check_typeable(text)
        emptied, typed = self._emptied.take(), self._typed.take()
        self.check_field_takes(text)
        if emptied is not None and self._set(emptied, text):
            return
        field = self._focused()
        if field is None:
            raise UsageError(
                f"type_text on {self._link.serial}: no text field has the focus. Nothing was typed."
            )
        before = self._content(field, typed)
        if before is None:
            self._press(text)
        elif not self._set(_selector(field), before + text):
            raise UsageError(
                f"type_text on {self._link.serial}: the focus moved on. Nothing was typed."
            )

    @as_one
    def replace_text(self, text: str) -> None:
        """Types in place of what the field holds, in one call, and in the field that
        ``focused_field`` found last. Raises as ``type_text`` does."""
        self.check_typeable(text)
        field, _ = self._seen.take(), (self._emptied.take(), self._typed.take())
        self.check_field_takes(text)
        if field is None and (focused := self._focused()) is not None:
            field = _selector(focused)
        if field is None or not self._set(field, text):
            raise UsageError(
                f"type_text on {self._link.serial}: no text field has the focus. Nothing was typed."
            )

    def clear_text(self) -> None:
        """Empties the field. Raises ``UsageError`` if no text field has the focus."""
        field = self._seen.take()
        try:
            if field is None:
                field = _selector(self._link.read("objInfo", _of_app(_FOCUSED, self._link.front)))
            self._link.send("clearTextField", field)
        except ObjectNotFound:
            raise UsageError(
                f"clear_text on {self._link.serial}: no text field has the focus. Nothing was "
                "cleared."
            ) from None
        self._emptied.keep(field)

    def focused_field(self) -> FocusedField | None:
        focused = self._focused()
        if focused is None:
            return None
        self._seen.keep(_selector(focused))
        bounds = rect_of(focused.get("bounds"))
        return FocusedField(focused.get("resourceName") or "", bounds, focused.get("text") or "")

    def keyboard_shown(self) -> bool:
        return "mInputShown=true" in self._input_method()

    def press_key(self, key: Key) -> None:
        code = KEY_CODES.get(key)
        if code is None:
            meant = did_you_mean(str(key), KEY_CODES, form='"{}"')
            raise UsageError(
                f"press_key({key!r}): no such key.{meant} There are: "
                f"{', '.join(sorted(KEY_CODES))}."
            )
        self._link.send("pressKeyCode", code)
        self._put_out = self._put_out != (key == "power")

    @as_one
    def hide_keyboard(self) -> None:
        """Presses back, and only if a keyboard is up: anywhere else back would leave the screen."""
        if self.keyboard_shown():
            self.press_key("back")

    def _focused(self) -> AnyDict | None:
        """What has the focus. Each window has something: that of the app which was in front last
        comes first, as the server takes the first of a hash set of windows
        (AccessibilityNodeInfoDumper.java)."""
        info: Any = None
        for app in dict.fromkeys((self._link.front, "")):
            with suppress(ObjectNotFound):
                info = info or self._link.read("objInfo", _of_app(_FOCUSED, app))
        is_field = isinstance(info, dict) and str(info.get("className", "")).endswith(_FIELDS)
        return info if is_field else None

    def _content(self, field: AnyDict, typed: str | None) -> str | None:
        """The text in the focused field, ``typed`` if that may still be what it holds; None if it
        is not known. The server's answer has the true text, the dump alone says whether that is a
        hint."""
        shown = field.get("text") or ""
        if not shown or shown == typed:
            return shown
        if typed is not None and set(shown) == {_BULLET} and len(shown) == len(typed):
            return typed
        dump = self.dump_hierarchy()
        found = [
            node
            for node in Snapshot.parse(dump, "android").nodes
            if node.package == field.get("packageName")
            if node.states.focused and node.states.editable
        ]
        if (
            len(found) != 1 or found[0].states.password or b' hint="' not in dump
        ):  # as before Android 8
            return None
        if found[0].hint != as_dotted(shown):
            return shown
        return None if shown == found[0].hint and DOUBTFUL.search(shown) else ""

    def _set(self, field: Selector, text: str) -> bool:
        """Replaces the text of the field; False if the focus is elsewhere by now. With an instance
        in the selector the server does only that; without one it taps the field before
        (AutomatorServiceImpl.java), which is a double tap behind that for the focus, and presses a
        key where the keyboard covers the field."""
        try:
            taken = self._link.send(
                "setText", {**field, "mask": field["mask"] | _INSTANCE, "instance": 0}, text
            )
        except ObjectNotFound:
            return False
        if taken is False:
            why = "the field with the focus took no text. Is it enabled?"
            raise self._failed("type_text", why, "setText → false")
        self._typed.keep(text)
        return True

    def _input_method(self) -> str:
        said = self._link.ask(["dumpsys", "input_method"]).text
        self.keyboard = keyboard_of(said) or self.keyboard
        return said

    def _press(self, text: str) -> None:
        """Types at the end of the focused field by keys. Raises ``Unsupported`` for what has
        none."""
        signs = [_SHIFTED.get(sign, sign.lower()) for sign in text]
        if not text.isascii() or not all(sign in _CODES for sign in signs):
            raise Unsupported(
                f"type_text on {self._link.serial}: this phone does not say what the field holds, "
                "and the text has characters without a key. Nothing was typed; fill the whole "
                "text instead.",
                capability="append",
                device=self._link.serial,
            )
        self._link.send("pressKeyCode", _MOVE_END)
        for sign, key in zip(text, signs, strict=True):
            self._link.send("pressKeyCode", _CODES[key], *([_SHIFT] if sign != key else []))


def keyboard_of(said: str) -> str:
    """Package of the input method in a phone's answer; "" if it names none."""
    found = re.search(r"^(?:  mCurMethodId=)?([\w.]+)/[\w.$]+\s*$", said, re.MULTILINE)
    return found[1] if found else ""


def _of_app(selector: Selector, app: str) -> Selector:
    return (
        {**selector, "mask": selector["mask"] | _PACKAGE, "packageName": app} if app else selector
    )


def _selector(info: AnyDict) -> Selector:
    """Selector of this field while it has the focus; by its class alone where it has no id."""
    field = {**_FOCUSED, "mask": _IS_FOCUSED | _CLASS_NAME, "className": info.get("className")}
    field = _of_app(field, info.get("packageName") or "")
    name = info.get("resourceName")
    return {**field, "mask": field["mask"] | _RESOURCE_ID, "resourceId": name} if name else field


# uiautomator injects one move, waits until the app has drawn it, and 5 ms more: a frame, at 60 Hz
# as at 120 Hz.
STEPS_A_SECOND = 60
_FEWEST_STEPS = 2  # one step is no swipe
# Android takes two taps for a double tap only where at least 40 ms and at most 300 ms lie between
# them.
_BETWEEN_TAPS = 0.06
_FURTHEST_APART = 0.3
_PRESSED = 0.1  # how long the server's finger stays down
_ANYTHING = {
    "mask": 0x20,
    "childOrSibling": [],
    "childOrSiblingSelector": [],
    "classNameMatches": ".*",
}


class AndroidPointer(Role):
    def tap(self, point: Point) -> None:
        self._touch("click", point.x, point.y)

    def double_tap(self, point: Point) -> None:
        """In one line of the phone's shell, so that the way to the phone delays both taps alike;
        where it has no ``cmd input`` (before Android 12), in two calls. Raises ``ProtocolError`` if
        the taps are not known to have come as one gesture."""
        tap, when = f"cmd input tap {point.x} {point.y}", "date +%s.%N"
        ended = Ended(b"", b"", 1)
        if (
            0 <= min(point) <= max(point) < self._link.longer_side
        ):  # else only the server says that it is outside
            ended = self._link.run(f"{tap} && {when} && sleep {_BETWEEN_TAPS} && {tap} && {when}")
        times = re.findall(r"^(\d{9,})(\.\d+)?", ended.text, re.MULTILINE)
        if not times or "No shell command" in ended.words:  # nothing was tapped
            apart = self._tap_twice(point)
        elif len(times) == 2 and ended.exit_code == 0 and all(parts for _, parts in times):
            apart = float("".join(times[1])) - float("".join(times[0]))
        else:
            apart = math.inf
        if not apart <= _FURTHEST_APART:
            came = "is not known to have come"
            if apart < math.inf:
                came = f"came up to {apart:.2f} s after the first"
            why = (
                f"the second tap {came}, and Android takes two taps for one gesture within "
                f"{_FURTHEST_APART:g} s. Each may have counted as a single tap. Next: look at the "
                "screen; a cable is quicker than Wi-Fi."
            )
            raise self._failed(
                f"double_tap({point.x}, {point.y})", why, ended.words
            ).give_up()  # it was touched

    @as_one
    def _tap_twice(self, point: Point) -> float:
        """Seconds that the two taps were apart at most, by this computer's clock."""
        began = self._link.clock.now()
        self.tap(point)
        self._link.clock.sleep(_BETWEEN_TAPS)
        self.tap(point)
        return self._link.clock.now() - began - 2 * _PRESSED

    def long_press(self, point: Point, seconds: float) -> None:
        self._touch(
            "click", point.x, point.y, round(checked_length(seconds) * 1000), seconds=seconds
        )

    def swipe(self, start: Point, end: Point, seconds: float) -> None:
        self._touch("swipe", start.x, start.y, end.x, end.y, _steps(seconds), seconds=seconds)

    def drag(self, start: Point, end: Point, seconds: float) -> None:
        self._touch("drag", start.x, start.y, end.x, end.y, _steps(seconds), seconds=seconds)

    def pinch(self, area: Rect, scale: float, seconds: float) -> None:
        (first, second), (first_end, second_end) = fingers(area, scale)
        # The server wants an object, and asks nothing of it.
        points = [{"x": point.x, "y": point.y} for point in (first, second, first_end, second_end)]
        steps = _steps(seconds)
        if (
            self._link.send("gesture", _ANYTHING, *points, steps, seconds=CALL_LIMIT + seconds)
            is False
        ):
            raise self._failed(
                f"pinch in {area}", "the phone did not take the gesture.", "gesture → false"
            )

    def _touch(self, method: str, *numbers: int, seconds: float = 0.0) -> None:
        if self._link.send(method, *numbers, seconds=CALL_LIMIT + seconds) is False:
            why = (
                f"the phone did not take the touch. Is the point on the screen? {SECURITY_SETTINGS}"
            )
            raise self._failed(f"{method}{numbers}", why, f"{method}{numbers} → false")


def _steps(seconds: float) -> int:
    return max(_FEWEST_STEPS, round(checked_length(seconds) * STEPS_A_SECOND))
