"""A test file in which a test ends in every way that there is, and the run of it."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

from tests.conftest import QUICK

CONFTEST = """
from pytest_replicant import Recovery, by

def pytest_replicant_recover(session, failure, state):
    if "forgotten" in str(failure.target):
        return Recovery("re_resolve", target=by(text="Forgot password?"), reason="renamed", policy="renamed")
"""

SOURCE = """
import os

import allure
import pytest
from pytest_replicant import DeviceOffline, Secret

@pytest.fixture
def shop(mobile):
    mobile.launch("dev.replicant.shop").expect_screen("Sign in")
    return mobile

def test_passed(shop):
    with allure.step("of the test"):
        shop.fill(text="Email", value=Secret("hunter2")).expect_screen("Sign in")
    shop.attach("request <b>log</b>", "</script><img src=x onerror=document.title='owned'>")

def test_failed_check(shop):
    with shop.step("Ask <b>again</b><img src=x onerror=document.title='owned'>"):
        shop.tap(text="Forgot password?").expect_screen("Nowhere")

def test_failed_action(shop):
    shop.tap(text="Not there at all")

def test_soft(shop):
    shop.soft.expect_visible(text="One that is not")
    shop.soft.expect_visible(text="Two that is not")
    shop.tap(text="Forgot password?").expect_screen("Reset password")

def test_broken(shop):
    raise ValueError("a plain error")

def test_infra(shop):
    raise DeviceOffline("the cable is out", device="virtual")

def test_skipped(shop):
    pytest.skip("not today")

@pytest.mark.xfail(reason="known")
def test_xfailed(shop):
    shop.tap(text="Not there at all")

def test_recovered(shop):
    shop.tap(text="Password forgotten?", timeout=0.1).expect_screen("Reset password")

TRIES = []

@pytest.mark.flaky(reruns=1)
@pytest.mark.parametrize("word", ["</script><i>one</i>"])
def test_flaky(shop, word):
    TRIES.append(word)
    shop.expect_screen("Sign in" if len(TRIES) > 1 else "Nowhere")

def test_unverified(shop):
    shop.tap(text="Forgot password?")

def test_crash(mobile):
    mobile.launch("dev.replicant.lab", activity=".Crash").expect_visible(text="Weigh")
    mobile.tap(text="Weigh").expect_visible(text="Weighed")

@pytest.mark.parametrize("number", [7])
def test_worker_dies(shop, number):
    os._exit(3)

@pytest.fixture
def no_phone():
    raise DeviceOffline("no phone could be had", device="virtual")

def test_no_phone(no_phone, mobile):
    pass
"""


def run_every_outcome(folder: Path, *options: str) -> str:
    """Runs it on one worker and returns what pytest printed."""
    (folder / "conftest.py").write_text(CONFTEST, "utf-8")
    (folder / "test_every.py").write_text(SOURCE, "utf-8")
    (folder / "pytest.ini").write_text(QUICK, "utf-8")
    installed = any(
        point.value == "pytest_replicant.plugin" for point in entry_points(group="pytest11")
    )
    plugin = () if installed else ("-p", "pytest_replicant.plugin")
    device = "--replicant-device=virtual?latency=0"
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", *plugin, "-p", "no:randomly", "-n", "1", device, *options],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=200,
        check=False,
    )
    return ran.stdout + ran.stderr
