"""iOS screens to test with, written as WebDriverAgent prints them but without what does not
matter."""

from __future__ import annotations

import json
from html import escape
from typing import Any
from xml.etree import ElementTree

from pytest_replicant.snapshots import Snapshot

SIZE = (0, 0, 375, 667)
_FLAGS = {
    "enabled": "isEnabled",
    "visible": "isVisible",
    "focused": "isFocused",
    "selected": "isSelected",
}


def el(
    kind: str, *inside: str, at: tuple[float, float, float, float] = SIZE, **attributes: str
) -> str:
    """One element; ``at`` is x, y, width and height. It is visible unless that is given."""
    x, y, width, height = at
    given = {"enabled": "true", "visible": "true", **attributes}
    written = "".join(f' {name}="{escape(value)}"' for name, value in given.items())
    head = f'XCUIElementType{kind} type="XCUIElementType{kind}"{written}'
    place = f'x="{x}" y="{y}" width="{width}" height="{height}"'
    return f"<{head} {place}>{''.join(inside)}</XCUIElementType{kind}>"


def app(
    *windows: str,
    name: str = "Shop",
    bundle: str = "",
    at: tuple[float, float, float, float] = SIZE,
) -> str:
    """The bundle id is as the name unless it is given."""
    root = el("Application", *windows, at=at, name=name, label=name, bundleId=bundle or name)
    return f'<?xml version="1.0" encoding="UTF-8"?>{root}'


def screen(*inside: str, title: str = "") -> str:
    """One window that fills the screen, with a navigation bar where there is a title."""
    text_ = static(title, at=(100, 30, 175, 24))
    bar = el("NavigationBar", text_, at=(0, 20, 375, 44), name=title) if title else ""
    return app(el("Window", el("Other", bar, *inside)))


def static(
    label: str, *, at: tuple[float, float, float, float] = (16, 100, 200, 20), **attributes: str
) -> str:
    return el("StaticText", at=at, **{"label": label, "name": label, "value": label, **attributes})


def button(
    label: str, *, at: tuple[float, float, float, float] = (16, 200, 100, 44), **attributes: str
) -> str:
    return el("Button", at=at, **{"label": label, "name": label, **attributes})


def cell(*inside: str, top: float = 64, **attributes: str) -> str:
    return el("Cell", *inside, at=(0, top, 375, 44), **attributes)


def table(*cells: str) -> str:
    return el("Table", *cells, at=(0, 64, 375, 603))


def parse(source: str, snapshot_id: str = "s1") -> Snapshot:
    return Snapshot.parse(source, id=snapshot_id)


def lines(snapshot: Snapshot) -> list[str]:
    """The outline without refs and header."""
    found = []
    for line in snapshot.outline().splitlines():
        ref = line.find("[")
        found.append(
            line[:ref] + line[line.find("]") + 2 :] if line.lstrip(" -").startswith("[") else line
        )
    return found


def as_json(source: str, *, prefix: str = "", bare: bool = False) -> str:
    """The same hierarchy as WebDriverAgent answers it to ``/source?format=json``."""
    tree = _tree(ElementTree.fromstring(source), prefix)
    return json.dumps(tree if bare else {"value": tree, "sessionId": "5C0A"})


def _tree(element: ElementTree.Element, prefix: str) -> dict[str, Any]:
    given = dict(element.attrib)
    place = {side: float(given.pop(side)) for side in ("x", "y", "width", "height")}
    tree: dict[str, Any] = {
        "type": prefix + given.pop("type").removeprefix("XCUIElementType"),
        "rect": place,
    }
    for name, value in given.items():
        tree[_FLAGS.get(name, name)] = (
            {"true": "1", "false": "0"}[value] if name in _FLAGS else value
        )
    tree["children"] = [_tree(child, prefix) for child in element]
    return tree
