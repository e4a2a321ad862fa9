"""Absence: why a thing that is not shown is not known to be gone, and why no more is known to be
there.

The rules of every check that something is *not* there (``expect_gone``, a count, ``lacks=``), in
one place. Absence needs a target that could have been there, on a screen that would show it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from ...errors import UndecidableText, UsageError
from ...model import STATES, AppText, Element, Explanation, Selector, Undecided
from ...snapshots import Snapshot, excludes, fits_text, for_platform, nested
from ..actionability import hidden_witness, is_on, unknown, witness_of
from ..arguments import Target
from ..reachability import describe_dialog, hides_the_app, is_under_keyboard, over_the_app
from ..stabilize.observer import Observer
from ..stabilize.panes import panes_around
from .check import CheckInput, Failed, Verdict, undecided, under_system
from .in_sight import read_through, shows_place

_LOADING = "wait for what it loads, or look within= a part that is not loading"
_DRAWN = (
    'prove what the app shows instead, by expect_visible(..., source="picture") or '
    "expect_looks_like(...); or have the app report what it draws to accessibility"
)
_MOST_SHOWN = 2  # in one line; the message of a failed check lists them all


class Doubt(NamedTuple):
    """A reason not to believe that what a screen does not show is gone: its ``name``, what it
    ``means``, what would decide it, and the ``rule`` that finds it."""

    name: str
    means: str
    decides: str
    rule: Callable[[CheckInput, Target], Verdict | None]


def doubt(look: CheckInput, target: Target) -> Verdict | None:
    """Why a target that this screen does not show is not proven to be gone: the first of ``DOUBTS``
    that there is; None if there is none."""
    parts = target.any_of if isinstance(target, Selector) else ()
    for part in parts or (target,):  # each of them is to be gone
        for one in DOUBTS:
            found = one.rule(look, part)
            if isinstance(found, Undecided) and not found.decides:
                return replace(found, more=Explanation(found.more.lines, (one.decides,)))
            if found is not None:
                return found
    return None


def more_doubt(look: CheckInput, target: Selector, count: int) -> Verdict | None:
    """Why it is not known that no more than those ``count`` are there; None if it is."""
    # what lies under a dialog is none of those that are counted
    on_top = look.snapshot.dialog is not None
    beyond = (None if on_top else covered(look, target, away=False)) or _cut_off(look, target)
    return beyond or unfinished(look, target, matches=count) or undescribed(look)


def _hides_all(look: CheckInput, target: Target) -> Verdict | None:
    """The verdict under a window of the system that is the only one in the hierarchy."""
    snapshot = look.snapshot
    if snapshot.alone or not hides_the_app(snapshot) or _is_about_dialog(look, target):
        return None
    return _hidden(
        f"covered, not gone: {describe_dialog(snapshot)} of the system hides all of the app"
    )


def deeper(snapshot: Snapshot, target: Target, **facts: Any) -> Verdict | None:
    """The verdict on a target that is not proven by a cut screen, gone or alone, since more of the
    screen lies deeper than the phone gives; None if all of it was read."""
    if snapshot.shows_all(target if isinstance(target, Selector) else Selector()):
        return None
    seen = f"{facts['matches']} found, and " if facts.get("matches") else ""
    return undecided(f"{seen}{snapshot.limit}: it may lie deeper", **facts)


def _on_toast(look: CheckInput, target: Target) -> Verdict | None:
    """The verdict on what a toast says that may still be up: toasts are in no hierarchy."""
    if not look.now or not isinstance(target, Selector):
        return None
    for toast in look.observer.toasts_up():
        if toast and fits_text(target, toast, look.snapshot.platform):
            return Failed(("toast ", AppText(toast)), {"matches": 1, "hidden": False})
    return None


def _unreported(look: CheckInput, target: Target) -> Verdict | None:
    """The verdict on a target that is there but for a state that this phone does not report:
    unreported is not False, and not True either."""
    wanted = for_platform(target, look.snapshot.platform) if isinstance(target, Selector) else None
    for part in nested(wanted) if wanted is not None else ():
        for name in STATES:
            if getattr(part, name) is None:
                continue
            rest = replace(part, **{name: None})
            there = look.snapshot.match_labels(rest) if any(rest.given()) else []
            unknown = [one for one in there if getattr(one.states, name) is None]
            if unknown:
                return undecided(
                    f"no one reports whether it is {name}: {describe_matches(unknown)}",
                    matches=0,
                    hidden=False,
                )
    return None


def _cut_off(look: CheckInput, target: Target) -> Verdict | None:
    """The verdict on what may lack what it must not have, and is cut off by the edge of its
    list."""
    if not isinstance(target, Selector) or target.has_not is None:
        return None
    match = look.snapshot.match_labels
    known = [*match(Selector(has=target.has_not)), *match(target)]
    unsure = [one for one in match(replace(target, has_not=None, nth=None)) if one not in known]
    if unsure:
        return undecided(f"cut off by the edge of its list: {describe_matches(unsure)}", matches=0)
    return None


def lacks_for_sure(look: CheckInput, target: Selector) -> Verdict | None:
    """Why what was found may have what it must not have; None if it has none of it, or nothing is
    excluded."""
    if excludes(target):
        return _unreported(look, target) or unfinished(look, target, matches=1)
    return None


def unfinished(look: CheckInput, target: Target, matches: int = 0) -> Verdict | None:
    """The verdict on a screen that is not all there: a cut one, or one that is loading."""
    beyond = deeper(look.snapshot, target, matches=matches, hidden=False)
    if beyond is not None or not _may_bring(look.snapshot, target, _last_seen(look, target)):
        return beyond
    return undecided(
        "the screen is loading, and may still bring it",
        more=Explanation(advice=(_LOADING,)),
        matches=matches,
        hidden=False,
    )


def _may_bring(snapshot: Snapshot, target: Target, seen: tuple[Snapshot, Element] | None) -> bool:
    """Whether the screen goes on loading where the target belongs: a selector says where, and what
    a ref was printed for belongs into the list that it was seen in, once that holds something."""
    if isinstance(target, Selector):
        return snapshot.may_still_bring(target)
    if not snapshot.loading or seen is None:
        return snapshot.loading
    then, element = seen
    around = panes_around(then, element.node)
    here = around[0].on(snapshot) if around else None
    return here is None or not here.named_once or snapshot.loads_in(here.node)


def _last_seen(look: CheckInput, target: Target) -> tuple[Snapshot, Element] | None:
    """The newest read that showed what a ref was printed for, and that element."""
    if isinstance(target, Selector) or not look.snapshot.loading:
        return None
    for then in look.observer.earlier_on(look.snapshot):
        if found := _sighted(look.observer, then, target):
            return then, found[0]
    return None


def undescribed(look: CheckInput, _: Target | None = None) -> Verdict | None:
    """The verdict on a window that reports next to nothing of what its picture shows. A picture is
    taken only if the hierarchy is as good as empty; what a blank one does not show is gone."""
    silent = look.snapshot.unreported
    if silent is None or (
        look.now and not look.observer.pictures.shows_more(look.snapshot, silent)
    ):
        return None
    return undecided(
        "the app reports next to nothing of this screen, and its picture shows more",
        more=Explanation(advice=(_DRAWN,)),
        matches=0,
        hidden=False,
    )


# --- under a dialog -------------------------------------------------------------------------------


def under_dialog(look: CheckInput, target: Target, *, absent: bool = False) -> Verdict | None:
    """The verdict on a target that is neither known to be there nor gone: a dialog keeps the app's
    window out of the hierarchy, and it was on the screen when that opened. With ``absent``, any
    that is not looked for on the dialog itself: what was not there before may be there by now. None
    if nothing is in doubt."""
    snapshot, before = look.snapshot, look.observer.before_dialog
    if not snapshot.alone:
        return None
    if isinstance(target, Selector) and target.any_of:
        for one in target.any_of:
            if found := under_dialog(look, one, absent=absent):
                return found
        return None
    known = before is not None and is_on(look.observer, before, target)
    if not known and not (absent and not _is_about_dialog(look, target)):
        return None
    covered = while_open(snapshot, "all else may be covered, not gone", matches=0, hidden=True)
    over = over_the_app(snapshot)
    return replace(covered, more=replace(over, lines=(*over.lines, _WITHIN)))


def while_open(snapshot: Snapshot, why: str, **facts: Any) -> Undecided:
    """The verdict on what cannot be decided under the dialog that is on the screen; ``why`` is a
    clause."""
    return Undecided(f"{describe_dialog(snapshot)} is open", known=facts, but=why)


_WITHIN = (
    "A check of the dialog itself names a list in it by within=; the whole of it is checked by "
    "expect_outline."
)


def _is_about_dialog(look: CheckInput, target: Target) -> bool:
    """Whether a target is looked for within a part of the dialog, or was seen on the dialog
    before."""
    if isinstance(target, Selector) and target.within is not None:
        return look.snapshot.part(target.within) is not None
    return any(is_on(look.observer, one, target) for one in look.observer.on_dialog(look.snapshot))


# --- covered --------------------------------------------------------------------------------------


def _hidden(shown: str, **facts: Any) -> Verdict:
    return Failed(shown, {"matches": 0, "hidden": True, **facts}, problem="covered")


def covered(look: CheckInput, target: Target, *, away: bool = True) -> Verdict | None:
    """The verdict on what lies under something else, in its own window or another, or with ``away``
    in the part of a scroller that is out of sight; None for none. How many are in sight is known in
    any case."""
    beneath = look.snapshot.beneath
    if beneath is None:
        return None
    seen: list[Element] = []
    if isinstance(target, Selector):
        target = replace(target, nth=None)  # counted with covered ones, it is another
        seen = look.snapshot.match_labels(target)
    shown = {element.index for element in seen}
    found = [one for one in _on_beneath(look, beneath, target) if one.index not in shown]
    under = in_view(beneath, found)
    if under:
        return _hidden(f"covered, not gone: {describe_matches(under)}")
    gone_by = [one for one in found if any(beneath.scrollers_around(one.node))]
    if not gone_by or not away:
        return None
    return undecided(f"scrolled out of view: {describe_matches(gone_by)}", matches=0, hidden=True)


def in_view(beneath: Snapshot, found: Iterable[Element]) -> list[Element]:
    """Those of the elements beneath a screen that would be in view, were they not covered."""
    return [one for one in found if not beneath.reach(one)[0].is_empty]


def _on_beneath(look: CheckInput, beneath: Snapshot, target: Target) -> list[Element]:
    if isinstance(target, Selector):
        return beneath.match_labels(target)
    witness = witness_of(look.observer, target)
    if witness is None:
        return []
    found = hidden_witness(look.snapshot, witness)
    if found is not None:
        return [found]
    alike = [now for now in beneath.elements if bears_its_id(witness, now)]
    return alike if len(alike) == 1 else []  # an id that every row has says nothing


def bears_its_id(was: Element, now: Element) -> bool:
    """Whether an element has the id of another, and is in the row that the other was in, if any:
    that it says something else, or that a dialog opened over it, does not make it gone."""
    same_id = was.resource_id == now.resource_id != "" and was.class_name == now.class_name
    return same_id and was.row_title in ("", now.row_title)


def under_keyboard(look: CheckInput, target: Target) -> Verdict | None:
    """The verdict on what only the keyboard hides, as iOS reports it; None for none."""
    snapshot = look.snapshot
    if snapshot.keyboard is None or snapshot.beneath is None or not isinstance(target, Selector):
        return None
    found = [
        one for one in snapshot.beneath.match_labels(target) if is_under_keyboard(snapshot, one)
    ]
    if not found:
        return None
    return _hidden(
        f"under the keyboard, which hide_keyboard() hides: {describe_matches(found)}", hidden=False
    )


# --- what was there before ------------------------------------------------------------------------


def _without_anchor(look: CheckInput, target: Target) -> Verdict | None:
    """The verdict on a target whose container or anchor is not on this screen, and never was, or
    has another name now: of a misspelt one everything is gone. One that was there may be gone with
    the target."""
    if not isinstance(target, Selector):
        return None
    for anchor in look.snapshot.missing_anchors(target):
        renamed = _renamed_anchor(look, anchor)
        if renamed is not None:
            why = f"{anchor.describe()} may be {renamed.describe()} by now"
        elif not _was_there(look, anchor):
            why = f"{anchor.describe()} is not on this screen, and was not before"
        else:
            continue
        return undecided(why, matches=0, hidden=False)
    return None


def _renamed_anchor(look: CheckInput, anchor: Selector) -> Element | None:
    """What stands in the place of a container or an anchor by ref, and was not on the screen with
    it."""
    given = anchor.within or anchor.near
    if given is None or isinstance(given, Selector):
        return None
    witness = witness_of(look.observer, given)
    if witness is None or (
        witness.screen is not None and witness.screen.differ(look.snapshot.traits)
    ):
        return None
    located = look.snapshot.locate(witness)
    if located.verdict == "renamed":
        return located.element
    then = look.observer.kept(witness.snapshot_id)
    known = {one.identity for one in (then.elements if then is not None else [witness])}
    for now in look.snapshot.elements:
        same_place = now.bounds.contains(witness.center) and now.identity not in known
        if same_place and now.class_name == witness.class_name:
            return now
    return None


def _was_there(look: CheckInput, anchor: Selector) -> bool:
    """Whether a container or an anchor was on the screen before the action, or on one earlier in
    the test: a screen that was left took it along."""
    given = anchor.within or anchor.near
    if given is not None and not isinstance(given, Selector):
        if witness_of(look.observer, given) is None:
            raise UsageError(
                f"{unknown(look.observer, given)}. Use a ref from an outline, or a selector"
            )
        return True
    seen = filter(None, (look.before, *look.observer.earlier()))
    return any(not one.missing_anchors(anchor) for one in seen)


def _scrolled_away(look: CheckInput, target: Target) -> Verdict | None:
    """The verdict on a target that was seen in a list that shows another part since: it was
    scrolled, or scrolls by itself, and nothing read since shows the place where it was."""
    if not look.now:
        return None
    later = [look.snapshot]
    for then in look.observer.earlier_on(look.snapshot):
        found = _sighted(look.observer, then, target)
        if not found:
            later.append(then)
            continue
        for element in found:
            whole = [now for now in later if not _may_bring(now, target, (then, element))]
            shown = any(shows_place(element, then, now, look.observer) for now in whole)
            if not shown and not read_through(element, then, whole, look.observer):
                return undecided(
                    f"scrolled out of view since {then.id}: {element.describe()}",
                    matches=0,
                    hidden=True,
                )
        return None
    return None


def _sighted(observer: Observer, then: Snapshot, target: Target) -> list[Element]:
    if not isinstance(target, Selector):
        witness = witness_of(observer, target)
        element = then.locate(witness).element if witness is not None else None
        return [element] if element is not None else []
    try:
        return then.match_labels(target)
    except (UndecidableText, UsageError):
        return []


DOUBTS = (
    Doubt(
        "foreign window",
        "a window of the system lies over the app, whose screen it hides",
        "answer it; for a notification, turn on Do Not Disturb",
        lambda look, _: under_system(look.snapshot) if look.snapshot.over else None,
    ),
    Doubt(
        "under a dialog",
        "the hierarchy holds a dialog alone: all else may be covered",
        "close it; a target on it is named within= a part of it",
        partial(under_dialog, absent=True),
    ),
    Doubt(
        "hidden by the system",
        "a message of the system hides all of the app",
        "close it",
        _hides_all,
    ),
    Doubt("under the keyboard", "only the keyboard hides it", "hide_keyboard()", under_keyboard),
    Doubt(
        "covered",
        "it lies under a window, a sheet of the app's own, a veil, or out of sight in a scroller",
        "close what covers it, or scroll to it",
        covered,
    ),
    Doubt(
        "toast",
        "a toast says it, which is in no hierarchy, and may still be up",
        "wait until it is over",
        _on_toast,
    ),
    Doubt(
        "nothing reported",
        "it is there, and the phone does not report the state that is asked for",
        "leave out the state, or have the app report it",
        _unreported,
    ),
    Doubt(
        "cut off",
        "it may lack what has_not= excludes, and is cut off by the edge of its list",
        "scroll until all of it is in sight",
        _cut_off,
    ),
    Doubt(
        "not all there",
        "the screen is deeper than the phone gives, or is still loading",
        _LOADING,
        unfinished,
    ),
    Doubt(
        "no anchor",
        "what it is measured by, as within=, was never on the screen, or has another name by now",
        "is it misspelt? A check of absence needs what it is within",
        _without_anchor,
    ),
    Doubt(
        "scrolled away",
        "it was seen in a list that shows another part since",
        "scroll back to where it was; a list that holds something else by now scroll to its "
        "beginning, until that has reached_end, and collect it",
        _scrolled_away,
    ),
    Doubt(
        "drawn, not reported",
        "the app reports next to nothing of the screen, and its picture shows more",
        _DRAWN,
        undescribed,
    ),
)
"""In the order in which they are asked; the first that there is decides what a check says."""


def describe_matches(found: list[Element]) -> str:
    """The first few in one line; ``absent`` for none."""
    if not found:
        return "absent"
    shown = "   ".join(item.describe() for item in found[:_MOST_SHOWN])
    more = f"   … and {len(found) - _MOST_SHOWN} more" if len(found) > _MOST_SHOWN else ""
    return shown + more
