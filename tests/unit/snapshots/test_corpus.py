"""Real captures: each is read or refused with a reason, and the advice and proposals for it
work."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.captures import NO_CORPUS, corpus
from pytest_replicant.errors import SnapshotError, TargetError
from pytest_replicant.model import Advice, Selector, by, combined
from pytest_replicant.snapshots import Snapshot

CORPUS = corpus()
SAMPLE = 8
LISTED = re.compile(r"^\s*(?:- )*\[([a-z]\d{3,15})\]", re.MULTILINE)

pytestmark = pytest.mark.skipif(CORPUS is None, reason=NO_CORPUS)


every = pytest.mark.parametrize("step", [SAMPLE, pytest.param(1, marks=pytest.mark.thorough)])
"""A sample of the captures, or all of them."""


def captures(kind: str, step: int = 1) -> list[Path]:
    assert CORPUS is not None
    return sorted(path for path in (CORPUS / kind).rglob("*") if path.is_file())[::step]


@every
@pytest.mark.slow
@pytest.mark.parametrize("kind", ["android", "appium", "ios", "malformed", "sequences"])
def test_every_capture_is_read_and_every_element_listed_once(kind: str, step: int) -> None:
    screens = 0
    for path in captures(kind, 1 if kind == "malformed" else step):
        try:
            snapshot = Snapshot.parse(path.read_bytes())
        except SnapshotError:
            continue
        screens += 1
        refs = [element.ref for element in snapshot.elements]
        assert len(set(refs)) == len(refs), path
        assert len({element.identity for element in snapshot.elements}) == len(refs), path
        assert Counter(LISTED.findall(snapshot.outline(full=True))) == Counter(refs), path
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


@every
@pytest.mark.slow
@pytest.mark.parametrize("kind", ["android", "appium", "ios"])
def test_a_cut_outline_keeps_to_its_limit(kind: str, step: int) -> None:
    for path in captures(kind, step):
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


def screens(step: int) -> Iterator[Snapshot]:
    """Distinct ones: the same bytes are kept under several names."""
    known: set[bytes] = set()
    for kind in ("android", "appium", "ios"):
        for path in captures(kind, step):
            data = path.read_bytes()
            try:
                snapshot = Snapshot.parse(data, id=path.name)
            except SnapshotError:
                continue
            if data not in known:
                known.add(data)
                yield snapshot


@every
@pytest.mark.slow
def test_what_an_ambiguous_label_is_answered_with_works(step: int) -> None:
    asked = advised = 0
    for snapshot in screens(step):
        for label in {element.label for element in snapshot.elements if element.label}:
            candidates = snapshot.every(by(text=label))
            if len(candidates) > 1:
                asked += 1
                advised += advice_works(snapshot, by(text=label), len(candidates))
    assert asked > 100 // step
    assert advised / asked > 0.5  # look-alikes without anything around them are rare


def advice_works(snapshot: Snapshot, selector: Selector, count: int) -> bool:
    with pytest.raises(TargetError) as caught:
        snapshot.one(selector)
    message, advice = str(caught.value), caught.value.parts.advice
    assert len(message) < 4000
    if isinstance(advice[0], str):
        assert f"nth=0 to nth={count - 1}" in advice[0]
        assert len(snapshot.every(replace(selector, nth=count - 1))) == 1
        return False
    locators = [
        one.locator for one in advice if isinstance(one, Advice) and one.locator is not None
    ]
    found = [snapshot.every(combined(selector, one)) for one in locators]
    assert [len(each) for each in found] == [1, 1], message
    assert len({each[0] for each in found}) == len(found)
    return True


@every
@pytest.mark.slow
def test_every_proposal_is_python_and_keeps_its_word(step: int) -> None:
    total = unique = 0
    for snapshot in screens(step):
        for element in (*snapshot.elements, *snapshot.headings):
            found = snapshot.selector(element.ref)
            assert eval(found.code, {"by": by}) == found.selector
            assert found.selector.nth is None
            assert bool(found.unique_on) != any(
                text.startswith("not unique") for text in found.warnings
            )
            if found.unique_on:
                assert snapshot.every(found.selector) == [element]
                unique += 1
            total += 1
    assert unique / total > 0.9
