"""Start here: launch an app, fill two fields, tap, and check what came of it."""

from __future__ import annotations

from pytest_replicant import DeviceSession, Secret


def test_sign_in_by_label(mobile: DeviceSession) -> None:
    mobile.launch("dev.replicant.shop").expect_screen("Sign in")
    mobile.fill(text="Email", value="ada@example.com").expect_state(text="ada@example.com")
    mobile.fill(text="Password", value="correct horse").expect_state(focused=True)
    mobile.tap(text="Sign in").expect_screen("Catalogue").expect_visible(text="Welcome, Ada")


def test_a_secret_is_typed_but_never_written_down(mobile: DeviceSession) -> None:
    mobile.launch("dev.replicant.shop").expect_screen("Sign in")
    mobile.fill(text="Email", value="ada@example.com")
    outcome = mobile.fill(text="Password", value=Secret("correct horse"))
    outcome.expect_state(text=Secret("correct horse"))
    assert "correct horse" not in str(outcome.result.to_dict())


def test_a_wrong_password_is_refused(mobile: DeviceSession) -> None:
    mobile.launch("dev.replicant.shop").expect_screen("Sign in")
    mobile.fill(text="Email", value="ada@example.com")
    mobile.fill(text="Password", value="battery staple")
    mobile.tap(text="Sign in").expect_visible(text="Wrong email or password")
