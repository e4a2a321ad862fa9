"""Checks of presence: whether an element is there, was there, and how often."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Literal

from ...errors import TargetError, UsageError
from ...model import Selector
from ..actionability import STALE_VERDICTS, witness_of
from ..arguments import describe
from ..reachability import describe_dialog, hides_the_app, is_under_keyboard, over_the_app
from .check import Check, CheckInput, Verdict

if TYPE_CHECKING:
    from ...model import Element
    from ...snapshots import Snapshot
    from ..arguments import Target

_MOST_LISTED = 12
_MOST_SHOWN = 2  # in one line; the message of a failed check lists them all


def visible(target: Target) -> Check:
    def test(look: CheckInput) -> Verdict:
        found, told = _sighting(look, target)
        if found is False:
            told = _under_keyboard(look.snapshot, target) or told
        return Verdict(found is True, told, more=lambda: _why_not_seen(look.snapshot, target))

    return Check("expect_visible", describe(target), test, target=target)


def gone(target: Target) -> Check:
    def test(look: CheckInput) -> Verdict:
        found, told = _sighting(look, target)
        below = _out_of_reach(look.snapshot, target) if found is False else ""
        return Verdict(
            found is False and not below, below or told, more=lambda: _one_a_line(look.snapshot, target)
        )

    return Check("expect_gone", describe(target), test, "window", target=target)


def seen(selector: Target) -> Check:
    if not isinstance(selector, Selector):
        raise UsageError("expect_seen() takes a selector: what comes and goes has no ref to hold on to")

    def test(look: CheckInput) -> Verdict:
        observer = look.observer
        for snapshot in (*observer.seen, look.snapshot):  # not all of very many are kept
            if snapshot.match_labels(selector):
                return Verdict(True, f"seen on {snapshot.screen or snapshot.id}")
        observer.poll_toast()
        for toast in observer.toasts:
            if _text_fits(selector, toast):
                return Verdict(True, f'toast "{toast}"')
        others = ", ".join(f'"{toast}"' for toast in observer.toasts)
        return Verdict(False, f"not seen; toasts: {others}" if others else "not seen, no toast either")

    return Check("expect_seen", describe(selector), test, "once", target=selector)


def checked_count(wanted: int) -> int:
    if isinstance(wanted, bool) or not isinstance(wanted, int) or wanted < 0:
        raise UsageError(
            f"expect_count({wanted!r}): the count is a whole number from 0, and comes first: "
            "expect_count(3, by(...))"
        )
    return wanted


def count_is(wanted: int, selector: Selector) -> Check:
    def test(look: CheckInput) -> Verdict:
        found = look.snapshot.match_labels(selector)
        more = partial(_one_a_line if found else near, look.snapshot, selector)
        below = "" if wanted or found else _out_of_reach(look.snapshot, selector)
        return Verdict(len(found) == wanted and not below, below or f"{len(found)} found", more=more)

    how: Literal["settled", "window"] = "window" if wanted == 0 else "settled"  # none: as expect_gone has it
    return Check("expect_count", f"{wanted} of {selector.describe()}", test, how, target=selector)


def _out_of_reach(snapshot: Snapshot, target: Target) -> str:
    """What is not seen for another reason than that it is not there; "" for none."""
    if hides_the_app(snapshot):
        return f"covered, not gone: {describe_dialog(snapshot)} of the system hides all of the app"
    return _under_keyboard(snapshot, target) or _below(snapshot, target)


def _below(snapshot: Snapshot, target: Target) -> str:
    """What of the target is in a window that another one lies over: out of reach, and not gone. "" where nothing
    of it is."""
    if snapshot.beneath is None or not isinstance(target, Selector):
        return ""
    on_top = {element.node.window for element in snapshot.elements}
    found = [one for one in snapshot.beneath.match_labels(target) if one.node.window not in on_top]
    return f"covered, not gone: {describe_matches(found)}" if found else ""


def _why_not_seen(snapshot: Snapshot, target: Target) -> str:
    """What hides the whole app, and how to get past it; else what comes nearest."""
    return over_the_app(snapshot).strip() if hides_the_app(snapshot) else near(snapshot, target)


def _under_keyboard(snapshot: Snapshot, target: Target) -> str:
    """Where the keyboard alone keeps it from being seen, which iOS tells of it; "" where it does not."""
    if snapshot.keyboard is None or snapshot.beneath is None or not isinstance(target, Selector):
        return ""
    found = [one for one in snapshot.beneath.match_labels(target) if is_under_keyboard(snapshot, one)]
    return f"under the keyboard, which hide_keyboard() hides: {describe_matches(found)}" if found else ""


def _sighting(look: CheckInput, target: Target) -> tuple[bool | None, str]:
    """Whether the target is on the screen; None where that cannot be told, which proves neither."""
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
    """What comes nearest to a selector that matches nothing, and why it is not it."""
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
    """One element a line, as they are told apart."""
    lines = [f"  {item.describe()}" for item in found[:_MOST_LISTED]]
    more = [f"  … and {len(found) - _MOST_LISTED} more"] if len(found) > _MOST_LISTED else []
    return "\n".join(lines + more)


def _one_a_line(snapshot: Snapshot, target: Target) -> str:
    found = snapshot.match_labels(target) if isinstance(target, Selector) else []
    return listed(found) if len(found) > 1 else ""


def _text_fits(selector: Selector, text: str) -> bool:
    """Whether a toast, which is nothing but text, is what a selector of nothing but text means."""
    given = dict(selector.given())
    if set(given) - {"text", "text_contains", "text_matches"}:
        return False
    return (
        (selector.text is None or selector.text == text)
        and (selector.text_contains is None or selector.text_contains in text)
        and (selector.text_matches is None or re.search(selector.text_matches, text) is not None)
    )
