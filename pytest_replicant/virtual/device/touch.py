"""``Touch``: what a finger on the glass does."""

from __future__ import annotations

import math
from collections.abc import Callable

from ...model import Point
from ..app_kit.containers import Scroll
from ..app_kit.fields import EditText
from ..app_kit.recorded import View
from ..app_kit.sideways import HorizontalScroll
from ..app_kit.widget import Widget
from ..designs.system_nodes import Pressed
from ..ui import MODAL, UiNode, Window
from .display import Display
from .panes import Pane
from .tasks import Tasks

TOUCH_SLOP_DP = 8  # a finger that moves less than this has not moved
LONG_PRESS_MS = 500
# Seconds between the first tap's up and the second one's down: AOSP's ViewConfiguration
# (getDoubleTapMinTime, getDoubleTapTimeout), and about that of UITapGestureRecognizer.
DOUBLE_TAP = {"android": (0.04, 0.3), "ios": (0.0, 0.35)}
DOUBLE_TAP_SLOP_DP = 100
EDGE_DP = 20
FAR_FROM_EDGE_DP = 100


class Touch:
    """``press`` is called for keys of the navigation bar and the keyboard that are tapped."""

    def __init__(
        self,
        tasks: Tasks,
        display: Display,
        press: Callable[[Pressed], object],
        between: tuple[float, float],
    ) -> None:
        self._tasks = tasks
        self._display = display
        self._press = press
        self._between = (
            between  # what two taps of a double tap have between them: at least, at most
        )
        self._tapped: tuple[float, Point] | None = (
            None  # when the finger of the last tap came up, and where
        )

    def tap(self, x: int, y: int, down: float, up: float) -> None:
        """``down`` and ``up`` are seconds on the phone's clock, to know a double tap by."""
        point, slop = Point(x, y), self._display.metrics.px(DOUBLE_TAP_SLOP_DP)
        last, (least, most) = self._tapped, self._between
        again = (
            last is not None
            and least <= down - last[0] <= most
            and math.dist(point, last[1]) <= slop
        )
        self._tapped = None if again else (up, point)
        self._touch(point, _second_tap if again else _tap)

    def long_press(self, x: int, y: int, ms: int) -> None:
        self._tapped = None
        self._touch(Point(x, y), _long_press if ms >= LONG_PRESS_MS else _tap)

    def swipe(self, start: Point, end: Point, ms: int) -> None:
        """A finger that stays where it is presses; one that moves drags what can be dragged, else
        scrolls."""
        slop = self._display.metrics.px(TOUCH_SLOP_DP)
        if max(abs(end.x - start.x), abs(end.y - start.y)) < slop:
            self.long_press(start.x, start.y, ms)
            return
        self._tapped = None
        window = self._window_at(start)
        pane = self._pane_of(window)
        if window is None or pane is None or pane.put_off(lambda: self.swipe(start, end, ms)):
            return
        chain = chain_at(window.root, start)
        held = touchable_in(chain)
        if self._leads_back(pane, start, end):
            pane.act(pane.go_back)
        elif held is not None and isinstance(held.owner, Widget) and held.owner.draggable:
            if held.enabled:
                pane.act(held.owner.dragged, pane, held, end)
        elif abs(end.y - start.y) >= abs(end.x - start.x):
            pane.act(scroll, pane, chain, start.y - end.y)
        else:
            pane.act(scroll_across, pane, chain, start.x - end.x)
        self._tasks.changed()

    def _leads_back(self, pane: Pane, start: Point, end: Point) -> bool:
        """Whether a finger that comes in from the left edge closes the screen, where the platform
        has that."""
        edge, far = (self._display.metrics.px(dp) for dp in (EDGE_DP, FAR_FROM_EDGE_DP))
        along = end.x - start.x
        from_edge = start.x <= edge and along >= far and along > abs(end.y - start.y)
        screen = pane.overlay is None and pane.dialog is None and len(pane.app.entries) > 1
        return self._tasks.design.edge_leads_back and from_edge and screen

    def drag(self, start: Point, end: Point, ms: int) -> None:
        """A finger that holds first picks up what can be dropped elsewhere; all else is swiped."""
        window = self._window_at(start)
        pane = self._pane_of(window)
        held = touchable_in(chain_at(window.root, start)) if window else None
        drop = held.owner.on_drop if held is not None and isinstance(held.owner, Widget) else None
        if window is None or pane is None or drop is None:
            self.swipe(start, end, ms)
            return
        if pane.put_off(lambda: self.drag(start, end, ms)):
            return
        under = [
            node.owner for node in chain_at(window.root, end) if isinstance(node.owner, Widget)
        ]
        target = next(
            (widget for widget in reversed(under) if widget.key or widget.id or widget.raw_id), None
        )
        if target is not None:
            pane.act(drop, target.name)

    def pinch(self, starts: tuple[Point, Point], ends: tuple[Point, Point]) -> None:
        """Two fingers, for the innermost widget under both that knows what to do with them."""
        window = self._window_at(starts[0])
        pane = self._pane_of(window)
        if window is None or pane is None or self._window_at(starts[1]) is not window:
            return
        if pane.put_off(lambda: self.pinch(starts, ends)):
            return
        chain = [
            node for node in chain_at(window.root, starts[0]) if node.bounds.contains(starts[1])
        ]
        owners = (node.owner for node in reversed(chain) if isinstance(node.owner, Widget))
        held = next(
            (owner for owner in owners if owner.on_pinch is not None and owner.enabled), None
        )
        if held is not None and held.on_pinch is not None:
            pane.act(held.on_pinch, _apart(ends) / max(_apart(starts), 1.0))

    def _touch(self, point: Point, act: Callable[[Pane, UiNode, Point], object]) -> None:
        window = self._window_at(point)
        if window is None:
            return
        pane = self._pane_of(window)
        chain = chain_at(window.root, point)
        if pane is None:
            presses = [node.owner for node in chain if isinstance(node.owner, Pressed)]
            if presses:
                self._press(presses[-1])
            return
        if pane.put_off(lambda: self._touch(point, act)):
            return
        node = touchable_in(chain)
        if not chain:
            pane.act(pane.cancel)
        elif node is not None and node.enabled:
            pane.act(act, pane, node, point)

    def _window_at(self, point: Point) -> Window | None:
        """The window that gets the touch. A toast lets it through, a modal window keeps it even
        outside its own rectangle."""
        for window in reversed(self._display.windows()):
            if window.kind != "toast" and (
                window.kind in MODAL or window.root.bounds.contains(point)
            ):
                return window
        return None

    def _pane_of(self, window: Window | None) -> Pane | None:
        return next((pane for pane in self._display.panes if pane.window is window), None)


