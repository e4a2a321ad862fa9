"""One screen: from the bytes that a phone prints to elements with refs, and what can be asked of them.

In this order, each room knowing those before it: ``text``, ``parsers``, ``screen``, ``naming``, ``identity``; then
``showing`` on one side, ``finding`` and ``advising`` on the other, which know nothing of each other; and
``snapshot`` in front of them all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..lazy_names import lazy_names

if TYPE_CHECKING:
    from .finding.grammar import check, parts
    from .identity.keys import content
    from .identity.memory import Memory
    from .identity.refs import is_ref
    from .naming.values import number_in
    from .screen.overlays import DISMISSES
    from .screen.scrolling import scrolls
    from .screen.touching import Cover
    from .showing.diff import SnapshotDiff
    from .showing.outline_difference import difference
    from .showing.outline_text import OutlineText, read_outline
    from .snapshot import Snapshot
    from .text.masking import mask_numbers, mask_progress

__getattr__ = lazy_names(
    __name__,
    {
        "finding.grammar": "check parts",
        "identity.keys": "content",
        "identity.memory": "Memory",
        "identity.refs": "is_ref",
        "naming.values": "number_in",
        "screen.overlays": "DISMISSES",
        "screen.scrolling": "scrolls",
        "screen.touching": "Cover",
        "showing.diff": "SnapshotDiff",
        "showing.outline_difference": "difference",
        "showing.outline_text": "OutlineText read_outline",
        "snapshot": "Snapshot",
        "text.masking": "mask_numbers mask_progress",
    },
)
