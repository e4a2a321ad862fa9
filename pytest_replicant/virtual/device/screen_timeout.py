"""``ScreenTimeout``: the screen of an Android phone goes dark if no one touches it for long
enough."""

from __future__ import annotations

from ..app_kit.timers import Timers
from ..system.settings import SettingsStore
from .display import Display

PLUGS = {"AC powered": 1, "USB powered": 2, "Wireless powered": 4, "Dock powered": 8}
"""Bits of ``stay_on_while_plugged_in``, by the words of ``dumpsys battery`` (AOSP
``BatteryManager``)."""
CONNECTED = "USB powered"  # a phone on its desk


class ScreenTimeout:
    """``screen_off_timeout`` milliseconds after the last touch or key, unless the phone is plugged
    in and to stay on. Reading the hierarchy, setting a text by accessibility and starting an app
    are no user activity; a plug is. As in AOSP's
    ``services/core/java/com/android/server/power/PowerManagerService.java``."""

    def __init__(self, settings: SettingsStore, timers: Timers, display: Display) -> None:
        self._settings = settings
        self._timers = timers
        self._display = display
        self._since = timers.now

    def activity(self) -> None:
        """Someone touched it."""
        self._since = self._timers.now

    def settle(self) -> None:
        """Turns the screen off if its time is over."""
        length = self._settings.get("system", "screen_off_timeout") or ""
        over = length.isdecimal() and self._timers.now - self._since >= int(length) / 1000
        if over and self._display.awake and not self.stays_on:
            self._display.wake(False)

    @property
    def stays_on(self) -> bool:
        wanted = self._settings.get("global", "stay_on_while_plugged_in") or ""
        return bool(
            wanted.isdecimal()
            and int(wanted) & sum(bit for name, bit in PLUGS.items() if self._in(name))
        )

    @property
    def is_powered(self) -> bool:
        return any(map(self._in, PLUGS))

    def _in(self, plug: str) -> bool:
        return (self._settings.get("battery", plug) or str(plug == CONNECTED).lower()) == "true"
