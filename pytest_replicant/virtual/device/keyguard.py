"""The lock screen of an Android phone: up once the screen was off, if it is not disabled."""

from __future__ import annotations

from ..system.settings import SettingsStore

_PRIVATE = "locksettings"  # a namespace that no client can name


class Keyguard:
    """A fresh phone has it disabled. ``shown`` is true behind a dark screen as well."""

    def __init__(self, settings: SettingsStore) -> None:
        self._settings = settings
        self.shown = False

    @property
    def disabled(self) -> bool:
        return self._settings.get("secure", "lockscreen.disabled") == "1"

    @property
    def pin(self) -> str:
        """ "" for a lock screen that a swipe opens."""
        return self._settings.get(_PRIVATE, "pin") or ""

    def set_pin(self, pin: str) -> None:
        """A pin, "" for none, has the lock screen shown from the next time that the screen goes
        dark."""
        self._settings.put(_PRIVATE, "pin", pin)
        self._settings.put("secure", "lockscreen.disabled", "0")

    def disable(self, disabled: bool) -> None:
        self._settings.put("secure", "lockscreen.disabled", str(int(disabled)))

    def went_dark(self) -> None:
        self.shown = self.shown or not self.disabled

    def dismiss(self) -> bool:
        """False if it asks for the pin."""
        self.shown = self.shown and bool(self.pin)
        return not self.shown
