"""Snapshots: one screen, parsed from the bytes that a phone prints into elements with refs, and the
queries on it.

Each inner room knows only those before it: ``text``, ``parsers``, ``screen``, ``labels``,
``identity``, ``query``; then ``render`` and ``suggest``, which know nothing of each other; and
``snapshot`` in front of them all. ``render`` does not know ``query`` either."""

# mypy: implicit-reexport
from __future__ import annotations

from typing import TYPE_CHECKING

from ..model import lazy_names

if TYPE_CHECKING:
    from .identity.elements import Memory
    from .identity.picture import pictures_of, wordless
    from .identity.screen_key import content
    from .labels.labels import number_in
    from .parsers.dump import Dump
    from .parsers.hierarchy import read_hierarchy
    from .query.dotted import Word
    from .query.match import (
        as_found,
        check_selector,
        checked_ref,
        excludes,
        fits_label,
        fits_text,
        for_platform,
        nested,
        never_matches,
        selector_of,
    )
    from .render.diff import SnapshotDiff, toast_lines
    from .render.expected_outline import OutlineDifference, OutlineText, difference, read_outline
    from .screen.layout import Unreported, is_pane, scrolls, system_bars
    from .screen.reach import Cover
    from .screen.windows import DISMISSES, PERMISSION_PACKAGES, PERMISSION_SUFFIXES, asks_permission
    from .snapshot import Snapshot
    from .suggest.lookup import scroll_to, way_to
    from .suggest.proposal import Purpose, SelectorProposal
    from .suggest.spelling import is_slip
    from .text import (
        DOUBTFUL,
        clean,
        code_points,
        finds,
        first_alike,
        fits,
        has_part,
        is_icon,
        is_volatile,
        mask_numbers,
        mask_progress,
        mask_volatile,
        same_text,
        searches,
        shape,
    )

__getattr__, __dir__ = lazy_names(__name__)
