"""iOS hierarchies as JSON: what WebDriverAgent answers to ``/source``, with or without its envelope."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from ...errors import SnapshotError
from .detect import excerpt
from .xcui_tree import Tree

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .reading import Reading

_START = re.compile(r'\{\s*"')
_DECODER = json.JSONDecoder()
_MOST_STARTS = 8  # braces in the noise before the answer
# By their names in XML, the keys of JSON, first come first served.
_KEYS = {
    "name": ("name",),
    "label": ("label",),
    "value": ("value",),
    "rawIdentifier": ("rawIdentifier",),
    "placeholderValue": ("placeholderValue",),
    "traits": ("traits",),
    "bundleId": ("bundleId",),
    "enabled": ("isEnabled", "enabled"),
    "visible": ("isVisible", "visible"),
    "focused": ("isFocused", "hasFocus", "focused"),
    "selected": ("isSelected", "selected"),
}
_SIDES = ("x", "y", "width", "height")
_TREE_SIGNS = frozenset({"rect", "frame", "children", "label", "isEnabled", "isVisible"})
_NUMBER = re.compile(r"[^\s{},]+")
_FINITE = re.compile(r"-?\d{1,9}(?:\.\d{1,20})?(?:e-?\d{1,2})?", re.ASCII | re.IGNORECASE)


def answer_in(data: bytes, before: int) -> dict[str, Any] | None:
    """The JSON object before the byte ``before`` that is an answer: through the noise around it, which may be
    JSON as well. None where there is none; where there is no XML either, any object will do. Raises
    ``SnapshotError`` for one that is nested beyond reason."""
    text = data.decode("utf-8", "replace")
    last = len(data[:before].decode("utf-8", "replace"))
    found: dict[str, Any] | None = None
    start = _START.search(text, 0, last + 2)
    for _ in range(_MOST_STARTS):
        if start is None:
            break
        answer, end = _decoded(text, start.start())
        if answer is None:  # what is damaged is not searched for parts that are whole
            return None
        if _is_tree(_content(answer)) or markup_in(answer):
            return answer
        found = found or answer
        start = _START.search(text, end, last + 2)
    return found if before == len(data) else None


def _decoded(text: str, start: int) -> tuple[dict[str, Any] | None, int]:
    """The object that starts here and where it ends; None for what is no JSON, or a number without end."""
    try:
        answer, end = _DECODER.raw_decode(text, start)
    except RecursionError:
        raise SnapshotError("no screen: the JSON is nested too deeply to be a hierarchy") from None
    except ValueError:
        return None, start
    return answer, end


def markup_in(answer: Mapping[str, Any]) -> str | None:
    """The XML in an answer that is JSON around it; None where the answer holds none."""
    value = answer.get("value")
    return value if isinstance(value, str) and "<" in value and not _is_tree(answer) else None


def read(answer: Mapping[str, Any], scale: float = 1.0) -> Reading:
    """The nodes of a tree, in WebDriverAgent's envelope or bare. Raises ``SnapshotError``."""
    root = _content(answer)
    if not _is_tree(root):
        raise SnapshotError(f"no screen: {_refusal(answer, root)}")
    tree = Tree(scale)
    pending: list[tuple[Mapping[str, Any], int]] = [(root, -1)]
    while pending:
        element, parent = pending.pop()
        kind = element.get("type")
        index = tree.add(kind if isinstance(kind, str) else "Any", _attributes(element), parent)
        pending.extend((child, index) for child in reversed(_children(element)))
    return tree.reading()


def _content(answer: Mapping[str, Any]) -> Any:
    """What the envelope holds, where it is one: a tree may have a value too."""
    if _is_tree(answer):
        return answer
    value = answer.get("value", answer)
    return value["tree"] if isinstance(value, dict) and isinstance(value.get("tree"), dict) else value


def _is_tree(value: object) -> bool:
    return isinstance(value, dict) and isinstance(value.get("type"), str) and bool(_TREE_SIGNS & value.keys())


def _refusal(answer: Mapping[str, Any], value: Any) -> str:
    """Why a JSON object is no tree."""
    if isinstance(value, dict) and isinstance(value.get("error"), str):
        message = value.get("message")
        said = f"{value['error']}: {message}" if isinstance(message, str) and message else value["error"]
        return f"WebDriverAgent answered with an error, {excerpt(said.encode('utf-8', 'replace'))}"
    if answer.get("status") not in (None, 0) and isinstance(value, str):
        return f"WebDriverAgent answered with an error, {excerpt(value.encode('utf-8', 'replace'))}"
    if "value" in answer and not value:
        return "WebDriverAgent's answer is empty"
    return f"this JSON holds no tree of elements, only {excerpt(', '.join(answer).encode('utf-8', 'replace'))}"


def _children(element: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    children = element.get("children")
    if isinstance(children, dict):
        children = [children]
    return [child for child in children if isinstance(child, dict)] if isinstance(children, list) else []


def _attributes(element: Mapping[str, Any]) -> dict[str, str]:
    given: dict[str, str] = {}
    for name, keys in _KEYS.items():
        text = next((text for key in keys if (text := _text(element.get(key))) is not None), None)
        if text is not None:
            given[name] = text
    given.update(_place(element.get("frame"), element.get("rect")))
    return given


def _place(frame: object, rect: object) -> dict[str, str]:
    """Where it is: by its frame, such as ``{{0, 20.33}, {375, 44}}``, of which ``rect`` has whole points only."""
    sides = _NUMBER.findall(frame[:400]) if isinstance(frame, str) else []
    if len(sides) == len(_SIDES) and all(map(_FINITE.fullmatch, sides)):
        return dict(zip(_SIDES, sides, strict=True))
    if isinstance(rect, dict):
        return {side: text for side in _SIDES if (text := _text(rect.get(side))) is not None}
    return dict(zip(_SIDES, sides, strict=False))


def _text(value: object) -> str | None:
    """What a JSON value says as an attribute; None for null and for what is no single value."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return str(value)
    return _whole(value) if isinstance(value, str) else None


def _whole(text: str) -> str:
    """Without halves of characters, which JSON can hold but no file can."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text
