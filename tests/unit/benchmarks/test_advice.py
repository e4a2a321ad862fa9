"""The judge of advice sees a wrong proposal and a right one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from benchmarks import advice
from benchmarks.advice import QUICK, Red, judge, planted, reds
from pytest_replicant import by
from pytest_replicant.model import Advice
from pytest_replicant.session import DeviceSession
from tests.lab.lab_phone import lab_phone


@pytest.fixture(scope="module")
def mobile() -> Iterator[DeviceSession]:
    with lab_phone(apps=("dev.replicant.shop",)) as phone, phone.session(**QUICK) as mobile:
        mobile.open_url("lab://look-alikes?seed=7", "dev.replicant.lab")
        yield mobile


@pytest.mark.parametrize(
    ("said", "verdict"),
    [
        (Advice(locator=by(row_with="Oak")), "proposed"),
        (Advice(locator=by(row_with="Ebony")), "wrong"),
        (Advice('find(text="Oak")'), "proposed"),
        (Advice('find(txt="Oak")'), "wrong"),
        (Advice(locator=by(nth=0)), "none"),
        (Advice('scroll_to(text="Nowhere")'), "none"),
        ("go to the screen that has it", "none"),
    ],
)
def test_a_proposal_is_judged_by_where_it_ends(
    mobile: DeviceSession, monkeypatch: pytest.MonkeyPatch, said: Advice | str, verdict: str
) -> None:
    monkeypatch.setattr(advice, "proposals_of", lambda _: (said,))
    right = by(text="Buy", row_with="Oak")
    judgement = judge(
        mobile, Red("typo", "tap", (), right, by(text="Buy", row_with="Zebra"), "Buy")
    )
    assert judgement is not None
    assert judgement.verdict == verdict


def test_a_call_that_does_not_fail_is_no_red(mobile: DeviceSession) -> None:
    right = by(text="Buy", row_with="Oak")
    assert judge(mobile, Red("typo", "expect_visible", (), right, right, "Buy")) is None


def test_a_screen_has_room_for_reds_of_each_kind(mobile: DeviceSession) -> None:
    snapshot = mobile.snapshot()
    assert all(
        list(reds(snapshot, kind)) for kind in ("typo", "reworded", "two candidates", "dialog")
    )


@pytest.mark.slow
@pytest.mark.ci
def test_what_is_proposed_to_a_hundred_planted_reds_is_never_wrong() -> None:
    found = planted(advice.TEST)
    assert len(found) == 100
    assert [one for one in found if one.verdict == "wrong"] == []
    assert sum(one.verdict == "proposed" for one in found) >= 80
    assert sum(one.nearest for one in found) >= 90
