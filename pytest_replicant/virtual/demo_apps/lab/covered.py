"""Buttons that are there and cannot be reached."""

from __future__ import annotations

from ...app_kit import Button, Column, Progress, Row, Scroll, Stack, Text, Widget
from .exhibit import Exhibit, Parameter
from .looks import PILL, SIDE, result
from .state import Lab, witness


class Overlay(Exhibit):
    """A button under a see-through sheet that takes every touch, until the sheet goes away.

    Stands for loading veils, coach marks, sheets that block a form while it is sent.

    A good test does not tap a covered control: it names the cover, waits for it to go within a
    limit, and then taps.
    """

    slug = "overlay"
    activity = ".Overlay"
    title = "Button under an overlay"
    summary = "A see-through sheet takes the touches"
    parameters = (
        Parameter("lasts", 2000, 0, 60_000, "milliseconds until the sheet goes; 0 is never"),
    )
    covered: bool = True
    swallowed: int = 0
    taps: int = 0

    def opened(self, app: Lab) -> None:
        if self.settings["lasts"]:
            self.later(app, self.settings["lasts"], lambda: setattr(self, "covered", False))

    def content(self, app: Lab) -> Widget:
        below = Column(
            children=[
                Button("Pay", id="pay", radius=PILL, width="fill", on_click=lambda: self.pay(app)),
                result(f"Paid {self.taps} times"),
                Text(f"The sheet took {self.swallowed} touches", id="swallowed", muted=True),
            ],
            height="fill",
            padding=(SIDE, 16),
        )
        sheet = Stack(
            children=[
                Text(
                    "One moment",
                    id="veil_text",
                    background="#221f27",
                    foreground="#ffffff",
                    padding=(16, 8),
                )
            ],
            id="veil",
            width="fill",
            height="fill",
            align="center",
            visible=self.covered,
            on_click=lambda: self.swallow(app),
        )
        return Stack(children=[below, sheet], width="fill", height="fill")

    def pay(self, app: Lab) -> None:
        self.taps += 1
        witness(app, f"paid {self.taps}")

    def swallow(self, app: Lab) -> None:
        self.swallowed += 1
        witness(app, f"sheet took touch {self.swallowed}")


class BottomBar(Exhibit):
    """A page whose last button lies under the bar at the bottom; it can be scrolled out from below
    it.

    Stands for tab bars, checkout bars and floating buttons over lists.

    A good test finds that the button's middle belongs to the bar, scrolls on, and then taps. A tap
    on the bar itself counts as "Help".
    """

    slug = "bottom-bar"
    activity = ".BottomBar"
    title = "Button under a bar"
    summary = "The last button lies under the bottom bar"
    last: str = ""

    def content(self, app: Lab) -> Widget:
        high = (app.screen_dp[1] - 274) // 8  # the last button comes to lie under the bar
        lines = [
            Text(f"Paragraph {number}", key=f"line{number}", height=high) for number in range(1, 9)
        ]
        accept = Button(
            "Accept",
            id="accept",
            radius=PILL,
            width="fill",
            on_click=lambda: self.press(app, "accept"),
        )
        # The room at the end lets the button come out from under the bar.
        ending = Text("", height=120)
        scrolled = Scroll(
            children=[result(self.last), *lines, accept, ending], id="page", padding=(SIDE, 0)
        )
        help_button = Button("Help", id="help", radius=PILL, width="fill", height=48)
        help_button.on_click = lambda: self.press(app, "help")
        bar = Row(
            children=[help_button],
            id="bar",
            background=app.theme.surface,
            height=64,
            padding=(SIDE, 8),
        )
        bar.elevation, bar.gravity = 8, "end"
        return Stack(children=[scrolled, bar], width="fill", height="fill")

    def press(self, app: Lab, name: str) -> None:
        self.last = f"Pressed {name}"
        witness(app, f"pressed {name}")


class SheetInApp(Exhibit):
    """ "Share" slides up a sheet over the lower half of the page, and a scrim over the rest. Both
    are parts of the app's own window, and no dialog.

    Stands for bottom sheets that apps draw themselves.

    A good test works on the sheet and closes it. What lies under it is covered, and not gone.
    """

    slug = "sheet-in-app"
    activity = ".SheetInApp"
    title = "Sheet in the app"
    summary = "A sheet in the app's own window"
    sheet: bool = False
    done: str = ""

    def content(self, app: Lab) -> Widget:
        half = app.screen_dp[1] // 2
        below = Column(
            children=[
                Button(
                    "Share", id="share", radius=PILL, width="fill", on_click=lambda: self.show(True)
                ),
                result(self.done),
                Column(weight=1, class_name=""),
                Button(
                    "Pay",
                    id="pay",
                    radius=PILL,
                    width="fill",
                    on_click=lambda: self.do(app, "paid"),
                ),
            ],
            height="fill",
            padding=(SIDE, 16),
        )
        sheet = Column(
            children=[
                Button(
                    "Copy link", id="copy", width="fill", on_click=lambda: self.do(app, "copied")
                ),
                Button("Close", id="close", width="fill", on_click=lambda: self.show(False)),
            ],
            id="share_sheet",
            width="fill",
            height=half,
            gravity="end",
            background=app.theme.surface,
            padding=(SIDE, 16),
        )
        scrim = Stack(
            children=[sheet],
            id="scrim",
            width="fill",
            height="fill",
            visible=self.sheet,
            on_click=lambda: self.show(False),
        )
        return Stack(children=[below, scrim], width="fill", height="fill")

    def show(self, sheet: bool) -> None:
        self.sheet = sheet

    def do(self, app: Lab, what: str) -> None:
        self.done = what.capitalize()
        witness(app, what)


class LoadingVeil(Exhibit):
    """Invoices, veiled for a moment while new ones are loaded. Then there is one less.

    Stands for screens that keep the old content below a veil while they ask a server.

    A good test waits until the veil is gone. Before that, nothing is gone because it cannot be
    seen.
    """

    slug = "loading-veil"
    activity = ".LoadingVeil"
    title = "Covered and loading"
    summary = "The old content is below a veil while the new one loads"
    parameters = (
        Parameter("lasts", 1500, 0, 60_000, "milliseconds that loading takes; 0 is for ever"),
    )
    loading: bool = False
    paid: bool = False

    def content(self, app: Lab) -> Widget:
        numbers = (11, 13) if self.paid else (11, 12, 13)
        below = Column(
            children=[
                Button(
                    "Refresh",
                    id="refresh",
                    radius=PILL,
                    width="fill",
                    on_click=lambda: self.refresh(app),
                ),
                *(
                    Text(f"Invoice {number}", id=f"invoice_{number}", margin=(0, 8))
                    for number in numbers
                ),
            ],
            height="fill",
            padding=(SIDE, 16),
        )
        veil = Stack(
            children=[Progress(id="veil_loading")],
            id="veil",
            width="fill",
            height="fill",
            align="center",
            background=app.theme.surface,
            visible=self.loading,
            on_click=lambda: witness(app, "veil touched"),
        )
        return Stack(children=[below, veil], width="fill", height="fill")

    def refresh(self, app: Lab) -> None:
        self.loading = True
        witness(app, "refreshing")
        if self.settings["lasts"]:
            self.later(app, self.settings["lasts"], self.loaded)

    def loaded(self) -> None:
        self.loading, self.paid = False, True
