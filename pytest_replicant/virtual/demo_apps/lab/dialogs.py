"""Unrequested windows."""

from __future__ import annotations

import random

from ...app_kit import Button, Dialog, DialogButton, Text, Widget
from .exhibit import Exhibit, Parameter
from .looks import PILL, page, result
from .state import Lab, witness
from .taps import TapCounted

EARLIEST_MS, LATEST_MS = 500, 4000
LOCATION = "android.permission.ACCESS_FINE_LOCATION"
PERMISSIONS = (
    "android.permission.POST_NOTIFICATIONS",
    "android.permission.CAMERA",
    "android.permission.READ_CONTACTS",
    "android.permission.RECORD_AUDIO",
)
"""What the dialogs at random ask for, one after the other."""
STEPS = 3


class PermissionQuestion(Exhibit):
    """A button that asks for a permission. The question is a window of the system's, in another
    package.

    Stands for the first use of location, camera, messages.

    A good test answers the question on purpose, or has set the permission before. A question that
    no one expected is dealt with by a policy, and shows in the result.
    """

    slug = "permission-question"
    activity = ".PermissionQuestion"
    title = "Permission"
    summary = "The system asks, not the app"
    said: str = ""

    def content(self, app: Lab) -> Widget:
        button = Button("Where am I?", id="locate", radius=PILL, width="fill", margin=(0, 16))
        button.on_click = lambda: app.request_permission(
            LOCATION, lambda granted: self.answered(app, granted)
        )
        return page(button, result(self.said))

    def answered(self, app: Lab, granted: bool) -> None:
        self.said = "You are in the lab" if granted else "We may not know"
        witness(app, f"location {'allowed' if granted else 'refused'}")


class SystemNotice(TapCounted):
    """A while after it was opened, the system says that the battery is low, over the screen in
    front.

    Stands for low battery, updates, "USB debugging connected".

    A good test gets past the notice by a policy; the app's own state is untouched.
    """

    slug = "system-notice"
    activity = ".SystemNotice"
    title = "Notice of the system"
    summary = "Battery low, over whatever is in front"
    parameters = (Parameter("delay", 1500, 1, 60_000, "milliseconds until it comes"),)

    def opened(self, app: Lab) -> None:
        self.later(
            app,
            self.settings["delay"],
            lambda: app.system_dialog("Battery low", "15% remaining", ("OK",)),
        )


class SurpriseDialogs(Exhibit):
    """A button to work with. In between come dialogs, at times and of a kind that are drawn from
    the seed: the system asks for a permission, the app asks for a rating.

    Stands for everything that comes in between on a real phone.

    A good test gets past a dialog by a policy, says so in its result as a recovery, and its tap
    counts once. The same seed gives the same dialogs.
    """

    slug = "surprise-dialogs"
    activity = ".SurpriseDialogs"
    title = "Dialogs at random"
    summary = "A permission, a rating; who knows when"
    parameters = (
        Parameter("seed", 1, 0, 999_999, "times and kinds are drawn from it"),
        Parameter(
            "most",
            3,
            0,
            50,
            "dialogs that come, in all; a permission answered for good is asked no more",
        ),
    )
    taps: int = 0
    asked: int = 0

    def opened(self, app: Lab) -> None:
        for at, kind in self.plan():
            self.later(app, at, lambda kind=kind: self.surprise(app, kind))  # type: ignore[misc]

    def plan(self) -> list[tuple[int, str]]:
        """When, in milliseconds from the start, and what."""
        drawn, at, plan = random.Random(self.settings["seed"]), 0, []
        for _ in range(self.settings["most"]):
            at += drawn.randint(EARLIEST_MS, LATEST_MS)
            plan.append((at, drawn.choice(["permission", "rating"])))
        return plan

    def surprise(self, app: Lab, kind: str) -> None:
        if app.screen is not self:
            return
        if kind == "permission":
            self.ask_permission(app)
        else:
            app.show(self.rating(app))

    def ask_permission(self, app: Lab) -> None:
        permission = PERMISSIONS[self.asked % len(PERMISSIONS)]
        self.asked += 1
        name = permission.rpartition(".")[2]
        app.request_permission(
            permission,
            lambda granted: witness(app, f"{name} {'allowed' if granted else 'refused'}"),
        )

    def rating(self, app: Lab) -> Dialog:
        return Dialog(
            "Do you like the lab?",
            "Five stars would help us.",
            [
                DialogButton("Rate now", lambda: witness(app, "rated")),
                DialogButton("Not now", lambda: witness(app, "not rated")),
            ],
            on_cancel=lambda: witness(app, "not rated"),
        )

    def content(self, app: Lab) -> Widget:
        button = Button(
            "Work",
            id="work",
            radius=PILL,
            width="fill",
            margin=(0, 16),
            on_click=lambda: self.work(app),
        )
        return page(button, result(f"Worked {self.taps} times"))

    def work(self, app: Lab) -> None:
        self.taps += 1
        witness(app, f"worked {self.taps}")


