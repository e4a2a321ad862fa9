"""Android hierarchies: uiautomator, uiautomator2 and Appium's UiAutomator2 page source."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lxml import etree

from ..errors import SnapshotError
from ..model.element import Node, States
from ..model.geometry import Rect
from .detect import excerpt
from .mending import mended
from .reading import Reading

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

_NUMBER = re.compile(r"-?\d{1,9}")
_NOWHERE = Rect(0, 0, 0, 0)
_FLAG = {"true": True, "false": False}


def read(data: bytes) -> Reading:
    """The nodes of a hierarchy that starts at ``data``'s first byte. Raises ``SnapshotError``."""
    if b"<!DOCTYPE" in data:  # no phone writes one, and entities are how XML is attacked
        raise SnapshotError("no screen: the text declares a document type, which no hierarchy has")
    root = _parse(data)
    if root.tag not in ("hierarchy", "node") and "bounds" not in root.attrib:
        raise SnapshotError(f"no screen: <{root.tag}> is no Android hierarchy: {excerpt(data)}")
    tops = list(root) if root.tag == "hierarchy" else [root]
    size = (_length(root.get("width")), _length(root.get("height")))
    builder = _Builder()
    for top, window in _windows([top for top in tops if isinstance(top.tag, str)]):
        builder.add_window(top, window)
    if not builder.nodes:
        raise SnapshotError("no screen: the hierarchy has no nodes, so the dump failed")
    return Reading("android", tuple(builder.nodes), size, builder.reports_hints)


def _windows(tops: list[etree._Element]) -> Iterator[tuple[etree._Element, int]]:
    """A root with children is a window of its own; childless roots, as hand-made files have, share one."""
    window = -1
    flat = -1
    for top in tops:
        if len(top) or flat < 0:
            window += 1
            flat = flat if len(top) else window
        yield top, window if len(top) else flat


def _parse(data: bytes) -> etree._Element:
    try:
        return etree.fromstring(data, _parser())
    except etree.XMLSyntaxError as first:
        try:
            return etree.fromstring(mended(data), _parser())
        except etree.XMLSyntaxError:
            raise SnapshotError(_broken(data, first)) from first


def _parser() -> etree.XMLParser:
    return etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True, remove_pis=True
    )


def _broken(data: bytes, error: etree.XMLSyntaxError) -> str:
    end = data.rstrip()[-40:]
    cut = not (end.endswith((b"</hierarchy>", b"</node>")))
    kind = "the dump is cut off" if cut else "the dump is damaged"
    return f"no screen: {kind} ({error.msg}); it ends with {excerpt(end)}"


class _Builder:
    """Walks elements into nodes without recursion: trees may be deep."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.reports_hints = False
        self._states: dict[tuple[str | None, ...], States] = {}

    def add_window(self, top: etree._Element, window: int) -> None:
        indexes: dict[etree._Element, int] = {}
        order: list[etree._Element] = []
        offset = len(self.nodes)
        for element in top.iter(etree.Element):
            indexes[element] = offset + len(order)
            order.append(element)
        for element in order:
            parent = element.getparent()
            above = indexes.get(parent, -1) if parent is not None else -1
            children = tuple([indexes[child] for child in element if child in indexes]) if len(element) else ()
            self.nodes.append(self._node(element, len(self.nodes), above, children, window))

    def _node(
        self, element: etree._Element, index: int, parent: int, children: tuple[int, ...], window: int
    ) -> Node:
        attributes: Mapping[str, str] = dict(element.attrib)  # type: ignore[arg-type]  # str for parsed text
        get = attributes.get
        full_class = get("class") or str(element.tag)
        class_name = full_class.rpartition(".")[2]
        text, hint = get("text", ""), get("hint", "")
        if "hint" in attributes or "showing-hint" in attributes:
            self.reports_hints = True
        if get("showing-hint") == "true":
            hint = hint or text
        return Node(
            index=index,
            parent=parent,
            children=children,
            class_name=class_name,
            package=get("package", ""),
            resource_id=get("resource-id", ""),
            text=text,
            description=get("content-desc", ""),
            hint=hint,
            bounds=_rect(get("bounds", "")),
            states=self._states_of(get, is_field(class_name)),
            clickable=get("clickable") == "true",
            long_clickable=get("long-clickable") == "true",
            checkable=get("checkable") == "true",
            visible=get("visible-to-user") != "false" and get("displayed") != "false",
            window=window,
            pane_title=get("pane-title", ""),
        )

    def _states_of(self, get: Callable[[str], str | None], editable: bool) -> States:
        """Few combinations occur, so each is built once. ``checked`` is reported of everything, but only
        means something where a node can be checked."""
        checked = get("checked") if get("checkable") == "true" or get("checked") == "true" else None
        key = (
            checked, get("selected"), get("focused"), get("enabled"), get("password"), get("scrollable"),
            "true" if editable else None,
        )  # fmt: skip
        states = self._states.get(key)
        if states is None:
            flags = [_FLAG.get(value) if value else None for value in key]
            states = self._states[key] = States(
                checked=flags[0],
                selected=flags[1],
                focused=flags[2],
                enabled=flags[3],
                password=flags[4],
                scrollable=flags[5],
                editable=editable,
            )
        return states


def is_field(class_name: str) -> bool:
    """Whether text can be typed into it, by its class: the dump does not say."""
    return class_name.endswith(("EditText", "AutoCompleteTextView", "SearchAutoComplete"))


def _rect(bounds: str) -> Rect:
    numbers = _NUMBER.findall(bounds)
    return Rect(*map(int, numbers)) if len(numbers) == 4 else _NOWHERE


def _length(value: str | None) -> int:
    return int(value) if value and value.isdecimal() and len(value) < 7 else 0
