"""``replicant heal``: what it prints and writes, and how it exits."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import pytest

from pytest_replicant.cli import heal
from pytest_replicant.errors import UsageError
from tests.conftest import Capture

from .kept_runs import Step, failed, missed, passed, welcome

CODE = b'def test_it(mobile):\r\n    mobile.tap(text="Log in")\r\n'


@pytest.fixture
def out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The output folder of a passing run, in the folder where the tests are."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "test_it.py").write_bytes(CODE)
    passed(tmp_path / "out", Step(welcome()))
    return tmp_path / "out"


def command(*words: object) -> int:
    parser = argparse.ArgumentParser()
    heal.run.add_to(parser.add_subparsers())
    arguments = parser.parse_args(["heal", *map(str, words)])
    code: int = arguments.perform(arguments)
    return code


def test_the_patch_is_printed_behind_its_evidence(
    out: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    failed(out, missed(welcome("Sign in")))
    assert command(out) == 1
    printed = capfdbinary.readouterr().out
    evidence, _, patch = printed.partition(b"--- a/test_it.py\n")
    assert all(line.startswith(b"#") for line in evidence.splitlines())
    assert b'#   renamed: same id, same place, "Log in" -> "Sign in"\n' in evidence
    assert b"proven on recordings only" in evidence
    assert b'-    mobile.tap(text="Log in")\r\n+    mobile.tap(resource_id="login")\r\n' in patch


def test_json(out: Path, capsys: Capture) -> None:
    failed(out, missed(welcome("Sign in")))
    failed(out, missed(welcome("")), test="test_other")
    passed(out, Step(welcome()), test="test_other")
    assert command(out, "--json") == 1
    found = json.loads(capsys.readouterr().out)
    assert found["schema"] == "replicant.heal/1"
    assert {one["code"] for one in found["refused"]} == {"gone", "shared literal"}


def test_nothing_to_heal(out: Path, capsys: Capture) -> None:
    assert command(out) == 0
    (run,) = out.glob("2*")
    (run / "other").mkdir()
    (run / "other" / "trace.json").write_text("[]")
    assert command(out) == 3
    assert "not read (1)" in capsys.readouterr().out


def test_usage(out: Path) -> None:
    for words in (
        ["nowhere"],
        [out, "--older", "nowhere"],
        [out, "--root", "x"],
    ):
        with pytest.raises(UsageError):
            command(*words)


def test_texts_of_an_app_are_no_patch(out: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    label = "x\n--- a/other.py\n+++ b/other.py\n@@ -1 +1 @@\n\u202e"
    shown = welcome("Log in", resource_id="").replace("Log in", label.replace("\n", "&#10;"))
    failed(out, missed(shown))
    passed(out, Step(welcome(resource_id="")))
    command(out)
    printed = capfdbinary.readouterr().out
    lines = [line for line in printed.splitlines() if line.startswith((b"---", b"+++"))]
    assert lines in ([], [b"--- a/test_it.py", b"+++ b/test_it.py"])
    assert "\u202e".encode() not in printed
