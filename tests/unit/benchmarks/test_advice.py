"""The judge of advice: what it reads as code, what it calls wrong, and that nothing that we advise is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.advice import (
    QUICK,
    SETS,
    Judgement,
    Trial,
    examples,
    judgements,
    pieces,
)
from benchmarks.broken_calls import Break, Call, breaks
from pytest_replicant import by
from tests.lab.lab_phone import LabPhone, lab_phone

DOCS = Path(__file__).parents[3] / "docs"


@pytest.mark.parametrize(
    ("advice", "code"),
    [
        ('scroll_to(text="Red mug", direction="up").', ['scroll_to(text="Red mug", direction="up")']),
        ('row_with=by(text="A (1)") or nth=1, or nth=0 if any will do.', ['by(text="A (1)")', "1"]),
        ('Did you mean text="Say \\"hi\\""?', ['"Say \\"hi\\""']),
        ("is it the one? Then correct role=; else replicant(allow=3).", []),
        ('answer_permission("allow"), or grant it before launch.', ['answer_permission("allow")']),
        ('text=re.compile("a b") or any_of=[by(text="x")].', ['re.compile("a b")', '[by(text="x")]']),
    ],
)
def test_code_is_read_out_of_prose(advice: str, code: list[str]) -> None:
    assert [piece.source for piece in pieces(advice)] == code


def test_a_call_that_is_cut_short_is_no_code() -> None:
    with pytest.raises(SyntaxError):
        pieces('scroll_to(text="Red mug')


def test_all_that_the_documents_advise_is_code() -> None:
    said = [line for page in DOCS.rglob("*.md") for line in re.findall(r"^Next: (.*)$", page.read_text(), re.M)]
    assert len([piece for line in said for piece in pieces(line)]) > 4


@pytest.fixture(scope="module")
def phone() -> Iterator[LabPhone]:
    with lab_phone(apps=("dev.replicant.shop",)) as phone:
        yield phone


@pytest.fixture(scope="module")
def trial(phone: LabPhone) -> Iterator[Trial]:
    with phone.session(**QUICK) as mobile:
        mobile.open_url("lab://look-alikes?seed=7", "dev.replicant.lab")
        yield Trial(phone, mobile, Call(mobile, "tap", by(text="Buy", row_with="Oak")))


@pytest.mark.parametrize(
    ("advice", "verdict"),
    [
        ('row_with=by(text="Oak").', "leads there"),
        ('row_with=by(text="Ebony") in place of row_with= finds one of them.', "wrong"),
        ("scroll_to(...).", "wrong"),
        ("scroll_to(text=).", "wrong"),
        ('tap(text="Nowhere").', "harmless"),
        ('find(txt="Oak").', "wrong"),
        ("go to the screen that has it.", "no advice"),
    ],
)
def test_advice_is_judged_by_where_it_ends(trial: Trial, advice: str, verdict: str) -> None:
    wrong = Call(trial.mobile, "tap", by(text="Buy", row_with="Zebra"))
    for meant, expected in ((True, verdict), (False, "wrong" if verdict == "leads there" else verdict)):
        broken = Break("a row that is not there", wrong.selector, meant=meant)
        assert trial.verdict(wrong, advice, broken, ambiguous=False)[0] == expected


def test_no_way_to_break_one_call_is_answered_with_another_element(trial: Trial) -> None:
    ways = [way for way in breaks(trial.call.selector, trial.found) if not way.happens]
    found = [judgement for way in ways if (judgement := trial.judge(way)) is not None]
    assert len(found) > 15
    assert _wrong(found) == []
    assert sum(one.verdict in ("leads there", "a choice with it") for one in found) > 4


def _wrong(found: list[Judgement]) -> list[Judgement]:
    return [one for one in found if one.verdict == "wrong"]


@pytest.mark.thorough
@pytest.mark.timeout(1200)
def test_no_advice_to_the_example_tests_is_wrong() -> None:
    found = judgements(examples())
    assert len(found) > 1000
    assert _wrong(found) == []


@pytest.mark.thorough
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("of", ["example tests, iPhone", "lab, the half for tuning", "lab, the half for the test"])
def test_no_advice_anywhere_is_wrong(of: str) -> None:
    found = SETS[of]()
    assert len(found) > 500
    assert _wrong(found) == []
