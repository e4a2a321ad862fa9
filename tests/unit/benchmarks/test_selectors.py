"""How selectors to write down are counted."""

from __future__ import annotations

import pytest

from benchmarks.selectors import _outcome, kind_of
from pytest_replicant.model import Selector, by
from tests.unit.snapshots.screens import button, parse, screen, text


@pytest.mark.parametrize(
    ("selector", "kind"),
    [
        (by(resource_id="a"), "id"),
        (by(text_matches="a"), "label"),
        (by(text="a", class_name="b"), "both"),
        (by(class_name="b"), "class"),
        (by(resource_id="a", row_with=by(text="b")), "row_with"),
        (by(class_name="a", within=by(resource_id="b")), "within"),
        (by(class_name="a", has=by(text="b")), "has"),
        (by(text="a", near=by(text="b")), "near"),
    ],
)
def test_a_selector_counts_for_what_reaches_farthest(selector: Selector, kind: str) -> None:
    assert kind_of(selector) == kind


def test_what_was_met_is_compared_with_the_truth() -> None:
    save, other, twin = parse(
        screen(button("Save"), text("Other", at=(0, 500, 90, 590)), text("Save", at=(0, 900, 90, 990)))
    ).elements
    assert _outcome(save, [save], save) == "the element"
    assert _outcome(save, [], save) == "nothing"
    assert _outcome(save, [], None) == "nothing, it is gone"
    assert _outcome(save, [save, other], save) == "several"
    assert _outcome(save, [twin], save) == "a namesake"
    assert _outcome(save, [other], None) == "another"
