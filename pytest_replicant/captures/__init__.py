"""What a phone showed and said while it was proven or recorded: one zip file, made here and read back here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..lazy_names import lazy_names

if TYPE_CHECKING:
    from .archive import (
        Answer,
        Capture,
        CapturedScreen,
        ProofRow,
        Reached,
        Refusal,
        Timing,
        read_capture,
        write_capture,
    )
    from .learned import Learned, learn, write_profile

__getattr__, __dir__ = lazy_names(__name__)
