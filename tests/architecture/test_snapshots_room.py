"""The room of snapshots is told in order: its docstring names every file, and none imports one of a later part."""

from __future__ import annotations

import re

import pytest

from pytest_replicant import snapshots

from .source_tree import PACKAGE, imports

ROOM = "pytest_replicant.snapshots"
APART = {"finding": "showing", "advising": "showing"}


def parts(text: str) -> dict[str, str]:
    """The part each file belongs to, the first part first."""
    found: dict[str, str] = {}
    for line in text.splitlines():
        told = re.fullmatch(r"(\w+)  +(\w+(?: · \w+)*)", line)
        if told:
            found.update(dict.fromkeys(told[2].split(" · "), told[1]))
    return found


def out_of_order(part: dict[str, str], graph: dict[str, set[str]]) -> list[str]:
    order = list(dict.fromkeys(part.values()))
    return [
        f"{name} imports {target}"
        for name, targets in sorted(graph.items())
        for target in sorted(targets)
        if order.index(part[target]) > order.index(part[name]) or APART.get(part[name]) == part[target]
    ]


def room() -> dict[str, set[str]]:
    """By file, the files of the room that it imports."""
    inside = f"{ROOM}."
    return {
        name.removeprefix(inside): {target.removeprefix(inside) for target in targets if target.startswith(inside)}
        for name, targets in imports(PACKAGE).items()
        if name.startswith(inside)
    }


def test_every_file_has_its_part() -> None:
    assert sorted(room()) == sorted(parts(snapshots.__doc__ or ""))


def test_no_file_imports_one_of_a_later_part() -> None:
    assert out_of_order(parts(snapshots.__doc__ or ""), room()) == []


@pytest.mark.parametrize(("name", "target"), [("words", "labels"), ("outline", "select"), ("select", "outline")])
def test_a_planted_import_is_found(name: str, target: str) -> None:
    planted = out_of_order(parts(snapshots.__doc__ or ""), room() | {name: {target}})
    assert planted == [f"{name} imports {target}"]
