"""A run on an iPhone, on one beside an Android phone, and on one whose WebDriverAgent is in
trouble."""

from __future__ import annotations

import re
import socket

import pytest

from tests.conftest import Run, trace_records

pytestmark = pytest.mark.slow

IOS = "--replicant-device=virtual:ios?latency=0"
BOTH = ("--replicant-device=virtual?latency=0", IOS)
SIGN_IN = """
def test_sign_in(mobile):
    mobile.launch("dev.replicant.shop").expect_screen("Sign in")
    mobile.tap(text="Forgot password?").expect_screen("Reset password")
    mobile.back().expect_screen("Sign in")
"""


def test_a_run_on_an_iphone(run: Run, pytester: pytest.Pytester) -> None:
    result = run(SIGN_IN, IOS, "--replicant-output=out")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(
        ["replicant: virtual:ios?latency=0 (another phone: *virtual:ios, ios:URL)"]
    )
    (trace,) = trace_records(pytester.path)
    told = trace["device"]
    assert told == told | {
        "uri": "virtual:ios?latency=0",
        "platform": "ios",
        "serial": "virtual-iphone-1",
        "size": [1179, 2556],
        "density": 3.0,
        "os_version": "17.5",
    }


def test_one_test_may_hold_both_platforms(run: Run, pytester: pytest.Pytester) -> None:
    source = """
    def test_iphone_first(new_mobile):
        new_mobile(platform="ios").launch("dev.replicant.shop").expect_screen("Sign in")

    def test_both(mobile, new_mobile):
        iphone, another = new_mobile(platform="ios"), new_mobile("virtual:ios?latency=0")
        assert [each.platform for each in (mobile, iphone, another)] == ["android", "ios", "ios"]
        for phone in (mobile, iphone, another):
            phone.launch("dev.replicant.shop").expect_screen("Sign in")
        mobile.tap(text="Forgot password?").expect_screen("Reset password")
        iphone.expect_screen("Sign in")
    """
    result = run(source, *BOTH, "--replicant-output=out")
    result.assert_outcomes(passed=2)
    documents = trace_records(pytester.path)
    assert sorted(each["device"]["platform"] for each in documents) == [
        "android",
        "ios",
        "ios",
        "ios",
    ]


WRONG = """
import pytest
from pytest_replicant import by, mobile_state

@pytest.fixture
def cleared(mobile):
    mobile.launch("dev.replicant.shop", fresh=True)

@mobile_state(proof=by(text="Forgot password?"))
def started(mobile):
    mobile.launch("dev.replicant.shop")

def test_call(mobile):
    mobile.launch("dev.replicant.shop", fresh=True)

def test_other_call(mobile):
    mobile.launch("dev.replicant.shop").expect_screen("Sign in")
    mobile.clear_data()

def test_check(mobile):
    mobile.launch("dev.replicant.shop").soft.expect_log("x")

def test_further(mobile, new_mobile):
    new_mobile(platform="android")

def test_setup(cleared): pass

def test_state(started): pass

@pytest.mark.replicant(reset="clear")
def test_reset_with_a_state(started): pass

@pytest.mark.replicant(reset="clear")
def test_reset(mobile): pass

def test_right(mobile):
    mobile.launch("dev.replicant.shop").expect_screen("Sign in")
"""


def test_what_this_phone_cannot_do_is_an_error_of_the_test_that_asks(
    run: Run, pytester: pytest.Pytester
) -> None:
    result = run(WRONG, IOS, "-v", "--junitxml=junit.xml", "--replicant-output=out")
    result.assert_outcomes(passed=2, failed=4, errors=3)
    result.stdout.fnmatch_lines(
        [
            *(f"*::test_{name} FAILED*" for name in ("call", "other_call", "check", "further")),
            "*::test_setup ERROR*", "*::test_state PASSED*", "*::test_reset_with_a_state ERROR*",
            "*::test_reset ERROR*", "*::test_right PASSED*",
            "*ERROR at setup of test_reset_with_a_state*",
            '*marker replicant(reset="clear"): *cannot clear*Next: '
            'reset="stop",*needs=?"clear_data"?*',
            "FAILED * (3 tests: 2 failed, 1 error)",
            "  launch(fresh=True) on *does not offer 'clear_data'. Nothing was sent; the marker "
            "needs=*",
            "replicant: 2 passed, 4 failed, 3 errors (* causes) on *",
        ]
    )  # fmt: skip
    assert "INFRA" not in result.stdout.str()
    assert "infra" not in (pytester.path / "junit.xml").read_text("utf-8")
    assert not {"phones in trouble", "at teardown"} & set(result.stdout.lines)
    (call,) = (
        one for one in trace_records(pytester.path) if one["test"]["nodeid"].endswith("test_call")
    )
    assert call["events"] == []


def test_no_web_driver_agent_is_told(run: Run) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        url = f"http://127.0.0.1:{taken.getsockname()[1]}"
    result = run(SIGN_IN, f"--replicant-device=ios:{url}")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines([f"*Device*nothing listens at {url}*WebDriverAgent*"])
    result.stdout.no_fnmatch_line("*site-packages*")
    assert not re.search(r"\badb\b", result.stdout.str().partition("short test summary")[2])
