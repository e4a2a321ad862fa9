"""Phones and apps made ready: build, emulators and shared phones of a run; app, settings and reset
of a phone."""

# mypy: implicit-reexport
from __future__ import annotations

from typing import TYPE_CHECKING

from ..lazy_names import lazy_names

if TYPE_CHECKING:
    from .pools import (
        PhonePreparation,
        check_reset,
        note_resources,
        phones_of,
        reset_phone,
        resources_of,
        run_command,
    )
    from .run_setup import RunSetup, app_line, serve_phones

__getattr__, __dir__ = lazy_names(__name__)
