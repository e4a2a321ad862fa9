"""The end of a list is seen, never assumed: what is taller than the screen proves nothing by cut
bounds."""

from __future__ import annotations

import io
from collections.abc import Callable

import PIL.Image
import pytest

from pytest_replicant import ActionFailed, ExpectationFailed, by
from pytest_replicant.testing.virtual import Card, HorizontalScroll, Image, Stack, WebView
from pytest_replicant.virtual import (
    Button,
    Column,
    RecyclerList,
    Row,
    Scroll,
    Text,
    Widget,
)

from ..on_phone import Page, shown_on

pytestmark = pytest.mark.ci

BOTH = pytest.mark.parametrize("platform", ["android", "ios"])


def tall(name: str, words: int = 600) -> Text:
    """Two screens, or as many as wanted; no two lines of it are alike."""
    return Text(
        f"{name} " + " ".join(f"w{number * 7919 % 10007}" for number in range(words)), key=name
    )


def row(number: int) -> Widget:
    return Row(
        [Text(f"Row {number}"), Button(f"Buy {number}")], id="row", key=f"row{number}", padding=10
    )


def rows(first: int, last: int) -> list[Widget]:
    return [row(number) for number in range(first, last)]


def picture(number: int) -> Widget:
    return Image(
        picture="mug",
        description=f"Picture {number}",
        width="fill",
        height=2500,
        key=f"picture{number}",
    )


def card(number: int) -> Widget:
    return Card([tall(f"Post {number}"), Row([Button(f"Like {number}")])], key=f"card{number}")


CONTENTS: dict[str, Callable[[], list[Widget]]] = {
    "a tall one alone": lambda: [tall("One", 1300)],
    "first": lambda: [tall("One"), *rows(0, 6)],
    "in the middle": lambda: [*rows(0, 3), tall("One"), *rows(3, 6)],
    "last": lambda: [*rows(0, 6), tall("One")],
    "two in a row": lambda: [tall("One"), tall("Two"), row(0)],
    "pictures": lambda: [picture(1), picture(2), row(0)],
    "a feed": lambda: [card(1), row(0)],
    "a button below": lambda: [tall("One"), Button("Agree")],
    "without any": lambda: rows(0, 40),
    "blank, then a row": lambda: [
        Column([Text("Blank")], height=2500, id="blank", key="blank"),
        row(0),
    ],
}


class Held:
    """The app of the last phone, to know where its lists are."""

    app: Page

    @property
    def at_the_end(self) -> bool:
        scrolls = self.app.entry.view_state.scrolls.values()
        return all(scroll.offset == scroll.limit for scroll in scrolls)


def shown_list(content: list[Widget], held: Held, around: str = "") -> Callable[[Page], Widget]:
    """A list, with something that moves above it, over it or not at all."""

    def build(app: Page) -> Widget:
        held.app = app
        found: Widget = RecyclerList(content, id="list", height="fill", width="fill")
        ticker = Text(f"Tick {app.state.get('ticks', 0)}", id="ticker")
        if around == "a ticker over it":
            found = Stack(
                [found, Column([ticker, Button("Top")], gravity="end", height=120)], weight=1
            )
        above = [ticker] if around == "a ticker above it" else [Text("Heading")]
        return Column([*above, found], height="fill", width="fill")

    return build


def ticking(held: Held) -> None:
    app = held.app
    app.every(100, lambda: app.state.update(ticks=app.state.get("ticks", 0) + 1))


@BOTH
@pytest.mark.parametrize("content", CONTENTS)
def test_a_list_with_something_tall_is_read_to_its_end(platform: str, content: str) -> None:
    held, widgets = Held(), CONTENTS[content]()
    wanted = [
        f"Row {number}" for number in range(sum(isinstance(widget, Row) for widget in widgets))
    ]
    with shown_on(platform, shown_list(widgets, held)) as mobile:
        found = mobile.collect(
            by(text_matches=r"^Row \d+$", class_name=KINDS[platform]), max_swipes=100
        )
        assert found.labels == wanted
        assert held.at_the_end


KINDS = {"android": "TextView", "ios": "StaticText"}


@pytest.mark.thorough
@BOTH
@pytest.mark.parametrize("around", ["", "a ticker above it", "a ticker over it"])
@pytest.mark.parametrize(
    "content", ["a tall one alone", "last", "two in a row", "pictures", "a feed", "without any"]
)
def test_the_end_is_said_at_the_end_and_not_before(
    platform: str, content: str, around: str
) -> None:
    held = Held()
    with shown_on(platform, shown_list(CONTENTS[content](), held, around)) as mobile:
        mobile.snapshot()
        if around:
            ticking(held)
        for _ in range(60):
            reached = mobile.scroll("down", by(resource_id="list")).reached_end
            assert not reached or held.at_the_end
            if reached:
                break
        assert reached


