"""What an earlier read saw in a list that shows another part by now is not gone; what left the list
is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any

import pytest

from pytest_replicant import DeviceSession, ExpectationFailed, Screen, by
from pytest_replicant.drivers import Platform
from pytest_replicant.testing import virtual_session
from pytest_replicant.testing.virtual import HorizontalScroll
from pytest_replicant.virtual import (
    Button,
    Column,
    EditText,
    RecyclerList,
    Row,
    RunningApp,
    Scroll,
    Text,
    Widget,
)
from pytest_replicant.virtual import Screen as AppScreen

from ..on_phone import PACKAGE, QUICK, trial

Running = RunningApp[dict[str, Any]]
Step = Callable[[DeviceSession], object]
LIVE: list[Running] = []


class Trial(AppScreen[dict[str, Any]]):
    def title_for(self, app: Running) -> str:
        return str(app.state.get("title", "Rows"))

    def opened(self, app: Running) -> None:
        LIVE[:] = [app]


class Shelf(Trial):
    """A list of rows that can be removed, changed in whatever way a test says; or a few rows that
    fit."""

    rows = range(40)
    padding = 12

    def build(self, app: Running) -> Widget:
        state = app.state
        rows = state.get("rows", self.rows)

        def remove(number: int) -> Callable[[], None]:
            return lambda: state.update(rows=[one for one in rows if one != number])

        def row(number: int) -> Widget:
            word = state.get("word", "Row")
            parts = [
                Text(f"{word} {number}"),
                Button(f"Remove {word} {number}", on_click=remove(number)),
            ]
            return Row(parts, id="row", key=f"{word}{number}", padding=self.padding)

        above: list[Widget] = [EditText("Name", id="name", text="")] if state.get("field") else []
        above += (
            [Column([Text("Sale!")], height=520, id="banner", width="fill")]
            if state.get("banner")
            else []
        )
        above += [Text(f"{state['ticks']} ticks")] if "ticks" in state else []
        wide = app.screen_dp[0] // 2
        tabs = [
            Button(one, selected=one == state.get("tab"), id=one, width=wide)
            for one in (("Starters", "Mains") if "tab" in state else ())
        ]
        pull = (lambda: state.update(rows=state["pulled"])) if "pulled" in state else None
        shown = RecyclerList(
            [row(one) for one in rows], id="rows", height="fill", width="fill", on_pull=pull
        )
        return Column(
            [Button("Look"), Row(tabs, id="tabs"), *above, shown], height="fill", width="fill"
        )


def on_phone(
    start: type[Trial], platform: Platform, **state: Any
) -> AbstractContextManager[DeviceSession]:
    return virtual_session(
        trial(start, **state),
        platform=platform,
        **{**QUICK, "expect_timeout": 1.2, "window": 0.3, "read_on": 0},
    )


def change(**state: Any) -> Step:
    def step(mobile: DeviceSession) -> None:
        LIVE[0].state.update(state)
        LIVE[0].changed()
        mobile._context.clock.sleep(1.0)

    return step


def move(by_pixels: int) -> Step:
    """The app scrolls its list itself."""

    def step(mobile: DeviceSession) -> None:
        for scroll in LIVE[0].entry.view_state.scrolls.values():
            scroll.offset = min(scroll.limit, scroll.offset + by_pixels)
        LIVE[0].changed()
        mobile._context.clock.sleep(1.0)

    return step


def down(mobile: DeviceSession) -> None:
    mobile.scroll("down")


def up(mobile: DeviceSession) -> None:
    mobile.scroll("up")


def at_the_end(mobile: DeviceSession) -> None:
    while not mobile.scroll("down").result.details["reached_end"]:
        pass
    mobile.snapshot()


def at_the_start(mobile: DeviceSession) -> None:
    while not mobile.scroll("up").result.details["reached_end"]:
        pass


def remove(number: int) -> Step:
    return lambda mobile: mobile.tap(text=f"Remove Row {number}")


def seen(mobile: DeviceSession, text: str) -> dict[str, Callable[[], object]]:
    """Every check of the absence of what is there now."""
    element = mobile.snapshot().match_labels(by(text=text))[0]
    return {
        "gone": lambda: mobile.expect_gone(text=text),
        "ref": lambda: mobile.expect_gone(element),
        "count": lambda: mobile.expect_count(0, text=text),
        "lacks": lambda: mobile.expect_screen(
            Screen("here", has=[by(text="Look")], lacks=[by(text=text)])
        ),
    }


AWAY_OR_COVERED = (
    "scrolled out of view|covered|under the keyboard"  # an iPhone lists what is out of sight
)


def all_fail(checks: dict[str, Callable[[], object]], says: str = "scrolled out of view") -> None:
    for check in checks.values():
        with pytest.raises(ExpectationFailed, match=says):
            check()


def all_hold(checks: dict[str, Callable[[], object]]) -> None:
    for check in checks.values():
        check()


@pytest.fixture(params=["android", pytest.param("ios", marks=pytest.mark.ci)])
def platform(request: pytest.FixtureRequest) -> Platform:
    platform: Platform = request.param
    return platform


AWAY: dict[str, Sequence[Step]] = {
    "by the app, one row and a bit": [move(300)],
    "by the app, to the end": [move(10**6)],
    "sorted again": [change(rows=[*reversed(range(40))])],
    "by a finger, as the title changes twice": [
        down,
        change(title="One"),
        down,
        change(title="Two"),
    ],
    "by a finger, as the tab changes": [change(tab="Starters"), down, change(tab="Mains")],
    "by a finger, and back a part of the way": [down, down, up],
}


@pytest.mark.parametrize("steps", AWAY.values(), ids=AWAY)
def test_a_row_that_was_scrolled_away_is_not_gone(
    platform: Platform, steps: Sequence[Step]
) -> None:
    with on_phone(Shelf, platform) as mobile:
        checks = seen(mobile, "Row 0")
        for step in steps:
            step(mobile)
            mobile.snapshot()
        all_fail(checks)


LEFT: dict[str, tuple[str, Sequence[Step], Sequence[Step]]] = {
    "the first row": ("Row 0", [], [remove(0)]),
    "one in the middle, and scrolled since": ("Row 3", [], [remove(3), down]),
    "six at once": ("Row 5", [], [change(rows=[*range(3), *range(9, 40)])]),
    "one after the list was scrolled there and back": ("Row 2", [down, up], [remove(2)]),
    "the last row, and looked for once more": ("Row 39", [at_the_end], [remove(39), at_the_end]),
    "the last but one": ("Row 38", [at_the_end], [remove(38)]),
    "pulled, and one is missing": ("Row 0", [change(pulled=[*range(1, 40)])], [up]),
    "filtered while it was scrolled": ("Row 9", [down], [change(rows=[25, 26])]),
    "another tab": ("Row 0", [change(tab="Starters")], [change(tab="Mains", word="Dish")]),
    "another title": ("Row 0", [down, up], [change(title="Dishes", word="Dish")]),
    "filled again, and read through": (
        "Row 0",
        [],
        [change(word="Dish"), at_the_start, at_the_end],
    ),
}


@pytest.mark.parametrize(("text", "before", "steps"), LEFT.values(), ids=LEFT)
def test_a_row_that_left_its_list_is_gone(
    platform: Platform, text: str, before: Sequence[Step], steps: Sequence[Step]
) -> None:
    with on_phone(Shelf, platform) as mobile:
        for step in before:
            step(mobile)
        checks = seen(mobile, text)
        for step in steps:
            step(mobile)
        all_hold(checks)


def test_a_list_that_was_collected_from_its_start_has_what_it_has(platform: Platform) -> None:
    with on_phone(Shelf, platform) as mobile:
        checks = seen(mobile, "Row 0")
        change(word="Dish")(mobile)
        all_fail(checks)
        at_the_start(mobile)
        all_fail(checks)  # it may be further down
        mobile.collect(by(text_contains="Dish"))
        all_hold(checks)


class Few(Shelf):
    rows = range(8)
    padding = 10


@pytest.mark.parametrize("how", ["keyboard", "banner", "rotated"])
def test_a_row_of_a_list_that_fitted_is_not_gone_as_the_list_shrinks(
    platform: Platform, how: str
) -> None:
    with on_phone(Few, platform, field=True) as mobile:
        checks = seen(mobile, "Row 7")
        if how == "keyboard":
            mobile.tap(text="Name").expect_visible(text="Row 0")
        elif how == "banner":
            change(banner=True)(mobile)
        else:
            mobile.rotate("landscape")
        if mobile.snapshot().match_labels(by(text="Row 7")):
            pytest.skip("this phone goes on showing it")
        all_fail(checks, AWAY_OR_COVERED)


class Plain(Trial):
    """Rows in no list, which a banner pushes off the screen, or behind a bar at its bottom."""

    def build(self, app: Running) -> Widget:
        shown = [one for one in range(11) if one not in app.state.get("gone", ())]
        banner = (
            [Column([Text("Sale!")], height=560, id="banner")] if app.state.get("banner") else []
        )
        rows = Column([Row([Text(f"Row {one}")], height=44, id=f"row{one}") for one in shown])
        bar = (
            [Row([Text("Home"), Text("Cart")], height=48, id="bar")] if app.state.get("bar") else []
        )
        page = Column([*banner, rows], weight=1, height="fill", width="fill")
        return Column([Button("Look"), page, *bar], height="fill", width="fill")


@pytest.mark.parametrize("bar", [True, False])
def test_what_is_in_no_list_and_was_pushed_off_the_screen_is_not_gone(
    platform: Platform, bar: bool
) -> None:
    with on_phone(Plain, platform, bar=bar) as mobile:
        pushed, last, removed = seen(mobile, "Row 9"), seen(mobile, "Row 10"), seen(mobile, "Row 1")
        change(gone=(1, 10))(mobile)
        all_hold(removed)
        all_hold(last)
        change(banner=True)(mobile)
        assert not mobile.snapshot().match_labels(by(text="Row 9"))
        all_fail(pushed, AWAY_OR_COVERED)


# --- sideways -------------------------------------------------------------------------------------


class Cards(Trial):
    """One card in sight, with the same buttons on each."""

    def build(self, app: Running) -> Widget:
        cards = [
            Column(
                [Text(f"Card {one}"), Text(f"worth {one}"), Button("Buy"), Button("Details")],
                width=app.screen_dp[0], key=str(one),
            )
            for one in range(5)
        ]  # fmt: skip
        carousel = HorizontalScroll(
            cards, id="cards", height=300, class_name="androidx.viewpager2.widget.ViewPager2"
        )
        return Column([Button("Look"), carousel], height="fill", width="fill")


def test_a_card_that_was_swiped_away_is_not_gone(platform: Platform) -> None:
    with on_phone(Cards, platform) as mobile:
        checks = seen(mobile, "Card 0")
        mobile.swipe("left", by(resource_id="cards"))
        mobile.snapshot()
        all_fail(checks, AWAY_OR_COVERED)


class Form(Trial):
    """A page that scrolls, with a section that folds up and an error that goes."""

    def build(self, app: Running) -> Widget:
        state = app.state
        error = [Text("Required", id="error")] if not state.get("right") else []
        folded = [] if state.get("folded") else [Text(f"Detail {one}") for one in range(4)]
        more = [
            Row([Text(f"Field {one}"), Button(f"Help {one}")], key=str(one), padding=12)
            for one in range(30)
        ]
        page = [Text("Address"), Text("Where to?"), *error, Text("Details"), *folded, *more]
        return Column(
            [Button("Look"), Scroll(page, id="page", height="fill", width="fill")], height="fill"
        )


@pytest.mark.parametrize(
    ("text", "state"), [("Required", {"right": True}), ("Detail 2", {"folded": True})]
)
def test_what_left_a_page_that_scrolls_is_gone(
    platform: Platform, text: str, state: dict[str, Any]
) -> None:
    with on_phone(Form, platform) as mobile:
        checks = seen(mobile, text)
        change(**state)(mobile)
        all_hold(checks)


class Books(Shelf):
    """Rows of a title and an author, who wrote every seventh book."""

    def build(self, app: Running) -> Widget:
        def row(number: int) -> Widget:
            parts = [Text(f"Book {number}"), Text(f"Author {number % 7}")]
            return Row(
                [Column(parts), Button(f"Borrow {number}")],
                id="row",
                key=str(number),
                padding=self.padding,
            )

        return RecyclerList([row(one) for one in self.rows], id="rows", height="fill", width="fill")


def test_a_text_that_two_rows_have_does_not_say_where_the_list_went(platform: Platform) -> None:
    with on_phone(Books, platform) as mobile:
        mobile.launch(PACKAGE).expect_visible(text="Book 1")
        for step in (down, down, down, up, down, down, up):
            step(mobile)
            if not mobile.find_all(text="Book 1"):
                with pytest.raises(ExpectationFailed, match="scrolled out of view"):
                    mobile.expect_gone(text="Book 1")
