"""Many tests on several phones: each phone has one test at a time, by what the tests themselves recorded."""

from __future__ import annotations

from collections import Counter

import pytest

from benchmarks.phone_use import overlaps, uses_in
from tests.conftest import Run, run_record

pytestmark = [pytest.mark.slow, pytest.mark.thorough, pytest.mark.timeout(600)]

TESTS = 200
SOURCE = f"""
import pytest

@pytest.mark.parametrize("number", range({TESTS}))
def test_use(mobile, number):
    mobile.launch("dev.replicant.shop")
    mobile.expect_visible(text="Email")
"""


def test_no_phone_is_used_by_two_tests_at_once(run: Run, pytester: pytest.Pytester) -> None:
    device, at_once = "--replicant-device=virtual:4?latency=0", "replicant_stabilize=0.05 0 0"
    result = run(SOURCE, "-n", "4", "--dist", "worksteal", device, "-o", at_once)
    assert result.ret == 0
    result.assert_outcomes(passed=TESTS)
    uses = [*uses_in(pytester.path / "replicant-report")]
    assert len(uses) == TESTS
    assert overlaps(uses) == []
    assert len(Counter(use.phone for use in uses)) == 4
    rows = run_record(pytester.path, "replicant-report")["tests"]
    assert len({row["worker"] for row in rows}) == 4
