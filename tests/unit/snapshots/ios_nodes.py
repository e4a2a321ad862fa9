"""Nodes made by hand, as iOS reports them: short class names, and nothing said that iOS does not say."""

from __future__ import annotations

from dataclasses import replace

from pytest_replicant.model import Node, Rect, States
from pytest_replicant.snapshots import Snapshot
from pytest_replicant.snapshots.parsers.dump import Dump

_SCREEN = Rect(0, 0, 1080, 2400)
_HEIGHT = 100


def ios(
    class_name: str,
    text: str = "",
    value: str | None = None,
    *,
    hint: str = "",
    states: States | None = None,
    clickable: bool = False,
    checkable: bool = False,
    adjustable: bool | None = None,
    width: int = 1000,
) -> Node:
    """One node, as wide as a row unless told otherwise."""
    return Node(
        index=0,
        parent=-1,
        children=(),
        class_name=class_name,
        package="",
        resource_id="",
        text=text,
        description="",
        hint=hint,
        bounds=Rect(0, 0, width, _HEIGHT),
        states=states or States(),
        clickable=clickable,
        long_clickable=False,
        checkable=checkable,
        visible=True,
        window=0,
        value=value,
        adjustable=adjustable,
    )


def on_ios(*nodes: Node) -> Snapshot:
    """An iPhone's window that shows ``nodes`` one below the other."""
    window = replace(ios("Window"), bounds=_SCREEN, children=tuple(range(1, len(nodes) + 1)))
    placed = [
        replace(
            item, index=number, parent=0, bounds=Rect(0, number * 200, item.bounds.right, number * 200 + _HEIGHT)
        )
        for number, item in enumerate(nodes, 1)
    ]
    return Snapshot(Dump("ios", (window, *placed), (_SCREEN.right, _SCREEN.bottom), True))
