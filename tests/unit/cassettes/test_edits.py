"""Tests that were edited since they were recorded: the verdict that each edit allows, and no
other."""

from __future__ import annotations

from functools import cache

import pytest

from pytest_replicant import Secret
from pytest_replicant.drivers import AndroidDriver
from pytest_replicant.errors import DeviceOffline

from .taped_flows import Flow, Step, Taped, replayed, step, taped, then

HOLDS, FAILS = "holds on the recording", "fails on the recording"
DIVERGED, BEYOND, REPRODUCED = "diverged", "beyond the recording", "reproduced"
LAB = ("dev.replicant.lab",)
COUNTED = (
    step("open_url", "lab://counter"),
    then("expect_visible", text="0"),
    step("tap", text="Tap"),
    then("expect_visible", text="1"),
    step("tap", text="Tap"),
    then("expect_visible", text="2"),
)
GONE_SOON = (
    step("open_url", "lab://flash?lasts=1000"),
    step("tap", text="Save", silent=True),
    then("expect_visible", text="Saved"),
    then("expect_gone", text="Saved"),
    then("expect_visible", text="Saves: 1"),
    then("expect_seen", text="Saved"),
)
SECRETS = (
    step("launch", "dev.replicant.shop"),
    step("fill", text="Email", value=Secret("ada@example.com")),
    step("fill", text="Password", value=Secret("battery staple")),
    step("tap", text="Sign in"),
    then("expect_visible", text="Wrong email or password"),
)
FLOWS = {
    "counted": Flow("counted", "ios", COUNTED, LAB),
    "failed": Flow(
        "failed", "android", (*COUNTED[:3], then("expect_visible", text="7", timeout=1)), LAB
    ),
    "gone soon": Flow("gone soon", "ios", GONE_SOON, LAB),
    "secrets": Flow("secrets", "android", SECRETS),
}


@cache
def recorded(name: str) -> Taped:
    return taped(FLOWS[name])


def _with(steps: tuple[Step, ...], at: int, *instead: Step) -> tuple[Step, ...]:
    """``instead`` in the place of one step."""
    return (*steps[:at], *instead, *steps[at + 1 :])


@pytest.mark.parametrize(
    ("name", "steps", "verdict"),
    [
        ("counted", COUNTED, HOLDS),
        ("counted", _with(COUNTED, 1, then("expect_visible", text="0", stays=0.1)), HOLDS),
        ("counted", _with(COUNTED, 1, then("expect_visible", text="0", stays=0.7)), BEYOND),
        ("counted", _with(COUNTED, 2, step("tap", text="Lab")), DIVERGED),
        ("counted", COUNTED[:1], DIVERGED),
        ("counted", (*COUNTED, step("tap", text="Tap")), BEYOND),
        ("counted", _with(COUNTED, 4), BEYOND), ("failed", FLOWS["failed"].steps, REPRODUCED),
        ("failed", _with(FLOWS["failed"].steps, 3, then("expect_visible", text="8", timeout=0.5)),
         FAILS),
        ("gone soon", GONE_SOON, HOLDS),
        ("gone soon", _with(GONE_SOON, 1, GONE_SOON[1], step("sleep", 0.3)), HOLDS),
        ("gone soon", _with(GONE_SOON, 1, GONE_SOON[1], step("sleep", 2.0)), BEYOND),
        ("secrets",
         _with(SECRETS, 2, step("fill", text="Password", value=Secret("ada@example.com"))),
         DIVERGED),
    ],
)  # fmt: skip
def test_an_edited_test_gets_the_verdict_that_its_edit_allows(
    name: str, steps: tuple[Step, ...], verdict: str
) -> None:
    ended, _ = replayed(recorded(name), steps)
    assert ended.verdict == verdict, ended.why


def test_an_error_of_the_phone_comes_again_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """What recovery says of it would have its advice in it otherwise, other than when it was
    recorded."""

    def gone(*_: object) -> None:
        raise DeviceOffline("the phone is gone", device="virtual-1", advice="plug it in")

    monkeypatch.setattr(AndroidDriver, "shell", gone)
    flow = Flow("gone", "android", (step("shell", "true"),), LAB)
    _, course = replayed(taped(flow), flow.steps)
    assert isinstance(course.error, DeviceOffline)
    assert (course.error.what, course.error.advice) == ("the phone is gone", "plug it in")
