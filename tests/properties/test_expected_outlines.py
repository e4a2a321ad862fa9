"""An outline is what it says: a screen is its own, and is not once a line is missing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.captures import NO_CORPUS, corpus
from pytest_replicant.errors import SnapshotError, UsageError
from pytest_replicant.snapshots import OutlineDifference, Snapshot, difference, read_outline
from pytest_replicant.virtual import UiNode

from .effort import examples
from .wild import windows, written

CORPUS = corpus()
REF = re.compile(r"^(\s*(?:- )*)\[[a-z]\d{3,15}\] ?", re.MULTILINE)
EVERY = 8  # of the captures


def compared(expected: str, snapshot: Snapshot) -> OutlineDifference | None:
    shown = snapshot.outline()
    header = shown.split("\n", 1)[0] if snapshot.screen or snapshot.app else ""
    return difference(read_outline(expected, header), read_outline(shown, header))


def without_a_line(shown: str, chosen: int) -> str:
    """One line of an element less; the same where there is none."""
    lines = shown.split("\n")
    listed = [index for index, line in enumerate(lines) if REF.match(line)]
    if listed:
        del lines[listed[chosen % len(listed)]]
    return "\n".join(lines)


def check(snapshot: Snapshot, chosen: int) -> None:
    shown = snapshot.outline()
    assert compared(shown, snapshot) is None
    assert compared(REF.sub(r"\1", shown), snapshot) is None
    less = without_a_line(shown, chosen)
    if less != shown:
        try:
            found = compared(less, snapshot)
        except UsageError:
            return  # nothing is left that could be expected
        assert found is not None
        assert len(found.lines) <= 20


@pytest.mark.slow
@examples(10)
@given(windows(), st.integers(0, 100))
def test_any_screen(roots: list[UiNode], chosen: int) -> None:
    check(Snapshot.parse(written(*roots), size=(1080, 2400)), chosen)


@pytest.mark.slow
@pytest.mark.skipif(CORPUS is None, reason=NO_CORPUS)
@pytest.mark.parametrize("kind", ["android", "appium", "ios", "sequences"])
def test_real_captures(kind: str) -> None:
    assert CORPUS is not None
    paths = sorted(path for path in Path(CORPUS / kind).rglob("*") if path.is_file())
    for number, path in enumerate(paths[::EVERY]):
        try:
            snapshot = Snapshot.parse(path.read_bytes())
        except SnapshotError:
            continue
        check(snapshot, number)
