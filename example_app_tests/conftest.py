"""Fixtures of these examples. A fixture of your own is a few lines: see ``signed_in``."""

from __future__ import annotations

import pytest

from pytest_replicant import DeviceSession, Secret

SHOP = "dev.replicant.shop"


@pytest.fixture
def signed_in(mobile: DeviceSession) -> DeviceSession:
    """The shop, signed in as Ada, on its catalogue."""
    mobile.launch(SHOP).expect_screen("Sign in")
    mobile.fill(text="Email", value="ada@example.com")
    mobile.fill(text="Password", value=Secret("correct horse"))
    mobile.tap(text="Sign in").expect_screen("Catalogue")
    return mobile
