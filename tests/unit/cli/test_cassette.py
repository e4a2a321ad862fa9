"""``replicant cassette``: what it prints, what it writes, and how it ends."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from pathlib import Path

import pytest

from pytest_replicant.cli import main
from tests.conftest import Capture

from ..cassettes.kept import Kept, document, keep, packed, showing, tape


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return keep(
        tmp_path / "report",
        Kept(tape("failed")),
        Kept(tape("passed"), attempt=1),
        Kept(tape("late")),
    )


def printed(capsys: Capture) -> str:
    return capsys.readouterr().out


# --- show -----------------------------------------------------------------------------------------
def test_a_report_is_a_line_for_each(run: Path, capsys: Capture) -> None:
    assert main(["cassette", "show", str(run.parent)]) == 0
    lines = printed(capsys).splitlines()
    assert len(lines) == 3
    assert any(
        line.startswith("failed ") and line.endswith("test_shop.py::test_signs_in")
        for line in lines
    )
    assert any("6 steps" in line and line.endswith("test_signs_in (attempt 2)") for line in lines)


def test_a_test_is_shown_step_by_step(run: Path, capsys: Capture) -> None:
    assert main(["cassette", "show", f"{run}::test_signs_in"]) == 0
    first, second = printed(capsys).split("\n\n")
    assert first.startswith("test_shop.py::test_signs_in\n")
    assert "ended     failed" in first
    assert "ExpectationFailed: expect_screen Orders on virtual" in first
    assert "values behind ••• are not in it: 1 secret" in second
    assert "3 action fill text=\"Email\" with 'ada@example.com'  (" in second
    assert "             sent replace_text(•••)" in second


def test_a_timeline_is_bounded_and_hostile_text_is_escaped(tmp_path: Path, capsys: Capture) -> None:
    made = document("passed")
    made["header"]["nodeid"] = "t.py::test\x1b[31m\u202e"
    made["header"]["facts"] = {"app\x1b": "\x07" * 300}
    last = made["entries"][-1][2]
    made["entries"] += [
        [0, "#step", last, 0, ["action\x1b", f"tap {n}\x1b[2J"], None, []] for n in range(400)
    ]
    made["entries"] += [[0, "press_key", last, 0, ["back\x1b"], None, []] for _ in range(50)]
    run = keep(tmp_path, Kept(tape("passed")))
    next(run.glob("*/cassette.json.gz")).write_bytes(packed(made))
    assert main(["cassette", "show", str(run)]) == 0
    out = printed(capsys)
    assert out.isprintable() is False  # of its line ends alone
    assert out.replace("\n", "").isprintable()
    assert "and 206 more steps" in out
    assert len(out.splitlines()) < 250
    assert max(map(len, out.splitlines())) < 400


def test_what_cannot_be_read_is_said(run: Path, capsys: Capture) -> None:
    broken = next(run.glob("*-retry1/cassette.json.gz"))
    broken.write_bytes(gzip.compress(b'{"schema": "a\\u001b"}'))
    assert main(["cassette", "show", str(run)]) == 3
    said = capsys.readouterr()
    assert len(said.out.splitlines()) == 2
    assert "not read: " in said.err
    assert "retry1/cassette.json.gz: no replicant.cassette/1" in said.err
    assert "\x1b" not in said.err


@pytest.mark.parametrize(
    ("place", "why"),
    [
        ("::nope", "has no test 'nope'. Next: "),
        ("::test_sign_in", "Did you mean"),
        ("/none", "there is no such"),
    ],
)
def test_what_is_not_there_is_a_wrong_use(run: Path, capsys: Capture, place: str, why: str) -> None:
    assert main(["cassette", "show", f"{run}{place}"]) == 2
    assert why in capsys.readouterr().err


# --- check ----------------------------------------------------------------------------------------
def test_there_is_a_line_for_each_that_is_damaged(
    run: Path, tmp_path: Path, capsys: Capture
) -> None:
    (tmp_path / "a.zip").write_bytes(b"PK\x1b")
    next(run.glob("*-retry1/cassette.json.gz")).write_bytes(b"\x1f\x8b")
    gone = run / "blobs" / tape("late").cassette.blobs[-1]
    gone.unlink()
    other = run / "blobs" / tape("failed").cassette.blobs[-1]
    other.write_bytes(gzip.compress(b"another"))
    assert main(["cassette", "check", str(run), str(tmp_path / "a.zip")]) == 1
    lines = printed(capsys).splitlines()
    damaged = [line for line in lines if line.startswith("damaged  ")]
    assert len(damaged) == 4
    assert any(f"blobs/{gone.name} is missing" in line for line in damaged)
    assert any(f"{other.name} is not what it was" in line for line in damaged)
    assert any("-retry1/cassette.json.gz: not packed as it should be" in line for line in damaged)
    assert any("a.zip: no archive that could be read" in line for line in damaged)
    assert lines[-2].endswith("3 damaged")


# --- redact ---------------------------------------------------------------------------------------
def test_an_archive_is_written_that_is_whole(run: Path, tmp_path: Path, capsys: Capture) -> None:
    target = tmp_path / "sent.zip"
    options = ["--secret", "Red mug", "--pattern", r"Good \w+", "-o", str(target)]
    assert main(["cassette", "redact", f"{run}::test_signs_in", *options]) == 0
    said = printed(capsys)
    assert said.startswith(f"wrote {target}: 2 cassettes, ")
    assert "hidden: 2 texts" in said
    assert f"pytest --replicant-device=cassette:{target}" in said
    assert main(["cassette", "check", str(target)]) == 0


def test_what_the_test_names_is_said(run: Path, tmp_path: Path, capsys: Capture) -> None:
    target = str(tmp_path / "sent.zip")
    assert main(["cassette", "redact", f"{run}::test_late", "-o", target, "--secret", "Save"]) == 0
    said = printed(capsys)
    assert (
        "test_lab.py::test_late names a hidden text itself, and may end in another way: tap text="
        in said
    )
    assert "Save" not in said
    assert (
        main(["cassette", "redact", f"{run}::test_late", "-o", target, "--secret", "test_late"])
        == 0
    )
    assert "its own name has a hidden text, so that pytest will not find its recording" in printed(
        capsys
    )


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["-o", "a.tar"], "give a file whose name ends in .zip"),
        (["-o", "a.zip", "--secret", "ab"], "fewer than 3 characters"),
        (["-o", "a.zip", "--pattern", "("], "not a regular expression"),
        (["-o", "a.zip", "--secret", "android"], "a secret would still be in the phones"),
        ([], "required: -o/--output"),
    ],
)
def test_nothing_is_written_that_was_not_asked_for(
    run: Path,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: Capture,
    options: list[str],
    why: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["cassette", "redact", str(run), *options]) == 2
    assert why in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["report"]


# --- diff -----------------------------------------------------------------------------------------
def test_two_that_part_are_a_finding(run: Path, tmp_path: Path, capsys: Capture) -> None:
    cassette, blob = showing(tape("passed"), {"Welcome, Ada": "Bad\u202eday"})
    blobs = {name: blob(name) for name in cassette.blobs}
    other = keep(tmp_path / "other", Kept(replace(tape("passed"), cassette=cassette, blobs=blobs)))
    passed = str(next(run.glob("*-retry1")))
    assert main(["cassette", "diff", passed, f"{other}::test_signs_in"]) == 1
    said = printed(capsys)
    assert said.startswith("first   test_shop.py::test_signs_in (attempt 2), passed")
    assert 'at step 5, tap text="Sign in": both show' in said
    assert "Welcome, Ada" in said
    assert "\u202e" not in said
    assert main(["cassette", "diff", passed, str(other), "--json"]) == 1
    assert json.loads(printed(capsys))["parting"]["what"] == "shown"
    assert main(["cassette", "diff", passed, passed]) == 0
    assert "they do not part" in printed(capsys)
    (run / "blobs" / tape("passed").cassette.blobs[-1]).unlink()
    assert main(["cassette", "diff", passed, passed]) == 3
    assert "is damaged: blobs/" in capsys.readouterr().err


# --- prune ----------------------------------------------------------------------------------------
def test_old_recordings_are_deleted_and_a_dry_run_deletes_none(run: Path, capsys: Capture) -> None:
    keep(run.parent, Kept(tape("passed")), began="2026-11-05T10:00:00Z")
    assert main(["cassette", "prune", str(run.parent), "--keep", "1", "--dry-run"]) == 0
    assert printed(capsys).startswith("would free ")
    assert len(list(run.parent.glob("*/*/cassette.json.gz"))) == 4
    assert main(["cassette", "prune", str(run.parent), "--keep", "1"]) == 0
    assert ": 3 cassettes and " in printed(capsys)
    assert len(list(run.parent.glob("*/*/cassette.json.gz"))) == 1
    assert len(list(run.parent.glob("*/*/trace.json"))) == 4
    assert main(["cassette", "check", str(run.parent)]) == 0


def test_age_bounds_what_stays(run: Path, capsys: Capture) -> None:
    assert main(["cassette", "prune", str(run), "--older-than", "100000"]) == 0
    assert printed(capsys) == "freed nothing\n"
    assert main(["cassette", "prune", str(run), "--keep", "0"]) == 0
    assert "freed" in printed(capsys)
    assert list(run.glob("*/cassette.json.gz")) == []


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ([], "one of the arguments --keep --older-than is required"),
        (["--keep", "-1"], "is no whole number from 0"),
        (["--older-than", "nan"], "is no number from 0"),
    ],
)
def test_a_bound_has_to_be_one(run: Path, capsys: Capture, options: list[str], why: str) -> None:
    assert main(["cassette", "prune", str(run), *options]) == 2
    assert why in capsys.readouterr().err
    assert len(list(run.glob("*/cassette.json.gz"))) == 3
