"""A trace with a check of looks that failed, one that was not compared, and one that passed."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from pytest_replicant.model import (
    Attachment,
    CheckOutcome,
    CheckRecord,
    LooksRecord,
    MaskRecord,
    Rect,
    TestTrace,
    TraceEvent,
)
from pytest_replicant.vision import kept_png

from .factory import tiny_trace

LOOK = "android-360x640-160dpi-en-GB-light"
_AREA = Rect(0, 0, 360, 640)


@cache
def _picture(shade: str) -> bytes:
    from PIL import Image

    return kept_png(Image.new("RGB", _AREA[2:], shade), ())


def compared_trace() -> TestTrace:
    bars = (Rect(0, 0, 360, 24), Rect(0, 600, 360, 640))
    kept = LooksRecord(
        "cart",
        LOOK,
        f"tests/looks/test_cart/cart/{LOOK}.png",
        _AREA,
        0.12,
        tuple(MaskRecord(bar, "system bar") for bar in bars),
        ("ios-1179x2556-3x-en-GB-dark",),
        compared=200_000,
    )
    failed = replace(
        kept, differing=494, boxes=(Rect(10, 40, 36, 75),), expected=0, actual=1, difference=2
    )
    ended: tuple[tuple[CheckOutcome, LooksRecord, str, str], ...] = (
        ("failed", failed, "494 pixels differ", "expect_looks_like: 494 pixels differ"),
        ("not compared", replace(kept, actual=1), "not compared: there is no picture of it", ""),
        ("passed", kept, "looks like it", ""),
    )
    title = 'expect_looks_like "cart"'
    events = tuple(
        TraceEvent(
            "check",
            title,
            number * 100,
            50,
            id=f"check-{number}",
            check=CheckRecord("", "expect_looks_like", '"cart"', observed, result, looks=looks),
            error=error,
        )
        for number, (result, looks, observed, error) in enumerate(ended)
    )
    names = (("expected", "#2e7d32"), ("actual", "#c62828"), ("difference", "#ffffff"))
    pictures = tuple(
        Attachment(f"cart {name}", "image/png", _picture(shade)) for name, shade in names
    )
    return replace(tiny_trace("failed"), events=events, attachments=pictures)
