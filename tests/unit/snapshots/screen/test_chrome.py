"""iOS: what is on the screen but not of the app."""

from __future__ import annotations

import pytest

from ..ios_screens import app, button, el, parse, screen, static

PANE = (0, 64, 375, 603)
LONG = el("Other", static("Body"), at=(0, 64, 375, 1500))


def labels(source: str) -> list[str]:
    return [element.label for element in parse(source).elements if element.label]


def test_a_status_bar_is_no_part_of_the_screen() -> None:
    bar = el("StatusBar", el("Other", label="9:41", name="clock", at=(170, 0, 40, 20)), at=(0, 0, 375, 20))
    assert labels(app(el("Window", button("Buy")), el("Window", bar))) == ["Buy"]


@pytest.mark.parametrize(
    ("size", "clock"),
    [
        ((0, 0, 375, 667), (20, 0, 40, 20)),
        ((0, 0, 402, 874), (40, 18, 50, 22)),
        ((0, 0, 768, 1024), (8, 4, 60, 16)),
    ],
)
def test_nor_are_the_texts_at_both_ends_of_the_top_that_are_not_marked_as_one(
    size: tuple[int, int, int, int], clock: tuple[int, int, int, int]
) -> None:
    battery = (size[2] - 60, *clock[1:])
    top = static("9:41", at=clock, name="clock-id") + static("100 %", at=battery)
    assert labels(app(el("Window", top, button("Buy"), at=size), at=size)) == ["Buy"]


@pytest.mark.parametrize(
    "top",
    [
        static("LIVE", at=(20, 2, 40, 16)),  # at one end only
        static("LIVE", at=(20, 2, 40, 16)) + static("4K", at=(330, 8, 40, 30)),  # one reaches further down
        static("LIVE", at=(20, 2, 40, 16)) + button("Close", at=(330, 2, 40, 16)),  # can be touched
    ],
)
def test_a_text_at_the_top_is_the_apps_where_it_does_not_look_like_a_status_bar(top: str) -> None:
    assert "LIVE" in labels(app(el("Window", top)))


def test_a_phone_on_its_side_has_no_status_bar() -> None:
    size = (0, 0, 667, 375)
    top = static("Left", at=(20, 2, 40, 16)) + static("Right", at=(600, 2, 40, 16))
    assert labels(app(el("Window", top, at=size), at=size)) == ["Left", "Right"]


@pytest.mark.parametrize(
    ("at", "value"),
    [
        ((342, 70, 30, 590), "0%"),
        ((342, 70, 30, 60), "100 %"),  # hardly longer than thick
        ((3, 634, 369, 30), "0%"),  # as wide as the screen
        ((3, 560, 369, 30), "٪0"),  # above a tab bar, in another script
        ((3, 70, 30, 590), "%12"),  # at the left
    ],
)
def test_scroll_indicators_are_dropped_whatever_they_are_called(at: tuple[int, int, int, int], value: str) -> None:
    bar = el("Other", at=at, label="Vertikale Bildlaufleiste", name="bar-id", value=value)
    assert labels(screen(el("ScrollView", LONG, bar, at=PANE))) == ["Body"]


def test_a_thin_indicator_is_known_without_its_value() -> None:
    bar = el("Other", at=(368, 70, 3, 300), label="bar")
    assert labels(screen(el("ScrollView", LONG, bar, at=PANE))) == ["Body"]


@pytest.mark.parametrize(
    "kept",
    [
        el("Other", at=(355, 70, 20, 590), label="Index", value="A"),  # the index of a list
        el("Other", at=(100, 300, 200, 30), label="Half", value="50%"),  # in the middle
        el("Other", at=(0, 560, 375, 100), label="Storage", value="50%"),  # thick
        el("Other", button("Up", at=(342, 70, 30, 30)), at=(342, 70, 30, 200), label="Zoom", value="50%"),
        el("Slider", at=(342, 70, 30, 590), label="Volume", value="50%"),
    ],
)
def test_what_only_resembles_a_scroll_indicator_is_kept(kept: str) -> None:
    assert len(labels(screen(el("ScrollView", LONG, kept, at=PANE)))) > 1


def test_what_has_a_percentage_outside_of_what_scrolls_is_kept() -> None:
    assert labels(screen(el("Other", at=(342, 70, 30, 300), label="Battery", value="50%"))) == ["Battery"]


def test_lines_are_dropped_and_thin_bars_of_progress_are_not() -> None:
    line = el("Other", at=(0, 100, 375, 1), label="separator", name="line")
    bar = el("ProgressIndicator", at=(0, 120, 375, 4), label="Upload", value="50%")
    assert labels(screen(line, bar)) == ["Upload"]


def test_neither_app_nor_window_is_an_element() -> None:
    assert labels(app(el("Window", button("Buy"), label="Main"))) == ["Buy"]


def test_a_button_called_like_chrome_is_kept() -> None:
    """No text makes chrome of what can be touched."""
    names = ("chevron", "Vertical scroll bar, 1 page", "Status bar")
    buttons = [button(name, at=(16, 100 + 50 * n, 200, 40)) for n, name in enumerate(names)]
    assert labels(screen(*buttons)) == list(names)


def test_what_is_off_the_screen_is_counted_in_both_directions() -> None:
    right = button("Right", at=(400, 100, 50, 50), visible="false")
    down = button("Down", at=(0, 700, 50, 50))  # some versions call it visible all the same
    above = button("Up", at=(0, -90, 50, 50), visible="false")
    snapshot = parse(screen(button("Buy"), right, down, above))
    assert [element.label for element in snapshot.elements] == ["Buy"]
    assert snapshot.outline().endswith("(3 offscreen)")
