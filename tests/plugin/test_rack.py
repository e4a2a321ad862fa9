"""Many tests on several phones: each phone has one test at a time, by what the tests themselves recorded."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from benchmarks.phone_use import overlaps, uses_in
from tests.conftest import Run

pytestmark = [pytest.mark.slow, pytest.mark.thorough]

TESTS = 200
SIGN_IN = f"""
import pytest

@pytest.mark.parametrize("number", range({TESTS}))
def test_sign_in(mobile, number):
    mobile.launch("dev.replicant.shop").expect_screen("Sign in")
    mobile.fill(text="Email", value=f"user{{number}}").expect_state(text=f"user{{number}}")
"""


def test_no_phone_is_used_by_two_tests_at_once(run: Run, pytester: pytest.Pytester) -> None:
    result = run(SIGN_IN, "-n", "4", "--dist", "worksteal", "--replicant-device=virtual:4?latency=0")
    assert result.ret == 0
    result.assert_outcomes(passed=TESTS)
    uses = [*uses_in(pytester.path / "replicant-report")]
    assert len(uses) == TESTS
    assert overlaps(uses) == []
    assert len(Counter(use.phone for use in uses)) == 4
    (summary,) = (pytester.path / "replicant-report").glob("*/run.json")
    rows = json.loads(summary.read_text())["tests"]
    assert len({row["worker"] for row in rows}) == 4
