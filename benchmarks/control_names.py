"""Are controls without words named by the words next to them?

``python -m benchmarks control_names`` needs real captures (see ``captures``). ``control_names.tsv`` was written by
hand before the rules were: capture, box and name of a control that carries no words itself, alternatives separated
by ``|``; an empty name for a control that no words next to it belong to.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pytest_replicant.model import Rect
from pytest_replicant.snapshots import Snapshot

from .captures import SPLITS, corpus, needed_corpus, split_of
from .table import Table, percent

if TYPE_CHECKING:
    from .captures import Split

_LABELS = Path(__file__).with_suffix(".tsv")
_COLUMNS = ("captures", "controls", "with words next to them", "named", "share", "without", "wrong names")
_NOTE = """Controls without words of their own on real captures, their names written by hand before the rules.
Wrong: another name than theirs, or one for a control to which no words next to it belong. What a field itself
shows, where hints are not reported, does not count as a name from next to it."""
_KINDS = ("switches, boxes, radio buttons, fields", "buttons and icons")


class Named(NamedTuple):
    """One control: capture and box, its name by hand, the name that the outline prints."""

    place: str
    kind: str
    wanted: str
    name: str

    @property
    def verdict(self) -> str:
        if not self.name:
            return "none"
        return "right" if self.name in self.wanted.split("|") else "wrong"


def measure() -> Table:
    needed_corpus()
    rows = tuple(_row(split, kind, controls) for split in SPLITS for controls in [named(split)] for kind in _KINDS)
    command = "python -m benchmarks control_names"
    return Table("control_names", "Names for controls without words", command, _COLUMNS, rows, _NOTE)


def _row(split: Split, kind: str, controls: list[Named]) -> tuple[object, ...]:
    those = [one for one in controls if one.kind == kind]
    worded = [one for one in those if one.wanted]
    right = sum(one.verdict == "right" for one in worded)
    wrong = sum(one.verdict == "wrong" for one in those)
    return split, kind, len(worded), right, percent(right, len(worded)), len(those) - len(worded), wrong


def named(split: Split) -> list[Named]:
    """The labelled controls of a split."""
    lines = [line.split("\t") for line in _LABELS.read_text(encoding="utf-8").splitlines()]
    folder = corpus()
    found: list[Named] = []
    for capture, box, wanted in lines:
        if folder is None or split_of(Path(capture).parts[1].replace("__", "/", 1)) != split:
            continue
        at = Rect(*map(int, box.split(",")))
        screen = Snapshot.parse((folder / capture).read_bytes())
        element = next(one for one in screen.elements if one.bounds == at and not one.children)
        switch = element.node.checkable or element.states.editable
        name = "" if not wanted and element.label == element.text else element.label or element.borrowed
        found.append(Named(f"{capture} {box}", _KINDS[not switch], wanted, name))
    return found
