"""The lines around one that failed: those that ran, without secrets, or none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pytest_replicant.model import Redactor
from pytest_replicant.reporting.artifacts.storage import excerpts

LINES = ["def test_a(mobile):", "    one()", "    two()", "    three()", "    four()", "    five()"]


@pytest.fixture
def at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "test_a.py").write_text("\n".join(LINES) + "\n", encoding="utf-8")
    return tmp_path / "test_a.py"


def shown(source: str, text: str = "", error: str = "absent", secret: str = "") -> dict[str, Any]:
    step = {"source": source, "source_text": text, "error": error}
    return excerpts({"events": [step], "failures": []}, Redactor([secret]))


def test_two_lines_stand_before_the_one_that_failed_and_two_after_it(at: Path) -> None:
    lines = ["one()", "two()", "three()", "four()", "five()"]
    assert shown("test_a.py:4", "three()") == {"test_a.py:4": (2, lines)}
    assert shown("test_a.py:1") == {"test_a.py:1": (1, LINES[:3])}
    assert shown("test_a.py:6") == {"test_a.py:6": (4, lines[2:])}
    assert shown("test_a.py:4", error="") == {}, "a step that passed has none"


def test_a_failure_that_no_step_raised_has_them_too(at: Path) -> None:
    alone = {
        "events": [],
        "failures": [
            {"source": "test_a.py:6", "step": ""},
            {"source": "test_a.py:2", "step": "a1"},
        ],
    }
    assert list(excerpts(alone, Redactor())) == ["test_a.py:6"]


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("test_a.py:4", "another()"),
        ("test_a.py:0", ""),
        ("test_a.py:99", ""),
        ("absent.py:1", ""),
        ("test_a\0.py:1", ""),
        ("no place", ""),
    ],
)
def test_what_does_not_say_what_ran_is_not_shown(at: Path, source: str, text: str) -> None:
    assert shown(source, text) == {}


def test_a_secret_is_found_in_the_whole_file(at: Path) -> None:
    at.write_text('x = 1\ny = 2\nfill(Secret(\n    "horse"\n))\nz = 3\n', encoding="utf-8")
    assert "horse" not in str(shown("test_a.py:5", secret="battery"))
    at.with_name("test_b.py").write_text('a\n"""battery\nstaple"""\nb\n', encoding="utf-8")
    assert shown("test_b.py:4", secret="battery\nstaple") == {}, "the lines are no longer its own"
