"""A screen as the viewer shows a page: its picture, and over it every element that has a ref."""

from __future__ import annotations

import base64
from functools import partial
from typing import TYPE_CHECKING, Any

from .wording import line

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ...model import ShownElement
    from .calls import Call

PAGE = "phone"
FRAME = "screen"

WIDTH = 412
"""Most CSS pixels along a screen's shorter side: the viewer's marks have the size that they have on web pages."""

HEAD = 3
"""Nodes before a frame's body: the style's text, the style, the head itself."""

NEAR = 10
"""CSS pixels between a touch and the middle of its target from which on the viewer calls it a mismatch."""

_STYLE = (
    "html,body{margin:0;width:100%;height:100%;overflow:hidden;background:#fff}"
    "img,div{position:absolute;box-sizing:border-box}img{left:0;top:0;width:100%;height:100%}"
    ".drawn div{border:1px solid #8a8a99;font:11px/1.2 sans-serif;color:#222;overflow:hidden}"
    "body>.touch{width:16px;height:16px;margin:-8px;border:3px solid #f44336;border-radius:50%}"
    "body>.first{background:#f44336}"
)

Node = list[Any]
Key = tuple[str, object]


class Frames:
    """The frame snapshots of one trace, in the order in which they are asked for.

    A picture or an element is spelled once; where it is seen again, a frame points back to it by the number
    of frames in between and its place there, counted as the viewer does: children before their parent.
    """

    def __init__(
        self,
        snapshots: Mapping[str, Mapping[str, Any]],
        elements: Mapping[str, Sequence[ShownElement]],
        pictures: Mapping[str, bytes],
        began_ms: int,
    ) -> None:
        self._snapshots = snapshots
        self._elements = elements
        self._pictures = pictures
        self._began_ms = began_ms
        self._spelled: dict[Key, tuple[int, int]] = {}
        self._made = 0

    def picture(self, snapshot: str) -> str | None:
        """The path of the screen's picture, None where none is carried."""
        screenshot = self._snapshots[snapshot]["screenshot"]
        return screenshot["blob"] if screenshot and screenshot["blob"] in self._pictures else None

    def frame(
        self, call: Call, phase: str, snapshot: str, at: float, target: Sequence[int] | None
    ) -> dict[str, Any]:
        """The event. ``target`` is the rectangle to highlight, in the pixels of the screen."""
        record = self._snapshots[snapshot]
        width, height, scale = scaled(record["size"])
        children = self._children(call, snapshot, target, scale)
        if phase == "input":
            children += [_touch(point, scale, number == 0) for number, point in enumerate(call.touch)]
        body: Node = ["BODY", {} if self.picture(snapshot) else {"class": "drawn"}, *children]
        self._made += 1
        return {
            "type": "frame-snapshot",
            "snapshot": {
                "callId": call.id,
                "snapshotName": f"{phase}@{call.id}",
                "pageId": PAGE,
                "frameId": FRAME,
                "frameUrl": line(": ".join(filter(None, (record["app"], record["screen"]))), 200) or snapshot,
                "doctype": "html",
                "html": ["HTML", {}, ["HEAD", {}, ["STYLE", {}, _STYLE]], body],
                "viewport": {"width": width, "height": height},
                "timestamp": at,
                "wallTime": self._began_ms + at,
                "collectionTime": 0,
                "resourceOverrides": [],
                "isMainFrame": True,
            },
        }

    def _children(self, call: Call, snapshot: str, target: Sequence[int] | None, scale: float) -> list[Node]:
        children: list[Node] = []
        count = HEAD
        picture = self.picture(snapshot)
        if picture is not None:
            count = self._add(children, count, ("picture", picture), lambda: self._image(picture))
        shown = self._elements.get(snapshot, ())
        meant = _meant(shown, target, call)
        for place, element in enumerate(shown):
            if place == meant:
                node = _element(element, scale, picture is None)
                node[1]["__playwright_target__"] = call.id
                children.append(node)
                count += _nodes(node)
            else:
                made = partial(_element, element, scale, picture is None)
                count = self._add(children, count, (snapshot, place), made)
        if target is not None and meant is None:
            children.append(["DIV", {"style": _place(target, scale), "__playwright_target__": call.id}])
        return children

    def _add(self, children: list[Node], count: int, key: Key, made: Callable[[], Node]) -> int:
        """Adds the node or a pointer to it; returns how many nodes the frame has by then."""
        if key in self._spelled:
            frame, place = self._spelled[key]
            children.append([[self._made - frame, place]])
            return count
        node = made()
        children.append(node)
        count += _nodes(node)
        self._spelled[key] = (self._made, count - 1)
        return count

    def _image(self, path: str) -> Node:
        kind = "webp" if path.endswith(".webp") else "png"
        data = base64.b64encode(self._pictures[path]).decode("ascii")
        return ["IMG", {"src": f"data:image/{kind};base64,{data}", "alt": ""}]


def scaled(size: Sequence[int]) -> tuple[int, int, float]:
    """Width and height in CSS pixels, and how many of them a pixel of the screen is."""
    width, height = max(size[0], 1), max(size[1], 1)
    scale = min(1.0, WIDTH / min(width, height))
    return round(width * scale), round(height * scale), scale


def touched(call: Call, scale: float) -> dict[str, float]:
    """Where a gesture began, in CSS pixels."""
    return {"x": round(call.touch[0][0] * scale, 1), "y": round(call.touch[0][1] * scale, 1)}


def on_target(call: Call, scale: float) -> bool:
    """Whether a gesture began in the middle of its target, as far as the viewer can tell."""
    if call.target is None or not call.touch:
        return False
    left, top, right, bottom = call.target
    away = max(abs((left + right) / 2 - call.touch[0][0]), abs((top + bottom) / 2 - call.touch[0][1]))
    return away * scale <= NEAR - 1


def _nodes(node: Node) -> int:
    """Itself, and a text in it: nothing here is nested deeper."""
    return len(node) - 1


def _meant(shown: Sequence[ShownElement], target: Sequence[int] | None, call: Call) -> int | None:
    """The place of the element that stands in the rectangle, the one with the ref first."""
    if target is None:
        return None
    there = [place for place, one in enumerate(shown) if list(one.bounds) == list(target)]
    ref = ((call.record.get("target") or {}).get("resolved") or {}).get("ref")
    return next((place for place in there if shown[place].ref == ref), there[-1] if there else None)


def _element(element: ShownElement, scale: float, named: bool) -> Node:
    label = line(element.label, 240)
    about = {
        "data-testid": line(element.ref, 80),
        "data-class": line(element.class_name, 120),
        "aria-label": label,
        "style": _place(list(element.bounds), scale),
    }
    return ["DIV", about, label or about["data-class"]] if named else ["DIV", about]


def _place(box: Sequence[int], scale: float) -> str:
    left, top, right, bottom = (round(side * scale, 1) for side in box)
    width, height = round(right - left, 1), round(bottom - top, 1)
    return f"left:{left}px;top:{top}px;width:{width}px;height:{height}px"


def _touch(point: Sequence[int], scale: float, first: bool) -> Node:
    """A dot where a gesture began, a ring where it went. Newer viewers draw a dot of their own too."""
    x, y = (round(side * scale, 1) for side in point)
    return ["DIV", {"class": "touch first" if first else "touch", "style": f"left:{x}px;top:{y}px"}]
