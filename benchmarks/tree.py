"""A capture as a tree that can be changed while every node stays known.

Each XML element carries a key in an attribute that no parser reads, so the node it becomes in the
snapshot of a changed capture can be traced back to the node it was.
"""

from __future__ import annotations

import copy
import re
from typing import TYPE_CHECKING

from lxml import etree

from pytest_replicant.model import Rect
from pytest_replicant.snapshots.parsers.hierarchy import markup, platform_of, to_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_KEY = "replicant-key"
UNKNOWN = (
    "replicant-unknown"  # marks a node of a changed capture that may be the same or another one
)
_WRAPPERS = ("hierarchy", "AppiumAUT")
_NUMBER = re.compile(r"-?\d{1,9}")
_BARS = "com.android.systemui"
_FIELDS = ("EditText", "AutoCompleteTextView", "TextField", "SecureTextField", "SearchField")
_SCROLLERS = ("RecyclerView", "ListView", "GridView", "ScrollView", "Table", "CollectionView")
NOWHERE = Rect(0, 0, 0, 0)

Node = etree._Element


class Tree:
    """``root`` is as captured; ``nodes()`` leaves the wrapper out that yields no node."""

    def __init__(self, root: Node) -> None:
        self.root = root
        self.platform = platform_of(etree.tostring(root)[:4096])
        self._next = 0

    @classmethod
    def read(cls, data: bytes) -> Tree:
        """Raises ``XMLSyntaxError`` and ``SnapshotError``."""
        parser = etree.XMLParser(
            resolve_entities=False,
            remove_comments=True,
            remove_pis=True,
        )
        tree = cls(etree.fromstring(markup(to_bytes(data)), parser))
        tree.rekey_all(tree.root)
        return tree

    def copy(self) -> Tree:
        other = Tree(copy.deepcopy(self.root))
        other._next = self._next
        return other

    def to_bytes(self) -> bytes:
        return etree.tostring(self.root, encoding="utf-8")

    def nodes(self) -> list[Node]:
        """In document order, as snapshots number them."""
        everything = list(self.root.iter(etree.Element))
        return everything[1:] if self.root.tag in _WRAPPERS else everything

    def keys(self) -> list[str]:
        """Parallel to ``nodes()``."""
        return [node.get(_KEY, "") for node in self.nodes()]

    def rekey(self, node: Node) -> None:
        """From now on this is another node than any before."""
        self._next += 1
        node.set(_KEY, str(self._next))

    def rekey_all(self, top: Node) -> None:
        for node in top.iter(etree.Element):
            self.rekey(node)

    def reads_as(self, other: Tree) -> bool:
        """Whether a parser reads the same in both."""
        facts = [
            [
                (node.tag, len(node), {**node.attrib, _KEY: ""})
                for node in tree.root.iter(etree.Element)
            ]
            for tree in (self, other)
        ]
        return facts[0] == facts[1]

    # --- parts ------------------------------------------------------------------------------------
    def tops(self) -> list[Node]:
        """The top nodes of the windows."""
        return list(self.root) if self.root.tag in _WRAPPERS else [self.root]

    def app_window(self) -> Node:
        """The largest window that is not the system's."""
        own = [top for top in self.tops() if top.get("package") != _BARS]
        return max(own or self.tops(), key=lambda top: box(top).area)

    def content(self) -> Node:
        """The first node from the top of the app's window whose children lie beside each other."""
        node = self.app_window()
        while len(node) == 1:
            node = node[0]
        return node

    @property
    def screen(self) -> Rect:
        """What the capture says, else as far as its windows reach."""
        boxes = [box(top) for top in self.tops()]
        width = max([_length(self.root.get("width")), *(one.right for one in boxes)])
        height = max([_length(self.root.get("height")), *(one.bottom for one in boxes)])
        return Rect(0, 0, width, height)

    def title(self) -> Node | None:
        """The first thing near the top of the app's window that says something, takes no touch and
        does not scroll."""
        window, edge = self.app_window(), self.screen.height // 6
        for node in window.iterdescendants(etree.Element):
            at = box(node)
            if words_of(node) and not at.is_empty and at.bottom <= edge:
                around = (node, *node.iterancestors())
                if not any(is_touched(one) or is_scroller(one) for one in around):
                    return node
        return None

    def marked(self, mark: str) -> list[Node]:
        """The nodes that a mutation's preparation has marked, by ``node.set(mark, "")``: no parser
        reads that."""
        return [node for node in self.nodes() if mark in node.attrib]

    def texts(self) -> set[str]:
        return {text for node in self.nodes() for text in words_of(node).values()}

    # --- changes ----------------------------------------------------------------------------------
    def add_window(self, top: Node) -> None:
        """After the others. A capture without a wrapper gets one; on iOS windows lie in the app."""
        if self.platform == "ios":
            self.app_window().append(top)
            return
        if self.root.tag not in _WRAPPERS:
            wrapper = etree.Element("hierarchy")
            wrapper.append(self.root)
            self.root = wrapper
        self.root.append(top)

    def make(self, class_name: str, at: Rect, *inside: Node, **attributes: str) -> Node:
        """A new node in the style of this capture. ``text`` is written as the platform does."""
        like = self.app_window()
        if self.platform == "ios":
            node = etree.Element(f"XCUIElementType{_ON_IOS[class_name]}")
            written = {"type": str(node.tag), "enabled": "true", "visible": "true"}
            if attributes.get("text"):
                written |= {"name": attributes["text"], "label": attributes["text"]}
        else:
            known = {"Keyboard": "FrameLayout", "Key": "TextView"}.get(class_name, class_name)
            full = known if "." in known else f"android.widget.{known}"
            node = etree.Element("node" if like.tag == "node" else full)
            written = {
                "class": full,
                "package": like.get("package", ""),
                "enabled": "true",
                **attributes,
            }
        for name, value in written.items():
            node.set(name.replace("_", "-"), value)
        set_box(node, at)
        node.extend(inside)
        self.rekey(node)
        return node

    def clip(self, tops: Iterable[Node], area: Rect) -> None:
        """What has been moved out of ``area`` is no longer reported, or, on iOS, reported as not
        visible; what sticks out is cut off."""
        for top in list(tops):
            gone: list[Node] = []
            for node in top.iter(etree.Element):
                seen = box(node).intersect(area)
                if box(node).is_empty:
                    continue
                if seen.is_empty:
                    gone.append(node)
                elif self.platform == "android":
                    set_box(node, seen)
            for node in gone:
                self.drop(node)

    def drop(self, node: Node) -> None:
        parent = node.getparent()
        if self.platform == "ios":
            for below in node.iter(etree.Element):
                below.set("visible", "false")
        elif parent is not None:
            parent.remove(node)


