"""How uses of refs are counted."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.captures import Capture, Run, captures, split_of
from benchmarks.mutations import named
from benchmarks.runs import Walk, follow
from benchmarks.scoring import Resolver, Scores, Screen, by_ref, score, upper_bound
from benchmarks.tree import Tree
from pytest_replicant.model import Element

from ..snapshots.screens import button, catalogue, node, parse, row, screen, text


def capture(source: str) -> Capture:
    return Capture(
        "a capture", "someone/app", "android", "tune", source.encode(), Tree.read(source.encode())
    )


ROWS = (row("Mug", "5.90", 400), row("Cup", "4.20", 500), row("Pot", "9.00", 600))
SHOP = capture(screen(catalogue(*ROWS)))


def used(mutation: str, resolver: Resolver = by_ref) -> Scores:
    return score([SHOP], [named(mutation)], resolver)


def test_refs_that_reach_their_element_are_kept() -> None:
    tally = used("banner").by["banner"]
    assert (
        tally.uses
        == tally.surviving
        == tally.kept
        == tally.same_ref
        == len(parse(SHOP.data.decode()).elements)
    )
    assert tally.abstained == tally.mistaken == tally.hijacked == 0


def test_what_is_gone_is_rightly_left_alone() -> None:
    scores = used("row_removed")
    tally = scores.by["row_removed"]
    assert tally.uses - tally.surviving == 3  # a name, a price and a button
    assert (tally.kept, tally.abstained, tally.demanded) == (tally.surviving, 0, 0)
    assert not scores.cases


def test_another_element_is_a_mistake_and_one_with_nothing_in_common_a_hijack() -> None:
    def last(was: Element, before: Screen, after: Screen) -> tuple[Element, str]:
        return [e for e in after.snapshot.elements if e.label == "Add"][-1], "the last one"

    tally = used("toast", last).by["toast"]
    assert tally.kept == 1
    assert tally.mistaken == tally.uses - 1
    assert tally.mistaken - tally.hijacked == 2  # the other two "Add"


def test_where_abstaining_is_right_it_is_no_loss_and_another_element_still_a_mistake() -> None:
    def first_icon(was: Element, before: Screen, after: Screen) -> tuple[Element, str]:
        return next(e for e in after.snapshot.elements if e.class_name == "ImageView"), "the first"

    def none(was: Element, before: Screen, after: Screen) -> tuple[None, str]:
        return None, "never"

    abstains, guesses = (
        used("icon_gone", resolver).by["icon_gone"] for resolver in (none, first_icon)
    )
    assert abstains.demanded == guesses.demanded > 0
    assert abstains.abstained == abstains.decidable == abstains.surviving - abstains.demanded
    assert (abstains.kept, abstains.mistaken) == (0, 0)
    assert guesses.mistaken >= guesses.uses - 1
    cases = used("icon_gone", none).cases
    assert sum(case.outcome == "demanded" for case in cases) == abstains.demanded
    assert all(
        case.why.startswith("not decidable") == (case.outcome == "demanded") for case in cases
    )


def test_another_seed_counts_only_where_it_changes_something_else() -> None:
    def uses(mutation: str, seeds: int) -> int:
        return score([SHOP], [named(mutation)], seeds=seeds).by[mutation].uses

    assert uses("density", 5) == uses("density", 1)
    assert uses("jitter_5", 5) == 5 * uses("jitter_5", 1)


def test_what_may_be_the_same_element_or_another_is_not_counted() -> None:
    tally = used("tab_switched").by["tab_switched"]
    listed = len(parse(SHOP.data.decode()).elements)
    assert tally.uses == listed - 1 + 4  # not the list itself, and four tabs
    assert tally.surviving == 4


def test_bait_counts_only_what_was_exchanged() -> None:
    tally = used("other_rows", lambda was, before, after: (after.snapshot.elements[0], "")).by[
        "other_rows"
    ]
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
        tile = node(
            "FrameLayout", text("Battery"), text(level), at=(0, 200, 500, 400), clickable="true"
        )
        return screen(
            tile, button("Home", at=(0, 900, 100, 950), resource_id="dev.shop:id/home")
        ).encode()

    walked = Walk()
    shown = (at("40 mA"), at("40 mA"), b"Killed", at("38 mA"))
    run = Run("a run", tuple((f"{number}.xml", data) for number, data in enumerate(shown)))
    assert follow(run, walked) == 2
    assert walked.uses == 2
    assert (walked.surely, walked.kept, walked.elsewhere) == (1, 1, 0)
    assert (walked.resolved, walked.hijacked, walked.details) == (2, 0, 1)


def test_screens_that_show_nearly_the_same_count_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [
        row(name, "1.00", 400 + 100 * place)
        for place, name in enumerate(("Mug", "Cup", "Pot", "Tray"))
    ]
    shown = {
        "first": screen(text("12:01"), catalogue(*rows)),
        "later": screen(text("12:37"), catalogue(*rows)),
        "other": screen(text("12:01"), catalogue(*rows[:2])),
    }
    _write_corpus(
        tmp_path, [(name, "someone/app", "dev.shop", source) for name, source in shown.items()]
    )
    monkeypatch.setenv("REPLICANT_CORPUS", str(tmp_path))
    found, left_out = captures("tune")
    assert len(found) == 2
    assert left_out["nearly equal to another"] == 1
    assert "other.xml" in {capture.name for capture in found}


def test_no_app_is_in_both_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = [
        ("tuned", "someone/app", "com.android.settings", screen(text("One"))),
        ("same", "gpaneda/tests", "com.android.settings", screen(text("Two"))),
        ("apart", "gpaneda/tests", "dev.other", screen(text("Three"))),
        ("unknown", "gpaneda/tests", "", screen(text("Four"), text("Five"))),
    ]
    _write_corpus(tmp_path, files)
    monkeypatch.setenv("REPLICANT_CORPUS", str(tmp_path))
    found, left_out = captures("test")
    assert [capture.name for capture in found] == ["apart.xml", "unknown.xml"]
    assert left_out["of an app to tune on"] == 1


def _write_corpus(folder: Path, files: list[tuple[str, str, str, str]]) -> None:
    """Each file: name, repository, app, source."""
    lines = ["path\tsource_repo\tkind\tapp_package"]
    for name, repository, app, source in files:
        (folder / f"{name}.xml").write_text(source)
        lines.append(f"{name}.xml\t{repository}\tandroid\t{app}")
    (folder / "INDEX.tsv").write_text("\n".join(lines))
