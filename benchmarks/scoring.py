"""What became of refs: resolved to the element they were printed for, to another one, or not at all."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pytest_replicant.session.resolve import STALE_VERDICTS
from pytest_replicant.snapshots.memory import Memory
from pytest_replicant.snapshots.snapshot import Snapshot

from .mutations import MUTATIONS, Mutation, mutate
from .peers import PEERS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from pytest_replicant.model.element import Element

    from .captures import Capture
    from .tree import Tree

OURS = "replicant"
SYSTEMS = (OURS, *(peer.key for peer in PEERS))


@dataclass
class Tally:
    """Counts of uses of a ref. ``surviving`` are those whose element is an element of the new screen too;
    ``kept`` of them resolve to it, ``same_ref`` are printed with the same string. ``mistaken`` resolve to
    another element or to anything where the true one is gone, ``hijacked`` of them to one that shares neither
    id nor class and label."""

    uses: int = 0
    surviving: int = 0
    kept: int = 0
    same_ref: int = 0
    abstained: int = 0
    mistaken: int = 0
    hijacked: int = 0

    def add(self, other: Tally) -> None:
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)


@dataclass(frozen=True)
class Case:
    """A use that did not end at the element it was meant for."""

    capture: str
    mutation: str
    outcome: str  # abstained | mistaken | hijacked
    element: str
    resolved: str
    why: str


@dataclass
class Scores:
    """Tallies by mutation and system, and what our own refs did not resolve as they should."""

    by: dict[tuple[str, str], Tally] = field(default_factory=lambda: defaultdict(Tally))
    cases: list[Case] = field(default_factory=list)

    def total(self, system: str, groups: Sequence[str]) -> Tally:
        tally = Tally()
        for mutation in MUTATIONS:
            if mutation.group in groups and (mutation.name, system) in self.by:
                tally.add(self.by[mutation.name, system])
        return tally


@dataclass(frozen=True)
class Screen:
    """A snapshot with the key of each node's truth, and what is remembered of the one before."""

    snapshot: Snapshot
    keys: list[str]
    memory: Memory

    def key(self, element: Element) -> str:
        return self.keys[element.node.index]


def score(
    captures: Iterable[Capture],
    mutations: Sequence[Mutation] = MUTATIONS,
    resolver: Callable[[Snapshot, Element], tuple[Element | None, str]] | None = None,
) -> Scores:
    """Every ref of every capture, used after every mutation. ``resolver`` stands in for ours."""
    scores = Scores()
    for capture in captures:
        plain = read(capture.tree)
        for mutation in mutations:
            changed = mutate(capture.tree, mutation, capture.name)
            if changed is None:
                continue
            before = plain if mutation.prepare is None else read(changed[0])
            after = read(changed[1], before.snapshot)
            _score_one(capture, mutation, before, after, scores, resolver or ours)
    return scores


def read(tree: Tree, previous: Snapshot | None = None) -> Screen:
    """As a session reads: it keeps what it printed and the labels of fields from when they were empty."""
    data, memory = tree.to_bytes(), Memory()
    if previous is not None:
        memory.learn(previous)
    snapshot = Snapshot.parse(data, id="s0" if previous is None else "s1", memory=memory)
    keys = tree.keys()
    assert len(keys) == len(snapshot.nodes), "a node got lost on the way"
    return Screen(snapshot, keys, memory)


def ours(snapshot: Snapshot, was: Element) -> tuple[Element | None, str]:
    """As a session resolves a ref that it printed earlier."""
    located = snapshot.locate(was)
    element = None if located.verdict in STALE_VERDICTS else located.element
    return element, f"{located.verdict}: {located.reason}"


def shares(was: Element, now: Element) -> bool:
    """Whether two elements have the resource id or class and label in common."""
    same_id = bool(was.resource_id) and was.resource_id == now.resource_id
    return same_id or (was.class_name, was.label) == (now.class_name, now.label)


def _score_one(
    capture: Capture,
    mutation: Mutation,
    before: Screen,
    after: Screen,
    scores: Scores,
    resolver: Callable[[Snapshot, Element], tuple[Element | None, str]],
) -> None:
    there = {after.key(element): element for element in after.snapshot.elements}
    lost = set(before.keys) - set(after.keys)
    old = before.snapshot.elements
    used = [e for e in old if before.key(e) in lost] if mutation.group == "bait" else list(old)
    tally = scores.by[mutation.name, OURS]
    for was in used:
        now, why = resolver(after.snapshot, after.memory.witness(was.ref) or was)
        outcome = _count(tally, was, now, before.key(was), there, after)
        true = there.get(before.key(was))
        tally.same_ref += true is not None and true.ref == was.ref
        if outcome not in ("kept", "rightly abstained"):
            resolved = f"{now.describe()} {now.bounds}" if now else "nothing"
            told = f"{was.describe()} id={was.resource_id} {was.bounds}"
            scores.cases.append(Case(capture.name, mutation.name, outcome, told, resolved, why))
    for peer in PEERS:
        tally = scores.by[mutation.name, peer.key]
        name_of = dict(zip(map(before.key, old), peer.names(old), strict=True))
        found = peer.found(after.snapshot.elements)
        for was in used:
            _count(tally, was, found.get(name_of[before.key(was)]), before.key(was), there, after)


def _count(
    tally: Tally, was: Element, now: Element | None, key: str, there: dict[str, Element], after: Screen
) -> str:
    tally.uses += 1
    tally.surviving += key in there
    if now is None:
        tally.abstained += 1
        return "abstained" if key in there else "rightly abstained"
    if after.key(now) == key:
        tally.kept += key in there
        return "kept"
    tally.mistaken += 1
    if shares(was, now):
        return "mistaken"
    tally.hijacked += 1
    return "hijacked"


def upper_bound(count: int, uses: int) -> float:
    """The rate that is not exceeded with 95 % confidence: Clopper and Pearson's, 3/n for none observed."""
    if uses == 0 or count >= uses:
        return 1.0
    if count == 0:
        return min(3 / uses, 1.0)
    low, high = count / uses, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if _at_most(count, uses, middle) > 0.05 else (low, middle)
    return high


def _at_most(count: int, uses: int, rate: float) -> float:
    """The chance of no more than ``count`` in ``uses`` draws."""
    if rate <= 0 or rate >= 1:
        return float(rate <= 0)
    logs = [
        math.lgamma(uses + 1) - math.lgamma(k + 1) - math.lgamma(uses - k + 1)
        + k * math.log(rate) + (uses - k) * math.log1p(-rate)
        for k in range(count + 1)
    ]  # fmt: skip
    return math.fsum(math.exp(one) for one in logs)
