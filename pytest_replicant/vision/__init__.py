"""Pictures of screens: read, marked, searched and compared. None of it asks a phone.

Pillow is imported with the first name that is asked for, what the extra ``[ocr]`` brings by the
first call."""

# mypy: implicit-reexport
from __future__ import annotations

from typing import TYPE_CHECKING

from ..model import lazy_names

if TYPE_CHECKING:
    from .compare import (
        FILLED,
        NEAR,
        Comparison,
        Kept,
        area_of,
        compare_pictures,
        is_plain,
        kept_png,
        lies_in,
        merged,
        read_kept,
        restless,
        touch,
    )
    from .contrast import Contrast, contrast_in, ratio_of
    from .icons import find_icon
    from .marks import CELLS, POSITIONS, Mark, cell_point, marked, with_grid
    from .picture import changed_share, fitted, is_drawn_on, opened, packed, scaled_to
    from .text import (
        Found,
        drawn_texts,
        find_text,
        has_ocr,
        joined_lines,
        nearest_texts,
        refuse_unreadable,
        unreadable,
    )

__getattr__, __dir__ = lazy_names(__name__)
