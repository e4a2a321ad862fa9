"""Evidence for a difference between two runs: lines of their screens and logs, and how long they took."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from ...model import bare, one_line, quoted
from ..printable import printable
from .comparison import A_SECOND, TENFOLD, Walk, changed_lines, differ, same_place, slower
from .recorded_run import RecordedStep, ScreenFacts, element_name, normalise

if TYPE_CHECKING:
    from .comparison import Finding

Kind = Literal["tree", "log", "timing", "screen", "target"]

MOST_LINES = 8
_LONGEST = 200
_TWICE = 2
_TELLING = re.compile(r"^Dialog|dialog|alert|error|fail|wrong|invalid|denied|refused|expired|offline|retry", re.I)


@dataclass(frozen=True)
class Evidence:
    """``text`` says what it is, in one line, ``lines`` are the evidence itself. ``compared`` is False of a screen
    that the pass never saw, ``telling`` of times that a busy machine may explain."""

    kind: Kind
    text: str
    lines: tuple[str, ...] = ()
    compared: bool = True
    telling: bool = True


def evidence_of(walk: Walk, finding: Finding) -> Iterator[Evidence]:
    """Everything that is known of the difference, the most telling first."""
    then, now = finding.then, finding.now
    if then is not None and now is not None:
        yield from _target(walk, then, now)
        yield from _screen(walk, then, now)
    if now is not None:
        yield from _tree(walk, then, now)
        yield from _log(walk, now)
    yield from _timing(walk, finding)


def shown_place(place: ScreenFacts) -> str:
    """``"Catalogue"``, or what else is known of a screen."""
    unnamed = f"a screen of {bare(place.app)}" if place.app else "another screen"
    name = quoted(place.name) if place.name else unnamed
    if place.dialog is None:
        return name
    return f"{f'the dialog {quoted(place.dialog)}' if place.dialog else 'a dialog'} over {name}"


def in_seconds(milliseconds: int) -> str:
    return f"{milliseconds / 1000:.1f} s"


def _target(walk: Walk, then: int, now: int) -> Iterator[Evidence]:
    before, after = walk.then.steps[then].target, walk.now.steps[now].target
    if before is not None and after is not None and differ(before, after):
        lines = (f"- {element_name(before)}", f"+ {element_name(after)}")
        yield Evidence("target", "the step went to another element", _cut(lines))


def _screen(walk: Walk, then: int, now: int) -> Iterator[Evidence]:
    before, after = walk.then_at[then], walk.now_at[now]
    if same_place(before, after, same_platform=walk.same_platform):
        return
    lines = (f"- {shown_place(before)}", f"+ {shown_place(after)}")
    yield Evidence("screen", "the step led to another screen", _cut(lines))


def tree_changes(walk: Walk, then: int | None, now: int) -> tuple[list[str], list[str]] | None:
    """Lines that are new on the screen that this run reached and gone from it, seen from the last time that the
    pass stood there; None where it never did, or its screens are not at hand."""
    place = walk.now_at[now]
    known = _known_screen(walk, then, place)
    return changed_lines(known.outline, place.outline) if known is not None else None


def _known_screen(walk: Walk, then: int | None, place: ScreenFacts) -> ScreenFacts | None:
    if not place.outline or then is None:
        return None
    earlier = (walk.then_at[then], *(step.after for step in reversed(walk.then.steps[: then + 1])))
    for one in earlier:
        if one.outline and same_place(one, place, same_platform=walk.same_platform):
            return one
    return None


def _tree(walk: Walk, then: int | None, now: int) -> Iterator[Evidence]:
    place = walk.now_at[now]
    if not place.outline or not walk.then.steps or not walk.same_platform:
        return
    changes = tree_changes(walk, then, now)
    if changes is None:
        if then is not None:
            text = f"the last pass has no outline of {shown_place(place)} up to there"
            shown = [line.strip() for line in place.outline[1:] if not line.startswith(("(", "Dialog"))]
            lines = [f"+ {line}" for line in shown[:MOST_LINES]]
            yield Evidence("tree", text, _cut(lines), compared=False)
        return
    new, gone = changes
    lines = _telling([*(f"+ {line}" for line in new), *(f"- {line}" for line in gone)], walk.now.steps[now])
    if not lines:
        return
    since = _since(walk, now, next((line[2:] for line in lines if line.startswith("+")), ""))
    more = max(len(lines) - MOST_LINES, 0)
    text = f"{shown_place(place)} differs{since}{f'; {more} lines more' if more else ''}"
    yield Evidence("tree", text, _cut(lines[:MOST_LINES]))


def _since(walk: Walk, now: int, new: str) -> str:
    """Since which step of this run that new line is there, where that is an earlier one."""
    wanted = normalise(new)
    for before, after in walk.pairs:
        if not wanted or before is None or after is None or after >= walk.leads_now[now]:
            continue
        ours, theirs = walk.now.steps[after], walk.then.steps[before]
        if theirs.after.outline and wanted in (normalise(line) for line in ours.after.outline):
            return f" since step {after + 1}, {one_line(ours.title)}"
    return ""


def _telling(lines: Iterable[str], step: RecordedStep) -> list[str]:
    """Those first that name what the step was about, then what reads like a message."""
    named = [quoted(name) for name in names_of(step) if len(name) > 1]

    def rank(line: str) -> int:
        return 2 * any(name in line for name in named) + bool(_TELLING.search(line)) + ('"' in line)

    return sorted(lines, key=rank, reverse=True)


def names_of(step: RecordedStep) -> Iterator[str]:
    """The texts that the target of a step was named by."""
    if step.target is not None:
        yield step.target.label
    if step.failure is not None and step.failure.selector is not None:
        yield from (value for _, value in step.failure.selector.given() if isinstance(value, str))


def _log(walk: Walk, now: int) -> Iterator[Evidence]:
    lead = walk.leads_now[now]
    ids = {step.id for step in walk.now.steps[lead : now + 1] if step.id} | {""}
    for death in walk.now.deaths:
        if death.after in ids and death.text:
            yield Evidence("log", printable(one_line(death.text)))
    lines = new_logs(walk, now)
    if lines:
        yield Evidence("log", "warnings and errors that the last pass did not log", _cut(lines[:MOST_LINES]))


def new_logs(walk: Walk, now: int) -> list[str]:
    """Warnings and errors since the action of that step was sent, until the next one; the worst first."""
    lead = walk.leads_now[now]
    end = next((at for at in range(now + 1, len(walk.now.steps)) if walk.leads_now[at] == at), len(walk.now.steps))
    known = {normalise(line) for step in walk.then.steps for line in step.logs}
    lines = [line for step in walk.now.steps[lead:end] for line in step.logs if normalise(line) not in known]
    return sorted(dict.fromkeys(lines), key=lambda line: "FEW".find(line[:1]))


def _timing(walk: Walk, finding: Finding) -> Iterator[Evidence]:
    if finding.then is not None and finding.now is not None:
        before, after = walk.then.steps[finding.then], walk.now.steps[finding.now]
        if not after.error and slower(before.duration_ms, after.duration_ms, _TWICE):
            text = f"it took {in_seconds(after.duration_ms)} instead of {in_seconds(before.duration_ms)}"
            known = dict(before.stages)
            lines = (
                f"{bare(name)} {in_seconds(took)} instead of {in_seconds(known[name])}"
                for name, took in after.stages
                if name in known and slower(known[name], took, _TWICE)
            )
            yield Evidence("timing", text, _cut(lines))
    end = len(walk.now.steps) if finding.now is None else finding.now
    both = [(then, now) for then, now in walk.pairs if then is not None and now is not None and now < end]
    steps = [(walk.then.steps[then], walk.now.steps[now]) for then, now in both]
    then_ms = sum(then.duration_ms for then, now in steps if not now.error)
    now_ms = sum(now.duration_ms for _, now in steps if not now.error)
    if slower(then_ms, now_ms, _TWICE):
        slow = [one for one in steps if not one[1].error and one[1].duration_ms - one[0].duration_ms > A_SECOND]
        lines = (
            f"{one_line(now.title)}: {in_seconds(now.duration_ms)} instead of {in_seconds(then.duration_ms)}"
            for then, now in sorted(slow, key=lambda one: one[0].duration_ms - one[1].duration_ms)[:MOST_LINES]
        )
        which = f"the {len(steps)} steps{'' if finding.now is None else ' before'}"
        text = f"{which} took {in_seconds(now_ms)} instead of {in_seconds(then_ms)}"
        yield Evidence("timing", text, _cut(lines), telling=slower(then_ms, now_ms, TENFOLD))


def _cut(lines: Iterable[str]) -> tuple[str, ...]:
    return tuple(printable(one_line(line, _LONGEST), _LONGEST) for line in lines)
