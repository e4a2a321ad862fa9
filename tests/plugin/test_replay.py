"""Unchanged tests on their recording: what failed is reproduced, what passed holds, and nothing is
asked of a network. The whole of a suite: ``test_replayed_suite``."""

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
    refused.stdout.fnmatch_lines(
        [f"*a replayed test has no network, and this connects to 127.0.0.1:{port}*"]
    )
    refused.stdout.fnmatch_lines(
        ["*Next: let the fixture that asks for it be one of recorded data*"]
    )
    allowed = run(source, *CLOCK, f"{REPLAY}?network=allow")
    assert allowed.parseoutcomes() == {"holds": 2, "reproduced": 1}
    assert allowed.ret == pytest.ExitCode.OK


SPENT = """
SHOP = "dev.replicant.shop"

def test_spends_what_there_is(mobile):
    mobile.launch(SHOP).expect_visible(text="Nowhere", timeout=0.3)

def test_several_at_once(mobile):
    screen = mobile.launch(SHOP).expect_screen("Sign in")
    screen.soft.expect_visible(text="Create account", timeout=0.3)
    screen.soft.expect_visible(text="Help", timeout=0.3)
"""


def test_a_replay_reads_on_no_longer_than_its_run_had_left(run: Run) -> None:
    reading_on = (*CLOCK, "-o", "replicant_read_on=1 1")
    run(SPENT, *reading_on).assert_outcomes(failed=2)
    assert run(SPENT, *reading_on, REPLAY).parseoutcomes() == {"reproduced": 2}


ENDINGS = """
import uuid

import pytest

SHOP = "dev.replicant.shop"

@pytest.fixture(scope="class")
def broken(class_mobile):
    class_mobile.launch(SHOP).expect_visible(text="Catalogue", timeout=0.5)

class TestShared:
    def test_first(self, broken):
        pass

    def test_second(self, broken, mobile):
        pass

@pytest.fixture
def account():
    raise LookupError("no account")

def test_never_has_a_phone(account, mobile):
    mobile.launch(SHOP)

def test_parts(mobile, subtests):
    mobile.launch(SHOP).expect_screen("Sign in")
    for text in ("Email", "Town", "Country"):
        with subtests.test(text):
            mobile.expect_visible(text=text, timeout=0.5)

@pytest.mark.xfail(strict=True, reason="was broken")
def test_strict(mobile):
    mobile.launch(SHOP).expect_screen("Sign in")

def test_late(request):
    request.getfixturevalue("mobile").launch(SHOP).expect_screen("Sign in")

def test_pushes(mobile, tmp_path):
    note = tmp_path / f"{uuid.uuid4()}.txt"
    note.write_text("two mugs")
    mobile.push_file(note, "/sdcard/Download/note.txt")

@pytest.mark.replicant(platform="ios")
def test_elsewhere(mobile):
    mobile.launch(SHOP)

@pytest.mark.skip
def test_skipped(mobile):
    mobile.launch(SHOP)

@pytest.fixture
def cleaned():
    yield
    raise OSError("no server to clean")

@pytest.fixture
def broken_at_both_ends(cleaned, mobile):
    mobile.launch(SHOP).expect_visible(text="Order", timeout=0.5)

def test_breaks_twice(broken_at_both_ends):
    pass
"""
EDITS = [
    ("", "", {"reproduced": 6, "holds": 2, "skipped": 2}),
    ('text="Catalogue"', 'text="Email"', {"beyond": 2, "reproduced": 4, "holds": 2, "skipped": 2}),
    ('"no account"', '"no user"', {"fails": 1, "reproduced": 5, "holds": 2, "skipped": 2}),
    ("strict=True, ", "", {"reproduced": 5, "holds": 3, "skipped": 2}),
    ("two mugs", "one mug", {"reproduced": 6, "holds": 1, "diverged": 1, "skipped": 2}),
    ('(platform="ios")', "()", {"reproduced": 6, "holds": 2, "beyond": 1, "skipped": 1}),
    ('raise OSError("no server to clean")', "pass",
     {"reproduced": 5, "fails": 1, "holds": 2, "skipped": 2}),
]  # fmt: skip


