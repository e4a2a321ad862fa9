"""The processes of Android itself."""

from __future__ import annotations

from collections.abc import Sequence

from ...profile import Profile
from ..system_dialog import SystemDialog
from .askers import ASKERS

SYSTEM_PROCESSES = {
    "init": 1,
    "zygote64": 612,
    "adbd": 798,
    "system_server": 1402,
    "com.android.systemui": 1733,
    Profile.keyboard.partition("/")[0]: 2051,
}
ASKER_PID = 2364  # of whoever asks for permissions, which runs while it does
_ASKERS = {asker.package for asker in ASKERS.values()}


def processes(dialogs: Sequence[SystemDialog]) -> dict[str, int]:
    asking = {each.package: ASKER_PID for each in dialogs if each.package in _ASKERS}
    return {**SYSTEM_PROCESSES, **asking} if asking else SYSTEM_PROCESSES
