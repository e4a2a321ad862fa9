"""Methods for the phone as a whole: keys, rotation, toasts."""

from __future__ import annotations

from typing import Literal

from .automation import Automation
from .object_info import device_info
from .rpc import Method, Result, look

KEYS = {
    "back": "BACK",
    "camera": "CAMERA",
    "center": "DPAD_CENTER",
    "del": "DEL",
    "delete": "DEL",
    "down": "DPAD_DOWN",
    "enter": "ENTER",
    "home": "HOME",
    "left": "DPAD_LEFT",
    "menu": "MENU",
    "power": "POWER",
    "recent": "APP_SWITCH",
    "right": "DPAD_RIGHT",
    "search": "SEARCH",
    "up": "DPAD_UP",
    "volume_down": "VOLUME_DOWN",
    "volume_mute": "VOLUME_MUTE",
    "volume_up": "VOLUME_UP",
}
ROTATIONS = {"n": 0, "l": 1, "u": 2, "r": 3}  # natural, left, upsidedown, right


def info(automation: Automation) -> Result:
    return device_info(automation.phone)


async def ping(automation: Automation) -> Result:
    return "pong"


# --- keys -----------------------------------------------------------------------------------------
async def press_key(automation: Automation, name: str) -> Result:
    """By the client's own names, such as ``back``; False for any other."""
    key = KEYS.get((name or "").lower())
    return key is not None and await press_key_code(automation, key)


async def press_key_code(automation: Automation, key: str | int, meta: int = 0) -> bool:
    """Of the keys that are held, shift has an effect."""
    await automation.inject()
    return await automation.on_phone(lambda: automation.phone.press_key(key, meta))


def _key(name: str, key: str, answer: Literal[True] | None) -> Method:
    """A method that presses a key, and answers the same in any case."""

    async def press(automation: Automation) -> Result:
        return await press_key_code(automation, key) and answer

    return Method(name, (), press, "")


def no_quick_settings(automation: Automation) -> Result:
    return False


# --- rotation -------------------------------------------------------------------------------------
def freeze_rotation(automation: Automation, frozen: bool) -> Result:
    automation.phone.settings.put("system", "accelerometer_rotation", "0" if frozen else "1")
    return None


def set_orientation(automation: Automation, name: str) -> Result:
    """``natural``, ``left``, ``right`` or ``upsidedown``, or the first letter; anything else does
    nothing."""
    rotation = ROTATIONS.get((name or "").lower()[:1])
    if rotation is not None:
        automation.phone.set_rotation(rotation)
    return None


# --- toasts ---------------------------------------------------------------------------------------
def last_toast(automation: Automation) -> Result:
    return automation.phone.last_toast


def clear_last_toast(automation: Automation) -> Result:
    automation.phone.last_toast = None
    return None


def no_traversed_text(automation: Automation) -> Result:
    """Null: text is only traversed with a screen reader on."""
    return None


METHODS = (
    Method("ping", (), ping, ""),
    look("deviceInfo", (), info),
    _key("wakeUp", "WAKEUP", None),
    _key("sleep", "SLEEP", None),
    _key("openNotification", "NOTIFICATION", True),
    look("openQuickSettings", (), no_quick_settings),
    Method("pressKey", ("text",), press_key, ""),
    Method("pressKeyCode", ("int",), press_key_code, ""),
    Method("pressKeyCode", ("int", "int"), press_key_code, ""),
    look("freezeRotation", ("boolean",), freeze_rotation),
    look("setOrientation", ("text",), set_orientation),
    look("getLastToast", (), last_toast),
    look("clearLastToast", (), clear_last_toast),
    look("getLastTraversedText", (), no_traversed_text),
    look("clearLastTraversedText", (), no_traversed_text),
)
