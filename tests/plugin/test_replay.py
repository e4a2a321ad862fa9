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
import socket
import time
import uuid

import pytest
from pytest_replicant import recorded

SHOP = "dev.replicant.shop"

@pytest.fixture
@recorded
def name():
    return f"ada-{uuid.uuid4()}"

@pytest.fixture
def account():
    socket.create_connection(("127.0.0.1", PORT)).close()

def test_passes(mobile, name):
    mobile.launch(SHOP).expect_screen("Sign in")
    mobile.fill(text="Email", value=f"{name}@example.com").expect_state(text=f"{name}@example.com")
    mobile.fill(text="Password", value=str(mobile.recorded("now", time.time_ns)))

def test_fails(mobile, name):
    mobile.launch(SHOP).expect_visible(text=f"Welcome, {name}")

def test_asks_a_network(mobile, account):
    mobile.launch(SHOP).expect_screen("Sign in")
"""


@pytest.fixture
def port() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield int(server.getsockname()[1])


def test_unchanged_tests_end_as_they_did_and_have_no_network(run: Run, port: int) -> None:
    source = SUITE.replace("PORT", str(port))
    run(source, *CLOCK).assert_outcomes(passed=2, failed=1)
    refused = run(source, *CLOCK, REPLAY)
    assert refused.parseoutcomes() == {"holds": 1, "reproduced": 1, "fails": 1}
    assert refused.ret == pytest.ExitCode.TESTS_FAILED
    refused.stdout.fnmatch_lines([f"*a replayed test has no network, and this connects to 127.0.0.1:{port}*"])
    refused.stdout.fnmatch_lines(["*Next: let the fixture that asks for it be one of recorded data*"])
    allowed = run(source, *CLOCK, f"{REPLAY}?network=allow")
    assert allowed.parseoutcomes() == {"holds": 2, "reproduced": 1}
    assert allowed.ret == pytest.ExitCode.OK


@pytest.mark.slow
@pytest.mark.thorough
def test_a_changed_test_does_not_end_as_it_did(run: Run, port: int) -> None:
    source = SUITE.replace("PORT", str(port))
    run(source, *CLOCK, "--replicant-device=virtual:ios?latency=0").assert_outcomes(passed=2, failed=1)
    changed = source.replace('text="Password", value', 'text="Email", value').replace("Welcome", "Goodbye")
    replayed = run(changed, *CLOCK, f"{REPLAY}?network=allow")
    assert replayed.parseoutcomes() == {"holds": 1, "diverged": 1, "fails": 1}
    assert replayed.ret == pytest.ExitCode.TESTS_FAILED
