"""Unchanged tests on their recording: what failed is reproduced, what passed holds, and nothing is asked of a
network. The whole of a suite: ``test_replayed_suite``."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest

from tests.conftest import Run

CLOCK = ("-p", "tests.shared_clock")
REPLAY = "--replicant-device=cassette:replicant-report"

SUITE = """
import time
import uuid

import pytest
from pytest_replicant import recorded

SHOP = "dev.replicant.shop"

@pytest.fixture
@recorded
def name():
    return f"ada-{uuid.uuid4()}"

def test_passes(mobile, name):
    mobile.launch(SHOP).expect_screen("Sign in")
    mobile.fill(text="Email", value=f"{name}@example.com").expect_state(text=f"{name}@example.com")
    today = mobile.recorded("now", time.time_ns)
    mobile.fill(text="Password", value=str(today))
    mobile.tap(text="Sign in").expect_visible(text="Wrong email or password")

def test_fails_by_a_check(mobile, name):
    mobile.launch(SHOP).expect_screen("Sign in")
    mobile.fill(text="Email", value=f"{name}@example.com")
    mobile.tap(text="Remember me").expect_visible(text=f"Welcome, {name}")

def test_fails_by_an_assert(mobile, name):
    mobile.launch(SHOP).expect_screen("Sign in")
    assert mobile.find(text="Email").text == name
"""


@pytest.mark.parametrize("platform", ["android", pytest.param("ios", marks=pytest.mark.thorough)])
def test_unchanged_tests_end_as_they_did(run: Run, platform: str) -> None:
    recorded = run(SUITE, *CLOCK, f"--replicant-device=virtual:{platform}?latency=0")
    recorded.assert_outcomes(passed=1, failed=2)
    replayed = run(SUITE, *CLOCK, REPLAY)
    assert replayed.parseoutcomes() == {"holds": 1, "reproduced": 2}
    assert replayed.ret == pytest.ExitCode.OK
    changed = SUITE.replace("Remember me", "Forgot password?").replace("== name", "!= name")
    replayed = run(changed, *CLOCK, REPLAY)
    assert replayed.parseoutcomes() == {"holds": 2, "diverged": 1}
    assert replayed.ret == pytest.ExitCode.TESTS_FAILED


@pytest.fixture
def port() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield int(server.getsockname()[1])


def test_a_replay_has_no_network_unless_it_is_allowed(run: Run, port: int) -> None:
    source = f"""
    import socket
    import pytest

    @pytest.fixture
    def account():
        socket.create_connection(("127.0.0.1", {port})).close()

    def test_it(mobile, account):
        mobile.launch("dev.replicant.shop").expect_screen("Sign in")

    def test_no_phone(account):
        pass
    """
    run(source, *CLOCK).assert_outcomes(passed=2)
    refused = run(source, *CLOCK, REPLAY)
    assert refused.parseoutcomes() == {"fails": 1, "passed": 1}
    refused.stdout.fnmatch_lines([f"*a replayed test has no network, and this connects to 127.0.0.1:{port}*"])
    refused.stdout.fnmatch_lines(["*Next: let the fixture that asks for it be one of recorded data*"])
    assert refused.ret == pytest.ExitCode.TESTS_FAILED
    allowed = run(source, *CLOCK, f"{REPLAY}?network=allow")
    assert allowed.parseoutcomes() == {"holds": 1, "passed": 1}
