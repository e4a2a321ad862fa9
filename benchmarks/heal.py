"""Does ``replicant heal`` find a renamed or moved element again, and never another one?

Controls of real screens get a locator that finds them, and their screen is changed so that it does
not any more. The truth is kept by the mutation, which knows each node by a key that no parser
reads. Tuned on one set of apps, measured on another. ``python -m benchmarks heal --split tune
--show`` prints what went wrong there.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from random import Random
from typing import Literal
from zlib import crc32

from pytest_replicant.errors import ReplicantError
from pytest_replicant.model import Element, Rect, Selector
from pytest_replicant.snapshots import Snapshot
from pytest_replicant.test_code import Known, Refusal, propose, refind
from pytest_replicant.testing.virtual import virtual_session
from pytest_replicant.virtual import all_exhibits

from .captures import SPLITS, Split, captures, corpus
from .scoring import upper_bound
from .table import Table, percent
from .tree import (
    Node,
    Tree,
    box,
    class_of,
    is_field,
    is_scroller,
    is_touched,
    said,
    set_box,
    shift,
    words_within,
)
from .wording import consistent, replaced

COMMAND = "python -m benchmarks heal"
MOST = 12  # captures of one repository
_CONTROLS = 4  # of one screen
_SHOWN = 20  # of what was not right
_NAMES = {"test": "apps kept apart", "tune": "apps for tuning"}
_APPS = {"tune": "dev.replicant.shop", "test": "dev.replicant.lab"}
_SHOP = ("sign-in", "reset-password", "catalogue", "cart", "settings")
Outcome = Literal["right", "wrong", "gone", "refused", "unparsed"]
Truth = Literal["patch", "gone", "refuse"]
"""The right answer: a patch that finds the element; that it is gone; a refusal, since two may be
it."""
_GOOD: dict[Truth, tuple[Outcome, ...]] = {
    "patch": ("right",),
    "gone": ("gone",),
    "refuse": ("gone", "refused", "right"),
}
_NOTE = """A control with a locator of its own is taken from each screen; the screen is changed so that the locator
finds nothing, or several. *Wrong*: the proposed locator finds another element than the one that the mutation
followed, or any where it took the element away. *Refused*: left as it is, for another reason than that it is gone.
Indistinguishable from a renamed control is another one of the same class and id in the same place; such
changes are not among these."""


@dataclass(frozen=True)
class Screen:
    """A screen before it is changed. ``origin`` is its repository or app."""

    name: str
    origin: str
    tree: Tree


@dataclass(frozen=True)
class Way:
    """A change of one control. ``change`` answers the key of the node that the control is now, ""
    where it is gone, None where it does not apply."""

    name: str
    truth: Truth
    change: Callable[[Tree, Node, Random], str | None]


@dataclass(frozen=True)
class Case:
    way: Way
    screen: Screen
    locator: Selector
    outcome: Outcome
    why: str
    evidence: str = ""


# --- what happens to controls ---------------------------------------------------------------------


def _key(node: Node) -> str:
    return node.get("replicant-key", "")


def _reword(tree: Tree, top: Node, rng: Random) -> bool:
    """Other words for the first text in it, wherever it stands in it."""
    if not (texts := said(top)):
        return False
    first = texts[0]
    new = replaced(first, rng, tree.texts())
    for node, name, text in list(words_within(top)):
        if text == first:
            node.set(name, new)
    return new != first


def renamed(tree: Tree, node: Node, rng: Random) -> str | None:
    """It says something else."""
    if _in_list(node) and not _has_own_id(tree, node):
        return None
    return _key(node) if _reword(tree, node, rng) else None


def renamed_in_list(tree: Tree, node: Node, rng: Random) -> str | None:
    """It is in a list and says something else: another item, as far as anybody can see."""
    if not _in_list(node) or _has_own_id(tree, node) or not _reword(tree, node, rng):
        return None
    return ""


def _in_list(node: Node) -> bool:
    return any(
        is_scroller(one) and not class_of(one).endswith("ScrollView")
        for one in node.iterancestors()
    )


def _has_own_id(tree: Tree, node: Node) -> bool:
    name = node.get("resource-id", "")
    return bool(name) and sum(each.get("resource-id") == name for each in tree.nodes()) == 1


def id_changed(tree: Tree, node: Node, rng: Random) -> str | None:
    """It has another id, and the words that it had."""
    if not _has_words(node):
        return None
    return _key(node) if _other_id(tree, node, rng) else None


def _has_words(node: Node) -> bool:
    return any(words_within(node)) or (
        is_field(node) and bool(node.get("hint") or node.get("text"))
    )


def _other_id(tree: Tree, node: Node, rng: Random) -> bool:
    name = "resource-id" if tree.platform == "android" else "name"
    before = node.get(name, "")
    if not before or (tree.platform == "ios" and before == node.get("label")):
        return False
    head, slash, _ = before.rpartition("/")
    node.set(name, f"{head}{slash}{replaced('one two', rng, set()).replace(' ', '_').lower()}")
    return True


def moved(tree: Tree, node: Node, rng: Random) -> str | None:
    """It has moved out of the part it was in, to the end of the screen."""
    content, parent = tree.content(), node.getparent()
    if parent is None or parent is content or content in node.iter():
        return None
    parent.remove(node)
    content.append(node)
    at, area = box(node), box(content)
    shift(node, area.left - at.left, area.bottom - at.height - at.top)
    return _key(node)


def removed(tree: Tree, node: Node, rng: Random) -> str | None:
    """It is gone, and its place is empty."""
    parent = node.getparent()
    if parent is not None:
        parent.remove(node)
    return ""


def succeeded(tree: Tree, node: Node, rng: Random) -> str | None:
    """Another control of its class stands in its place, with another id and other words."""
    change = consistent(lambda text: replaced(text, rng, tree.texts()))
    words = list(words_within(node))
    if not words or not _other_id(tree, node, rng):
        return None
    for each, name, text in words:
        each.set(name, change(text))
    tree.rekey_all(node)
    return ""


def duplicated(tree: Tree, node: Node, rng: Random) -> str | None:
    """A second one like it stands below it."""
    copy = _copied(tree, node)
    shift(copy, 0, box(node).height)
    return _key(node)


def split(tree: Tree, node: Node, rng: Random) -> str | None:
    """Two controls with names of their own stand in its place, in which its words recur."""
    texts = said(node)
    copy = _copied(tree, node)
    tree.rekey_all(node)
    at = box(node)
    if not texts or at.width < 20:
        return None
    _fit(node, Rect(at.left, at.top, at.center.x, at.bottom))
    _fit(copy, Rect(at.center.x, at.top, at.right, at.bottom))
    for half in (node, copy):
        change = consistent(lambda text: f"{text} {replaced('one', rng, set())}")
        for each, name, text in list(words_within(half)):
            each.set(name, change(text))
        _other_id(tree, half, rng)
    return ""


def _copied(tree: Tree, node: Node) -> Node:
    copy = deepcopy(node)
    tree.rekey_all(copy)
    node.addnext(copy)
    return copy


def _fit(top: Node, into: Rect) -> None:
    for node in top.iter():
        set_box(node, box(node).intersect(into))


WAYS: tuple[Way, ...] = (
    Way("renamed", "patch", renamed),
    Way("renamed in a list", "refuse", renamed_in_list),
    Way("id changed", "patch", id_changed),
    Way("moved", "patch", moved),
    Way("removed", "gone", removed),
    Way("succeeded", "gone", succeeded),
    Way("duplicated", "refuse", duplicated),
    Way("split into two", "refuse", split),
)


# --- trying it ------------------------------------------------------------------------------------


def cases(screen: Screen) -> Iterator[Case]:
    """Every way on some controls of a screen, each with the locators that find it alone before."""
    try:
        before = Snapshot.parse(screen.tree.to_bytes())
    except ReplicantError:
        return
    rng = Random(crc32(screen.name.encode()))
    controls = [one for one in before.elements if _is_control(screen.tree, one)]
    for was in rng.sample(controls, min(len(controls), _CONTROLS)):
        for locator in locators(was, before):
            yield from (
                case
                for way in WAYS
                if (case := _case(screen, way, was, locator, before)) is not None
            )


def _is_control(tree: Tree, element: Element) -> bool:
    node = tree.nodes()[element.node.index]
    return is_touched(node) and not box(node).is_empty and node is not tree.app_window()


def locators(was: Element, before: Snapshot) -> list[Selector]:
    """What a test may have written: its text, its id, its text in a part of the screen."""
    tail = was.resource_id.rpartition("/")[2]
    text, name = Selector(text=was.label), Selector(resource_id=tail)
    tried = [text] if was.label else []
    tried += [name] if tail else []
    part = before.parent_of(was)
    while was.label and part is not None:
        if part.resource_id:
            inner = Selector(resource_id=part.resource_id.rpartition("/")[2])
            tried.append(Selector(text=was.label, within=inner))
            break
        part = before.parent_of(part)
    return [
        one for one in tried if [each.node.index for each in before.every(one)] == [was.node.index]
    ]


def _case(
    screen: Screen, way: Way, was: Element, locator: Selector, before: Snapshot
) -> Case | None:
    """None where the change does not apply, or the locator still finds one element alone."""
    tree = screen.tree.copy()
    truth = way.change(
        tree, tree.nodes()[was.node.index], Random(crc32(f"{screen.name} {way.name}".encode()))
    )
    if truth is None:
        return None
    try:
        now = Snapshot.parse(tree.to_bytes())
        if len(now.every(locator)) == 1:
            return None
    except ReplicantError:
        return None
    try:
        found = refind(was, locator, before, now)
        proposal = propose(found.element, locator, now, [Known(before, was)])
    except Refusal as refusal:
        outcome: Outcome = "gone" if refusal.code == "gone" else "refused"
        return Case(way, screen, locator, outcome, f"{refusal.code}: {refusal.why}")
    (met,) = now.every(proposal.selector)
    right = bool(truth) and tree.keys()[met.node.index] == truth
    why = f"{proposal.selector} finds {met.describe()}"
    return Case(way, screen, locator, "right" if right else "wrong", why, found.evidence)


# --- screens --------------------------------------------------------------------------------------


def screens(split_: Split) -> list[Screen]:
    """Of a demo app on the virtual phone, and of the corpus where it is at hand."""
    found = list(of_demo_app(split_))
    if corpus() is not None:
        found += [Screen(one.name, one.repository, one.tree) for one in captures(split_, MOST)[0]]
    return found


def of_demo_app(split_: Split) -> Iterator[Screen]:
    app = _APPS[split_]
    links = [f"replicant-shop://{name}" for name in _SHOP]
    if split_ == "test":
        links = [f"lab://{one.slug}" for one in all_exhibits()]
    with virtual_session(app) as mobile:
        for link in links:
            try:
                mobile.open_url(link, app)
                tree = Tree.read(mobile._context.driver.dump_hierarchy())
            except (ReplicantError, AssertionError):
                continue  # exhibits that cannot be read, or die
            yield Screen(link, app, tree)


# --- tables ---------------------------------------------------------------------------------------


def measure() -> list[Table]:
    return alone([])


def judged(split_: Split) -> list[Case]:
    return [case for screen in screens(split_) for case in cases(screen)]


def table(split_: Split, found: Sequence[Case]) -> Table:
    rows = [_row(way.name, [case for case in found if case.way is way], way.truth) for way in WAYS]
    wrong = sum(case.outcome == "wrong" for case in found)
    origins = len({case.screen.origin for case in found})
    names = len({case.screen.name for case in found})
    corpus_too = "" if corpus() is not None else " The corpus is not at hand: demo apps alone."
    note = " ".join(_NOTE.split())
    return Table(
        f"heal_{split_}",
        f"Healed locators, {_NAMES[split_]}",
        f"{COMMAND} --split {split_}",
        ("change", "right is", "cases", "right patch", "wrong", "said gone", "refused", "right"),
        tuple(rows),
        f"{len(found)} cases on {names} screens of {origins} apps and repositories. Wrong: "
        f"{wrong}, at most {upper_bound(wrong, len(found)):.3%} with 95 % confidence.{corpus_too} "
        f"{note}",
        detail=split_ != "test",
    )


def _row(name: str, found: Sequence[Case], truth: Truth) -> tuple[object, ...]:
    count = Counter(case.outcome for case in found)
    good = sum(count[outcome] for outcome in _GOOD[truth])
    counts = (count["right"], count["wrong"], count["gone"], count["refused"])
    return (name, truth, len(found), *counts, percent(good, len(found)))


def alone(arguments: Sequence[str]) -> list[Table]:
    """What ``python -m benchmarks heal`` with options does."""
    parser = argparse.ArgumentParser(prog=COMMAND, description=__doc__)
    parser.add_argument("--split", choices=SPLITS, help="one part (default: both)")
    parser.add_argument(
        "--show", metavar="CHANGE", help="print what was not right; also 'all', 'wrong'"
    )
    options = parser.parse_args(arguments)
    made = []
    for split_ in [options.split] if options.split else SPLITS:
        found = judged(split_)
        made.append(table(split_, found))
        if options.show:
            _show(found, options.show)
    return made


def _show(found: Sequence[Case], name: str) -> None:
    chosen = [
        case
        for case in found
        if case.outcome not in _GOOD[case.way.truth]
        and name in ("all", case.outcome, case.way.name)
    ]
    for case in chosen[:: max(len(chosen) // _SHOWN, 1)][:_SHOWN]:
        print(
            f"{case.way.name}: {case.outcome}, {case.locator} on {case.screen.name}\n    {case.why}"
        )
        if case.evidence:
            print(f"    {case.evidence}")
    for (way, why), times in Counter(
        (case.way.name, case.why.partition(":")[0]) for case in chosen
    ).most_common():
        print(f"{times} {way}: {why}")
