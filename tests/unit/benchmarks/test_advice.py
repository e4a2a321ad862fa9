"""The judge of advice: what it reads as code, and that it sees a wrong proposal and a right one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from benchmarks import advice
from benchmarks.advice import QUICK, Red, judge, pieces, planted, reds
from pytest_replicant import by
from pytest_replicant.session import DeviceSession
from tests.lab.lab_phone import lab_phone


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ('scroll_to(text="Red mug", direction="up").', ['scroll_to(text="Red mug", direction="up")']),
        ('row_with="A (1)" or nth=1.', ['row_with="A (1)"', "nth=1"]),
        ('Did you mean text="Say \\"hi\\""?', ['text="Say \\"hi\\""']),
        ("is it the one? Then correct role=; else replicant(allow=3).", []),
        ('text=re.compile("a b") or any_of=[by(text="x")].', ['text=re.compile("a b")', 'any_of=[by(text="x")]']),
    ],
)
def test_code_is_read_out_of_prose(said: str, code: list[str]) -> None:
    assert pieces(said) == code


@pytest.fixture(scope="module")
def mobile() -> Iterator[DeviceSession]:
    with lab_phone(apps=("dev.replicant.shop",)) as phone, phone.session(**QUICK) as mobile:
        mobile.open_url("lab://look-alikes?seed=7", "dev.replicant.lab")
        yield mobile


@pytest.mark.parametrize(
    ("said", "verdict"),
    [
        ('row_with="Oak"', "proposed"),
        ('row_with="Ebony"', "wrong"),
        ('find(text="Oak")', "proposed"),
        ('find(txt="Oak")', "wrong"),
        ("nth=0", "none"),
        ('scroll_to(text="Nowhere")', "none"),
        ("go to the screen that has it", "none"),
    ],
)
def test_a_proposal_is_judged_by_where_it_ends(
    mobile: DeviceSession, monkeypatch: pytest.MonkeyPatch, said: str, verdict: str
) -> None:
    monkeypatch.setattr(advice, "advice_of", lambda _: said)
    right = by(text="Buy", row_with="Oak")
    judgement = judge(mobile, Red("typo", "tap", (), right, by(text="Buy", row_with="Zebra"), "Buy"))
    assert judgement is not None
    assert judgement.verdict == verdict


def test_a_call_that_does_not_fail_is_no_red(mobile: DeviceSession) -> None:
    right = by(text="Buy", row_with="Oak")
    assert judge(mobile, Red("typo", "expect_visible", (), right, right, "Buy")) is None


def test_a_screen_has_room_for_reds_of_each_kind(mobile: DeviceSession) -> None:
    snapshot = mobile.snapshot()
    assert all(list(reds(snapshot, kind)) for kind in ("typo", "reworded", "two candidates", "dialog"))


@pytest.mark.slow
def test_what_is_proposed_to_a_hundred_planted_reds_is_never_wrong() -> None:
    found = planted(advice.TEST)
    assert len(found) == 100
    assert [one for one in found if one.verdict == "wrong"] == []
    assert sum(one.verdict == "proposed" for one in found) >= 80
    assert sum(one.nearest for one in found) >= 90
