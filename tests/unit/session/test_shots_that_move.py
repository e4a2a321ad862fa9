"""Taps on shots of screens that move: none goes to what had changed, and the judge of that can find
one."""

from __future__ import annotations

import pytest

from .shots_that_move import outcomes

SEEDS = range(1, 4)
"""On which the region under the point had changed by the time of the tap."""


@pytest.mark.ci
@pytest.mark.parametrize("platform", ["android", "ios"])
def test_nothing_is_touched_that_had_changed(platform: str) -> None:
    seen = list(outcomes(platform, range(8)))
    assert not [one for one in seen if one.wrong]
    assert [one for one in seen if one.touched]


@pytest.mark.ci
def test_the_judge_finds_a_tap_that_nothing_held_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pytest_replicant.session.photos._changed", lambda *_: "")
    assert [one for one in outcomes("android", SEEDS) if one.wrong]


@pytest.mark.thorough
@pytest.mark.parametrize("platform", ["android", "ios"])
def test_nothing_is_touched_in_many_runs(platform: str) -> None:
    assert not [one for one in outcomes(platform, range(1000, 1100)) if one.wrong]