_ON_IOS = {
    "FrameLayout": "Other", "LinearLayout": "Other", "TextView": "StaticText", "Button": "Button",
    "android.widget.Toast": "StaticText", "Keyboard": "Keyboard", "Key": "Key",
    "GridView": "CollectionView", "ImageView": "Button", "ImageButton": "Button",
    "RadioButton": "Button", "Toolbar": "NavigationBar",
}  # fmt: skip


def box(node: Node) -> Rect:
    """Where a node lies; ``NOWHERE`` where the capture does not say."""
    bounds = node.get("bounds")
    if bounds is not None:
        numbers = _NUMBER.findall(bounds)
        return Rect(*map(int, numbers)) if len(numbers) == 4 else NOWHERE
    try:
        x, y, width, height = (float(node.get(name, "")) for name in ("x", "y", "width", "height"))
        return Rect(int(x), int(y), int(x + width), int(y + height))
    except (ValueError, OverflowError):
        return NOWHERE


def set_box(node: Node, at: Rect) -> None:
    if node.get("x") is not None or str(node.tag).startswith("XCUIElementType"):
        sides = {"x": at.left, "y": at.top, "width": at.width, "height": at.height}
        for name, value in sides.items():
            node.set(name, str(value))
    else:
        node.set("bounds", f"[{at.left},{at.top}][{at.right},{at.bottom}]")


def shift(top: Node, dx: int, dy: int) -> None:
    """Moves a node and what is in it."""
    for node in top.iter(etree.Element):
        at = box(node)
        if not at.is_empty:
            set_box(node, at.shifted(dx, dy))


def move_to(top: Node, there: Rect) -> None:
    """Moves a node, and what is in it, to the upper left corner of a place."""
    here = box(top)
    shift(top, there.left - here.left, there.top - here.top)


def class_of(node: Node) -> str:
    """Short: ``Button``."""
    name = node.get("class") or node.get("type") or str(node.tag)
    return name.rpartition(".")[2].removeprefix("XCUIElementType")


def is_field(node: Node) -> bool:
    return class_of(node).endswith(_FIELDS)


def is_scroller(node: Node) -> bool:
    return node.get("scrollable") == "true" or class_of(node).endswith(_SCROLLERS)


def is_touched(node: Node) -> bool:
    """Whether the capture says that something happens on a touch."""
    if "clickable" in node.attrib:
        return "true" in (node.get("clickable"), node.get("long-clickable"), node.get("checkable"))
    return class_of(node) in ("Button", "Cell", "Switch", "Link", "Slider") or is_field(node)


def words_of(node: Node) -> dict[str, str]:
    """The attributes that hold what people read, typed text apart."""
    if str(node.tag).startswith("XCUIElementType"):
        label = node.get("label", "")
        shown = {"label": label, "name": node.get("name", "") if node.get("name") == label else ""}
        if not is_field(node):
            shown["value"] = node.get("value", "") if node.get("value") == label else ""
    else:
        shown = {name: node.get(name, "") for name in ("text", "content-desc")}
        if is_field(node):
            shown = {"content-desc": shown["content-desc"]}
    return {name: text for name, text in shown.items() if text.strip()}


def words_within(top: Node) -> Iterator[tuple[Node, str, str]]:
    """Every text in a subtree: node, attribute, text."""
    for node in top.iter(etree.Element):
        for name, text in words_of(node).items():
            yield node, name, text


def said(top: Node) -> list[str]:
    """Every text in a subtree."""
    return [text for _, _, text in words_within(top)]


def _length(value: str | None) -> int:
    return int(value) if value and value.isdecimal() and len(value) < 7 else 0
