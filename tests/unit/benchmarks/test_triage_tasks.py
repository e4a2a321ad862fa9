"""The answers of the triage tasks, and what is counted. Its reader is tested in a browser."""

from __future__ import annotations

import pytest

from benchmarks.broken_runs.halves import HALVES
from benchmarks.triage_tasks import TOOLS, Solved, table
from benchmarks.triage_tasks.reader import Effort
from benchmarks.triage_tasks.witnesses import WITNESSES, knows

READ = {
    "number_wrong": 'expect_visible text="Account number 2041 7733": absent Nearest: "Account number 2041 7741"',
    "balances_swapped": '[k891] FrameLayout "Everyday £8,000.00" [x887] FrameLayout "Savings £1,250.00"',
    "freeze_refused": "E BankApi: PUT /cards/4417: 409 Conflict",
    "cards_open_payees": "expect_screen Cards on virtual: Payees (PayeesActivity)",
    "history_removed": '[x8876] Button "Transfer" [y778] Button "Rename" at bank_suite.py:113',
}


def test_there_is_an_answer_for_each_fault_of_the_half() -> None:
    assert {*WITNESSES} == {*HALVES["held_out"].faults}


@pytest.mark.parametrize("fault", READ)
def test_a_witness_is_of_its_own_fault_alone(fault: str) -> None:
    assert [name for name in WITNESSES if knows(name, READ[fault])] == [fault]


@pytest.mark.parametrize(
    ("fault", "text"),
    [
        ("number_wrong", 'expect_visible text="Account number 2041 7733": absent'),
        ("balances_swapped", '[k891] FrameLayout "Everyday £1,250.00" [x887] FrameLayout "Savings £8,000.00"'),
        ("cards_open_payees", '[v942] ImageButton "Cards" [z150] ImageButton "Payees"'),
        ("history_removed", '[y778] Button "Rename" [k329] "History"'),
    ],
)
def test_half_of_a_witness_and_a_healthy_screen_are_none(fault: str, text: str) -> None:
    assert not knows(fault, text)


def test_a_goal_that_was_not_reached_has_no_figure() -> None:
    soon, late = Effort(1, 2, 250), Effort(3, 4, 500)
    solved = [
        Solved("a+b", TOOLS[0], (soon, late, late), 5, 5, (0.1,)),
        Solved("a+c", TOOLS[0], (soon, None, late), 4, 2, (0.1,)),
        Solved("a+b", TOOLS[1], (None, None, late), 5, 0, (0.1,)),
    ]
    rows = [row[2:] for row in table(solved).rows]
    assert soon.seconds == pytest.approx(10 + 2 * 0.5 + 1.3)
    assert rows[0] == ("2 of 2 runs", "1 (1 to 1)", "2 (2 to 2)", "250 (250 to 250)", "12 (12 to 12)")
    assert rows[1] == ("1 of 2 runs", "3 (3 to 3)", "4 (4 to 4)", "500 (500 to 500)", "26 (26 to 26)")
    assert rows[2][0] == "7 of 9 failures understood"
    assert rows[3] == ("0 of 1 runs", "-", "-", "-", "-")
