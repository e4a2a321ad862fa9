"""Whether the screen says that it is not finished."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..parsers.roles import role_of

if TYPE_CHECKING:
    from ...model import Node
    from ..screen.layout import Layout
    from .labels import Labels

_STATUS = r"(?:loading|please wait|just a moment|one moment(?:,? please)?|refreshing)"
_SAYS_SO = re.compile(
    rf"{_STATUS}(?:[ ,.;:…-]{{1,4}}{_STATUS}){{0,2}} ?(?P<goes_on>…|\.{{2,4}})?[.!]?", re.IGNORECASE
)
_LONGEST_STATUS = 50
_AT_REST = ("0", "false")
_BAR_ASPECT = 3  # wider than that is a bar, which may show a finished download
_OVERLAY_SHARE = 4  # a control over more than a quarter of the screen is no button but what blocks touches


def is_loading(layout: Layout, labels: Labels) -> bool:
    """A spinner that turns, or a text that says nothing but that it is loading. Only what is shown counts; a bar,
    or anything that prints a number, may stand as it is for ever."""
    for node in layout.nodes:
        if not layout.shown[node.index]:
            continue
        role = role_of(node.class_name)
        if role is not None and role.name == "progress" and _turns(node):
            return True
        label = labels.own[node.index]
        if label and len(label) <= _LONGEST_STATUS and _says_so(label, node, layout, labels):
            return True
    return False


def _turns(node: Node) -> bool:
    """iOS says of its spinners whether they turn. Elsewhere those that are as high as wide and know no number
    do."""
    if node.class_name == "ActivityIndicator":
        return node.value not in _AT_REST
    if node.bounds.width >= _BAR_ASPECT * max(node.bounds.height, 1):
        return False
    return not any(sign.isdecimal() for sign in f"{node.text}{node.description}{node.value or ''}")


def _says_so(label: str, node: Node, layout: Layout, labels: Labels) -> bool:
    """Alone on the screen the words are enough; in a button, a tab or a row "Loading" may be the name of a place,
    unless dots follow."""
    match = _SAYS_SO.fullmatch(label)
    if match is None:
        return False
    if match["goes_on"] or (labels.owner[node.index] < 0 and labels.row_of(node) < 0):
        return True
    owner = labels.owner[node.index]
    if owner < 0:
        return False
    width, height = layout.size
    return layout.nodes[owner].bounds.area * _OVERLAY_SHARE > width * height
