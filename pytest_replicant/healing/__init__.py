"""Locators that no longer find their element: found again by identity, and proposed as a patch to
review."""

# mypy: implicit-reexport
from __future__ import annotations

from typing import TYPE_CHECKING

from ..lazy_names import lazy_names

if TYPE_CHECKING:
    from .healer import Failed, Healed, Healing, Refused, heal
    from .proposing import Known, Proposal, propose
    from .refinding import Refound, refind
    from .refusal import NEXT, Refusal
    from .sources import Literal, Source

__getattr__, __dir__ = lazy_names(__name__)
