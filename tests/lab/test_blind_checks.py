"""Two hundred checks of the demo apps, half of them untrue, written from the documents alone.

Whoever wrote them knew what the documents say of the lab, the shop and the checks, and not how any
of it is made. A true one has to hold. A false one says what the app does not do, or what the
documents call undecidable, and must never hold. Waits pass on the phone's own clock, so that they
take no time here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import pytest

from pytest_replicant import (
    DeviceError,
    DeviceSession,
    Element,
    Expectation,
    ExpectationFailed,
    Screen,
    Secret,
    UsageError,
    by,
)
from pytest_replicant.drivers import Platform
from pytest_replicant.testing import virtual_session

from .exhibits_shown import SHOWN, Visit

pytestmark = pytest.mark.ci

LAB, SHOP = "dev.replicant.lab", "dev.replicant.shop"
Check = Callable[[DeviceSession], object]

NO_LOG = "an iPhone gives no log"
NO_CRASHES = "an iPhone reports no crashes"
NO_ACTIVITY = "an iPhone's app has no activities"
NO_SCRIM = "WebDriverAgent does not report which containers take touches"
NO_HINTS = "before Android 8 an empty field shows its hint as its text"
CHOSEN_IS_CHECKED = "on an iPhone the one chosen of several is checked as well"


class Case(NamedTuple):
    """One check, at a link of the lab or in the shop; ``not_asked`` says why it is not asked on an
    iPhone."""

    place: str
    what: str
    check: Check
    error: type[Exception] | None = None
    not_asked: str = ""

    @property
    def name(self) -> str:
        return f"{self.place}: {self.what}"


def yes(place: str, what: str, check: Check, not_asked: str = "") -> Case:
    return Case(place, what, check, None, not_asked)


def no(
    place: str,
    what: str,
    check: Check,
    not_asked: str = "",
    error: type[Exception] = ExpectationFailed,
) -> Case:
    return Case(place, what, check, error, not_asked)


def see(mobile: DeviceSession, label: str) -> Element:
    return mobile.find(text=label)


def tap(mobile: DeviceSession, first: str, *others: str) -> Expectation:
    outcome = mobile.tap(text=first)
    for label in others:
        outcome = mobile.tap(text=label)
    return outcome


def touch(mobile: DeviceSession) -> Expectation:
    """A tap on a text that does nothing."""
    return mobile.tap(resource_id="summary")


def fill(mobile: DeviceSession, label: str, value: str | Secret) -> Expectation:
    return mobile.fill(text=label, value=value)


def ada(mobile: DeviceSession) -> Expectation:
    """More than goes in; ``silent``, as the action would say so already."""
    return mobile.fill(text="Nickname", value="Ada Lovelace", silent=True)


def opened(mobile: DeviceSession, password: str) -> Expectation:
    fill(mobile, "Password", password)
    return tap(mobile, "Open")


def empty(mobile: DeviceSession) -> list[Element]:
    return mobile.find_all(text="Empty")


def counter(mobile: DeviceSession) -> Expectation:
    return mobile.open_url("lab://counter", LAB)


def drag_books(mobile: DeviceSession) -> Expectation:
    return mobile.drag(by(text="Books"), by(text="Berlin"))


def banner(mobile: DeviceSession) -> Element:
    return mobile.wait_for(text_contains="free delivery", timeout=3)


def denied(mobile: DeviceSession) -> Expectation:
    mobile.tap(WHERE)
    return mobile.answer_permission("deny")


def unreadable(mobile: DeviceSession, exhibit: str) -> DeviceSession:
    """On a screen that no look shows; ``silent``, as the action would fail by that already."""
    mobile.open_url(f"lab://{exhibit}?lasts=0", LAB, silent=True)
    return mobile


def signed_in(mobile: DeviceSession) -> DeviceSession:
    fill(mobile, "Email", "ada@example.com")
    fill(mobile, "Password", Secret("correct horse"))
    tap(mobile, "Sign in")
    mobile.wait_for(text="Welcome, Ada")
    return mobile


def red_mug(mobile: DeviceSession) -> Expectation:
    return signed_in(mobile).tap(text="Add", row_with=by(text="Red mug"))


def at_checkout(mobile: DeviceSession) -> DeviceSession:
    red_mug(mobile)
    tap(mobile, "Cart, 1 item", "Check out")
    return mobile


OAK, LAMP = by(text="Buy", row_with=by(text="Oak")), by(text="Cancel", row_with=by(text="Lamp"))
CAT, INNER, FILTERS = by(text="Feed the cat"), by(resource_id="inner"), by(resource_id="filters")
WHERE, PLUS, RESULT = by(text="Where am I?"), by(resource_id="plus"), by(resource_id="result")
PUSH, PUSH_ON = by(resource_id="push"), by(resource_id="push", checked=True)
BRIGHT, SLIDER, SIZE = by(text_contains="Brightness, "), by(role="slider"), by(resource_id="size")
STRANGE = by(android=by(class_name="XCUIElementTypeSlider"), ios=by(class_name="SeekBar"))
ELSEWHERE = by(
    text="Oak",
    android=by(class_name="XCUIElementTypeCell"),
    ios=by(class_name="android.widget.Button"),
)
NAME = by(resource_id="name")
OPEN, LONGER = Secret("open sesame"), Secret("open sesame!")
TAP, BUY, PAY = by(text="Tap"), by(text="Buy"), by(text="Pay")
LEFT, EMPTY, COUNT = by(resource_id="left"), by(resource_id="empty_city"), by(resource_id="count")
TOAST, STANDARD, QUESTION = (
    by(text="Archived one message"),
    by(text="Standard"),
    by(text_matches="location|位置"),
)
INVOICE, MAP = by(text_contains="Invoice"), by(text_contains="Map,")
ON_THEIR_WAY = by(text_contains="on their way")

ROWS = (
    yes("look-alikes", "the button of one row", lambda m: m.expect_visible(OAK)),
    yes("look-alikes", "eight buttons", lambda m: m.expect_count(8, text="Buy")),
    yes("look-alikes", "nothing is for sale", lambda m: m.expect_count(0, text="Sell")),
    yes(
        "look-alikes",
        "oak bought",
        lambda m: m.tap(OAK).expect_visible(text="Bought the chair of oak"),
    ),
    yes("look-alikes", "no more nothing", lambda m: m.tap(OAK).expect_gone(text="Nothing yet")),
    no("look-alikes", "oak is there", lambda m: m.expect_gone(text="Oak")),
    no("look-alikes", "case counts", lambda m: m.expect_visible(text="oak")),
    no(
        "look-alikes",
        "no such row",
        lambda m: m.expect_visible(text="Buy", row_with=by(text="Plum")),
    ),
    no(
        "look-alikes", "row misspelt", lambda m: m.expect_gone(text="Buy", row_with=by(text="Plum"))
    ),
    no(
        "look-alikes",
        "part misspelt",
        lambda m: m.expect_gone(text="Plum", within=by(text="Shelf")),
    ),
    no(
        "look-alikes",
        "anchor misspelt",
        lambda m: m.expect_count(0, text="Sell", near=by(text="Shelf")),
    ),
    no(
        "look-alikes",
        "another wood",
        lambda m: m.tap(OAK).expect_visible(text="Bought the chair of pine"),
    ),
    no("look-alikes", "bought nothing", lambda m: m.tap(OAK).expect_unchanged()),
    yes("bare-cards", "four orders", lambda m: m.expect_count(4, text="Cancel", timeout=0.3)),
    yes("bare-cards", "lamp arrived", lambda m: tap(m, "Arrived").expect_gone(text="Lamp")),
    yes(
        "bare-cards",
        "a row that left",
        lambda m: (see(m, "Lamp"), tap(m, "Arrived").expect_gone(LAMP)),
    ),
    no(
        "bare-cards",
        "another card",
        lambda m: (b := m.find(LAMP), tap(m, "Arrived").expect_visible(b)),
    ),
    no("bare-cards", "seen before only", lambda m: tap(m, "Arrived").expect_seen(text="Lamp")),
    yes(
        "inserting-list?most=1&every=300",
        "new",
        lambda m: m.expect_visible(text="Message 6", timeout=3),
    ),
    no(
        "inserting-list?every=300",
        "five stay",
        lambda m: m.expect_count(5, text_contains="Message ", stays=2),
    ),
    yes("long-list?rows=3", "three rows", lambda m: m.expect_count(3, text_matches=r"^Row \d+$")),
    yes(
        "long-list",
        "scrolled to",
        lambda m: m.scroll_to(text="Row 40").expect_visible(text="Row 40"),
    ),
    no("long-list", "far below", lambda m: m.expect_visible(text="Row 40")),
    no(
        "long-list",
        "out of view",
        lambda m: (see(m, "Row 1"), m.scroll("down").expect_gone(text="Row 1")),
    ),
    yes(
        "pull-to-refresh?delay=9",
        "renewed",
        lambda m: m.scroll("up").expect_visible(text="Renewed 1 times"),
    ),
    yes(
        "nested-scrollers",
        "inner row",
        lambda m: m.expect_visible(text="Inner row 1", within=INNER),
    ),
    no(
        "nested-scrollers",
        "outer in inner",
        lambda m: m.expect_visible(text="Outer row 1", within=INNER),
    ),
    no("side-scroller", "to the right", lambda m: m.expect_visible(text="Wool")),
    no(
        "side-scroller",
        "to the left",
        lambda m: m.scroll("right", FILTERS).expect_gone(text="Brass"),
    ),
    yes(
        "equal-lists",
        "and not right",
        lambda m: m.within(resource_id="left").expect_gone(text="Right 3"),
    ),
    no("equal-lists", "not right", lambda m: m.within(LEFT).expect_visible(text="Right 3")),
    no(
        "equal-lists",
        "right has it",
        lambda m: m.within(resource_id="right").expect_gone(text="Right 3"),
    ),
    yes("drop-zones", "dropped", lambda m: drag_books(m).expect_count(2, text="Empty")),
    no(
        "reorder",
        "the same order",
        lambda m: m.drag(by(text="Move Buy milk"), CAT).expect_unchanged(),
    ),
    yes("look-alikes", "activity", lambda m: m.expect_screen("LookAlikes"), NO_ACTIVITY),
    yes(
        "look-alikes",
        "activity as in the lab's table",
        lambda m: m.expect_screen(".LookAlikes"),
        NO_ACTIVITY,
    ),
    yes("look-alikes", "within a text", lambda m: m.expect_gone(text="Oak", within=RESULT)),
    yes("look-alikes", "no time, a whole window", lambda m: m.expect_gone(text="Plum", timeout=0)),
    no("look-alikes", "no such ref", lambda m: m.expect_gone("z999"), error=UsageError),
    no("look-alikes", "only dots", lambda m: m.expect_outline("..."), error=UsageError),
    no("look-alikes", "another app's class", lambda m: m.expect_gone(STRANGE), error=UsageError),
    no("look-alikes", "another app's kind", lambda m: m.expect_count(0, STRANGE), error=UsageError),
    no("look-alikes", "of its screen", lambda m: (e := m.find(OAK), counter(m).expect_visible(e))),
    yes("long-list", "never in sight", lambda m: m.expect_gone(text="Row 400")),
    no("equal-lists", "scrolled", lambda m: m.scroll("down", LEFT).expect_gone(text="Left 1")),
    yes(
        "equal-lists",
        "the other one",
        lambda m: m.scroll("down", LEFT).expect_visible(text="Right 1"),
    ),
    no("drop-zones", "went", lambda m: (e := empty(m)[0], drag_books(m).expect_visible(e))),
)

COVERED = (
    yes("sheet-in-app", "open", lambda m: tap(m, "Share").expect_visible(text="Copy link")),
    yes("sheet-in-app", "closed", lambda m: tap(m, "Share", "Close").expect_gone(text="Copy link")),
    no("sheet-in-app", "covered, not gone", lambda m: tap(m, "Share").expect_gone(text="Pay")),
    no(
        "sheet-in-app",
        "covered, not visible",
        lambda m: tap(m, "Share").expect_visible(text="Pay"),
        NO_SCRIM,
    ),
    yes(
        "overlay?lasts=500",
        "paid",
        lambda m: m.tap(PAY, timeout=3).expect_visible(text="Paid 1 times"),
    ),
    no("overlay?lasts=0", "covered for ever", lambda m: m.expect_gone(text="Pay")),
    yes("bottom-bar", "help", lambda m: tap(m, "Help").expect_visible(text="Pressed help")),
    no("bottom-bar", "under a bar", lambda m: m.expect_gone(text="Accept")),
    yes(
        "loading-veil?lasts=500",
        "less",
        lambda m: tap(m, "Refresh").expect_count(2, INVOICE, timeout=3),
    ),
    no(
        "loading-veil?lasts=0", "veiled", lambda m: tap(m, "Refresh").expect_gone(text="Invoice 11")
    ),
    no(
        "loading-veil?lasts=0",
        "nothing new",
        lambda m: tap(m, "Refresh").expect_gone(text="Invoice 99"),
    ),
    yes("toasts", "a toast", lambda m: tap(m, "Archive").expect_seen(TOAST)),
    no(
        "toasts",
        "another toast",
        lambda m: tap(m, "Archive").expect_seen(text="Deleted one message"),
    ),
    yes(
        "snackbar?lasts=600",
        "is over",
        lambda m: tap(m, "Archive").expect_gone(text="Undo", timeout=3),
    ),
    no("snackbar", "is not gone", lambda m: tap(m, "Archive").expect_gone(text="Next")),
    yes(
        "endless-spinner", "is here", lambda m: m.expect_visible(text="Everything is here", stays=1)
    ),
    no("endless-spinner", "loading", lambda m: m.expect_gone(text="Anything else")),
    yes(
        "clock?every=300",
        "kept",
        lambda m: tap(m, "Keep").expect_visible(text="Kept 1 times", stays=1),
    ),
    yes(
        "carousel?every=0",
        "turned",
        lambda m: m.swipe("left", by(text="Mug")).expect_visible(text="2 of 5"),
    ),
    no("carousel?every=300", "stays", lambda m: m.expect_visible(text="1 of 5", stays=2)),
    no("sheet-in-app", "ref", lambda m: (e := see(m, "Pay"), tap(m, "Share").expect_gone(e))),
    yes(
        "endless-spinner", "a part that is not", lambda m: m.expect_gone(text="Oak", within=RESULT)
    ),
    no(
        "loading-veil?lasts=0",
        "outline",
        lambda m: tap(m, "Refresh").expect_outline(m.snapshot().outline()),
    ),
    no(
        "clock",
        "after a while",
        lambda m: (touch(m), touch(m), touch(m), touch(m).expect_unchanged()),
    ),
    no("moving-button?lasts=0", "circles", lambda m: touch(m).expect_unchanged()),
    yes(
        "layout-shift?delay=300",
        "it moved",
        lambda m: (e := see(m, "Keep"), banner(m), m.expect_visible(e)),
    ),
    no(
        "layout-shift?delay=300",
        "not gone",
        lambda m: (e := see(m, "Keep"), banner(m), m.expect_gone(e)),
    ),
)

LATE = (
    yes(
        "late-content?delay=900",
        "comes",
        lambda m: m.expect_visible(text="Arrives on Friday", timeout=3),
    ),
    no("late-content?delay=5000", "not yet", lambda m: m.expect_visible(text="Arrives on Friday")),
    no(
        "late-content?delay=5000",
        "absence while loading",
        lambda m: m.expect_gone(text="Arrives on Friday"),
    ),
    yes(
        "late-button?delay=0",
        "disabled",
        lambda m: m.expect_state(by(text="Agree"), enabled=False, stays=1),
    ),
    yes(
        "late-button?delay=900",
        "enabled",
        lambda m: m.expect_state(by(text="Agree"), enabled=True, timeout=3),
    ),
    yes(
        "late-button?delay=9",
        "agreed",
        lambda m: tap(m, "Agree").expect_visible(text="Agreed 1 times"),
    ),
    no(
        "late-button?delay=0", "gone disabled", lambda m: m.expect_gone(text="Agree", enabled=False)
    ),
    yes("flash", "was seen", lambda m: tap(m, "Save").expect_seen(text="Saved")),
    yes("flash", "what stays", lambda m: tap(m, "Save").expect_visible(text="Saves: 1", stays=1)),
    no("flash", "does not stay", lambda m: tap(m, "Save").expect_visible(text="Saved", stays=1)),
    yes("flip-back", "off", lambda m: m.expect_state(PUSH, checked=False)),
    yes("flip-back", "on at first", lambda m: m.tap(PUSH).expect_state(checked=True)),
    yes(
        "flip-back?delay=300",
        "off",
        lambda m: m.tap(PUSH).expect_state(checked=False, timeout=3, stays=1),
    ),
    no(
        "flip-back?delay=500",
        "on for good",
        lambda m: m.tap(PUSH).expect_state(checked=True, stays=1),
    ),
    no("flip-back", "not expanded", lambda m: m.expect_state(PUSH, expanded=False)),
    no(
        "closing-menu?lasts=300",
        "stays",
        lambda m: tap(m, "More options").expect_visible(text="By name", stays=1),
    ),
    yes("flip-back", "was on", lambda m: m.tap(PUSH).expect_seen(PUSH_ON)),
)

TAPS = (
    yes(
        "counter",
        "one tap is one",
        lambda m: tap(m, "Tap").expect_state(by(resource_id="count"), text="1"),
    ),
    yes("counter", "title", lambda m: m.expect_screen(Screen("Counter", [], [BUY]))),
    yes("counter", "outline", lambda m: m.expect_outline('...\nButton "Tap"\n"0"')),
    yes("counter", "outline as printed", lambda m: m.expect_outline(m.snapshot().outline())),
    yes(
        "counter",
        "nothing for the dots",
        lambda m: tap(m, "Tap").expect_outline('...\nButton "Tap"\n...\n"1"'),
    ),
    yes(
        "counter", "log", lambda m: tap(m, "Tap").expect_log("tap 1", tag="Lab", level="I"), NO_LOG
    ),
    yes(
        "counter",
        "log, a pattern",
        lambda m: tap(m, "Tap").expect_log(re.compile("tap .$"), app=LAB),
        NO_LOG,
    ),
    yes("counter", "alive", lambda m: tap(m, "Tap").expect_no_crash(LAB), NO_CRASHES),
    yes("counter", "in front", lambda m: tap(m, "Tap").expect_app("foreground", LAB, stays=1)),
    no("counter", "seen before the tap", lambda m: tap(m, "Tap").expect_seen(text="0")),
    no(
        "counter",
        "renamed, not visible",
        lambda m: (e := m.find(COUNT), tap(m, "Tap").expect_visible(e)),
    ),
    no(
        "counter", "renamed, not gone", lambda m: (e := m.find(COUNT), tap(m, "Tap").expect_gone(e))
    ),
    no("counter", "no target", lambda m: m.expect_state(enabled=True), error=UsageError),
    no("counter", "has and has not", lambda m: m.expect_screen(Screen("Counter", [TAP, BUY]))),
    no("counter", "lacks what it has", lambda m: m.expect_screen(Screen("Counter", lacks=[TAP]))),
    no("counter", "order", lambda m: m.expect_outline('...\n"0"\nButton "Tap"')),
    no("counter", "disabled", lambda m: m.expect_outline('...\nButton "Tap" [disabled]\n"0"')),
    no(
        "counter",
        "level",
        lambda m: tap(m, "Tap").expect_log("tap 1", tag="Lab", level="W"),
        NO_LOG,
    ),
    no(
        "counter",
        "an earlier line",
        lambda m: tap(m, "Tap", "Tap").expect_log("tap 1", tag="Lab"),
        NO_LOG,
    ),
    no("counter", "not in front", lambda m: m.home().expect_app("foreground", LAB)),
    no(
        "counter",
        "old",
        lambda m: (o := tap(m, "Tap"), tap(m, "Tap"), o.expect_visible(TAP)),
        error=UsageError,
    ),
    yes("lost-tap", "lost", lambda m: tap(m, "Unlock").expect_unchanged()),
    yes(
        "lost-tap",
        "the second",
        lambda m: tap(m, "Unlock", "Unlock").expect_visible(text="Unlocked"),
    ),
    no("lost-tap", "the first", lambda m: tap(m, "Unlock").expect_visible(text="Unlocked")),
    no(
        "lost-tap?lost=2",
        "the second",
        lambda m: tap(m, "Unlock", "Unlock").expect_gone(text="Locked"),
    ),
    yes(
        "place-order",
        "one order",
        lambda m: tap(m, "Place order").expect_visible(text="Orders: 1", stays=1),
    ),
    yes("silent-order", "no word", lambda m: tap(m, "Place order").expect_unchanged()),
    no("silent-order", "a word", lambda m: tap(m, "Place order").expect_changed()),
    yes("counter", "at home", lambda m: m.home().expect_app("background", LAB)),
    no(
        "counter",
        "no app",
        lambda m: m.expect_app("stopped", "dev.replicant.labs"),
        error=UsageError,
    ),
    no("counter", "of the system", lambda m: counter(m).expect_log("Displayed", app=LAB), NO_LOG),
    no("counter", "another title", lambda m: m.expect_outline('Lost tap\n...\nButton "Tap"\n"0"')),
)

DIALOGS = (
    yes("permission-question", "asked", lambda m: m.tap(WHERE).expect_visible(QUESTION)),
    yes(
        "permission-question", "denied", lambda m: denied(m).expect_visible(text="We may not know")
    ),
    no("permission-question", "below", lambda m: m.tap(WHERE).expect_visible(WHERE)),
    no("permission-question", "not gone", lambda m: m.tap(WHERE).expect_gone(WHERE)),
    no(
        "permission-question",
        "never seen",
        lambda m: m.tap(WHERE).expect_gone(text="Anything else"),
    ),
    yes(
        "survey?delay=1",
        "counted",
        lambda m: tap(m, "Continue", "No, thanks").expect_visible(text="Step 2 of 3"),
    ),
    no(
        "survey?delay=1",
        "its ref",
        lambda m: (
            tap(m, "Continue"),
            e := see(m, "Take part"),
            tap(m, "No, thanks").expect_visible(e),
        ),
    ),
    no(
        "permission-question",
        "lacks",
        lambda m: m.tap(WHERE).expect_screen(Screen("asked", [QUESTION], [BUY])),
    ),
    no(
        "permission-question",
        "ref",
        lambda m: (e := see(m, "Nothing yet"), m.tap(WHERE).expect_gone(e)),
    ),
    yes(
        "permission-question",
        "on itself",
        lambda m: m.tap(WHERE).expect_gone(text="Oak", within=QUESTION),
    ),
    yes(
        "survey?delay=1",
        "title",
        lambda m: tap(m, "Continue").expect_visible(text="How are we doing?"),
    ),
    no("survey?delay=1", "below", lambda m: tap(m, "Continue").expect_gone(text="Step 2 of 3")),
)

VALUES = (
    yes("stepped-slider", "forty", lambda m: m.expect_state(SLIDER, value=40)),
    yes("stepped-slider", "about", lambda m: m.expect_state(SLIDER, value=41, tolerance=1)),
    yes("stepped-slider", "set", lambda m: m.adjust(SLIDER, to=30).expect_state(value=30)),
    no("stepped-slider", "too far", lambda m: m.expect_state(SLIDER, value=41, tolerance=0.5)),
    no("silent-slider", "unknown", lambda m: m.expect_state(SLIDER, value=50)),
    yes(
        "vertical-slider",
        "upright",
        lambda m: m.adjust(SLIDER, to=60).expect_visible(text="Volume 60"),
    ),
    no("spoken-control", "no value", lambda m: m.expect_state(BRIGHT, value=40)),
    yes("stepper?most=2", "the end", lambda m: m.expect_state(PLUS, enabled=False)),
    yes("halves", "spoken", lambda m: m.expect_count(1, text_matches=r"^Heating, \d+ degrees$")),
    yes("dropdown", "small", lambda m: m.expect_state(SIZE, value="Small")),
    yes("dropdown", "chosen", lambda m: m.select(SIZE, "Large").expect_state(value="Large")),
    yes("segments", "chosen", lambda m: tap(m, "Day").expect_state(selected=True)),
    yes("segments", "only one", lambda m: tap(m, "Day").expect_count(1, selected=True)),
    no("segments", "not this", lambda m: m.expect_state(by(text="Day"), selected=True)),
    no(
        "segments",
        "never checked",
        lambda m: m.expect_state(by(text="Week"), checked=True),
        CHOSEN_IS_CHECKED,
    ),
)

FIELDS = (
    yes(
        "limited-field",
        "typed",
        lambda m: fill(m, "Nickname", "Ada").expect_state(text="Ada", value="Ada"),
    ),
    yes("limited-field", "cut", lambda m: ada(m).expect_state(text="Ada Love")),
    no(
        "limited-field", "no label", lambda m: fill(m, "Nickname", "Ada").expect_visible(text="Ada")
    ),
    yes("hint-field", "empty", lambda m: m.expect_state(EMPTY, text=""), NO_HINTS),
    no("hint-field", "a hint is no text", lambda m: m.expect_state(EMPTY, text="City"), NO_HINTS),
    yes(
        "masked-field",
        "opens",
        lambda m: opened(m, "open sesame").expect_state(RESULT, text="Open"),
    ),
    no(
        "masked-field",
        "as long",
        lambda m: fill(m, "Password", OPEN).expect_state(text="shut sesame"),
    ),
    yes(
        "autocorrect-field",
        "corrected",
        lambda m: m.fill(text="Note", value="teh cat", silent=True).expect_state(text="the cat"),
    ),
    yes(
        "dropping-field",
        "whole",
        lambda m: m.fill(NAME, "Ada Lovelace").expect_state(text="Ada Lovelace"),
    ),
    yes(
        "web-page",
        "in the page",
        lambda m: m.within(text="Help").expect_visible(text="How can we help?"),
    ),
    yes("limited-field", "touched", lambda m: tap(m, "Nickname").expect_changed()),
    no("limited-field", "untouched", lambda m: tap(m, "Nickname").expect_unchanged()),
    no(
        "limited-field",
        "keyboard goes",
        lambda m: (tap(m, "Nickname"), m.hide_keyboard().expect_unchanged()),
    ),
    yes("masked-field", "empty", lambda m: m.expect_state(by(text="Password"), text=""), NO_HINTS),
    yes("masked-field", "secret", lambda m: fill(m, "Password", OPEN).expect_state(text=OPEN)),
    no("masked-field", "longer", lambda m: fill(m, "Password", OPEN).expect_state(text=LONGER)),
)

UNREADABLE = (
    yes("deep-screen", "present", lambda m: m.expect_visible(text="Tap")),
    yes(
        "deep-screen",
        "element",
        lambda m: m.tap(m.find_all(TAP)[0]).expect_visible(text="Tapped 1 times"),
    ),
    no("deep-screen", "nothing is gone", lambda m: m.expect_gone(text="Anything else")),
    no("deep-screen", "not one", lambda m: m.expect_count(1, text="Tap")),
    no(
        "deep-screen",
        "unchanged",
        lambda m: m.tap(m.find_all(resource_id="summary")[0]).expect_unchanged(),
    ),
    no(
        "counter",
        "half is not read",
        lambda m: unreadable(m, "truncated-dump").expect_gone(BUY),
        error=DeviceError,
    ),
    no(
        "counter",
        "not read",
        lambda m: unreadable(m, "no-dump").expect_gone(BUY),
        error=DeviceError,
    ),
    yes("slow-dump", "in the end", lambda m: m.expect_visible(text="Tapped 0 times")),
    yes(
        "stale-dump",
        "looks again",
        lambda m: tap(m, "Tap").expect_visible(text="Tapped 1 times", timeout=2),
    ),
    yes(
        "bare-canvas",
        "touched",
        lambda m: m.tap_at(500, 900).expect_visible(text="Touched 1 times"),
    ),
    no("pinch-map", "a tap is none", lambda m: m.double_tap(MAP).expect_changed()),
    no("deep-screen", "lacks", lambda m: m.expect_screen(Screen("deep", [TAP], [BUY]))),
    no("stale-dump", "no tap", lambda m: tap(m, "Tap").expect_gone(text="Tapped 1 times")),
    no("slow-dump", "no tap", lambda m: tap(m, "Tap").expect_visible(text="Tapped 0 times")),
)

FAILURES = (
    yes("backend", "content", lambda m: tap(m, "Load").expect_visible(ON_THEIR_WAY, timeout=3)),
    yes(
        "failing-backend",
        "says so",
        lambda m: tap(m, "Load").expect_visible(text="Could not load", timeout=3),
    ),
    yes("silent-backend", "no word", lambda m: tap(m, "Load").expect_unchanged()),
    yes(
        "silent-backend",
        "only the log",
        lambda m: tap(m, "Load").expect_log("500", timeout=3),
        NO_LOG,
    ),
    yes("crash", "dead", lambda m: tap(m, "Weigh").expect_app("stopped", LAB)),
    no("crash", "no crash", lambda m: tap(m, "Weigh").expect_no_crash(), NO_CRASHES),
    yes(
        "background-crash?delay=900",
        "dies",
        lambda m: tap(m, "Synchronise").expect_app("stopped", timeout=3),
    ),
    no(
        "background-crash?delay=1",
        "no crash",
        lambda m: tap(m, "Synchronise").expect_no_crash(),
        NO_CRASHES,
    ),
    yes("offline?lasts=900", "back", lambda m: m.expect_gone(text="No connection", timeout=4)),
    yes("rotation", "across", lambda m: m.rotate("landscape").expect_visible(text="Reply")),
    yes(
        "crash",
        "another app",
        lambda m: tap(m, "Weigh").expect_no_crash("com.replicant.launcher"),
        NO_CRASHES,
    ),
)

SHOPPING = (
    yes("shop", "title", lambda m: m.expect_screen("Sign in", stays=1)),
    yes("shop", "checked", lambda m: tap(m, "Remember me").expect_state(checked=True, stays=1)),
    yes("shop", "signed in", lambda m: signed_in(m).expect_screen("Catalogue")),
    yes("shop", "toast", lambda m: red_mug(m).expect_seen(text="Added Red mug to cart")),
    yes("shop", "express", lambda m: tap(at_checkout(m), "Express").expect_state(checked=True)),
    no("shop", "two items", lambda m: red_mug(m).expect_visible(text="Cart, 2 items")),
    no("shop", "another toast", lambda m: red_mug(m).expect_seen(text="Added Blue mug to cart")),
    no(
        "shop",
        "one choice",
        lambda m: tap(at_checkout(m), "Express").expect_state(STANDARD, checked=True),
    ),
    no(
        "shop",
        "below a dialog",
        lambda m: tap(at_checkout(m), "Place order").expect_gone(text="Express"),
    ),
)

CASES = (
    *ROWS,
    *COVERED,
    *LATE,
    *TAPS,
    *DIALOGS,
    *VALUES,
    *FIELDS,
    *UNREADABLE,
    *FAILURES,
    *SHOPPING,
)
TRUE, FALSE = (
    [one for one in CASES if one.error is None],
    [one for one in CASES if one.error is not None],
)
for one in CASES:
    if one.place != "shop":
        SHOWN.setdefault(one.place.partition("?")[0], set()).add(
            "refutes" if one.error else "proves"
        )
# One read more decides nothing here, so the waits are short, and a question is left to the case
# that asks for it.
QUICKLY: dict[str, Any] = {
    "action_timeout": 0.6,
    "expect_timeout": 0.5,
    "read_on": 0,
    "permission_prompts": "leave",
}


def params(cases: list[Case]) -> list[Any]:
    """The shop is on a phone of its own each time, which takes longer."""
    return [
        pytest.param(one, id=one.name, marks=[pytest.mark.slow] * (one.place == "shop"))
        for one in cases
    ]


@contextmanager
def session_at(case: Case, visit: Visit, platform: Platform) -> Iterator[DeviceSession]:
    if case.not_asked and case.not_asked != NO_HINTS and platform != "android":
        pytest.skip(case.not_asked)
    if case.place != "shop":
        mobile = visit(case.place, **QUICKLY)
        if (
            case.not_asked == NO_HINTS
            and platform == "android"
            and int(mobile.info.os_version.split(".")[0]) < 8
        ):
            pytest.skip(NO_HINTS)
        yield mobile
        return
    with virtual_session(SHOP, platform=platform, **QUICKLY) as mobile:
        yield mobile


@pytest.mark.parametrize("case", params(TRUE))
def test_what_is_true_holds(case: Case, visit: Visit, platform: Platform) -> None:
    with session_at(case, visit, platform) as mobile:
        case.check(mobile)


@pytest.mark.parametrize("case", params(FALSE))
def test_what_is_false_never_holds(case: Case, visit: Visit, platform: Platform) -> None:
    assert case.error is not None
    with session_at(case, visit, platform) as mobile, pytest.raises(case.error):
        case.check(mobile)


def test_there_are_two_hundred_checks_and_half_of_them_are_false() -> None:
    assert len(CASES) >= 200
    assert len({one.name for one in CASES}) == len(CASES)
    assert abs(len(TRUE) - len(FALSE)) <= len(CASES) // 20
