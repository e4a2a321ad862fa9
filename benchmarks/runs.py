"""Refs along real recorded runs: each one printed on a screen is used on the later ones, as a session would.

There is no ground truth here: what counts is whether a ref ever leads to an element that shares neither resource
id nor class and label with the one it was printed for, and, of elements that a unique id, class and label show to
be the same on both screens, how many keep their ref.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

from pytest_replicant.drivers.base import Capability
from pytest_replicant.errors import SnapshotError
from pytest_replicant.session.clock import ManualClock
from pytest_replicant.session.observe import Observer
from pytest_replicant.session.resolve import resolve
from pytest_replicant.session.settings import SessionSettings
from pytest_replicant.session.step import StageFailed

from .captures import runs
from .peers import PEERS
from .scoring import OURS, SYSTEMS, Case, shares, upper_bound
from .table import Table

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pytest_replicant.drivers.base import Driver
    from pytest_replicant.model.element import Element
    from pytest_replicant.snapshots.snapshot import Snapshot

    from .captures import Run, Split
    from .peers import Peer

FURTHEST = 20  # screens later; the longest runs have 25


@dataclass
class Walk:
    """Counts of uses along runs. ``surely`` are those whose element is surely there: with an id that is unique,
    with class and label, on both screens. ``nameless`` resolve to something of the same class without id or
    label, which proves nothing."""

    uses: int = 0
    resolved: int = 0
    hijacked: int = 0
    nameless: int = 0
    surely: int = 0
    kept: int = 0
    elsewhere: int = 0


@dataclass
class Walks:
    runs: int = 0
    screens: int = 0
    by: dict[str, Walk] = field(default_factory=lambda: {system: Walk() for system in SYSTEMS})
    cases: list[Case] = field(default_factory=list)


@dataclass(frozen=True)
class _Printed:
    """A screen of the run with what each system called its elements."""

    name: str
    snapshot: Snapshot
    names: dict[str, list[str]]
    unique: dict[tuple[str, str, str], Element]


class Replay:
    """A phone that shows one recorded screen after the other."""

    capabilities = Capability.NONE
    info = SimpleNamespace(platform="android")

    def __init__(self) -> None:
        self.screen = b""

    def dump_hierarchy(self) -> bytes:
        return self.screen


def walk(split: Split, peers: Sequence[Peer] = PEERS) -> Walks:
    walks = Walks()
    for run in runs(split):
        screens = follow(run, walks, peers)
        walks.runs += screens > 1
        walks.screens += screens
    return walks


def follow(run: Run, walks: Walks, peers: Sequence[Peer]) -> int:
    """How many screens the run has. What is no screen, or has the bytes of the one before, is passed over."""
    phone = Replay()
    observer = Observer(cast("Driver", phone), ManualClock(), SessionSettings(), lambda snapshot, source: None)
    seen: list[_Printed] = []
    for name, data in run.screens:
        if data == phone.screen:
            continue
        phone.screen = data
        try:
            snapshot = observer.read().snapshot
        except SnapshotError:
            continue
        led = {peer.key: peer.found(snapshot.elements) for peer in peers}
        new = _printed(name, snapshot, peers)
        for old in seen[-FURTHEST:]:
            _use(old, new, OURS, lambda ref, on=snapshot: _resolved(observer, on, ref), walks)  # type: ignore[misc]
            for peer in peers:
                _use(old, new, peer.key, lambda ref, by=led[peer.key]: (by.get(ref), ""), walks)  # type: ignore[misc]
        seen.append(new)
    return len(seen)


def _printed(name: str, snapshot: Snapshot, peers: Sequence[Peer]) -> _Printed:
    elements = snapshot.elements
    names = {peer.key: peer.names(elements) for peer in peers} | {OURS: [element.ref for element in elements]}
    counts = Counter(_traits(element) for element in elements)
    unique = {_traits(e): e for e in elements if e.resource_id and counts[_traits(e)] == 1}
    return _Printed(name, snapshot, names, unique)


def _resolved(observer: Observer, snapshot: Snapshot, ref: str) -> tuple[Element | None, str]:
    try:
        return resolve(observer, snapshot, ref), ""
    except StageFailed as stale:
        return None, stale.failure.message.partition("Verdict: ")[2].partition("\n")[0]


def _use(
    old: _Printed,
    new: _Printed,
    system: str,
    resolver: Callable[[str], tuple[Element | None, str]],
    walks: Walks,
) -> None:
    counts = walks.by[system]
    for was, ref in zip(old.snapshot.elements, old.names[system], strict=True):
        now, why = resolver(ref)
        outcome = _count(counts, was, now, old, new)
        if system == OURS and outcome:
            shown = f"{now.describe()} id={now.resource_id} {now.bounds}" if now else "nothing"
            told = f"{was.describe()} id={was.resource_id} {was.bounds} of {old.name}"
            why = why or (f"located as {new.snapshot.locate(was).verdict}" if now else "")
            walks.cases.append(Case(new.name, "sequences", outcome, told, shown, why))


def _count(counts: Walk, was: Element, now: Element | None, old: _Printed, new: _Printed) -> str:
    """Counts one use; answers what is worth a look."""
    counts.uses += 1
    counts.resolved += now is not None
    same = new.unique.get(_traits(was)) if old.unique.get(_traits(was)) is was else None
    if same is not None:
        counts.surely += 1
        counts.kept += now is same
        counts.elsewhere += now is not None and now is not same
    if now is None:
        return "abstained" if same is not None else ""
    if not shares(was, now):
        counts.hijacked += 1
        return "hijacked"
    counts.nameless += not (was.resource_id or was.label)
    return "elsewhere" if same is not None and now is not same else ""


def _traits(element: Element) -> tuple[str, str, str]:
    return element.resource_id, element.class_name, element.label


def table(splits: Sequence[Split]) -> Table:
    rows: list[tuple[object, ...]] = []
    for split in splits:
        walks = walk(split)
        for system in SYSTEMS:
            counts = walks.by[system]
            rows.append(
                (
                    split,
                    system,
                    f"{walks.runs} / {walks.screens}",
                    counts.uses,
                    _percent(counts.resolved, counts.uses),
                    counts.nameless,
                    counts.hijacked,
                    f"{upper_bound(counts.hijacked, counts.uses):.3%}",
                    counts.surely,
                    _percent(counts.kept, counts.surely),
                    counts.elsewhere,
                )
            )
    return Table(
        "refs_runs",
        "Refs along recorded runs",
        "python -m benchmarks refs",
        _COLUMNS,
        tuple(rows),
        _EXPLAINED,
    )


_COLUMNS = (
    "captures", "refs of", "runs / screens", "uses", "resolved", "nameless", "hijacked", "hijacked at most",
    "surely there", "of these kept", "led elsewhere",
)  # fmt: skip
_EXPLAINED = f"""Every ref printed on a screen is used on each of up to {FURTHEST} later screens of the run; a
screen with the bytes of the one before counts once. Most later screens are other screens, so few refs should
resolve. *Hijacked*: resolved to an element sharing neither resource id nor class and label, without excuse
for a row whose live details changed. *Nameless*: resolved to one of the same class where neither has id or
label. *Surely there*: id, class and label are unique and equal on both screens.""".replace("\n", " ")


def _percent(part: int, whole: int) -> str:
    return f"{part / whole:.1%}" if whole else "-"
