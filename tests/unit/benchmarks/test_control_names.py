"""Names of controls are counted by what was written by hand."""

from __future__ import annotations

import pytest

from benchmarks.captures import NO_CORPUS, SPLITS, corpus
from benchmarks.control_names import Named, named


@pytest.mark.parametrize(
    ("wanted", "name", "verdict"),
    [
        ("Wi-Fi", "Wi-Fi", "right"),
        ("Alarm|8:30", "8:30", "right"),
        ("Wi-Fi", "Network", "wrong"),
        ("", "Network", "wrong"),
        ("Wi-Fi", "", "none"),
        ("", "", "none"),
    ],
)
def test_another_name_than_the_one_by_hand_is_wrong_and_none_is_none(wanted: str, name: str, verdict: str) -> None:
    assert Named("a.xml 0,0,1,1", "icon", wanted, name).verdict == verdict


@pytest.mark.slow
@pytest.mark.skipif(corpus() is None, reason=NO_CORPUS)
@pytest.mark.parametrize("split", SPLITS)
def test_no_control_has_a_wrong_name(split: str) -> None:
    controls = named(split)  # type: ignore[arg-type]  # one of the two
    assert [one for one in controls if one.verdict == "wrong"] == []
    switches = [one for one in controls if one.wanted and one.kind.startswith("switches")]
    assert sum(one.verdict == "right" for one in switches) >= 0.9 * len(switches)
