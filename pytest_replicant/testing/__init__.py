"""For people who extend the package: a virtual phone in a test's own time, checks of drivers and policies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..clock import ManualClock, SharedClock, SystemClock
from ..lazy_names import lazy_names

if TYPE_CHECKING:
    from .virtual import VirtualDevice, virtual_device, virtual_session

__getattr__ = lazy_names(
    __name__,
    {"virtual": "VirtualDevice virtual_device virtual_session"},
)
