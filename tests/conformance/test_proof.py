"""A proof of a phone: an honest one breaks nothing, and is afterwards as it was."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from pytest_replicant.captures import ProofRow
from pytest_replicant.proving import EXTRAS, Proof

ANDROID = ("pixel", "tablet", "one-ui", "hyperos", "hyperos-cn", "emulator", "android-7")
IPHONES = ("iphone", "ipad")
PROFILES = [f"virtual?profile={name}" for name in ANDROID] + [f"virtual:ios?profile={name}" for name in IPHONES]


def names(rows: Iterable[ProofRow], verdict: str) -> set[str]:
    return {row.name for row in rows if row.verdict == verdict}


def reasons(rows: Iterable[ProofRow]) -> list[str]:
    return [f"{row.name}: {row.reason}" for row in rows if row.verdict in ("broken", "not reached")]


@pytest.mark.parametrize("uri", [pytest.param(uri, marks=pytest.mark.thorough) for uri in PROFILES] + ["virtual?"])
def test_an_honest_phone_breaks_nothing(uri: str) -> None:
    proof = Proof(f"{uri}&latency=0".replace("?&", "?"), extras=EXTRAS)

    rows = list(proof.run())

    assert reasons(rows) == []
    assert (proof.ended, proof.left) == ("", [])
    assert "tour-page" in names(rows, "holds")
