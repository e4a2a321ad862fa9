"""No verdict on a test that was edited since it was recorded says what is not true: a sample of a thousand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import pytest

from benchmarks.broken_players import BROKEN
from benchmarks.edited_flows import FLOWS
from benchmarks.edited_tests import FEW, Judge, Judgement, chosen, spread
from benchmarks.ways_to_edit import VERDICTS

Judges = Mapping[str, Judge]

CAUGHT = {
    "the last screen is served for ever": ("counter (ios)", "a check that has to last, at 1"),
    "the first screen is served for ever": ("gone soon (ios)", "none, at 6"),
    "any tap is the recorded one": ("counter (ios)", "another target, at 2"),
    "calls in any order": ("counter (ios)", "cut short, at 1"),
    "a test may stop early": ("counter (ios)", "cut short, at 1"),
    "a clock of its own": ("gone soon (ios)", "a sleep, at 2"),
    "any text is a secret": ("two secrets (android)", "a secret from another place, at 2"),
}
"""By which edits of which test each broken player is found."""


@pytest.fixture(scope="module")
def judges() -> Judges:
    wanted = {name for name, _ in CAUGHT.values()}
    flows = [flow for flow in FLOWS if f"{flow.name} ({flow.platform})" in wanted]
    return {judge.name: judge for judge in map(Judge, flows)}


def _false(made: list[Judgement]) -> list[str]:
    return [f"{one.flow}: {one.edit}: {one.why}" for one in made if one.why]


@pytest.mark.slow
def test_no_verdict_on_an_edited_test_is_false(judges: Judges) -> None:
    made = [judge.judge(edit) for judge in judges.values() for edit in judge.edits[::20]]
    assert _false(made) == []
    assert len(made) > 12
    assert len({one.ended.verdict for one in made}) >= 3


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_player_is_found(judges: Judges, name: str) -> None:
    test, edited = CAUGHT[name]
    judge = judges[test]
    edits = [edit for edit in judge.edits if str(edit).startswith(f"{edited}:")]
    assert any(judge.judge(edit, BROKEN[name]).why for edit in edits)


@pytest.mark.thorough
@pytest.mark.timeout(3600)
def test_no_verdict_on_a_thousand_edited_tests_is_false() -> None:
    made = [judge.judge(edit) for judge, edit in chosen()]
    assert _false(made) == []
    assert len(made) >= 1000
    counts = Counter[str](one.ended.verdict for one in made)
    assert min(counts[verdict] for verdict in VERDICTS) >= 10  # one that says always the same would be right too


@pytest.mark.thorough
@pytest.mark.timeout(3600)
def test_every_broken_player_is_found_over_many_tests() -> None:
    pairs = spread(chosen(), FEW)
    for name, player in BROKEN.items():
        assert _false([judge.judge(edit, player) for judge, edit in pairs]) != [], name
