"""Text. It arrives exactly, or is refused before anything is typed.

``wda/keys`` types into whatever has the focus, where the caret is. A tap puts the caret into the middle of a text
that is there; so what was typed behind a text is read back, and where it went elsewhere the whole text is typed
anew.
"""

from __future__ import annotations

import time

from ...errors import UsageError
from ..base import FocusedField
from ..characters import check_characters, untypeable
from ..remembered import Remembered
from .answers import Refused
from .elements import Element
from .link import Link
from .role import Role
from .screen import Screen

TYPE_SECONDS = 20.0
KEYBOARD_SECONDS = 2.0  # it slides up in a quarter of one
CHARACTERS_A_SECOND = 10  # a slow phone; WebDriverAgent types 60
_LOOK_EVERY = 0.05
_NO_KEYBOARD = "keyboard must be present"
_FIELDS = ("TextField", "SecureTextField", "SearchField", "TextView")
_MANY_LINES = "TextView"
_UNREADABLE = "SecureTextField"
_MOVES = {"\n": "a newline, which presses return", "\t": "a tab, which moves the focus on"}
# Apple's characters for keys without one, as arrows: typed, they are pressed.
_KEYS = range(0xF700, 0xF900)


class IosText(Role):
    def __init__(self, link: Link, screen: Screen) -> None:
        super().__init__(link, screen)
        self._seen: Remembered[Element] = Remembered(link)  # the field that ``focused_field`` found
        self._emptied: Remembered[Element] = Remembered(link)  # the field that ``clear_text`` emptied

    def check_typeable(self, text: str) -> None:
        """Refuses control characters other than tab and newline, halves of surrogate pairs, noncharacters, and the
        private characters that iOS takes for keys. ``check_field_takes`` judges tab and newline."""
        check_characters(text, _problem)

    def check_field_takes(self, text: str) -> None:
        """In a field of one line a newline presses return, and a tab leaves it."""
        if any(each in text for each in _MOVES):
            field = self._seen.take() or self._focused()
            self._must_take(field, text)
            if field is not None:
                self._seen.keep(field)

    def type_text(self, text: str) -> None:
        """Raises ``UsageError`` where no text field has the focus, and for what a field of one line does not
        take."""
        self.check_typeable(text)
        emptied = self._emptied.take()
        field = emptied or self._focused()
        if field is None:
            raise UsageError(f"type_text on {self._link.name}: no text field has the focus. Nothing was typed.")
        self._must_take(field, text)
        before = "" if emptied else self._text_of(field)
        self._type(text)
        if not before or not text or field.kind(self._link) == _UNREADABLE:
            return
        if went_elsewhere(before, text, self._text_of(field, anew=True)):
            self._clear(field)
            self._type(before + text)

    def clear_text(self) -> None:
        """Raises ``UsageError`` where no text field has the focus."""
        field = self._seen.take() or self._focused()
        if field is None:
            message = f"clear_text on {self._link.name}: no text field has the focus. Nothing was cleared."
            raise UsageError(message)
        self._emptied.keep(self._clear(field))

    def focused_field(self) -> FocusedField | None:
        field = self._focused()
        if field is None:
            return None
        name = field.attribute(self._link, "name")
        try:
            bounds = self._screen.in_pixels(field.rect(self._link))
        except (TypeError, ValueError):
            raise self._link.odd("rect", field.rect(self._link)) from None
        text = self._text_of(field)
        is_id = name != field.attribute(self._link, "label")  # without an identifier the name is the label
        self._seen.keep(field)
        return FocusedField(name if is_id else "", bounds, text)

    def keyboard_shown(self) -> bool:
        return bool(self._link.find("class name", "XCUIElementTypeKeyboard"))

    def _focused(self) -> Element | None:
        try:
            answer = self._link.get("element/active")
        except Refused as refused:
            if refused.error == "no such element":
                return None
            raise
        element = Element.of(self._link, answer)
        return element if element.kind(self._link) in _FIELDS else None

    def _text_of(self, field: Element, *, anew: bool = False) -> str:
        """What was typed into it: an empty field gives its placeholder for its value."""
        value = field.attribute(self._link, "value", anew=anew)
        return "" if value and value == field.attribute(self._link, "placeholderValue") else value

    def _type(self, text: str) -> None:
        """Sent again only where no keyboard was up the first time: then nothing was typed. A keyboard may still be
        on its way when the field has the focus already."""
        if not text:
            return
        try:
            self._send(text)
        except Refused as refused:
            if _NO_KEYBOARD not in refused.said:
                raise
            if not self._keyboard_comes():
                told = (
                    "no keyboard is up. Is a hardware keyboard connected to the phone, or set in the simulator? "
                    "Nothing was typed."
                )
                raise self._link.senseless("type_text", told, refused.exchange) from None
            self._send(text)

    def _send(self, text: str) -> None:
        """WebDriverAgent joins the list; it is how its protocol has it."""
        seconds = TYPE_SECONDS + len(text) / CHARACTERS_A_SECOND
        self._link.post("wda/keys", {"value": list(text)}, seconds=seconds)

    def _keyboard_comes(self) -> bool:
        deadline = time.monotonic() + KEYBOARD_SECONDS
        while not self.keyboard_shown():
            if time.monotonic() >= deadline:
                return False
            time.sleep(_LOOK_EVERY)
        return True

    def _clear(self, field: Element) -> Element:
        """The field, by the id that it has now: a session that was lost meanwhile took the ids with it."""
        if self._cleared(field):
            return field
        again = self._focused()
        if again is None or not again.looks_like(field) or not self._cleared(again):
            raise UsageError(f"clear_text on {self._link.name}: the focus moved on. Nothing was cleared.")
        return again

    def _cleared(self, field: Element) -> bool:
        """False where nothing was done, since it is not there by this id."""
        try:
            self._link.post(f"element/{field.id}/clear")
        except Refused as refused:
            if refused.error not in ("stale element reference", "no such element"):
                raise
            return False
        return True

    def _must_take(self, field: Element | None, text: str) -> None:
        why = next((_MOVES[each] for each in _MOVES if each in text), "")
        if why and (field is None or field.kind(self._link) != _MANY_LINES):
            raise UsageError(
                f"type_text on {self._link.name}: the text has {why}, and the field with the focus is not known "
                "to take several lines. Nothing was typed. There is press_key('enter')."
            )


def _problem(character: str) -> str:
    return "a key of Apple's, and no text" if ord(character) in _KEYS else untypeable(character)


def went_elsewhere(before: str, text: str, after: str) -> bool:
    """Whether all of it was put before the end of what was there. An app may also change what is typed; that is
    its business, and not mended here. Pure."""
    if after == before + text or len(after) != len(before) + len(text):
        return False
    return any(before[:place] + text + before[place:] == after for place in range(len(before)))
