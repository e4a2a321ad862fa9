"""Checks of presence: whether an element is there, was there, and how often; and whether two pictures show it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from ...errors import TargetError, UndecidableText, UsageError
from ...model import NO_VERB, Element, Explanation, Failure, Selector, Verb, quoted
from ...snapshots import Snapshot, first_alike
from ..actionability import STALE_VERDICTS, unknown, witness_of
from ..advice import advised, came_and_went
from ..arguments import Target, describe
from ..drawn import DrawnElement, ImageSelector
from ..photos import drawn_on, nearest_drawn, photograph
from ..reachability import hides_the_app, over_the_app
from ..step import SessionContext, StageFailed
from .absence import (
    bears_its_id,
    deeper,
    describe_matches,
    doubt,
    lacks_for_sure,
    more_doubt,
    under_dialog,
    under_keyboard,
)
from .check import Check, CheckInput, Failed, Held, Verdict, undecided, verdict

_MOST_LISTED = 12
_STILL = 0.5  # of what was found in a picture lies where it was found in the one before


def visible(target: Target) -> Check:
    def test(look: CheckInput) -> Verdict:
        found, shown = _sighting(look, target)
        beyond = (under_keyboard(look, target) or under_dialog(look, target)) if found is False else None
        beyond = beyond or (deeper(look.snapshot, target, matches=0) if not found else None)
        if found and isinstance(target, Selector):
            beyond = lacks_for_sure(look, target)
        if beyond is not None:
            return beyond
        return verdict(found is True, shown, facts={"matches": int(bool(found))})

    return replace(
        _of("expect_visible", target, test, "missing", partial(_why_not_visible, target=target)), came="appeared"
    )


def drawn(target: Selector) -> Check:
    """It is in the hierarchy, or two pictures in a row show it in one place. Never that it is not there."""
    before: list[DrawnElement] = []

    def ask(context: SessionContext) -> Verdict:
        snapshot = context.observer.read().snapshot
        try:
            found = [] if isinstance(target, ImageSelector) else snapshot.match_labels(target)
        except UndecidableText as error:
            return undecided(error.why)
        if found:
            facts = {"source": "hierarchy", "matches": len(found)}
            return Held(f"{describe_matches(found)} in the hierarchy", facts=facts, snapshot=snapshot)
        shot = photograph(context)
        last = list(before)
        before.clear()
        try:
            seen = drawn_on(context, shot, target)
        except StageFailed as failed:  # of within=
            why = f"where to look: {failed.what}"
            return Failed(why, problem="missing", snapshot=shot.snapshot)
        before[:] = seen
        facts = {"source": "picture", "matches": len(seen)}
        if not seen:
            why = "in no element of the hierarchy, and not seen in a picture"
            more = Explanation(nearest_drawn(context, shot, target))
            return Failed(why, facts=facts, problem="missing", more=more, snapshot=shot.snapshot)
        if last and not any(_agree(one, now) for one in last for now in seen):
            return Failed("seen in pictures, each time in another place", facts=facts, snapshot=shot.snapshot)
        surest = max(seen, key=lambda one: one.confidence)
        facts["confidence"] = round(surest.confidence, 2)
        return Held(f"by picture: {surest.describe()}", facts=facts, snapshot=shot.snapshot)

    named = None if isinstance(target, ImageSelector) else target
    return Check("expect_visible", f"{describe(target)} (picture)", problem="missing", ask=ask, target=named)


def _agree(one: DrawnElement, now: DrawnElement) -> bool:
    return one.bounds.intersect(now.bounds).area >= _STILL * min(one.bounds.area, now.bounds.area)


def gone(target: Target) -> Check:
    def test(look: CheckInput) -> Verdict:
        found, shown = _sighting(look, target)
        beyond = doubt(look, target) if found is False else None
        beyond = beyond or (None if found else deeper(look.snapshot, target, matches=0, hidden=False))
        facts = {"matches": int(bool(found)), "hidden": False}
        return beyond or verdict(found is False, shown, facts=facts)

    check = _of("expect_gone", target, test, "unexpected", partial(_one_a_line, target=target))
    return replace(check, holds="window", proves_absence=True, came="gone")


def seen(selector: Target) -> Check:
    if not isinstance(selector, Selector):
        raise UsageError("expect_seen() takes a selector: what comes and goes has no ref to hold on to")

    def test(look: CheckInput) -> Verdict:
        if not look.now:
            return verdict(bool(look.snapshot.match_labels(selector)), "on the screen before")
        observer = look.observer  # whose record does not keep all of very many screens
        where = observer.record.showed(selector, look.snapshot.platform, look.snapshot, poll=observer.poll_toast)
        if where:
            return Held(where)
        others = ", ".join(quoted(toast) + alike_clause(selector, toast) for toast in observer.toasts)
        return Failed(f"not seen; toasts: {others}" if others else "not seen, no toast either")

    return replace(_of("expect_seen", selector, test, "missing"), holds="once", came="appeared")


def alike_clause(wanted: Selector | str, shown: str) -> str:
    """`` (it looks alike, but ...)`` where a text differs in what no reader can see; else ""."""
    texts = [wanted] if isinstance(wanted, str) else [wanted.text, wanted.text_contains]
    found = (first_alike(text, [shown], part=text is not texts[0]) for text in texts if text)
    return next((f" ({each[1]})" for each in found if each is not None), "")


def checked_count(wanted: int) -> int:
    if isinstance(wanted, bool) or not isinstance(wanted, int) or wanted < 0:
        raise UsageError(
            f"expect_count({wanted!r}): the count is a whole number from 0, and comes first: "
            "expect_count(3, by(...))"
        )
    return wanted


def count_is(wanted: int, selector: Selector) -> Check:
    """A count of none is held to what ``gone`` is held to."""

    def test(look: CheckInput) -> Verdict:
        found = look.snapshot.match_labels(selector)
        beyond: Verdict | None = None
        if not found and not wanted:
            beyond = doubt(look, selector)
        elif len(found) <= wanted:
            beyond = under_dialog(look, selector) if len(found) < wanted else None
            beyond = beyond or more_doubt(look, selector, len(found))
        if beyond is not None:
            return beyond
        problem = "missing" if not found else "ambiguous" if wanted == 1 else ""
        facts = {"matches": len(found), "hidden": False}
        return verdict(len(found) == wanted, f"{len(found)} found", facts=facts, problem=problem)

    check = replace(
        _of("expect_count", selector, test, "count" if wanted else "unexpected"),
        expected=f"{wanted} of {selector.describe()}",
        wanted={"count": wanted},
        explains=partial(_near_or_listed, selector=selector),
    )
    return check if wanted else replace(check, holds="window", proves_absence=True)


def _of(
    kind: str,
    target: Target,
    test: Callable[[CheckInput], Verdict],
    problem: str,
    explains: Callable[[CheckInput], Explanation] | None = None,
) -> Check:
    """A check of one target's presence."""
    return Check(kind, describe(target), problem=problem, test=test, target=target, explains=explains)


