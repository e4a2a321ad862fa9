"""What ``settings get`` reads: ``SettingsStore``, with the values a fresh Android phone has.

Three public namespaces, ``system``, ``secure`` and ``global``; and private ones, which no client
can name, for what other services keep (properties that were set, app operations, the battery
whitelist).
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Literal

from ..profile import Profile

PUBLIC = ("system", "secure", "global")
Radio = Literal["airplane", "wifi", "data"]
RADIOS: dict[Radio, str] = {
    "airplane": "airplane_mode_on",
    "wifi": "wifi_on",
    "data": "mobile_data",
}
"""By radio, the setting in ``global`` that says whether it is on."""

DEFAULTS: dict[str, dict[str, str]] = {
    "system": {
        "accelerometer_rotation": "0",
        "user_rotation": "0",
        "font_scale": "1.0",
        "screen_brightness": "128",
        "screen_brightness_mode": "0",
        "show_touches": "0",
        "pointer_location": "0",
        "time_12_24": "24",
        "haptic_feedback_enabled": "1",
        "system_locales": "en-US",
        "volume_music": "5",
        "volume_ring": "5",
    },
    "secure": {
        "android_id": "7265706c6963616e",
        "bluetooth_name": "Virtual Phone",
        "show_ime_with_hard_keyboard": "1",
        "accessibility_enabled": "0",
        "location_mode": "3",
        "lockscreen.disabled": "1",
        "user_setup_complete": "1",
        "ui_night_mode": "1",
    },
    "global": {
        "adb_enabled": "1",
        "airplane_mode_on": "0",
        "animator_duration_scale": "1",
        "auto_time": "1",
        "auto_time_zone": "1",
        "bluetooth_on": "0",
        "boot_count": "1",
        "data_roaming": "0",
        "development_settings_enabled": "1",
        "device_name": "Virtual Phone",
        "device_provisioned": "1",
        "mobile_data": "1",
        "mode_ringer": "2",
        "package_verifier_enable": "1",
        "stay_on_while_plugged_in": "0",
        "transition_animation_scale": "1",
        "wifi_on": "1",
        "window_animation_scale": "1",
    },
}


def settings_of(profile: Profile) -> SettingsStore:
    own = {
        "system": {"screen_off_timeout": str(profile.screen_timeout * 1000)},
        "secure": {
            "default_input_method": profile.keyboard,
            "enabled_input_methods": profile.keyboard,
        },
    }
    if profile.autofill:
        own["secure"]["autofill_service"] = profile.autofill
    return SettingsStore(own)


class SettingsStore:
    """Namespaces of text values by name; ``own`` are those of this phone's maker. Thread-safe."""

    def __init__(self, own: Mapping[str, Mapping[str, str]]) -> None:
        self._lock = threading.Lock()
        self._fresh = {space: {**DEFAULTS[space], **own.get(space, {})} for space in PUBLIC}
        self._values: dict[str, dict[str, str]] = {
            space: dict(self._fresh[space]) for space in PUBLIC
        }

    def get(self, namespace: str, key: str) -> str | None:
        """None if it is unset."""
        with self._lock:
            return self._values.get(namespace, {}).get(key)

    def put(self, namespace: str, key: str, value: str) -> None:
        with self._lock:
            self._values.setdefault(namespace, {})[key] = value

    def delete(self, namespace: str, key: str) -> bool:
        """False if it was unset."""
        with self._lock:
            return self._values.get(namespace, {}).pop(key, None) is not None

    def list(self, namespace: str) -> list[tuple[str, str]]:
        """Names and values, by name."""
        with self._lock:
            return sorted(self._values.get(namespace, {}).items())

    def namespaces(self) -> tuple[str, ...]:
        """All that ever held a value, private ones too."""
        with self._lock:
            return tuple(sorted(self._values))

    def reset(self, namespace: str) -> None:
        """Back to what a fresh phone has."""
        with self._lock:
            self._values[namespace] = dict(self._fresh.get(namespace, {}))
