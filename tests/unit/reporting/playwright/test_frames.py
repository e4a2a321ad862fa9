"""Screens as pages: where elements stand, which one is marked, and that no picture is spelled twice."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_replicant.model import Rect, ShownElement
from pytest_replicant.reporting.playwright.calls import Call
from pytest_replicant.reporting.playwright.trace_zip import Frames, on_target, scaled

BUTTON = Rect(90, 2090, 990, 2240)
ELEMENTS = (
    ShownElement("r118", "CheckBox", "Remember me", Rect(50, 900, 1030, 1060)),
    ShownElement("f000", "FrameLayout", "", BUTTON),
    ShownElement("k427", "Button", "Sign in", BUTTON),
)
SCREEN = {"size": [1080, 2400], "app": "dev.shop", "screen": "Sign in", "screenshot": {"blob": "../blobs/a.webp"}}


def _frames(pictures: dict[str, bytes] | None = None) -> Frames:
    return Frames({"s1": SCREEN}, {"s1": ELEMENTS}, pictures or {}, 1000)


def _call(name: str = "a1", target: Rect | None = None, ref: str = "") -> Call:
    record = {"target": {"resolved": {"ref": ref}}} if ref else {}
    bounds = None if target is None else list(target)
    return Call(name, "action", "tap", 10, 20, target=bounds, record=record)


def _body(frame: dict[str, Any]) -> list[Any]:
    body: list[Any] = frame["snapshot"]["html"][3]
    return body


def _flat(node: Any) -> list[Any]:
    """Nodes as the viewer numbers them: children first, pointers not at all."""
    if isinstance(node, str):
        return [node]
    if isinstance(node[0], list):
        return []
    return [inner for child in node[2:] for inner in _flat(child)] + [node]


def test_elements_stand_where_they_are_with_ref_and_label() -> None:
    frame = _frames({"../blobs/a.webp": b"x"}).frame(_call(), "before", "s1", 10, None)
    tag, attributes, image, box, *_ = _body(frame)
    assert (tag, attributes) == ("BODY", {})
    assert image == ["IMG", {"src": "data:image/webp;base64,eA==", "alt": ""}]
    assert box[1]["data-testid"] == "r118"
    assert box[1]["aria-label"] == "Remember me"
    assert box[1]["style"] == "left:19.1px;top:343.3px;width:373.8px;height:61.1px"
    snapshot = frame["snapshot"]
    assert snapshot["frameUrl"] == "dev.shop: Sign in"
    assert snapshot["viewport"] == {"width": 412, "height": 916}
    assert (snapshot["timestamp"], snapshot["wallTime"]) == (10, 1010)


def test_without_a_picture_elements_are_named() -> None:
    _, attributes, first, second, _ = _body(_frames().frame(_call(), "before", "s1", 10, None))
    assert attributes == {"class": "drawn"}
    assert first[2] == "Remember me"
    assert second[2] == "FrameLayout"


@pytest.mark.parametrize(("ref", "marked"), [("f000", "f000"), ("k427", "k427"), ("", "k427")])
def test_the_element_meant_is_marked(ref: str, marked: str) -> None:
    call = _call(target=BUTTON, ref=ref)
    boxes = _body(_frames().frame(call, "before", "s1", 10, call.target))[2:]
    assert [box[1]["data-testid"] for box in boxes if "__playwright_target__" in box[1]] == [marked]


def test_a_target_that_is_no_element_is_marked_all_the_same() -> None:
    *_, last = _body(_frames().frame(_call(), "before", "s1", 10, [0, 0, 1080, 540]))
    assert last == [
        "DIV",
        {"style": "left:0.0px;top:0.0px;width:412.0px;height:206.0px", "__playwright_target__": "a1"},
    ]


@pytest.mark.parametrize("pictures", [{}, {"../blobs/a.webp": b"x"}])
def test_pointers_point_at_what_they_mean(pictures: dict[str, bytes]) -> None:
    frames = _frames(pictures)
    marked = _call("a1", BUTTON, "k427")
    made = [
        frames.frame(marked, "before", "s1", 0, marked.target),
        frames.frame(_call("a2"), "after", "s1", 1, None),
        frames.frame(_call("a3"), "after", "s1", 2, None),
    ]

    def resolved(number: int) -> list[Any]:
        children = _body(made[number])[2:]
        return [
            _flat(made[number - one[0][0]]["snapshot"]["html"])[one[0][1]] if isinstance(one[0], list) else one
            for one in children
        ]

    refs = [[node[1].get("data-testid", node[0]) for node in resolved(number)] for number in range(3)]
    expected = [*(["IMG"] if pictures else []), "r118", "f000", "k427"]
    assert refs == [expected] * 3
    spelled = [child[0] == "IMG" for frame in made for child in _body(frame)[2:]]
    assert sum(spelled) == len(pictures), "the picture is spelled once"
    assert not any("__playwright_target__" in node[1] for node in resolved(2))


@pytest.mark.parametrize(
    ("size", "expected"),
    [([1080, 2400], (412, 916)), ([2400, 1080], (916, 412)), ([390, 844], (390, 844)), ([0, 0], (1, 1))],
)
def test_screens_have_the_size_of_pages(size: list[int], expected: tuple[int, int]) -> None:
    assert scaled(size)[:2] == expected


def test_only_a_touch_in_the_middle_of_its_target_is_shown_on_it() -> None:
    call = _call(target=BUTTON)
    scale = scaled(SCREEN["size"])[2]  # type: ignore[arg-type]
    call.touch = ([540, 2165],)
    assert on_target(call, scale)
    call.touch = ([600, 2165],)
    assert not on_target(call, scale)
    call.touch = ()
    assert not on_target(call, scale)
