"""Selectors to write down, on real captures: how many elements get one, of what kind, whether it still means the
element on another read of the same screen, and whether a warning said so where it does not."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import permutations
from statistics import mean
from string import ascii_lowercase, digits
from typing import TYPE_CHECKING

from pytest_replicant.snapshots import Snapshot

from .captures import Capture, Split, captures, needed_corpus
from .lists import NoList, list_of
from .mutations import MUTATIONS, mutate
from .table import Table, percent

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_replicant.model import Element, Selector
    from pytest_replicant.snapshots import Purpose

    from .tree import Tree

MOST_SCREENS = 6  # a repository, to be changed by each mutation
MOST_PAIRS = 150  # of reads of one screen, per app: those that were captured often would outweigh the rest
_KINDS = {
    "id": "an id",
    "label": "a label",
    "both": "an id or label and more about itself",
    "row_with": "its row",
    "within": "a container",
    "has": "what it holds",
    "near": "what it is near",
    "class": "its class alone",
    "none": "nothing but its place",
}
_LABELS = frozenset({"text", "text_contains", "text_matches", "description"})
_OUTCOMES = ("the element", "nothing, it is gone", "nothing", "several", "a namesake", "another", "undecided")
COLUMNS = ("set", "found by", "n", *_OUTCOMES)
_NOTE = """*Found by* is the widest keyword of the selector. Only an element unique on its screen counts as found;
a selector by place is never proposed."""
_ACROSS_NOTE = """Each selector is made on one read of a screen and matched on another that differs in content.
Where the element is, is judged by refs. *A namesake*: it meets one element that refs do not lead to, but that has
the same id or label. *Another*: one that shares neither."""


_MUTATED_NOTE = f"""Each selector is made on a capture and matched on the capture as changed by each mutation that
refs are measured with, up to {MOST_SCREENS} captures a repository."""


_WARNED_NOTE = """Selectors for actions. *Break*: the element is there, and the selector meets nothing, several or
another; or it is gone, and the selector meets something. A build that shortens ids names them `elo`, and the next
one otherwise; of a list of one row all elements of the screen are counted."""
_PURPOSE_NOTE = """Elements whose own label changed (mutations text_changed, row_detail and counter). An action is
to meet such an element still, where anything but its label identifies it; a check is to notice."""
_SIGNS = f"{ascii_lowercase}{digits}_"


@dataclass
class Proposed:
    """``kinds`` counts elements; ``lengths`` are those of the code of unique selectors."""

    kinds: Counter[str] = field(default_factory=Counter)
    lengths: list[int] = field(default_factory=list)


def measure() -> list[Table]:
    needed_corpus()
    return tables(("tune", "test"))


def tables(splits: Sequence[Split]) -> list[Table]:
    screens: Screens = {split: [(one.repository, _read(one)) for one in captures(split)[0]] for split in splits}
    changed: Used = {split: [one for pair in _mutations(split) for one in _uses(*pair)] for split in splits}
    return [_shares(screens), _across(screens), _mutated(changed), _warned(changed), _by_purpose(splits)]


def _read(capture: Capture) -> Snapshot:
    return Snapshot.parse(capture.tree.to_bytes(), id=capture.name)


Screens = dict[Split, list[tuple[str, Snapshot]]]
Used = dict[Split, list["Use"]]


def _shares(screens: Screens) -> Table:
    proposed: dict[Split, Proposed] = {}
    for split, some in screens.items():
        one = proposed[split] = Proposed()
        for _, snapshot in some:
            for element in snapshot.elements:
                proposal = snapshot.selector(element.ref)
                one.kinds[kind_of(proposal.selector) if proposal.unique_on else "none"] += 1
                one.lengths += [len(proposal.code)] if proposal.unique_on else []
    rows: list[tuple[object, ...]] = [
        (told, *(percent(one.kinds[kind], one.kinds.total()) for one in proposed.values()))
        for kind, told in _KINDS.items()
    ]
    rows.append(("characters, on average", *(f"{mean(one.lengths):.0f}" for one in proposed.values())))
    rows.append(("elements", *(one.kinds.total() for one in proposed.values())))
    rows.append(("screens", *(len(some) for some in screens.values())))
    title, command = "Selectors to write down", "python -m benchmarks selectors"
    return Table("selectors", title, command, ("found by", *proposed), tuple(rows), _NOTE)


def _across(screens: Screens) -> Table:
    rows: list[tuple[object, ...]] = []
    for split, some in screens.items():
        counts: dict[str, Counter[str]] = {}
        for first, second in _pairs(some):
            for element in first.elements:
                proposal = first.selector(element.ref)
                if proposal.unique_on:
                    located = second.locate(element)
                    outcome = "cannot be decided"
                    if located.verdict != "ambiguous":
                        outcome = _outcome(element, second.match(proposal.selector), located.element)
                    counts.setdefault(kind_of(proposal.selector), Counter())[outcome] += 1
        rows += _rows(split, counts)
    title, command = "Selectors on another read of the screen", "python -m benchmarks selectors"
    return Table("selectors-across", title, command, COLUMNS, tuple(rows), _ACROSS_NOTE)


def _pairs(screens: list[tuple[str, Snapshot]]) -> list[tuple[Snapshot, Snapshot]]:
    """Two reads of one screen that differ in what is on it."""
    apps: dict[tuple[str, str], list[Snapshot]] = {}
    for repository, snapshot in screens:
        apps.setdefault((repository, snapshot.app), []).append(snapshot)
    found: list[tuple[Snapshot, Snapshot]] = []
    for some in apps.values():
        pairs = [
            (one, other)
            for one, other in permutations(some, 2)
            if one.screen_key == other.screen_key and one.fingerprint != other.fingerprint
        ]
        found += random.Random(0).sample(pairs, min(len(pairs), MOST_PAIRS))
    return found


def _mutated(changed: Used) -> Table:
    rows: list[tuple[object, ...]] = []
    for split, uses in changed.items():
        counts: dict[str, Counter[str]] = {}
        for one in uses:
            counts.setdefault(kind_of(one.selector), Counter())[one.outcome] += 1
        rows += _rows(split, counts)
    title, command = "Selectors on a changed screen", "python -m benchmarks selectors"
    return Table("selectors-mutated", title, command, COLUMNS, tuple(rows), _MUTATED_NOTE)


def _warned(changed: Used) -> Table:
    changes = {"a build that shortens ids, then the next": _rebuilt, "a list of one row, then all": _one_row}
    some = [(split, "as refs are measured", uses) for split, uses in changed.items()]
    for split, (said, change) in itertools.product(changed, changes.items()):
        some.append((split, said, [one for pair in change(split) for one in _uses(*pair)]))
    rows: list[tuple[object, ...]] = []
    for split, said, uses in some:
        counts = Counter((one.warned, one.breaks) for one in uses)
        warned, sure = (counts[found, True] + counts[found, False] for found in (True, False))
        rows.append(
            (split, said, warned + sure, percent(warned, warned + sure), percent(counts[True, True], warned),
             percent(counts[False, True], sure), counts[False, True])
        )  # fmt: skip
    columns = ("set", "change", "n", "warned", "of these break", "break without a warning", "so many")
    title, command = "Selectors that were warned about", "python -m benchmarks selectors"
    return Table("selectors-warned", title, command, columns, tuple(rows), _WARNED_NOTE)


def _by_purpose(splits: Sequence[Split]) -> Table:
    rows: list[tuple[object, ...]] = []
    purposes: tuple[Purpose, ...] = ("action", "check")
    for split, purpose in itertools.product(splits, purposes):
        counts = Counter[str]()
        for before, after in _mutations(split, "text_changed", "row_detail", "counter"):
            counts.update(one.outcome for one in _uses(before, after, purpose) if one.renamed)
        shares = (percent(counts[outcome], counts.total()) for outcome in ("the element", "nothing"))
        rows.append((split, purpose, counts.total(), *shares))
    columns = ("set", "made for", "n", "meet the element", "meet nothing")
    title, command = "Selectors for actions and for checks", "python -m benchmarks selectors"
    return Table("selectors-purpose", title, command, columns, tuple(rows), _PURPOSE_NOTE)


Pairs = Iterator[tuple["Tree", "Tree"]]


def _mutations(split: Split, *names: str) -> Pairs:
    """Captures before and after each of the mutations, or of those named."""
    for capture in captures(split, MOST_SCREENS)[0]:
        for mutation in MUTATIONS:
            changed = mutate(capture.tree, mutation, capture.name)
            wanted = mutation.name in names if names else mutation.group != "informative"
            if changed is not None and wanted:
                yield changed


def _rebuilt(split: Split) -> Pairs:
    """Captures with their ids shortened as a build does it, and as the next one does."""
    for capture in captures(split, MOST_SCREENS)[0]:
        builds = capture.tree.copy(), capture.tree.copy()
        if all(shorten_ids(tree, random.Random(f"{capture.name} {n}")) for n, tree in enumerate(builds)):
            yield builds


def shorten_ids(tree: Tree, rng: random.Random) -> bool:
    """Names the ids of each package as builds do that shorten them; those of the framework stay."""
    made: dict[str, str] = {}
    for node in tree.nodes():
        package, _, name = node.get("resource-id", "").rpartition(":id/")
        if package in ("", "android"):
            continue
        while name not in made:
            short = rng.choice(ascii_lowercase) + "".join(rng.choices(_SIGNS, k=rng.choice((1, 2, 2, 2))))
            made |= {name: short} if short not in made.values() else {}
        node.set("resource-id", f"{package}:id/{made[name]}")
    return bool(made)


def _one_row(split: Split) -> Pairs:
    """Captures with all rows of a list removed but one, and as they are."""
    for capture in captures(split, MOST_SCREENS)[0]:
        before, rng = capture.tree.copy(), random.Random(capture.name)
        with suppress(NoList):
            found = list_of(before, rng)
            kept = rng.choice(found.models())
            for row in found.rows:
                if row is not kept:
                    found.container.remove(row)
            yield before, capture.tree


@dataclass(frozen=True)
class Use:
    """A selector that was made on one screen, and what it met on another."""

    selector: Selector
    warned: bool
    outcome: str
    renamed: bool

    @property
    def breaks(self) -> bool:
        return self.outcome not in ("the element", "nothing, it is gone")


def _uses(tree: Tree, changed: Tree, purpose: Purpose = "action") -> Iterator[Use]:
    """Each selector that is unique before, looked for after."""
    before, after = Snapshot.parse(tree.to_bytes(), id="before"), Snapshot.parse(changed.to_bytes(), id="after")
    old, new = tree.keys(), changed.keys()
    there = {new[element.node.index]: element for element in after.elements}
    for element in before.elements:
        proposal = before.selector(element.ref, purpose=purpose)
        if proposal.unique_on:
            true = there.get(old[element.node.index])
            outcome = _outcome(element, after.match(proposal.selector), true)
            renamed = true is not None and true.label != element.label
            yield Use(proposal.selector, bool(proposal.warnings), outcome, renamed)


def _rows(split: Split, counts: dict[str, Counter[str]]) -> list[tuple[object, ...]]:
    found: list[tuple[object, ...]] = []
    for kind, told in _KINDS.items():
        tally = counts.get(kind, Counter())
        if tally:
            shares = (percent(tally[outcome], tally.total()) for outcome in _OUTCOMES)
            found.append((split, told, tally.total(), *shares))
    return found


def kind_of(selector: Selector) -> str:
    """What the selector rests on: of several keywords, the one that reaches farthest."""
    given = dict(selector.given())
    for name in ("near", "has", "within", "row_with"):
        if name in given:
            return name
    if len(given) > 1:
        return "both"
    if "resource_id" in given:
        return "id"
    return "label" if _LABELS & given.keys() else "class"


def _outcome(element: Element, found: list[Element], true: Element | None) -> str:
    """What the selector made for ``element`` met on a screen where that is ``true``, or gone."""
    if not found:
        return "nothing" if true is not None else "nothing, it is gone"
    if len(found) > 1:
        return "several"
    if found == [true]:
        return "the element"
    id_, label = found[0].resource_id, found[0].label
    alike = (id_ and id_ == element.resource_id) or (label and label == element.label)
    return "a namesake" if alike else "another"
