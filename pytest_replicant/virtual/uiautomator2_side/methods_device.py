"""Methods for the phone as a whole: keys, rotation, toasts, idleness, settings of the server itself."""

from __future__ import annotations

from .automation import LONGEST_WAIT, Automation
from .failures import java_exception, parameters_invalid
from .object_info import device_info
from .rpc import Method, Result

QUIET = 0.5  # seconds without a change after which UI Automator takes the phone for idle
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
ROTATIONS = {
    "natural": 0,
    "n": 0,
    "left": 1,
    "l": 1,
    "upsidedown": 2,
    "u": 2,
    "right": 3,
    "r": 3,
}


async def info(automation: Automation) -> Result:
    await automation.phone.pace.take("rpc")
    return await automation.on_phone(lambda: device_info(automation.phone))


async def ping(automation: Automation) -> Result:
    return "pong"


async def is_screen_on(automation: Automation) -> Result:
    await automation.phone.pace.take("rpc")
    return automation.phone.awake


# --- keys -------------------------------------------------------------------------------------------------
async def press_key(automation: Automation, name: str) -> Result:
    """By the client's own names, such as ``back``; False for any other."""
    key = KEYS.get((name or "").lower())
    return key is not None and await _press(automation, key)


async def press_key_code(automation: Automation, code: int) -> Result:
    return await _press(automation, code)


async def press_key_code_with(automation: Automation, code: int, meta: int) -> Result:
    """Of the keys that are held, shift has an effect."""
    return await _press(automation, code, meta)


async def wake_up(automation: Automation) -> Result:
    await _press(automation, "WAKEUP")
    return None


async def sleep(automation: Automation) -> Result:
    await _press(automation, "SLEEP")
    return None


async def open_notification(automation: Automation) -> Result:
    return await _press(automation, "NOTIFICATION")


async def open_quick_settings(automation: Automation) -> Result:
    """False: the phone has no quick settings."""
    await automation.phone.pace.take("rpc")
    return False


async def _press(automation: Automation, key: str | int, meta: int = 0) -> bool:
    await automation.inject()
    return await automation.on_phone(lambda: automation.phone.press_key(key, meta))


# --- rotation ---------------------------------------------------------------------------------------------
async def freeze_rotation(automation: Automation, frozen: bool) -> Result:
    await automation.phone.pace.take("rpc")
    value = "0" if frozen else "1"
    await automation.on_phone(lambda: automation.phone.settings.put("system", "accelerometer_rotation", value))
    return None


async def set_orientation(automation: Automation, name: str) -> Result:
    """``natural``, ``left``, ``right`` or ``upsidedown``, or the first letter; anything else does nothing."""
    await automation.phone.pace.take("rpc")
    rotation = ROTATIONS.get((name or "").lower())
    if rotation is not None:
        await automation.on_phone(lambda: automation.phone.set_rotation(rotation))
    return None


# --- toasts, apps -----------------------------------------------------------------------------------------
async def last_toast(automation: Automation) -> Result:
    await automation.phone.pace.take("rpc")
    return await automation.on_phone(lambda: automation.phone.last_toast)


async def clear_last_toast(automation: Automation) -> Result:
    await automation.phone.pace.take("rpc")

    def clear() -> None:
        automation.phone.last_toast = None

    await automation.on_phone(clear)
    return None


async def launch_app(automation: Automation, package: str) -> Result:
    await automation.phone.pace.take("launch")

    def launch() -> bool:
        try:
            automation.phone.start_app(package)
        except LookupError:
            return False
        return True

    return await automation.on_phone(launch)


async def no_traversed_text(automation: Automation) -> Result:
    """Null: text is only traversed with a screen reader on."""
    await automation.phone.pace.take("rpc")
    return None


# --- idleness, settings -----------------------------------------------------------------------------------
async def wait_for_idle(automation: Automation, timeout_ms: int) -> Result:
    """Until the screen has stood still for half a second, or the time is up; both look the same."""
    await automation.phone.pace.take("rpc")
    now = automation.phone.pace.now
    end = now() + min(max(timeout_ms, 0) / 1000, LONGEST_WAIT)
    version = await automation.on_phone(automation.phone.version)
    while await automation.change_from(version, min(end, now() + QUIET)):
        version = await automation.on_phone(automation.phone.version)
    return None


async def wait_for_window_update(automation: Automation, package: str | None, timeout_ms: int) -> Result:
    """Whether the screen changed in time, with ``package`` in front where one is named."""
    await automation.phone.pace.take("rpc")
    phone = automation.phone
    before = await automation.on_phone(phone.version)
    return await automation.wait_until(
        lambda: phone.version() != before and (not package or phone.foreground()[0] == package), timeout_ms
    )


async def get_configurator(automation: Automation) -> Result:
    await automation.phone.pace.take("rpc")
    return dict(automation.configuration)


async def set_configurator(automation: Automation, given: dict[str, object]) -> Result:
    """Stored and given back. The phone never waits to be idle, so that nothing else comes of it."""
    await automation.phone.pace.take("rpc")
    for name, value in given.items():
        if name not in automation.configuration:
            raise parameters_invalid(f'Unrecognized field "{name}" (class ConfiguratorInfo)')
        if isinstance(value, bool) or not isinstance(value, int):
            raise java_exception("java.lang.IllegalArgumentException", f"{name}: {value!r} is no number")
        automation.configuration[name] = value
    return dict(automation.configuration)


METHODS = (
    Method("ping", (), ping),
    Method("deviceInfo", (), info),
    Method("isScreenOn", (), is_screen_on),
    Method("wakeUp", (), wake_up),
    Method("sleep", (), sleep),
    Method("pressKey", ("text",), press_key),
    Method("pressKeyCode", ("int",), press_key_code),
    Method("pressKeyCode", ("int", "int"), press_key_code_with),
    Method("openNotification", (), open_notification),
    Method("openQuickSettings", (), open_quick_settings),
    Method("freezeRotation", ("boolean",), freeze_rotation),
    Method("setOrientation", ("text",), set_orientation),
    Method("getLastToast", (), last_toast),
    Method("clearLastToast", (), clear_last_toast),
    Method("launchApp", ("text",), launch_app),
    Method("getLastTraversedText", (), no_traversed_text),
    Method("clearLastTraversedText", (), no_traversed_text),
    Method("waitForIdle", ("long",), wait_for_idle),
    Method("waitForWindowUpdate", ("text", "long"), wait_for_window_update),
    Method("getConfigurator", (), get_configurator),
    Method("setConfigurator", ("settings",), set_configurator),
)
