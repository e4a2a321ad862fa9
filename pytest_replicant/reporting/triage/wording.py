"""The first difference between a failure and the last pass, in one sentence that claims no more than is known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...model import bare, one_line
from ..printable import printable
from .comparison import same_place
from .evidence import in_seconds, shown_place
from .recorded_run import element_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .comparison import Finding, Walk
    from .evidence import Evidence
    from .recorded_run import RecordedStep, ScreenFacts

NO_PASS = "No earlier pass of this test is at hand"
_LONGEST, _TITLE, _PART = 700, 120, 160


def no_pass(reason: str = "") -> str:
    return f"{NO_PASS}{f': {one_line(reason)}' if reason else ''}."


def sentence(walk: Walk, finding: Finding, evidence: Sequence[Evidence]) -> str:
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
