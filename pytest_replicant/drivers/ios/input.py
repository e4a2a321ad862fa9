"""Touches and text. Each touch is sent once; one that may have happened is never repeated. Text
arrives exactly, or is refused before anything is typed.

``wda/keys`` types into what has the focus, where the caret is. A tap puts the caret into the middle
of a text that is there; so text that was typed at the end is read back, and where it went elsewhere
the whole text is typed again.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ...errors import UsageError, did_you_mean
from ...model import AnyDict, AnyMapping, Point, Rect, come_true
from ..base import FocusedField, Key
from ..base_driver import Remembered, as_one
from ..checks import check_characters, checked_length, fingers, untypeable
from .answers import Refused
from .link import CALL_LIMIT, PLACEHOLDER, Link
from .screen import Role, Screen

Place = Mapping[str, float]
Stroke = list[dict[str, Any]]
"""What one finger does, as W3C's actions."""


def stroke(
    start: Place, end: Place, seconds: float, *, hold: float = 0.0, rest: float = 0.0
) -> Stroke:
    """Down at ``start``, still for ``hold``, to ``end`` within ``seconds``, still for ``rest``,
    up."""
    steps: Stroke = [
        {"type": "pointerMove", "duration": 0, **start},
        {"type": "pointerDown", "button": 0},
    ]
    if hold:
        steps.append(_pause(hold))
    steps.append({"type": "pointerMove", "duration": _milliseconds(seconds), **end})
    if rest:
        steps.append(_pause(rest))
    return [*steps, {"type": "pointerUp", "button": 0}]


def fingers_doing(*strokes: Stroke) -> AnyDict:
    """Body of the request: a finger for each stroke, all at once."""
    return {
        "actions": [
            {
                "type": "pointer",
                "id": f"finger{number}",
                "parameters": {"pointerType": "touch"},
                "actions": steps,
            }
            for number, steps in enumerate(strokes, 1)
        ]
    }


def _pause(seconds: float) -> AnyDict:
    return {"type": "pause", "duration": _milliseconds(seconds)}


def _milliseconds(seconds: float) -> int:
    return max(round(seconds * 1000), 1)


LIFT_SECONDS = 0.6  # iOS takes what lies under a finger off the screen after half a second
REST_SECONDS = 0.1  # a finger that is lifted while it moves throws what it holds


class IosPointer(Role):
    @as_one
    def tap(self, point: Point) -> None:
        self._link.post("wda/tap", self._place(point))

    @as_one
    def double_tap(self, point: Point) -> None:
        self._link.post("wda/doubleTap", self._place(point))

    @as_one
    def long_press(self, point: Point, seconds: float) -> None:
        body = {**self._place(point), "duration": checked_length(seconds)}
        self._link.post("wda/touchAndHold", body, seconds=CALL_LIMIT + seconds)

    @as_one
    def swipe(self, start: Point, end: Point, seconds: float) -> None:
        """In W3C's words: the ``duration`` of WebDriverAgent's own drag is how long it presses
        before."""
        checked_length(seconds)
        self._gesture(stroke(self._place(start), self._place(end), seconds), seconds=seconds)

    @as_one
    def drag(self, start: Point, end: Point, seconds: float) -> None:
        """Holds the finger still first, until the element under it is lifted."""
        checked_length(seconds)
        path = stroke(
            self._place(start), self._place(end), seconds, hold=LIFT_SECONDS, rest=REST_SECONDS
        )
        self._gesture(path, seconds=seconds + LIFT_SECONDS + REST_SECONDS)

    @as_one
    def pinch(self, area: Rect, scale: float, seconds: float) -> None:
        checked_length(seconds)
        begin, end = fingers(area, scale)
        paths = [
            stroke(self._place(first), self._place(last), seconds)
            for first, last in zip(begin, end, strict=True)
        ]
        self._gesture(*paths, seconds=seconds)

    def _gesture(self, *paths: Stroke, seconds: float) -> None:
        self._link.post("actions", fingers_doing(*paths), seconds=CALL_LIMIT + seconds)

    def _place(self, point: Point) -> dict[str, float]:
        """In points. Raises ``UsageError`` off the screen: WebDriverAgent would touch nothing
        there, and not report it."""
        if not self._screen.shows(point):
            self._look_how_large()  # it may have been turned
        self._await_no_banner(point)
        if not self._screen.shows(point):
            size = self._screen.size
            raise UsageError(
                f"a touch at ({point.x}, {point.y}) on {self._link.name}: the screen has {size} "
                "pixels. Nothing was touched."
            )
        return self._screen.in_points(point)


_W3C = "element-6066-11e4-a52e-4f735466cecf"
_PREFIX = "attribute/"
_LOOKS = ("type", "rect", "label", _PREFIX + "name")


