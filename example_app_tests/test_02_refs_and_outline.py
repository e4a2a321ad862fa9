"""The agent's way: look at the outline, act on a ref, read the diff."""

from __future__ import annotations

from pytest_replicant import DeviceSession


def test_act_on_a_ref(mobile: DeviceSession) -> None:
    screen = mobile.launch("dev.replicant.shop").expect_screen("Sign in").snapshot
    print(screen.outline())  # every line with a [ref] can be acted on
    forgot = screen.ref(text="Forgot password?")
    mobile.tap(forgot).expect_screen("Reset password")
    mobile.back().expect_screen("Sign in")
    mobile.tap(forgot).expect_screen("Reset password")  # the ref still means the same button


def test_every_action_knows_what_it_changed(mobile: DeviceSession) -> None:
    mobile.launch("dev.replicant.shop").expect_screen("Sign in")
    outcome = mobile.tap(text="Remember me").expect_state(checked=True)
    print(outcome.diff)
    assert outcome.summary == "Sign in: 1 changed"
    (element, change), *_ = outcome.diff.changed
    assert element.label == "Remember me"
    assert change["checked"] == (False, True)
