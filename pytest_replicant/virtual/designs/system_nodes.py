"""What the system's own windows are made of, on every platform: plain nodes, and what a tap on one
presses."""

from __future__ import annotations

from dataclasses import dataclass

from ...model import Rect
from ..ui import Look, UiNode, Window

LAYERS = {
    "keyboard": 20,
    "toast": 30,
    "clipboard": 32,
    "volume_panel": 35,
    "status_bar": 40,
    "navigation_bar": 41,
    "banner": 42,
}


@dataclass(frozen=True, slots=True)
class Pressed:
    """The key that a tap on a part of the system's windows stands for; ``glyph`` is one that is
    typed."""

    key: str = ""
    glyph: str = ""


def plain_node(
    class_name: str,
    package: str,
    frame: Rect,
    *,
    id: str = "",
    text: str = "",
    description: str = "",
    shape: str = "",
) -> UiNode:
    return UiNode(
        class_name=class_name,
        package=package,
        bounds=frame,
        frame=frame,
        resource_id=f"{package}:id/{id}" if id else "",
        text=text,
        description=description,
        look=Look(shape=shape),
    )


def system_window(
    kind: str, package: str, title: str, root: UiNode, *, accessible: bool = False
) -> Window:
    return Window(
        kind=kind,  # type: ignore[arg-type]  # always one of the literals above
        package=package,
        title=title,
        layer=LAYERS[kind],
        root=root,
        accessible=accessible,
    )
