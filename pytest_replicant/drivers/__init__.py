"""Drivers of Android phones and iPhones, the contract that they keep, and the base of a driver of
one's own."""

# mypy: implicit-reexport
from __future__ import annotations

from typing import TYPE_CHECKING

from ..model import lazy_names

if TYPE_CHECKING:
    from .android.adb import Ended, Followed, KnownPhone, ask, known_phones, server_version
    from .android.apps import ANDROID_DIALOGS
    from .android.driver import AndroidDriver
    from .android.link import ObjectNotFound
    from .android.screen import OWN_FOLDER, quarter_turns
    from .base import (
        INSTEAD,
        Appearance,
        AppInFront,
        AppStatus,
        Capability,
        CrashLog,
        DeviceInfo,
        Driver,
        FocusedField,
        Key,
        LogMark,
        Orientation,
        PermissionAnswer,
        PictureListener,
        Platform,
        ShellOutput,
        SystemDialogs,
        Traits,
        device_name,
        phone_name,
        scale_of,
        system_name,
    )
    from .base_driver import BaseDriver, Exchange, OurDriver
    from .checks import ONE_INSTEAD, SEVERAL, is_whole_png, png_size
    from .ios.answers import Refused, is_status
    from .ios.apps import IOS_DIALOGS
    from .ios.driver import IosDriver, read_facts
    from .ios.link import Link, Release
    from .ios.screen import Screen, read_screen
    from .relay import METHODS, Kind, Method, Relay, Relayed, log_of

__getattr__, __dir__ = lazy_names(__name__)
