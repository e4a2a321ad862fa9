"""Apps of recorded screens: each node lies where it was recorded, and taps lead where they led
then. If nothing was recorded, nothing happens, and the log says so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from ...model import Point, Rect
from ..recording import RecordedNode, RecordedScreen
from ..ui import UiNode
from .app import App
from .containers import RecyclerList
from .fields import EditText
from .running import RunningApp
from .screen import Screen
from .widget import Sizing, Surface, Widget

TAG = "Recorded"
_EDGE = 60  # pixels; a back button is at the left
_BACK_BUTTON = "BackButton"  # the identifier of UIKit's own
Running = RunningApp[None]


@dataclass(kw_only=True, eq=False)
class View(RecyclerList):
    """A view as it was recorded."""

    node: RecordedNode
    page: RecordedPage
    app: Running

    @property
    def touchable(self) -> bool:
        return self.node.parent < 0 or "clickable" in self.node.states

    def tapped(self, surface: Surface, node: UiNode, point: Point) -> None:
        self.page.tapped(self.app, self.node, point)

    def scrolled(self, surface: Surface, delta: int) -> int:
        return self.page.swiped(self.app, 0, delta)

    def swiped(self, surface: Surface, node: UiNode, delta: int) -> int:
        return self.page.swiped(self.app, delta, 0)


@dataclass(kw_only=True, eq=False)
class Field(EditText):
    """A recorded field, which can be typed in."""

    node: RecordedNode
    page: RecordedPage
    app: Running
    children: list[Widget] = field(default_factory=list)
    enter: str = ""

    @property
    def password(self) -> bool:
        return "password" in self.node.states or self.node.kind == "SecureTextField"

    def parts(self) -> Sequence[Widget]:
        return self.children

    def content(self, surface_texts: dict[str, str]) -> str:
        return surface_texts.get(self.path, typed_in(self.node))

    def tapped(self, surface: Surface, node: UiNode, point: Point) -> None:
        if self.page.leads(self.app, self.node, point):
            return
        EditText.tapped(self, surface, node, point)
        self.page.focused(self.app, self.node)


def typed_in(node: RecordedNode) -> str:
    """The text of a field, which shows its hint while it is empty."""
    shown = (node.text if node.frame is None else node.value) or ""
    return "" if shown == node.hint else shown


Recorded = View | Field


def placed(widget: Recorded, sizing: Sizing, across: float = 1, down: float = 1) -> UiNode:
    """The node of a recorded widget and those in it, where they were, or ``across`` and ``down``
    times as far."""
    seen = widget.node if across == down == 1 else _stretched(widget.node, across, down)
    node = UiNode(
        class_name=seen.kind,
        package=seen.package or sizing.package,
        bounds=seen.bounds if seen.frame is None or "hidden" not in seen.states else _NOWHERE,
        frame=seen.bounds,
        resource_id=seen.id,
        text=seen.text or "",
        description=seen.description,
        hint=seen.hint or "",
        owner=widget,
        recorded=seen,
        enabled="disabled" not in seen.states,
    )
    for state in (
        "checkable",
        "checked",
        "clickable",
        "focusable",
        "focused",
        "password",
        "scrollable",
        "selected",
    ):
        setattr(node, state, state in seen.states)
    node.long_clickable = "long-clickable" in seen.states
    node.look.shape = _shape(seen, node)
    node.look.text_size = min(max(seen.bounds.height // 2, 1), sizing.metrics.px(16))
    if isinstance(widget, Field):
        node.text, node.editable = widget.shown(sizing), True
        node.focused = widget.enabled and sizing.view_state.focus == widget.path
    parts = (part for part in widget.parts() if isinstance(part, (View, Field)))
    node.children = [placed(part, sizing, across, down) for part in parts]
    return node


def _stretched(seen: RecordedNode, across: float, down: float) -> RecordedNode:
    left, top, right, bottom = seen.bounds
    bounds = Rect(
        round(left * across), round(top * down), round(right * across), round(bottom * down)
    )
    if seen.frame is None:
        return replace(seen, bounds=bounds)
    x, y, width, height = seen.frame
    return replace(seen, bounds=bounds, frame=(x * across, y * down, width * across, height * down))


_NOWHERE = Rect(0, 0, 0, 0)


def _shape(seen: RecordedNode, node: UiNode) -> str:
    if seen.takes_text:
        return "field"
    return "text" if node.text and node.class_name != "Application" else ""


class RecordedPage(Screen[None]):
    """A screen, and the ways from it that were recorded."""

    def __init__(self, seen: RecordedScreen, all_seen: Sequence[RecordedScreen]) -> None:
        self.activity = seen.activity
        self.seen = seen
        self._all = all_seen

    def opened(self, app: Running) -> None:
        for number, window in enumerate(self.seen.windows):
            for place, node in enumerate(window):
                if node.takes_text and "focused" in node.states:
                    app.focus(f"{number}.{place}", keyboard=self.seen.keyboard)

    def roots(self, app: Running) -> list[Recorded]:
        """Of each window, from the bottom up."""
        return [self._built(app, number, nodes) for number, nodes in enumerate(self.seen.windows)]

    def _built(self, app: Running, window: int, nodes: Sequence[RecordedNode]) -> Recorded:
        made: list[Recorded] = []
        below: list[list[Widget]] = [[] for _ in nodes]
        for place, node in enumerate(nodes):
            inside, key, on = below[place], f"{window}.{place}", "disabled" not in node.states
            widget: Recorded
            if node.takes_text:
                widget = Field(key=key, node=node, page=self, app=app, children=inside, enabled=on)
                widget.hint, widget.input = (
                    node.hint or "",
                    "password" if widget.password else "text",
                )
                widget.enter = self.seen.enter
                widget.on_change = partial(self.typed, app, node)
            else:
                widget = View(inside, key=key, node=node, page=self, app=app, enabled=on)
            made.append(widget)
            if node.parent >= 0:
                below[node.parent].append(widget)
        return made[0]

    # --- the ways ---------------------------------------------------------------------------------
    def _ways(self, *means: str) -> list[RecordedScreen]:
        return [each for each in self._all if each.source == self.seen.name and each.means in means]

    def tapped(self, app: Running, node: RecordedNode, point: Point) -> None:
        if self.leads(app, node, point):
            return
        if self._is_back_button(node):
            if not self.back(app):
                app.back()
            return
        app.log(
            f"a tap at {point.x},{point.y} of {self.seen.name} was never recorded: nothing happens",
            tag=TAG,
        )

    def _is_back_button(self, node: RecordedNode) -> bool:
        """On an iPhone, by UIKit's own identifier, which old versions have not: the first one of
        its bar there."""
        if node.frame is None or node.kind != "Button" or node.id == _BACK_BUTTON:
            return node.frame is not None and node.id == _BACK_BUTTON
        window = next(window for window in self.seen.windows if node in window)
        beside = [each for each in window if each.parent == node.parent]
        return (
            window[node.parent].kind == "NavigationBar"
            and beside[0] is node
            and node.bounds.left <= _EDGE
        )

    def focused(self, app: Running, node: RecordedNode) -> None:
        """A field was given the keyboard: the screen may have been seen like that, reached in
        another way."""
        for way in self._all:
            fields = [each for window in way.windows for each in window if each.takes_text]
            same = [
                each
                for each in fields
                if "focused" in each.states and _marks_of_field(each) == _marks_of_field(node)
            ]
            if (
                way.keyboard
                and not self.seen.keyboard
                and same
                and (way.app, way.activity) == (app.package, self.activity)
            ):
                app.replace(RecordedPage(way, self._all))
                return

    def leads(self, app: Running, node: RecordedNode, point: Point) -> bool:
        """Whether a tap there was recorded, which then leads where it led."""
        taps = [each for each in self._ways("tap", "hand", "back", "launch") if each.at is not None]
        same = [each for each in taps if each.at == node.bounds]
        around = sorted((each for each in taps if each.at and each.at.contains(point)), key=_size)
        for way in (same or around)[:1]:
            self._go(app, way)
        return bool(same or around)

    def back(self, app: Running) -> bool:
        for way in self._ways("back")[:1]:
            self._go(app, way)
            return True
        return False

    def typed(self, app: Running, node: RecordedNode, text: str) -> None:
        """What was typed may be what led to another screen, or its undoing."""
        before = [
            each
            for each in self._all
            if self.seen.means == "type" and each.name == self.seen.source
        ]
        for way in (*self._ways("type"), *before):
            fields = (each for window in way.windows for each in window if each.takes_text)
            if any(each.id == node.id and typed_in(each) == text for each in fields):
                app.replace(RecordedPage(way, self._all))
                return

    def swiped(self, app: Running, across: int, down: int) -> int:
        """A finger went so many pixels to the left, or up; returns the rest, which is none."""
        if not (across or down):
            return 0
        on = [(each, scrolled(self.seen, each)) for each in self._ways("scroll")]
        here = [
            each
            for each in self._all
            if self.seen.means == "scroll" and each.name == self.seen.source
        ]
        for way, (dx, dy) in on + [(each, scrolled(self.seen, each)) for each in here]:
            if dx * across + dy * down > 0:
                app.replace(RecordedPage(way, self._all))
                return 0
        app.log(
            f"a swipe that way on {self.seen.name} was never recorded: nothing happens", tag=TAG
        )
        return 0

    def _go(self, app: Running, way: RecordedScreen) -> None:
        if way.app != app.package:
            app.host.start_app(way.app, _key(way))
            return
        for entry in app.entries:
            if isinstance(entry.screen, RecordedPage) and entry.screen.seen.windows == way.windows:
                app.back_to(entry)
                return
        app.go(RecordedPage(way, self._all))


def _marks_of_field(node: RecordedNode) -> tuple[str | None, ...]:
    return node.kind, node.id, node.hint, typed_in(node)


def _size(way: RecordedScreen) -> int:
    return way.at.area if way.at else 0


def scrolled(before: RecordedScreen, after: RecordedScreen) -> tuple[int, int]:
    """Which way content went from one screen to the next, by the views of both: pixels to the left,
    and up. Down the page if no view is on both."""
    places = [
        {_marks(node): node.bounds for window in one.windows for node in window}
        for one in (before, after)
    ]
    both = [
        (places[0][name], places[1][name])
        for name in places[0].keys() & places[1].keys()
        if any(name[1:])
    ]
    across = sum(first.left - then.left for first, then in both)
    down = sum(first.top - then.top for first, then in both)
    return (across, down) if across or down else (0, 1)


def _marks(node: RecordedNode) -> tuple[str, str, str]:
    return node.kind, node.text or "", node.description


def recorded_apps(screens: Sequence[RecordedScreen]) -> list[App[Any]]:
    """An app for each package that has recorded screens."""
    return [_app(package, screens) for package in dict.fromkeys(each.app for each in screens)]


def _app(package: str, screens: Sequence[RecordedScreen]) -> App[Any]:
    own = [each for each in screens if each.app == package]
    first = next((each for each in own if each.means in ("launch", "intent")), own[0])
    by_activity = {each.activity: each for each in reversed([first, *own]) if each.activity}
    made = {**by_activity, **{_key(each): each for each in own}}
    keys = {each.name: next(key for key, one in made.items() if one is each) for each in own}
    intents = [each for each in own if each.intent]
    return App(
        package=package,
        label=next(
            (each.label for each in own if each.label), package.rpartition(".")[2].capitalize()
        ),
        state=lambda stored: None,
        start=lambda: RecordedPage(first, screens),
        screens={key: partial(RecordedPage, each, screens) for key, each in made.items()},
        answers={each.intent: keys[each.name] for each in reversed(intents)},
        system=package.startswith(("com.android.", "com.apple.")),
        single_task=any(each.means == "intent" for each in own),
    )


def _key(screen: RecordedScreen) -> str:
    """An activity's name that is the screen's alone."""
    return f"{screen.activity}#{screen.name}"
