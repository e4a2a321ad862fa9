"""Choosing an option: of a list that opens, of segments, tabs and radio buttons, or of a switch."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import islice

from ...errors import DeviceError, UsageError
from ...model import Element, FailureCode, Node, Selector, ancestors, quoted
from ...snapshots import DISMISSES, Snapshot, first_alike, same_text
from ..actionability import await_still
from ..arguments import inside
from ..element_state import checked_of
from ..reachability import gesture_point
from ..stabilize.panes import in_view
from ..stabilize.reads import settle
from ..step import ActionContext, Details, Dispatch, StageFailed
from .collecting import SLACK, Collecting, Seek
from .control import again
from .scrolling import (
    MOST_SWIPES,
    Scroller,
    Way,
    goes_sideways,
    largest,
    located,
    scroller_around,
    span,
)

_ANY = Selector(text_matches=r"\S")


class Opened:
    """What a tap brought up, and all that was seen of it. What was there before is no option, and
    neither is what another app, or the system, says."""

    def __init__(self, action: ActionContext, label: str) -> None:
        before = action.target.snapshot
        self._action = action
        self._known = {element.identity for element in before.elements}
        self._app = action.target.element.package or before.app
        self._selector = Selector(text=label)
        self._label = label
        self.offered: dict[str, None] = {}  # labels, in the order in which they were seen
        self.new: list[Element] = []
        self.swipes = 0
        self.snapshot: Snapshot = before

    def look(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self.new = [
            one for one in snapshot.elements if self._is_new(one) and one.resource_id != DISMISSES
        ]
        self.offered.update(dict.fromkeys(element.label for element in self.new if element.label))

    def found(self) -> list[Element]:
        """The options with that label: of lists that scroll, all from the beginning to the end, as
        another one may be out of sight. A single one is in sight then. Raises ``StageFailed`` if
        the end is not known."""
        boxes = self._boxes()
        lists = [_onward(self._action, self.snapshot, box) for box in boxes or self._page()]
        shown = {one.identity for each in lists for one in self.snapshot.elements_in(each.box)}
        found = [one for one in self._found() if one.identity not in shown]
        home: Scroller | None = None
        for each in lists:
            here = self._through(each, from_start=bool(boxes))
            home = each.back if here else home
            found += here
        if len(found) == 1 and home is not None:
            way = Way(home.box, home.direction, MOST_SWIPES)
            wanted = inside(home.box, self._selector)
            self.swipes += Seek(wanted, way).send(self._action)["swipes"]
            self.look(settle(self._action.context, None).snapshot)
            return self._found()
        return found

    def choose(self) -> Details:
        """Taps the option once it stands still, in the window in which it was found."""
        first = self.snapshot

        def only(now: Snapshot) -> list[Element]:
            self.look(now)
            found = self._found()
            if len(found) > 1:
                raise self.several(found)
            if found and not first.traits.differ_on_top(now.traits):
                return found
            gone = f'the list with "{self._label}" has gone, or something has come over it'
            raise StageFailed.on(now, "ELEMENT_NOT_FOUND", f"{gone}. None was chosen.")

        action = self._action
        snapshot, (option,) = await_still(action.context, only, action.step.timeout)
        action.driver.tap(gesture_point(snapshot, option))
        return {"mode": "list", "option": option.describe(), "swipes": self.swipes}

    def several(self, found: list[Element]) -> StageFailed:
        opened = f"opened a list with {len(found)} options"
        return StageFailed.on(
            self.snapshot,
            "AMBIGUOUS_TARGET",
            f'{_named(self._action)} {opened} "{self._label}". None was chosen.',
            found,
            target=self._selector,
        )

    def no_option(self) -> StageFailed:
        """Nothing opened, or what did offers others."""
        control = _named(self._action)
        if not self.offered and not self.new:
            wrong = f"{control} opened no list: a tap on it brought nothing new up."
            return StageFailed.on(
                self.snapshot,
                "SEMANTIC_MISMATCH",
                wrong,
                (self._action.target.element,),
                advice=(
                    "is it the control that opens the list? adjust sets what has its options in "
                    "itself",
                ),
            )
        named = offered(self._label, self.offered) or "nothing with a label"
        wrong = f'{control} opened no list with one "{self._label}"; new on the screen: {named}'
        return StageFailed.on(
            self.snapshot, "ELEMENT_NOT_FOUND", wrong, self.new, target=self._selector
        )

    # --- what opened ------------------------------------------------------------------------------

    def _is_new(self, element: Element) -> bool:
        app = element.package or self.snapshot.app
        return element.identity not in self._known and (app == self._app or not (app and self._app))

    def _found(self) -> list[Element]:
        return [element for element in self.snapshot.match(self._selector) if self._is_new(element)]

    def _boxes(self) -> list[Element]:
        """The lists that are new and scroll; of one within another, the one that shows the
        options."""
        scrolling = [one for one in self.new if one.states.scrollable]
        boxes = []
        for one in scrolling:
            if not any(around in scrolling for around in self.snapshot.scrollers_around(one.node)):
                inner = [each for each in self.snapshot.elements_in(one) if each in scrolling]
                boxes.append(largest(self.snapshot, [one, *inner], "down") or one)
        return boxes

    def _page(self) -> list[Element]:
        """The page's own scroller, where the options opened in it and may go on below what shows of
        it."""
        control = located(self.snapshot, self._action.target.element)
        box = scroller_around(self.snapshot, control.node, "down") if control is not None else None
        if box is None:
            return []
        content = self.snapshot.elements_in(box)
        end = max((one.bounds.bottom for one in content if self._is_new(one)), default=0)
        ends = any(one.identity in self._known and one.bounds.top >= end for one in content)
        return [] if ends or end < in_view(self.snapshot, box.bounds).bottom - SLACK else [box]

    def _through(self, list_: Scroller, *, from_start: bool) -> list[Element]:
        """The options with that label in one list, from its start, or from what shows of it, to its
        end."""
        if from_start:
            for swept in list_.still_on(self.snapshot).back.sweeps():
                self.swipes += swept.swipes
                self.look(swept.snapshot)
        every = Collecting(_ANY, Way(list_.box, list_.direction, MOST_SWIPES))
        self.swipes += every.send(self._action)["swipes"]
        new = [one for one in every.found if one.identity not in self._known]
        self.offered.update(dict.fromkeys(element.label for element in new))
        return [one for one in new if fits_label(one, self._label)]


def fits_label(element: Element, label: str) -> bool:
    return any(same_text(label, text) for text in (element.label, *element.folded))


def offered(wanted: str, labels: Iterable[str]) -> str:
    """What there is to choose from, for a message, and what of it only looks like the wanted
    one."""
    names = [label for label in labels if label]
    alike = first_alike(wanted, names)
    return "   ".join(map(quoted, names)) + (f" ({quoted(alike[0])}: {alike[1]})" if alike else "")


_LEVELS = 4  # how far above one of a group the group may be


def members_of(snapshot: Snapshot, element: Element) -> list[Element]:
    """What can be chosen: inside the element, or of one of a group all that are like it."""
    return _group_of(snapshot, element)[1]


def _group_of(snapshot: Snapshot, element: Element) -> tuple[Node, list[Element], str | None]:
    """The node around the group, its members in sight, and their role where only that makes them
    members."""
    inside = _inside(snapshot, element.node)
    if inside:
        return element.node, inside, None
    role = element.semantic_role
    for above in islice(ancestors(snapshot.nodes, element.node), _LEVELS):
        alike = [one for one in _inside(snapshot, above) if one.semantic_role == role]
        if len(alike) > 1:
            return above, alike, role
    return element.node, [element], role


def _inside(snapshot: Snapshot, above: Node) -> list[Element]:
    return [one for one in snapshot.elements_in(above) if one.node.clickable or one.node.checkable]


def only_member(
    action: ActionContext, label: str
) -> tuple[Element, list[Element], Callable[[Snapshot], list[Element]]]:
    """The one member with that label, all members, and how to find it on a later screen. A group
    that may go on out of sight is gone through first, as there may be another; the member is in
    sight then. Raises ``StageFailed`` for none and for several."""
    snapshot, element = action.target.snapshot, action.target.element
    node, members, role = _group_of(snapshot, element)
    list_ = _goes_on_in(action, node) if members != [element] else None
    group: _Group | None = None
    if list_ is not None:
        group = _Group(list_, _kind_of(snapshot, node), members, role)
        members = group.every()
        found = [one for one in members if fits_label(one, label)]
        snapshot = group.here.snapshot
    else:
        meant = {one.identity for one in snapshot.match(Selector(text=label))}
        found = [member for member in members if member.identity in meant]
    if len(found) != 1:
        there_are = offered(label, (member.label for member in members)) or "nothing"
        code: FailureCode = "AMBIGUOUS_TARGET" if found else "ELEMENT_NOT_FOUND"
        raise StageFailed.on(
            snapshot,
            code,
            f'{_named(action)} has {len(found) or "no"} "{label}"; it offers {there_are}. Nothing '
            "was touched.",
            found or members,
            target=Selector(text=label),
        )
    if group is not None:
        return group.bring(label), members, lambda now: group.with_label(now, label)
    return found[0], members, lambda now: [again(found[0], now)]


def _named(action: ActionContext) -> str:
    return f"{action.target.element.describe()} on {action.phone}"


def _goes_on_in(action: ActionContext, node: Node) -> Scroller | None:
    """The scroller at whose edge the group ends, or which it is: there may be more of it than
    shows."""
    snapshot = action.target.snapshot
    scrolling = {one.index: one for one in snapshot.elements if one.states.scrollable}
    for around in (node, *ancestors(snapshot.nodes, node)):
        if around.index in scrolling:
            list_ = _onward(action, snapshot, scrolling[around.index])
            if around is node or any(_reaches(list_, node)):
                return list_
    return None


def _onward(action: ActionContext, snapshot: Snapshot, box: Element) -> Scroller:
    """What scrolls, the way its content goes on."""
    return Scroller(action, snapshot, box, "right" if goes_sideways(snapshot, box) else "down")


def _reaches(list_: Scroller, node: Node) -> tuple[bool, bool]:
    """Whether what shows of a group ends at the beginning and at the end of its scroller."""
    (low, high), (first, last) = (span(each, list_.upright) for each in (node.bounds, list_.area))
    return low <= first + SLACK, high >= last - SLACK


@dataclass
class _Group:
    """A group in a scroller, ``here`` on the last screen: known again on each by the members that
    it shares with the one before. ``_kind`` is what its node is."""

    here: Scroller
    _kind: tuple[str, str, int]
    _known: list[Element]
    _role: str | None

    def every(self) -> list[Element]:
        """Its members from the first to the last."""
        self._sweep_until(lambda now: not _reaches(self.here, self._node_on(now))[0])
        here = self.here
        way = Way(here.box, here.direction, MOST_SWIPES)
        collecting = Collecting(_ANY, way, only=self._members, ends=self._ends)
        collecting.send(here.action)
        latest = here.action.observer.latest
        assert latest is not None
        self.here = here.still_on(latest)
        return collecting.found

    def bring(self, label: str) -> Element:
        """The member, scrolled into sight."""
        self._sweep_until(lambda now: bool(self.with_label(now, label)))
        return self.with_label(self.here.snapshot, label)[0]

    def with_label(self, snapshot: Snapshot, label: str) -> list[Element]:
        return [one for one in self._members(snapshot) if fits_label(one, label)]

    def _sweep_until(self, reached: Callable[[Snapshot], bool]) -> None:
        """Backwards, as far as it goes."""
        sweeps = self.here.back.sweeps(reach=0.5)
        while not reached(self.here.snapshot) and (swept := next(sweeps, None)):
            self.here = self.here.still_on(swept.snapshot)

    def _ends(self, snapshot: Snapshot) -> bool:
        here, node = self.here.still_on(snapshot), self._node_on(snapshot)
        return node.index != here.box.index and not _reaches(here, node)[1]

    def _members(self, snapshot: Snapshot, node: Node | None = None) -> list[Element]:
        inside = _inside(snapshot, node or self._node_on(snapshot))
        return [one for one in inside if self._role in (None, one.semantic_role)]

    def _node_on(self, snapshot: Snapshot) -> Node:
        for member in self._known:
            found = snapshot.locate(member).element
            for above in ancestors(snapshot.nodes, found.node) if found is not None else ():
                if _kind_of(snapshot, above) == self._kind:
                    self._known = self._members(snapshot, above) or self._known
                    return above
        lost = f"the group of {_named(self.here.action)} was lost while it was gone through"
        raise StageFailed.on(snapshot, "STALE_REFERENCE", f"{lost}. Nothing was touched.")


def _kind_of(snapshot: Snapshot, node: Node) -> tuple[str, str, int]:
    """What a node is, and how deep in the screen it lies."""
    return node.class_name, node.resource_id, sum(1 for _ in ancestors(snapshot.nodes, node))


def choose_segment(action: ActionContext, label: str, *, tapped: bool) -> Details:
    """Taps the one with that label, unless it is chosen already, and reads back that it is.
    ``tapped``: an earlier attempt did, and what the app makes of that may only be late."""
    segment, members, find = only_member(action, label)
    if is_chosen(segment):
        return {"mode": "none needed", "touches": 0, "option": segment.describe()}
    if tapped:
        still = f"{segment.describe()} on {action.phone} is still not the chosen one"
        wrong = f"{still} and was tapped before."
        raise StageFailed.on(action.target.snapshot, "SEMANTIC_MISMATCH", wrong, (segment,))
    snapshot, (segment, *_) = await_still(action.context, find, action.step.timeout)
    action.driver.tap(gesture_point(snapshot, segment))
    if any(map(is_chosen, members)):  # so that it is reported
        snapshot, segment, chosen = _watched(action, segment, lambda _, element: is_chosen(element))
        if not chosen:
            after = f"{action.step.timeout:g} s after a tap on it"
            wrong = f"{segment.describe()} is not the chosen one {after}."
            raise StageFailed.on(
                snapshot,
                "SEMANTIC_MISMATCH",
                wrong,
                (segment,),
                advice=("does the app refuse it?",),
            )
    return {"mode": "tap", "touches": 1, "option": segment.describe()}


def _watched(
    action: ActionContext, element: Element, holds: Callable[[Snapshot, Element], bool]
) -> tuple[Snapshot, Element, bool]:
    """The screen and the element on it, once that holds after a tap on it, or the time is over."""
    action.observer.invalidate()
    snapshot, expired = action.target.snapshot, action.timer()
    while True:
        snapshot = settle(action.context, snapshot).snapshot
        element = again(element, snapshot)
        held = holds(snapshot, element)
        if held or expired():
            return snapshot, element, held


def is_chosen(element: Element) -> bool:
    return bool(element.states.checked or element.states.selected)


_END = 0.93  # of a control's width: where a list opens by an arrow at the end


def select(label: str) -> Dispatch:
    """Chooses the option; where a role proved wrong, by what the control holds and not by what it
    is called."""

    def send(action: ActionContext) -> Details:
        raw = action.params.get("semantics") == "raw"
        element = action.target.element
        segmented = element.semantic_role == "segmented_control" or _is_one_of(action, label)
        if segmented or (raw and _holds(action, label)):
            return choose_segment(action, label, tapped=raw and segmented)
        return choose_option(action, label)

    return send


def _is_one_of(action: ActionContext, label: str) -> bool:
    """Whether the control is itself one of several to choose from, and opens nothing."""
    snapshot, element = action.target.snapshot, action.target.element
    if element.semantic_role == "radio":
        return True
    if element.value is not None or checked_of(snapshot, element) is None:
        return False
    node, members, _ = _group_of(snapshot, element)
    return any(fits_label(one, label) for one in members) or _goes_on_in(action, node) is not None


def choose_option(action: ActionContext, label: str) -> Details:
    """Opens the list with a tap, and taps the option in what that opened: what was there before is
    no option."""
    element, before = action.target.element, action.target.snapshot
    opener = gesture_point(before, element)
    if action.params.get("semantics") == "raw":  # its role proved wrong: its end, where arrows are
        left, _, right, _ = element.bounds
        seen = min(right, before.size[0] or right)
        opener = opener._replace(x=left + int((seen - left) * _END))
    action.driver.tap(opener)
    action.observer.invalidate()
    list_ = Opened(action, label)
    expired = action.timer()
    try:
        while True:
            list_.look(settle(action.context, before).snapshot)
            found = list_.found()
            if len(found) > 1:
                raise list_.several(found)
            if found:
                return list_.choose()
            if list_.swipes or expired():
                raise list_.no_option()
    except DeviceError:
        # to begin again is no way: the list that is open lies over its control
        action.sends.count_unsent()
        raise


def _holds(action: ActionContext, label: str) -> bool:
    snapshot, element = action.target.snapshot, action.target.element
    inside = snapshot.elements_in(element)
    held = any(found in inside for found in snapshot.match(Selector(text=label)))
    return held and members_of(snapshot, element) != [element]


def switch(action: ActionContext, to: bool, *, tapped: bool) -> Details:
    """``tapped``: an earlier attempt did, and a second tap might undo what the first one did
    late."""
    element, snapshot = action.target.element, action.target.snapshot
    now = checked_of(snapshot, element)
    if now is None:
        raise _mismatch(element, snapshot, "reports no state to read back. Nothing was touched")
    if now is to:
        return {"mode": "none needed", "touches": 0, "value": to}
    if (element.semantic_role == "radio" or element.states.checked is None) and not to:
        raise UsageError(
            f"adjust(to=False): {element.describe()} is a radio button: choose another of its group"
        )
    still = f"is still {'off' if to else 'on'}"
    if tapped:
        raise _mismatch(element, snapshot, f"{still} and was tapped before")
    action.driver.tap(gesture_point(snapshot, element))
    snapshot, element, held = _watched(action, element, lambda *now: checked_of(*now) is to)
    if not held:
        raise _mismatch(element, snapshot, f"{still} {action.step.timeout:g} s after a tap")
    return {"mode": "tap", "touches": 1, "value": to}


def _mismatch(element: Element, snapshot: Snapshot, why: str) -> StageFailed:
    wrong = f"{element.describe()}, which can be checked, {why}."
    asked = "did the app ask something first, or refuse it, or does another element take the tap?"
    return StageFailed.on(snapshot, "SEMANTIC_MISMATCH", wrong, (element,), advice=(asked,))
