"""Refs along real recorded runs: each one printed on a screen is used on the later ones, as a
session would.

There is no ground truth here: what counts is whether a ref ever leads to an element that shares
neither resource id nor class and label with the one it was printed for, and, of elements that a
unique id, class and label show to be the same on both screens, how many keep their ref.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pytest_replicant.errors import SnapshotError

from .captures import runs
from .replay import Replay
from .scoring import Case, other_details, shares, upper_bound, verdict_of_locate
from .table import Table, percent

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_replicant.model import Element
    from pytest_replicant.snapshots import Snapshot

    from .captures import Run, Split

FURTHEST = 20  # screens later; the longest runs have 25


@dataclass
class Walk:
    """Counts of uses along runs. ``surely`` are those whose element is surely there: with an id
    that is unique, with class and label, on both screens. ``nameless`` resolve to something of the
    same class without id or label, which proves nothing."""

    runs: int = 0
    screens: int = 0
    uses: int = 0
    resolved: int = 0
    hijacked: int = 0
    details: int = 0
    nameless: int = 0
    surely: int = 0
    kept: int = 0
    elsewhere: int = 0
    cases: list[Case] = field(default_factory=list)


@dataclass(frozen=True)
class _Printed:
    """A screen of the run, with the elements that are alone on it by id, class and label."""

    name: str
    snapshot: Snapshot
    unique: dict[tuple[str, str, str], Element]


def walk(split: Split) -> Walk:
    walked = Walk()
    for run in runs(split):
        screens = follow(run, walked)
        walked.runs += screens > 1
        walked.screens += screens
    return walked


def follow(run: Run, walked: Walk) -> int:
    """How many screens the run has. What is no screen, or has the bytes of the one before, is
    passed over."""
    session, last = Replay(), b""
    seen: list[_Printed] = []
    for name, data in run.screens:
        if data == last:
            continue
        last = data
        try:
            snapshot = session.show(data)
        except SnapshotError:
            continue
        new = _printed(name, snapshot)
        for old in seen[-FURTHEST:]:
            for was in old.snapshot.elements:
                _note(was, session.use(was.ref), old, new, walked)
        seen.append(new)
    return len(seen)


def _printed(name: str, snapshot: Snapshot) -> _Printed:
    counts = Counter(_traits(element) for element in snapshot.elements)
    unique = {_traits(e): e for e in snapshot.elements if e.resource_id and counts[_traits(e)] == 1}
    return _Printed(name, snapshot, unique)


def _note(
    was: Element, found: tuple[Element | None, str], old: _Printed, new: _Printed, walked: Walk
) -> None:
    now, why = found
    outcome = _count(walked, was, now, old, new)
    if outcome:
        shown = f"{now.describe()} id={now.resource_id} {now.bounds}" if now else "nothing"
        shown_as = f"{was.describe()} id={was.resource_id} {was.bounds} of {old.name}"
        why = f"{why}, {verdict_of_locate(was, new.snapshot)}" if now else why
        walked.cases.append(Case(new.name, "sequences", outcome, shown_as, shown, why))


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
    counts.details += other_details(was, now)
    counts.nameless += not (was.resource_id or was.label)
    return "elsewhere" if same is not None and now is not same else ""


def _traits(element: Element) -> tuple[str, str, str]:
    return element.resource_id, element.class_name, element.label


def table(splits: Sequence[Split]) -> Table:
    rows: list[tuple[object, ...]] = []
    for split in splits:
        walked = walk(split)
        rows.append(
            (
                split,
                f"{walked.runs} / {walked.screens}",
                walked.uses,
                percent(walked.resolved, walked.uses),
                walked.nameless,
                walked.details,
                walked.hijacked,
                f"{upper_bound(walked.hijacked, walked.uses):.3%}",
                walked.surely,
                percent(walked.kept, walked.surely),
                walked.elsewhere,
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
    "captures", "runs / screens", "uses", "resolved", "nameless", "other details", "hijacked",
    "hijacked at most", "surely there", "of these kept", "led elsewhere",
)  # fmt: skip
_EXPLAINED = f"""Every ref printed on a screen is used on each of up to {FURTHEST} later screens of the run. A
screen with the bytes of the one before counts once. Most later screens are other screens, so few refs should
resolve. *Hijacked*: resolved to an element sharing neither resource id nor class and name with it. The name of
a row is one of its labels. *Other details*: the name is the same and there is no id, but another label of
the row differs, as a price does. By the letter of "class and label" these would be hijacked. *Nameless*: resolved
to one of the same class where neither has id or label. *Surely there*: id, class and label are unique and equal
on both screens.""".replace("\n", " ")
