"""Reads and uses large screens in a process of its own: ``python -m tests.properties.stress
SHAPE,... NODES...``.

Prints for each shape a line of JSON: its name and, for each size, the processor seconds of every
step. Where a screen is refused that is the only step."""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from pytest_replicant.errors import SnapshotError, TargetError
from pytest_replicant.model import Selector
from pytest_replicant.snapshots import Memory, Snapshot
from tests.properties.shapes import SHAPES

MOST_BYTES = 3 * 2**30  # of addresses; what a screen of 20 MB really takes is far below
MOST_GROWTH = 24  # times as long for eight times as much: 8 is linear, 64 the square
SHORTEST = 0.01  # seconds; what is shorter cannot be told from noise
MOST_SOURCE = 25_000_000
Step = Callable[[], object]
Times = dict[str, float]


def too_fast_growing(small: Times, large: Times) -> dict[str, tuple[float, float]]:
    """The steps that took too long at eight times the size, with both times."""
    return {
        name: (small[name], seconds)
        for name, seconds in large.items()
        if name in small and seconds > MOST_GROWTH * max(small[name], SHORTEST)
    }


def measure(shape: str, nodes: int) -> Times:
    source = SHAPES[shape](nodes).encode()
    assert len(source) < MOST_SOURCE
    times: Times = {}
    began = time.process_time()
    try:
        snapshot = Snapshot.parse(source)
    except SnapshotError:
        return {"refused": time.process_time() - began}
    times["parse"] = time.process_time() - began
    other = Snapshot.parse(source.replace(b"Item 1", b"Other 1"), id="s1", size=(1080, 2400))
    for name, step in steps(snapshot, other).items():
        began = time.process_time()
        with suppress(TargetError):
            step()
        times[name] = time.process_time() - began
    return times


def steps(snapshot: Snapshot, other: Snapshot) -> dict[str, Step]:
    taps, named = Selector(class_name="Button"), Selector(text_contains="Item")
    found: dict[str, Step] = {
        "outline": snapshot.outline,
        "outline in full": lambda: snapshot.outline(bounds=True, offscreen=True),
        "outline cut": lambda: snapshot.outline(depth=3, max_chars=4000),
        "outline within": lambda: snapshot.outline(within=taps),
        "keys": lambda: (snapshot.fingerprint, snapshot.screen_key, snapshot.loading),
        "diff": lambda: str(other.diff(snapshot)),
        "memory": lambda: Memory().learn(snapshot),
        "find": lambda: snapshot.find(text="Item 17"),
        "find nothing": lambda: snapshot.find(text="Nothing is called that"),
        "within": lambda: snapshot.find_all(
            class_name="Button", within=Selector(class_name="LinearLayout")
        ),
        "has": lambda: snapshot.find_all(class_name="FrameLayout", has=named),
        "row_with": lambda: snapshot.find_all(class_name="Button", row_with=named),
        "near": lambda: snapshot.find_all(class_name="Button", near=taps),
    }
    for place, element in (("first", snapshot.elements[:1]), ("last", snapshot.elements[-1:])):
        if element:
            [one] = element
            found[f"locate {place}"] = lambda one=one: other.locate(replace(one, family=None))  # type: ignore[misc]  # bound now
            found[f"locate {place} gone"] = lambda one=one: other.locate(
                replace(one, identity=1, family=None)
            )  # type: ignore[misc]
            found[f"selector {place}"] = lambda one=one: snapshot.selector(one.ref, also=[other])  # type: ignore[misc]
            found[f"family {place}"] = lambda one=one: (one.parent, one.children)  # type: ignore[misc]
    return found


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
    for shape in sys.argv[1].split(","):
        print(
            json.dumps([shape, [measure(shape, int(nodes)) for nodes in sys.argv[2:]]]), flush=True
        )
