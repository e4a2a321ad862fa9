"""A soft check that failed is never lost, however its test goes on."""

from __future__ import annotations

import json

import pytest

from tests.conftest import Run, trace_records

from .test_options import traces

pytestmark = [pytest.mark.slow, pytest.mark.thorough]

HEAD = """
import pytest

@pytest.fixture
def shop(mobile):
    mobile.launch("dev.replicant.shop").expect_screen("Sign in")
    return mobile
"""


def test_it_outranks_a_skip(run: Run) -> None:
    result = run(
        HEAD
        + """
def test_skips(shop):
    shop.soft.expect_visible(text="One")
    pytest.skip("no more of it")
"""
    )
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(['E*expect_visible text="One"*'])
    result.stdout.no_fnmatch_line("*During handling*")


def test_it_outranks_a_skip_in_a_fixture(run: Run) -> None:
    result = run(
        HEAD
        + """
@pytest.fixture
def account(shop):
    shop.soft.expect_visible(text="One")
    pytest.skip("no more of it")

def test_skips(account):
    pass
"""
    )
    result.assert_outcomes(errors=1)


def test_a_skip_alone_is_a_skip(run: Run) -> None:
    run(HEAD + "def test_skips(shop):\n    pytest.skip('no more of it')\n").assert_outcomes(skipped=1)


@pytest.mark.parametrize(
    "teardown",
    [
        "@pytest.fixture\ndef ends(shop):\n    yield\n    shop.soft.expect_visible(text='Late')\n",
        "@pytest.fixture\ndef ends(shop, request):\n"
        "    request.addfinalizer(lambda: shop.soft.expect_visible(text='Late'))\n",
    ],
    ids=["fixture", "finalizer"],
)
def test_in_a_teardown_it_is_an_error(run: Run, pytester: pytest.Pytester, teardown: str) -> None:
    result = run(HEAD + teardown + "def test_it(ends):\n    pass\n", "--replicant-output=out")
    result.assert_outcomes(passed=1, errors=1)
    (document,) = trace_records(pytester.path)
    assert document["test"]["outcome"] == "error"
    assert 'expect_visible text="Late"' in document["failures"][0]["message"]
    assert "Late" in document["events"][-1]["title"]


def test_it_stands_beside_a_hard_failure(run: Run, pytester: pytest.Pytester) -> None:
    result = run(
        HEAD
        + """
def test_hard(shop):
    shop.soft.expect_visible(text="One")
    assert 1 == 2
""",
        "--replicant-output=out",
        "--junitxml=junit.xml",
    )
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        ["E*assert 1 == 2", "*soft checks that failed before*", 'expect_visible text="One"*']
    )
    assert "soft checks that failed before" in (pytester.path / "junit.xml").read_text("utf-8")
    (path,) = traces(pytester.path / "out")
    failures = [one["message"] for one in json.loads(path.read_text("utf-8"))["failures"]]
    assert [failure.split(" ")[0] for failure in failures] == ["assert", "expect_visible"]


def test_the_traceback_is_the_line_of_the_check(run: Run) -> None:
    result = run(
        HEAD
        + """
def test_one(shop):
    shop.soft.expect_visible(text="One")

def test_two(shop):
    shop.soft.expect_visible(text="One")
    shop.soft.expect_visible(text="Two")
"""
    )
    result.assert_outcomes(failed=2)
    result.stdout.no_fnmatch_line("*All traceback entries are hidden*")
    result.stdout.fnmatch_lines(
        [
            '>*shop.soft.expect_visible(text="One")',
            "test_the_traceback_is_the_line_of_the_check.py:9: ExpectationFailed",
            "*line 12, in test_two*",
        ]
    )


def test_the_failures_of_an_attempt_are_not_those_of_the_next(run: Run, pytester: pytest.Pytester) -> None:
    pytester.makeconftest(
        """
        from _pytest.runner import runtestprotocol

        def pytest_runtest_protocol(item, nextitem):
            for item.execution_count in (1, 2):
                item._initrequest()
                reports = runtestprotocol(item, nextitem=nextitem, log=False)
            for report in reports:
                item.ihook.pytest_runtest_logreport(report=report)
            return True
        """
    )
    result = run(
        HEAD
        + """
seen = []

def test_flaky(shop):
    seen.append(shop)
    if len(seen) == 1:
        shop.soft.expect_visible(text="One")
""",
        "--replicant-output=out",
    )
    result.assert_outcomes(passed=1)
    documents = [json.loads(path.read_text("utf-8"))["test"] for path in traces(pytester.path / "out")]
    assert sorted((test["attempt"], test["outcome"]) for test in documents) == [(0, "failed"), (1, "passed")]
    assert len({test["nodeid"] for test in documents}) == 1
