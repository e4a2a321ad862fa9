"""``replicant zip``: makes what a test that passed left out, and says why where it cannot."""

from __future__ import annotations

import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from pytest_replicant.cli import main
from pytest_replicant.model import Redactor
from pytest_replicant.reporting import write_trace
from tests.conftest import Capture

from ..reporting.story import failing_story


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    story = failing_story()
    passed = replace(story, test=replace(story.test, outcome="passed", attempt=0))
    return write_trace(passed, tmp_path / "out", "run", Redactor()).folder


@pytest.mark.parametrize("named", ["", "trace.json", "trace.html"])
def test_it_writes_the_archive_next_to_the_page(folder: Path, named: str, capsys: Capture) -> None:
    assert not (folder / "trace.zip").exists()
    assert main(["zip", str(folder / named)]) == 0
    assert str(folder / "trace.zip") in capsys.readouterr().out
    assert (
        sum(name.endswith(".webp") for name in zipfile.ZipFile(folder / "trace.zip").namelist())
        == 4
    )


def test_it_writes_where_it_is_asked_to(folder: Path, tmp_path: Path) -> None:
    assert main(["zip", str(folder), "--output", str(tmp_path / "deep" / "one.zip")]) == 0
    assert zipfile.ZipFile(tmp_path / "deep" / "one.zip").testzip() is None
    assert not (folder / "trace.zip").exists()


@pytest.mark.parametrize("named", ["no-such-folder", "", "\0"])
def test_what_leads_to_no_trace_is_a_wrong_use(tmp_path: Path, named: str, capsys: Capture) -> None:
    assert main(["zip", f"{tmp_path}/{named}"]) == 2
    assert "leads to no trace that can be read" in capsys.readouterr().err
