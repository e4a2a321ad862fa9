"""``replicant looks accept``: what a report may have written, and what it may not."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pytest_replicant.cli import main
from pytest_replicant.model import (
    Attachment,
    CheckRecord,
    LooksRecord,
    MaskRecord,
    Rect,
    Redactor,
    TraceEvent,
)
from pytest_replicant.reporting import write_trace
from pytest_replicant.vision import kept_png, read_kept
from tests.conftest import Capture

from ..reporting.factory import tiny_trace

LOOK = "android-1080x2400-420dpi-en-GB-light"
PLACE = f"tests/looks/test_cart/cart/{LOOK}.png"
NODEID = "tests/test_cart.py::test_cart"
MASKS = (MaskRecord(Rect(0, 0, 4, 1), "system bar"),)


def picture(shade: str) -> bytes:
    from PIL import Image

    return kept_png(Image.new("RGB", (4, 6), shade), MASKS)


def report_of(
    folder: Path,
    shade: str = "red",
    result: Any = "failed",
    when: str = "2026-05-01T10:00:00Z",
    nodeid: str = NODEID,
) -> Path:
    """The folder of a test with one check of looks."""
    trace = tiny_trace()
    looks = LooksRecord("cart", LOOK, PLACE, Rect(0, 0, 4, 6), actual=0)
    check = CheckRecord("", "expect_looks_like", '"cart"', "24 pixels differ", result, looks=looks)
    return write_trace(
        replace(
            trace,
            test=replace(trace.test, nodeid=nodeid, outcome="failed", started_at=when),
            events=(
                TraceEvent("check", 'expect_looks_like "cart"', 0, 10, id="check-0", check=check),
            ),
            attachments=(Attachment("cart actual", "image/png", picture(shade)),),
        ),
        folder,
        when[:10],
        Redactor(),
    ).folder


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / "tests").mkdir(parents=True)
    (root / "tests" / "test_cart.py").touch()
    return root


def accept(report: Path, root: Path, *more: str) -> int:
    return main(["looks", "accept", str(report), "--root", str(root), *more])


def colour(root: Path) -> Any:
    kept = read_kept((root / PLACE).read_bytes())
    assert kept.masks == MASKS
    return kept.image.getpixel((0, 0))


def test_the_picture_of_a_failed_check_is_written_with_its_masks(
    project: Path, tmp_path: Path, capsys: Capture
) -> None:
    report_of(tmp_path / "out")
    assert accept(tmp_path / "out", project, "--dry-run") == 0
    assert f"would write (new): {(project / PLACE).as_posix()}" in capsys.readouterr().out
    assert not (project / PLACE).exists()
    assert accept(tmp_path / "out", project, "--test", "tests/test_other.py::test_it") == 0
    assert not (project / PLACE).exists()
    assert accept(tmp_path / "out", project, "--test", NODEID) == 0
    assert f"written (new): {(project / PLACE).as_posix()}" in capsys.readouterr().out
    assert colour(project) == (255, 0, 0)


def test_the_newest_attempt_counts_and_one_that_passed_offers_nothing(
    project: Path, tmp_path: Path
) -> None:
    report_of(tmp_path / "out", "red")
    report_of(tmp_path / "out", "blue", "not compared", when="2026-05-02T10:00:00Z")
    assert accept(tmp_path / "out", project) == 0
    assert colour(project) == (0, 0, 255)
    report_of(tmp_path / "out", "lime", "passed", when="2026-05-03T10:00:00Z")
    assert accept(tmp_path / "out", project) == 0
    assert colour(project) == (0, 0, 255)


Change = Callable[[dict[str, Any], dict[str, Any]], object]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda looks, test: looks.update(name="../../evil"), "is none that a test writes"),
        (
            lambda looks, test: looks.update(path="tests/looks/test_other/cart/x.png"),
            "names another place",
        ),
        (lambda looks, test: looks.update(actual=99), "was not stored"),
        (
            lambda looks, test: test.update(nodeid="../evil/test_cart.py::test_it"),
            "not below the folder",
        ),
        (
            lambda looks, test: test.update(nodeid="/evil/test_cart.py::test_it"),
            "not below the folder",
        ),
        (
            lambda looks, test: test.update(nodeid="tests/test_new.py::test_it"),
            "names another place",
        ),
    ],
)
def test_a_report_that_was_tampered_with_writes_nothing(
    project: Path, tmp_path: Path, change: Change, said: str, capsys: Capture
) -> None:
    path = report_of(tmp_path / "out") / "trace.json"
    document = json.loads(path.read_text("utf-8"))
    change(document["events"][0]["check"]["looks"], document["test"])
    path.write_text(json.dumps(document), "utf-8")
    assert accept(tmp_path / "out", project) == 1
    assert said in capsys.readouterr().out
    assert [each for each in tmp_path.rglob("*.png") if "out" not in each.parts] == []


def test_a_link_leads_to_no_other_place(project: Path, tmp_path: Path, capsys: Capture) -> None:
    report_of(tmp_path / "out")
    (tmp_path / "elsewhere").mkdir()
    (project / "tests" / "looks").symlink_to(tmp_path / "elsewhere")
    assert accept(tmp_path / "out", project) == 1
    assert "outside of the project" in capsys.readouterr().out
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_without_its_test_file_or_its_picture_it_is_refused(
    project: Path, tmp_path: Path, capsys: Capture
) -> None:
    folder = report_of(tmp_path / "out")
    assert accept(tmp_path / "out", tmp_path) == 1
    assert "Next: run this where pytest was run" in capsys.readouterr().out
    [stored] = (folder / "attachments").iterdir()
    stored.write_bytes(b"no picture")
    assert accept(tmp_path / "out", project) == 1
    assert "is no picture" in capsys.readouterr().out
    stored.unlink()
    assert accept(tmp_path / "out", project) == 1
    assert "is not in the report" in capsys.readouterr().out


def test_two_tests_with_two_pictures_of_one_name_are_refused(
    project: Path, tmp_path: Path, capsys: Capture
) -> None:
    for number, shade in enumerate(("red", "blue")):
        report_of(tmp_path / "out" / str(number), shade, nodeid=f"{NODEID}[{number}]")
    assert accept(tmp_path / "out", project) == 1
    said = capsys.readouterr().out
    assert f"{NODEID}[1] has another picture for it. Next: give each a name of its own" in said
    assert "0 pictures written, 2 refused" in said
    assert not (project / PLACE).exists()
    assert accept(tmp_path / "out", project, "--test", f"{NODEID}[1]") == 0
    assert colour(project) == (0, 0, 255)
