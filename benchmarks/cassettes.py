"""Cassettes: whether unchanged tests end on their recording as they did."""

from __future__ import annotations

import gzip
import json
import tempfile
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from pytest_replicant.drivers import Platform
from tests.lab.taped_walks import again, taped_walk

from .processes import ROOT, run_pytest
from .table import Table

PLATFORMS: tuple[Platform, ...] = ("android", "ios")
WALKS = 100
STEPS = 8
SEEDS = (1, 2, 3)
FAULTS = "fail_dump=0.1&truncate_dump=0.05&stale_dump=0.1&lose_tap=0.05&drop_connection=0.02"
EXAMPLES = ROOT / "example_app_tests"
TESTS = (*sorted(EXAMPLES.glob("test_*.py")), EXAMPLES / "red_build" / "everything_that_happens.py")
FAILED = {"failed", "error", "infra", "xfailed", "known flaky"}
COMMAND = "python -m benchmarks cassettes"


@dataclass(frozen=True)
class Pair:
    """Whether a test failed when it was recorded, and its verdict on the recording."""

    test: str
    failed: bool
    verdict: str

    @property
    def is_same(self) -> bool:
        return self.verdict == ("reproduced" if self.failed else "holds on the recording")


def measure() -> Table:
    rows = [_row(f"walks through the lab, {platform}", _walked(platform)) for platform in PLATFORMS]
    for platform in PLATFORMS:
        device = f"virtual:{platform}?latency=0&{FAULTS}&seed="
        pairs = [pair for seed in SEEDS for pair in _recorded(f"{device}{seed}")]
        rows.append(_row(f"example tests and a red build, {platform}", pairs))
    return Table(
        "replays",
        "Unchanged tests on their recording",
        COMMAND,
        (
            "recorded",
            "runs",
            "failed",
            "reproduced",
            "passed",
            "hold on the recording",
            "otherwise",
        ),
        tuple(rows),
        f"{WALKS} random walks through the lab on each platform, and {len(SEEDS)} runs of the "
        "example tests, each on a phone with other faults: dumps fail, are cut off or stale, taps "
        "are lost, connections dropped. A walk is as it was only where each of its steps ended "
        "with the same message and the same recovery.",
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


# --- runs of pytest -------------------------------------------------------------------------------


def _recorded(device: str) -> list[Pair]:
    """A recorded run and its replay."""
    with tempfile.TemporaryDirectory() as folder:
        report, replayed = Path(folder, "report"), Path(folder, "replayed")
        _pytest(report, device)
        _pytest(replayed, f"cassette:{report}")
        run = next(report.glob("*/run.json")).parent
        now = _ends(replayed)
        return [
            Pair(test, _failed(ends, run, test), "".join(now.get(test, ["no verdict"])))
            for test, ends in _ends(report).items()
        ]


def _failed(ends: set[str], run: Path, test: str) -> bool:
    """Whether an attempt failed. What came of the phone's reset after the test is none of its
    failures."""
    recorded = [
        json.loads(gzip.decompress(path.read_bytes())) for path in run.glob("*/cassette.json.gz")
    ]
    headers = [one["header"] for one in recorded if one["header"]["nodeid"] == test]
    only_reset = not any(one["failures"] for one in headers)
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