STANDING = """
import os

import pytest
from pytest_replicant import Screen, check, mobile_state

SHOP = "dev.replicant.shop"

@pytest.fixture(scope="class")
def opened(class_mobile):
    class_mobile.launch(SHOP).expect_screen("Sign in")
    return class_mobile

class TestShared:
    def test_first(self, opened):
        opened.expect_visible(text="Email")

    def test_second(self, opened, class_mobile):
        class_mobile.expect_visible(text="Password")

@mobile_state(proof=Screen("Sign in"))
def open_app(mobile):
    mobile.launch(SHOP).expect_screen("Sign in")

def test_state(open_app):
    open_app.expect_visible(text="Email")

def test_state_again(open_app, mobile):
    mobile.expect_visible(text="Email")

@check
def buttons(screen, number):
    assert len(screen.find_all(role="button")) == number

def test_has(mobile):
    mobile.launch(SHOP).expect_screen(Screen("Sign in", has=["Gold mug"]), timeout=0.5)

def test_soft(mobile):
    mobile.launch(SHOP)
    mobile.soft.expect_visible(text="Town", timeout=0.5)
    mobile.soft.expect_visible(text="Country", timeout=0.5)

def test_own_check(mobile):
    mobile.launch(SHOP).expect(buttons(77), timeout=0.5)

def test_plain(mobile):
    mobile.launch(SHOP)
    assert len(mobile.find_all(role="button")) == 40, "wrong number"

@pytest.fixture
def leaving(mobile, monkeypatch):
    monkeypatch.setenv("LEFT_BEHIND", "1")
    mobile.launch(SHOP).expect_screen("Sign in")
    yield mobile
    mobile.tap(text="Forgot password?").expect_screen("Reset password")

def test_taps(leaving):
    leaving.tap(text="Remember me")

def test_without_a_phone():
    assert "LEFT_BEHIND" not in os.environ

def test_last(leaving):
    leaving.expect_visible(text="Email")

@pytest.fixture
def ending():
    yield
    assert "left" == "right"

def test_fails_twice(mobile, ending):
    mobile.launch(SHOP).expect_visible(text="Nope", timeout=0.5)

def test_parts(mobile, subtests):
    mobile.launch(SHOP).expect_screen("Sign in")
    with subtests.test("a"):
        "nothing"
    assert 1 == 2

def test_skips(mobile):
    mobile.launch(SHOP).expect_screen("Sign in")
    pytest.skip("not today")

def test_anywhere(mobile):
    mobile.launch(SHOP).expect_screen("Sign in")
"""
STANDS = {"holds": 8, "reproduced": 6, "passed": 1}
CHANGED_STANDS = [
    ("", "", {}),
    ("(self, opened, class_mobile)", "(self, class_mobile)", {"holds": 7, "diverged": 1}),
    ("(open_app, mobile)", "(mobile)", {"holds": 7, "beyond": 1}),
    ("Town", "City", {"reproduced": 5, "fails": 1}),
    ("(77)", "(78)", {"reproduced": 5, "fails": 1}),
    ('tap(text="Remember me")', 'tap(text="Sign in")', {"holds": 7, "diverged": 1}),
    ('assert "left" == "right"', "pass", {"reproduced": 5, "fails": 1}),
    ('.expect_visible(text="Nope", timeout=0.5)', "", {"reproduced": 5, "fails": 1}),
    ('"nothing"', 'mobile.tap(text="Sign in")', {"reproduced": 5, "beyond": 1}),
    (
        'mobile.launch(SHOP).expect_screen("Sign in")\n    pytest.skip',
        "pytest.skip",
        {"holds": 7, "diverged": 1},
    ),
    (
        "def test_anywhere",
        '@pytest.mark.replicant(platform="ios")\ndef test_anywhere',
        {"holds": 7, "diverged": 1},
    ),
]


@pytest.mark.thorough
@pytest.mark.slow
def test_what_a_test_stands_on_and_claims_is_compared(run: Run) -> None:
    """A fixture or a state that is not asked for any more, and a claim that was edited, are seen.
    What ends in its teardown leaves nothing behind."""
    run(STANDING, *CLOCK, "-p", "no:randomly").assert_outcomes(
        passed=8, failed=6, skipped=1, errors=1
    )
    for before, after, others in CHANGED_STANDS:
        replayed = run(STANDING.replace(before, after), *CLOCK, REPLAY, "-p", "no:cacheprovider")
        assert replayed.parseoutcomes() == {**STANDS, **others}, after


@pytest.mark.slow
@pytest.mark.ci
def test_recordings_that_cannot_be_read_end_no_run_well(
    run: Run, pytester: pytest.Pytester
) -> None:
    run(ENDINGS, *CLOCK, "-k", "late or pushes")
    for path in pytester.path.glob("replicant-report/*/*/cassette.json.gz"):
        path.write_bytes(path.read_bytes()[:200])
    replayed = run(ENDINGS, *CLOCK, REPLAY, "-k", "late or pushes")
    assert replayed.parseoutcomes()["beyond"] == 2
    assert replayed.ret == pytest.ExitCode.TESTS_FAILED
    replayed.stdout.fnmatch_lines(["*its recording cannot be read*"])


@pytest.mark.slow
@pytest.mark.ci
def test_each_kind_of_ending_comes_again_and_no_other(run: Run) -> None:
    """Shared fixtures that fail, tests without a phone, subtests, strict xfails, late phones."""
    run(ENDINGS, *CLOCK)
    for before, after, verdicts in EDITS:
        edited = ENDINGS.replace(before, after)
        replayed = run(edited, *CLOCK, REPLAY, "-p", "no:cacheprovider")
        assert replayed.parseoutcomes() == verdicts, after
        assert (replayed.ret == pytest.ExitCode.OK) is (
            not {"fails", "diverged", "beyond"} & {*verdicts}
        ), after
