"""The digest of a screen's structure: its words count, its numbers do not."""

from __future__ import annotations

import pytest

from pytest_replicant import Snapshot
from pytest_replicant.session.recording.failures import structure_of


def screen(label: str, kind: str = "Button") -> Snapshot:
    return Snapshot.parse(
        f'<hierarchy rotation="0"><node text="{label}" class="android.widget.{kind}" package="a.b" '
        'clickable="true" enabled="true" bounds="[0,0][100,40]"/></hierarchy>',
        "android",
    )


def test_numbers_do_not_count() -> None:
    digest = structure_of(screen("Order 7 of 31, 4.50 EUR"))
    assert digest == structure_of(screen("Order 12 of 9, 17.00 EUR"))
    assert len(digest) == 12


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(screen("Invoice 7"), id="another word"),
        pytest.param(screen("Order 7 sent"), id="one word more"),
        pytest.param(screen("Order"), id="no number at all"),
        pytest.param(screen("Order 7", "CheckBox"), id="another class"),
    ],
)
def test_words_and_classes_count(other: Snapshot) -> None:
    assert structure_of(other) != structure_of(screen("Order 7"))
