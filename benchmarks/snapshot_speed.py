"""What a snapshot costs, in parses of the same bytes that do nothing else, and what comes after it."""

from __future__ import annotations

import gc
import statistics
import time
from typing import TYPE_CHECKING

from lxml import etree

from pytest_replicant.errors import SnapshotError
from pytest_replicant.snapshots import Snapshot
from pytest_replicant.snapshots.parsers import roles, uiautomator

from .captures import NO_CORPUS, corpus
from .replay import Replay
from .shop_screen import shop_screen
from .table import Table

if TYPE_CHECKING:
    from collections.abc import Callable

ROUNDS = 9
SIZES = (1000, 5000)
_COMMAND = "python -m benchmarks snapshot_speed"
_HOW = (
    f"Processor time, the least of {ROUNDS} rounds in which the things compared take turns. A first look is at "
    "boxes and classes that were never seen before, another look at a screen like those before it."
)


def measure() -> list[Table]:
    gc.collect()
    gc.freeze()  # what other benchmarks have left behind is not to be walked through again and again
    try:
        sizes = {size: _costs(shop_screen(size)) for size in SIZES}
        return [_parses(sizes), _shares(sizes)]
    finally:
        gc.unfreeze()


def _parses(sizes: dict[int, _Costs]) -> Table:
    costs = _captures()
    rows = [_row(f"{len(costs)} captures, medians", costs)] if costs else []
    rows += [_row(f"{size:,} made-up nodes", [cost]) for size, cost in sizes.items()]
    return Table(
        "snapshot_speed",
        "Parse, refs and outline",
        _COMMAND,
        ("screen", "bare µs a node", "first look µs a node", "ratio", "another look µs a node", "ratio "),
        tuple(rows),
        f"Bare is `lxml.etree.fromstring`. {_HOW}{'' if costs else f' No row for real screens: {NO_CORPUS}.'}",
    )


def _row(name: str, costs: list[_Costs]) -> tuple[object, ...]:
    def median(of: Callable[[_Costs], float]) -> float:
        return statistics.median(map(of, costs))

    return (
        name,
        median(lambda cost: cost.bare * 1e6 / cost.nodes),
        median(lambda cost: cost.first * 1e6 / cost.nodes),
        median(lambda cost: cost.first / cost.bare),
        median(lambda cost: cost.again * 1e6 / cost.nodes),
        median(lambda cost: cost.again / cost.bare),
    )


def _shares(sizes: dict[int, _Costs]) -> Table:
    small, large = (sizes[size] for size in SIZES)
    rows = (
        ("a node of 5,000, in nodes of 1,000", (large.first / large.nodes) / (small.first / small.nodes)),
        ("diff of two screens of 1,000 nodes, in parses of one", _diff()),
        ("a dump that equals the last one, in parses of it", _equal()),
    )
    return Table("snapshot_shares", "After a snapshot", _COMMAND, ("what", "ratio"), rows, _HOW)


class _Costs:
    """Of one screen, in seconds."""

    def __init__(self, nodes: int, bare: float, first: float, again: float) -> None:
        self.nodes, self.bare, self.first, self.again = nodes, bare, first, again


def _costs(data: bytes) -> _Costs:
    def show() -> None:
        Snapshot.parse(data).outline()

    bare, again, first = _turn_about(lambda: etree.fromstring(data), show, (show, _forget))
    return _Costs(len(Snapshot.parse(data).nodes), bare, first, again)


def _captures() -> list[_Costs]:
    folder = corpus()
    found: list[_Costs] = []
    for kind in ("android", "appium"):
        for path in sorted((folder / kind).rglob("*")) if folder else ():
            data = path.read_bytes() if path.is_file() else b""
            try:
                Snapshot.parse(data)
                etree.fromstring(data)
            except (SnapshotError, etree.XMLSyntaxError):  # noise around it, or no screen
                continue
            found.append(_costs(data))
    return found


def _diff() -> float:
    """Against screens that nobody has asked for anything yet."""
    before, after = shop_screen(1000), shop_screen(1000, changed=20)
    screens: list[Snapshot] = []

    def parse_both() -> None:
        screens[:] = Snapshot.parse(before), Snapshot.parse(after)

    diff, parse = _turn_about(
        (lambda: str(screens[1].diff(screens[0])), parse_both), lambda: Snapshot.parse(before)
    )
    return diff / parse


def _equal() -> float:
    screen = shop_screen(1000)
    session, copies = Replay(), list[bytes]()
    session.show(screen)
    equal, parse = _turn_about(
        # One and the same object is equal without a look.
        (lambda: session.show(copies.pop()), lambda: copies.append(bytes(bytearray(screen)))),
        lambda: Snapshot.parse(screen),
    )
    return equal / parse


def _turn_about(*works: Callable[[], object] | tuple[Callable[[], object], Callable[[], object]]) -> list[float]:
    """The least seconds of each; with a pair, the second prepares the first and is not counted."""
    pairs = [work if isinstance(work, tuple) else (work, None) for work in works]
    least = [float("inf")] * len(pairs)
    for _ in range(ROUNDS):
        for number, (work, prepare) in enumerate(pairs):
            if prepare:
                prepare()
            began = time.process_time()
            work()
            least[number] = min(least[number], time.process_time() - began)
        gc.collect()
    return least


def _forget() -> None:
    uiautomator.rect_of.cache_clear()
    roles.role_of.cache_clear()
