"""Absence: why a thing that is not shown is not known to be gone, and why no more is known to be there.

The rules of every check that something is *not* there (``expect_gone``, a count, ``lacks=``), in one place.
Absence needs a target that could have been there, on a screen that would show it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

from ...errors import UndecidableText, UsageError
from ...model import Element, Node, Rect, Selector, ancestors, descendants
from ...snapshots import Snapshot, never_matches
from ..actionability import hidden_witness, is_on, witness_of
from ..arguments import Target, describe
from ..execute.scrolling import content_of, goes_sideways, located, viewport
from ..reachability import describe_dialog, hides_the_app, is_under_keyboard, over_the_app
from ..stabilize.observer import Observer
from .check import CheckInput, Sample, undecided

_MOST_SHOWN = 2  # in one line; the message of a failed check lists them all


def refuse_unmatchable(kind: str, platform: Any, *targets: Target | None) -> None:
    """Raises ``UsageError`` for a selector that can match nothing on this platform: neither its presence nor its
    absence says anything."""
    for target in targets:
        if isinstance(target, Selector) and (part := never_matches(target, platform)) is not None:
            raise UsageError(
                f"{kind}({describe(target)}): {part} can match nothing on {platform}, so that it is never there "
                f"and never gone. Next: give it a branch for this platform, by(android=..., ios=...)"
            )


def doubt(look: CheckInput, target: Target) -> Sample | None:
    """Why a target that this screen does not show is not proven to be gone; None where it is."""
    snapshot = look.snapshot
    if snapshot.alone:
        beyond = under_dialog(look, target, absent=True)
    elif hides_the_app(snapshot):
        beyond = _hidden(f"covered, not gone: {describe_dialog(snapshot)} of the system hides all of the app")
    else:
        beyond = under_keyboard(snapshot, target) or covered(look, target)
    return beyond or _unfinished(snapshot, target) or _without_anchor(look, target) or _scrolled_away(look, target)


def more_doubt(look: CheckInput, target: Selector, count: int) -> Sample | None:
    """Why it is not known that no more than those ``count`` are there; None where it is."""
    return covered(look, target) or _unfinished(look.snapshot, target, matches=count)


def deeper(snapshot: Snapshot, target: Target, **facts: Any) -> Sample | None:
    """The sample of a target that is not proven by a cut screen, gone or alone, since more of the screen lies
    deeper than the phone gives; None where all of it was read."""
    if snapshot.shows_all(target if isinstance(target, Selector) else Selector()):
        return None
    seen = f"{facts['matches']} found, and " if facts.get("matches") else ""
    return undecided(f"{seen}{snapshot.limit}: it may lie deeper", **facts)


def _unfinished(snapshot: Snapshot, target: Target, matches: int = 0) -> Sample | None:
    """The sample of a screen that is not all there: a cut one, or one that is loading."""
    beyond = deeper(snapshot, target, matches=matches, hidden=False)
    if beyond is not None or not snapshot.may_still_bring(target if isinstance(target, Selector) else Selector()):
        return beyond
    sample = undecided("the screen is loading, and may still bring it", matches=matches, hidden=False)
    return replace(
        sample, more=lambda: "Next: wait for what it loads, or look within= a part that is not loading."
    )


# --- under a dialog -------------------------------------------------------------------------------------------


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


# --- covered --------------------------------------------------------------------------------------------------


def _hidden(shown: str, **facts: Any) -> Sample:
    return Sample(False, shown, facts={"matches": 0, "hidden": True, **facts}, problem="covered")


def covered(look: CheckInput, target: Target) -> Sample | None:
    """The sample of what lies under something else, in its own window or another, or in the part of a scroller
    that is out of sight; None for none."""
    beneath = look.snapshot.beneath
    if beneath is None:
        return None
    seen = look.snapshot.match_labels(target) if isinstance(target, Selector) else []
    shown = {element.node.index for element in seen}
    found = [one for one in _on_beneath(look, beneath, target) if one.node.index not in shown]
    under = [one for one in found if not beneath.reach(one)[0].is_empty]
    if under:
        return _hidden(f"covered, not gone: {describe_matches(under)}")
    away = [one for one in found if any(True for _ in beneath.scrollers_around(one))]
    return undecided(f"scrolled out of view: {describe_matches(away)}", matches=0, hidden=True) if away else None


def _on_beneath(look: CheckInput, beneath: Snapshot, target: Target) -> list[Element]:
    if isinstance(target, Selector):
        return beneath.match_labels(target)
    witness = witness_of(look.observer, target)
    if witness is None:
        return []
    found = hidden_witness(look.snapshot, witness)
    return [found] if found is not None else [now for now in beneath.elements if bears_its_id(witness, now)]


def bears_its_id(was: Element, now: Element) -> bool:
    """Whether an element has the id of another, and is in the row that the other was in, if any: that it says
    something else, or that a dialog opened over it, does not make it gone."""
    same_id = was.resource_id == now.resource_id != "" and was.class_name == now.class_name
    return same_id and was.row_title in ("", now.row_title)


def under_keyboard(snapshot: Snapshot, target: Target) -> Sample | None:
    """The sample of what only the keyboard hides, as iOS reports it; None for none."""
    if snapshot.keyboard is None or snapshot.beneath is None or not isinstance(target, Selector):
        return None
    found = [one for one in snapshot.beneath.match_labels(target) if is_under_keyboard(snapshot, one)]
    if not found:
        return None
    shown = f"under the keyboard, which hide_keyboard() hides: {describe_matches(found)}"
    return Sample(False, shown, facts={"matches": 0, "hidden": False}, problem="covered")


# --- what was there before ------------------------------------------------------------------------------------


def _without_anchor(look: CheckInput, target: Target) -> Sample | None:
    """The sample of a target whose container or anchor is not on this screen, and never was: of a misspelt one
    everything is gone. One that was there may be gone with the target."""
    if not isinstance(target, Selector):
        return None
    for anchor in look.snapshot.missing_anchors(target):
        if not _was_there(look, anchor):
            why = f"{anchor.describe()} is not on this screen, and was not before"
            sample = undecided(why, matches=0, hidden=False)
            return replace(
                sample, more=lambda: "Next: is it misspelt? A check of absence needs what it is within."
            )
    return None


def _was_there(look: CheckInput, anchor: Selector) -> bool:
    """Whether a container or an anchor was on the screen before the action, or on this one earlier."""
    given = anchor.within or anchor.near
    if given is not None and not isinstance(given, Selector):
        if witness_of(look.observer, given) is None:
            wrong = (
                f"{anchor.describe()} was never printed in this session; use a ref from an outline, or a selector"
            )
            raise UsageError(wrong)
        return True
    before = [look.before] if look.before is not None else []
    return any(not one.missing_anchors(anchor) for one in (*before, *look.observer.earlier_on(look.snapshot)))


def _scrolled_away(look: CheckInput, target: Target) -> Sample | None:
    """The sample of a target that was seen in a scroller that shows another part since: it was scrolled, or
    scrolls by itself, and nothing read since shows the place where it was."""
    if not look.now:
        return None
    later = [look.snapshot]
    for then in look.observer.earlier_on(look.snapshot):
        found = _sighted(look.observer, then, target)
        if not found:
            later.append(then)
            continue
        for element in found:
            if not any(_shows_place_of(element, then, now, look.observer) for now in later if not now.loading):
                shown = f"scrolled out of view since {then.id}: {element.describe()}"
                sample = undecided(shown, matches=0, hidden=True)
                return replace(sample, more=lambda: "Next: scroll back to where it was, or collect() the list.")
        return None
    return None


def _shows_place_of(element: Element, then: Snapshot, now: Snapshot, observer: Observer) -> bool:
    """Whether the place where an element was on another read is in sight on this one: in each scroller around it,
    by where that scroller's other content went."""
    for box in then.scrollers_around(element):
        here = located(now, box)
        moved_by_hand = observer.swiped_between(then, now, sideways=goes_sideways(then, box))
        if here is None:
            return True  # not the same content any more, so that nothing of it is out of sight
        shift = _shift(element, then, box, now, here, moved_by_hand)
        if shift is None and moved_by_hand:
            return False
        if shift is None:
            continue  # all of it is other content
        across, down, closes_up = shift
        room = _ROOM_AROUND * _item(element, then, box)
        closes_up = closes_up and max(abs(across), abs(down)) <= room
        if not closes_up and not viewport(now, here).contains(element.bounds.shifted(across, down).center):
            return False
    return True


