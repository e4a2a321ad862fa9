"""Elements as messages print them."""

from __future__ import annotations

from tests.unit.snapshots.screens import button, parse, screen


def test_a_label_stays_inside_its_quotes() -> None:
    (element,) = parse(screen(button('OK" in row "All \\'))).elements
    assert element.describe() == f'[{element.ref}] Button "OK\\" in row \\"All \\\\"'
