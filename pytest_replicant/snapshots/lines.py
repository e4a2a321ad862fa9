"""One element in one line, as the outline and the diff print it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .words import clean, quoted, short_id

if TYPE_CHECKING:
    from ..model.element import Element

# Layout classes that say nothing about a text that can only be read.
GENERIC = frozenset(
    {"View", "ViewGroup", "FrameLayout", "LinearLayout", "RelativeLayout", "ConstraintLayout", "CardView",
     "MaterialCardView", "CoordinatorLayout", "LinearLayoutCompat", "TableRow", "TableLayout", "Any", "Other",
     "Group", "StaticText"}
)  # fmt: skip
_SCROLLERS = ("ScrollView", "RecyclerView", "ListView", "GridView", "ViewPager", "ViewPager2", "WebView",
              "CollectionView", "Table")  # fmt: skip
_BARE = re.compile(r"[\w.$:/+-]{1,100}")  # what stands without quotes: class names and ids that are no prose
# Icon fonts draw these; printed raw, a label of them looks empty.
_PRIVATE = re.compile("[\ue000-\uf8ff\U000f0000-\U0010fffd]")


def line(element: Element, *, bounds: bool = False, alone: bool = True) -> str:
    """``[k427] EditText "Email" value="ada" [focused]``. Text that can only be read shows no class. What has
    neither label nor id nor value is told by its centre, unless what is listed inside tells it (``alone`` is
    False)."""
    words = [called(element)]
    value = element.value
    if value not in (None, "") and value != element.label:
        words.append(f"value={_value(value)}")
        if element.value_range is not None:
            words.append(f"of {_number(element.value_range.min)}..{_number(element.value_range.max)}")
    words += [f"[{state}]" for state in _states(element)]
    extra = [part for part in element.folded if part != value and not _says(element.label, part)]
    words += ["·", *map(printed, extra)] if extra else []
    if bounds:
        words.append(_place(element))
    elif alone and is_nameless(element):
        words.append(f"@{element.center.x},{element.center.y}")
    return " ".join(words)


def called(element: Element) -> str:
    """``[k427] Button "Add"``: ref, class and name; the id where there is no name."""
    words = [f"[{element.ref}]"]
    if not (element.label and _is_plain(element)):
        words.append(bare(element.class_name))
    if element.label:
        words.append(printed(element.label))
    elif element.resource_id:
        words.append(f"id={bare(short_id(element.resource_id))}")
    return " ".join(words)


def is_nameless(element: Element) -> bool:
    """Whether nothing but class and states is known of it."""
    return not (element.label or element.resource_id or element.value not in (None, ""))


def printed(text: str) -> str:
    """In quotes, with the signs of icon fonts as Python writes them."""
    whole = quoted(clean(text))
    return whole if whole.isascii() else _PRIVATE.sub(_escaped, whole)


def _escaped(sign: re.Match[str]) -> str:
    code = ord(sign[0])
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def bare(name: str) -> str:
    """Class names and ids come from the app too: what is not plainly one is quoted."""
    return name if _BARE.fullmatch(name) else printed(name)


def _is_plain(element: Element) -> bool:
    node = element.node
    if node.clickable or node.long_clickable or node.checkable or node.states.scrollable:
        return False
    return node.class_name in GENERIC or node.class_name.endswith("TextView")


def _says(label: str, part: str) -> bool:
    """Whether ``part`` stands in the label as whole words; "1" is not said by "Item 10"."""
    start = label.find(part)
    while start >= 0:
        before, after = label[start - 1 : start], label[start + len(part) :][:1]
        if not (before.isalnum() and part[:1].isalnum()) and not (after.isalnum() and part[-1:].isalnum()):
            return True
        start = label.find(part, start + 1)
    return False


def _states(element: Element) -> list[str]:
    states = element.states
    words = [] if states.checked is None else ["checked" if states.checked else "unchecked"]
    if states.selected:
        words.append("selected")
    if states.focused:
        words.append("focused")
    if states.expanded is not None:
        words.append("expanded" if states.expanded else "collapsed")
    if states.enabled is False:
        words.append("disabled")
    if states.password:
        words.append("password")
    if states.scrollable and not element.class_name.endswith(_SCROLLERS):
        words.append("scrollable")
    return words


def _value(value: str | float | None) -> str:
    return _number(value) if isinstance(value, (int, float)) else printed(str(value))


def _number(value: float) -> str:
    return f"{value:.10g}"


def _place(element: Element) -> str:
    bounds = element.bounds
    return f"{{x:{bounds.left},y:{bounds.top},w:{bounds.width},h:{bounds.height}}}"
