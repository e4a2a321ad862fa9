"""Real captures: each is a screen with every element listed once, or a ``SnapshotError`` that says why not."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from benchmarks.captures import NO_CORPUS, corpus
from pytest_replicant.errors import SnapshotError
from pytest_replicant.snapshots import Snapshot

CORPUS = corpus()
LISTED = re.compile(r"^\s*(?:- )*\[([a-z]\d{3,15})\]", re.MULTILINE)

pytestmark = pytest.mark.skipif(CORPUS is None, reason=NO_CORPUS)


def captures(kind: str) -> list[Path]:
    assert CORPUS is not None
    return sorted(path for path in (CORPUS / kind).rglob("*") if path.is_file())


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["android", "appium", "ios", "malformed", "sequences"])
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
def test_every_ios_capture_that_holds_an_element_is_read() -> None:
    for path in captures("ios"):
        source = path.read_text(encoding="utf-8")
        if "<XCUIElementType" in source:
            assert Snapshot.parse(source).platform == "ios", path
        else:
            with pytest.raises(SnapshotError, match="no elements"):
                Snapshot.parse(source)


@pytest.mark.slow
def test_captures_of_another_kind_are_refused_with_a_reason() -> None:
    for path in captures("screens"):
        if path.suffix == ".json":
            with pytest.raises(SnapshotError, match="no tree of elements"):
                Snapshot.parse(path.read_bytes())


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["android", "appium", "ios"])
def test_a_cut_outline_keeps_to_its_limit(kind: str) -> None:
    for path in captures(kind):
        try:
            snapshot = Snapshot.parse(path.read_bytes())
        except SnapshotError:
            continue
        whole, least = snapshot.outline(), len(snapshot.outline(max_chars=1))
        for limit in (150, 400, 900):
            cut = snapshot.outline(max_chars=limit)
            assert len(cut) <= max(limit, least), path
            assert (cut == whole) == (len(whole) <= limit), path


def screen_keys(folder: str) -> set[str]:
    assert CORPUS is not None
    paths = sorted((CORPUS / "sequences").glob(folder))
    if not paths:
        pytest.skip(f"no captures at {folder}")
    return {Snapshot.parse(path.read_bytes()).screen_key for path in paths}


@pytest.mark.slow
def test_a_screen_without_title_and_ids_keeps_its_key_while_it_is_typed_into() -> None:
    form = screen_keys("OGUN01*/login_password/*.xml")
    assert len(form) == 1
    assert form.isdisjoint(screen_keys("OGUN01*/ui_dumps/00[3-6]*.xml"))


@pytest.mark.slow
@pytest.mark.parametrize("folder", ["scroll_Lights", "scroll_Driving", "scroll_AD", "scroll_Seat"])
def test_a_page_keeps_its_key_while_it_scrolls(folder: str) -> None:
    assert len(screen_keys(f"MunkiJeon*/{folder}/*.xml")) == 1
