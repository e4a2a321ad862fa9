"""Another look is taken where the first was not worth much, and nowhere else."""

from __future__ import annotations

import pytest

from pytest_replicant.errors import DeviceOffline
from tests.unit.snapshots.screens import SHOP, node, parse, screen

from .failures import ask, failed

LOADING = screen(node("ProgressBar", at=(400, 1000, 600, 1200)), title="Catalogue")


@pytest.mark.parametrize(
    ("source", "facts", "reason"),
    [
        (SHOP, {"steady": False}, "the screen was still changing: no two reads in a row agreed on it"),
        (LOADING, {}, "the screen was still loading"),
        (SHOP, {"failed_reads": 1}, "the screen could not be read all of the time (1 read failed)"),
        (SHOP, {"failed_reads": 3}, "the screen could not be read all of the time (3 reads failed)"),
    ],
)
@pytest.mark.parametrize("code", ["ELEMENT_NOT_FOUND", "ELEMENT_NOT_INTERACTABLE", "VERIFICATION_FAILED"])
def test_the_screen_was_on_its_way(code: str, source: str, facts: dict[str, object], reason: str) -> None:
    failure = failed(code, parse(source), **facts)  # type: ignore[arg-type]  # parametrised
    answer = ask("drift", failure)
    assert answer is not None
    assert (answer.strategy, answer.before, answer.reason) == ("state_refresh", (), reason)


@pytest.mark.parametrize("code", ["ELEMENT_NOT_FOUND", "STALE_REFERENCE", "VERIFICATION_FAILED"])
def test_a_screen_at_rest_is_what_it_is(code: str) -> None:
    assert ask("drift", failed(code, parse(SHOP))) is None  # type: ignore[arg-type]
    assert ask("drift", failed("UNKNOWN", None)) is None


def test_it_looks_once() -> None:
    assert ask("drift", failed("ELEMENT_NOT_FOUND", parse(LOADING)), "state_refresh") is None


def test_a_phone_in_trouble_needs_more_than_a_look() -> None:
    assert ask("drift", failed("UNKNOWN", None, steady=False, error=DeviceOffline("gone"))) is None
