"""Is a screen called what a person would call it?

``python -m benchmarks titles`` needs real captures (see ``captures``). ``screen_titles.tsv`` has
what 150 of them show, labelled before the rules were written: rules are tuned on the half that
``split_of`` names, by repository.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from pytest_replicant.snapshots import Snapshot

from .captures import SPLITS, Split, needed_corpus, rows_in
from .table import Table, percent

LABELS = Path(__file__).with_name("screen_titles.tsv")
KINDS = ("toolbar", "back+text", "large text", "tab", "dialog", "sheet", "none")
_IN_A_WINDOW = ("dialog", "sheet")
_EXPLAINED = """A title is that of the screen, or of the open dialog. Shown: captures that plainly have one. Wrong:
another text was taken for it, or any text where there is none. Dialogs known: dialogs and sheets of which the
outline says that they are one. Screens said to be a dialog that are none are counted as wrong."""


@dataclass(frozen=True)
class Labelled:
    """One capture. ``titles`` are equally good; "" among them: it is as good to find none."""

    path: str
    split: str
    kind: str
    titles: tuple[str, ...]

    @property
    def shows_one(self) -> bool:
        return "" not in self.titles


def labelled() -> list[Labelled]:
    rows = rows_in(LABELS, skip=1)  # who labelled them and how
    return [
        Labelled(row["path"], row["split"], row["kind"], tuple(row["title"].split("|")))
        for row in rows
    ]


def judge(label: Labelled, title: str, dialog: str | None) -> str:
    """``got``, ``missed`` or ``wrong``; ``none`` where none was to be found."""
    found = {text for text in (title, dialog) if text}
    if not found <= set(label.titles) or (
        dialog is not None and label.kind in ("toolbar", "back+text", "tab")
    ):
        return "wrong"
    if not label.shows_one:
        return "none"
    return "got" if found else "missed"


def found_by(label: Labelled) -> tuple[str, str | None]:
    """The titles of the screen and of its dialog."""
    snapshot = Snapshot.parse((needed_corpus() / label.path).read_bytes())
    return snapshot.title, snapshot.dialog


def measure() -> list[Table]:
    rows = [row for split in SPLITS for row in _rows(split)]
    columns = ("captures", "kind", "screens", "shown", "got", "share", "wrong", "dialogs known")
    explained = _EXPLAINED.replace("\n", " ")
    every = tuple(row for row in rows if row[1] == "all")
    command = "python -m benchmarks titles"
    return [
        Table("titles", "Names of screens", command, columns, every, explained),
        Table(
            "titles_kinds", "Names of screens by kind", command, columns, tuple(rows), detail=True
        ),
    ]


def _rows(split: Split) -> list[tuple[object, ...]]:
    counts: Counter[tuple[str, str]] = Counter()
    for label in labelled():
        if label.split != split:
            continue
        title, dialog = found_by(label)
        facts = [judge(label, title, dialog), "screens"]
        facts += ["shown"] * label.shows_one + ["dialog"] * (
            label.kind in _IN_A_WINDOW and dialog is not None
        )
        counts.update((kind, fact) for kind in (label.kind, "all") for fact in facts)
    return [_row(split, kind, counts) for kind in (*KINDS, "all") if counts[kind, "screens"]]


def _row(split: Split, kind: str, counts: Counter[tuple[str, str]]) -> tuple[object, ...]:
    shown, got, screens = counts[kind, "shown"], counts[kind, "got"], counts[kind, "screens"]
    known = f"{counts[kind, 'dialog']} of {screens}" if kind in _IN_A_WINDOW else ""
    return split, kind, screens, shown, got, percent(got, shown), counts[kind, "wrong"], known
