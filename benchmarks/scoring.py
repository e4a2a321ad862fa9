"""What became of refs: resolved to the element they were printed for, to another one, or not at
all."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from .mutations import MUTATIONS, Mutation, mutate
from .oracle import Oracle
from .replay import Replay
from .tree import UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pytest_replicant.model import Element
    from pytest_replicant.snapshots import Snapshot

    from .captures import Capture
    from .tree import Tree


class Resolver(Protocol):
    def __call__(
        self, was: Element, before: Screen, after: Screen, /
    ) -> tuple[Element | None, str]:
        """What an element of a screen is on the later one, None where that is unknown, and why."""
        ...


@dataclass
class Tally:
    """Counts of uses of a ref. ``surviving`` are those whose element is an element of the new
    screen too, and ``demanded`` those of them where abstaining is right, as nothing distinguishes
    it from another. Of the others, which are decidable, ``kept`` resolve to it and ``abstained`` to
    nothing; ``same_ref`` of all that survive are printed with the same string. ``mistaken`` of all
    resolve to another element or to anything where the true one is gone, ``hijacked`` of them to
    one that shares neither id nor class and label."""

    uses: int = 0
    surviving: int = 0
    demanded: int = 0
    kept: int = 0
    same_ref: int = 0
    abstained: int = 0
    mistaken: int = 0
    hijacked: int = 0

    @property
    def decidable(self) -> int:
        return self.surviving - self.demanded

    def add(self, other: Tally) -> None:
        for name, value in vars(other).items():
            setattr(self, name, getattr(self, name) + value)


@dataclass(frozen=True)
class Case:
    """A use that did not end at the element it was meant for."""

    capture: str
    mutation: str
    outcome: str  # abstained | mistaken | hijacked | demanded
    element: str
    resolved: str
    why: str


@dataclass
class Scores:
    """Tallies by mutation, and what refs did not resolve as they should."""

    by: dict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    cases: list[Case] = field(default_factory=list)

    def total(self, groups: Sequence[str]) -> Tally:
        tally = Tally()
        for mutation in MUTATIONS:
            if mutation.group in groups and mutation.name in self.by:
                tally.add(self.by[mutation.name])
        return tally


@dataclass(frozen=True)
class Screen:
    """A snapshot with the key of each node's truth, and the session that read it."""

    snapshot: Snapshot
    keys: list[str]
    session: Replay

    def key(self, element: Element) -> str:
        return self.keys[element.node.index]


def score(
    captures: Iterable[Capture],
    mutations: Sequence[Mutation] = MUTATIONS,
    resolver: Resolver | None = None,
    seeds: int = 1,
) -> Scores:
    """Every ref of every capture, used after every mutation, which is done with as many seeds; what
    turns out the same counts once. ``resolver`` stands in for ours."""
    scores = Scores()
    for capture in captures:
        for mutation in mutations:
            for changed in _changes(capture, mutation, seeds):
                _score(_Use(capture, mutation, *changed), scores, resolver or by_ref)
    return scores


def _changes(capture: Capture, mutation: Mutation, seeds: int) -> Iterator[tuple[Tree, Tree]]:
    seen: set[tuple[bytes, bytes]] = set()
    for seed in range(seeds):
        changed = mutate(capture.tree, mutation, f"{capture.name} {seed}" if seed else capture.name)
        if (
            changed is not None
            and (made := (changed[0].to_bytes(), changed[1].to_bytes())) not in seen
        ):
            seen.add(made)
            yield changed


def read(tree: Tree, session: Replay) -> Screen:
    snapshot, keys = session.show(tree.to_bytes()), tree.keys()
    assert len(keys) == len(snapshot.nodes), "a node got lost on the way"
    return Screen(snapshot, keys, session)


def by_ref(was: Element, before: Screen, after: Screen) -> tuple[Element | None, str]:
    """As ``mobile.tap("k427")`` finds what k427 was printed for."""
    return after.session.use(was.ref)


def verdict_of_locate(was: Element, snapshot: Snapshot) -> str:
    located = snapshot.locate(was)
    return f"locate() says {located.verdict}: {located.reason}"


def shares(was: Element, now: Element) -> bool:
    """Whether two elements have the resource id, or class and name or label, in common; a row that
    holds several labels is called by one of them, since its price is not what it is."""
    has_name = was.name == now.name or was.label == now.label
    return _same_id(was, now) or (has_name and was.class_name == now.class_name)


def other_details(was: Element, now: Element) -> bool:
    """Whether it is the same by its name alone, with other labels beside it."""
    return not _same_id(was, now) and shares(was, now) and was.label != now.label


def _same_id(was: Element, now: Element) -> bool:
    return bool(was.resource_id) and was.resource_id == now.resource_id


class _Use:
    """The refs of one screen, used on it as it has become. ``demanded`` are the keys of the
    elements that are still there but indistinguishable from others."""

    def __init__(self, capture: Capture, mutation: Mutation, was: Tree, now: Tree) -> None:
        session = Replay()
        before, after = read(was, session), read(now, session)
        self.capture, self.mutation, self.before, self.after = capture, mutation, before, after
        self.there = {after.key(element): element for element in after.snapshot.elements}
        old = before.snapshot.elements
        lost = set(before.keys) - set(after.keys)
        bait = mutation.group == "bait"  # what stays is no bait
        unknown = {
            key for key, node in zip(now.keys(), now.nodes(), strict=True) if UNKNOWN in node.attrib
        }
        used = ((element, before.key(element)) for element in old)
        self.used = [
            element for element, key in used if key not in unknown and (not bait or key in lost)
        ]
        printed = frozenset(map(before.key, old))
        oracle = Oracle(was, now, printed, frozenset(self.there))
        self.demanded = {
            key for key in printed & self.there.keys() if oracle.demands_abstention(key)
        }


def _score(use: _Use, scores: Scores, resolver: Resolver) -> None:
    tally = scores.by[use.mutation.name]
    for was in use.used:
        key = use.before.key(was)
        now, why = resolver(was, use.before, use.after)
        outcome = _count(tally, was, now, key, use)
        tally.same_ref += key in use.there and use.there[key].ref == was.ref
        if outcome not in ("kept", "gone"):
            resolved = f"{now.describe()} {now.bounds}" if now else "nothing"
            why = f"{why}, {verdict_of_locate(was, use.after.snapshot)}" if now else why
            why = f"not decidable, {why}" if key in use.demanded else why
            shown = f"{was.describe()} id={was.resource_id} {was.bounds}"
            scores.cases.append(
                Case(use.capture.name, use.mutation.name, outcome, shown, resolved, why)
            )


def _count(tally: Tally, was: Element, now: Element | None, key: str, use: _Use) -> str:
    tally.uses += 1
    tally.surviving += key in use.there
    tally.demanded += key in use.demanded
    if now is not None and use.after.key(now) != key:
        tally.mistaken += 1
        hijacked = not shares(was, now)
        tally.hijacked += hijacked
        return "hijacked" if hijacked else "mistaken"
    if key in use.demanded:
        return "demanded"
    if now is None and key in use.there:
        tally.abstained += 1
        return "abstained"
    tally.kept += key in use.there
    return "kept" if now is not None else "gone"


def upper_bound(count: int, uses: int) -> float:
    """The rate that is not exceeded with 95 % confidence: Clopper and Pearson's, 3/n for none
    observed."""
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
