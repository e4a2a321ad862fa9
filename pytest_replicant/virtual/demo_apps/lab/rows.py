"""Lists whose rows are not what they seem, or do not stay if they are."""

from __future__ import annotations

import random

from ...app_kit import Button, Card, Column, RecyclerList, Row, Text, Widget
from .exhibit import Exhibit, Parameter
from .looks import PILL, SIDE, line, result, result_over_list
from .state import Lab, witness

WOODS = ("Ash", "Birch", "Cherry", "Ebony", "Maple", "Oak", "Pine", "Walnut")


class LookAlikes(Exhibit):
    """Eight cards with the same name and the same "Buy" button, and the same ids. Only the wood
    differs.

    Stands for search results, baskets, contact lists: all that repeats one layout.

    A good test names the row by its special content (``row_with``, ``within``) and reads below the
    list which one was bought. It never counts buttons.
    """

    slug = "look-alikes"
    activity = ".LookAlikes"
    title = "Look-alike rows"
    summary = "Eight cards with the same name, button and ids"
    parameters = (
        Parameter(
            "seed", 0, 0, 999_999, "the order of the rows is drawn from it; 0 is the alphabet's"
        ),
        Parameter("twins", 0, 0, 8, "so many of the rows are the same to the last letter"),
    )
    bought: str = ""

    def content(self, app: Lab) -> Widget:
        woods = list(enumerate(WOODS))
        if self.settings["seed"]:
            random.Random(self.settings["seed"]).shuffle(woods)
        rows = [self.row(app, number, wood) for number, wood in woods]
        bought = result_over_list(self.bought)
        return Column(
            children=[RecyclerList(children=rows, id="chairs", weight=1), bought], height="fill"
        )

    def row(self, app: Lab, number: int, wood: str) -> Widget:
        shown = "Oak" if number < self.settings["twins"] else wood
        name = Text("Kitchen chair", id="name", bold=True)
        kind = Text(shown, id="wood", size=14, muted=True)
        spare = max(0, min((app.screen_dp[1] - 212) // 8 - 48, 34))  # all eight are on one screen
        return Card(
            children=[
                Column(children=[name, kind], weight=1),
                Button(
                    "Buy",
                    id="buy",
                    flat=True,
                    shape="button_tonal",
                    radius=PILL,
                    on_click=lambda: self.buy(app, shown, number),
                ),
            ],
            key=f"chair{number}",
            direction="row",
            align="center",
            margin=(12, spare * 5 // 34),
            padding=(16, spare * 12 // 34),
        )

    def buy(self, app: Lab, shown: str, number: int) -> None:
        self.bought = f"Bought the chair of {shown.lower()}"
        witness(app, f"bought chair {number} ({shown})")


class InsertingList(Exhibit):
    """A list of messages. New ones come in at the top while one looks, and everything below moves
    down.

    Stands for chats, feeds, log-in sessions, downloads: lists that somebody else fills.

    A good test taps the message it means, wherever that is by now, and reads which one was opened.
    A place kept from an earlier look opens another message.
    """

    slug = "inserting-list"
    activity = ".InsertingList"
    title = "List that inserts"
    summary = "New messages push the others down"
    parameters = (
        Parameter("every", 1000, 100, 10_000, "milliseconds between two messages"),
        Parameter("most", 20, 0, 200, "messages that come in, in all"),
    )
    first: int = 5
    opened_one: str = ""
    come: int = 0

    def opened(self, app: Lab) -> None:
        if self.settings["most"]:
            self.every(app, self.settings["every"], self.receive, times=self.settings["most"])

    def receive(self) -> None:
        self.come += 1

    def content(self, app: Lab) -> Widget:
        numbers = range(self.first + self.come, 0, -1)
        rows = [self.row(app, number) for number in numbers]
        shown = result_over_list(self.opened_one)
        return Column(
            children=[shown, RecyclerList(children=rows, id="messages", weight=1)], height="fill"
        )

    def row(self, app: Lab, number: int) -> Widget:
        row = line(f"Message {number}", "subject", f"message{number}")
        row.on_click = lambda: self.open_message(app, number)
        return row

    def open_message(self, app: Lab, number: int) -> None:
        self.opened_one = f"Opened message {number}"
        witness(app, f"opened message {number}")


class LayoutShift(Exhibit):
    """Two buttons, "Delete" above "Keep". After a moment a banner comes in at the top, and "Delete"
    is then where "Keep" was.

    Stands for adverts, cookie notes and update banners that load late.

    A good test presses what it means where that is at the moment of the touch, and so never
    deletes.
    """

    slug = "layout-shift"
    activity = ".LayoutShift"
    title = "Layout that shifts"
    summary = "A late banner moves one button onto the place of another"
    parameters = (Parameter("delay", 1500, 100, 10_000, "milliseconds until the banner is there"),)
    banner: bool = False
    pressed: str = ""

    def opened(self, app: Lab) -> None:
        self.later(app, self.settings["delay"], lambda: setattr(self, "banner", True))

    def content(self, app: Lab) -> Widget:
        # As high as a button with its margins, so that the one ends up exactly where the other was.
        banner = Row(
            children=[Text("Now with free delivery", id="banner", weight=1, foreground="#ffffff")],
            background="#2f5d50",
            radius=PILL,
            height=56,
            margin=(SIDE, 4),
            padding=(SIDE, 8),
            visible=self.banner,
        )
        return Column(
            children=[
                banner,
                self.button(app, "Delete", "delete"),
                self.button(app, "Keep", "keep"),
                Row(children=[result(self.pressed)], padding=(SIDE, 8)),
            ],
            height="fill",
        )

    def button(self, app: Lab, label: str, id: str) -> Widget:
        return Button(
            label,
            id=id,
            width="fill",
            height=56,
            margin=(SIDE, 4),
            radius=PILL,
            on_click=lambda: self.press(app, label),
        )

    def press(self, app: Lab, label: str) -> None:
        self.pressed = f"Pressed {label.lower()}"
        witness(app, self.pressed.lower())


class BareCards(Exhibit):
    """Four orders in cards without an id, each with the same "Cancel" button. "Arrived" removes the
    first; "Rename" calls the second by another name.

    Stands for screens of frameworks that give no ids.

    A good test names the card by its text (``row_with``). A ref of a button is its card's as long
    as that is known.
    """

    slug = "bare-cards"
    activity = ".BareCards"
    title = "Cards without ids"
    summary = "Four orders, and no id among them"
    arrived: bool = False
    renamed: bool = False
    cancelled: str = ""

    def content(self, app: Lab) -> Widget:
        names = ["Lamp", "Sofa for two" if self.renamed else "Sofa", "Table", "Vase"][
            self.arrived :
        ]
        actions = Row(
            children=[
                Button("Arrived", on_click=lambda: setattr(self, "arrived", True)),
                Button("Rename", on_click=lambda: setattr(self, "renamed", True)),
            ]
        )
        cards = [self.card(app, name) for name in names]
        return Column(
            children=[actions, *cards, result(self.cancelled)], height="fill", padding=(SIDE, 8)
        )

    def card(self, app: Lab, name: str) -> Widget:
        return Card(
            children=[
                Text(name, weight=1),
                Button("Cancel", on_click=lambda: self.cancel(app, name)),
            ],
            direction="row",
            align="center",
            margin=(0, 4),
            padding=(16, 4),
        )

    def cancel(self, app: Lab, name: str) -> None:
        self.cancelled = f"Cancelled {name.lower()}"
        witness(app, self.cancelled.lower())
