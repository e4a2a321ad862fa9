"""Something else stands where an element was: whoever resolves the old ref to it is wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_replicant.model import Rect

from ..lists import fill, list_of
from ..tree import Node, words_within

if TYPE_CHECKING:
    from random import Random

    from ..tree import Tree

_BEFORE = ("Allow Weather to use this phone's location?", "DENY", "ALLOW")
_AFTER = ("Turn off backup for all of your devices?", "CANCEL", "TURN OFF")


def other_rows(tree: Tree, rng: Random) -> bool:
    """A list shows other items in the same places: each row that has a title is another one."""
    found = list_of(tree, rng)
    if found is None:
        return False
    for row in found.items():
        fill(tree, found, row, rng)
        tree.rekey_all(row)
    return True


def dialog(tree: Tree, rng: Random) -> bool:
    """A framework dialog asks for a permission."""
    if tree.platform == "ios":
        return False
    screen = tree.screen
    middle, half = screen.center.y, screen.height // 8
    at = Rect(screen.width // 10, middle - half, screen.width * 9 // 10, middle + half)
    tree.add_window(_dialog(tree, at, _BEFORE))
    return True


def other_dialog(tree: Tree, rng: Random) -> bool:
    """Another dialog of the framework is open in place of the first: same ids, other texts."""
    shown = tree.tops()[-1]
    texts = dict(zip(_BEFORE, _AFTER, strict=True))
    for node, name, text in list(words_within(shown)):
        node.set(name, texts.get(text, text))
    tree.rekey_all(shown)
    return True


def _dialog(tree: Tree, at: Rect, texts: tuple[str, str, str]) -> Node:
    question, no, yes = texts
    low, middle = at.bottom - at.height // 3, at.center.x
    touched = {"clickable": "true", "package": "android"}
    return tree.make(
        "FrameLayout",
        at,
        tree.make(
            "TextView", Rect(at.left, at.top, at.right, low), text=question, resource_id="android:id/message",
            package="android",
        ),
        tree.make(
            "Button", Rect(at.left, low, middle, at.bottom), text=no, resource_id="android:id/button2", **touched
        ),
        tree.make(
            "Button", Rect(middle, low, at.right, at.bottom), text=yes, resource_id="android:id/button1", **touched
        ),
        package="android",
    )  # fmt: skip
