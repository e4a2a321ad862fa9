"""The same elements in other places."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_replicant.model import Rect

from ..lists import List, along, copy_of, fill, list_in, list_of, scroll
from ..tree import Node, box, is_scroller, set_box, shift

if TYPE_CHECKING:
    from random import Random

    from ..tree import Tree

_SAYS = "Could not refresh, showing saved items"
_KEYBOARD = "com.google.android.inputmethod.latin"


def jitter(tree: Tree, rng: Random, pixels: int) -> bool:
    """A part is a node with all below it; one node in four starts a new part."""
    offsets: dict[Node, tuple[int, int]] = {}
    changes = [(dx, dy) for dx in (-pixels, 0, pixels) for dy in (-pixels, 0, pixels) if dx or dy]
    for node in tree.nodes():
        above = node.getparent()
        if above is None or above not in offsets:
            offsets[node] = (0, 0)  # a window stays
            continue
        fresh = rng.random() < 0.25 or offsets[above] == (0, 0)
        offsets[node] = rng.choice(changes) if fresh else offsets[above]
    screen = tree.screen
    for node, (dx, dy) in offsets.items():
        at = box(node)
        moved = at.shifted(dx, dy).intersect(screen)
        if not at.is_empty and not moved.is_empty:
            set_box(node, moved)
    return True


def density(tree: Tree, rng: Random) -> bool:
    """A phone of higher density: screen and elements are 1.25 times as large in pixels."""
    _resize(tree, 1.25, 1.25)
    return True


def rotation(tree: Tree, rng: Random) -> bool:
    """The screen is turned: width and height swapped, elements as wide and high in proportion."""
    screen = tree.screen
    if screen.is_empty:
        return False
    _resize(tree, screen.height / screen.width, screen.width / screen.height)
    if tree.root.tag == "hierarchy":
        tree.root.set("rotation", "0" if tree.root.get("rotation") == "1" else "1")
    return True


def _resize(tree: Tree, across: float, down: float) -> None:
    for node in tree.nodes():
        at = box(node)
        if not at.is_empty:
            corners = (at.left * across, at.top * down, at.right * across, at.bottom * down)
            set_box(node, Rect(*(round(corner) for corner in corners)))
    for name, by in (("width", across), ("height", down)):
        value = tree.root.get(name)
        if tree.root.tag == "hierarchy" and value and value.isdecimal():
            tree.root.set(name, str(round(int(value) * by)))


def keyboard(tree: Tree, rng: Random) -> bool:
    """The keyboard opens: the content moves up by a quarter of the screen, the keyboard covers the
    lower part."""
    screen = tree.screen
    _move_content(tree, list(tree.content()), -screen.height // 4, box(tree.app_window()))
    top = screen.bottom - screen.height * 2 // 5
    wide = screen.width // 10
    keys = [
        tree.make(
            "Key", Rect(n * wide, top, (n + 1) * wide, top + 100), text=letter, package=_KEYBOARD
        )
        for n, letter in enumerate("qwertyuiop")
    ]
    at = Rect(0, top, screen.right, screen.bottom)
    tree.add_window(tree.make("Keyboard", at, *keys, package=_KEYBOARD, clickable="true"))
    return True


def _move_content(tree: Tree, children: list[Node], by: int, area: Rect) -> None:
    for child in children:
        shift(child, 0, by)
    tree.clip(children, area)


def scroll_part(tree: Tree, rng: Random) -> bool:
    """The largest scroller moves by part of a row; what leaves it goes."""
    return _scrolled(tree, 0.4)


def scroll_rows(tree: Tree, rng: Random) -> bool:
    """The largest scroller moves by whole rows, so that others lie exactly where the first ones
    were."""
    return _scrolled(tree, rng.randint(1, 3))


def scroll_new(tree: Tree, rng: Random) -> bool:
    """A list moves by whole rows, and new ones follow from below."""
    found = list_of(tree, rng)
    count = min(rng.randint(1, 3), len(found.rows) - 1)
    last = found.rows[-1]
    model = rng.choice(found.models())
    for _ in range(count):
        made = copy_of(tree, model, last)
        fill(tree, found, made, rng)
        last.addnext(made)
        shift(made, *_step(found))
        last = made
        found.rows.append(made)
    return _scrolled(tree, count, found)


def _step(found: List) -> tuple[int, int]:
    """From the last row to where the next one would be."""
    if found.axis == "grid":
        one, other = box(found.rows[-2]), box(found.rows[-1])
        return other.left - one.left, other.top - one.top
    return along(found, found.pitch)


def _scrolled(tree: Tree, rows: float, found: List | None = None) -> bool:
    scrollers = [
        node for node in tree.nodes() if is_scroller(node) and len(node) and box(node).area
    ]
    if not scrollers:
        return False
    scroller = found.scroller if found else max(scrollers, key=lambda node: box(node).area)
    found = found or list_in(scroller)
    by = round((found.pitch if found else box(scroller).height * 0.15) * rows)
    scroll(scroller, *(along(found, -by) if found else (0, -by)))
    tree.clip(list(scroller), box(scroller))
    return True


def toast(tree: Tree, rng: Random) -> bool:
    """A toast is shown: a small window of its own, after the others."""
    screen = tree.screen
    top = screen.height * 8 // 10
    at = Rect(screen.width // 4, top, screen.width * 3 // 4, top + 80)
    tree.add_window(tree.make("android.widget.Toast", at, text="Saved just now"))
    return True


def snackbar(tree: Tree, rng: Random) -> bool:
    """A bar with a text and a button lies over the lower end of the content, last in the app's
    window."""
    at = box(tree.content())
    top = max(at.bottom - max(at.height // 12, 20), at.top)
    tree.content().append(
        _bar(tree, Rect(at.left, top, at.right, at.bottom), "Item was archived", "Restore it")
    )
    return True


def banner(tree: Tree, rng: Random) -> bool:
    """A bar with a text and a button comes in at the top of the content, and all below moves
    down."""
    tree.content().insert(0, _bar(tree, _room_at_top(tree), _SAYS, "Try once more"))
    return True


def notice(tree: Tree, rng: Random) -> bool:
    """A line of text comes in above all else, where a title would be, and all below moves down."""
    tree.content().insert(0, tree.make("TextView", _room_at_top(tree), text="Offline"))
    return True


def _room_at_top(tree: Tree) -> Rect:
    at = box(tree.content())
    height = max(at.height // 12, 20)
    move_down(tree, height)
    return Rect(at.left, at.top, at.right, at.top + height)


def move_down(tree: Tree, by: int) -> None:
    """Moves the content; what leaves its window at the end is no longer reported."""
    content = tree.content()
    _move_content(tree, list(content), by, box(content))


def sheet(tree: Tree, rng: Random) -> bool:
    """A sheet with a title and two buttons opens over the lower half, in a window of its own."""
    tree.add_window(sheet_on(tree, "Choose a delivery time", "Later today", "Tomorrow at noon"))
    return True


def sheet_on(tree: Tree, title: str, first: str, second: str) -> Node:
    """A sheet over the lower half of the screen: its title and two buttons below each other."""
    screen = tree.screen
    top, part = screen.height // 2, screen.height // 6
    lines = [
        Rect(0, top + part * number, screen.right, top + part * (number + 1)) for number in range(3)
    ]
    return tree.make(
        "FrameLayout",
        Rect(0, top, screen.right, screen.bottom),
        tree.make("TextView", lines[0], text=title),
        tree.make("Button", lines[1], text=first, clickable="true"),
        tree.make("Button", lines[2], text=second, clickable="true"),
        clickable="true",
    )


def _bar(tree: Tree, at: Rect, text: str, button: str) -> Node:
    middle = at.left + at.width * 3 // 4
    return tree.make(
        "LinearLayout",
        at,
        tree.make("TextView", Rect(at.left, at.top, middle, at.bottom), text=text),
        tree.make(
            "Button", Rect(middle, at.top, at.right, at.bottom), text=button, clickable="true"
        ),
    )
