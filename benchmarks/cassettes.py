"""Cassettes: whether unchanged tests end on their recording as they did, how large it is, how fast it is read."""

from __future__ import annotations

import gzip
import json
import statistics
import tempfile
import time
import timeit
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from pytest_replicant.cassettes import read_cassette
from pytest_replicant.drivers import Platform
from tests.lab.taped_walks import again, taped_walk

from .processes import ROOT, run_pytest, seconds_of_children
from .table import Table

PLATFORMS: tuple[Platform, ...] = ("android", "ios")
WALKS = 100
ROUNDS = 12
STEPS = 8
SEEDS = (1, 2, 3)
FAULTS = "fail_dump=0.1&truncate_dump=0.05&stale_dump=0.1&lose_tap=0.05&drop_connection=0.02"
EXAMPLES = ROOT / "example_app_tests"
TESTS = (*sorted(EXAMPLES.glob("test_*.py")), EXAMPLES / "red_build" / "everything_that_happens.py")
FAILED = {"failed", "error", "infra", "xfailed", "known flaky"}
COMMAND = "python -m benchmarks cassettes"


def measure() -> list[Table]:
    return [_replays(), _sizes()]


# --- whether they end as they did ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Pair:
    """Whether a test failed when it was recorded, and its verdict on the recording."""

    test: str
    failed: bool
    verdict: str

    @property
    def is_same(self) -> bool:
        return self.verdict == ("reproduced" if self.failed else "holds on the recording")


def _replays() -> Table:
    rows = [_row(f"walks through the lab, {platform}", _walked(platform)) for platform in PLATFORMS]
    for platform in PLATFORMS:
        device = f"virtual:{platform}?latency=0&{FAULTS}&seed="
        pairs = [pair for seed in SEEDS for pair in _recorded(f"{device}{seed}").pairs]
        rows.append(_row(f"example tests and a red build, {platform}", pairs))
    return Table(
        "replays",
        "Unchanged tests on their recording",
        COMMAND,
        ("recorded", "runs", "failed", "reproduced", "passed", "hold on the recording", "otherwise"),
        tuple(rows),
        f"{WALKS} random walks through the lab on each platform, and {len(SEEDS)} runs of the example tests, each "
        "on a phone with other faults: dumps fail, are cut off or stale, taps are lost, connections dropped. A "
        "walk is as it was only where each of its steps ended with the same message and the same recovery.",
    )


def _row(name: str, pairs: Sequence[Pair]) -> tuple[object, ...]:
    for pair in pairs:
        if not pair.is_same:
            print(f"{name}: {pair}")
    failed = [pair for pair in pairs if pair.failed]
    reproduced = sum(pair.is_same for pair in failed)
    held = sum(pair.is_same for pair in pairs) - reproduced
    others = len(pairs) - reproduced - held
    return name, len(pairs), len(failed), reproduced, len(pairs) - len(failed), held, others


def _walked(platform: Platform) -> list[Pair]:
    with ProcessPoolExecutor(2) as pool:
        return list(pool.map(partial(_walk, platform), range(1, WALKS + 1), chunksize=5))


def _walk(platform: Platform, seed: int) -> Pair:
    walk = taped_walk(seed, platform)
    now = again(walk)
    verdict = f"{now.verdict}, and differs: {now.differs}" if now.differs else now.verdict
    return Pair(f"walk {seed}", walk.failed, verdict)


# --- runs of pytest --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Run:
    """A recorded run and its replay: bytes of each test's cassette, and of the blobs that no trace needs; seconds
    of the replay, and of its processor, divided by its tests; what reading a cassette takes in all, of what
    ``json.loads`` takes of its text."""

    pairs: list[Pair]
    cassettes: list[int]
    blobs: list[int]
    seconds: float
    processor: float
    reading: float


