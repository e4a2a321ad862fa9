"""What a snapshot costs, in parses of the same bytes that do nothing else, and what comes after
it."""

from __future__ import annotations

import ctypes
import gc
import re
import statistics
import time
from contextlib import suppress
from functools import _lru_cache_wrapper
from typing import TYPE_CHECKING, NamedTuple

from lxml import etree

from pytest_replicant.snapshots import Snapshot
from pytest_replicant.snapshots.parsers import dump, uiautomator
from pytest_replicant.snapshots.parsers.hierarchy import markup, to_bytes

from .captures import NO_CORPUS, SPLITS, captures, corpus
from .replay import Replay
from .shop_screen import shop_screen
from .table import Table

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .captures import Split

    _Work = Callable[[], object] | tuple[Callable[[], object], Callable[[], object]]

ROUNDS = 9
SIZES = (1000, 20_000)
_CHANGED = 20  # of so many nodes one has another text at another look
_TEXT = re.compile(rb'(\stext="[^"&]*[a-z])(?=")')
_COMMAND = "python -m benchmarks snapshot_speed"
_HOW = f"Processor time, the least of {ROUNDS} rounds in which the things compared take turns."
_LOOKS = (
    "A first look is one at an app that was never seen before: `Snapshot.parse(...).outline()` "
    "with nothing known of its ids, classes and places. Another look is a session's, "
    "`Observer.read` and the outline. It is at the bytes of the last read, and at a screen of "
    "which up to 5 % of the nodes have another text."
)


def measure() -> list[Table]:
    _keep_memory()
    gc.collect()
    # what other benchmarks have left behind is not to be walked through again and again
    gc.freeze()
    try:
        shown = {split: _captures(split) for split in SPLITS} if corpus() else {}
        sizes = {size: _costs(shop_screen(size)) for size in SIZES}
        return [_looks(shown, sizes), _shares(sizes)]
    finally:
        gc.unfreeze()


def _keep_memory() -> None:
    """Keeps freed memory in the process. glibc hands it back where it lies last, by chance, and
    then a bare parse takes nearly twice as long."""
    trim_threshold, mmap_threshold = -1, -3  # of malloc.h
    with suppress(OSError, AttributeError):  # another system
        for name in (trim_threshold, mmap_threshold):
            ctypes.CDLL(None).mallopt(name, 1 << 30)


def _captures(split: Split) -> list[bytes]:
    return [each.data for each in captures(split)[0] if each.kind in ("android", "appium")]


class _Costs(NamedTuple):
    """Of one screen, in seconds; ``changed`` is None for a screen without a text that can
    change."""

    nodes: int
    bare: float
    first: float
    same: float
    changed: float | None


def _looks(shown: dict[Split, list[bytes]], sizes: dict[int, _Costs]) -> Table:
    names = {
        "test": "captures kept apart, medians",
        "tune": "captures that rules were tuned on, medians",
    }
    rows = []
    for split, screens in shown.items():
        costs = [_costs(data) for data in screens]
        rows.append(_row(f"{len(costs)} {names[split]}", costs))
    rows += [_row(f"{size:,} made-up nodes", [cost]) for size, cost in sizes.items()]
    return Table(
        "snapshot_speed",
        "Parse, refs and outline",
        _COMMAND,
        (
            "screen",
            "bare parse, µs a node",
            "first look",
            "another look, equal",
            "changed",
        ),
        tuple(rows),
        f"In bare parses, `lxml.etree.fromstring`. {_LOOKS} {_HOW}"
        + ("" if shown else f" {NO_CORPUS}."),
    )


def _row(name: str, costs: Sequence[_Costs]) -> tuple[object, ...]:
    return (
        name,
        statistics.median(cost.bare * 1e6 / cost.nodes for cost in costs),
        statistics.median(cost.first / cost.bare for cost in costs),
        statistics.median(cost.same / cost.bare for cost in costs),
        statistics.median(cost.changed / cost.bare for cost in costs if cost.changed is not None),
    )


def _costs(data: bytes) -> _Costs:
    forget = _forgetful()

    session, copies = Replay(), list[bytes]()
    session.show(data).outline()
    bare, first, same = _turn_about(
        lambda: etree.fromstring(markup(to_bytes(data))),
        (lambda: Snapshot.parse(data).outline(), forget),
        # One and the same object is equal without a look.
        (
            lambda: session.show(copies.pop()).outline(),
            lambda: copies.append(bytes(bytearray(data))),
        ),
    )
    return _Costs(len(Snapshot.parse(data).nodes), bare, first, same, _changed_look(data))


def _changed_look(data: bytes) -> float | None:
    other = with_other_texts(data)
    if other == data:
        return None
    session = Replay()
    for screen in (data, other, data):
        session.show(screen).outline()
    return min(
        _turn_about(lambda: session.show(other).outline(), lambda: session.show(data).outline())
    )


def with_other_texts(data: bytes) -> bytes:
    """The screen after up to 5 % of its nodes, spread over those with a text, have got another
    one."""
    places = [found.end() for found in _TEXT.finditer(data)]
    most = max(data.count(b' bounds="') // _CHANGED, 1)
    chosen = places[:: max(len(places) // most, 1)][:most]
    parts = [data[start:end] for start, end in zip([0, *chosen], [*chosen, len(data)], strict=True)]
    return b"x".join(parts)


def _shares(sizes: dict[int, _Costs]) -> Table:
    small, large = (sizes[size] for size in SIZES)
    rows = (
        (
            f"a first look at {SIZES[1]:,} nodes, in those at {SIZES[0]:,}, both in bare parses",
            (large.first / large.bare) / (small.first / small.bare),
        ),
        ("diff of two screens of 1,000 nodes, in parses of one", _diff()),
    )
    return Table("snapshot_shares", "After a snapshot", _COMMAND, ("what", "ratio"), rows, _HOW)


def _diff() -> float:
    """Against screens that no one has asked for anything yet."""
    before, after = shop_screen(1000), shop_screen(1000, changed=20)
    screens: list[Snapshot] = []

    def parse_both() -> None:
        screens[:] = Snapshot.parse(before), Snapshot.parse(after)

    diff, parse = _turn_about(
        (lambda: str(screens[1].diff(screens[0])), parse_both), lambda: Snapshot.parse(before)
    )
    return diff / parse


def _turn_about(*works: _Work) -> list[float]:
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


_NOT_OF_APPS = (dump.states_of, uiautomator._parser)


def _forgetful() -> Callable[[], None]:
    """Returns a function that forgets all that is remembered of apps: their ids, classes, texts and
    places."""
    known = [each for each in gc.get_objects() if isinstance(each, _lru_cache_wrapper)]
    ours = [each for each in known if each.__module__.startswith("pytest_replicant.snapshots")]
    kept = [
        each
        for each in ours
        if each not in _NOT_OF_APPS and each.cache_parameters()["maxsize"] is not None
    ]

    def forget() -> None:
        for each in kept:
            each.cache_clear()

    return forget
