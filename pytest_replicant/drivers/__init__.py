"""The room drivers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..lazy_names import lazy_names

if TYPE_CHECKING:
    from .android.adb import AdbPhone, AdbServer, KnownPhone, known_phones
    from .android.command import Ended
    from .android.driver import AndroidDriver
    from .android.package_files import ONE_INSTEAD, SEVERAL
    from .android.plain_shell import ask, server_version
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
    from .ios.answers import Refused, is_status
    from .ios.driver import IosDriver
    from .ios.facts import read_facts, read_screen
    from .ios.link import Link, wda_client
    from .translate import foreign_errors

__getattr__ = lazy_names(
    __name__,
    {
        "android.adb": "AdbPhone AdbServer KnownPhone known_phones",
        "android.command": "Ended",
        "android.driver": "AndroidDriver",
        "android.package_files": "ONE_INSTEAD SEVERAL",
        "android.plain_shell": "ask server_version",
        "base": (
            "AppInFront AppStatus Capability CrashLog DeviceInfo Driver FocusedField Key LogMark "
            "Orientation PermissionAnswer Platform ShellOutput SystemDialogs Traits traits_of"
        ),
        "ios.answers": "Refused is_status",
        "ios.driver": "IosDriver",
        "ios.facts": "read_facts read_screen",
        "ios.link": "Link wda_client",
        "translate": "foreign_errors",
    },
)
