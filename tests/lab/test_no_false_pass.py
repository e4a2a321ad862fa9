"""No check passes that was not true, on phones that fail at random. Further seeds: ``make
lab-runs``.

The witness is put to the test as well: what is broken on purpose must be found by it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from pytest_replicant.drivers import Platform
from pytest_replicant.errors import DeviceError
from pytest_replicant.session import Check, DeviceSession
from pytest_replicant.session.checks import check, checks, elements

from .seeded_runs import Tally, Walk

SEEDS = 40
SHARDS = 2
MOST = 60  # walks until what is broken must have been found

EMPTY: dict[Platform, tuple[bytes, bytes]] = {
    "android": (
        b'<hierarchy><node class="View" package="dev.replicant.lab" bounds="[0,0][1080,2400]"/></hierarchy>',
        b"</hierarchy>",
    ),
    "ios": (
        b'<XCUIElementTypeApplication name="Lab" label="Lab" x="0" y="0" width="393" height="852">'
        b'<XCUIElementTypeWindow x="0" y="0" width="393" height="852"/></XCUIElementTypeApplication>',
        b"</XCUIElementTypeApplication>",
    ),
}
"""A screen with nothing on it, and how one ends that is whole."""


@pytest.mark.thorough
@pytest.mark.slow
@pytest.mark.parametrize("shard", range(SHARDS))
def test_no_check_passes_that_was_not_true(platform: Platform, shard: int) -> None:
    total = Tally()
    for seed in range(1 + shard, SEEDS + 1, SHARDS):
        total.add(Walk(seed, platform).go())
    assert total.findings == []
    counts = total.counts
    assert counts["runs"] == SEEDS // SHARDS
    assert (
        counts["true and passed"] >= 0.8 * counts["true claims"]
    )  # one that passes nothing would prove nothing
    assert counts["true claims"] > 10
    assert counts["false claims"] > 10
    assert sum(total.faults.values()) > 50
    assert counts["recoveries"] > 5


@pytest.mark.slow
def test_a_seed_repeats_its_run(platform: Platform) -> None:
    first, again = Walk(3, platform).go(), Walk(3, platform).go()
    assert first.endings == again.endings
    assert first.counts == again.counts


# --- the witness can fail -------------------------------------------------------------------------


def findings(platform: Platform, break_it: Callable[[DeviceSession], object] = id) -> Iterator[str]:
    for seed in range(1, MOST + 1):
        yield from Walk(seed, platform, break_it=break_it).go().findings


Found = Callable[..., bool]


@pytest.fixture
def found(platform: Platform) -> Found:
    """``found("false pass", break_it)``: whether the witness says so within some walks."""

    def ask(what: str, break_it: Callable[[DeviceSession], object] = id) -> bool:
        return any(what in finding for finding in findings(platform, break_it))

    return ask


@pytest.mark.slow
@pytest.mark.ci
def test_a_claim_that_always_holds_is_found(found: Found, monkeypatch: pytest.MonkeyPatch) -> None:
    def always(target: Any) -> Check:
        return replace(elements.visible(target), test=lambda _: check.Held("of course"))

    names = vars(elements) | {"visible": always}
    monkeypatch.setattr(checks, "elements", SimpleNamespace(**names))
    assert found("false pass of expect_visible")


@pytest.mark.slow
def test_a_driver_that_taps_twice_is_found(found: Found) -> None:
    def twice(session: DeviceSession) -> None:
        driver: Any = session._context.driver
        once = driver.tap
        driver.tap = lambda point: (once(point), once(point))

    assert found("reached the app 2 times", twice)


@pytest.mark.thorough
@pytest.mark.slow
def test_a_read_that_takes_failure_for_emptiness_is_found(platform: Platform, found: Found) -> None:
    empty, ending = EMPTY[platform]

    def blind(session: DeviceSession) -> None:
        driver: Any = session._context.driver
        dump = driver.dump_hierarchy

        def dumped() -> bytes:
            try:
                source: bytes = dump()
            except DeviceError:
                return empty
            return source if source.rstrip().endswith(ending) else empty

        driver.dump_hierarchy = dumped

    assert found("false pass of expect_", blind)


@pytest.mark.slow
@pytest.mark.ci
def test_a_check_that_is_content_with_one_read_is_found(
    found: Found, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(check, "AGREEING_READS", 1)
    assert found("reads in a row can have shown it")


@pytest.mark.slow
@pytest.mark.ci
def test_absence_that_asks_for_no_reason_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is covered, loading or out of sight was gone before there were rules of absence."""
    monkeypatch.setattr(elements, "doubt", lambda *_: None)
    assert any("false pass of expect_gone" in finding for finding in findings("android"))


@pytest.mark.slow
@pytest.mark.ci
def test_a_ref_that_proves_whatever_bears_it_is_found(
    found: Found, monkeypatch: pytest.MonkeyPatch
) -> None:
    sighting = elements._sighting

    def anything(look: Any, target: Any) -> tuple[bool | None, str]:
        held, shown = sighting(look, target)
        return (True if shown.startswith("renamed") else held), shown

    monkeypatch.setattr(elements, "_sighting", anything)
    assert found("false pass of expect_visible(")


@pytest.mark.slow
def test_an_error_of_somebody_elses_is_found(found: Found) -> None:
    def breaks(session: DeviceSession) -> None:
        driver: Any = session._context.driver

        def tap(point: Any) -> None:
            raise OSError("the cable")

        driver.tap = tap

    assert found("none of this package's errors: OSError", breaks)


@pytest.mark.slow
def test_a_step_back_without_proof_is_found(found: Found, monkeypatch: pytest.MonkeyPatch) -> None:
    for asker in ("expectation", "perform"):
        monkeypatch.setattr(f"pytest_replicant.session.{asker}.why_not_retry", lambda *asked: "")
    assert found("reached the app 2 times")
