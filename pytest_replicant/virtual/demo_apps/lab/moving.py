"""What does not stand still."""

from __future__ import annotations

import math

from ...app_kit import Button, Card, Image, Pager, Progress, Stack, Text, Widget
from .exhibit import Exhibit, Parameter
from .looks import PILL, filled, page, result
from .state import Lab, witness

OFFERS = ("Mug", "Teapot", "Lamp", "Clock", "Chair")
FRAME_MS = 16
ROUND_FRAMES = 96
RADII_DP = (96, 60)


class MovingButton(Exhibit):
    """A button that circles before it comes to rest; or never does.

    Stands for screens that slide in, bouncing calls to action, keyboards that push a form up.

    A good test taps once two looks in a row find the button in one place. Of a button that never rests it says
    that it keeps moving, and does not just tap.
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
        button = Button("Catch me", id="catch", radius=PILL, width=140, on_click=lambda: self.caught(app))
        left, top = self.place
        button.margin = (left, top, 0, 0)
        ground = Stack(children=[button], width="fill", height=2 * RADII_DP[1] + 48, margin=(0, 16))
        return filled(ground, result(f"Caught {self.taps} times"))

    def caught(self, app: Lab) -> None:
        self.taps += 1
        witness(app, f"caught {self.taps}")


class EndlessSpinner(Exhibit):
    """A wheel that turns for ever next to content that is complete.

    Stands for live tickers, "looking for devices", animated logos: what never stops moving and means nothing.

    A good test waits for what it needs and not for the screen to stand still. A wait for quiet ends at its
    limit and says what went on moving.
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
            "Go on", id="go_on", radius=PILL, width="fill", margin=(0, 24), on_click=lambda: self.go(app)
        )
        return filled(wheel, ready, button, result(f"Went on {self.taps} times"))

    def go(self, app: Lab) -> None:
        self.taps += 1
        witness(app, f"went on {self.taps}")


class Carousel(Exhibit):
    """One of five offers at a time; the next one comes by itself, or by a swipe to the left.

    Stands for banners on a start page, onboarding slides.

    A good test says which offer it means and waits until that is there, or turns the pages itself. Between its
    look and its tap the offer may have changed.
    """

    slug = "carousel"
    activity = ".Carousel"
    title = "Carousel"
    summary = "The next offer comes by itself"
    parameters = (Parameter("every", 2000, 0, 60_000, "milliseconds that an offer is to be seen; 0 is for ever"),)
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
        place = Text(f"{self.shown + 1} of {len(OFFERS)}", id="place", size=14, muted=True, gravity="center")
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

    A good test does not take a new second for an effect of its tap, nor wait for a screen that never stays the
    same. What it checks is the line that only the button changes.
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
