"""Whether the screen says that it is not finished."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .labels import Labels
    from .layout import Layout

_STATUS = re.compile(r"(?:loading|please wait|just a moment|refreshing)\s*(?:…|\.{3})?", re.IGNORECASE)
_SPINNERS = ("ProgressBar", "ProgressIndicator", "ActivityIndicator", "LoadingView", "ProgressView")
_BAR_ASPECT = 3  # wider than that is a bar, which may show a finished download


def is_loading(layout: Layout, labels: Labels) -> bool:
    """A spinner, with or without text, or a text that says nothing but that it is loading."""
    for node in layout.nodes:
        if not layout.shown[node.index]:
            continue
        if node.class_name.endswith(_SPINNERS) and not node.text and not node.description:
            bounds = node.bounds
            if bounds.width < _BAR_ASPECT * max(bounds.height, 1):
                return True
        label = labels.own[node.index]
        if label and len(label) < 20 and _STATUS.fullmatch(label):
            return True
    return False
