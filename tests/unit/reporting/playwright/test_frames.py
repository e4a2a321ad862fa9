"""Screens as pages: where elements stand, which one is marked, and that no picture is spelled
twice."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_replicant.model import Rect, ShownElement
from pytest_replicant.reporting.playwright.calls import Call
from pytest_replicant.reporting.playwright.trace_zip import Frames, scaled

BUTTON = Rect(90, 2090, 990, 2240)
ELEMENTS = (
    ShownElement("r118", "CheckBox", "Remember me", Rect(50, 900, 1030, 1060)),
    ShownElement("f000", "FrameLayout", "", BUTTON),
    ShownElement("k427", "Button", "Sign in", BUTTON),
)
SIZE = [1080, 2400]
SCREEN = {
    "size": SIZE,
    "app": "dev.shop",
    "screen": "Sign in",
    "screenshot": {"blob": "../blobs/a.webp"},
}


def _frames(pictures: dict[str, bytes] | None = None) -> Frames:
    return Frames({"s1": SCREEN}, {"s1": ELEMENTS}, pictures or {}, 1000)


def _call(name: str = "a1", target: Rect | None = None, ref: str = "") -> Call:
    record = {"target": {"resolved": {"ref": ref}}} if ref else {}
    bounds = None if target is None else list(target)
    return Call(name, "action", "tap", 10, 20, target=bounds, record=record)


def _body(frame: dict[str, Any]) -> list[Any]:
    body: list[Any] = frame["snapshot"]["html"][3]
    return body


@pytest.mark.parametrize(("ref", "marked"), [("f000", "f000"), ("k427", "k427"), ("", "k427")])
def test_the_element_meant_is_marked(ref: str, marked: str) -> None:
    call = _call(target=BUTTON, ref=ref)
    boxes = _body(_frames().frame(call, "before", "s1", 10, call.target))[2:]
    assert [box[1]["data-testid"] for box in boxes if "__playwright_target__" in box[1]] == [marked]


def test_a_target_that_is_no_element_is_marked_and_a_picture_that_was_shown_is_pointed_at() -> None:
    frames = _frames({"../blobs/a.webp": b"x"})
    first, second = (
        _body(frames.frame(_call(), "after", "s1", 1, [0, 0, 1080, 540])) for _ in range(2)
    )
    assert first[-1][1]["style"] == "left:0.0px;top:0.0px;width:412.0px;height:206.0px"
    assert first[-1][1]["__playwright_target__"] == "a1"
    assert first[2] == ["IMG", {"src": "data:image/webp;base64,eA==", "alt": ""}]
    assert second[2] == [[1, 3]], "one frame back, the node after the style and the head"


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        ([1080, 2400], (412, 916)),
        ([2400, 1080], (916, 412)),
        ([390, 844], (390, 844)),
        ([0, 0], (1, 1)),
    ],
)
def test_screens_have_the_size_of_pages(size: list[int], expected: tuple[int, int]) -> None:
    assert scaled(size)[:2] == expected
