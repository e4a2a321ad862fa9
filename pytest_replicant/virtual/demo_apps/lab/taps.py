"""Taps that count: lost ones, doubled ones, those that cannot be taken back."""

from __future__ import annotations

from ...app_kit import Button, Text, Widget
from .exhibit import Exhibit, Parameter
from .looks import PILL, page, result
from .state import Lab, witness


class TapCounted(Exhibit):
    """A button and how often it was tapped, for exhibits that are about something else."""

    taps: int = 0

    def content(self, app: Lab) -> Widget:
        button = Button(
            "Tap",
            id="tap",
            radius=PILL,
            width="fill",
            margin=(0, 16),
            on_click=lambda: self.tap(app),
        )
        return page(button, result(f"Tapped {self.taps} times"))

    def tap(self, app: Lab) -> None:
        self.taps += 1
        witness(app, f"tap {self.taps}")


class Counter(Exhibit):
    """A button that counts how often it was really tapped: the witness for "never tapped twice".

    Stands for nothing; it is the measure of all that taps.

    A good test taps once and reads 1, no matter what was slow or got lost on the way.
    """

    slug = "counter"
    activity = ".Counter"
    title = "Counter"
    summary = "Counts the taps that arrived"
    taps: int = 0

    def content(self, app: Lab) -> Widget:
        button = Button(
            "Tap",
            id="tap",
            radius=PILL,
            width="fill",
            margin=(0, 16),
            on_click=lambda: self.tap(app),
        )
        return page(button, Text(str(self.taps), id="count", size=64, gravity="center"))

    def tap(self, app: Lab) -> None:
        self.taps += 1
        witness(app, f"tap {self.taps}")


class LostTap(Exhibit):
    """A button that does nothing the first time it is tapped; nor does the log know of that tap.

    Stands for listeners that are set too late, and frames that drop a touch.

    A good test sees that nothing came of its tap. It taps again only because the action may be
    repeated, and says that it did.
    """

    slug = "lost-tap"
    activity = ".LostTap"
    title = "Lost tap"
    summary = "The first tap does nothing"
    parameters = (Parameter("lost", 1, 0, 100, "taps that do nothing"),)
    taps: int = 0

    def content(self, app: Lab) -> Widget:
        works = max(self.taps - self.settings["lost"], 0)
        button = Button("Unlock", id="unlock", radius=PILL, width="fill", margin=(0, 16))
        button.on_click = lambda: self.tap(app)
        return page(button, result("Unlocked" if works else "Locked"))

    def tap(self, app: Lab) -> None:
        self.taps += 1
        if self.taps > self.settings["lost"]:
            witness(app, f"unlock tap {self.taps}")
        else:  # nothing listens yet that could write it down
            app.state.events.append(f"lost tap {self.taps}")


class _Orders(Exhibit):
    """Orders are counted on the phone, and outlive the process."""

    def order(self, app: Lab) -> int:
        count = int(app.stored.get("orders", 0)) + 1
        app.stored["orders"] = count
        witness(app, f"order {count} placed")
        return count

    def button(self, app: Lab) -> Button:
        return Button(
            "Place order",
            id="place_order",
            radius=PILL,
            width="fill",
            margin=(0, 16),
            on_click=lambda: self.order(app),
        )


class PlaceOrder(_Orders):
    """A tap on "Place order" orders, each time. The screen says how many orders there are, after a
    moment.

    Stands for payments, bookings, messages: what must never happen twice.

    A good test taps once and waits for the proof. If no proof comes it stops, and does not tap
    again.
    """

    slug = "place-order"
    activity = ".PlaceOrder"
    title = "Place order"
    summary = "Each tap is an order"
    parameters = (Parameter("delay", 0, 0, 60_000, "milliseconds until the screen says so"),)
    shown: int = 0

    def opened(self, app: Lab) -> None:
        self.shown = int(app.stored.get("orders", 0))

    def content(self, app: Lab) -> Widget:
        return page(self.button(app), result(f"Orders: {self.shown}"))

    def order(self, app: Lab) -> int:
        count = _Orders.order(self, app)
        if self.settings["delay"]:
            self.later(app, self.settings["delay"], lambda: setattr(self, "shown", count))
        else:
            self.shown = count
        return count


class SilentOrder(_Orders):
    """A tap on "Place order" orders, each time, and the screen does not say so. The number is in
    the log, and on the "Place order" screen.

    Stands for buttons without feedback.

    A good test does not take "nothing changed" for "nothing happened", and does not tap again.
    """

    slug = "silent-order"
    activity = ".SilentOrder"
    title = "Order without feedback"
    summary = "Each tap is an order, and nothing says so"

    def content(self, app: Lab) -> Widget:
        return page(self.button(app), Text("Thank you for your patience", muted=True))
