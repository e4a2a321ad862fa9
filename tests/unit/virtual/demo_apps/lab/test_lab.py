"""The lab as a whole: how one gets to an exhibit, and that all of them are told of and can be
seen."""

from __future__ import annotations

import re

import pytest

from pytest_replicant.virtual import VirtualPhone, all_exhibits, draw_screen, lab
from pytest_replicant.virtual.demo_apps.lab.exhibit import Exhibit

from ...toy_app import STILL, Hand, ManualClock

PACKAGE = lab().package

every_exhibit = pytest.mark.parametrize(
    "exhibit", list(all_exhibits()), ids=lambda exhibit: exhibit.slug
)


class Visitor(Hand):
    """At the exhibit that a link names."""

    def __init__(self, link: str = "") -> None:
        self.clock = ManualClock()
        super().__init__(VirtualPhone([lab()], latency=STILL, clock=self.clock), PACKAGE)
        self.phone.settings.put("global", "stay_on_while_plugged_in", "7")
        self.phone.start_app(PACKAGE, url=f"lab://{link}" if link else None)


def test_the_start_screen_lists_every_exhibit_in_order() -> None:
    visitor = Visitor()
    assert visitor.title == "Lab"
    seen: dict[str, None] = {}
    for _ in range(20):
        seen |= dict.fromkeys(node.text for node in visitor.find_all(id="exhibit_title"))
        visitor.phone.swipe(540, 1800, 540, 600)
    assert list(seen) == [exhibit.title for exhibit in all_exhibits()]


@every_exhibit
def test_each_can_be_started_by_activity_and_by_link(exhibit: type[Exhibit]) -> None:
    visitor = Visitor()
    visitor.phone.start_app(PACKAGE, exhibit.activity)
    assert visitor.title == exhibit.title
    assert visitor.find(id="summary").text == exhibit.summary
    assert visitor.phone.foreground() == (PACKAGE, f"{PACKAGE}{exhibit.activity}")
    assert Visitor(exhibit.slug).title == exhibit.title


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


@every_exhibit
def test_nothing_of_what_an_exhibit_shows_is_outside_the_screen(exhibit: type[Exhibit]) -> None:
    """Widths alone: a list may go on below."""
    visitor = Visitor(exhibit.slug)
    for ms in (0, 100, 5000):
        visitor.clock.now += ms / 1000
        for node in visitor.find_all(package=PACKAGE):
            assert node.frame.left >= 0
            assert node.frame.right <= visitor.phone.size[0]


@pytest.mark.slow
def test_every_screen_can_be_drawn_and_no_two_look_the_same() -> None:
    looks = set()
    for link in ("", *(exhibit.slug for exhibit in all_exhibits())):
        visitor = Visitor(link)
        looks.add(draw_screen(visitor.phone.windows(), visitor.phone.size).reduce(4).tobytes())
    assert len(looks) == len(list(all_exhibits())) + 1


# --- links ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("link", "why"),
    [
        ("nothing-of-the-kind", "no such exhibit"),
        ("late-contend", "no such exhibit; late-content is one"),
        ("late-content?delay=soon", "delay is a whole number from 300 to 5000, not 'soon'"),
        ("late-content?delay=5001", "from 300 to 5000, not '5001'"),
        ("late-content?delay=", "from 300 to 5000, not ''"),
        ("late-content?delay=٣٠٠", "from 300 to 5000"),
        ("late-content?delay=" + "9" * 10_000, "from 300 to 5000"),
        ("late-content?delay=400&delay=500", "delay is given twice"),
        ("late-content?seed=7", "late-content has no parameter 'seed'; there are: delay"),
        ("counter?seed=7", "counter has no parameter 'seed'; it has none"),
        ("counter?" + "a=1&" * 1000, "Max number of fields exceeded"),
        ("../../etc/passwd\x00%00%ff", "no such exhibit"),
    ],
)
def test_a_wrong_link_leads_to_the_start_and_says_why(link: str, why: str) -> None:
    visitor = Visitor(link)
    assert visitor.title == "Lab"
    notice = visitor.find(id="notice").text
    assert why in notice
    assert len(notice) < 500
    assert visitor.find_all(text="Look-alike rows")
