"""Documents that attack their reader bring nothing along and cost next to nothing."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from .bombs import LAUGH, SECRET

ROOT = Path(__file__).resolve().parents[2]
MOST_SECONDS = (
    10.0  # of the processor, for one document; what grows with the square takes far longer
)


@pytest.mark.slow
@pytest.mark.parametrize("which", ["short", pytest.param("all", marks=pytest.mark.thorough)])
def test_no_document_brings_anything_along_or_costs_much(which: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.properties.bombs", str(tmp_path), which]
    run = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=200, check=False
    )
    message = [json.loads(line) for line in run.stdout.splitlines()]
    assert run.returncode == 0, f"after {message[-1:]}: {run.stderr[-2000:]}"
    assert len(message) > (150 if which == "all" else 80)
    assert [
        name for name, what, _, _ in message if not what.startswith(("refused: ", "read: "))
    ] == []
    assert [name for name, what, _, _ in message if SECRET in what or LAUGH in what] == []
    assert [(name, seconds) for name, _, seconds, _ in message if seconds > MOST_SECONDS] == []
    assert [(name, what) for name, what, _, _ in message if len(what) > 510] == []


@pytest.mark.parametrize("text", ["<!DOCTYPE html>", "&lol;", "<!ENTITY a 'b'>"])
def test_a_label_may_speak_of_such_things(text: str) -> None:
    from html import escape

    from pytest_replicant.snapshots import Snapshot

    source = (
        f'<hierarchy><node class="a.Button" text="{escape(text)}" bounds="[0,0][9,9]"/></hierarchy>'
    )
    assert [element.label for element in Snapshot.parse(source).elements] == [text]
