"""How uses of refs are counted."""

from __future__ import annotations

import pytest

from benchmarks.captures import Capture, Run, split_of
from benchmarks.mutations import named
from benchmarks.peers import PEERS
from benchmarks.runs import Walks, follow
from benchmarks.scoring import OURS, Resolver, Scores, Screen, by_ref, score, upper_bound
from benchmarks.size import weigh
from benchmarks.tree import Tree
from pytest_replicant.model import Element

from ..snapshots.screens import button, catalogue, hierarchy, node, parse, row, screen, text


def capture(source: str) -> Capture:
    return Capture("a capture", "someone/app", "android", "tune", source.encode(), Tree.read(source.encode()))


ROWS = (row("Mug", "5.90", 400), row("Cup", "4.20", 500), row("Pot", "9.00", 600))
SHOP = capture(screen(catalogue(*ROWS)))


def used(mutation: str, resolver: Resolver = by_ref) -> Scores:
    return score([SHOP], [named(mutation)], resolver)


def test_refs_that_reach_their_element_are_kept() -> None:
    tally = used("banner").by["banner", OURS]
    assert tally.uses == tally.surviving == tally.kept == tally.same_ref == len(parse(SHOP.data.decode()).elements)
    assert tally.abstained == tally.mistaken == tally.hijacked == 0


def test_what_is_gone_is_rightly_left_alone() -> None:
    scores = used("row_removed")
    tally = scores.by["row_removed", OURS]
    assert tally.uses - tally.surviving == tally.abstained == 3  # a name, a price and a button
    assert not scores.cases


def test_another_element_is_a_mistake_and_one_with_nothing_in_common_a_hijack() -> None:
    def last(was: Element, before: Screen, after: Screen) -> tuple[Element, str]:
        return [e for e in after.snapshot.elements if e.label == "Add"][-1], "the last one"

    tally = used("toast", last).by["toast", OURS]
    assert tally.kept == 1
    assert tally.mistaken == tally.uses - 1
    assert tally.mistaken - tally.hijacked == 2  # the other two "Add"


def test_bait_counts_only_what_was_exchanged() -> None:
    tally = used("other_rows", lambda was, before, after: (after.snapshot.elements[0], "")).by["other_rows", OURS]
    assert tally.uses == tally.mistaken == 9
    assert tally.surviving == 0


def test_the_bound_that_is_not_exceeded() -> None:
    assert upper_bound(0, 300) == 0.01
    assert upper_bound(1, 100) == pytest.approx(0.0466, abs=1e-4)
    assert upper_bound(5, 5) == 1.0
    assert upper_bound(0, 0) == 1.0


def test_the_split_is_by_owner() -> None:
    assert split_of("gpaneda/philo-automation-ott") == "test"
    assert split_of("SageSELab/ReDraw-Tool") == "tune"


def test_a_row_whose_live_detail_changed_is_counted_apart_along_a_run() -> None:
    def at(level: str) -> bytes:
        tile = node("FrameLayout", text("Battery"), text(level), at=(0, 200, 500, 400), clickable="true")
        return screen(tile, button("Home", at=(0, 900, 100, 950), resource_id="dev.shop:id/home")).encode()

    walks = Walks()
    shown = (at("40 mA"), at("40 mA"), b"Killed", at("38 mA"))
    run = Run("a run", tuple((f"{number}.xml", data) for number, data in enumerate(shown)))
    assert follow(run, walks, PEERS) == 2
    for system in ("position", OURS):
        counts = walks.by[system]
        assert counts.uses == 2
        assert (counts.surely, counts.kept, counts.elsewhere) == (1, 1, 0)
    assert walks.by["position"].resolved == 2
    assert (walks.by["position"].details, walks.by["position"].hijacked) == (1, 0)
    assert walks.by["centre hash"].resolved == 1  # no label, no ref


def test_parts_by_the_xml_are_what_can_be_seen_and_touched() -> None:
    """What lies under a panel that takes its touches is no part of the screen that anybody sees."""
    whole = weigh([SHOP])["android"]
    assert (whole.listed, whole.found) == (whole.elements, whole.parts)
    assert whole.parts == 10  # three rows of three, and the list
    under = button("Under", at=(0, 0, 100, 100))
    above = node("FrameLayout", at=(0, 0, 200, 200), clickable="true")
    hidden = weigh([capture(hierarchy(node("FrameLayout", under, above, text("Seen"))))])["android"]
    assert hidden.parts == hidden.found == 2