class Survey(Exhibit):
    """Three steps, each a tap on "Continue". Shortly after one of these taps the app asks for a
    survey.

    Stands for customer surveys, "what's new", cross-selling.

    A good test has a policy of its own for this dialog ("No, thanks"), since only the app's own
    tests can know it. The tap that came before it counted and is not repeated.
    """

    slug = "survey"
    activity = ".Survey"
    title = "Survey"
    summary = "Comes between two steps"
    parameters = (
        Parameter("tap", 1, 0, 3, "the tap that it comes after; 0 is none"),
        Parameter("delay", 300, 1, 10_000, "milliseconds from the tap to the survey"),
    )
    step: int = 0

    def content(self, app: Lab) -> Widget:
        done = self.step == STEPS
        stand = Text(
            "Done" if done else f"Step {self.step + 1} of {STEPS}",
            id="step",
            size=24,
            margin=(0, 16),
        )
        button = Button("Continue", id="continue", radius=PILL, width="fill", enabled=not done)
        button.on_click = lambda: self.go_on(app)
        return page(stand, button)

    def go_on(self, app: Lab) -> None:
        self.step += 1
        witness(app, f"step {self.step} done")
        if self.step == self.settings["tap"]:
            self.later(app, self.settings["delay"], lambda: self.ask(app))

    def ask(self, app: Lab) -> None:
        if app.screen is self:
            app.show(
                Dialog(
                    "How are we doing?",
                    "Would you answer three questions?",
                    [
                        DialogButton(
                            "Take part", lambda: witness(app, "took part"), id="take_part"
                        ),
                        DialogButton(
                            "No, thanks", lambda: witness(app, "did not take part"), id="no_thanks"
                        ),
                    ],
                    cancelable=False,
                )
            )


class SameLabel(Exhibit):
    """A page with a button "OK". A while after it was opened, the system says something that has an
    "OK" as well.

    Stands for consent pages below a question of the system, terms below a warning.

    A good test of the page's button says where it is, or waits until the notice is gone. A bare
    "OK" is either.
    """

    slug = "same-label"
    activity = ".SameLabel"
    title = "One label in two windows"
    summary = "The page and a notice of the system have an OK"
    parameters = (Parameter("delay", 1500, 1, 60_000, "milliseconds until the notice comes"),)
    agreed: int = 0

    def opened(self, app: Lab) -> None:
        self.later(app, self.settings["delay"], lambda: self.warn(app))

    def warn(self, app: Lab) -> None:
        close = DialogButton("OK", lambda: witness(app, "notice closed"))
        app.system_dialog("Storage almost full", "Some functions may not work", [close])

    def content(self, app: Lab) -> Widget:
        button = Button(
            "OK",
            id="ok",
            radius=PILL,
            width="fill",
            margin=(0, 16),
            on_click=lambda: self.agree(app),
        )
        return page(
            Text("May we send you a letter?", id="question"),
            button,
            result(f"Agreed {self.agreed} times"),
        )

    def agree(self, app: Lab) -> None:
        self.agreed += 1
        witness(app, f"agreed {self.agreed}")
