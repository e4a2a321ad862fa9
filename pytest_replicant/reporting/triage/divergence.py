"""How a failed run of a test parted from its last pass, as ``trace.json`` and every report hold it:
the first difference, in one sentence that claims no more than is known, and the evidence for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Literal

from ...kept_runs import RecordedAttempt, RecordedScreen, RecordedStep, element_name, normalise
from ...model import Strings, bare, one_line, quoted
from ...model.printable import printable
from .comparison import MESSAGE, Finding, Walk, marks_of, names_of, reason_of, same_place
from .lines import change_around, changed_lines, replaced, without_ref

NO_PASS = "No earlier pass of this test is at hand"
_LONGEST, _TITLE, _PART = 700, 120, 160
_MOST_SIGNALS, _MOST_CHANGED = 6, 4


@dataclass(frozen=True)
class Divergence:
    """``sentence`` says it, ``step`` is the anchor in the trace page of this run, "" if no step of
    it is meant, and ``source`` the line of the test that did it. ``baseline`` says which pass it
    was compared with, "" if none was at hand.

    For the grouping of failures: ``signals`` are the first things that the app said, by its log or
    a toast, and did not in the pass, up to the failure; ``instead`` is the line of the screen in
    the place of what was not found; ``reason`` a digest of the difference that is the reason, "-"
    if none is known; ``belongs`` the screen of the pass that it was looked for on. ``compared`` is
    False if there was nothing to compare with."""

    sentence: str
    step: str = ""
    baseline: str = ""
    evidence: tuple[Evidence, ...] = ()
    source: str = ""
    signals: Strings = field(default=(), repr=False)
    instead: str = field(default="", repr=False)
    reason: str = field(default="", repr=False)
    belongs: str = field(default="", repr=False)
    compared: bool = field(default=True, repr=False)


def compared(
    then: RecordedAttempt | None, now: RecordedAttempt, *, missing: str = ""
) -> Divergence:
    """``missing`` says why there is no pass to compare with, where that is known."""
    if then is None:
        why = f": {one_line(missing)}" if missing else ""
        return Divergence(f"{NO_PASS}{why}.", compared=False)
    walk = Walk(then, now)
    finding = walk.first_difference()
    step, evidence = RecordedStep(), [*_timing(walk, finding)]
    if finding.now is not None:
        step = now.steps[finding.now]
        # the most telling first
        evidence = [*_tree(walk, finding.then, finding.now), *_log(walk, finding.now), *evidence]
    failed = walk.failed_at
    instead = _replaced(walk, failed) if failed is not None else None
    signals = chain(*walk.signals[: walk.last + 1], walk.messages())
    return Divergence(
        _sentence(walk, finding, evidence),
        step.id,
        f"{then.origin} ({then.started_at})".strip(),
        tuple(evidence),
        step.source,
        tuple(dict.fromkeys(signals))[:_MOST_SIGNALS],
        instead[1] if instead else "",
        reason_of(walk) or "-",
        walk.place_in_pass(failed).name,
    )


def _sentence(walk: Walk, finding: Finding, evidence: Sequence[Evidence]) -> str:
    if not walk.steps and not walk.steps_then:
        said = f"No step was done, nor in the last pass{_failure(walk)}"
    elif not walk.steps:
        said = f"No step was done, where the last pass did {len(walk.steps_then)}{_failure(walk)}"
    elif not walk.steps_then:
        said = "The last pass recorded no steps to compare with"
    else:
        said = _said(walk, finding)
        said += "".join(f"; {part}" for part in _beside(walk, finding, evidence))
    return printable(f"{said}{_phones(walk)}", _LONGEST - 1) + "."


def _said(walk: Walk, finding: Finding) -> str:
    then, now, difference = finding.then, finding.now, finding.difference
    if now is None:
        if then is None:
            return _no_difference(walk, difference == "ended")
        return _left_out(walk, then)
    place = _place(walk, now)
    after = walk.steps[now]
    if then is None:
        also = f", and it failed here: {one_line(after.error, _PART)}" if after.error else ""
        return f"Diverged at {place}: the last pass did not do it{also}"
    before = walk.steps_then[then]
    if difference == "screen":
        failed = f"; it failed here: {_reason(after)}" if after.error else ""
        return f"Diverged at {place}: {_went(walk, then, now)}{_brought(walk, now)}{failed}"
    if difference == "target":
        went, instead = _element(after, before), _element(before, after)
        return f"Diverged at {place}: it went to {went}, in the last pass to {instead}"
    if difference == "signal":
        said = " and ".join(one_line(one, _PART) for one in walk.signals[now][:_TWICE])
        return (
            f"Diverged at {place}: unlike the last pass there was {said}{_failed_later(walk, now)}"
        )
    if difference == "held":
        return (
            f"Diverged at {place}: it worked here, and failed in the last pass: "
            f"{one_line(before.error, _PART)}"
        )
    if before.title != after.title:
        did = f"where the last pass did {_named(before)}, this run did this, which failed"
        return f"Diverged at {place}: {did}: {_reason(after)}{_about(walk, now)}"
    begin = "Diverged at"
    if now > 0 and walk.same_steps(now):
        begin = f"{_alike(walk, now)} up to"
    return (
        f"{begin} {place}, which passed then and failed here: {_reason(after)}{_about(walk, now)}"
    )


def _alike(walk: Walk, end: int) -> str:
    return f"Same {walk.alike(end)} as the last pass"


def _place(walk: Walk, now: int) -> str:
    return f"step {now + 1} of {len(walk.steps)}, {_named(walk.steps[now])}"


def _failed_later(walk: Walk, now: int) -> str:
    failed = walk.failed_at
    if failed is None or failed <= now:
        return _failure(walk)
    return f"; {_place(walk, failed)}, failed: {_reason(walk.steps[failed])}{_about(walk, failed)}"


def _element(step: RecordedStep, other: RecordedStep) -> str:
    """With its id, where its name is the other step's element's too."""
    if not step.target or not other.target:
        return "none"
    name = element_name(step.target)
    if name == element_name(other.target) and step.target.resource_id:
        return f"{name} id={bare(step.target.resource_id)}"
    return name


def _named(step: RecordedStep) -> str:
    return one_line(step.title, _TITLE)


def _reason(step: RecordedStep) -> str:
    if step.kind == "check" and step.expected and step.observed:
        return one_line(f"expected {step.expected}, saw {step.observed}", _PART)
    return one_line(step.error, _PART).removesuffix(".")


def _went(walk: Walk, then: int, now: int) -> str:
    before, after = walk.then_at[then], walk.now_at[now]
    passed = "stayed on" if _stayed(walk.then_at, walk.leads_then, then) else "went on to"
    failed = "stayed on" if _stayed(walk.now_at, walk.leads_now, now) else "reached"
    there, here = shown_place(before), shown_place(after)
    if there == here:
        there, here = f"{there} of {bare(before.app)}", f"{here} of {bare(after.app)}"
    return f"the last pass {passed} {there}, this run {failed} {here}"


def _stayed(places: Sequence[RecordedScreen], leads: Sequence[int], at: int) -> bool:
    earlier = leads[at] - 1
    return earlier >= 0 and bool(places[earlier].key) and same_place(places[earlier], places[at])


def _brought(walk: Walk, now: int) -> str:
    """What the screen shows that reads like a message, or at least was on no screen before, in
    either run."""
    known = walk.known_before(walk.leads_now[now])
    lines = [line for line in walk.now_at[now].outline[1:] if normalise(line) not in known]
    lines = [line for line in lines if '"' in line and not line.startswith("(")]
    for line in _telling(lines, walk.steps[now]):
        return f" with a new {one_line(line.strip(), _PART)}"
    return ""


def _about(walk: Walk, now: int) -> str:
    """How the screen differs from the pass' in what the failed step was about; nothing of anything
    else on it."""
    found = _replaced(walk, now)
    if found is not None:
        return f", with {one_line(found[1], _PART)} in the place of {one_line(found[0], _PART)}"
    there, here = (place.outline for place in walk.screens_at(now))
    named = marks_of(walk.steps[now])
    new, gone = (
        [line for line in lines if any(one in line for one in named)]
        for lines in changed_lines(there, here, alone=True)
    )
    if gone and here and not here[-1].startswith("("):  # what was cut off may be there all the same
        return f", without {one_line(gone[0], _PART)}"
    if new and there:
        return f", with {one_line(new[0], _PART)}, which the last pass did not show there"
    return ""


def _replaced(walk: Walk, now: int) -> tuple[str, str] | None:
    there, here = walk.screens_at(now)
    return replaced(there.outline, here.outline, marks_of(walk.steps[now]))


def _left_out(walk: Walk, then: int) -> str:
    place = "at the end"
    for now, before in walk.in_pass.items():
        if now and before > then:
            place = f"before step {now + 1} of {len(walk.steps)}"
            break
    return (
        f"Diverged {place}: the last pass did {_named(walk.steps_then[then])} there, this run did "
        "not"
    )


def _edited(walk: Walk) -> str:
    first = walk.edits[0]
    more = f" (and {len(walk.edits) - 1} more)" if len(walk.edits) > 1 else ""
    if first.now is not None:
        return f"before it only this run did {_named(walk.steps[first.now])}{more}"
    assert first.then is not None
    return f"before it only the last pass did {_named(walk.steps_then[first.then])}{more}"


def _no_difference(walk: Walk, ended: bool) -> str:
    number = len(walk.steps)
    said = _alike(walk, number)
    if not walk.same_steps(number):
        said = "No difference to the last pass in the steps of both"
    elif ended:
        following = _named(walk.steps_then[number])
        said += (
            f" up to step {number}, after which this run did no more and the last pass did "
            f"{following}"
        )
    else:
        said += f", all {number}"
    return f"{said}{_failure(walk) or '; the failure lies in no step'}"


def _failure(walk: Walk) -> str:
    if not walk.now.failure:
        return ""
    return f": {one_line(walk.now.failure, _PART)}"


def _beside(walk: Walk, finding: Finding, evidence: Sequence[Evidence]) -> Iterator[str]:
    """What else is known: how the test was edited, how long it took where that is out of the
    ordinary, a death, the worst line logged."""
    if walk.edits and finding not in walk.edits:
        yield _edited(walk)
    if finding.difference in ("failed", "ended", "none"):
        yield from _content(walk)
    known: dict[Kind, Evidence] = {one.kind: one for one in reversed(evidence)}
    if "timing" in known:
        yield known["timing"].text
    log = known.get("log")  # of a death without lines, if there was one
    if log and not log.lines:
        yield one_line(log.text, _PART)
    elif log and finding.difference != "signal":
        yield f"log: {one_line(log.lines[0], _PART)}"


def _content(walk: Walk) -> Iterator[str]:
    """Since which step the screens differ in what the failure is about, and how; numbers count."""
    names = walk.names_of_failure()
    for _, now, there, here in walk.stands():
        change = change_around(there.outline, here.outline, names)
        if not change or not same_place(there, here):
            continue
        lines = _signed(change.new, "+", there) + _signed(change.gone, "-", here)
        lines = [one_line(line, _PART) for line in _telling(lines, walk.steps[walk.last])]
        what = " ".join(lines[:_MOST_CHANGED]) or "its lines in another order"
        if len(lines) > _MOST_CHANGED:
            what += f" and {len(lines) - _MOST_CHANGED} lines more"
        yield f"{shown_place(here)} is not the same since {_place(walk, now)}: {what}"
        return


def _phones(walk: Walk) -> str:
    then, now = walk.then.device, walk.now.device
    if not then or not now or then == now:
        return ""
    return f" (on other phones: {one_line(then, 80)} then, {one_line(now, 80)} now)"


# --- evidence: lines of screens and logs, and how long the runs took ------------------------------

Kind = Literal["tree", "log", "timing"]

MOST_LINES = 8
_WIDEST = 200
_TWICE, _A_SECOND = 2, 1_000


@dataclass(frozen=True)
class Evidence:
    """``text`` says what it is, in one line, ``lines`` are the evidence itself."""

    kind: Kind
    text: str
    lines: Strings = ()


def shown_place(place: RecordedScreen) -> str:
    """``"Catalogue"``, or what else is known of a screen."""
    name = f"a screen of {bare(place.app)}" if place.app else "another screen"
    if place.name:
        name = quoted(place.name)
    if place.dialog is None:
        return name
    dialog = f"the dialog {quoted(place.dialog)}" if place.dialog else "a dialog"
    return f"{dialog} over {name}"


def _known_screen(walk: Walk, then: int | None, place: RecordedScreen) -> RecordedScreen | None:
    """The last time that the pass stood there; None if it never did, or its screens are not at
    hand."""
    if not place.outline or then is None:
        return None
    earlier = (walk.then_at[then], *(step.after for step in reversed(walk.steps_then[: then + 1])))
    for one in earlier:
        if one.outline and same_place(one, place):
            return one
    return None


def _tree(walk: Walk, then: int | None, now: int) -> Iterator[Evidence]:
    place = walk.now_at[now]
    if not place.outline or not walk.steps_then:
        return
    known = _known_screen(walk, then, place)
    if not known:
        if then is not None:
            text = f"the last pass has no outline of {shown_place(place)} up to there"
            shown = [line for line in place.outline[1:] if not line.startswith(("(", "Dialog"))]
            yield Evidence("tree", text, _cut(_signed(map(str.strip, shown), "+")))
        return
    new, gone = changed_lines(known.outline, place.outline)
    lines = _signed(new, "+")
    if not place.outline[-1].startswith("(cut at "):  # what it lacks may lie deeper
        lines += _signed(gone, "-")
    if not lines:
        return
    more = f"; {len(lines) - MOST_LINES} lines more" if len(lines) > MOST_LINES else ""
    text = f"{shown_place(place)} differs{more}"
    yield Evidence("tree", text, _cut(_telling(lines, walk.steps[now])))


def _signed(lines: Iterable[str], sign: str, other: RecordedScreen | None = None) -> list[str]:
    """Lines of one screen; those that ``other`` has too only changed places."""
    known = {*map(without_ref, other.outline)} if other is not None else set()
    return [f"{sign} {line}" for line in lines if line not in known]


def _telling(lines: Iterable[str], step: RecordedStep) -> list[str]:
    """Those first that name what the step was about, then what reads like a message."""
    named = [quoted(name) for name in names_of(step)]

    def rank(line: str) -> int:
        return (
            2 * any(name in line for name in named)
            + (bool(MESSAGE.search(line)) or "dialog" in line.lower())
            + ('"' in line)
        )

    return sorted(lines, key=rank, reverse=True)


def _log(walk: Walk, now: int) -> Iterator[Evidence]:
    lead = walk.leads_now[now]
    ids = {step.id for step in walk.steps[lead : now + 1] if step.id} | {""}
    for death in walk.now.deaths:
        if death.after in ids and death.text:
            yield Evidence("log", printable(one_line(death.text)))
    # Since the action of that step was sent, until the next one; the worst first.
    known = {normalise(line) for step in walk.steps_then for line in step.logs}
    new: dict[str, None] = {}
    for step, its_lead in zip(walk.steps, walk.leads_now, strict=True):
        if its_lead == lead:
            new.update(dict.fromkeys(line for line in step.logs if normalise(line) not in known))
    if new:
        text = "warnings and errors that the last pass did not log"
        if not walk.then.hears_log:
            text = "warnings and errors; the log of the last pass is not known in full"
        yield Evidence("log", text, _cut(sorted(new, key=lambda line: "FEW".find(line[:1]))))


def _timing(walk: Walk, finding: Finding) -> Iterator[Evidence]:
    if finding.then is not None and finding.now is not None:
        before, after = walk.steps_then[finding.then].duration_ms, walk.steps[finding.now]
        took = after.duration_ms
        if not after.error and took >= max(_TWICE * before, before + _A_SECOND + 1):
            yield Evidence(
                "timing", f"it took {took / 1000:.1f} s instead of {before / 1000:.1f} s"
            )


def _cut(lines: Sequence[str]) -> Strings:
    return tuple(printable(one_line(line, _WIDEST), _WIDEST) for line in lines[:MOST_LINES])
