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
    kept = LooksRecord(
        "cart",
        LOOK,
        f"tests/looks/test_cart/cart/{LOOK}.png",
        _AREA,
        0.12,
        (MaskRecord(Rect(0, 0, 360, 24), "system bar"), MaskRecord(Rect(0, 600, 360, 640), "system bar")),
        ("ios-1179x2556-3x-en-GB-dark",),
        compared=200_000,
    )
    failed = replace(kept, differing=494, boxes=(Rect(10, 40, 36, 75),), expected=0, actual=1, difference=2)
    events = (
        _event(0, "failed", failed, "494 pixels differ", "expect_looks_like: 494 pixels differ"),
        _event(1, "not compared", replace(kept, actual=1), "not compared: there is no picture of it", ""),
        _event(2, "passed", kept, "looks like it", ""),
    )
    names = (("expected", "#2e7d32"), ("actual", "#c62828"), ("difference", "#ffffff"))
    pictures = (Attachment(f"cart {name}", "image/png", _picture(shade)) for name, shade in names)
    trace = tiny_trace()
    test = replace(trace.test, outcome="failed")
    return replace(trace, test=test, events=events, attachments=tuple(pictures))


def _event(number: int, result: CheckOutcome, looks: LooksRecord, observed: str, error: str) -> TraceEvent:
    check = CheckRecord("", "expect_looks_like", '"cart"', observed, result, looks=looks)
    title = 'expect_looks_like "cart"'
    return TraceEvent("check", title, number * 100, 50, id=f"check-{number}", check=check, error=error)