def _shift(
    element: Element, then: Snapshot, box: Element, now: Snapshot, here: Element, moved_by_hand: bool
) -> tuple[int, int, bool] | None:
    """How far the element would have gone, by the nearest content that both reads show, and whether that
    may only have closed up behind it. None where they share none. What comes before a row stays when that is
    removed, and what comes after it moves up; but a heading that sticks stays, too, while a list is scrolled."""
    before, after = _unique(then, box), _unique(now, here)
    inside = {element.node.index, *(node.index for node in descendants(then.nodes, element.node))}
    went: list[tuple[int, int, int]] = []
    for sign, node in before.items():
        if sign in after and node.index not in inside:
            old, new = node.bounds, after[sign].bounds
            went.append((node.index, new.left - old.left, new.top - old.top))
    went.sort()
    ahead = [each for each in went if each[0] < element.node.index]
    behind = [each for each in went if each[0] > element.node.index]
    if moved_by_hand and behind and any(behind[0][1:]) and not (ahead and any(ahead[-1][1:])):
        ahead = []
    if ahead:
        return (*ahead[-1][1:], False)
    return (*behind[0][1:], not moved_by_hand) if behind else None


def _unique(snapshot: Snapshot, box: Element) -> dict[tuple[str, ...], Node]:
    """The content of a scroller that is in it just once, by its look: nothing that an edge may cut."""
    area = viewport(snapshot, box)
    nodes = [(sign, node) for node, sign in content_of(snapshot, box) if any(sign[1:])]
    often = Counter(sign for sign, _ in nodes)
    return {sign: node for sign, node in nodes if often[sign] == 1 and _is_whole(node.bounds, area)}


