"""A proof finds each promise that is broken, and nothing else."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping

import pytest

from pytest_replicant.real_phones import proof
from pytest_replicant.testing import DRIVER_CLAUSES
from pytest_replicant.virtual import Faults
from tests.faults.desk import IPHONES, PROFILES, on_desk, proof_of
from tests.faults.phone_state import differences, state_of

from .planted_faults import faults

SEED = 1
COUNT = 12  # faults on each phone
LONG = {
    "type",
    "no-threads",
    "shell-limit",
    "reconnect-keeps",
}  # a third of the time, and not judged by day
IN_FIELD = {
    "type",
    "type-more",
    "type-nothing",
    "field-takes",
    "newline",
    "hide-keyboard",
    "reconnect-keeps",
}
LOST_TAPS = {
    "pixel": {"tap-place", "tour-page"},
    "iphone": {*IN_FIELD, "tap-place", "launch-keeps", "tour-page", "tour-search"},
}
Verdicts = Mapping[str, str]


def platform_of(profile: str) -> str:
    return "ios" if profile in IPHONES else "android"


def shuffled(platform: str) -> list[int]:
    """The numbers of the faults of phones of that platform."""
    numbers = [number for number, each in enumerate(faults()) if each.platform in ("", platform)]
    random.Random(SEED).shuffle(numbers)
    return numbers


def verdicts(profile: str, numbers: Iterable[int] = (), of_phone: Faults | None = None) -> Verdicts:
    """By clause, of a driver with the faults of these numbers; the phone has to be afterwards as it
    was."""
    planted = faults()
    with on_desk(profile, of_phone) as device:
        before = state_of(device.phone)
        running = proof_of(device, [planted[number].flaw for number in numbers])
        rows = list(running.run())
        assert (running.ended, running.left, differences(before, state_of(device.phone))) == (
            "",
            [],
            [],
        )
    return {row.name: row.verdict for row in rows}


def broken(said: Verdicts) -> set[str]:
    return {name for name, verdict in said.items() if verdict == "broken"}


def vacuous(profile: str, said: Verdicts) -> set[str]:
    """Clauses that are asked, and that no fault breaks."""
    found = {name for number in shuffled(platform_of(profile)) for name in faults()[number].breaks}
    return {name for name, verdict in said.items() if verdict in ("holds", "broken")} - found


def test_twelve_at_once_are_found_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        proof, "DRIVER_CLAUSES", [each for each in DRIVER_CLAUSES if each.name not in LONG]
    )
    numbers = shuffled("android")[:COUNT]
    said = verdicts("pixel", numbers)
    wanted = {name for number in numbers for name in faults()[number].breaks}
    assert broken(said) == {name for name in wanted if said.get(name) in ("holds", "broken")}
    assert vacuous("pixel", said) == set()


def breaks(number: int, honest: Verdicts) -> set[str]:
    """Of what the fault breaks that which is asked. Whoever denies an ability is asked about it
    wherever it is."""
    return {
        name
        for name in faults()[number].breaks
        if honest.get(name) == "holds" or name.startswith("no-")
    }


@pytest.mark.thorough
@pytest.mark.timeout(300)
@pytest.mark.parametrize("profile", PROFILES)
def test_each_of_twelve_is_found_alone(profile: str) -> None:
    """The phones of a platform are dealt different ones."""
    honest = verdicts(profile)
    assert broken(honest) == set()
    assert vacuous(profile, honest) == set()
    numbers = [number for number in shuffled(platform_of(profile)) if breaks(number, honest)]
    start = PROFILES.index(profile) * COUNT % len(numbers)
    dealt = (numbers[start:] + numbers[:start])[:COUNT]
    found = {number: broken(verdicts(profile, [number])) for number in dealt}
    assert found == {number: breaks(number, honest) for number in dealt}


@pytest.mark.thorough
@pytest.mark.parametrize("profile", LOST_TAPS)
def test_a_phone_that_feels_no_tap(profile: str) -> None:
    assert broken(verdicts(profile, of_phone=Faults(lose_tap=1.0))) == LOST_TAPS[profile]
