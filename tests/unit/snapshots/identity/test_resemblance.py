"""Nearly the right name."""

from __future__ import annotations

import pytest

from pytest_replicant.model import Selector, by
from pytest_replicant.snapshots.identity.locate import nearest

from ..screens import button, parse, screen

ELEMENTS = parse(
    screen(
        button("Sign in", resource_id="dev.shop:id/login"),
        button("Sign up for news", at=(0, 500, 200, 600)),
        button("Tray", at=(0, 700, 200, 800), resource_id="dev.shop:id/tray"),
    )
).elements


@pytest.mark.parametrize(
    ("selector", "labels"),
    [
        (by(text="sign in"), ["Sign in"]),
        (by(text="Sign"), ["Sign in", "Sign up for news"]),
        (by(text="Sgin in"), ["Sign in"]),
        (by(text_matches="trays?"), ["Tray"]),
        (by(resource_id="dev.other:id/log_in"), ["Sign in"]),
        (by(text="Zzzz"), []),
        (by(enabled=True), []),
    ],
)
def test_the_best_come_first(selector: Selector, labels: list[str]) -> None:
    assert [element.label for element in nearest(selector, ELEMENTS)] == labels


def test_no_more_are_named_than_asked_for() -> None:
    assert len(nearest(by(text="Sign"), ELEMENTS, 1)) == 1
