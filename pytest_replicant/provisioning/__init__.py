"""Phones and apps made ready: build, emulators and shared phones of a run; app, settings and reset of a phone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..lazy_names import lazy_names

if TYPE_CHECKING:
    from .devices import KEPT, PhonePreparation, phones_of
    from .reset import check_reset, reset_phone
    from .run_setup import RunSetup, app_line

__getattr__ = lazy_names(
    __name__,
    {
        "devices": "KEPT PhonePreparation phones_of",
        "reset": "check_reset reset_phone",
        "run_setup": "RunSetup app_line",
    },
)