@dataclass(frozen=True)
class Element:
    """An element that WebDriverAgent named; ``answer`` is the whole answer that named it. Ids are
    the session's, and of this one screen."""

    id: str
    answer: AnyMapping

    @classmethod
    def of(cls, link: Link, answer: object) -> Element:
        """Raises ``ProtocolError`` for what names no element, or not its type and place."""
        said = answer if isinstance(answer, Mapping) else {}
        found = str(said.get(_W3C, ""))
        is_placed = "type" in said and isinstance(said.get("rect"), Mapping)
        if not is_placed or not re.fullmatch(r"[\w.:-]+", found):
            raise link.unexpected("elements", answer)
        return cls(found, said)

    @property
    def kind(self) -> str:
        """Its type, as ``TextField``."""
        return str(self.answer["type"]).removeprefix("XCUIElementType")

    @property
    def rect(self) -> AnyMapping:
        rect: AnyMapping = self.answer["rect"]
        return rect

    def looks_like(self, other: Element) -> bool:
        """Whether all that both came with, their text apart, is the same."""
        return all(self.answer.get(name) == other.answer.get(name) for name in _LOOKS)

    def attribute(self, name: str) -> str:
        """ "" if it has none, or where this WebDriverAgent does not know it."""
        return str(self.answer.get(name if name == "label" else _PREFIX + name) or "")


TYPE_SECONDS = 20.0
KEYBOARD_SECONDS = 2.0  # it slides up in a quarter of one
CHARACTERS_A_SECOND = 10  # a slow phone; WebDriverAgent types 60
_LOOK_EVERY = 0.05
_FIELDS = ("TextField", "SecureTextField", "SearchField", "TextView")
_MANY_LINES = "TextView"
_UNREADABLE = "SecureTextField"
_MOVES = {"\n": "a newline, which presses return", "\t": "a tab, which moves the focus on"}
# Apple's characters for keys without one, as arrows: typed, they are pressed.
_KEYS = range(0xF700, 0xF900)


def went_elsewhere(before: str, text: str, after: str) -> bool:
    """Whether all of it was put before the end of the old text. An app may also change the typed
    text; that is its business, and not corrected here. Pure."""
    if after == before + text or len(after) != len(before) + len(text):
        return False
    return any(before[:place] + text + before[place:] == after for place in range(len(before)))


HIDE_SECONDS = 2.0  # it slides down in a quarter of one
_BUTTONS: Mapping[str, str] = {"home": "home", "volume_up": "volumeUp", "volume_down": "volumeDown"}
_TYPED: Mapping[str, str] = {"enter": "\n", "delete": "\b", "tab": "\t"}
_ABSENT = ("menu", "search", "escape")
_BARS = "type IN {'XCUIElementTypeNavigationBar', 'XCUIElementTypeAlert'} AND visible == 1"
_IN_BARS = "**/XCUIElementTypeNavigationBar[`visible == 1`]/XCUIElementTypeButton"
_BACK = ("BackButton", "Back")  # what UIKit calls its own, from iOS 16 on and before
_AT_EDGE = 1.0  # points; a button that an app puts there stands 8 or more from the edge
# Keys that do nothing but hide the keyboard, in the names that iOS gives them.
_HIDING = ("Hide keyboard", "Done", "Dismiss", "Fertig", "Terminé", "Listo", "Fine", "完了", "完成")
# The return key of a field with no business of its own ends the editing; Go, Search, Send, Join and
# such do more.
_PLAIN_RETURN = ("return", "Return", "done", "Done")
_ONE_LINE = ("TextField", "SecureTextField", "SearchField")
_NAMES = ", ".join(f"'{name}'" for name in dict.fromkeys((*_HIDING, *_PLAIN_RETURN)))
_KEYBOARD = (
    "type == 'XCUIElementTypeKeyboard' OR (type IN {'XCUIElementTypeKey', 'XCUIElementTypeButton'} "
    f"AND (name IN {{{_NAMES}}} OR label IN {{{_NAMES}}}))"
)


