"""What does not stand still."""

from __future__ import annotations

import math

from ...app_kit import (
    Button,
    Card,
    EditText,
    IconButton,
    Image,
    Pager,
    Progress,
    Row,
    Space,
    Stack,
    Text,
    Widget,
)
from .exhibit import Exhibit, Parameter
from .looks import PILL, THEME, filled, page, result
from .state import Lab, witness

OFFERS = ("Mug", "Teapot", "Lamp", "Clock", "Chair")
FRAME_MS = 16
ROUND_FRAMES = 96
RADII_DP = (96, 60)


class MovingButton(Exhibit):
    """A button that circles before it comes to rest; or never does.

    Stands for screens that slide in, bouncing calls to action, keyboards that push a form up.

    A good test taps once two looks in a row find the button in one place. Of a button that never
    rests it says that it keeps moving, and does not just tap.
    """

    slug = "moving-button"
    activity = ".MovingButton"
    title = "Moving button"
    summary = "Circles, for a while or for ever"
    parameters = (Parameter("lasts", 3000, 0, 60_000, "milliseconds that it moves; 0 is for ever"),)
    frame: int = 0
    taps: int = 0

    def opened(self, app: Lab) -> None:
        lasts = self.settings["lasts"]
        self.every(app, FRAME_MS, self.move, times=max(lasts // FRAME_MS, 1) if lasts else 0)

    def move(self) -> None:
        self.frame += 1

    @property
    def place(self) -> tuple[int, int]:
        """dp from the left and the top, on an ellipse: on no two frames of a round the same."""
        turn = 2 * math.pi * self.frame / ROUND_FRAMES
        wide, high = RADII_DP
        return round(wide - wide * math.cos(turn)), round(high - high * math.sin(turn))

    def content(self, app: Lab) -> Widget:
        button = Button(
            "Catch me", id="catch", radius=PILL, width=140, on_click=lambda: self.caught(app)
        )
        left, top = self.place
        button.margin = (left, top, 0, 0)
        ground = Stack(children=[button], width="fill", height=2 * RADII_DP[1] + 48, margin=(0, 16))
        return filled(ground, result(f"Caught {self.taps} times"))

    def caught(self, app: Lab) -> None:
        self.taps += 1
        witness(app, f"caught {self.taps}")


class EndlessSpinner(Exhibit):
    """A wheel that turns for ever next to content that is complete.

    Stands for live tickers, "looking for devices", animated logos: what never stops moving and
    means nothing.

    A good test waits for what it needs and not for the screen to stand still. A wait for quiet ends
    at its limit and says what went on moving.
    """

    slug = "endless-spinner"
    activity = ".EndlessSpinner"
    title = "Spinner that never stops"
    summary = "Turns for ever; everything else is there"
    taps: int = 0

    def content(self, app: Lab) -> Widget:
        wheel = Progress(id="wheel", margin=(0, 16), gravity="center")
        ready = Text("Everything is here", id="ready", gravity="center")
        button = Button(
            "Go on",
            id="go_on",
            radius=PILL,
            width="fill",
            margin=(0, 24),
            on_click=lambda: self.go(app),
        )
        return filled(wheel, ready, button, result(f"Went on {self.taps} times"))

    def go(self, app: Lab) -> None:
        self.taps += 1
        witness(app, f"went on {self.taps}")


class Carousel(Exhibit):
    """One of five offers at a time; the next one comes by itself, or by a swipe to the left.

    Stands for banners on a start page, onboarding slides.

    A good test says which offer it means and waits until that is there, or turns the pages itself.
    Between its look and its tap the offer may have changed.
    """

    slug = "carousel"
    activity = ".Carousel"
    title = "Carousel"
    summary = "The next offer comes by itself"
    parameters = (
        Parameter(
            "every", 2000, 0, 60_000, "milliseconds that an offer is to be seen; 0 is for ever"
        ),
    )
    shown: int = 0
    taken: str = ""

    def opened(self, app: Lab) -> None:
        if self.settings["every"]:
            self.every(app, self.settings["every"], self.advance)

    def advance(self) -> None:
        self.shown = (self.shown + 1) % len(OFFERS)

    def content(self, app: Lab) -> Widget:
        cards = [self.card(app, offer) for offer in OFFERS]
        pager = Pager(children=cards, id="offers", height=264, page=self.shown)
        pager.on_page = lambda page: setattr(self, "shown", page)
        place = Text(
            f"{self.shown + 1} of {len(OFFERS)}", id="place", size=14, muted=True, gravity="center"
        )
        return page(pager, place, result(self.taken))

    def card(self, app: Lab, offer: str) -> Widget:
        return Card(
            children=[
                Image(picture=offer.lower(), width="fill", height=160, radius=8),
                Text(offer, id="offer", size=20, bold=True, margin=(0, 12, 0, 0)),
            ],
            key=offer,
            margin=(0, 16),
            on_click=lambda: self.take(app, offer),
        )

    def take(self, app: Lab, offer: str) -> None:
        self.taken = f"Took the {offer.lower()}"
        witness(app, self.taken.lower())


class Clock(Exhibit):
    """A clock whose seconds tick, above a button that keeps the time shown.

    Stands for clocks, countdowns, "3 seconds ago", prices that tick.

    A good test does not take a new second for an effect of its tap, nor wait for a screen that
    never stays the same. What it checks is the line that only the button changes.
    """

    slug = "clock"
    activity = ".Clock"
    title = "Ticking clock"
    summary = "The text changes every second, whatever one does"
    parameters = (Parameter("every", 1000, 100, 10_000, "milliseconds between two ticks"),)
    seconds: int = 0
    kept: int = 0

    def opened(self, app: Lab) -> None:
        self.every(app, self.settings["every"], self.tick)

    def tick(self) -> None:
        self.seconds += 1

    def content(self, app: Lab) -> Widget:
        hours, rest = divmod(self.seconds + 36_000, 3600)
        time = f"{hours % 24:02}:{rest // 60:02}:{rest % 60:02}"
        return page(
            Text(time, id="time", size=48, gravity="center", margin=(0, 24)),
            Button("Keep", id="keep", radius=PILL, width="fill", on_click=lambda: self.keep(app)),
            result(f"Kept {self.kept} times"),
        )

    def keep(self, app: Lab) -> None:
        self.kept += 1
        witness(app, f"kept {self.kept}")


class RestlessForm(Exhibit):
    """A form with a clock, a wheel that turns and a caret that blinks, around parts that stay as
    they are. A flaw of its look may be asked for.

    Stands for every screen of which one compares pictures: something on it is never the same twice.

    A good test compares the look and lets the clock, the wheel and the caret be. A colour, two
    pixels, an icon, a digit or the end of a text that is not as it was is found.
    """

    slug = "restless-form"
    activity = ".RestlessForm"
    title = "Restless form"
    summary = "Clock, wheel and caret never rest"
    parameters = (
        Parameter(
            "flaw",
            0,
            0,
            5,
            "of its look: 1 a colour, 2 two pixels, 3 an icon, 4 a digit, 5 a text cut off",
        ),
        Parameter("every", 80, 20, 10_000, "milliseconds between two pictures of the wheel"),
    )
    frame: int = 0
    blinks: int = 0
    seconds: int = 0
    note: str = "Two keys"
    sent: int = 0

    def opened(self, app: Lab) -> None:
        self.every(app, self.settings["every"], lambda: setattr(self, "frame", self.frame + 1))
        self.every(app, 500, lambda: setattr(self, "blinks", self.blinks + 1))
        self.every(app, 1000, lambda: setattr(self, "seconds", self.seconds + 1))
        app.focus("note", keyboard=False)

    def content(self, app: Lab) -> Widget:
        flaw = self.settings["flaw"]
        time = f"10:{self.seconds // 60 % 60:02}:{self.seconds % 60:02}"
        basket = IconButton(
            icon="cart", id="icon", enabled=False, description="Basket", foreground=THEME.text
        )
        total = Row(
            children=[
                Text("Total", size=18, width=120),
                Text(
                    "£ 18.40" if flaw == 4 else "£ 18.90", id="total", size=18, bold=True, weight=1
                ),
                Space(width=48, height=48) if flaw == 3 else basket,
            ],
            margin=(0, 8, 0, 0),
        )
        field = EditText(
            "Note", id="note", text=self.note, caret=self.blinks % 2 == 0, margin=(0, 12)
        )
        field.on_change = lambda text: setattr(self, "note", text)
        place = Text(
            "12 Long Acre, London",
            id="place",
            size=18,
            width=150 if flaw == 5 else "fill",
            height=26,
        )
        button = Button(
            "Send", id="send", radius=PILL, width="fill", margin=(0, 16),
            on_click=lambda: self.send(app), background="#5b3f9c" if flaw == 1 else THEME.primary,
        )  # fmt: skip
        if flaw == 2:
            place.margin = (1, 0, 0, 0)
        wheel = Progress(
            id="wheel", turn=1 + self.frame * 30 % 360, gravity="center", margin=(0, 8)
        )
        wheel.class_name = "android.view.View"  # it turns, and nothing loads
        return filled(Text(time, id="time", size=32, gravity="center"), wheel, total, place, field,
                      button,
                      result(f"Sent {self.sent} times"))  # fmt: skip

    def send(self, app: Lab) -> None:
        self.sent += 1
        witness(app, f"sent {self.sent}")
