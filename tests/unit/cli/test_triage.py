"""``replicant triage``: what it prints, what it writes, and how it ends."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from pytest_replicant.cli import main
from tests.conftest import Capture

from ..reporting.triage.test_baseline import DIVERGED, a_failure, a_pass
from ..reporting.triage.test_runs import BROKEN, ROW, keep
from ..reporting.triage.test_summary import began, write

ROOT = Path(__file__).parents[3]


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """A pass, then a failure."""
    write(tmp_path / "runs", "r1", began(a_pass(), "2026-11-20T10:00:00Z"))
    write(tmp_path / "runs", "r2", began(a_failure(), "2026-11-21T10:00:00Z"))
    return tmp_path / "runs"


def test_it_says_why_and_ends_with_one(runs: Path, capsys: Capture) -> None:
    assert main(["triage", str(runs)]) == 1
    printed = capsys.readouterr()
    assert DIVERGED in printed.out
    assert printed.err == ""


def test_a_comment_and_json(runs: Path, capsys: Capture) -> None:
    assert main(["triage", str(runs), "--markdown"]) == 1
    assert "<pre>\n" in capsys.readouterr().out
    assert main(["triage", str(runs), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["schema"] == "replicant.triage/1"


def test_a_pass_says_little_where_not_all_could_be_read(tmp_path: Path, capsys: Capture) -> None:
    keep(tmp_path / "good", "r1", ROW)
    (tmp_path / "run.json").write_text("{")
    assert main(["triage", str(tmp_path)]) == 3
    assert "not read (1)" in capsys.readouterr().out
    keep(tmp_path / "bad", "r2", replace(BROKEN, nodeid="t.py::b"))
    assert main(["triage", str(tmp_path)]) == 1


@pytest.mark.parametrize("name", ["nowhere", "file", "\0"])
def test_what_is_no_folder_is_said(tmp_path: Path, capsys: Capture, name: str) -> None:
    (tmp_path / "file").write_text("")
    assert main(["triage", f"{tmp_path}/{name}"]) == 2
    assert "triage reads folders" in capsys.readouterr().err


def test_no_run_at_all(tmp_path: Path, capsys: Capture) -> None:
    assert main(["triage", str(tmp_path)]) == 2
    assert "no run.json of ours below" in capsys.readouterr().err
    (tmp_path / "run.json").write_text("\x1b[31m{")
    assert main(["triage", str(tmp_path)]) == 3
    assert "\x1b" not in capsys.readouterr().err


def test_the_merged_run_links_to_where_the_traces_are(runs: Path, tmp_path: Path) -> None:
    output = tmp_path / "merged"
    assert main(["triage", str(runs), "--output", str(output)]) == 1
    (run_file,) = output.glob("*/run.json")
    document = json.loads(run_file.read_text("utf-8"))
    links = [
        row[name] for row in document["tests"] for name in ("trace", "trace_json") if row[name]
    ]
    assert links
    assert all((run_file.parent / link).is_file() for link in links)
    page = (run_file.parent / "index.html").read_text("utf-8")
    assert re.search(r"<title>Run triage-[0-9a-f]+</title>", page)
    assert main(["triage", str(runs), str(output)]) == 1  # what was merged counts once
    written = {path.name for path in output.iterdir()} - {"history.lock"}
    assert written == {"history.json", "test_durations.json", run_file.parent.name}


def test_flaky_tests_by_cause(runs: Path, tmp_path: Path, capsys: Capture) -> None:
    assert main(["triage", "--flaky", str(runs)]) == 0  # it passed, then failed: broken since
    assert capsys.readouterr().out == "no flaky test in 2 runs\n"
    write(runs, "r3", began(a_pass(), "2026-11-22T10:00:00Z"))
    assert main(["triage", "--flaky", str(runs), "--output", str(tmp_path / "out")]) == 1
    text = capsys.readouterr().out
    assert "1 flaky test, 1 cause of 3 runs" in text
    assert "last runs: pfp" in text
    assert main(["triage", "--flaky", "--json", str(tmp_path / "out")]) == 1
    (one,) = json.loads(capsys.readouterr().out)["flaky"]
    assert (one["failed"], one["runs"], one["history"]) == (1, 3, "pfp")


def test_a_history_alone_says_which_tests_are_flaky(
    runs: Path, tmp_path: Path, capsys: Capture
) -> None:
    write(runs, "r3", began(a_pass(), "2026-11-22T10:00:00Z"))
    main(["triage", str(runs), "--output", str(tmp_path / "out")])
    (tmp_path / "alone").mkdir()
    (tmp_path / "out" / "history.json").rename(tmp_path / "alone" / "history.json")
    capsys.readouterr()
    assert main(["triage", "--flaky", str(tmp_path / "alone")]) == 1
    assert "1 flaky test, 1 cause of 3 runs" in capsys.readouterr().out
    assert main(["triage", str(tmp_path / "alone")]) == 2  # how tests stand needs their reports


def test_a_folder_that_cannot_be_written_is_trouble(
    runs: Path, tmp_path: Path, capsys: Capture
) -> None:
    (tmp_path / "full").write_text("")
    assert main(["triage", str(runs), "--output", str(tmp_path / "full")]) == 3
    printed = capsys.readouterr()
    assert DIVERGED in printed.out
    assert "no index of the run" in printed.err


@pytest.mark.slow
def test_nothing_heavy_is_loaded(runs: Path) -> None:
    code = (
        "import sys\nfrom pytest_replicant.cli import main\nended = main(['triage', "
        f"{str(runs)!r}])\nheavy = ('pytest', '_pytest', 'pluggy', 'lxml', 'PIL', 'adbutils', "
        "'uiautomator2', 'allure', 'xxhash')\nprint('HEAVY', ended, [name for name in heavy if "
        "name in sys.modules])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        timeout=60,
        check=False,
    )
    assert "HEAVY 1 []" in done.stdout, done.stdout + done.stderr
