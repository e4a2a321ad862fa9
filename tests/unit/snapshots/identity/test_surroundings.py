"""What tells look-alikes apart: the label before them, the ids around them, and where they are measured from."""

from __future__ import annotations

from pytest_replicant.model import Anchor, Element, Rect

from ..screens import node, parse, screen, text

APP = "dev.shop:id/"


def icon(left: int, top: int) -> str:
    return node("ImageView", at=(left, top, left + 90, top + 90), clickable="true")


def volume(name: str, top: int) -> tuple[str, ...]:
    """A caption above two nameless buttons, as sound settings have them."""
    return (text(name, at=(0, top, 300, top + 40)), icon(0, top + 50), icon(500, top + 50))


def pane(*inside: str, **attributes: str) -> str:
    return node("ScrollView", *inside, at=(0, 100, 1080, 2400), scrollable="true", **attributes)


def icons(source: str) -> list[Element]:
    return [element for element in parse(source).elements if element.class_name == "ImageView"]


def test_nameless_buttons_belong_to_the_label_before_them() -> None:
    one = icons(screen(pane(*volume("Media", 200), *volume("Calls", 400))))
    assert [element.section for element in one] == ["Media", "Media", "Calls", "Calls"]
    assert [element.twins and element.twins.size for element in one] == [2, 2, 2, 2]


def test_a_section_more_or_less_does_not_touch_the_others() -> None:
    two = screen(pane(*volume("Media", 200), *volume("Calls", 400)))
    three = screen(pane(*volume("Alarm", 200), *volume("Media", 400), *volume("Calls", 600)))
    assert [e.identity for e in icons(two)] == [e.identity for e in icons(three)][2:]


def test_a_count_in_the_label_before_may_change() -> None:
    one, other = (
        icons(screen(pane(text(label, at=(0, 200, 300, 240)), icon(0, 250), icon(500, 250))))
        for label in ("Inbox (3)", "Inbox (14)")
    )
    assert [e.identity for e in one] == [e.identity for e in other]


def test_a_label_on_the_same_line_to_the_right_is_not_before() -> None:
    captions = [text("Name", at=(0, 210, 300, 250)), text("Off", at=(200, 320, 400, 360))]
    found = icons(screen(*captions, icon(0, 300), icon(0, 900)))
    assert [element.section for element in found] == ["Name", ""]


def test_a_label_in_another_pane_heads_nothing() -> None:
    found = icons(screen(text("Photos", at=(0, 120, 300, 160)), pane(icon(0, 200), icon(500, 200))))
    assert [element.section for element in found] == ["", ""]
    assert [element.anchors for element in found] == [(Anchor("", Rect(0, 100, 1080, 2400)),)] * 2


def test_a_place_is_measured_from_the_labels_before_and_after_that_are_there_once() -> None:
    captions = [text("Media", at=(0, 100, 300, 140)), text("Off", at=(0, 400, 300, 440))]
    twice = [text("5", at=(0, 150, 90, 190)), text("5", at=(0, 350, 90, 390))]
    found = icons(screen(*captions, *twice, icon(0, 200), icon(500, 200)))
    assert [[anchor.label for anchor in element.anchors] for element in found] == [["Media", "Off"]] * 2


def test_the_ids_around_tell_apart_what_labels_do_not() -> None:
    source = screen(
        node("FrameLayout", icon(0, 200), resource_id=APP + "left"),
        node("FrameLayout", icon(500, 200), resource_id=APP + "right"),
        node("FrameLayout", icon(800, 200), resource_id="android:id/content"),
    )
    left, right, rest = icons(source)
    assert [element.fragile for element in (left, right, rest)] == [False, False, False]
    assert len({left.identity, right.identity, rest.identity}) == 3


def test_a_screen_deep_as_a_well_is_climbed_once() -> None:
    source = text("Deep", at=(0, 0, 90, 40)) + icon(0, 200) + icon(500, 200)
    for _ in range(200):
        source = node("FrameLayout", source)
    assert [element.section for element in icons(screen(source))] == ["Deep", "Deep"]
