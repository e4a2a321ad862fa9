"""Screens to test with, written as a phone prints them but without what does not matter."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from pytest_replicant.model import Element
from pytest_replicant.snapshots import Snapshot

SIZE = (1080, 2400)


def node(
    class_name: str,
    *inside: str,
    at: tuple[int, int, int, int] = (0, 0, 1080, 2400),
    package: str = "dev.shop",
    **attributes: str,
) -> str:
    """One ``<node>``; ``resource_id="x"`` writes ``resource-id="x"``."""
    left, top, right, bottom = at
    written = "".join(
        f' {name.replace("_", "-")}="{escape(value)}"' for name, value in attributes.items()
    )
    full = class_name if "." in class_name else f"android.widget.{class_name}"
    head = (
        f'<node class="{full}" package="{package}"{written} '
        f'bounds="[{left},{top}][{right},{bottom}]"'
    )
    return f"{head}>{''.join(inside)}</node>" if inside else f"{head} />"


def hierarchy(*windows: str) -> str:
    return (
        '<?xml version="1.0" encoding="UTF-8"?><hierarchy '
        f'rotation="0">{"".join(windows)}</hierarchy>'
    )


def screen(*inside: str, title: str = "") -> str:
    """One window of the app that fills the screen."""
    bar = node("Toolbar", text(title, at=(0, 0, 900, 100)), at=(0, 0, 1080, 100)) if title else ""
    return hierarchy(node("FrameLayout", bar, *inside))


def text(
    label: str, *, at: tuple[int, int, int, int] = (0, 200, 500, 250), **attributes: str
) -> str:
    return node("TextView", at=at, text=label, **attributes)


def button(
    label: str, *, at: tuple[int, int, int, int] = (0, 300, 200, 400), **attributes: str
) -> str:
    return node("Button", at=at, text=label, clickable="true", **attributes)


def row(name: str, price: str, top: int, *, clickable: str = "false", button_id: str = "") -> str:
    """A row of a catalogue: name, price and an "Add" of its own."""
    return node(
        "LinearLayout",
        text(name, at=(0, top, 300, top + 50)),
        text(price, at=(0, top + 50, 300, top + 100)),
        button("Add", at=(900, top, 1080, top + 100), resource_id=button_id),
        at=(0, top, 1080, top + 100),
        clickable=clickable,
    )


def catalogue(*rows: str) -> str:
    return node("RecyclerView", *rows, at=(0, 400, 1080, 2400), scrollable="true")


def parse(source: str, snapshot_id: str = "s1") -> Snapshot:
    return Snapshot.parse(source, id=snapshot_id)


def labels_of(elements: Iterable[Element]) -> list[str]:
    return [element.label for element in elements]


SHOP = screen(
    catalogue(
        row("Blue mug", "£9.90", 400), row("Red mug", "£8.00", 500), row("Tray", "£12.00", 600)
    ),
    title="Catalogue",
)