@BOTH
@pytest.mark.parametrize(
    ("content", "last"), [("a feed", "Like 1"), ("a button below", "Agree"), ("first", "Buy 5")]
)
def test_what_lies_below_something_tall_is_scrolled_to(
    platform: str, content: str, last: str
) -> None:
    with shown_on(platform, shown_list(CONTENTS[content](), Held())) as mobile:
        mobile.scroll_to(text=last, max_swipes=60).expect_visible(text=last)


@BOTH
def test_a_wide_thing_is_no_end_to_the_side(platform: str) -> None:
    held = Held()

    def strip(app: Page) -> Widget:
        held.app = app
        wide = Text(
            " ".join(f"w{number * 7919 % 10007}" for number in range(120)), key="wide", height=60
        )
        return Column(
            [HorizontalScroll([Button("First"), wide, Button("Last")], id="strip"), Text("Below")]
        )

    with shown_on(platform, strip) as mobile:
        mobile.scroll_to(text="Last", direction="right", max_swipes=100).expect_visible(text="Last")
        assert mobile.scroll("right").reached_end
        assert held.at_the_end
        assert mobile.collect(class_name="Button", direction="left", max_swipes=100).labels == [
            "First",
            "Last",
        ]


def test_a_black_picture_is_no_evidence(monkeypatch: pytest.MonkeyPatch) -> None:
    """As of an app that allows no screenshots: nothing says whether it moved, and nothing is
    claimed."""
    held = Held()
    with shown_on("android", shown_list([tall("One")], held)) as mobile:
        black = io.BytesIO()
        PIL.Image.new("RGB", mobile.snapshot().size).save(black, "PNG")
        monkeypatch.setattr(
            type(mobile._context.driver), "screenshot", lambda driver: black.getvalue()
        )
        for _ in range(8):
            outcome = mobile.scroll("down")
            assert not outcome.reached_end
        assert held.at_the_end
        assert "not known" in outcome.result.details["end_unknown"]
        with pytest.raises(ActionFailed, match=r"max_swipes=9[\s\S]*not known"):
            mobile.collect(text="Row", max_swipes=9)
        with pytest.raises(ActionFailed, match=r"max_swipes=9[\s\S]*not known"):
            mobile.scroll_to(text="Agree", max_swipes=9)


@pytest.mark.parametrize("picture", ["as it is", "the same all the time"])
def test_a_picture_that_always_is_the_same_is_no_evidence(
    monkeypatch: pytest.MonkeyPatch, picture: str
) -> None:
    """As where a veil or a wallpaper is all that can be seen, which is not of one colour."""
    held = Held()
    with shown_on("android", shown_list([tall("One")], held)) as mobile:
        if picture != "as it is":
            still = mobile._context.driver.screenshot()
            monkeypatch.setattr(type(mobile._context.driver), "screenshot", lambda driver: still)
        reached = [mobile.scroll("down").reached_end for _ in range(8)]
        assert any(reached) is (picture == "as it is")
        assert held.at_the_end


@BOTH
def test_a_web_page_scrolls_by_what_lies_deep_in_it(platform: str) -> None:
    def page(app: Page) -> Widget:
        lines = [Row([Text(f"Line {number}")], padding=20, key=str(number)) for number in range(40)]
        web = WebView(lines, id="web", height="fill", width="fill", page_title="Page")
        return Column([web], height="fill", width="fill")

    with shown_on(platform, page) as mobile:
        mobile.expect_visible(text="Line 0")
        assert len(mobile.collect(text_matches=r"^Line \d+$")) == 40
        with pytest.raises(ExpectationFailed):
            mobile.expect_gone(text="Line 0")
        mobile.scroll_to(text="Line 0", direction="up").expect_visible(text="Line 0")


@BOTH
@pytest.mark.parametrize("wanted", ["^(Inner|Footer)", "^Inner"])
def test_a_list_within_a_page_is_not_all_of_it(platform: str, wanted: str) -> None:
    def page(app: Page) -> Widget:
        inner = RecyclerList(
            [Text(f"Inner {n}", key=str(n), padding=12) for n in range(30)], id="inner", height=520
        )
        gap = Column([Text("Gap")], height=1200)
        return Scroll([Text("Heading"), inner, gap, Text("Footer")], id="page", height="fill")

    with shown_on(platform, page) as mobile:
        if wanted == "^Inner":
            assert len(mobile.collect(text_matches=wanted, max_swipes=60)) == 30
        else:
            with pytest.raises(ActionFailed, match=r"AMBIGUOUS_TARGET[\s\S]*container="):
                mobile.collect(text_matches=wanted, max_swipes=60)
