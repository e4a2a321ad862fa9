"""Looks in whole runs: kept by --replicant-update, compared, not compared, and taken from a
report."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pytest_replicant.cli import main
from tests.conftest import Capture, Run

pytestmark = [pytest.mark.ci]

SOURCE = """
import os

LINK = "lab://restless-form?every=10000&flaw="

def show(mobile, flaw=0):
    mobile.launch("dev.replicant.lab")
    mobile.open_url(LINK + os.environ.get("FLAW", str(flaw)))
    return mobile.hide_keyboard()

def test_form(mobile):
    show(mobile).expect_looks_like("form", timeout=0)

def test_total(mobile):
    show(mobile).expect_looks_like("total", resource_id="total", timeout=0)
"""
LOOK = "android-1080x2400-420dpi-en-US-light.png"
UPDATE = "--replicant-update=looks"


def kept(pytester: pytest.Pytester) -> list[str]:
    return sorted(
        path.relative_to(pytester.path).as_posix() for path in pytester.path.glob("looks/**/*.png")
    )


def names(pytester: pytest.Pytester) -> tuple[str, str]:
    [folder] = {path.stem for path in pytester.path.glob("test_*.py")}
    return f"looks/{folder}/form/{LOOK}", f"looks/{folder}/total/{LOOK}"


def report(pytester: pytest.Pytester) -> Path:
    return max((pytester.path / "replicant-report").glob("2*"))


def traces(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(path.read_text("utf-8")) for path in sorted(folder.glob("*/trace.json"))]


def test_kept_compared_failed_and_accepted(
    run: Run, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    result = run(SOURCE)
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(
        ["*not compared: there is no picture of it for android-*none was kept yet*"]
    )
    assert kept(pytester) == []
    run(SOURCE, UPDATE).stdout.fnmatch_lines_random(
        [f"written: {name}" for name in names(pytester)]
    )
    assert kept(pytester) == sorted(names(pytester))
    run(SOURCE).assert_outcomes(passed=2)
    monkeypatch.setenv("FLAW", "4")
    result = run(SOURCE)
    result.assert_outcomes(failed=2)
    result.stdout.fnmatch_lines(
        ['*pixels at *, in [[]r235] TextView "£ 18.40"*', "*Open: *trace.html*"]
    )
    [form, total] = names(pytester)
    folder = report(pytester)
    assert main(["looks", "accept", str(folder), "--root", str(pytester.path), "--dry-run"]) == 0
    assert "2 pictures to write, 0 refused" in capsys.readouterr().out
    before = {name: (pytester.path / name).read_bytes() for name in (form, total)}
    [test] = [
        one["test"]["nodeid"] for one in traces(folder) if one["test"]["nodeid"].endswith("total")
    ]
    assert main(["looks", "accept", str(folder), "--root", str(pytester.path), "--test", test]) == 0
    assert (pytester.path / form).read_bytes() == before[form]
    assert (pytester.path / total).read_bytes() != before[total]
    assert (
        main(
            [
                "looks",
                "accept",
                str(pytester.path / "replicant-report"),
                "--root",
                str(pytester.path),
            ]
        )
        == 0
    )
    run(SOURCE).assert_outcomes(passed=2)


@pytest.mark.thorough
def test_a_missing_picture_may_be_a_warning_that_proves_nothing(
    run: Run, pytester: pytest.Pytester
) -> None:
    result = run(SOURCE, ini="replicant_missing_look = warn\n")
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(
        ["looks not compared (2):", '*expect_looks_like "form": not compared: *']
    )
    result.stdout.fnmatch_lines(["passed without proof (2):"])
    assert "not_compared" in (report(pytester) / "run.json").read_text("utf-8")
    assert main(["looks", "accept", str(report(pytester)), "--root", str(pytester.path)]) == 0
    run(SOURCE).assert_outcomes(passed=2)
    quiet = run(SOURCE, ini="replicant_looks =\n    ios-*\n    android-*-dark\n")
    quiet.assert_outcomes(passed=2)
    quiet.stdout.no_fnmatch_line("looks not compared*")
