"""Real captures: each is a screen with every element listed once, or a ``SnapshotError`` that says why not."""

from __future__ import annotations

import os
import re
from collections import Counter
from pathlib import Path

import pytest

from pytest_replicant.errors import SnapshotError
from pytest_replicant.snapshots.snapshot import Snapshot

CHECKOUT = Path(__file__).resolve().parents[3]
CORPUS = Path(os.environ.get("REPLICANT_CORPUS", CHECKOUT.parent / "shared" / "corpus"))
LISTED = re.compile(r"^\s*(?:- )*\[([a-z]\d{3,15})\]", re.MULTILINE)

pytestmark = pytest.mark.skipif(not CORPUS.is_dir(), reason="no captures: set REPLICANT_CORPUS to their folder")


def captures(kind: str) -> list[Path]:
    return sorted(path for path in (CORPUS / kind).rglob("*") if path.is_file())


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["android", "appium", "malformed", "sequences"])
def test_every_capture_is_read_and_every_element_listed_once(kind: str) -> None:
    screens = 0
    for path in captures(kind):
        try:
            snapshot = Snapshot.parse(path.read_bytes())
        except SnapshotError:
            continue
        screens += 1
        refs = [element.ref for element in snapshot.elements]
        assert len(set(refs)) == len(refs), path
        assert len({element.identity for element in snapshot.elements}) == len(refs), path
        assert Counter(LISTED.findall(snapshot.outline())) == Counter(refs), path
        again = Snapshot.parse(path.read_bytes(), id="s1")
        assert again.fingerprint == snapshot.fingerprint, path
        assert {again.locate(element).verdict for element in snapshot.elements} <= {"same"}, path
    assert screens


@pytest.mark.slow
def test_captures_of_another_kind_are_refused_with_a_reason() -> None:
    for path in captures("ios"):
        with pytest.raises(SnapshotError, match=r"not read yet|no hierarchy"):
            Snapshot.parse(path.read_bytes())
