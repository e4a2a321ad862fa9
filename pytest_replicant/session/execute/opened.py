"""What a tap on a control brought up to choose from: its options, in sight and out of it, and how it is closed."""

from __future__ import annotations

from collections.abc import Iterable

from ...model import Advice, Element, Explanation, Selector, ancestors, quoted
from ...snapshots import DISMISSES, Snapshot, first_alike, same_text
from ..actionability import await_still
from ..arguments import inside
from ..element_state import elements_in
from ..reachability import gesture_point
from ..settings import GESTURE_FRESH_FOR
from ..stabilize.reads import settle
from ..step import ActionContext, Details, StageFailed, failure_on
from .collecting import SLACK, Collecting
from .scrollers import OPPOSITE, Direction, Way, goes_sideways, largest, located, scroller_around, viewport
from .scrolling import Seek, sweep

MOST_SWIPES = 200  # each way, through a list that is longer than its visible part


class Opened:
    """What a tap brought up, and all that was seen of it. What was there before is no option, and neither is what
    another app, or the system, says."""

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
        self.new = [one for one in snapshot.elements if self._is_new(one) and one.resource_id != DISMISSES]
        self.offered.update(dict.fromkeys(element.label for element in self.new if element.label))

    def found(self) -> list[Element]:
        """The options with that label: of lists that scroll, all from the beginning to the end, as another one may
        be out of sight. A single one is in sight then. Raises ``StageFailed`` where the end is not known."""
        boxes = self._boxes()
        pages = [] if boxes else self._page()
        if not (boxes or pages):
            return self._found()
        shown = {one.identity for box in (*boxes, *pages) for one in elements_in(self.snapshot, box.node)}
        found = [one for one in self._found() if one.identity not in shown]
        home: tuple[Element, Direction] | None = None
        for box in (*boxes, *pages):
            onward: Direction = "right" if goes_sideways(self.snapshot, box) else "down"
            here = self._through(box, onward, from_start=box in boxes)
            home = (box, OPPOSITE[onward]) if here else home
            found += here
        if len(found) == 1 and home is not None:
            box, back = home
            wanted = inside(box, self._selector)
            self.swipes += Seek(wanted, Way(box, back, MOST_SWIPES)).send(self._action)["swipes"]
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
            if not found or first.traits.differ_on_top(now.traits):
                wrong = f'the list with "{self._label}" has gone, or something has come over it. None was chosen.'
                raise StageFailed.on(now, "ELEMENT_NOT_FOUND", wrong)
            return found

        action = self._action
        snapshot, (option,) = await_still(action.context, only, action.step.timeout)
        action.driver.tap(gesture_point(snapshot, option))
        return {"mode": "list", "option": option.describe(), "swipes": self.swipes}

    def several(self, found: list[Element]) -> StageFailed:
        wrong = (
            f"{self._action.target.element.describe()} on {self._action.phone} opened a list with {len(found)} "
            f'options "{self._label}". None was chosen.'
        )
        return StageFailed.on(self.snapshot, "AMBIGUOUS_TARGET", wrong, found, target=self._selector)

    def no_option(self) -> StageFailed:
        """Nothing opened; or closes what did, where that is a window of its own, and names what it offered."""
        element = self._action.target.element
        control = f"{element.describe()} on {self._action.phone}"
        if not self.offered and not self.new:
            wrong = f"{control} opened no list: a tap on it brought nothing new up."
            failure = failure_on(self.snapshot, "SEMANTIC_MISMATCH", wrong, (element,))
            return StageFailed(failure.explained(self._shown_already()), self.snapshot)
        self._close()
        named = offered(self._label, self.offered) or "nothing with a label"
        wrong = f'{control} opened no list with one "{self._label}"; new on the screen: {named}'
        return StageFailed.on(self.snapshot, "ELEMENT_NOT_FOUND", wrong, self.new, target=self._selector)

    def _shown_already(self) -> Explanation:
        """The advice where nothing opened: an option may have been on the screen all the time."""
        there = self.snapshot.every(self._selector)
        if len(there) == 1 and there[0].semantic_role in ("radio", "tab", "checkbox"):
            tap = Advice(f"tap({self._selector.describe()})", rest=", if it is the option")
            return Explanation((f"On the screen already: {there[0].describe()}.",), (tap,))
        return Explanation(
            advice=("is it the control that opens the list? adjust sets what has its options in itself",)
        )

    # --- what opened ------------------------------------------------------------------------------------------

    def _is_new(self, element: Element) -> bool:
        app = element.package or self.snapshot.app
        return element.identity not in self._known and (app == self._app or not (app and self._app))

    def _found(self) -> list[Element]:
        return [element for element in self.snapshot.match(self._selector) if self._is_new(element)]

    def _boxes(self) -> list[Element]:
        """The lists that are new and scroll; of one within another, the one that shows the options."""
        nodes = self.snapshot.nodes
        scrolling = {one.index: one for one in self.new if one.states.scrollable}
        boxes = []
        for index, one in scrolling.items():
            if not any(above.index in scrolling for above in ancestors(nodes, one.node)):
                inner = [each for each in elements_in(self.snapshot, one.node) if each.index in scrolling]
                boxes.append(largest(self.snapshot, [scrolling[index], *inner], "down") or one)
        return boxes

    def _page(self) -> list[Element]:
        """The page's own scroller, where the options opened in it and may go on below what shows of it."""
        control = located(self.snapshot, self._action.target.element)
        box = scroller_around(self.snapshot, control.node, "down") if control is not None else None
        if box is None:
            return []
        content = elements_in(self.snapshot, box.node)
        end = max((one.bounds.bottom for one in content if self._is_new(one)), default=0)
        ends = any(one.identity in self._known and one.bounds.top >= end for one in content)
        return [] if ends or end < viewport(self.snapshot, box).bottom - SLACK else [box]

    def _through(self, box: Element, onward: Direction, *, from_start: bool) -> list[Element]:
        """The options with that label in one list, from its start, or from what shows of it, to its end."""
        if from_start:
            self._sweep_to_start(box, OPPOSITE[onward])
        every = Collecting(Selector(text_matches=r"\S"), Way(box, onward, MOST_SWIPES))
        self.swipes += every.send(self._action)["swipes"]
        new = [one for one in every.found if one.identity not in self._known]
        self.offered.update(dict.fromkeys(element.label for element in new))
        return [one for one in new if fits_label(one, self._label)]

    def _sweep_to_start(self, box: Element, back: Direction) -> None:
        for _ in range(MOST_SWIPES):
            swept = sweep(self._action, self.snapshot, located(self.snapshot, box) or box, back)
            self.swipes += swept.swipes
            self.look(swept.snapshot)
            if not swept.moved:
                return

    # --- closing it -------------------------------------------------------------------------------------------

    def _close(self) -> None:
        """Closes only a window of its own, which a read of this moment still shows: by the back key, or where that
        leaves the screen by a touch outside."""
        action, opened = self._action, self.snapshot
        reading = action.observer.read()
        self.look(reading.snapshot)
        if opened.traits.differ_on_top(self.snapshot.traits):
            return
        if not action.context.driver.traits.back_closes:
            outside = self.snapshot.match(Selector(resource_id=DISMISSES))
            if len(outside) == 1:
                action.driver.tap(gesture_point(self.snapshot, outside[0]))
        elif self._is_apart() and self._shows(reading.requested_at):
            action.driver.press_key("back")
        action.observer.invalidate()

    def _shows(self, asked_at: float) -> bool:
        """Whether it is still there by now. The phone is asked for one of its texts, which takes less time than a
        whole screen; one that cannot be asked is believed where that screen was asked for just now."""
        context = self._action.context
        before = {node.text for node in self._action.target.snapshot.nodes}
        own = [one.node.text for one in self.new if one.node.text and one.node.text not in before]
        shown = context.observer.shows_now(own[0]) if own else None
        return context.clock.now() - asked_at <= GESTURE_FRESH_FOR if shown is None else shown

    def _is_apart(self) -> bool:
        """Whether it is a window of its own: a dialog, or one in which nothing was before."""
        if not self.new:
            return False
        if self.snapshot.dialog is not None and self._action.target.snapshot.dialog is None:
            return True
        known = {one.window for one in self.snapshot.elements if one.identity in self._known}
        return bool(known) and any(one.window not in known for one in self.new)


def fits_label(element: Element, label: str) -> bool:
    return any(same_text(label, text) for text in (element.label, *element.folded))


def offered(wanted: str, labels: Iterable[str]) -> str:
    """What there is to choose from, for a message, and what of it only looks like the wanted one."""
    names = [label for label in labels if label]
    alike = first_alike(wanted, names)
    return "   ".join(map(quoted, names)) + (f" ({quoted(alike[0])}: {alike[1]})" if alike else "")
