"""The phone's buttons, the keyboard's keys, and what iPhones have in the place of a back key."""

from __future__ import annotations

import time
from collections.abc import Mapping

from ...errors import UsageError
from ..base import Key
from .answers import Refused
from .elements import Element
from .keyboard import IosText

HIDE_SECONDS = 2.0  # it slides down in a quarter of one
_LOOK_EVERY = 0.05
_BUTTONS: Mapping[str, str] = {"home": "home", "volume_up": "volumeUp", "volume_down": "volumeDown"}
_TYPED: Mapping[str, str] = {"enter": "\n", "delete": "\b", "tab": "\t"}
_ABSENT = ("menu", "search", "escape")
_BARS = "type IN {'XCUIElementTypeNavigationBar', 'XCUIElementTypeAlert'} AND visible == 1"
_IN_BARS = "**/XCUIElementTypeNavigationBar[`visible == 1`]/XCUIElementTypeButton"
_BACK = ("BackButton", "Back")  # what UIKit calls its own, from iOS 16 on and before
_AT_EDGE = 1.0  # points; a button that an app puts there stands 8 or more from the edge
# Keys that do nothing but hide the keyboard, in the names that iOS gives them.
_HIDING = ("Hide keyboard", "Done", "Dismiss", "Fertig", "Terminé", "Listo", "Fine", "完了", "完成")
# The return key of a field with no business of its own ends the editing; Go, Search, Send, Join and such do more.
_PLAIN_RETURN = ("return", "Return", "done", "Done")
_ONE_LINE = ("TextField", "SecureTextField", "SearchField")


class IosKeyboard(IosText):
    def press_key(self, key: Key) -> None:
        """``enter``, ``delete`` and ``tab`` are the keyboard's, which must be up. ``back`` is the back button of
        the navigation bar, ``power`` locks the phone or wakes it."""
        if key in _BUTTONS:
            self._link.post("wda/pressButton", {"name": _BUTTONS[key]})
        elif key in _TYPED:
            self._press_typed(key)
        elif key == "power":
            self._link.tell("wda/unlock" if self._link.ask("wda/locked") is True else "wda/lock")
        elif key == "back":
            self._go_back()
        else:
            known = ", ".join(sorted([*_BUTTONS, *_TYPED, "back", "power"]))
            why = "an iPhone has none" if key in _ABSENT else "no such key"
            raise UsageError(f"press_key({key!r}) on {self._link.name}: {why}. There are: {known}.")

    def hide_keyboard(self) -> None:
        """By a key that hides it, or by a plain return key in a field of one line. Raises ``UsageError`` where the
        keyboard has neither: every other way to be rid of it does something else as well."""
        if not self.keyboard_shown():
            return
        if not self._dismissed():
            self._return_plainly()
        deadline = time.monotonic() + HIDE_SECONDS
        while self.keyboard_shown():
            if time.monotonic() >= deadline:
                raise self._cannot_hide(f"it stayed for {HIDE_SECONDS:g} s")
            time.sleep(_LOOK_EVERY)

    def _dismissed(self) -> bool:
        try:
            self._link.post("wda/keyboard/dismiss", {"keyNames": list(_HIDING)})
        except Refused:  # none of these keys is there
            return False
        return True

    def _press_typed(self, key: str) -> None:
        if not self.keyboard_shown():
            raise UsageError(
                f"press_key({key!r}) on {self._link.name}: no keyboard is up. Nothing was pressed; focus a field "
                "first."
            )
        self._link.post("wda/keys", {"value": [_TYPED[key]]})

    def _go_back(self) -> None:
        """The last bar is the one on top: a sheet has a bar of its own, over that of the screen behind it. An
        alert is over them all."""
        shown = [Element.of(self._link, found) for found in self._link.find("predicate string", _BARS)]
        if not shown or any(each.kind(self._link) == "Alert" for each in shown):
            raise self._no_way_back("an alert is up" if shown else "no navigation bar is on the screen")
        bar = shown[-1].rect(self._link)
        found = [Element.of(self._link, each) for each in self._link.find("class chain", _IN_BARS)]
        buttons = [each for each in found if _lies_in(each.rect(self._link), bar)]
        back = next((each for each in buttons if self._is_back(each, bar)), None)
        if back is None:
            labels = ", ".join(repr(each.attribute(self._link, "label")) for each in buttons)
            has = f"no back button, but {labels}" if labels else "no button"
            raise self._no_way_back(f"its navigation bar has {has}")
        self._link.post(f"element/{back.id}/click")

    def _is_back(self, button: Element, bar: Mapping[str, float]) -> bool:
        """By UIKit's own name; where the name is the last screen's title, by the place at the very edge."""
        if button.attribute(self._link, "name") in _BACK or button.attribute(self._link, "label") in _BACK:
            return True
        return abs(_side(button.rect(self._link), "x") - _side(bar, "x")) < _AT_EDGE

    def _no_way_back(self, seen: str) -> UsageError:
        return UsageError(
            f"press_key('back') on {self._link.name}: an iPhone has no back key, and {seen}. Nothing was pressed. "
            "Tap what leads back, answer the dialog that is up, or swipe from the left edge."
        )

    def _return_plainly(self) -> None:
        field = self._focused()
        if field is None or field.kind(self._link) not in _ONE_LINE:
            raise self._cannot_hide("it has no key that hides it, and return would add a line")
        names = ", ".join(f"'{name}'" for name in _PLAIN_RETURN)
        chain = (
            f"**/XCUIElementTypeKeyboard/**/XCUIElementTypeButton[`name IN {{{names}}} OR label IN {{{names}}}`]"
        )
        if not self._link.find("class chain", chain):
            raise self._cannot_hide("it has no key that hides it, and its return key does more than that")
        self._link.post("wda/keys", {"value": ["\n"]})

    def _cannot_hide(self, why: str) -> UsageError:
        return UsageError(
            f"hide_keyboard on {self._link.name}: the keyboard cannot be hidden: {why}. Next: press_key('enter') "
            "where that is meant, or tap or scroll where the app hides it."
        )


def _lies_in(button: Mapping[str, float], bar: Mapping[str, float]) -> bool:
    """A tablet may have two bars side by side."""
    return all(
        _side(bar, at) <= _side(button, at) < _side(bar, at) + _side(bar, size)
        for at, size in (("x", "width"), ("y", "height"))
    )


def _side(rect: Mapping[str, float], name: str) -> float:
    value = rect.get(name)
    return float(value) if isinstance(value, (int, float)) else 0.0
