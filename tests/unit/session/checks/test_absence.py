"""Absence needs a target that could have been there, on a screen that would show it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from functools import partial
from typing import Any

import pytest

from pytest_replicant import (
    ActionFailed,
    DeviceSession,
    Expectation,
    ExpectationFailed,
    Screen,
    UsageError,
    by,
)
from pytest_replicant import check as own_check
from pytest_replicant.drivers import Platform
from pytest_replicant.model import Selector
from pytest_replicant.snapshots import Snapshot
from pytest_replicant.testing import virtual_session
from pytest_replicant.virtual import (
    Button,
    Canvas,
    Column,
    Dialog,
    DialogButton,
    RecyclerList,
    Row,
    RunningApp,
    Stack,
    Text,
    Widget,
)
from pytest_replicant.virtual import Screen as AppScreen

from ..on_phone import QUICK, Page, page_on, trial

ROWS = by(resource_id="rows")
Shop = RunningApp[dict[str, Any]]


class Rows(AppScreen[dict[str, Any]]):
    """Rows that can be removed, in a list that scrolls; a sheet of its window that covers them; and
    loading."""

    title = "Rows"

    def build(self, app: Shop) -> Widget:
        state = app.state

        def put(**values: object) -> Callable[[], None]:
            return lambda: state.update(values)

        def load() -> None:
            state.update(loading=True)
            app.after(800, lambda: state.update(loading=False))

        def ask() -> None:
            app.after(
                600,
                lambda: app.show(Dialog("Really?", "Everything goes", (DialogButton("Rename"),))),
            )

        def row(number: int) -> Widget:
            remove = Button(
                f"Remove {number}", on_click=put(removed={*state.get("removed", ()), number})
            )
            return Row(
                [Text(f"Row {number}"), Text(f"worth {number * 17}"), remove],
                id=f"row{number}",
                key=str(number),
                padding=20,
            )

        bar = Row(
            [
                Button("Cover", on_click=put(covered=True)),
                Button("Load", on_click=load),
                Button("Ask", on_click=ask),
                Button(state.get("name", "Rename"), id="name", on_click=put(name="Renamed")),
            ],
            id="bar",
        )
        if state.get("loading"):
            return Column([bar, Text("Loading…")], id="page")
        rows = [row(number) for number in range(40) if number not in state.get("removed", ())]
        page = Column(
            [bar, RecyclerList(rows, id="rows", height="fill", width="fill")],
            height="fill",
            width="fill",
        )
        if not state.get("covered"):
            return page
        sheet = Column(
            [Text("Choose a colour"), Button("Close", on_click=put(covered=False))],
            id="sheet", width="fill", height="fill", background="#ffffff", on_click=lambda: None,
        )  # fmt: skip
        return Stack([page, sheet], width="fill", height="fill")


def on_phone(platform: Platform) -> AbstractContextManager[DeviceSession]:
    return virtual_session(
        trial(Rows),
        platform=platform,
        **{**QUICK, "expect_timeout": 1.5, "window": 0.3, "read_on": 0},
    )


@pytest.fixture(params=["android", "ios"])
def mobile(request: pytest.FixtureRequest) -> Iterator[DeviceSession]:
    with on_phone(request.param) as session:
        session.snapshot()
        yield session


def claims(on: DeviceSession, what: dict[str, Any]) -> list[Callable[[], object]]:
    """Every check of the absence of something."""
    return [
        lambda: on.expect_gone(**what),
        lambda: on.expect_count(0, **what),
        lambda: on.expect_screen(Screen("Rows", lacks=[by(**what)])),
    ]


def absent(on: DeviceSession, **what: Any) -> None:
    for claim in claims(on, what):
        claim()


def not_absent(on: DeviceSession, says: str, **what: Any) -> None:
    for claim in claims(on, what):
        with pytest.raises(ExpectationFailed, match=says):
            claim()


def test_a_row_that_was_removed_is_gone(mobile: DeviceSession) -> None:
    """In whatever way it is named: by itself, or by what went with it."""
    mobile.expect_visible(text="Row 3").tap(text="Remove 3")
    absent(mobile, text="Row 3")
    absent(mobile, text="Remove 3", row_with=by(text="Row 3"))
    absent(mobile, text_contains="worth", within=by(resource_id="row3"))


def test_what_was_scrolled_out_of_view_is_not_gone(mobile: DeviceSession) -> None:
    mobile.scroll("down")
    not_absent(mobile, "scrolled out of view", text="Row 0")
    mobile.scroll("up")
    mobile.expect_visible(text="Row 0").tap(text="Remove 0")
    absent(mobile, text="Row 0")  # seen since it was scrolled, and not scrolled since
    mobile.scroll_to(text="Row 30")
    absent(mobile, text="Row 0")  # known to be gone, though its place is out of view by now


def test_what_loads_may_still_come(mobile: DeviceSession) -> None:
    mobile.tap(text="Load", silent=True)
    with pytest.raises(ExpectationFailed, match="the screen is loading"):
        mobile.expect_gone(text="Row 5", timeout=0.2)
    mobile.expect_gone(text="Loading…").expect_visible(text="Row 5")
    mobile.tap(text="Load", silent=True)
    mobile.expect_gone(text="Row 5", within=by(resource_id="bar"))  # nothing loads there


@pytest.mark.parametrize(
    "what",
    [
        {"within": by(resource_id="rwos")},
        {"near": by(text="Rwo 1")},
        {"row_with": by(text="Rwo 1")},
    ],
    ids=["container", "neighbour", "row"],
)
def test_nothing_is_proven_by_a_container_or_an_anchor_that_never_was(
    mobile: DeviceSession, what: dict[str, Any]
) -> None:
    not_absent(mobile, "is not on this screen, and was not before", text="Row 99", **what)
    absent(mobile, text="Row 99", within=by(resource_id="rows"))


def test_what_can_match_nothing_on_this_platform_is_a_wrong_call(mobile: DeviceSession) -> None:
    android = mobile.platform == "android"
    other = Selector(ios=ROWS) if android else Selector(android=ROWS)
    foreign = "XCUIElementTypeButton" if android else "android.widget.Button"
    whats: list[dict[str, Any]] = [
        {"ios" if android else "android": by(text="Row 0")},
        {"text": "Row 99", "within": other},
        {"class_name": foreign},
    ]
    for claim in (claim for what in whats for claim in claims(mobile, what)):
        with pytest.raises(UsageError, match=f"can match nothing on {mobile.platform}"):
            claim()
    absent(mobile, android=by(text="Row 99"), ios=by(text="Row 99"))


def test_a_ref_of_what_was_renamed_is_neither_visible_nor_gone(mobile: DeviceSession) -> None:
    ref = mobile.snapshot().ref(resource_id="name")
    mobile.tap(ref)
    for check in (mobile.expect_visible, mobile.expect_gone):
        with pytest.raises(
            ExpectationFailed, match='renamed: it is called "Renamed" now, no longer "Rename"'
        ):
            check(ref)
    mobile.expect_state(ref, text="Renamed")  # it is acted on and asked for its state as ever


def test_what_a_sheet_of_the_same_window_covers_is_not_gone() -> None:
    with on_phone("android") as mobile:  # an iPhone's hierarchy goes on listing it
        ref = mobile.snapshot().ref(text="Row 2")
        mobile.tap(text="Cover").expect_visible(text="Choose a colour")
        not_absent(mobile, "covered, not gone", text="Row 2")
        with pytest.raises(ExpectationFailed, match="covered, not gone"):
            mobile.expect_gone(ref)
        mobile.tap(text="Close").expect_gone(text="Choose a colour").expect_visible(ref)


def test_a_match_in_a_dialog_that_came_later_and_one_below_it_are_two(
    mobile: DeviceSession,
) -> None:
    mobile.tap(text="Ask")
    mobile.snapshot()
    mobile._context.clock.sleep(1.0)
    with pytest.raises(
        ActionFailed, match=r"AMBIGUOUS_TARGET[\s\S]*which came (?:over|after) the screen"
    ):
        mobile.tap(text="Rename")
    mobile.expect_visible(text="Really?")  # now the test knows what it looks at
    mobile.tap(text="Rename").expect_gone(text="Really?").expect_state(
        by(resource_id="name"), text="Rename"
    )


@pytest.fixture
def refused() -> Iterator[tuple[DeviceSession, Expectation]]:
    """A payment that failed, which a toast says: a session with a long time-out, and what the tap
    returned."""

    def build(app: Page) -> Widget:
        pay = Button("Pay", id="pay", on_click=lambda: app.toast("Payment failed", long=True))
        return Column([pay, Button("Rest", on_click=lambda: None)])

    with page_on("android", build) as (mobile, _, _):
        yield mobile, mobile.tap(text="Pay")


FAILED = by(text="Payment failed")
DENIED: list[Callable[[Any], object]] = [
    lambda on: on.expect_gone(FAILED, timeout=0.2),
    lambda on: on.expect_gone(text_contains="failed", timeout=0.2),
    lambda on: on.expect_gone(by(text="Declined") | FAILED, timeout=0.2),
    lambda on: on.expect_count(0, FAILED, timeout=0.2),
    lambda on: on.expect_screen(
        Screen("Shop", has=[by(resource_id="pay")], lacks=[FAILED]), timeout=0.2
    ),
]


def test_what_a_toast_says_is_not_absent_until_it_is_over(
    refused: tuple[DeviceSession, Expectation],
) -> None:
    mobile, _ = refused
    for check in DENIED:
        with pytest.raises(ExpectationFailed, match='toast "Payment failed"'):
            check(mobile.tap(text="Pay"))
    with pytest.raises(ExpectationFailed, match='toast "Payment failed"'):
        mobile.tap(text="Pay").expect_unchanged(timeout=0.2)
    mobile._context.clock.sleep(7)  # Android shows a long one for 3.5 seconds
    rested = mobile.tap(text="Rest").expect_unchanged()
    for check in DENIED:
        check(rested)


def test_a_toast_that_an_action_left_is_not_absent_after_the_next(
    refused: tuple[DeviceSession, Expectation],
) -> None:
    mobile, _ = refused
    with pytest.raises(ExpectationFailed, match='toast "Payment failed"'):
        mobile.tap(text="Rest").expect_gone(FAILED)
    mobile.expect_gone(text="Declined").expect_gone(FAILED, timeout=10)


@own_check
def shows_no(screen: Snapshot, word: str) -> bool:
    return not screen.find_all(text_contains=word)


def drawn(
    platform: Platform, parts: Callable[[], list[Widget]], bar: str = "Front"
) -> AbstractContextManager[Any]:
    """A page with a message; a tap opens one with these parts alone, below a bar with this title,
    if any."""

    def build(app: Page) -> Widget:
        if app.state.get("open"):
            return Column(parts(), height="fill", width="fill")
        button = Button("Retry", id="pay", on_click=lambda: app.state.update(open=True))
        return Column([Text("Payment failed"), button])

    return page_on(platform, build, title=bar)


def canvas(*words: str) -> Canvas:
    return Canvas(id="game", height="fill", drawing=Column([Text(word) for word in words]))


NOTHING_REPORTED = "cannot be decided: the app reports next to nothing"
both = pytest.mark.parametrize("platform", ["android", "ios"])


@pytest.mark.slow
@both
def test_absence_is_undecided_if_more_is_drawn_than_reported(platform: Platform) -> None:
    with drawn(platform, lambda: [canvas("Payment failed")]) as (mobile, _, _):
        opened = mobile.tap(text="Retry")
        lacks: Any = lambda on: on.expect_screen(Screen("Front", lacks=[FAILED]))  # noqa: E731
        for check in (*DENIED[:4], lacks, lambda on: on.expect(shows_no("failed"))):
            with pytest.raises(ExpectationFailed, match=NOTHING_REPORTED) as error:
                check(opened)
            assert 'source="picture"' in str(error.value)
        with pytest.raises(ExpectationFailed, match=NOTHING_REPORTED):
            mobile.tap_at(500, 1500).expect_unchanged()


@pytest.mark.slow
@both
def test_absence_is_undecided_if_nothing_is_reported(platform: Platform) -> None:
    with drawn(platform, lambda: [canvas("Payment failed")], bar="") as (mobile, _, _):
        opened = mobile.tap(text="Retry")
        with pytest.raises(ExpectationFailed, match=NOTHING_REPORTED):
            opened.expect_gone(FAILED)


@both
def test_what_a_blank_picture_does_not_show_is_gone(platform: Platform) -> None:
    with drawn(platform, lambda: [Column([], height="fill", width="fill")]) as (mobile, _, _):
        mobile.tap(text="Retry").expect_gone(FAILED)


@both
def test_a_screen_that_reports_its_content_is_decided_without_a_picture(platform: Platform) -> None:
    photo = Text("", height="fill", width="fill", class_name="android.widget.ImageView")
    for parts in ([photo], [Text(f"Level {n}") for n in range(5)] + [canvas("Play")]):
        with drawn(platform, partial(list, parts)) as (mobile, _, device):
            device.driver.screenshot = None
            mobile.tap(text="Retry").expect_gone(FAILED)
