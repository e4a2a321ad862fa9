"""Fixtures of these examples, and a recovery policy. A fixture of your own is a few lines: see
``signed_in``."""

from __future__ import annotations

import pytest

from pytest_replicant import DeviceSession, Failure, Recovery, Remedy, Secret, by

SHOP = "dev.replicant.shop"


@pytest.fixture
def signed_in(mobile: DeviceSession) -> DeviceSession:
    """The shop, signed in as Ada, on its catalogue."""
    mobile.launch(SHOP).expect_screen("Sign in")
    mobile.fill(text="Email", value="ada@example.com")
    mobile.fill(text="Password", value=Secret("correct horse"))
    mobile.tap(text="Sign in").expect_screen("Catalogue")
    return mobile


def pytest_replicant_recover(failure: Failure) -> Recovery | None:
    """The lab asks for a survey whenever it likes. Only these tests can know that it does not
    matter to them."""
    screen = failure.snapshot
    if screen is None or screen.dialog != "How are we doing?":
        return None
    no_thanks = Remedy.tap(by(text="No, thanks"))
    return Recovery(
        "state_refresh", before=(no_thanks,), reason="the survey came up", policy="survey"
    )
