"""What an outline says of a screen: names, values, states, rows, titles, dialogs, and what it leaves out."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pytest_replicant.snapshots import Snapshot

from .drawn import cases, drawn

REF = re.compile(r"\[[a-z]\d{3,15}\] ?")
FOLDER = Path(__file__).parent / "outlines"


@pytest.mark.parametrize("sections", cases(FOLDER))
def test_the_outline(sections: list[str]) -> None:
    screen, outline = sections
    assert REF.sub("", Snapshot.parse(drawn(screen)).outline()) == outline


@pytest.mark.parametrize("sections", cases(FOLDER.with_name("rows")))
def test_the_rows_that_elements_are_in(sections: list[str]) -> None:
    screen, described = sections
    elements = Snapshot.parse(drawn(screen)).elements
    assert [REF.sub("", element.describe()) for element in elements] == described.splitlines()
