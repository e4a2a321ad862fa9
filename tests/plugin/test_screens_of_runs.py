"""A run that was recorded here: its screens, and its locators tried on them."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from pytest_replicant.cli import main
from tests.conftest import Capture, Run

pytestmark = pytest.mark.slow

TEST = """
def test_sign_in(mobile):
    mobile.launch("dev.replicant.shop")
    mobile.fill(text="Email", value="ada@example.com")
    mobile.tap(text="Forgot password?").expect_screen("Reset password")
"""


@pytest.mark.thorough
def test_a_recorded_run_is_read(run: Run, pytester: pytest.Pytester, capsys: Capture) -> None:
    run(TEST, "--replicant-output", "out").assert_outcomes(passed=1)
    output = pytester.path / "out"
    (trace,) = output.glob("*/*/trace.json")
    with zipfile.ZipFile(pytester.path / "report.zip", "w") as archive:
        for file in trace.parent.parent.rglob("*.*"):
            archive.write(file, file.relative_to(output))
    capsys.readouterr()
    assert main(["screens", str(output)]) == 0
    text = capsys.readouterr().out
    assert 'in: tap text="Forgot password?" from "Sign in" (1)\n' in text
    assert 'used: text="Email" (1); text="Forgot password?" (1)\n' in text
    every = [
        _tried(capsys, path)
        for path in (output, trace.parent.parent, trace.parent, pytester.path / "report.zip")
    ]
    assert {str(each["screens"]) for each in every} == {"3"}
    (trace.parent / "cassette.json.gz").write_bytes(b"no archive")
    assert main(["locators", str(output)]) == 3
    assert "cassette.json.gz: not packed as it should be" in capsys.readouterr().out
    assert main(["screens", str(output)]) == 0  # they are in the trace


def _tried(capsys: Capture, path: Path) -> dict[str, object]:
    assert main(["locators", str(path), "--json"]) == 0
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found
