"""Lists and menus to choose from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ....model import Point, Rect
from ...app_kit import IconButton, Row, Spinner, Switch, Text, Widget
from ...app_kit.running import Choices
from ...app_kit.widget import Surface
from ...ui import UiNode
from .exhibit import Exhibit, Parameter
from .looks import heading, page, result
from .state import Lab, witness

SIZES = ("Small", "Medium", "Large", "Extra large")
SPANS = ("Day", "Week", "Month")
ORDERS = ("Newest first", "Oldest first", "By name")
MENU_DP = 220


class Dropdown(Exhibit):
    """A field that opens a list of choices in a window of its own.

    Stands for Android's spinner.

    A good test chooses by the choice's words, and reads the field again once the list is closed.
    """

    slug = "dropdown"
    activity = ".Dropdown"
    title = "Dropdown"
    summary = "Its choices are in another window"
    chosen: int = 0

    def content(self, app: Lab) -> Widget:
        field = Spinner(list(SIZES), id="size", description="Size", chosen=self.chosen, height=56)
        field.on_change = lambda index: self.choose(app, index)
        return page(
            Text("Size", margin=(0, 16, 0, 4)), field, result(f"A {SIZES[self.chosen].lower()} one")
        )

    def choose(self, app: Lab, index: int) -> None:
        self.chosen = index
        witness(app, f"size {SIZES[index]}")


class Segments(Exhibit):
    """Three texts side by side; which one is chosen is in the "selected" attribute, and in the
    colour.

    Stands for segmented controls, tabs, filter chips.

    A good test checks "selected" and not "checked", which these never have.
    """

    slug = "segments"
    activity = ".Segments"
    title = "Segmented control"
    summary = "One of three is selected, none is checkable"
    chosen: int = 1

    def content(self, app: Lab) -> Widget:
        row = Row(
            children=[self.segment(app, index) for index in range(len(SPANS))],
            id="span",
            description="Span",
            margin=(0, 16),
        )
        return page(row, result(f"By the {SPANS[self.chosen].lower()}"))

    def segment(self, app: Lab, index: int) -> Widget:
        return Text(
            SPANS[index],
            id=SPANS[index].lower(),
            shape="chip",
            align="center",
            height=48,
            weight=1,
            margin=(4, 0),
            padding=(8, 12),
            selected=index == self.chosen,
            on_click=lambda: self.choose(app, index),
        )

    def choose(self, app: Lab, index: int) -> None:
        self.chosen = index
        witness(app, f"span {SPANS[index]}")


class FlipBack(Exhibit):
    """A switch that goes on when it is tapped, and a second later off again, because the server
    said no.

    Stands for settings that are shown at once and refused later.

    A good test checks that the switch *stays* on. A single look right after the tap sees a success
    that is none.
    """

    slug = "flip-back"
    activity = ".FlipBack"
    title = "Switch that flips back"
    summary = "On for a second, then off again"
    parameters = (Parameter("delay", 1000, 50, 10_000, "milliseconds until it flips back"),)
    on: bool = False
    switched: int = 0

    def content(self, app: Lab) -> Widget:
        switch = Switch("Push messages", id="push", checked=self.on, width="fill", margin=(0, 16))
        switch.on_change = lambda on: self.switch(app, on)
        return page(switch, result(f"Switched {self.switched} times"))

    def switch(self, app: Lab, on: bool) -> None:
        self.on = on
        self.switched += 1
        number = self.switched
        witness(app, f"switched {'on' if on else 'off'}")
        if on:
            self.later(app, self.settings["delay"], lambda: self.refuse(app, number))

    def refuse(self, app: Lab, number: int) -> None:
        if self.on and number == self.switched:
            self.on = False
            app.log("the server refused push messages", level="W")


@dataclass(kw_only=True, eq=False)
class MenuButton(IconButton):
    """Opens a list of choices below itself, then calls ``on_click``."""

    options: Sequence[str] = ()
    icon: str = "more"

    def tapped(self, surface: Surface, node: UiNode, point: Point) -> None:
        frame = node.frame
        place = Rect(
            frame.right - surface.metrics.px(MENU_DP), frame.top, frame.right, frame.bottom
        )
        surface.show_choices(place, self.options, -1, self.choose)
        IconButton.tapped(self, surface, node, point)

    def choose(self, index: int) -> None:
        """Nothing, unless a kind of menu does."""


@dataclass(kw_only=True, eq=False)
class _OrderMenu(MenuButton):
    exhibit: ClosingMenu
    app: Lab

    def choose(self, index: int) -> None:
        self.exhibit.choose(self.app, index)


class ClosingMenu(Exhibit):
    """The menu at the top right closes by itself after a while, whether something was chosen or
    not.

    Stands for menus that a refresh, a timer or an incoming message takes away.

    A good test opens it again when it is gone, within its limit, and never taps where an entry was:
    something else is there by now.
    """

    slug = "closing-menu"
    activity = ".ClosingMenu"
    title = "Menu that closes"
    summary = "Gone after a moment, chosen or not"
    parameters = (Parameter("lasts", 1500, 100, 60_000, "milliseconds that the menu stays open"),)
    order: str = ""
    closed: int = 0

    def actions(self, app: Lab) -> Sequence[Widget]:
        menu = _OrderMenu(
            id="more", description="More options", options=ORDERS, exhibit=self, app=app
        )
        menu.on_click = lambda: self.later(app, self.settings["lasts"], lambda: self.close(app))
        return [menu]

    def content(self, app: Lab) -> Widget:
        return page(
            heading("The menu is at the top right"),
            result(self.order),
            Text(f"Closed by itself {self.closed} times", id="closed", muted=True),
        )

    def close(self, app: Lab) -> None:
        overlays = app.entry.overlays
        if app.screen is self and overlays and isinstance(overlays[-1].content, Choices):
            app.dismiss()
            self.closed += 1

    def choose(self, app: Lab, index: int) -> None:
        self.order = ORDERS[index]
        witness(app, f"order {ORDERS[index]}")
