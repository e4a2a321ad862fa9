"""Reports of real runs on the virtual phone: tests that end in every way, an app and tests with
hostile names."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

from pytest_replicant.testing.virtual import (
    App,
    Button,
    Column,
    EditText,
    RunningApp,
    Screen,
    Text,
    Widget,
)
from tests.conftest import write_known_flaky

ROOT = Path(__file__).parents[2]
INSTALLED = any(
    point.value == "pytest_replicant.plugin" for point in entry_points(group="pytest11")
)
PLUGIN = ("-p", "tests.shared_clock", *(() if INSTALLED else ("-p", "pytest_replicant.plugin")))

QUICK = """
[pytest]
replicant_action_timeout = 0.2
replicant_expect_timeout = 0.2
replicant_stabilize = 0.3 0.01 0.05
replicant_read_on = 0
replicant_known_flaky = known.json
"""
KNOWN = ("SHOP-123", "test_outcomes.py::test_known", "no such coupon", "2999-12-31")

OUTCOMES = """
from pathlib import Path

import pytest
from pytest_replicant import DeviceOffline, Secret

SHOP, LAB = "dev.replicant.shop", "dev.replicant.lab"
EDITED = Path("edited").exists()

def start(mobile):
    return mobile.launch(SHOP).expect_screen("Sign in")

def test_passed(mobile):
    start(mobile)
    mobile.fill(text="Email", value=Secret("ada@example.com"))
    mobile.tap(text="Forgot password?").expect_screen("Reset password")
    if EDITED:
        mobile.expect_gone(text="Not there")

def test_passed_without_a_step(mobile):
    pass

def test_passed_without_a_proof(mobile):
    start(mobile)
    mobile.tap(text="Sign in" if EDITED else "Forgot password?")

def test_failed_to_find(mobile):
    start(mobile)
    mobile.tap(text="Sgn in")

def test_failed_with_several(mobile):
    start(mobile).soft.expect_visible(text="Forgot")
    mobile.tap(class_name="EditText")

def test_failed_check(mobile):
    start(mobile)
    mobile.tap(text="Forgot password?").expect_screen("Catalogue")

def test_failed_wait(mobile):
    start(mobile)
    mobile.wait_for(text="Catalogue")

def test_failed_plainly(mobile):
    start(mobile)
    assert "one" == "two"

def test_failed_softly(mobile):
    outcome = start(mobile)
    outcome.soft.expect_visible(text="Nothing")
    outcome.soft.expect_visible(text="Email")
    outcome.soft.expect_gone(text="Email")

def test_failed_by_looks(mobile):
    start(mobile).expect_looks_like("front")

def test_failed_by_a_crash(mobile):
    mobile.launch(LAB)
    mobile.open_url("lab://crash", LAB)
    mobile.tap(role="button", nth=0)
    mobile.expect_visible(text="Never")

def test_recovered(mobile):
    mobile.launch(LAB)
    mobile.open_url("lab://system-notice?delay=1")
    mobile.wait_for(text="Battery low")
    mobile.tap(text="Tap").expect_visible(text="Tapped 1 times")

def test_infra(mobile):
    start(mobile)
    raise DeviceOffline("the cable is out")

def test_wrong_keyword(mobile):
    start(mobile)
    mobile.tap(txet="Sign in")

@pytest.mark.replicant(reset="nonsense")
def test_wrong_marker(mobile):
    start(mobile)

@pytest.fixture
def broken(mobile):
    start(mobile)
    raise RuntimeError("no data")

def test_error(mobile, broken):
    pass

@pytest.fixture
def broken_before():
    raise RuntimeError("no data")

def test_error_before_a_phone(broken_before, mobile):
    pass

@pytest.fixture
def broken_after(mobile):
    yield
    raise RuntimeError("no data")

def test_error_after(mobile, broken_after):
    start(mobile)

@pytest.mark.skip(reason="not today")
def test_skipped(mobile):
    start(mobile)

def test_skipped_within(mobile):
    start(mobile)
    pytest.skip("no need")

@pytest.mark.xfail(reason="known")
def test_expected_to_fail(mobile):
    start(mobile)
    mobile.tap(text="Nothing")

@pytest.mark.xfail(reason="known")
def test_expected_to_fail_and_passed(mobile):
    start(mobile)

def test_flaky(mobile, request):
    start(mobile)
    if request.node.execution_count == 1:
        mobile.expect_visible(text="Sooner or later")

def test_known(mobile):
    start(mobile)
    assert False, "no such coupon"

def test_without_a_phone():
    pass
"""

WORDS = ("null", "undefined", "NaN", "None", "[object Object]")
"""What an app may show, and a test be called: the words that a page must not say by itself."""

LONG = "x" * 300
HOSTILE = f"""
import pytest

LONG, WORDS = {LONG!r}, {WORDS!r}

@pytest.mark.parametrize("name", [*WORDS, LONG], ids=[*WORDS, LONG])
def test_{LONG[:90]}(mobile, name):
    mobile.launch("com.acme.hostile").expect_visible(text=name)
    mobile.tap(text=name).expect_visible(text=LONG + f" {{name}} of it")
"""


class Front(Screen[None]):
    title = LONG

    def build(self, app: RunningApp[None]) -> Widget:
        return Column([*map(Button, (*WORDS, LONG)), Text(LONG, id=LONG), EditText(LONG)])


APP: App[None] = App(package="com.acme.hostile", label=LONG, state=lambda stored: None, start=Front)


PHONE = "--replicant-device=virtual?latency=0"
AUDIT = "--replicant-accessibility=report"
RUNS = {
    "green": f"{PHONE} test_outcomes.py -k test_passed",
    "red": f"{PHONE} test_outcomes.py --reruns=1 --only-rerun=Sooner {AUDIT}",
    "matrix": f"{PHONE} --replicant-device=virtual:ios?latency=0 --replicant-matrix "
    "test_outcomes.py -k "
    "to_find",
    "hostile": f"{PHONE}&apps=tests.browser.made_runs:APP test_hostile.py {AUDIT}",
    "one": f"{PHONE} test_outcomes.py::test_passed",
    "replay": "--replicant-device=cassette:red test_outcomes.py -k 'passed or flaky or to_find'",
}
"""Options by the name of a run; a replay is one of the red run, once its tests have been edited."""


def ran(folder: Path, name: str) -> Path:
    """The report of such a run in ``folder``."""
    if name == "replay":
        if not (folder / "red").exists():
            ran(folder, "red")
        (folder / "edited").touch()
    options = [*PLUGIN, "-p", "no:randomly", *shlex.split(RUNS[name]), f"--replicant-output={name}"]
    environment = {
        key: value for key, value in os.environ.items() if not key.startswith(("GITHUB_", "CI_"))
    }
    environment["PYTHONPATH"] = f"{ROOT}{os.pathsep}{folder}"
    command = [sys.executable, "-m", "pytest", *options]
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    written = [*(folder / name).glob("*/index.html")]
    assert written, done.stdout + done.stderr
    return written[0].parent


def project(folder: Path) -> Path:
    """A folder with the tests and the app."""
    (folder / "test_outcomes.py").write_text(OUTCOMES)
    (folder / "test_hostile.py").write_text(HOSTILE)
    (folder / "pytest.ini").write_text(QUICK)
    write_known_flaky(folder / "known.json", KNOWN)
    return folder
