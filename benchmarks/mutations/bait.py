"""Something else stands where an element was: whoever resolves the old ref to it is wrong."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from pytest_replicant.model import Rect

from ..lists import fill, list_of
from ..tree import (
    UNKNOWN,
    Node,
    box,
    class_of,
    is_field,
    is_scroller,
    is_touched,
    words_of,
    words_within,
)
from ..wording import replacing
from .geometric import sheet_on

if TYPE_CHECKING:
    from random import Random

    from ..tree import Tree

_BAR = "replicant-tab-bar"
_TABS = ("Home", "Explore", "Orders", "Profile")
_BEFORE = ("Allow Weather to use this phone's location?", "DENY", "ALLOW")
_AFTER = ("Turn off backup for all of your devices?", "CANCEL", "TURN OFF")


def other_rows(tree: Tree, rng: Random) -> bool:
    """A list shows other items in the same places: each row that has a title is another one."""
    found = list_of(tree, rng)
    for row in found.items():
        fill(tree, found, row, rng)
        tree.rekey_all(row)
    return True


def tab_bar(tree: Tree, rng: Random) -> bool:
    """The screen has a bar of tabs, its own or one at the lower end, and one of them is
    selected."""
    bar = next((node for node in reversed(tree.nodes()) if _is_tab_bar(tree, node)), None)
    at = box(tree.content())
    if bar is None and (at.width < tree.screen.width or at.area * 2 < tree.screen.area):
        return False  # a dialog alone
    if bar is None:
        wide, top = at.width // len(_TABS), at.bottom - max(at.height // 12, 20)
        places = [
            Rect(at.left + number * wide, top, at.left + (number + 1) * wide, at.bottom)
            for number in range(len(_TABS))
        ]
        tree.clip(list(tree.content()), Rect(at.left, at.top, at.right, top))
        tabs = [
            tree.make("Button", place, text=name, clickable="true")
            for place, name in zip(places, _TABS, strict=True)
        ]
        bar = tree.make("LinearLayout", Rect(at.left, top, at.right, at.bottom), *tabs)
        tree.content().append(bar)
    bar.set(_BAR, "")
    if not any(tab.get("selected") == "true" for tab in bar):
        bar[0].set("selected", "true")
    return True


def tab_switched(tree: Tree, rng: Random) -> bool:
    """Another tab is selected: the bar stays, layouts may; all that says something elsewhere is
    another."""
    bar = tree.marked(_BAR)[0]
    chosen = rng.choice([tab for tab in bar if tab.get("selected") != "true"])
    for tab in bar:
        tab.set("selected", "true" if tab is chosen else "false")
    ids = Counter(node.get("resource-id", "") for node in tree.nodes())
    other = replacing(rng, tree.texts())
    kept = set(bar.iter())
    for node in [node for node in tree.app_window().iter() if node not in kept]:
        alone = ids[node.get("resource-id", "")] == 1
        if _says(node) or not (alone or is_scroller(node) or box(node).area * 4 > tree.screen.area):
            tree.rekey(node)
            for name in _says(node):
                node.set(name, other(node.get(name, "")))
        else:
            node.set(UNKNOWN, "")
    return True


def _says(node: Node) -> list[str]:
    """The attributes with words, also those that a field shows or is called by."""
    own = (*words_of(node), *(("hint", "text", "value") if is_field(node) else ()))
    return [name for name in dict.fromkeys(own) if node.get(name, "").strip()]


def _is_tab_bar(tree: Tree, node: Node) -> bool:
    """Three to six controls of one class with words, next to each other over most of the width."""
    boxes = [box(tab) for tab in node]
    kinds = {class_of(tab) for tab in node}
    if not 3 <= len(boxes) <= 6 or len(kinds) > 1 or len({at.top for at in boxes}) > 1:
        return False
    fits = (
        box(node).height * 6 < tree.screen.height and box(node).width * 10 > tree.screen.width * 6
    )
    return fits and all(is_touched(tab) and any(words_within(tab)) for tab in node)


def sheet_alone(tree: Tree, rng: Random) -> bool:
    """A sheet opens, and its window alone is reported; one of its buttons has the words of one
    before."""
    known = [text for node, _, text in words_within(tree.app_window()) if is_touched(node)]
    made = sheet_on(
        tree,
        "What would you like to do?",
        rng.choice(known) if known else "Save",
        "Close this sheet",
    )
    window = tree.app_window()
    if tree.platform == "ios":
        window[:] = [made]
        return True
    for top in tree.tops():
        if top is not window and top.get("package") != window.get("package"):
            continue
        if (parent := top.getparent()) is None:
            return False
        parent.remove(top)
    tree.add_window(made)
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
            "TextView", Rect(at.left, at.top, at.right, low), text=question,
            resource_id="android:id/message", package="android",
        ),
        tree.make(
            "Button", Rect(at.left, low, middle, at.bottom), text=no,
            resource_id="android:id/button2", **touched
        ),
        tree.make(
            "Button", Rect(middle, low, at.right, at.bottom), text=yes,
            resource_id="android:id/button1", **touched
        ),
        package="android",
    )  # fmt: skip