class IosKeyboard(Role):
    def __init__(self, link: Link, screen: Screen) -> None:
        super().__init__(link, screen)
        self._seen: Remembered[Element] = Remembered(link)  # the field that ``focused_field`` found
        self._emptied: Remembered[Element] = Remembered(
            link
        )  # the field that ``clear_text`` emptied

    def check_typeable(self, text: str) -> None:
        """Refuses control characters other than tab and newline, halves of surrogate pairs,
        noncharacters, and the private characters that iOS takes for keys. ``check_field_takes``
        judges tab and newline."""
        check_characters(
            text,
            lambda sign: (
                "a key of Apple's, and no text" if ord(sign) in _KEYS else untypeable(sign)
            ),
        )

    def check_field_takes(self, text: str) -> None:
        """In a field of one line a newline presses return, and a tab leaves it."""
        if any(each in text for each in _MOVES):
            field = self._seen.take() or self._focused()
            self._must_take(field, text)
            if field is not None:
                self._seen.keep(field)

    @as_one
    def type_text(self, text: str) -> None:
        """Raises ``UsageError`` if no text field has the focus, and for what a field of one line
        does not take."""
        self.check_typeable(text)
        emptied = self._emptied.take()
        field = emptied or self._focused()
        if field is None:
            raise UsageError(
                f"type_text on {self._link.name}: no text field has the focus. Nothing was typed."
            )
        self._must_take(field, text)
        before = "" if emptied else self._text_of(field)
        self._type(text)
        if not before or not text or field.kind == _UNREADABLE:
            return
        after = str(self._link.get(f"element/{field.id}/attribute/value") or "")
        if went_elsewhere(before, text, after):
            self._clear(field)
            self._type(before + text)

    def clear_text(self) -> None:
        """Raises ``UsageError`` if no text field has the focus."""
        field = self._seen.take() or self._focused()
        if field is None:
            raise UsageError(
                f"clear_text on {self._link.name}: no text field has the focus. Nothing was "
                "cleared."
            )
        self._emptied.keep(self._clear(field))

    def focused_field(self) -> FocusedField | None:
        field = self._focused()
        if field is None:
            return None
        name, bounds, text = field.attribute("name"), self._bounds(field), self._text_of(field)
        is_id = name != field.attribute("label")  # without an identifier the name is the label
        self._seen.keep(field)
        return FocusedField(name if is_id else "", bounds, text)

    def _elements(self, using: str, value: str) -> list[Element]:
        return [Element.of(self._link, found) for found in self._link.find(using, value)]

    def _bounds(self, element: Element) -> Rect:
        try:
            return self._screen.in_pixels(element.rect)
        except (TypeError, ValueError):
            raise self._link.unexpected("rect", element.rect) from None

    def keyboard_shown(self) -> bool:
        return bool(self._link.find("class name", "XCUIElementTypeKeyboard"))

    def _focused(self) -> Element | None:
        try:
            answer = self._link.get("element/active")
        except Refused as refused:
            if refused.error != "no such element":
                raise
            return self._focused() if self._link.looked_past_banner() else None
        element = Element.of(self._link, answer)
        return element if element.kind in _FIELDS else None

    def _text_of(self, field: Element) -> str:
        """What was typed into it: an empty field gives its placeholder for its value."""
        value = field.attribute("value")
        return "" if value and value == field.attribute(PLACEHOLDER) else value

    def _type(self, text: str) -> None:
        """Once a keyboard is up, which may be on its way when the field has the focus already:
        WebDriverAgent takes keys without one, and loses them."""
        if not text:
            return
        if not come_true(self._link.clock, self.keyboard_shown, KEYBOARD_SECONDS, _LOOK_EVERY):
            why = (
                "no keyboard is up. Is a hardware keyboard connected to the phone, or set in the "
                "simulator? Nothing was typed."
            )
            raise self._link.invalid("type_text", why, "elements → no XCUIElementTypeKeyboard")
        seconds = TYPE_SECONDS + len(text) / CHARACTERS_A_SECOND
        self._link.post("wda/keys", {"value": list(text)}, seconds=seconds)  # which it joins

    def _clear(self, field: Element) -> Element:
        """The field, by the id that it has now: a session that was lost meanwhile took the ids with
        it."""
        if self._cleared(field):
            return field
        again = self._focused()
        if again is None or not again.looks_like(field) or not self._cleared(again):
            raise UsageError(
                f"clear_text on {self._link.name}: the focus moved on. Nothing was cleared."
            )
        return again

    def _cleared(self, field: Element) -> bool:
        """False if nothing was done, since it is not there by this id."""
        try:
            self._link.post(f"element/{field.id}/clear")
        except Refused as refused:
            if refused.error not in ("stale element reference", "no such element"):
                raise
            return False
        return True

    def _must_take(self, field: Element | None, text: str) -> None:
        why = next((_MOVES[each] for each in _MOVES if each in text), "")
        if why and (field is None or field.kind != _MANY_LINES):
            raise UsageError(
                f"type_text on {self._link.name}: the text has {why}, and the field with the focus "
                "is not known to take several lines. Nothing was typed. There is "
                "press_key('enter')."
            )

    @as_one
    def press_key(self, key: Key) -> None:
        """``enter``, ``delete`` and ``tab`` are the keyboard's, which must be up. ``back`` is the
        back button of the navigation bar, ``power`` locks the phone or wakes it."""
        if key in _BUTTONS:
            self._link.post("wda/pressButton", {"name": _BUTTONS[key]})
        elif key in _TYPED:
            if not self.keyboard_shown():
                raise UsageError(
                    f"press_key({key!r}) on {self._link.name}: no keyboard is up. Nothing was "
                    "pressed; focus a field first."
                )
            self._link.post("wda/keys", {"value": [_TYPED[key]]})
        elif key == "power":
            locked = self._link.get_sessionless("wda/locked") is True
            self._link.post_sessionless("wda/unlock" if locked else "wda/lock")
        elif key == "back":
            self._go_back()
        else:
            known = sorted([*_BUTTONS, *_TYPED, "back", "power"])
            why = "an iPhone has none."
            if key not in _ABSENT:
                why = f"no such key.{did_you_mean(str(key), known)}"
            raise UsageError(
                f"press_key({key!r}) on {self._link.name}: {why} There are: {', '.join(known)}."
            )

    @as_one
    def hide_keyboard(self) -> None:
        """By a key that hides it, or by a plain return key in a field of one line. Raises
        ``UsageError`` if the keyboard has neither: every other way to be rid of it does something
        else as well. WebDriverAgent takes 3 s to find that a key is not there, so it is asked for
        those that are."""
        found = self._elements("predicate string", _KEYBOARD)
        board = next((each for each in found if each.kind == "Keyboard"), None)
        if board is None:
            return
        keys = self._inside(board, [each for each in found if each is not board])
        names = {each.attribute(name) for each in keys for name in ("name", "label")}
        by_any = (
            self._link.status.get("device") == "ipad"
        )  # its last key will do (XCUIApplication+FBHelpers.m)
        if not ((by_any or names & {*_HIDING}) and self._dismissed()):
            self._return_plainly(bool(names & {*_PLAIN_RETURN}))
        if not come_true(
            self._link.clock, lambda: not self.keyboard_shown(), HIDE_SECONDS, _LOOK_EVERY
        ):
            raise self._cannot_hide(f"it stayed for {HIDE_SECONDS:g} s")

    def _dismissed(self) -> bool:
        try:
            self._link.post("wda/keyboard/dismiss", {"keyNames": list(_HIDING)})
        except Refused:  # none of these keys hid it
            return False
        return True

    def _go_back(self) -> None:
        """The last bar is the one on top: a sheet has a bar of its own, over that of the screen
        behind it. An alert is over them all."""
        shown = self._elements("predicate string", _BARS)
        if not shown:
            raise self._no_way_back("no navigation bar is on the screen")
        if any(each.kind == "Alert" for each in shown):
            raise self._no_way_back("an alert is up")
        bar = shown[-1]
        buttons = self._inside(bar, self._elements("class chain", _IN_BARS))
        edge = self._bounds(bar).left + _AT_EDGE * self._screen.scale
        for each in buttons:
            # By UIKit's own name; where the name is the last screen's title, by the place.
            names = {each.attribute("name"), each.attribute("label")}
            if not names.isdisjoint(_BACK) or self._bounds(each).left < edge:
                self._await_no_banner(self._bounds(each).center)
                self._link.post(f"element/{each.id}/click")
                return
        labels = ", ".join(repr(each.attribute("label")) for each in buttons)
        has = f"no back button, but {labels}" if labels else "no button"
        raise self._no_way_back(f"its navigation bar has {has}")

    def _inside(self, outer: Element, among: list[Element]) -> list[Element]:
        """Those that begin in ``outer``: a tablet may have two bars side by side."""
        inside = []
        for each in among:
            bounds = self._bounds(each)
            if self._bounds(outer).contains(Point(bounds.left, bounds.top)):
                inside.append(each)
        return inside

    def _no_way_back(self, seen: str) -> UsageError:
        return UsageError(
            f"press_key('back') on {self._link.name}: an iPhone has no back key, and {seen}. "
            "Nothing was pressed. Tap what leads back, answer the dialog that is up, or swipe "
            "from the left edge."
        )

    def _return_plainly(self, is_there: bool) -> None:
        field = self._focused()
        if field is None or field.kind not in _ONE_LINE:
            raise self._cannot_hide("it has no key that hides it, and return would add a line")
        if not is_there:
            raise self._cannot_hide(
                "it has no key that hides it, and its return key does more than that"
            )
        self._link.post("wda/keys", {"value": ["\n"]})

    def _cannot_hide(self, why: str) -> UsageError:
        return UsageError(
            f"hide_keyboard on {self._link.name}: the keyboard cannot be hidden: {why}. Next: "
            "press_key('enter') where that is meant, or tap or scroll where the app hides it."
        )