def _why_not_visible(look: CheckInput, target: Target) -> Explanation:
    """The dialog that hides the whole app, and how to get past it; else that it came and went, or the nearest
    matches."""
    snapshot = look.snapshot
    if hides_the_app(snapshot) and not _is_within_dialog(snapshot, target):
        return over_the_app(snapshot)
    return came_and_went(look.observer, snapshot, target, look.before) or why_absent(look, target)


def why_absent(look: CheckInput, target: Target, verb: Verb = NO_VERB) -> Explanation:
    """The nearest matches, or where the session has seen it."""
    near_it = near(look, target, verb)
    failure = Failure("ELEMENT_NOT_FOUND", nearest=near_it.lines, advice=near_it.advice)
    better = advised(look.observer, look.snapshot, target, failure, for_check=True)
    return Explanation(better.nearest, better.advice)


def _sighting(look: CheckInput, target: Target) -> tuple[bool | None, str]:
    """Whether the target is on the screen, and how; None if that is undecided, which proves neither."""
    if isinstance(target, Selector):
        found = look.snapshot.match_labels(target)
        return bool(found), describe_matches(found)
    witness = look.observer.shown(target) if isinstance(target, str) else witness_of(look.observer, target)
    if witness is not None and witness.screen is not None and not look.now:  # its dialog was not closed then
        witness = replace(witness, screen=replace(witness.screen, closed=False))
    if witness is None:
        raise UsageError(f"{unknown(look.observer, target)}. Use a ref from an outline, or a selector")
    located = look.snapshot.locate(witness)
    if located.verdict in ("ambiguous", "renamed"):  # neither what was printed nor known to be gone
        return None, f"{located.verdict}: {located.reason}"
    again = _opened_again(look, witness) if located.verdict in ("replaced", "gone") else None
    if again is not None:
        return (
            None,
            f"{located.verdict}: {located.reason}; {again.describe()} is there, of that dialog or an equal one",
        )
    renamed = _renamed(look, witness) if located.verdict in ("replaced", "gone") else None
    if renamed is not None:
        return None, f"renamed: its id is that of {renamed.describe()} now"
    if located.element is None or located.verdict in STALE_VERDICTS:
        return False, f"{located.verdict}: {located.reason}"
    return True, located.element.describe()


