"""The archive itself: what is in it, that it is the same again, and how large it may become."""

from __future__ import annotations

import json
import zipfile
from dataclasses import replace
from io import BytesIO
from typing import TYPE_CHECKING, Any

import pytest

from pytest_replicant.model import Attachment, TestTrace
from pytest_replicant.reporting import trace_files, zip_of
from pytest_replicant.reporting.playwright import trace_zip

from ..factory import HOSTILE, hostile_trace, tiny_trace, written
from ..story import failing_story

if TYPE_CHECKING:
    from pathlib import Path


def _zip(trace: TestTrace, folder: Path) -> zipfile.ZipFile:
    files = written(trace, folder)
    assert files.warnings == ()
    assert files.trace_zip is not None
    return zipfile.ZipFile(BytesIO(files.trace_zip.read_bytes()))


def _events(archive: zipfile.ZipFile) -> list[dict[str, Any]]:
    return [json.loads(line) for line in archive.read("trace.trace").decode("ascii").splitlines()]


def test_the_archive_holds_lines_pictures_attachments_and_sources(tmp_path: Path) -> None:
    story = failing_story()
    one = dict.fromkeys(story.snapshots, story.screenshots["s1"])
    archive = _zip(replace(story, screenshots=one), tmp_path)
    names = archive.namelist()
    assert names[:2] == ["trace.trace", "trace.network"]
    assert archive.read("resources/00-request-log.txt") == b"GET /cart 200\nPOST /cart 200\n"
    (source,) = (name for name in names if "src@" in name)
    lines = archive.read(source).decode().splitlines()
    assert lines[13] == 'mobile.tap(text="Sign in").expect_screen("Catalogue")'
    assert lines[14] == "", "a line that no one recorded"
    (picture,) = (info for info in archive.infolist() if info.filename.endswith(".webp"))
    assert picture.compress_type == zipfile.ZIP_STORED
    assert archive.read("trace.trace").count(b"data:image/webp;base64,") == 1


def test_every_file_that_an_event_names_is_there(tmp_path: Path) -> None:
    story = failing_story()
    archive = _zip(
        replace(story, events=(replace(story.events[0], before="s1"), *story.events[1:])), tmp_path
    )
    events = _events(archive)
    filmed = [event for event in events if event["type"] == "screencast-frame"]
    named = {event["sha1"] for event in filmed}
    named |= {one["sha1"] for event in events for one in event.get("attachments", ())}
    assert len(named) == 5
    assert {f"resources/{name}" for name in named} <= set(archive.namelist())
    frames = [event["timestamp"] for event in filmed]
    assert frames == sorted(frames)
    assert 0 < frames[0] < 1, "Playwright's viewer takes a first frame at 0 for no film"


def test_what_is_beyond_the_budgets_stays_out_and_failed_steps_come_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = written(failing_story(), tmp_path / "whole")
    last = dict(whole.screenshots)["s4"].read_bytes()
    monkeypatch.setattr(trace_zip, "PICTURE_BUDGET", len(last))
    monkeypatch.setattr(trace_zip, "ATTACHMENT_BUDGET", 10)
    attachments = (
        Attachment("long", "text/plain", b"x" * 11),
        Attachment("short", "text/plain", b"x" * 9),
    )
    archive = _zip(replace(failing_story(), attachments=attachments), tmp_path)
    (kept,) = (name for name in archive.namelist() if name.endswith(".webp"))
    assert archive.read(kept) == last, "of the screen of the failed check"
    filmed = {event["sha1"] for event in _events(archive) if event["type"] == "screencast-frame"}
    assert {f"resources/{name}" for name in filmed} == {kept}
    texts = [name for name in archive.namelist() if name.endswith(".txt") and "src@" not in name]
    assert texts == ["resources/01-short.txt"]


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_is_plain_bounded_ascii(tmp_path: Path, name: str) -> None:
    archive = _zip(hostile_trace(HOSTILE[name]), tmp_path)
    lines = archive.read("trace.trace").decode("ascii")
    unseen = {chr(at) for at in range(32)} - {"\n"} | {"\\u0000", "\\u001b", "\\ud800", "\\u202e"}
    assert [sign for sign in unseen if sign in lines] == []
    assert len(lines) < 250_000, "a label of 100 kB is cut wherever it stands"
    assert all(info.filename.isascii() and ".." not in info.filename for info in archive.infolist())


def test_an_archive_that_cannot_be_made_costs_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> bytes:
        raise KeyError("nothing of the kind")

    monkeypatch.setattr(trace_files, "trace_zip", broken)
    files = written(tiny_trace("failed"), tmp_path)
    assert [one is None for one in (files.trace_zip, files.trace_json, files.trace_html)] == [
        True,
        False,
        False,
    ]
    (warning,) = files.warnings
    assert (
        "trace.zip not made: KeyError: 'nothing of the kind'; the test's result stands" in warning
    )


@pytest.mark.parametrize("attempt", [0, 1], ids=["a pass", "a pass that was run again"])
def test_of_a_pass_the_archive_is_made_of_its_files_and_is_the_same_bytes(
    tmp_path: Path, attempt: int
) -> None:
    story = failing_story()
    files = written(
        replace(story, test=replace(story.test, outcome="passed", attempt=attempt)), tmp_path
    )
    assert (files.trace_zip is not None) == (attempt > 0)
    assert files.trace_json is not None
    made = zip_of(files.folder)
    if files.trace_zip is not None:
        assert made == files.trace_zip.read_bytes()
    assert zipfile.ZipFile(BytesIO(made)).testzip() is None


def test_no_file_from_elsewhere_gets_into_an_archive(tmp_path: Path) -> None:
    files = written(failing_story(), tmp_path)
    assert files.trace_json is not None
    document = json.loads(files.trace_json.read_text("utf-8"))
    private = tmp_path / f"{'0' * 32}.webp"
    private.write_bytes(b"private")
    document["snapshots"]["s1"]["screenshot"]["blob"] = f"../../{private.name}"
    document["attachments"][0]["path"] = f"../../{private.name}"
    files.trace_json.write_text(json.dumps(document), "utf-8")
    archive = zipfile.ZipFile(BytesIO(zip_of(files.folder)))
    assert [name for name in archive.namelist() if archive.read(name) == b"private"] == []
    assert b"0" * 32 not in archive.read("trace.trace")


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"schema": "replicant.trace/2"}', '{"schema": "replicant.run/1"}']
)
def test_what_is_no_trace_becomes_no_archive(tmp_path: Path, text: str) -> None:
    files = written(tiny_trace(), tmp_path)
    (files.folder / "trace.json").write_text(text)
    with pytest.raises(ValueError, match=r"."):
        zip_of(files.folder)
