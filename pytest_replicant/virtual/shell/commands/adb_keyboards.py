"""uiautomator2's keyboard, which types what a broadcast says.

As AdbKeyboard.java of openatx/android-uiautomator-server has it: it listens while it is the input
method in use, and the field is the one that has the focus.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from .intent import Intent

if TYPE_CHECKING:
    from ...device.phone import VirtualPhone

ADB_KEYBOARD = "com.github.uiautomator/.AdbKeyboard"
_OK, _CANCELED = -1, 0
_Act = Callable[["VirtualPhone", Intent], str]


def answer(phone: VirtualPhone, intent: Intent) -> tuple[int, str] | None:
    """Result code and data; None if it is not in use, or does not listen to it."""
    method, act = phone.settings.get("secure", "default_input_method"), _ACTIONS.get(intent.action)
    if (
        act is None
        or method != ADB_KEYBOARD
        or phone.packages.get(ADB_KEYBOARD.partition("/")[0]) is None
    ):
        return None
    if phone.input_type == 0 and intent.action != "ADB_KEYBOARD_HIDE":
        return _OK, intent.action  # no InputConnection
    try:
        return _OK, act(phone, intent)
    except (binascii.Error, UnicodeDecodeError):
        return _CANCELED, "error:bad base-64"


def _clear(phone: VirtualPhone, _intent: Intent) -> str:
    for node in [node for window in phone.windows() for node in window.root.walk() if node.focused]:
        phone.set_text(node, "")
    return ""


def _types(phone: VirtualPhone, intent: Intent) -> str:
    phone.type_text(base64.b64decode(intent.extras.get("text", ""), validate=True).decode())
    return "" if "text" in intent.extras else intent.action


def _sets(phone: VirtualPhone, intent: Intent) -> str:
    _clear(phone, intent)
    _types(phone, intent)
    return ""


def _key(phone: VirtualPhone, intent: Intent) -> str:
    """``getIntExtra``: a number that was sent as text counts as none."""
    if "code" in intent.numbers:
        phone.press_key(intent.extras["code"])
    return ""


def _editor_action(phone: VirtualPhone, intent: Intent) -> str:
    if "code" in intent.numbers:
        phone.press_key("ENTER")
    return ""


def _enter(phone: VirtualPhone, _intent: Intent) -> str:
    phone.press_key("ENTER")
    return "Enter"


def _hide(phone: VirtualPhone, _intent: Intent) -> str:
    if phone.keyboard_shown:
        phone.press_key("BACK")
    return ""


_ACTIONS: Mapping[str, _Act] = {
    "ADB_KEYBOARD_INPUT_TEXT": _types,
    "ADB_KEYBOARD_SET_TEXT": _sets,
    "ADB_KEYBOARD_CLEAR_TEXT": _clear,
    "ADB_KEYBOARD_INPUT_KEYCODE": _key,
    "ADB_KEYBOARD_EDITOR_CODE": _editor_action,
    "ADB_KEYBOARD_SMART_ENTER": _enter,
    "ADB_KEYBOARD_GET_CLIPBOARD": lambda phone, _intent: base64.b64encode(
        (phone.clipboard or "").encode()
    ).decode(),
    "ADB_KEYBOARD_HIDE": _hide,
    "ADB_KEYBOARD_SHOW": lambda _phone, _intent: "",
}
