"""What comes late, or is gone too soon."""

from __future__ import annotations

from ...app_kit import Button, Column, Progress, Text, Widget
from .exhibit import Exhibit, Parameter
from .looks import PILL, filled, page, result
from .state import Lab, witness


class LateButton(Exhibit):
    """A button that is greyed out at first, and works after a moment.

    Stands for forms that are checked on a server, "agree" buttons with a countdown.

    A good test waits for the button to be enabled. A tap on it before that is no tap.
    """

    slug = "late-button"
    activity = ".LateButton"
    title = "Button enabled late"
    summary = "Disabled at first, then enabled"
    parameters = (
        Parameter("delay", 2000, 0, 60_000, "milliseconds until it is enabled; 0 is never"),
    )
    ready: bool = False
    taps: int = 0

    def opened(self, app: Lab) -> None:
        if self.settings["delay"]:
            self.later(app, self.settings["delay"], lambda: setattr(self, "ready", True))

    def content(self, app: Lab) -> Widget:
        button = Button(
            "Agree", id="agree", radius=PILL, width="fill", margin=(0, 16), enabled=self.ready
        )
        button.on_click = lambda: self.agree(app)
        return filled(button, result(f"Agreed {self.taps} times"))

    def agree(self, app: Lab) -> None:
        self.taps += 1
        witness(app, f"agreed {self.taps}")


class LateContent(Exhibit):
    """A wheel, and after a moment what was loaded.

    Stands for every screen that asks a server.

    A good test waits for what it wants to read, with a limit, and never sleeps for a fixed time.
    Before the content is there, "it is not there" proves nothing.
    """

    slug = "late-content"
    activity = ".LateContent"
    title = "Late content"
    summary = "Arrives after a moment"
    parameters = (Parameter("delay", 1000, 300, 5000, "milliseconds until it is there"),)
    here: bool = False

    def opened(self, app: Lab) -> None:
        self.later(app, self.settings["delay"], lambda: setattr(self, "here", True))

    def content(self, app: Lab) -> Widget:
        if not self.here:
            wheel = Progress(id="loading", gravity="center", margin=(0, 48, 0, 16))
            return filled(wheel, Text("Loading…", id="loading_text", gravity="center", muted=True))
        return page(
            Text("Parcel 4711", id="parcel", size=20, bold=True, margin=(0, 8)),
            Text("Arrives on Friday", id="arrival"),
            Button(
                "Track",
                id="track",
                radius=PILL,
                margin=(0, 16),
                on_click=lambda: witness(app, "tracked"),
            ),
        )


class Flash(Exhibit):
    """A tap on "Save" shows "Saved" for half a second, and nothing of it afterwards.

    Stands for check marks that fade, messages at the edge of the screen.

    A good test proves the effect by what stays (the count), or begins to look before it taps. A
    look after the flash finds nothing, and that is no proof of failure either.
    """

    slug = "flash"
    activity = ".Flash"
    title = "Message that vanishes"
    summary = "Half a second, and it is gone"
    parameters = (
        Parameter("lasts", 500, 50, 10_000, "milliseconds that it is to be seen"),
        Parameter("delay", 0, 0, 10_000, "milliseconds from the tap until it is shown"),
    )
    shown: bool = False
    saves: int = 0

    def content(self, app: Lab) -> Widget:
        flash = Text(
            "Saved", id="flash", size=24, gravity="center", margin=(0, 24), visible=self.shown
        )
        button = Button(
            "Save",
            id="save",
            radius=PILL,
            width="fill",
            margin=(0, 16),
            on_click=lambda: self.save(app),
        )
        return Column(
            children=[filled(button, result(f"Saves: {self.saves}"), flash)], height="fill"
        )

    def save(self, app: Lab) -> None:
        self.saves += 1
        witness(app, f"saved {self.saves}")
        if self.settings["delay"]:
            self.later(app, self.settings["delay"], lambda: self.flash(app))
        else:
            self.flash(app)

    def flash(self, app: Lab) -> None:
        self.shown = True
        self.later(app, self.settings["lasts"], lambda: setattr(self, "shown", False))
