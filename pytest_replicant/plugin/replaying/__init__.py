"""Running tests on a recording in place of a phone: which recording, how they end, what they may
not reach."""

# mypy: implicit-reexport
from __future__ import annotations

from typing import TYPE_CHECKING

from ...model import lazy_names

if TYPE_CHECKING:
    from .replaying import Replaying
    from .verdict import Ended, is_same, judged

__getattr__, __dir__ = lazy_names(__name__)