def _is_whole(bounds: Rect, area: Rect) -> bool:
    return (area.top < bounds.top or bounds.bottom < area.bottom) and area.contains(bounds.center)


_ROOM_AROUND = 1.5  # times its size: as far as what follows an item moves up when that is removed


def _item(element: Element, then: Snapshot, box: Element) -> int:
    """The longer side of what an element is a part of in a scroller: its row, or its card."""
    area, found = box.bounds, element.node.bounds
    for node in ancestors(then.nodes, element.node):
        if 2 * node.bounds.height > area.height or node.index == box.node.index:
            break
        found = node.bounds
    return max(found.height, min(found.width, area.width // 2))


def _sighted(observer: Observer, then: Snapshot, target: Target) -> list[Element]:
    if not isinstance(target, Selector):
        witness = witness_of(observer, target)
        located = then.locate(witness) if witness is not None else None
        return [located.element] if located is not None and located.element is not None else []
    try:
        return then.match_labels(target)
    except (UndecidableText, UsageError):
        return []


def describe_matches(found: list[Element]) -> str:
    """The first few in one line; ``absent`` for none."""
    if not found:
        return "absent"
    shown = "   ".join(item.describe() for item in found[:_MOST_SHOWN])
    more = f"   … and {len(found) - _MOST_SHOWN} more" if len(found) > _MOST_SHOWN else ""
    return shown + more
