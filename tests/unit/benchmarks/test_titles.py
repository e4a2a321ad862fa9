"""How found titles are judged, and the labels they are judged by."""

from __future__ import annotations

from collections import Counter

import pytest

from benchmarks.captures import corpus, split_of
from benchmarks.titles import KINDS, Labelled, judge, labelled


@pytest.mark.parametrize(
    ("kind", "titles", "title", "dialog", "judged"),
    [
        ("toolbar", "Cart", "Cart", None, "got"),
        ("toolbar", "Cart", "", None, "missed"),
        ("toolbar", "Cart", "Pay", None, "wrong"),
        ("toolbar", "Cart", "Cart", "", "wrong"),  # it is no dialog
        ("tab", "Home|New", "New", None, "got"),
        ("large text", "Hello|", "", None, "none"),
        ("large text", "Hello|", "Ada", None, "wrong"),
        ("dialog", "Sure?", "", "Sure?", "got"),
        ("dialog", "Sure?", "Files", "Sure?", "wrong"),
        ("dialog", "", "", "", "none"),
        ("none", "", "Pay", None, "wrong"),
    ],
)
def test_a_title_is_judged_by_the_label(
    kind: str, titles: str, title: str, dialog: str | None, judged: str
) -> None:
    assert judge(Labelled("a.xml", "tune", kind, tuple(titles.split("|"))), title, dialog) == judged


def test_half_of_the_labels_are_kept_apart_by_repository() -> None:
    labels = labelled()
    splits = Counter(label.split for label in labels)
    assert len({label.path for label in labels}) == len(labels) == 150
    assert {label.kind for label in labels} <= set(KINDS)
    assert min(splits.values()) > 60
    folder = corpus()
    if folder is not None:
        for line in (folder / "INDEX.tsv").read_text(encoding="utf-8").splitlines():
            path, repository, *_ = line.split("\t")
            assert all(
                label.split == split_of(repository) for label in labels if label.path == path
            ), path
