"""Apps that die."""

from __future__ import annotations

from ...app_kit import AppCrash, Button, Text, Widget
from .exhibit import Exhibit, Parameter
from .looks import PILL, page, result
from .state import Lab, witness


def crash(app: Lab, why: str) -> None:
    witness(app, why)
    raise AppCrash(
        "java.lang.NullPointerException",
        'Attempt to invoke virtual method "int Parcel.getWeight()" on a null object reference',
        at=("dying.Scales.weigh:42", "dying.CrashActivity.onClick:17"),
    )


class Crash(Exhibit):
    """A button that kills the app. Its process is gone, the home screen is in front, and the log
    has the Java stack trace.

    Stands for every crash.

    A good test fails as a crash, with the exception's first lines, and not as "element not found"
    on the home screen.
    """

    slug = "crash"
    activity = ".Crash"
    title = "Crash on tap"
    summary = "The app dies of a NullPointerException"
    parameters = (Parameter("delay", 0, 0, 60_000, "milliseconds from the tap to the crash"),)

    def content(self, app: Lab) -> Widget:
        button = Button(
            "Weigh",
            id="weigh",
            radius=PILL,
            width="fill",
            margin=(0, 16),
            on_click=lambda: self.weigh(app),
        )
        return page(button, Text("Do not press", muted=True))

    def weigh(self, app: Lab) -> None:
        if self.settings["delay"]:
            app.after(self.settings["delay"], lambda: crash(app, "crashing late"))
        else:
            crash(app, "crashing")


class Hang(Exhibit):
    """A button after which the app does not answer for eight seconds. The screen stays as it is;
    who taps meanwhile is asked by the system whether to wait or to close the app.

    Stands for databases and pictures read on the main thread.

    A good test distinguishes a hang from a slow screen, waits where it is asked, and counts the tap
    once that waited with the app."""

    slug = "hang"
    activity = ".Hang"
    title = "App that hangs"
    summary = "Does not answer for a while"
    parameters = (Parameter("lasts", 8000, 1, 60_000, "milliseconds that it hangs"),)
    taps: int = 0

    def content(self, app: Lab) -> Widget:
        button = Button(
            "Sort",
            id="sort",
            radius=PILL,
            width="fill",
            margin=(0, 16),
            on_click=lambda: self.sort(app),
        )
        other = Button("Tap", id="tap", radius=PILL, width="fill", on_click=lambda: self.tap(app))
        return page(button, other, result(f"Tapped {self.taps} times"))

    def sort(self, app: Lab) -> None:
        witness(app, "sorting")
        app.hang(self.settings["lasts"])

    def tap(self, app: Lab) -> None:
        self.taps += 1
        witness(app, f"tap {self.taps}")


class BackgroundCrash(Exhibit):
    """A tap on "Synchronise" lets the app die a moment later, wherever one is by then: on another
    of its screens, or at home.

    Stands for crashes of services and jobs.

    A good test notices that the process is another one or none, although the screen in front looks
    as it should.
    """

    slug = "background-crash"
    activity = ".BackgroundCrash"
    title = "Crash in the background"
    summary = "Dies later, when one looks elsewhere"
    parameters = (Parameter("delay", 1500, 1, 60_000, "milliseconds from the tap to the crash"),)
    started: bool = False

    def content(self, app: Lab) -> Widget:
        button = Button("Synchronise", id="sync", radius=PILL, width="fill", margin=(0, 16))
        button.on_click = lambda: self.start(app)
        return page(button, result("Synchronising" if self.started else ""))

    def start(self, app: Lab) -> None:
        self.started = True
        witness(app, "synchronising")
        app.after(self.settings["delay"], lambda: crash(app, "crashing in the background"))
