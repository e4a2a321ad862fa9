"""A soft check that failed is never lost, however its test goes on."""

from __future__ import annotations

import pytest

from tests.conftest import Run, trace_records

pytestmark = [pytest.mark.slow, pytest.mark.thorough]

SOURCE = """
import pytest

@pytest.fixture
def shop(mobile):
    mobile.launch("dev.replicant.shop").expect_screen("Sign in")
    return mobile

@pytest.fixture
def account(shop):
    shop.soft.expect_visible(text="One")
    pytest.skip("no more of it")

@pytest.fixture
def ends(shop):
    yield
    shop.soft.expect_visible(text="Late")

@pytest.fixture
def finalizer(shop, request):
    request.addfinalizer(lambda: shop.soft.expect_visible(text="Late"))

def test_skips(shop):
    shop.soft.expect_visible(text="One")
    pytest.skip("no more of it")

def test_skips_in_a_fixture(account):
    pass

def test_skips_alone(shop):
    pytest.skip("no more of it")

def test_teardown(ends):
    pass

def test_finalizer(finalizer):
    pass

def test_hard(shop):
    shop.soft.expect_visible(text="One")
    assert 1 == 2

def test_one(shop):
    shop.soft.expect_visible(text="One")

def test_two(shop):
    shop.soft.expect_visible(text="One").expect_visible(text="Two")

@pytest.mark.flaky(reruns=1)
def test_flaky(shop, request):
    if request.node.execution_count == 1:
        shop.soft.expect_visible(text="One")
"""
ENDED = {
    ("test_skips", 0): "failed",
    ("test_skips_in_a_fixture", 0): "error",
    ("test_skips_alone", 0): "skipped",
    ("test_teardown", 0): "error",
    ("test_finalizer", 0): "error",
    ("test_hard", 0): "failed",
    ("test_one", 0): "failed",
    ("test_two", 0): "failed",
    ("test_flaky", 0): "failed",
    ("test_flaky", 1): "passed",
}


def test_it_outlives_every_end_of_its_attempt_and_no_other(
    run: Run, pytester: pytest.Pytester
) -> None:
    result = run(SOURCE, "--replicant-output=out", "--junitxml=junit.xml")
    result.assert_outcomes(passed=3, failed=4, errors=3, skipped=1)
    traces = {}
    for one in trace_records(pytester.path):
        traces[one["test"]["nodeid"].rpartition("::")[2], one["test"]["attempt"]] = one
    assert {name: one["test"]["outcome"] for name, one in traces.items()} == ENDED
    result.stdout.no_fnmatch_line("*During handling*")
    result.stdout.no_fnmatch_line("*All traceback entries are hidden*")
    result.stdout.fnmatch_lines(
        ["E*assert 1 == 2", "*soft checks that failed before*", 'expect_visible text="One"*']
    )
    result.stdout.fnmatch_lines(
        ['>*shop.soft.expect_visible(text="One")', "test_*.py:43: ExpectationFailed"]
    )
    result.stdout.fnmatch_lines(["*2 checks failed*", "*line 46, in test_two*"])
    assert "soft checks that failed before" in (pytester.path / "junit.xml").read_text("utf-8")
    for name in ("test_teardown", "test_finalizer"):
        assert 'expect_visible text="Late"' in traces[name, 0]["failures"][0]["message"]
        assert "Late" in traces[name, 0]["events"][-1]["title"]
    hard = [one["message"].partition(" ")[0] for one in traces["test_hard", 0]["failures"]]
    assert hard == ["assert", "expect_visible"]
