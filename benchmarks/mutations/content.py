"""The same elements with other states, texts or ids."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pytest_replicant.model import Rect

from ..lists import list_of
from ..tree import Node, box, class_of, is_field, is_touched, words_of, words_within
from ..wording import consistent, renumbered, replacing, translated
from .geometric import move_down

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from ..tree import Tree

_SWITCHED = {"ON": "OFF", "OFF": "ON", "On": "Off", "Off": "On"}
_FLIPPED = {"true": "false", "false": "true"}
_BACK = {"content_desc": "Navigate up", "clickable": "true", "text": ""}
_ID_TAIL = re.compile(r"[^/:]+$")


def _say(node: Node, change: Callable[[str], str]) -> None:
    for name, text in words_of(node).items():
        node.set(name, change(text))


def text_changed(tree: Tree, rng: Random) -> bool:
    """A fifth of the texts that stand alone say something else: a balance, a greeting, a date."""
    alone = [
        node
        for node in tree.nodes()
        if words_of(node) and not any(is_touched(one) for one in (node, *node.iterancestors()))
    ]
    if not alone:
        return False
    taken = tree.texts()
    for node in rng.sample(alone, -(-len(alone) // 5)):
        _say(node, replacing(rng, taken))
    return True


def one_text(tree: Tree, rng: Random) -> bool:
    """One text of the screen says something else, whatever it is."""
    speaking = [node for node in tree.nodes() if words_of(node)]
    if not speaking:
        return False
    _reword(tree, rng.choice(speaking), rng)
    return True


def row_title(tree: Tree, rng: Random) -> bool:
    """The first text of one row says something else: an item was renamed."""
    found = list_of(tree, rng)
    _reword(tree, next(node for node, _, _ in words_within(rng.choice(found.rows))), rng)
    return True


def give_title(tree: Tree, rng: Random) -> bool:
    """The screen has a title: its own, or one next to a back arrow at the top."""
    if tree.title() is None:
        content = tree.content()
        at = box(content)
        high = min(tree.screen.height // 12, at.height // 4)
        middle, low = at.left + high, at.top + high
        if low > tree.screen.height // 6:
            return False
        move_down(tree, high)
        back = tree.make("ImageButton", Rect(at.left, at.top, middle, low), **_BACK)
        shown = tree.make("TextView", Rect(middle, at.top, at.right, low), text="Inbox")
        bar = tree.make("Toolbar", Rect(at.left, at.top, at.right, low), back, shown)
        content.insert(0, bar)
    return tree.title() is not None


def title_counts(tree: Tree, rng: Random) -> bool:
    """The title gets a number, or another one: "Inbox (3)"."""
    return _retitle(tree, consistent(lambda text: renumbered(text, rng)))


def title_changed(tree: Tree, rng: Random) -> bool:
    """The title says something else, while the rest of the screen stays."""
    return _retitle(tree, replacing(rng, tree.texts()))


def _retitle(tree: Tree, change: Callable[[str], str]) -> bool:
    """Changes the title, and what repeats it around it, as a navigation bar does."""
    title = tree.title()
    if title is None:
        return False
    said = set(words_of(title).values())
    for node in (title, *title.iterancestors()):
        if said & set(words_of(node).values()):
            _say(node, change)
    return True


def _reword(tree: Tree, node: Node, rng: Random) -> None:
    _say(node, replacing(rng, tree.texts()))


def theme(tree: Tree, rng: Random) -> bool:
    """Dark colours: nothing changes in the hierarchy but the switch for it, the first one, where
    there is one."""
    switch = next((node for node in tree.nodes() if node.get("checkable") == "true"), None)
    if switch is not None:
        _flip(switch, "checked")
    return True


def row_detail(tree: Tree, rng: Random) -> bool:
    """In half of the rows a text other than the first changes, such as a price."""
    found = list_of(tree, rng)
    taken, changed = tree.texts(), False
    for row in found.rows:
        speaking = [node for node in row.iter() if words_of(node) and not is_touched(node)]
        first = set(words_of(speaking[0]).values()) if speaking else set()
        others = [node for node in speaking[1:] if not first & set(words_of(node).values())]
        if others and rng.random() < 0.5:
            _say(rng.choice(others), replacing(rng, taken))
            changed = True
    return changed


def counter(tree: Tree, rng: Random) -> bool:
    """A number in the name of a control changes, or one is added: "Cart (3)"."""
    touched = [node for node in tree.nodes() if is_touched(node) and not is_field(node)]
    controls = [node for node in touched if any(words_within(node))]
    if not controls:
        return False
    for control in rng.sample(controls, -(-len(controls) // 5)):
        node = next(node for node, _, _ in words_within(control))
        _say(node, consistent(lambda text: renumbered(text, rng)))
    return True


def _flip(node: Node, name: str, unknown: str = "true") -> None:
    node.set(name, _FLIPPED.get(node.get(name, ""), unknown))


def toggles(tree: Tree, rng: Random) -> bool:
    """Switches, selection, focus and availability change."""
    changed = False
    for node in tree.nodes():
        if node.get("checkable") == "true" and rng.random() < 0.5:
            _flip(node, "checked")
            node.set("text", _SWITCHED.get(node.get("text", ""), node.get("text", "")))
            changed = True
        if class_of(node) == "Switch" and node.get("value") in ("0", "1"):
            node.set("value", "0" if node.get("value") == "1" else "1")
            changed = True
        if is_touched(node) and rng.random() < 0.15:
            _flip(node, "enabled", "false")
            changed = True
    for name in ("selected", "focused"):
        changed |= _move_flag(tree, name, rng)
    return changed


def _move_flag(tree: Tree, name: str, rng: Random) -> bool:
    flagged = [node for node in tree.nodes() if node.get(name) == "true"]
    others = [node for node in tree.nodes() if node.get(name) == "false" and is_touched(node)]
    for node in flagged:
        node.set(name, "false")
    if others:
        rng.choice(others).set(name, "true")
    return bool(flagged or others)


def typed(tree: Tree, rng: Random) -> bool:
    """Something is typed into every field; a password shows as more and more dots."""
    fields = [node for node in tree.nodes() if is_field(node)]
    for node in fields:
        secret = node.get("password") == "true" or class_of(node).startswith("Secure")
        name = "value" if str(node.tag).startswith("XCUIElementType") else "text"
        before = node.get(name, "") if "•" in node.get(name, "") or node.get("hint") else ""
        node.set(name, before + ("••••••" if secret else "ada lovelace"))
        if node.get("showing-hint"):
            node.set("showing-hint", "false")
    return bool(fields)


def translation(tree: Tree, rng: Random) -> bool:
    """The app speaks another language, in another alphabet and in longer words."""
    change = consistent(translated)
    changed = False
    for node in tree.nodes():
        for name, text in words_of(node).items():
            node.set(name, change(text))
            changed = changed or change(text) != text
        if is_field(node) and node.get("hint"):
            node.set("hint", change(node.get("hint", "")))
    return changed


def ids_renamed(tree: Tree, rng: Random) -> bool:
    """A new build of the app has other resource ids; those of the framework stay."""
    renamed = consistent(lambda name: f"{name[:1]}{rng.randint(1000, 999999):x}")
    changed = False
    for node in tree.nodes():
        name = node.get("resource-id", "")
        if name and not name.startswith("android:"):
            node.set("resource-id", _ID_TAIL.sub(lambda match: renamed(match.group()), name))
            changed = True
        identifier = node.get("name", "")
        if (
            identifier
            and str(node.tag).startswith("XCUIElementType")
            and identifier != node.get("label")
        ):
            node.set("name", renamed(identifier))
            changed = True
    return changed
