"""A phone on the desk: whether the drivers keep their contract on it, and what its screens are
like."""

# mypy: implicit-reexport
from __future__ import annotations

from typing import TYPE_CHECKING

from ..model import lazy_names

if TYPE_CHECKING:
    from .capture import (
        LIBRARIES,
        README,
        Capture,
        CapturedScreen,
        Means,
        ProofRow,
        Reached,
        read_capture,
        redacted,
        taped,
    )
    from .collector import Collector
    from .learned import Learned, facts_of, learn, refused_in, write_profile
    from .proof import Proof
    from .recording import GUIDE, Glass, Recording, Touch
    from .tour import EXTRAS

__getattr__, __dir__ = lazy_names(__name__)
