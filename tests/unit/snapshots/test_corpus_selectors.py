"""Real captures: what is advised and proposed was tried, and does what it says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from benchmarks.captures import NO_CORPUS
from pytest_replicant.errors import SnapshotError, TargetError
from pytest_replicant.model import Selector, by
from pytest_replicant.snapshots import Snapshot
from pytest_replicant.snapshots.query.match import meant

from .test_corpus import CORPUS, captures

pytestmark = [
    pytest.mark.skipif(CORPUS is None, reason=NO_CORPUS),
    pytest.mark.slow,
]


def screens() -> Iterator[Snapshot]:
    """Distinct ones: the same bytes are kept under several names."""
    known: set[bytes] = set()
    for kind in ("android", "appium", "ios"):
        for path in captures(kind):
            data = path.read_bytes()
            try:
                snapshot = Snapshot.parse(data, id=path.name)
            except SnapshotError:
                continue
            if data not in known:
                known.add(data)
                yield snapshot


def test_what_an_ambiguous_label_is_answered_with_works() -> None:
    asked = advised = 0
    for snapshot in screens():
        for label in {element.label for element in snapshot.elements if element.label}:
            candidates = meant(snapshot._search_index, by(text=label))
            if len(candidates) > 1:
                asked += 1
                advised += advice_works(snapshot, by(text=label), len(candidates))
    assert asked > 100
    assert advised / asked > 0.5  # look-alikes without anything around them are rare


def advice_works(snapshot: Snapshot, selector: Selector, count: int) -> bool:
    with pytest.raises(TargetError) as caught:
        snapshot.one(selector)
    message = str(caught.value)
    assert len(message) < 4000
    extra, works, _ = message.rpartition("Next: ")[2].partition(", or nth=0 if any will do.")
    if not works:
        assert f"nth=0 to nth={count - 1}" in extra
        assert len(meant(snapshot._search_index, replace(selector, nth=count - 1))) == 1
        return False
    added = eval(f"by({extra})", {"by": by})
    assert len(meant(snapshot._search_index, replace(selector, **dict(added.given())))) == 1, message
    return True


def test_every_proposal_is_python_and_keeps_its_word() -> None:
    total = unique = 0
    for snapshot in screens():
        for element in (*snapshot.elements, *snapshot.headings):
            found = snapshot.selector(element.ref)
            assert eval(found.code, {"by": by}) == found.selector
            assert found.selector.nth is None
            assert bool(found.unique_on) != any(text.startswith("not unique") for text in found.warnings)
            if found.unique_on:
                assert meant(snapshot._search_index, found.selector) == [element]
                unique += 1
            total += 1
    assert unique / total > 0.9
