"""Messages that lie over what one wants to press."""

from __future__ import annotations

from ...app_kit import Button, Column, Widget
from .exhibit import Exhibit, Parameter
from .looks import PILL, SIDE, result
from .state import Lab, witness


class _Notes(Exhibit):
    """ "Archive" at the top, "Next" at the bottom where messages appear."""

    gap: int = 48  # dp below "Next"; that much makes it lie where the message does
    last: str = ""

    def content(self, app: Lab) -> Widget:
        above = Button(
            "Archive", id="archive", radius=PILL, width="fill", on_click=lambda: self.archive(app)
        )
        below = Button(
            "Next", id="next", radius=PILL, width="fill", on_click=lambda: self.say(app, "Next")
        )
        below.margin = (0, 0, 0, self.gap)
        room = Column(weight=1, class_name="")
        return Column(
            children=[above, result(self.last), room, below], height="fill", padding=(SIDE, 8)
        )

    def archive(self, app: Lab) -> None:
        self.say(app, "Archived")

    def say(self, app: Lab, what: str) -> None:
        self.last = what
        witness(app, what.lower())


class Toasts(_Notes):
    """ "Archive" shows a toast over the "Next" button. The toast lets touches through, and is in no
    dump.

    Stands for the platform's own short messages.

    A good test proves the effect by the content of the screen. The toast's text is to be had only
    from the device, and only for a while.
    """

    slug = "toasts"
    activity = ".Toasts"
    title = "Toast over a button"
    summary = "A message in no window that a dump holds"

    def archive(self, app: Lab) -> None:
        self.say(app, "Archived")
        app.toast("Archived one message")


class Snackbar(_Notes):
    """ "Archive" shows a bar with "Undo" over the "Next" button. The bar takes touches, and goes by
    itself.

    Stands for Material's snackbars.

    A good test that wants "Next" waits until the bar is gone; one that wants "Undo" is in time or
    says that it was not.
    """

    slug = "snackbar"
    activity = ".Snackbar"
    title = "Snackbar over a button"
    summary = "A bar with an offer that does not last"
    parameters = (Parameter("lasts", 3000, 100, 60_000, "milliseconds that the bar is to be seen"),)
    gap: int = 8

    def archive(self, app: Lab) -> None:
        self.say(app, "Archived")
        app.snackbar(
            "Archived one message",
            "Undo",
            lambda: self.say(app, "Undone"),
            ms=self.settings["lasts"],
        )
