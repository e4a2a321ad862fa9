"""Time and memory grow with the size of a screen and no faster, whatever its shape.

Measured in a process of its own with bounded memory, in processor seconds, at two sizes: what grows
with the square would take 64 times as long where 24 are allowed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import settings

from .effort import NIGHTLY
from .shapes import BOTTOMLESS, IOS_DEEP, SHAPES, TOWERS, WIDE
from .stress import Times, too_fast_growing

ROOT = Path(__file__).resolve().parents[2]
SMALL, LARGE = 300, 2400
NODES = 100_000
DEEP = 50_000
BIG = sorted(SHAPES) if settings.default == NIGHTLY else ["flat", "ios_bottomless_panes"]


def stress(*shapes: str, nodes: tuple[int, ...], timeout: int) -> dict[str, list[Times]]:
    command = [sys.executable, "-m", "tests.properties.stress", ",".join(shapes), *map(str, nodes)]
    run = subprocess.run(
        command,
        cwd=ROOT,
        env=os.environ,
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )
    assert run.returncode == 0, f"after {run.stdout[-300:]}: {run.stderr[-3000:]}"
    message = dict(json.loads(line) for line in run.stdout.splitlines())
    assert sorted(message) == sorted(shapes)
    return message


@pytest.mark.thorough
@pytest.mark.slow
@pytest.mark.parametrize(
    "shapes", [WIDE, TOWERS, BOTTOMLESS, IOS_DEEP], ids=["wide", "towers", "bottomless", "ios"]
)
def test_eight_times_as_large_takes_about_eight_times_as_long(shapes: dict[str, object]) -> None:
    message = stress(*shapes, nodes=(SMALL, LARGE), timeout=150)
    assert {
        name: found for name, times in message.items() if (found := too_fast_growing(*times))
    } == {}


@pytest.mark.thorough
@pytest.mark.slow
@pytest.mark.parametrize("shape", BIG)
def test_a_hundred_thousand_nodes(shape: str) -> None:
    nodes = DEEP if "bottomless" in shape else NODES
    [times] = stress(shape, nodes=(nodes,), timeout=200)[shape]
    assert times
