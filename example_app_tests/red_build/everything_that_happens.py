"""A red build on purpose: every outcome that a report shows, to look at reports with.

``make red-build`` runs it; nothing else does, as its name is not that of a test file.
"""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from pytest_replicant import DeviceError, DeviceSession, by

SHOP = "dev.replicant.shop"
LAB = "dev.replicant.lab"


def log_in(mobile: DeviceSession) -> None:
    """The button was called "Log in" once: everybody who goes through here fails of one and the
    same cause."""
    mobile.launch(SHOP).expect_screen("Sign in")
    mobile.fill(text="Email", value="ada@example.com")
    mobile.tap(text="Log in", timeout=1)


# --- one cause, three tests -----------------------------------------------------------------------


def test_order_a_mug(mobile: DeviceSession) -> None:
    log_in(mobile)
    mobile.tap(text="Add", row_with=by(text="Red mug"))


def test_sign_in_greets(mobile: DeviceSession) -> None:
    log_in(mobile)
    mobile.expect_visible(text="Welcome, Ada")


def test_the_button_is_there(mobile: DeviceSession) -> None:
    mobile.launch(SHOP).expect_screen("Sign in")
    mobile.expect_visible(text="Log in", timeout=1)


# --- the app dies ---------------------------------------------------------------------------------


@pytest.mark.parametrize("parcel", ["letter", "crate"])
def test_weigh(mobile: DeviceSession, parcel: str) -> None:
    mobile.launch(LAB, activity=".Crash").expect_visible(text="Weigh")
    mobile.tap(text="Weigh").expect_visible(text=f"The {parcel} weighs", timeout=1)


# --- a wrong claim, several at once, a plain assert -----------------------------------------------


def test_remember_me_is_on(mobile: DeviceSession) -> None:
    mobile.launch(SHOP).expect_screen("Sign in")
    mobile.tap(text="Remember me").expect_state(checked=False, timeout=1)


def test_several_at_once(mobile: DeviceSession) -> None:
    screen = mobile.launch(SHOP).expect_screen("Sign in")
    screen.soft.expect_visible(text="Create account", timeout=1)
    screen.soft.expect_visible(text="Help", timeout=1)


def test_a_sum_of_its_own(mobile: DeviceSession) -> None:
    mobile.launch(SHOP).expect_screen("Sign in")
    assert len(mobile.snapshot().elements) == 3


def test_two_of_them(mobile: DeviceSession) -> None:
    mobile.launch(LAB, activity=".LookAlikes").expect_app("foreground")
    mobile.tap(text="Buy", timeout=1)


# --- the phone, the rig, the fixtures -------------------------------------------------------------


def test_the_phone_goes_away(mobile: DeviceSession) -> None:
    mobile.launch(SHOP).expect_screen("Sign in")
    raise DeviceError("the phone went offline between two reads", device="virtual")


@pytest.fixture
def account() -> str:
    raise ConnectionError("the accounts service answered 503")


def test_needs_an_account(mobile: DeviceSession, account: str) -> None:
    mobile.launch(SHOP).expect_visible(text=account)


def test_the_worker_dies(mobile: DeviceSession) -> None:
    if "PYTEST_XDIST_WORKER" not in os.environ:
        pytest.skip("only a parallel run outlives this")
    mobile.launch(SHOP).expect_screen("Sign in")
    os.kill(os.getpid(), signal.SIGKILL)


# --- green, and not quite -------------------------------------------------------------------------


def test_only_at_the_second_try(mobile: DeviceSession, request: pytest.FixtureRequest) -> None:
    tried = getattr(request.node, "execution_count", 2)
    mobile.launch(SHOP).expect_screen("Sign in" if tried > 1 else "Catalogue", timeout=1)


def test_a_permission_is_in_the_way(mobile: DeviceSession) -> None:
    mobile.open_url("lab://permission-question")
    mobile.tap(text="Where am I?").expect_visible(text="We may not know", timeout=1)


def test_nobody_looked(mobile: DeviceSession) -> None:
    mobile.launch(SHOP).expect_screen("Sign in")
    mobile.tap(text="Remember me")


@pytest.mark.xfail(reason="the catalogue needs an account", strict=True)
def test_known_to_fail(mobile: DeviceSession) -> None:
    mobile.launch(SHOP).expect_screen("Catalogue", timeout=1)


@pytest.mark.skip(reason="there is no second shop")
def test_another_shop(mobile: DeviceSession) -> None:
    mobile.launch(SHOP)


def test_plainly_passes(mobile: DeviceSession, tmp_path: Path) -> None:
    with mobile.step("Ask for a new password"):
        mobile.launch(SHOP).expect_screen("Sign in")
        mobile.tap(text="Forgot password?").expect_screen("Reset password")
    mobile.attach("notes", f"nothing was written to {tmp_path.name}")
