"""Redaction: a walk over all that has texts, and what becomes of a text: a mask, or other words for
its words."""

# mypy: implicit-reexport
from __future__ import annotations

from typing import TYPE_CHECKING

from ..model import lazy_names

if TYPE_CHECKING:
    from .stand_ins import ENTER_KEYS, ForStrangers, StandIns, Words, rewritten, said_in
    from .walk import (
        ITEM,
        KEY,
        PATHS,
        Place,
        every_text,
        every_value,
        masked_attachment,
        masked_record,
        masked_source,
        masked_value,
        masks_of,
        texts_in,
        walked,
    )

__getattr__, __dir__ = lazy_names(__name__)
