"""What a random walk may do where: the exhibits with their actions, and what each really does to
the app."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from pytest_replicant import by
from pytest_replicant.session import DeviceSession, Expectation


@dataclass(frozen=True)
class Act:
    """``event`` is an expression for what the app writes down when a tap arrives, "" where it need
    not be once. ``holds`` is the id of a field and the text that it holds once the action
    succeeded."""

    name: str
    do: Callable[[DeviceSession], Expectation]
    event: str = ""
    holds: tuple[str, str] | None = None


def tap(event: str, **target: Any) -> Act:
    told = ", ".join(f"{name}={value!r}" for name, value in target.items())
    return Act(f"tap({told})", lambda mobile: mobile.tap(by(**target)), event)


def fill(id: str, text: str, holds: str | None = None) -> Act:
    def do(mobile: DeviceSession) -> Expectation:
        return mobile.fill(by(resource_id=id), text)

    return Act(f"fill({id!r}, {text!r})", do, holds=(id, text if holds is None else holds))


def adjust(id: str, to: float, holds: tuple[str, str]) -> Act:
    return Act(
        f"adjust({id!r}, {to!r})", lambda mobile: mobile.adjust(by(resource_id=id), to), holds=holds
    )


def select(id: str, option: str, holds: tuple[str, str]) -> Act:
    return Act(
        f"select({id!r}, {option!r})",
        lambda mobile: mobile.select(by(resource_id=id), option),
        holds=holds,
    )


SCROLL = Act("scroll('down')", lambda mobile: mobile.scroll("down"))
BACK = Act("back()", lambda mobile: mobile.back())
ACROSS = Act("rotate('landscape')", lambda mobile: mobile.rotate("landscape"))
UPRIGHT = Act("rotate('portrait')", lambda mobile: mobile.rotate("portrait"))


def scroll_to(direction: Literal["down", "right"], **target: Any) -> Act:
    told = f"scroll_to({target}, {direction!r})"
    return Act(told, lambda mobile: mobile.scroll_to(by(**target), direction=direction))


@dataclass(frozen=True)
class Station:
    """``loses`` marks an exhibit that swallows taps by itself; ``never`` is an expression for
    events that no action here asks for."""

    link: str
    acts: tuple[Act, ...]
    loses: bool = False
    never: str = ""


STATIONS = (
    Station("counter", (tap(r"tap \d", text="Tap"),)),
    Station("lost-tap", (tap(r"unlock tap", text="Unlock"),), loses=True),
    Station("place-order", (tap(r"order \d+ placed", text="Place order"),)),
    Station("place-order?delay=300", (tap(r"order \d+ placed", text="Place order"),)),
    Station("silent-order", (tap(r"order \d+ placed", text="Place order"),)),
    Station(
        "look-alikes",
        (tap(r"bought chair", text="Buy", row_with=by(text="Oak")),),
        never=r"\((?!Oak)",
    ),
    Station("look-alikes?twins=2", (tap(r"bought chair", text="Buy"),), never="bought"),
    Station(
        "inserting-list?every=700",
        (tap(r"opened message", text="Message 3"),),
        never=r"message (?!3$)",
    ),
    Station("long-list", (tap(r"chose row", text="Row 4"), SCROLL), never=r"row (?!4$)"),
    Station(
        "side-scroller",
        (
            tap("filter Wool", text="Wool"),
            scroll_to("right", text="Wool"),
            scroll_to("down", text="Wool"),
        ),
        never="filter (?!Wool)",
    ),
    Station("moving-button?lasts=800", (tap("caught", text="Catch me"),)),
    Station("layout-shift?delay=400", (tap("pressed", text="Keep"),), never="delete"),
    Station("overlay?lasts=700", (tap("paid", text="Pay"),), never="sheet-in-app"),
    Station("overlay?lasts=0", (tap("paid", text="Pay"),), never="sheet|paid"),
    Station("bottom-bar", (tap("pressed accept", text="Accept"), tap("pressed help", text="Help"))),
    Station("toasts", (tap("archived", text="Archive"), tap("next", text="Next"))),
    Station(
        "snackbar?lasts=900",
        (tap("archived", text="Archive"), tap("next", text="Next")),
        never="undone",
    ),
    Station("endless-spinner", (tap("went on", text="Go on"),)),
    Station("clock?every=300", (tap("kept", text="Keep"),)),
    Station("restless-form?every=200", (tap("sent", text="Send"),)),
    Station("carousel?every=900", (tap("took", text="Mug"),), never="took the (?!mug)"),
    Station("late-button?delay=700", (tap("agreed", text="Agree"),)),
    Station("late-button?delay=0", (tap("agreed", text="Agree"),), never="agreed"),
    Station("late-content?delay=700", (tap("tracked", text="Track"),)),
    Station("flash", (tap("saved", text="Save"),)),
    Station("flip-back?delay=500", (tap("switched on", resource_id="push"),)),
    Station(
        "closing-menu?lasts=400",
        (tap("", description="More options"), tap("order By", text="By name")),
    ),
    Station("permission-question", (tap("", text="Where am I?"),), never="location allowed"),
    Station("system-notice?delay=200", (tap(r"tap \d", text="Tap"),)),
    Station("surprise-dialogs?seed=3", (tap("worked", text="Work"),), never="^rated"),
    Station("surprise-dialogs?seed=8", (tap("worked", text="Work"),), never="^rated"),
    Station("same-label?delay=400", (tap(r"agreed \d", text="OK"),)),
    Station(
        "tall-row",
        (scroll_to("down", text="Signed, the editors"), scroll_to("down", text="Paid"), SCROLL),
    ),
    Station(
        "equal-lists",
        (scroll_to("down", text="Right 30"), tap("chose left 2", text="Left 2")),
        never="right",
    ),
    Station("bare-cards", (tap("", text="Arrived"), tap("", text="Rename"))),
    Station(
        "bare-cards",
        (tap("", text="Arrived"), tap("cancelled table", text="Cancel", row_with=by(text="Table"))),
        never="cancelled (?!table)",
    ),
    Station(
        "sheet-in-app",
        (tap("", text="Share"), tap("copied", text="Copy link"), tap("", text="Close")),
    ),
    Station("loading-veil?lasts=700", (tap("refreshing", text="Refresh"),)),
    Station("loading-veil?lasts=0", (tap("refreshing", text="Refresh"),)),
    Station("survey", (tap(r"step \d done", text="Continue"),), never="took part|did not"),
    Station("stepped-slider", (adjust("slider", 70, ("result", "Up to £70")),)),
    Station("stepper", (adjust("guests", 5, ("result", "A table for 5")),)),
    Station("dropdown", (select("size", "Large", ("result", "A large one")),)),
    Station("segments", (tap("span Month", text="Month"), tap("span Day", text="Day"))),
    Station("dropping-field", (fill("name", "Ada Lovelace"),)),
    Station("dropping-field?lost=9999", (fill("name", "Ada"),)),
    Station("limited-field", (fill("nickname", "Grace"), fill("nickname", "Grace Hopper"))),
    Station("autocorrect-field", (fill("note", "teh end"), fill("note", "the end"))),
    Station("hint-field", (fill("empty_city", "City"),)),
    Station("masked-field", (tap("password wrong", resource_id="open"),)),
    Station("web-page", (tap("asked", text="Ask"),)),
    Station(
        "rotation", (tap("", text="Letter from Ada"), tap("replied", text="Reply"), ACROSS, UPRIGHT)
    ),
    Station("slow-dump?delay=2", (tap(r"tap \d", text="Tap"),)),
    Station("stale-dump", (tap(r"tap \d", text="Tap"),)),
    Station("truncated-dump?lasts=500", (tap(r"tap \d", text="Tap"),)),
    Station("no-dump?lasts=500", (tap(r"tap \d", text="Tap"),)),
    Station("backend?delay=300", (tap("--> GET", text="Load"),)),
    Station("failing-backend?delay=300", (tap("--> GET", text="Load"),)),
    Station("silent-backend?delay=300", (tap("--> GET", text="Load"),)),
    Station("hang?lasts=1500", (tap("sorting", text="Sort"), tap(r"tap \d", text="Tap"))),
    Station("crash", (tap("crashing", text="Weigh"),)),
    Station("background-crash?delay=300", (tap("synchronising", text="Synchronise"),)),
    Station("offline?lasts=700", (tap("sent|will be", text="Send"), BACK)),
    Station("file-import", (tap("file", text="Import"),)),
)

ALIEN = (
    "Unlocked",
    "Orders: 1",
    "Orders: 9",
    "Tapped 1 times",
    "Tapped 2 times",
    "Saved",
    "Sent",
    "Paid 1 times",
    "Pressed keep",
    "Pressed delete",
    "Bought the chair of oak",
    "Caught 1 times",
    "Two parcels are on their way",
    "Could not load",
    "Archived",
    "Agreed 1 times",
    "Step 2 of 3",
    "Message 3",
    "Row 4",
    "Up to £70",
    "Hello, Ada",
    "Battery low",
    "Do you like the lab?",
    "No connection",
    "Nobody says this",
)
"""What some screen may say at some time: true here and there, false most of the time."""

TITLES = (
    "Counter",
    "Lost tap",
    "Place order",
    "Order without feedback",
    "Crash on tap",
    "Lab",
    "Toast over a button",
)
