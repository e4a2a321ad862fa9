"""A phone that is captured while it is proven, and made again out of that file, is the same
phone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pytest_replicant.real_phones import (
    EXTRAS,
    Capture,
    Collector,
    Proof,
    learn,
    read_capture,
    redacted,
    write_profile,
)
from tests.faults.desk import ANDROID, IPHONES
from tests.unit.real_phones.captured import facts_by_window, write_capture

pytestmark = pytest.mark.thorough

PHONES = [
    *(f"virtual?profile={name}" for name in ANDROID),
    *(f"virtual:ios?profile={name}" for name in IPHONES),
    "virtual?profile=pixel&windows=taskbar,edge,bubble,toolbar,autofill",
    "virtual?profile=pixel&folded=1",
    "virtual?displays=2",
    "virtual?deepest=60",
]


def proven(uri: str) -> Capture:
    collector = Collector()
    proof = Proof(uri, extras=EXTRAS, collector=collector)
    rows = list(proof.run())
    assert (proof.ended, proof.left) == ("", [])
    return collector.capture({"command": "a test"}, rows)


def differences(first: Capture, then: Capture) -> Iterator[str]:
    for verdict in ("holds", "broken", "not offered", "not reached"):
        ours, theirs = (
            {row.name for row in each.proof if row.verdict == verdict} for each in (first, then)
        )
        yield from (f"{name}: {verdict} on one alone" for name in sorted(ours ^ theirs))
    screens = {each.name: each for each in then.screens}
    for seen in first.screens:
        again = screens.get(seen.name)
        if again is None:
            yield f"{seen.name} is not seen again"
            continue
        if facts_by_window(seen.hierarchy) != facts_by_window(again.hierarchy):
            yield f"{seen.name}: other facts"
        if (seen.app, seen.activity, seen.keyboard) != (again.app, again.activity, again.keyboard):
            yield f"{seen.name}: {again.app}/{again.activity}, keyboard {again.keyboard}"


def made_again(first: Capture, folder: Path, uri: str) -> Capture:
    write_capture(folder / "a.zip", first)
    write_profile(folder / "a.json", learn(read_capture(folder / "a.zip")))
    where = uri.partition("?")[0]
    return proven(f"{where}?profile={folder / 'a.json'}&latency=0")


@pytest.mark.parametrize("uri", PHONES)
def test_a_phone_made_of_its_capture_is_the_same(uri: str, tmp_path: Path) -> None:
    first = proven(f"{uri}&latency=0")
    assert len(first.screens) >= 4

    assert list(differences(first, made_again(first, tmp_path, uri))) == []


@pytest.mark.parametrize(
    ("uri", "lost"),
    [
        ("virtual?profile=one-ui", set()),
        (
            "virtual:ios?profile=ipad",
            {"tour-page"},
        ),  # an iPhone's row that is safe to tap is known by its word
    ],
)
def test_a_redacted_one_is_proven_like_it(uri: str, lost: set[str], tmp_path: Path) -> None:
    first = redacted(proven(f"{uri}&latency=0"))

    found = list(differences(first, made_again(first, tmp_path, uri)))

    assert {each.partition(": ")[0] for each in found if " on one alone" in each} == lost
