"""The lab as a whole: how one gets to an exhibit, and that all of them are told of and can be seen."""

from __future__ import annotations

import re

import pytest

from pytest_replicant.pool import demo_apps
from pytest_replicant.virtual import EXHIBITS, all_exhibits, draw_screen, lab
from pytest_replicant.virtual.demo_apps.lab import PACKAGE
from pytest_replicant.virtual.demo_apps.lab.exhibit import Exhibit, Parameter

from .visitor import Visitor

every_exhibit = pytest.mark.parametrize("exhibit", list(all_exhibits()), ids=lambda exhibit: exhibit.slug)


def test_it_is_installed_next_to_the_shop() -> None:
    assert [app.package for app in demo_apps(())] == ["dev.replicant.shop", PACKAGE]


def test_the_start_screen_lists_every_exhibit_in_order() -> None:
    visitor = Visitor()
    assert visitor.title == "Lab"
    seen: dict[str, None] = {}
    for _ in range(20):
        seen |= dict.fromkeys(node.text for node in visitor.find_all(id="exhibit_title"))
        visitor.swipe("exhibits", "up")
    assert list(seen) == [exhibit.title for exhibit in all_exhibits()]


def test_a_row_opens_its_exhibit_and_back_returns() -> None:
    visitor = Visitor()
    visitor.tap("Long list")
    assert visitor.title == "Long list"
    visitor.tap(description="Navigate up")
    assert visitor.title == "Lab"


@every_exhibit
def test_each_can_be_started_by_activity_and_by_link(exhibit: type[Exhibit]) -> None:
    visitor = Visitor()
    visitor.phone.start_app(PACKAGE, exhibit.activity)
    assert visitor.title == exhibit.title
    assert visitor.find(id="summary").text == exhibit.summary
    assert visitor.phone.foreground() == (PACKAGE, f"{PACKAGE}{exhibit.activity}")
    visitor.phone.stop_app(PACKAGE)
    visitor.open(exhibit.slug)
    assert visitor.title == exhibit.title


@every_exhibit
def test_each_says_what_it_shows_stands_for_and_asks_for(exhibit: type[Exhibit]) -> None:
    shown, stands_for, good_test = (exhibit.__doc__ or "").strip().split("\n\n")
    assert len(shown.strip()) > 30
    assert stands_for.strip().startswith("Stands for ")
    assert good_test.strip().startswith("A good test ")
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", exhibit.slug)
    assert exhibit.activity == f".{exhibit.__name__}"
    assert exhibit.slug.replace("-", "").startswith(exhibit.__name__.lower())
    for each in exhibit.parameters:
        assert each.low <= each.default <= each.high


def test_no_two_have_the_same_name() -> None:
    exhibits = list(all_exhibits())
    for names in ([each.slug for each in exhibits], [each.title for each in exhibits]):
        assert len(set(names)) == len(exhibits)
    assert len(EXHIBITS) > 5


@every_exhibit
def test_nothing_of_what_an_exhibit_shows_is_outside_the_screen(exhibit: type[Exhibit]) -> None:
    """Widths alone: a list may go on below."""
    visitor = Visitor(exhibit.slug)
    for ms in (0, 100, 5000):
        visitor.wait(ms)
        for node in visitor.nodes():
            assert node.frame.left >= 0
            assert node.frame.right <= visitor.phone.size[0]


@pytest.mark.slow
def test_every_screen_can_be_drawn_and_no_two_look_the_same() -> None:
    looks = set()
    for link in ("", *(exhibit.slug for exhibit in all_exhibits())):
        visitor = Visitor(link)
        looks.add(draw_screen(visitor.phone.windows(), visitor.phone.size).reduce(4).tobytes())
    assert len(looks) == len(list(all_exhibits())) + 1


# --- links --------------------------------------------------------------------------------------------------
def test_a_link_sets_what_the_exhibit_lets_it_set() -> None:
    visitor = Visitor("late-content?delay=3000")
    visitor.wait(2999)
    assert visitor.sees(id="loading")


@pytest.mark.parametrize(
    ("link", "why"),
    [
        ("nothing-of-the-kind", "no such exhibit"),
        ("late-contend", "no such exhibit; late-content is one"),
        ("?delay=1", "no such exhibit"),
        ("late-content?delay=soon", "delay is a whole number from 300 to 5000, not 'soon'"),
        ("late-content?delay=299", "from 300 to 5000, not '299'"),
        ("late-content?delay=5001", "from 300 to 5000, not '5001'"),
        ("late-content?delay=", "from 300 to 5000, not ''"),
        ("late-content?delay=٣٠٠", "from 300 to 5000"),
        ("late-content?delay=-1", "from 300 to 5000"),
        ("late-content?delay=" + "9" * 10_000, "from 300 to 5000"),
        ("late-content?delay=400&delay=500", "delay is given twice"),
        ("late-content?seed=7", "late-content has no parameter 'seed'; there are: delay"),
        ("counter?seed=7", "counter has no parameter 'seed'; it has none"),
        ("counter?" + "a=1&" * 1000, "Max number of fields exceeded"),
        ("[", "no such exhibit"),
        ("../../etc/passwd\x00%00%ff", "no such exhibit"),
    ],
)
def test_a_wrong_link_leads_to_the_start_and_says_why(link: str, why: str) -> None:
    visitor = Visitor(link)
    assert visitor.title == "Lab"
    notice = visitor.find(id="notice").text
    assert why in notice
    assert len(notice) < 500
    assert visitor.sees("Look-alike rows")


@pytest.mark.parametrize("link", ["lab://", "lab:///", "lab://#top"])
def test_a_link_to_nothing_is_the_start_without_a_word(link: str) -> None:
    visitor = Visitor()
    visitor.phone.start_app(PACKAGE, url=link)
    assert visitor.title == "Lab"
    assert not visitor.sees(id="notice")


@pytest.mark.parametrize("link", ["lab://counter/", "lab://counter?", "lab://counter#top"])
def test_a_link_may_have_a_slash_or_a_fragment_at_its_end(link: str) -> None:
    visitor = Visitor()
    visitor.phone.start_app(PACKAGE, url=link)
    assert visitor.title == "Counter"


def test_an_address_of_somebody_else_is_reported() -> None:
    visitor = Visitor()
    visitor.phone.start_app(PACKAGE, url="https://example.com/counter")
    assert "https://example.com/counter: no such exhibit" in visitor.find(id="notice").text


@every_exhibit
def test_the_least_and_the_most_of_each_parameter_can_be_shown(exhibit: type[Exhibit]) -> None:
    for each in exhibit.parameters:
        for value in (each.low, each.high):
            visitor = Visitor(f"{exhibit.slug}?{each.name}={value}")
            assert visitor.title == exhibit.title
            visitor.wait(200)


def test_a_number_is_read_as_it_stands() -> None:
    assert Parameter("delay", 1, 0, 999, "").read("0042") == 42


def test_two_phones_know_nothing_of_each_other() -> None:
    one, other = Visitor("place-order"), Visitor("place-order")
    one.tap(id="place_order")
    assert (one.result, other.result) == ("Orders: 1", "Orders: 0")
    assert lab() is not lab()