def _opened_again(look: CheckInput, was: Element) -> Element | None:
    """What looks the same in a dialog of the same words, where another app's was on top of its own since: it may
    be that, or another one."""
    if was.screen is None or not was.screen.unseen or look.snapshot.dialog is None:
        return None
    same_words = not replace(was.screen, closed=False, unseen=False).differ_on_top(look.snapshot.traits)
    alike = (one for one in look.snapshot.elements if bears_its_id(was, one) or one.label == was.label != "")
    return next((one for one in alike if one.class_name == was.class_name), None) if same_words else None


def _renamed(look: CheckInput, was: Element) -> Element | None:
    """The one element with its id on the same screen, in its row if it was in one: it is called something else
    now. Where several have that id, or had it then, an id says nothing."""
    found = [now for now in look.snapshot.elements if _bears_its_id(was, now)]
    then = look.observer.kept(was.snapshot_id)
    rivals = [one for one in then.elements if _bears_its_id(was, one)] if then is not None else [was]
    elsewhere = was.screen is not None and was.screen.differ(look.snapshot.traits)
    return found[0] if len(found) == len(rivals) == 1 and not elsewhere else None


def _bears_its_id(was: Element, now: Element) -> bool:
    return bears_its_id(was, now) and was.row_title == now.row_title


def near(look: CheckInput, target: Target, verb: Verb = NO_VERB) -> Explanation:
    """The nearest matches of a selector that matches nothing, and why they do not."""
    snapshot = look.snapshot
    if hides_the_app(snapshot) and not _is_within_dialog(snapshot, target):
        known = isinstance(target, Selector) and snapshot.match_labels(target)
        return Explanation() if known else over_the_app(snapshot)
    if not isinstance(target, Selector) or snapshot.match_labels(target):
        return Explanation()
    try:
        snapshot.one(target, before=look.observer.record.before, verb=verb)
    except TargetError as error:
        return Explanation((*error.parts.details, *error.parts.nearest), error.parts.advice)
    return Explanation()


def _is_within_dialog(snapshot: Snapshot, target: Target) -> bool:
    """Whether the target is looked for within what the dialog shows, if only its title."""
    part = target.within if isinstance(target, Selector) else None
    return isinstance(part, Selector) and bool(snapshot.match_labels(part))


def listed(found: list[Element]) -> Explanation:
    """The elements, one a line."""
    lines = [f"  {item.describe()}" for item in found[:_MOST_LISTED]]
    more = [f"  … and {len(found) - _MOST_LISTED} more"] if len(found) > _MOST_LISTED else []
    return Explanation((*lines, *more))


def _near_or_listed(look: CheckInput, selector: Selector) -> Explanation:
    return _one_a_line(look, selector) if look.snapshot.match_labels(selector) else near(look, selector)


def _one_a_line(look: CheckInput, target: Target) -> Explanation:
    found = look.snapshot.match_labels(target) if isinstance(target, Selector) else []
    return listed(found) if len(found) > 1 else Explanation()
