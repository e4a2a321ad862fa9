"""Drivers of Android phones and iPhones, the contract that they keep, and the base of a driver of one's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..lazy_names import lazy_names

if TYPE_CHECKING:
    from .android.adb import AdbPhone, AdbServer, KnownPhone, known_phones
    from .android.apps import ONE_INSTEAD, SEVERAL
    from .android.command import Ended, ask, server_version
    from .android.driver import AndroidDriver
    from .android.permissions import ANDROID_DIALOGS
    from .base import (
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
        Platform,
        ShellOutput,
        SystemDialogs,
        Traits,
        traits_of,
    )
    from .base_driver import BaseDriver
    from .ios.answers import Refused, is_status
    from .ios.apps import IOS_DIALOGS
    from .ios.driver import IosDriver, read_facts
    from .ios.link import Link
    from .ios.screen import read_screen
    from .translate import foreign_errors

__getattr__ = lazy_names(
    __name__,
    {
        "android.adb": "AdbPhone AdbServer KnownPhone known_phones",
        "android.apps": "ONE_INSTEAD SEVERAL",
        "android.command": "Ended ask server_version",
        "android.driver": "AndroidDriver",
        "android.permissions": "ANDROID_DIALOGS",
        "base": (
            "AppInFront AppStatus Capability CrashLog DeviceInfo Driver FocusedField Key LogMark "
            "Orientation PermissionAnswer Platform ShellOutput SystemDialogs Traits traits_of"
        ),
        "base_driver": "BaseDriver",
        "ios.answers": "Refused is_status",
        "ios.apps": "IOS_DIALOGS",
        "ios.driver": "IosDriver read_facts",
        "ios.link": "Link",
        "ios.screen": "read_screen",
        "translate": "foreign_errors",
    },
)