def _recorded(device: str) -> Run:
    with tempfile.TemporaryDirectory() as folder:
        report, replayed = Path(folder, "report"), Path(folder, "replayed")
        _pytest(report, device)
        began, busy = time.perf_counter(), seconds_of_children()
        _pytest(replayed, f"cassette:{report}")
        seconds, processor = time.perf_counter() - began, seconds_of_children() - busy
        run = next(report.glob("*/run.json")).parent
        sizes, now = list(_sizes_in(run)), _ends(replayed)
        pairs = [
            Pair(test, _failed(ends, run, test), "".join(now.get(test, ["no verdict"])))
            for test, ends in _ends(report).items()
        ]
        each = (seconds / len(pairs), processor / len(pairs))
        return Run(pairs, [size for size, _ in sizes], [size for _, size in sizes], *each, _reading(run))


def _reading(run: Path) -> float:
    ratios = []
    for path in run.glob("*/cassette.json.gz"):
        packed = path.read_bytes()
        text = gzip.decompress(packed)
        whole, bare = (
            min(timeit.repeat(partial(read, data), number=1, repeat=ROUNDS))
            for read, data in ((read_cassette, packed), (json.loads, text))
        )
        ratios.append(whole / bare)
    return round(statistics.median(ratios), 1)


def _failed(ends: set[str], run: Path, test: str) -> bool:
    """Whether an attempt failed. What came of the phone's reset after the test is none of its failures."""
    headers = [one for one in _documents(run) if one["header"]["nodeid"] == test]
    only_reset = not any(one["header"]["failures"] for one in headers)
    return bool(FAILED & ends) and not (only_reset and FAILED & ends == {"infra"})


def _pytest(output: Path, device: str) -> None:
    """On the shared clock, on which no wait takes time."""
    options = ["-n0", "-p", "tests.shared_clock", *map(str, TESTS), "--replicant-screenshot=off"]
    run_pytest(*options, f"--replicant-output={output}", f"--replicant-device={device}")


def _ends(output: Path) -> dict[str, set[str]]:
    """What each test that used a phone ended as, in all of its attempts."""
    (path,) = output.glob("*/run.json")
    ends: dict[str, set[str]] = {}
    for row in json.loads(path.read_text("utf-8"))["tests"]:
        if " (phone " not in row["nodeid"] and (row["trace"] or "recording" in row["outcome"]):
            ends.setdefault(row["nodeid"], set()).add(row["outcome"])
    return ends


def _documents(run: Path) -> Iterator[dict[str, Any]]:
    for path in run.glob("*/cassette.json.gz"):
        yield {**json.loads(gzip.decompress(path.read_bytes())), "size": path.stat().st_size}


def _sizes_in(run: Path) -> Iterator[tuple[int, int]]:
    traces = "".join(path.read_text("utf-8") for path in run.glob("*/trace.json"))
    for document in _documents(run):
        only = [run / "blobs" / name for name in document["blobs"] if name not in traces]
        yield document["size"], sum(blob.stat().st_size for blob in only)


def _sizes() -> Table:
    rows = []
    for platform in PLATFORMS:
        run = _recorded(f"virtual:{platform}")
        both = [cassette + blobs for cassette, blobs in zip(run.cassettes, run.blobs, strict=True)]
        spreads = map(_spread, (run.cassettes, run.blobs, both))
        rows.append((platform, len(both), *spreads, run.seconds, run.processor, run.reading))
    return Table(
        "cassette_size",
        "What a cassette adds to a report",
        COMMAND,
        (
            "platform",
            "tests",
            "cassette kB",
            "blobs kB",
            "both kB",
            "s a replayed test",
            "of the processor",
            "read",
        ),
        tuple(rows),
        "The example tests and a red build at default latencies, without pictures. Median and largest of a test. "
        "Blobs are those that the cassette has and no trace of the run; each counts for every test that has it. "
        "Seconds are those of the whole run of pytest, its start included, divided by its tests. A cassette is "
        "read, with all of its checks, in so many times what `json.loads` takes of its text: 44 by hand.",
    )


def _spread(sizes: Sequence[int]) -> str:
    return f"{statistics.median(sizes) / 1000:.1f}, at most {max(sizes) / 1000:.1f}"
