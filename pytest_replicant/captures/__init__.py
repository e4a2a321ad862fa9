"""What a phone showed and said while it was proven or recorded: one zip file, made here and read back here."""

# mypy: implicit-reexport
from __future__ import annotations

from typing import TYPE_CHECKING

from ..lazy_names import lazy_names

if TYPE_CHECKING:
    from .archive import (
        Capture,
        CapturedScreen,
        Means,
        ProofRow,
        Reached,
        entries,
        read_capture,
        write_capture,
    )
    from .learned import PROPERTIES, Learned, facts_of, learn, refused_in, write_profile
    from .redaction import redacted

__getattr__, __dir__ = lazy_names(__name__)
