"""Commands about the device: buttons, lock, pasteboard, battery, keyboard."""

from __future__ import annotations

import base64
import binascii
from typing import Any

from .agent import Agent
from .failures import WdaError, invalid_argument, unknown_error
from .routes import Call, Command, Route, look
from .touch import press_now

BUTTONS = {"home": "HOME", "volumeup": "VOLUME_UP", "volumedown": "VOLUME_DOWN"}
CONSUMER_PAGE = 0x0C
USAGES = {0x40: "HOME", 0xE9: "VOLUME_UP", 0xEA: "VOLUME_DOWN", 0x30: "POWER"}
"""Of HID's consumer page."""
NO_DISMISSAL = (
    "Did not know how to dismiss the keyboard. Try to dismiss it in the way supported by your "
    "application under test."
)
DISMISSAL_SECONDS = 3.0
KEYBOARD_RISES = 1.0  # seconds that a keyboard may take to come up


def _press(key: str) -> Command:
    def act(call: Call) -> None:
        call.agent.phone.press_key(key)

    return look(act)


def press_button(call: Call) -> None:
    name = call.text("name")
    if name.lower() not in BUTTONS:
        known = "home, volumeUp, volumeDown"
        raise unknown_error(
            f"The button '{name}' is unknown. Only the following button names are supported: "
            f"{known}"
        )
    call.agent.phone.press_key(BUTTONS[name.lower()])


def io_event(call: Call) -> None:
    page, usage = int(call.number("page")), int(call.number("usage"))
    if page != CONSUMER_PAGE or usage not in USAGES:
        raise unknown_error(
            f"The HID event of page {page:#x} and usage {usage:#x} does nothing on this device"
        )
    call.agent.phone.press_key(USAGES[usage])


def locked(call: Call) -> bool:
    return not call.agent.phone.awake


async def battery(call: Call) -> Any:
    """Full, and on its cable."""
    return {"level": 1, "state": 3}


async def device_info(call: Call) -> Any:
    profile, settings = call.agent.phone.profile, call.agent.phone.settings
    return {
        "currentLocale": profile.locale.replace("-", "_"),
        "timeZone": "UTC",
        "name": profile.model,
        "model": "iPhone",
        "uuid": profile.serial,
        "thermalState": 0,
        "userInterfaceIdiom": 0,
        "userInterfaceStyle": "dark" if settings.get("secure", "ui_night_mode") == "2" else "light",
        "isSimulator": False,
    }


async def set_pasteboard(call: Call) -> Any:
    _plain_text_only(call)
    try:
        text = base64.b64decode(call.text("content"), validate=True).decode()
    except (binascii.Error, ValueError):
        raise invalid_argument("Cannot decode the pasteboard content from base64") from None
    call.agent.phone.clipboard = text


async def get_pasteboard(call: Call) -> Any:
    """In Base64."""
    _plain_text_only(call)
    return base64.b64encode((call.agent.phone.clipboard or "").encode()).decode()


def _plain_text_only(call: Call) -> None:
    kind = call.arguments.get("contentType", "plaintext")
    if kind != "plaintext":
        raise WdaError(
            "unsupported operation", f"the pasteboard holds plain text only, no '{kind}'"
        )


# --- the keyboard ---------------------------------------------------------------------------------
async def keys(call: Call) -> Any:
    """Every item of ``value``; a new line is the return key, ``\\b`` the delete key."""
    await _press_keys(call.agent, joined(call.arguments.get("value")))


def joined(value: object) -> str:
    """The text of an item or of a list of them; raises ``WdaError``."""
    items = value if isinstance(value, list) else [value]
    texts = [item for item in items if isinstance(item, str)]
    if len(texts) < max(len(items), 1):
        raise invalid_argument(f"'value' has to be a text or a list of texts, not {value!r:.200}")
    return "".join(texts)


async def type_text(agent: Agent, text: str) -> None:
    """Into a field that was just tapped, whose keyboard comes up meanwhile."""
    await agent.phone.pace.take("text")
    rises = min(agent.phone.latency.screen_change_ms / 1000 * 2, KEYBOARD_RISES)
    await agent.wait_until(lambda: agent.phone.keyboard_shown, rises)
    await _press_keys(agent, text)


async def _press_keys(agent: Agent, text: str) -> None:
    """Keys go to what has the keyboard. If nothing has, they go nowhere, and no one hears of it:
    what WebDriverAgent synthesizes since its version 9 asks for no keyboard (FBTypeText in
    FBKeyboard.m)."""

    def act() -> None:
        agent.active_now()
        for key, run in _runs(text):
            if agent.phone.keyboard_shown:
                _ = agent.phone.press_key(key) if key else agent.phone.type_text(run)

    await agent.on_phone(act)


def _runs(text: str) -> list[tuple[str, str]]:
    """Splits a text into runs of plain text and the keys between: (key, "") or ("", text)."""
    keys = {
        "\n": "ENTER",
        "\r": "ENTER",
        "\b": "DEL",
        "\x7f": "DEL",
        "\ue003": "DEL",
        "\ue007": "ENTER",
    }
    runs: list[tuple[str, str]] = []
    for glyph in text:
        if glyph in keys:
            runs.append((keys[glyph], ""))
        elif runs and not runs[-1][0]:
            runs[-1] = ("", runs[-1][1] + glyph)
        else:
            runs.append(("", glyph))
    return runs


async def dismiss_keyboard(call: Call) -> Any:
    """By a key of the keyboard, if ``keyNames`` has one that is there; there is no other way. It
    waits 3 s for the keyboard to go before it says so (XCUIApplication+FBHelpers.m
    fb_dismissKeyboardWithKeyNames)."""
    agent = call.agent
    names = call.arguments.get("keyNames") or []
    if not isinstance(names, list):
        raise invalid_argument("'keyNames' has to be a list of names")

    def act() -> None:
        tree = agent.tree_now()
        boards = [each for each in tree.walk() if each.type == "Keyboard"]
        found = [
            key
            for board in boards
            for key in board.walk()
            if key.name in names or key.label in names
        ]
        if found:
            press_now(agent, found[-1].frame.center)

    await agent.on_phone(act)
    patience = DISMISSAL_SECONDS if agent.phone.latency.gesture_ms else 0
    if not await agent.wait_until(lambda: not agent.phone.keyboard_shown, patience):
        raise WdaError("invalid element state", NO_DISMISSAL)


ROUTES = (
    Route("POST", "/wda/homescreen", _press("HOME"), "free", "gesture"),
    Route("POST", "/wda/pressButton", look(press_button), pace="gesture"),
    Route("POST", "/wda/performIoHidEvent", look(io_event), pace="gesture"),
    Route("POST", "/wda/lock", _press("SLEEP"), "both", "gesture"),
    Route("POST", "/wda/unlock", _press("WAKEUP"), "both", "gesture"),
    Route("GET", "/wda/locked", look(locked), "both"),
    Route("GET", "/wda/batteryInfo", battery),
    Route("GET", "/wda/device/info", device_info, "both"),
    Route("POST", "/wda/setPasteboard", set_pasteboard, "both"),
    Route("POST", "/wda/getPasteboard", get_pasteboard, "both"),
    Route("POST", "/wda/keys", keys, pace="text"),
    Route("POST", "/wda/keyboard/dismiss", dismiss_keyboard, pace="gesture"),
)
