"""The processes of Android itself."""

from __future__ import annotations

from collections.abc import Sequence

from ...profile import Profile
from ..system_dialog import SystemDialog
from .permissions import CONTROLLER

SYSTEM_PROCESSES = {
    "init": 1,
    "zygote64": 612,
    "adbd": 798,
    "system_server": 1402,
    "com.android.systemui": 1733,
    Profile.keyboard.partition("/")[0]: 2051,
}
CONTROLLER_PID = 2364  # of the permission controller, which runs while it asks


def processes(dialogs: Sequence[SystemDialog]) -> dict[str, int]:
    asking = any(each.package == CONTROLLER for each in dialogs)
    return {**SYSTEM_PROCESSES, CONTROLLER: CONTROLLER_PID} if asking else SYSTEM_PROCESSES
