"""Whether a screen says that it is not finished."""

from __future__ import annotations

import pytest

from .screens import node, parse, screen, text


@pytest.mark.parametrize(
    "inside",
    [
        node("ProgressBar", at=(500, 500, 600, 600)),
        node("com.google.CircularProgressIndicator", at=(500, 500, 600, 600)),
        text("Loading…"),
        text("Please wait..."),
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
        node("ProgressBar", at=(0, 500, 1000, 520), text="70.0"),
        node("ProgressBar", at=(0, 500, 1000, 520)),
        node("Spinner", at=(0, 500, 100, 600), clickable="true"),
        node("ProgressBar", at=(500, 500, 600, 600), visible_to_user="false"),
    ],
)
def test_what_only_looks_like_it(inside: str) -> None:
    assert not parse(screen(inside)).loading
