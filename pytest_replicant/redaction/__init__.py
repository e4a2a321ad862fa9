"""Redaction: a walk over all that has texts, and what becomes of a text: a mask, or other words for its words."""

# mypy: implicit-reexport
from __future__ import annotations

from typing import TYPE_CHECKING

from ..lazy_names import lazy_names

if TYPE_CHECKING:
    from .hierarchies import ENTER_KEYS, rewritten, said_in
    from .masks import PATHS, masked_attachment, masked_record, masked_source, masked_value, masks_of
    from .stand_ins import StandIns
    from .strangers import ForStrangers
    from .walk import ITEM, KEY, Place, every_text, every_value, texts_in, walked
    from .words import Words

__getattr__, __dir__ = lazy_names(__name__)
