"""How a failed run of a test parted from its last pass, as ``trace.json`` and every report hold it: the first
difference, in one sentence that claims no more than is known, and the evidence for it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from ...model import Redactor, bare, one_line, quoted
from ..printable import printable
from .comparison import A_SECOND, TENFOLD, Finding, Walk, changed_lines, differ, same_place, slower
from .recorded_run import RecordedRun, RecordedStep, ScreenFacts, element_name, normalise

NO_PASS = "No earlier pass of this test is at hand"
_LONGEST, _TITLE, _PART = 700, 120, 160


@dataclass(frozen=True)
class Divergence:
    """``sentence`` says it, ``step`` is the anchor in the trace page of this run, "" where no step of it is meant.
    ``baseline`` says which pass it was compared with, "" where none was at hand."""

    sentence: str
    step: str = ""
    baseline: str = ""
    evidence: tuple[Evidence, ...] = ()

    def redacted(self, redactor: Redactor) -> Divergence:
        """The pass was written with the secrets that were known then; there may be more by now."""
        evidence = tuple(
            replace(one, text=redactor.text(one.text), lines=tuple(map(redactor.text, one.lines)))
            for one in self.evidence
        )
        sentence, baseline = redactor.text(self.sentence), redactor.text(self.baseline)
        return replace(self, sentence=sentence, baseline=baseline, evidence=evidence)


def compared(then: RecordedRun | None, now: RecordedRun, *, missing: str = "") -> Divergence:
    """``missing`` says why there is no pass to compare with, where that is known."""
    if then is None:
        return Divergence(f"{NO_PASS}{f': {one_line(missing)}' if missing else ''}.")
    walk = Walk(then, now)
    finding = walk.first_difference()
    evidence = tuple(evidence_of(walk, finding))
    step = "" if finding.now is None else now.steps[finding.now].id
    text = _sentence(walk, finding, evidence)
    return Divergence(text, step, f"{then.origin} ({then.started_at})".strip(), evidence)


def _sentence(walk: Walk, finding: Finding, evidence: Sequence[Evidence]) -> str:
    if not walk.now.steps and not walk.then.steps:
        said = f"No step was done, nor in the last pass{_failure(walk)}"
    elif not walk.now.steps:
        said = f"No step was done, where the last pass did {len(walk.then.steps)}{_failure(walk)}"
    elif not walk.then.steps:
        said = "The last pass recorded no steps to compare with"
    else:
        said = _said(walk, finding, evidence)
        said += "".join(f"; {part}" for part in _beside(walk, finding, evidence))
    return printable(f"{said}{_phones(walk)}", _LONGEST - 1) + "."


def _said(walk: Walk, finding: Finding, evidence: Sequence[Evidence]) -> str:
    then, now, difference = finding.then, finding.now, finding.difference
    if now is None:
        return _left_out(walk, then) if then is not None else _no_difference(walk, difference == "ended")
    place = f"step {now + 1} of {len(walk.now.steps)}, {_named(walk.now.steps[now])}"
    after = walk.now.steps[now]
    if then is None:
        also = f", and it failed here: {one_line(after.error, _PART)}" if after.error else ""
        return f"Diverged at {place}: the last pass did not do it{also}"
    before = walk.then.steps[then]
    if difference == "screen":
        return f"Diverged at {place}: {_went(walk, then, now)}{_new_line(evidence)}"
    if difference == "target":
        return f"Diverged at {place}: it went to {_element(after)}, in the last pass to {_element(before)}"
    if difference == "slow":
        took = f"took {in_seconds(after.duration_ms)} instead of {in_seconds(before.duration_ms)}"
        return f"Same steps and screens as the last pass, but {place} {took}{_failure(walk)}"
    if difference == "held":
        return f"Diverged at {place}: it worked here, and failed in the last pass: {one_line(before.error, _PART)}"
    if before.what != after.what:
        did = f"where the last pass did {_named(before)}, this run did this, which failed"
        return f"Diverged at {place}: {did}: {_reason(after)}{_new_line(evidence, ',')}"
    alike = now > 0 and _are_alike(walk, now)
    begin = "Same steps and screens as the last pass up to" if alike else "Diverged at"
    return f"{begin} {place}, which passed then and failed here: {_reason(after)}{_new_line(evidence, ',')}"


def _are_alike(walk: Walk, end: int) -> bool:
    """Whether both did the same up to there, numbers in titles aside."""
    then, now = walk.then.steps, walk.now.steps
    earlier = [pair for pair in walk.pairs if pair[1] is None or pair[1] < end]
    return all(
        before is not None and after is not None and then[before].what == now[after].what
        for before, after in earlier
    )


def _element(step: RecordedStep) -> str:
    return element_name(step.target) if step.target is not None else "none"


def _named(step: RecordedStep) -> str:
    return one_line(step.title, _TITLE) + (f" ({one_line(step.source)})" if step.source else "")


def _reason(step: RecordedStep) -> str:
    if step.kind == "check" and step.expected and step.observed:
        return one_line(f"expected {step.expected}, saw {step.observed}", _PART)
    return one_line(step.error, _PART).removesuffix(".")


def _went(walk: Walk, then: int, now: int) -> str:
    before, after = walk.then_at[then], walk.now_at[now]
    passed = "stayed on" if _stayed(walk.then_at, walk.leads_then, then) else "went on to"
    failed = "stayed on" if _stayed(walk.now_at, walk.leads_now, now) else "reached"
    shown = [shown_place(before), shown_place(after)]
    if shown[0] == shown[1]:
        shown = [f"{name} of {bare(place.app)}" for name, place in zip(shown, (before, after), strict=True)]
    return f"the last pass {passed} {shown[0]}, this run {failed} {shown[1]}"


def _stayed(places: Sequence[ScreenFacts], leads: Sequence[int], at: int) -> bool:
    earlier = leads[at] - 1
    return earlier >= 0 and bool(places[earlier].key) and same_place(places[earlier], places[at])


def _new_line(evidence: Sequence[Evidence], comma: str = "") -> str:
    tree = next((one for one in evidence if one.kind == "tree"), None)
    if tree is None or not tree.compared or not tree.lines:
        return ""
    sign, line = tree.lines[0][:1], one_line(tree.lines[0][2:], _PART)
    return f"{comma} with a new {line}" if sign == "+" else f"{comma} without {line}"


def _left_out(walk: Walk, then: int) -> str:
    following = next((now for before, now in walk.pairs if before is not None and before > then and now), None)
    place = "at the end" if following is None else f"before step {following + 1} of {len(walk.now.steps)}"
    return f"Diverged {place}: the last pass did {_named(walk.then.steps[then])} there, this run did not"


def _edited(walk: Walk) -> str:
    first = walk.edits[0]
    more = f" (and {len(walk.edits) - 1} more)" if len(walk.edits) > 1 else ""
    if first.now is not None:
        return f"before it only this run did {_named(walk.now.steps[first.now])}{more}"
    assert first.then is not None
    return f"before it only the last pass did {_named(walk.then.steps[first.then])}{more}"


def _no_difference(walk: Walk, ended: bool) -> str:
    number = len(walk.now.steps)
    edited = not _are_alike(walk, number)
    said = "Same steps and screens as the last pass"
    if edited:
        said = "No difference to the last pass in the steps of both"
    elif ended:
        following = _named(walk.then.steps[number])
        said += f" up to step {number}, after which this run did no more and the last pass did {following}"
    else:
        said += f", all {number}"
    return f"{said}{_failure(walk) or '; the failure lies in no step'}"


def _failure(walk: Walk) -> str:
    if not walk.now.failure:
        return ""
    source = f" ({one_line(walk.now.failed_at)})" if walk.now.failed_at else ""
    return f": {one_line(walk.now.failure, _PART)}{source}"


def _beside(walk: Walk, finding: Finding, evidence: Sequence[Evidence]) -> Iterator[str]:
    """What else is known: how the test was edited, how long it took where that is out of the ordinary, a death,
    the worst line logged."""
    if walk.edits and finding not in walk.edits:
        yield _edited(walk)
    timing = next((one for one in evidence if one.kind == "timing"), None)
    if timing is not None and timing.telling and finding.difference != "slow":
        yield timing.text
    for one in evidence:
        if one.kind == "log" and not one.lines:
            yield one_line(one.text, _PART)
            return
    log = next((one.lines[0] for one in evidence if one.kind == "log" and one.lines), "")
    if log:
        yield f"log: {one_line(log, _PART)}"


def _phones(walk: Walk) -> str:
    then, now = walk.then.device, walk.now.device
    if not then or not now or then == now:
        return ""
    return f" (on other phones: {one_line(then, 80)} then, {one_line(now, 80)} now)"


# --- evidence: lines of screens and logs, and how long the runs took -----------------------------------------

Kind = Literal["tree", "log", "timing", "screen", "target"]

MOST_LINES = 8
_WIDEST = 200
_TWICE = 2
_TELLING = re.compile(r"^Dialog|dialog|alert|error|fail|wrong|invalid|denied|refused|expired|offline|retry", re.I)


@dataclass(frozen=True)
class Evidence:
    """``text`` says what it is, in one line, ``lines`` are the evidence itself. ``compared`` is False of a screen
    that the pass never saw, ``telling`` of times that a busy machine may explain; neither is written."""

    kind: Kind
    text: str
    lines: tuple[str, ...] = ()
    compared: bool = field(default=True, repr=False)
    telling: bool = field(default=True, repr=False)


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


def _known_screen(walk: Walk, then: int | None, place: ScreenFacts) -> ScreenFacts | None:
    """The last time that the pass stood there; None where it never did, or its screens are not at hand."""
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
    known = _known_screen(walk, then, place)
    if known is None:
        if then is not None:
            text = f"the last pass has no outline of {shown_place(place)} up to there"
            shown = [line.strip() for line in place.outline[1:] if not line.startswith(("(", "Dialog"))]
            lines = [f"+ {line}" for line in shown[:MOST_LINES]]
            yield Evidence("tree", text, _cut(lines), compared=False)
        return
    new, gone = changed_lines(known.outline, place.outline)
    if place.outline[-1].startswith("(cut at "):  # what it lacks may lie deeper
        gone = type(gone)()
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
    # Since the action of that step was sent, until the next one; the worst first.
    end = next((at for at in range(now + 1, len(walk.now.steps)) if walk.leads_now[at] == at), len(walk.now.steps))
    known = {normalise(line) for step in walk.then.steps for line in step.logs}
    new = [line for step in walk.now.steps[lead:end] for line in step.logs if normalise(line) not in known]
    lines = sorted(dict.fromkeys(new), key=lambda line: "FEW".find(line[:1]))
    if lines:
        yield Evidence("log", "warnings and errors that the last pass did not log", _cut(lines[:MOST_LINES]))


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
    return tuple(printable(one_line(line, _WIDEST), _WIDEST) for line in lines)