def chain_at(node: UiNode, point: Point) -> list[UiNode]:
    """The nodes under a point, outermost first. A later sibling gets it where it has something to
    touch; otherwise the node drawn last."""
    if not node.bounds.contains(point):
        return []
    chains = []
    for child in reversed(node.children):
        if not (isinstance(child.owner, Widget) and child.owner.lets_touches_through):
            chain = chain_at(child, point)
            if chain:
                chains.append([node, *chain])
    touched = (chain for chain in chains if touchable_in(chain[1:]) is not None)
    return next(touched, chains[0] if chains else [node])


def touchable_in(chain: list[UiNode]) -> UiNode | None:
    """The innermost node that takes touches."""
    nodes = (
        node for node in reversed(chain) if isinstance(node.owner, Widget) and node.owner.touchable
    )
    return next(nodes, None)


def scroll(pane: Pane, chain: list[UiNode], delta: int) -> None:
    """Scrolls the innermost list by ``delta`` pixels, and the list around it by the rest."""
    for node in reversed(chain):
        if isinstance(node.owner, Scroll):
            delta = node.owner.scrolled(pane, delta)


def scroll_across(pane: Pane, chain: list[UiNode], delta: int) -> None:
    """As ``scroll``, to the side."""
    for node in reversed(chain):
        if isinstance(node.owner, (HorizontalScroll, View)) and delta:
            delta = node.owner.swiped(pane, node, delta)


def _apart(fingers: tuple[Point, Point]) -> float:
    first, second = fingers
    return math.dist((first.x, first.y), (second.x, second.y))


def _tap(pane: Pane, node: UiNode, point: Point) -> None:
    assert isinstance(node.owner, Widget)
    node.owner.tapped(pane, node, point)


def _second_tap(pane: Pane, node: UiNode, point: Point) -> None:
    assert isinstance(node.owner, Widget)
    if node.owner.on_double_click is not None:
        node.owner.on_double_click()
    elif isinstance(node.owner, EditText):
        node.owner.double_tapped(pane, node, point)
    else:
        _tap(pane, node, point)


def _long_press(pane: Pane, node: UiNode, point: Point) -> None:
    """If no widget waits for a long press, lifting the finger is a tap."""
    assert isinstance(node.owner, Widget)
    if node.owner.on_long_click is not None:
        node.owner.on_long_click()
    elif isinstance(node.owner, EditText):
        pane.focus(node.owner.path)
    else:
        node.owner.tapped(pane, node, point)
