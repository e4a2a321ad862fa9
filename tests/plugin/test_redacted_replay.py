"""A recording that was redacted for sending, replayed by whoever received it: the same verdicts,
and the texts that were hidden are nowhere in the archive."""

from __future__ import annotations

import gzip
import zipfile
from html import unescape
from pathlib import Path

import pytest

from pytest_replicant.cli import main
from tests.conftest import Capture, Run

pytestmark = [pytest.mark.slow, pytest.mark.thorough]

CLOCK = ("-p", "tests.shared_clock")
SUITE = """
import uuid

import pytest
from pytest_replicant import Secret, recorded

SHOP = "dev.replicant.shop"

@pytest.fixture
@recorded
def user():
    return {"name": f"user-{uuid.uuid4()}"}

@pytest.fixture
def signed_in(mobile):
    mobile.launch(SHOP).expect_screen("Sign in")
    mobile.fill(text="Email", value="ada@example.com")
    mobile.fill(text="Password", value=Secret("correct horse"))
    mobile.tap(text="Sign in").expect_screen("Catalogue")
    return mobile

def test_made_user(mobile, user):
    mobile.launch(SHOP).expect_screen("Sign in")
    mobile.fill(text="Email", value=user["name"]).expect_state(text=user["name"])
    mobile.tap(text="Remember me").expect_visible(text=f"Welcome, {user['name']}", timeout=0.1)

def test_passes(signed_in):
    signed_in.shell("getprop ro.product.model")
    signed_in.tap(text="Cart, 0 items").expect_screen("Cart")

def test_fails(signed_in):
    signed_in.tap(text="Cart, 0 items").expect_visible(text="Oak tray", timeout=0.1)

def test_asserts(signed_in):
    assert len(signed_in.find_all(text="Add")) == 1000
"""
HIDDEN = ("user-", "Red mug", "Virtual Phone", "House plant")


def unpacked(path: Path) -> list[str]:
    with zipfile.ZipFile(path) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    texts = [
        (gzip.decompress(data) if name.endswith(".gz") else data).decode("utf-8", "replace")
        for name, data in files.items()
    ]
    return [*files, *texts, *map(unescape, texts)]


@pytest.mark.parametrize("platform", ["android", "ios"])
def test_what_is_sent_away_has_the_same_verdicts(
    run: Run, pytester: pytest.Pytester, capsys: Capture, platform: str
) -> None:
    suite = (
        SUITE
        if platform == "android"
        else SUITE.replace('signed_in.shell("getprop ro.product.model")', "pass")
    )
    run(suite, *CLOCK, f"--replicant-device=virtual:{platform}?latency=0").assert_outcomes(
        passed=1, failed=3
    )
    before = run(suite, *CLOCK, "--replicant-device=cassette:replicant-report").parseoutcomes()
    assert before == {"holds": 1, "reproduced": 3}
    capsys.readouterr()
    hide = [f"--secret={text}" for text in HIDDEN[1:]]
    assert (
        main(
            [
                "cassette",
                "redact",
                "replicant-report",
                "-o",
                "a.zip",
                *hide,
                r"--pattern=user-[0-9a-f-]{36}",
            ]
        )
        == 0
    )
    said = capsys.readouterr().out
    assert "wrote a.zip: 4 cassettes" in said
    assert "itself" not in said  # recorded data is no text of the code
    texts = unpacked(pytester.path / "a.zip")
    assert [hidden for hidden in HIDDEN for text in texts if hidden.lower() in text.lower()] == []
    assert "Oak tray" in "".join(texts)
    after = run(suite, *CLOCK, "--replicant-device=cassette:a.zip")
    assert after.parseoutcomes() == before
    assert after.ret == pytest.ExitCode.OK


def test_what_the_test_names_itself_is_no_pass_any_more(run: Run, capsys: Capture) -> None:
    run(SUITE, *CLOCK, "-k", "passes").assert_outcomes(passed=1)
    capsys.readouterr()
    assert main(["cassette", "redact", "replicant-report", "-o", "a.zip", "--secret=Cart"]) == 0
    assert "names a hidden text itself, and may end in another way" in capsys.readouterr().out
    after = run(SUITE, *CLOCK, "-k", "passes", "--replicant-device=cassette:a.zip")
    assert after.parseoutcomes() == {"deselected": 3, "diverged": 1}
    assert after.ret == pytest.ExitCode.TESTS_FAILED
