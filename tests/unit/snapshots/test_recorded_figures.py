"""Refs and outlines on real captures are as good as when they were last recorded, by ``benchmarks
refs``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from benchmarks import figures
from benchmarks.captures import NO_CORPUS, captures, corpus

if TYPE_CHECKING:
    from benchmarks.scoring import Screen
    from pytest_replicant.model import Element

pytestmark = [
    pytest.mark.slow,
    pytest.mark.thorough,
    pytest.mark.skipif(corpus() is None, reason=NO_CORPUS),
]


def test_nothing_is_worse_than_it_was_recorded() -> None:
    worse = figures.worse(figures.measure(), figures.recorded())
    assert not worse, "\n".join(worse)


def test_refs_that_were_places_in_a_list_would_fail() -> None:
    def by_place(was: Element, before: Screen, after: Screen) -> tuple[Element | None, str]:
        now, place = after.snapshot.elements, before.snapshot.elements.index(was)
        return (now[place] if place < len(now) else None), "by its place"

    measured = figures.refs("tune", captures("tune", figures.MOST)[0], by_place)
    worse = figures.worse(measured, _recorded_of(measured))
    assert any("layout retention" in line for line in worse)
    assert any("layout mistaken" in line for line in worse)
    assert any("layout hijacked" in line for line in worse)
    assert any("bait mistaken" in line for line in worse)


def test_refs_that_never_resolve_would_fail() -> None:
    measured = figures.refs(
        "tune", captures("tune", figures.MOST)[0], lambda was, before, after: (None, "never")
    )
    worse = figures.worse(measured, _recorded_of(measured))
    assert any("layout retention" in line for line in worse)
    assert any("content retention" in line for line in worse)


def _recorded_of(measured: figures.Figures) -> figures.Figures:
    return {name: value for name, value in figures.recorded().items() if name in measured}
