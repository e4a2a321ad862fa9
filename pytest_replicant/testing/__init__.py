"""Tools for tests of extensions: contracts of drivers and policies, a virtual phone in a test's own time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..clock import ManualClock, SharedClock, SystemClock
from ..lazy_names import lazy_names

if TYPE_CHECKING:
    from ..virtual import Latency
    from .contract import Broken, DriverClause, DriverScene, Installable, Verdict, capability_names, judge
    from .driver_check import DRIVER_CLAUSES, METHODS_NEEDING, DriverCheckFailed, check_driver, why_unsupported
    from .driver_screen import HOSTILE_TEXTS
    from .policy_check import (
        POLICY_CLAUSES,
        PolicyCheckFailed,
        PolicyClause,
        PolicyScene,
        check_policy,
        failures_of_every_kind,
        with_less_known,
    )
    from .virtual.phone import VirtualDevice, virtual_device, virtual_session

__all__ = [
    "DRIVER_CLAUSES",
    "HOSTILE_TEXTS",
    "METHODS_NEEDING",
    "POLICY_CLAUSES",
    "Broken",
    "DriverCheckFailed",
    "DriverClause",
    "DriverScene",
    "Installable",
    "Latency",
    "ManualClock",
    "PolicyCheckFailed",
    "PolicyClause",
    "PolicyScene",
    "SharedClock",
    "SystemClock",
    "Verdict",
    "VirtualDevice",
    "capability_names",
    "check_driver",
    "check_policy",
    "failures_of_every_kind",
    "judge",
    "virtual_device",
    "virtual_session",
    "why_unsupported",
    "with_less_known",
]

__getattr__, __dir__ = lazy_names(__name__)
