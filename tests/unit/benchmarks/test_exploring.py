"""The agent, and its reading of what is printed."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from benchmarks.exploring import Done, record
from benchmarks.exploring_agent import Agent, GaveUp, clauses_of
from benchmarks.exploring_flows import FLOWS, SHOP, Flow
from benchmarks.exploring_phone import run_saved
from benchmarks.exploring_screen import advice_in, best, proposed_in, relabelled_in, screen_in

pytestmark = pytest.mark.ci  # runs of pytest of their own

_CART = """5 ok
Cart  (dev.replicant.shop)
[c1] Button "Back"
- [r919] "Red \\"mug\\""
  [b406] "£8.00"
  [g191] Button "−" [disabled]
  [d282] Button "Remove"
[q379] "Total £8.00"
[a794] Button "Check out"
5a expect_screen("Cart")   5b expect_visible(text="a (b)   c")   5c expect_gone(text="x")"""


def flow(name: str) -> Flow:
    return next(one for one in FLOWS if one.name == name)


class Script:
    """Answers in turn, and what was asked."""

    def __init__(self, *answers: tuple[str, int]) -> None:
        self.answers = list(answers)
        self.asked: list[tuple[str, ...]] = []

    def run(self, *argv: str) -> tuple[str, int]:
        self.asked.append(argv)
        return self.answers.pop(0) if self.answers else ("", 0)


def test_a_printed_screen_is_read() -> None:
    seen = screen_in(_CART)
    assert seen is not None
    assert (seen.name, seen.dialog) == ("Cart", None)
    row = seen.row_of('Red "mug"')
    assert row is not None
    assert [one.ref for one in row[1]] == ["b406", "g191", "d282"]
    assert [one.ref for one in seen.elements if one.is_disabled] == ["g191"]


def test_a_diff_is_no_screen() -> None:
    assert screen_in('4 ok\nCart: 1 changed\n~ [a1] "2": label "1" → "2"') is None
    assert relabelled_in('~ [a1] "2" in row "x": label "1" → "2", focused False → True') == ["2"]


def test_proposed_checks_and_advice() -> None:
    assert proposed_in(_CART) == [
        ("5a", 'expect_screen("Cart")'),
        ("5b", 'expect_visible(text="a (b)   c")'),
        ("5c", 'expect_gone(text="x")'),
    ]
    assert (
        advice_in('  Next: mobile.tap(text="Add", row_with="Red mug")')
        == 'tap(text="Add", row_with="Red mug")'
    )
    assert advice_in("  Next: go to the screen that has it") == ""


def test_the_best_label_by_words() -> None:
    seen = screen_in(_CART)
    assert seen is not None
    found = best(seen.elements, "check it out")
    assert found is not None
    assert found.ref == "a794"
    assert best(seen.elements, "sign in") is None


def test_commas_in_quotes_part_nothing() -> None:
    assert clauses_of('add "a, b" to it, then go back') == ['add "a, b" to it', "go back"]


def test_the_agent_follows_a_next_line_once_and_gives_up() -> None:
    screen = '[a1] Button "Go"\n'
    failed = 'FAILED\n  Next: tap(text="Go", nth=1)'
    script = Script((f"Home  (a.b)\n{screen}", 0), (failed, 1), (failed, 1))
    with pytest.raises(GaveUp, match="go"):
        Agent(script).pursue("go")
    assert [each[1] for each in script.asked[1:]] == ['tap(text="Go")', 'tap(text="Go", nth=1)']


def test_an_unread_goal_does_nothing() -> None:
    script = Script()
    with pytest.raises(GaveUp):
        Agent(script).pursue('"only a value"')
    assert script.asked == []


@pytest.mark.parametrize("platform", ["android", "ios"])
def test_a_flow_is_recorded_and_true(platform: str, tmp_path: Path) -> None:
    done = record(flow("order"), platform, "ref", random.Random(3), tmp_path)  # type: ignore[arg-type]
    assert (done.trouble, done.is_true, done.unchecked) == ("", True, [])
    assert done.proposed > 5
    text = (tmp_path / "test_order.py").read_text()
    assert done.words["product"] in text
    assert "correct horse" not in text


def test_truth_is_not_the_agents(tmp_path: Path) -> None:
    """An agent that did something else is not believed."""
    lazy = Flow("lazy", SHOP, flow("sign in").goal, flow("order").truth)
    done = record(lazy, "android", "call", random.Random(3), tmp_path)
    assert (done.trouble, done.is_true) == ("", False)


def test_a_test_that_cannot_be_run_is_no_result(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="pytest ended with"):
        run_saved(tmp_path, "android")


def test_what_save_says_is_kept() -> None:
    done = Done(flow("order"), "android", {})
    done.saved("written, +3 -0. Not run. Unverified: 2, 7. Checks: 4 proposed, 1 your own.")
    assert (done.proposed, done.own, done.unchecked) == (4, 1, ["step 2", "step 7"])
