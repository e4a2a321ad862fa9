"""Keyboards of others that type what a broadcast says: uiautomator2's AdbKeyboard, and ADBKeyBoard.

As AdbKeyboard.java of openatx/android-uiautomator-server and AdbIME.java of senzhk/ADBKeyBoard have it: they
listen while they are the input method in use, and the field is the one that has the focus.
"""

from __future__ import annotations

import base64
import binascii
import contextlib
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from .intent import Intent

if TYPE_CHECKING:
    from ...device.phone import VirtualPhone

ADB_KEYBOARD, ADB_IME = "com.github.uiautomator/.AdbKeyboard", "com.android.adbkeyboard/.AdbIME"
KEYBOARDS = (ADB_KEYBOARD, ADB_IME)
_OK, _CANCELED = -1, 0
_Act = Callable[["VirtualPhone", Intent], str]


def answer(phone: VirtualPhone, intent: Intent) -> tuple[int, str] | None:
    """Result code and data; None if no keyboard in use listens to it."""
    method = phone.settings.get("secure", "default_input_method") or ""
    act = _ACTIONS.get(method, {}).get(intent.action)
    if act is None or phone.packages.get(method.partition("/")[0]) is None:
        return None
    if method == ADB_IME:  # it sets no result, whatever came of it
        with contextlib.suppress(binascii.Error, UnicodeDecodeError):
            if _focused(phone):
                act(phone, intent)
        return _CANCELED, ""
    if not _focused(phone) and intent.action != "ADB_KEYBOARD_HIDE":
        return _OK, intent.action  # no InputConnection
    try:
        return _OK, act(phone, intent)
    except (binascii.Error, UnicodeDecodeError):
        return _CANCELED, "error:bad base-64"


def _focused(phone: VirtualPhone) -> bool:
    return phone.input_type != 0


def _clear(phone: VirtualPhone, _intent: Intent) -> str:
    for node in [node for window in phone.windows() for node in window.root.walk() if node.focused]:
        phone.set_text(node, "")
    return ""


def _types(extra: str, *, encoded: bool, cleared: bool = False) -> _Act:
    def act(phone: VirtualPhone, intent: Intent) -> str:
        given = intent.extras.get(extra, "")
        text = base64.b64decode(given, validate=True).decode() if encoded else given
        if cleared:
            _clear(phone, intent)
        phone.type_text(text)
        return "" if extra in intent.extras or cleared else intent.action

    return act


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


def _clipboard(phone: VirtualPhone, _intent: Intent) -> str:
    return base64.b64encode((phone.clipboard or "").encode()).decode()


_ACTIONS: Mapping[str, Mapping[str, _Act]] = {
    ADB_KEYBOARD: {
        "ADB_KEYBOARD_INPUT_TEXT": _types("text", encoded=True),
        "ADB_KEYBOARD_SET_TEXT": _types("text", encoded=True, cleared=True),
        "ADB_KEYBOARD_CLEAR_TEXT": _clear,
        "ADB_KEYBOARD_INPUT_KEYCODE": _key,
        "ADB_KEYBOARD_EDITOR_CODE": _editor_action,
        "ADB_KEYBOARD_SMART_ENTER": _enter,
        "ADB_KEYBOARD_GET_CLIPBOARD": _clipboard,
        "ADB_KEYBOARD_HIDE": _hide,
        "ADB_KEYBOARD_SHOW": lambda _phone, _intent: "",
    },
    ADB_IME: {
        "ADB_INPUT_TEXT": _types("msg", encoded=False),
        "ADB_INPUT_B64": _types("msg", encoded=True),
        "ADB_CLEAR_TEXT": _clear,
        "ADB_INPUT_CODE": _key,
        "ADB_EDITOR_CODE": _editor_action,
    },
}
