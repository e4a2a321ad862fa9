"""Tools for tests of extensions: contracts of drivers and policies, a virtual phone in a test's own
time."""

from __future__ import annotations

from ..model import lazy_names

TYPE_CHECKING = False  # as type checkers read it
if TYPE_CHECKING:
    from ..model import ManualClock, SharedClock, SystemClock
    from ..virtual import Latency
    from .contract import DriverClause, DriverScene, Installable, Verdict, judge
    from .driver_check import DRIVER_CLAUSES, DriverCheckFailed, check_driver
    from .policy_check import check_policy
    from .virtual.phone import VirtualDevice, virtual_device, virtual_session

__all__ = [
    "DRIVER_CLAUSES",
    "DriverCheckFailed",
    "DriverClause",
    "DriverScene",
    "Installable",
    "Latency",
    "ManualClock",
    "SharedClock",
    "SystemClock",
    "Verdict",
    "VirtualDevice",
    "check_driver",
    "check_policy",
    "judge",
    "virtual_device",
    "virtual_session",
]

_INSIDE = {
    "HOSTILE_TEXTS": ".driver_screen",
    "METHODS_NEEDING": ".driver_check",
    "capability_names": ".contract",
    "why_unsupported": ".driver_check",
}
__getattr__, __dir__ = lazy_names(__name__, _INSIDE)
