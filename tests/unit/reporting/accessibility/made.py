"""Screens as workers report them, made by hand."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

from PIL import Image

from pytest_replicant.model import Rect, encode, plain
from pytest_replicant.reporting.accessibility import (
    CARRIED,
    AccessibilityReport,
    JudgedScreen,
    ScreenFinding,
    TestScreens,
    crop_address,
)

SHOP = "dev.replicant.shop"
RAN = ("missing-label", "touch-target", "text-contrast")


def crop(colour: str = "#3b5bdb") -> str:
    return crop_address(Image.new("RGB", (200, 120), colour), Rect(20, 20, 160, 90))


def finding(
    rule: str = "missing-label", label: str = "", picture: str = "", **others: Any
) -> ScreenFinding:
    found_by = f'by(text="{label}")' if label else 'by(resource_id="search")'
    key = f"{rule} | android | Cart | {found_by}"
    facts = {
        "key": key, "rule": rule, "message": "it has no text, no description and no hint",
        "ref": "k427", "label": label, "class_name": "ImageButton", "locator": found_by,
        "bounds": (20, 20, 160, 90), "sources": ("pytest-replicant",), "crop": picture,
    }  # fmt: skip
    return ScreenFinding(**{**facts, **others})


def screen(name: str, *findings: ScreenFinding, **others: Any) -> JudgedScreen:
    facts: dict[str, Any] = {
        "platform": "android", "app": SHOP, "screen": "Cart", "screen_key": "c1",
        "ran": RAN, "not_run": {"unexposed-text": "no text was read"},
    }  # fmt: skip
    return JudgedScreen(name, **{**facts, **others}, findings=findings)


def seen_by(
    test: str, *names: str, new: Sequence[JudgedScreen] = (), trace: str = ""
) -> TestScreens:
    return TestScreens(test, trace, dict.fromkeys(names, "a2"), tuple(new))


def reported(*tests: TestScreens) -> AccessibilityReport:
    """The controller's, after it was given one report for each of these."""
    made = AccessibilityReport()
    for one in tests:
        carried = encode([one])
        made.pytest_runtest_logreport(SimpleNamespace(**{CARRIED: carried}))  # type: ignore[arg-type]
    return made


def document(*tests: TestScreens) -> dict[str, Any]:
    made: dict[str, Any] = plain(reported(*tests).file("run", "2026-11-26T18:00:00.000+00:00"))
    return made
