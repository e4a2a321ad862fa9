"""Checks of presence: whether an element is there, was there, and how often."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from ...errors import TargetError, UndecidableText, UsageError
from ...model import Element, Selector
from ...snapshots import Snapshot
from ..actionability import STALE_VERDICTS, is_on, witness_of
from ..arguments import Target, describe
from ..reachability import describe_dialog, hides_the_app, is_under_keyboard, over_the_app
from .check import Check, CheckInput, Sample, deeper, undecided

_MOST_LISTED = 12
_MOST_SHOWN = 2  # in one line; the message of a failed check lists them all


def visible(target: Target) -> Check:
    def test(look: CheckInput) -> Sample:
        found, shown = _sighting(look, target)
        more = partial(_why_not_visible, look.snapshot, target)
        hidden = _under_keyboard(look.snapshot, target) if found is False else ""
        beyond = under_dialog(look, target) if found is False else None
        beyond = beyond or (deeper(look.snapshot, target, matches=0) if not found and not hidden else None)
        if beyond is not None:
            return replace(beyond, more=more)
        return Sample(found is True, hidden or shown, facts={"matches": int(bool(found))}, more=more)

    return _of("expect_visible", target, test, "missing")


def gone(target: Target) -> Check:
    def test(look: CheckInput) -> Sample:
        found, shown = _sighting(look, target)
        hidden = _out_of_reach(look, target) if found is False else None
        hidden = hidden or (None if found else deeper(look.snapshot, target, matches=0, hidden=False))
        held = found is False and hidden is None
        facts = {"matches": int(bool(found)), "hidden": False}
        return hidden or Sample(held, shown, facts=facts, more=lambda: _one_a_line(look.snapshot, target))

    return replace(_of("expect_gone", target, test, "unexpected"), holds="window", proves_absence=True)


def seen(selector: Target) -> Check:
    if not isinstance(selector, Selector):
        raise UsageError("expect_seen() takes a selector: what comes and goes has no ref to hold on to")

    def test(look: CheckInput) -> Sample:
        observer = look.observer
        unknown: UndecidableText | None = None
        for snapshot in (*observer.seen, look.snapshot):  # not all of very many are kept
            try:
                if snapshot.match_labels(selector):
                    return Sample(True, f"seen on {snapshot.screen or snapshot.id}")
            except UndecidableText as error:  # of a screen that is gone by now
                unknown = error
        observer.poll_toast()
        for toast in observer.toasts:
            if _text_fits(selector, toast):
                return Sample(True, f'toast "{toast}"')
        if unknown is not None:
            raise unknown
        others = ", ".join(f'"{toast}"' for toast in observer.toasts)
        return Sample(False, f"not seen; toasts: {others}" if others else "not seen, no toast either")

    return replace(_of("expect_seen", selector, test, "missing"), holds="once")


def checked_count(wanted: int) -> int:
    if isinstance(wanted, bool) or not isinstance(wanted, int) or wanted < 0:
        raise UsageError(
            f"expect_count({wanted!r}): the count is a whole number from 0, and comes first: "
            "expect_count(3, by(...))"
        )
    return wanted


def count_is(wanted: int, selector: Selector) -> Check:
    """A count of none is held to what ``gone`` is held to."""

    def test(look: CheckInput) -> Sample:
        found = look.snapshot.match_labels(selector)
        more = partial(_one_a_line if found else near, look.snapshot, selector)
        hidden = None if wanted or found else _out_of_reach(look, selector)
        if hidden is None and len(found) < wanted:
            hidden = under_dialog(look, selector)
        if hidden is None and len(found) <= wanted:
            hidden = deeper(look.snapshot, selector, matches=len(found), hidden=False)
        if hidden is not None:
            return replace(hidden, more=more)
        problem = "missing" if not found else "ambiguous" if wanted == 1 else ""
        facts = {"matches": len(found), "hidden": False}
        return Sample(len(found) == wanted, f"{len(found)} found", facts=facts, problem=problem, more=more)

    check = replace(
        _of("expect_count", selector, test, "count" if wanted else "unexpected"),
        expected=f"{wanted} of {selector.describe()}",
        wanted={"count": wanted},
    )
    return check if wanted else replace(check, holds="window", proves_absence=True)


def _of(kind: str, target: Target, test: Callable[[CheckInput], Sample], problem: str) -> Check:
    """A check of one target's presence."""
    return Check(kind, describe(target), problem=problem, test=test, target=target)


def under_dialog(look: CheckInput, target: Target, *, absent: bool = False) -> Sample | None:
    """The sample of a target that is neither known to be there nor to be gone: a dialog keeps the app's window out
    of the hierarchy, and it was on the screen when that opened. With ``absent``, any that is not looked for on the
    dialog itself: what was not there before may be there by now. None where nothing is in doubt."""
    snapshot, before = look.snapshot, look.observer.before_dialog()
    if not snapshot.alone:
        return None
    known = before is not None and is_on(look.observer, before, target)
    if not known and not (absent and not _is_about_dialog(look, target)):
        return None
    sample = while_open(snapshot, "all else may be covered, not gone", matches=0, hidden=True)
    return replace(sample, more=lambda: over_the_app(snapshot).lstrip("\n") + _WITHIN)


