"""Whether a screen says that it is not finished."""

from __future__ import annotations

import pytest

from ..ios_nodes import ios, on_ios
from ..screens import button, catalogue, hierarchy, node, parse, screen, text

ROUND = (500, 500, 600, 600)


@pytest.mark.parametrize(
    "inside",
    [
        node("ProgressBar", at=ROUND),
        node("com.google.CircularProgressIndicator", at=ROUND),
        node("ProgressBar", at=ROUND, content_desc="Wird geladen"),
        text("Loading…"),
        text("LOADING"),
        text("Please wait..."),
        text("Loading, please wait…"),
        text("Loading... Please wait."),
        button("Loading…"),
        node("FrameLayout", text("Loading"), clickable="true"),  # over the whole screen, to block touches
    ],
)
def test_spinners_and_texts_that_say_so(inside: str) -> None:
    snapshot = parse(screen(inside))
    assert snapshot.loading
    assert "(loading)" in snapshot.outline()


@pytest.mark.parametrize(
    "inside",
    [
        text("Your order is pending"),
        text("In progress: 3 tasks"),
        text("Loading dock schedule"),
        text("Loading dock"),
        text("Loading bay 3"),
        text("Unloading"),
        text("We are loading your truck, please wait here"),
        text("Loading failed"),
        text("Loaded"),
        text("Refreshing drinks"),
        button("Loading"),  # a tab of a warehouse
        button("Refreshing"),  # a kind of drink
        node("LinearLayout", text("Loading"), text("Gate 3"), at=(0, 200, 1080, 300), clickable="true"),
        catalogue(*(node("LinearLayout", text(t), text("Gate 3"), at=(0, 400, 1080, 500)) for t in ("Loading",))),
        node("ProgressBar", at=(0, 500, 1000, 520), text="70.0"),
        node("ProgressBar", at=(0, 500, 1000, 520)),
        node("ProgressBar", at=ROUND, text="100.0"),
        node("ProgressBar", at=ROUND, text="0.0"),
        node("ProgressBar", at=ROUND, content_desc="40% of your goal"),
        node("Spinner", at=ROUND, clickable="true"),
        node("SeekBar", at=ROUND),
        node("ProgressBar", at=ROUND, visible_to_user="false"),
        node("ProgressBar", at=(500, 2500, 600, 2600)),
        node("ProgressBar", at=(500, 500, 500, 500)),
        node("LoadingDockView", at=ROUND),
        node("ShimmerFrameLayout", text("Milk"), at=(0, 200, 1080, 900)),
    ],
)
def test_what_only_looks_like_it(inside: str) -> None:
    assert not parse(screen(inside)).loading


def test_a_spinner_under_something_else_does_not_count() -> None:
    cover = node("FrameLayout", text("Done"), at=(0, 400, 1080, 900), clickable="true")
    assert not parse(screen(node("ProgressBar", at=ROUND), cover)).loading


def test_a_spinner_in_the_window_below_a_dialog_does_not_count() -> None:
    dialog = node("FrameLayout", button("OK", at=(300, 1300, 500, 1400)), at=(200, 1000, 900, 1500))
    below = node("FrameLayout", node("ProgressBar", at=ROUND), button("Buy"))
    assert not parse(hierarchy(dialog, below)).loading


def test_loading_is_of_this_read_alone() -> None:
    before, after = parse(screen(text("Loading…"))), parse(screen(text("Ready")), "s2")
    assert (before.loading, after.loading) == (True, False)


@pytest.mark.parametrize(
    ("class_name", "label", "value", "loading"),
    [
        ("ActivityIndicator", "In progress", "1", True),
        ("ActivityIndicator", "Progress halted", "0", False),  # the one that waits for a pull
        ("ActivityIndicator", "", None, True),
        ("ProgressIndicator", "Progress", "30%", False),
        ("ProgressIndicator", "Progress", "100%", False),
        ("PageIndicator", "", "page 1 of 3", False),
        ("StaticText", "Loading…", "Loading…", True),
    ],
)
def test_spinners_of_ios_say_whether_they_turn(
    class_name: str, label: str, value: str | None, loading: bool
) -> None:
    assert on_ios(ios(class_name, label, value, width=100)).loading is loading
