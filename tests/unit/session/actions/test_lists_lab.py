"""The lab's lists, scrolled and read through, and its survey, which a test announced."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from pytest_replicant import ActionFailed, DeviceSession, by
from pytest_replicant.clock import ManualClock
from pytest_replicant.session import build_session

from ..execute.test_adjust_lab import LabPhone

Show = Callable[[str], "tuple[DeviceSession, LabPhone]"]


@pytest.fixture
def show(clock: ManualClock) -> Iterator[Show]:
    with ExitStack() as stack:

        def make(link: str) -> tuple[DeviceSession, LabPhone]:
            phone = LabPhone(clock, link)
            session, recorder = build_session(phone, clock=clock, screenshots=False)
            stack.callback(recorder.close)
            return session, phone

        yield make


@pytest.mark.slow
def test_a_row_far_down_is_scrolled_to_and_back(show: Show) -> None:
    mobile, phone = show("long-list?rows=80")
    mobile.scroll_to(text="Row 60")
    mobile.tap(text="Row 60").expect_visible(text="Chose row 60")
    mobile.scroll_to(text="Row 2", direction="up")
    mobile.tap(text="Row 2").expect_visible(text="Chose row 2")
    assert phone.events[-1] == "chose row 2"


@pytest.mark.slow
def test_a_row_that_is_not_there_is_missed_at_the_end(show: Show) -> None:
    mobile, _ = show("long-list?rows=40")
    with pytest.raises(ActionFailed, match="up to the end of the list"):
        mobile.scroll_to(text="Row 41")


@pytest.mark.slow
def test_a_list_that_loads_as_one_scrolls_is_read_to_its_real_end(show: Show) -> None:
    mobile, _ = show("endless-list?pages=3&delay=2500")
    assert mobile.collect(text_matches=r"^Row \d+$").labels == [f"Row {number}" for number in range(1, 61)]


@pytest.mark.slow
def test_a_list_without_end_is_given_up(show: Show) -> None:
    mobile, _ = show("endless-list")
    with pytest.raises(ActionFailed, match="max_swipes=8"):
        mobile.scroll_to(text="Row 500", max_swipes=8)


@pytest.mark.slow
def test_of_two_scrollers_the_one_that_is_named(show: Show) -> None:
    mobile, _ = show("nested-scrollers")
    inner, outer = by(resource_id="inner"), by(resource_id="outer")
    mobile.scroll_to(text="Inner row 20", container=inner).expect_visible(text="Outer row 5")
    mobile.scroll_to(text="Outer row 20", container=outer)
    mobile.scroll_to(text="Outer row 1", container=outer, direction="up")
    assert mobile.collect(by(resource_id="inner_row"), inner, direction="up").labels[0] == "Inner row 1"


@pytest.mark.slow
@pytest.mark.parametrize("twins", [0, 8])
def test_look_alikes_are_each_there_once(show: Show, twins: int) -> None:
    mobile, _ = show(f"look-alikes?twins={twins}")
    assert mobile.collect(by(resource_id="name"), by(resource_id="chairs")).labels == ["Kitchen chair"] * 8
    woods = mobile.collect(by(resource_id="wood"), by(resource_id="chairs"), direction="up").labels
    assert len(woods) == 8
    assert len(set(woods)) == (1 if twins else 8)


def test_a_row_goes_to_the_side(show: Show) -> None:
    mobile, _ = show("side-scroller")
    mobile.scroll_to(text="Wool", direction="right")
    mobile.tap(text="Wool").expect_visible(text="Only wool")
    with pytest.raises(ActionFailed, match="right up to the end of the list"):
        mobile.scroll_to(text="Nylon stockings", direction="right")


def test_a_survey_that_was_announced_is_declined(show: Show) -> None:
    mobile, phone = show("survey?tap=1")
    with mobile.on_interrupt(
        by(text="How are we doing?"), lambda mobile: mobile.tap(resource_id="no_thanks")
    ) as survey:
        for step in ("Step 2 of 3", "Step 3 of 3", "Done"):
            mobile.tap(text="Continue")
            mobile._context.clock.sleep(1)
            mobile.expect_visible(text=step)
    assert survey.count == 1
    assert phone.events == ["step 1 done", "did not take part", "step 2 done", "step 3 done"]