def while_open(snapshot: Snapshot, why: str, **facts: Any) -> Sample:
    """The sample of what cannot be decided under the dialog that is on the screen; ``why`` is a clause."""
    name = describe_dialog(snapshot)
    sample = undecided(f"{name} is open", **facts)
    return replace(sample, observed=f"cannot be decided while {name} is open: {why}")


_WITHIN = "\nA check of the dialog itself says within=, such as its list."


def _is_about_dialog(look: CheckInput, target: Target) -> bool:
    """Whether a target is looked for within a part of the dialog, or was seen on the dialog before."""
    if isinstance(target, Selector) and target.within is not None:
        return look.snapshot.holds(target.within)
    return any(is_on(look.observer, one, target) for one in look.observer.on_dialog(look.snapshot))


def _out_of_reach(look: CheckInput, target: Target) -> Sample | None:
    """The sample of a target that is not visible and yet not gone; None where it is neither hidden nor covered."""
    snapshot = look.snapshot
    if snapshot.alone:
        return under_dialog(look, target, absent=True)
    if hides_the_app(snapshot):
        blocker = describe_dialog(snapshot)
        shown = f"covered, not gone: {blocker} of the system hides all of the app"
        return Sample(False, shown, facts={"matches": 0, "hidden": True}, problem="covered")
    hidden = _under_keyboard(snapshot, target) or _below(snapshot, target)
    return Sample(False, hidden, facts={"matches": 0, "hidden": False}) if hidden else None


def _below(snapshot: Snapshot, target: Target) -> str:
    """Matches in a window that another one covers: out of reach, and not gone. "" for none."""
    if snapshot.beneath is None or not isinstance(target, Selector):
        return ""
    on_top = {element.node.window for element in snapshot.elements}
    found = [one for one in snapshot.beneath.match_labels(target) if one.node.window not in on_top]
    return f"covered, not gone: {describe_matches(found)}" if found else ""


def _why_not_visible(snapshot: Snapshot, target: Target) -> str:
    """The dialog that hides the whole app, and how to get past it; else the nearest matches."""
    return over_the_app(snapshot).strip() if hides_the_app(snapshot) else near(snapshot, target)


def _under_keyboard(snapshot: Snapshot, target: Target) -> str:
    """Matches that only the keyboard hides, as iOS reports them; "" for none."""
    if snapshot.keyboard is None or snapshot.beneath is None or not isinstance(target, Selector):
        return ""
    found = [one for one in snapshot.beneath.match_labels(target) if is_under_keyboard(snapshot, one)]
    return f"under the keyboard, which hide_keyboard() hides: {describe_matches(found)}" if found else ""


def _sighting(look: CheckInput, target: Target) -> tuple[bool | None, str]:
    """Whether the target is on the screen, and how; None where that is undecided, which proves neither."""
    if isinstance(target, Selector):
        found = look.snapshot.match_labels(target)
        return bool(found), describe_matches(found)
    witness = witness_of(look.observer, target)
    if witness is None:
        raise UsageError(
            f"{describe(target)} was never printed in this session; use a ref from an outline, or a selector"
        )
    located = look.snapshot.locate(witness)
    if located.verdict == "ambiguous":
        return None, f"ambiguous: {located.reason}"
    if located.element is None or located.verdict in STALE_VERDICTS:
        return False, f"{located.verdict}: {located.reason}"
    return True, located.element.describe()


def describe_matches(found: list[Element]) -> str:
    if not found:
        return "absent"
    shown = "   ".join(item.describe() for item in found[:_MOST_SHOWN])
    more = f"   … and {len(found) - _MOST_SHOWN} more" if len(found) > _MOST_SHOWN else ""
    return shown + more


def near(snapshot: Snapshot, target: Target) -> str:
    """The nearest matches of a selector that matches nothing, and why they do not."""
    if hides_the_app(snapshot) and not (isinstance(target, Selector) and snapshot.match_labels(target)):
        return over_the_app(snapshot).lstrip("\n")
    if not isinstance(target, Selector) or snapshot.match_labels(target):
        return ""
    try:
        snapshot.one(target)
    except TargetError as error:
        return "\n".join(str(error).split("\n")[1:])
    return ""


def listed(found: list[Element]) -> str:
    """The elements, one a line."""
    lines = [f"  {item.describe()}" for item in found[:_MOST_LISTED]]
    more = [f"  … and {len(found) - _MOST_LISTED} more"] if len(found) > _MOST_LISTED else []
    return "\n".join(lines + more)


def _one_a_line(snapshot: Snapshot, target: Target) -> str:
    found = snapshot.match_labels(target) if isinstance(target, Selector) else []
    return listed(found) if len(found) > 1 else ""


def _text_fits(selector: Selector, text: str) -> bool:
    """Whether a toast matches: it is nothing but text, and so must the selector be."""
    given = dict(selector.given())
    if set(given) - {"text", "text_contains", "text_matches"}:
        return False
    return (
        (selector.text is None or selector.text == text)
        and (selector.text_contains is None or selector.text_contains in text)
        and (selector.text_matches is None or re.search(selector.text_matches, text) is not None)
    )
