"""The archive itself: what is in it, that it is the same again, and how large it may become."""

from __future__ import annotations

import json
import zipfile
from dataclasses import replace
from io import BytesIO
from typing import TYPE_CHECKING, Any

import pytest

from pytest_replicant.model import MASK, Attachment, LogRecord, Rect, Redactor, ShownElement, TestTrace
from pytest_replicant.reporting import trace_files
from pytest_replicant.reporting.playwright import trace_zip
from pytest_replicant.reporting.publisher import with_files
from pytest_replicant.reporting.trace_files import write_trace, zip_of

from ..factory import HOSTILE, hostile_trace, row_of, tiny_trace, written
from ..story import failing_story

if TYPE_CHECKING:
    from pathlib import Path


def _zip(trace: TestTrace, folder: Path, redactor: Redactor | None = None) -> zipfile.ZipFile:
    files = write_trace(trace, folder, "run", redactor or Redactor())
    assert files.warnings == ()
    assert files.trace_zip is not None
    return zipfile.ZipFile(BytesIO(files.trace_zip.read_bytes()))


def _events(archive: zipfile.ZipFile) -> list[dict[str, Any]]:
    return [json.loads(line) for line in archive.read("trace.trace").decode("ascii").splitlines()]


def test_the_archive_holds_lines_pictures_attachments_and_sources(tmp_path: Path) -> None:
    archive = _zip(failing_story(), tmp_path)
    names = archive.namelist()
    assert names[:2] == ["trace.trace", "trace.network"]
    assert sum(name.endswith(".webp") for name in names) == 4
    assert archive.read("resources/00-request-log.txt") == b"GET /cart 200\nPOST /cart 200\n"
    (source,) = (name for name in names if "src@" in name)
    lines = archive.read(source).decode().splitlines()
    assert lines[13] == 'mobile.tap(text="Sign in").expect_screen("Catalogue")'
    assert lines[14] == "", "a line that no one recorded"
    assert archive.testzip() is None


def test_pictures_are_stored_once_and_not_packed_again(tmp_path: Path) -> None:
    story = failing_story()
    one = dict.fromkeys(story.snapshots, story.screenshots["s1"])
    files = written(replace(story, screenshots=one), tmp_path)
    assert files.trace_zip is not None
    archive = zipfile.ZipFile(files.trace_zip)
    (picture,) = (info for info in archive.infolist() if info.filename.endswith(".webp"))
    assert picture.compress_type == zipfile.ZIP_STORED
    assert archive.read(picture) == files.screenshots[0][1].read_bytes()
    assert archive.read("trace.trace").count(b"data:image/webp;base64,") == 1


def test_every_file_that_an_event_names_is_there(tmp_path: Path) -> None:
    archive = _zip(failing_story(), tmp_path)
    events = _events(archive)
    named = {event["sha1"] for event in events if event["type"] == "screencast-frame"}
    named |= {one["sha1"] for event in events for one in event.get("attachments", ())}
    assert len(named) == 5
    assert {f"resources/{name}" for name in named} <= set(archive.namelist())


def test_the_same_trace_is_the_same_bytes(tmp_path: Path) -> None:
    first = written(failing_story(), tmp_path / "a").trace_zip
    again = written(failing_story(), tmp_path / "b").trace_zip
    assert first is not None
    assert again is not None
    assert first.read_bytes() == again.read_bytes()


def test_what_is_beyond_the_budget_stays_out_and_failed_steps_come_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = written(failing_story(), tmp_path / "whole")
    last = dict(whole.screenshots)["s4"].read_bytes()
    monkeypatch.setattr(trace_zip, "PICTURE_BUDGET", len(last))
    archive = _zip(failing_story(), tmp_path)
    (kept,) = (name for name in archive.namelist() if name.endswith(".webp"))
    assert archive.read(kept) == last, "of the screen of the failed check"
    filmed = {event["sha1"] for event in _events(archive) if event["type"] == "screencast-frame"}
    assert {f"resources/{name}" for name in filmed} == {kept}


def test_large_attachments_stay_in_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trace_zip, "ATTACHMENT_BUDGET", 10)
    attachments = (Attachment("long", "text/plain", b"x" * 11), Attachment("short", "text/plain", b"x" * 9))
    archive = _zip(replace(tiny_trace("failed"), attachments=attachments), tmp_path)
    assert [name for name in archive.namelist() if name.endswith(".txt") and "src@" not in name] == [
        "resources/01-short.txt"
    ]


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_is_plain_bounded_ascii(tmp_path: Path, name: str) -> None:
    text = HOSTILE[name]
    trace = hostile_trace(text)
    elements = (ShownElement("k427", text, text, Rect(0, 0, 10, 10)),)
    snapshots = {key: replace(record, elements=elements) for key, record in trace.snapshots.items()}
    archive = _zip(replace(trace, snapshots=snapshots), tmp_path)
    lines = archive.read("trace.trace").decode("ascii")
    assert not {"\x00", "\x1b"} & set(lines)
    assert "\\u0000" not in lines
    assert "\\ud800" not in lines
    assert "\\u202e" not in lines
    assert len(lines) < 250_000, "a label of 100 kB is cut wherever it stands"
    for event in _events(archive):
        for value in _strings(event):
            value.encode("utf-8")
    assert all(info.filename.isascii() and ".." not in info.filename for info in archive.infolist())


def _strings(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for one in inner for text in _strings(one)]


def test_no_secret_is_in_it_however_it_comes(tmp_path: Path) -> None:
    secret = 'it\'s <a> & "b"'
    trace = hostile_trace(f"typed {secret} here")
    elements = (ShownElement("k427", secret, f"label {secret}", Rect(0, 0, 10, 10)),)
    trace = replace(
        trace,
        snapshots={key: replace(record, elements=elements) for key, record in trace.snapshots.items()},
        events=tuple(
            replace(event, source=f"{secret}.py:3", source_text=f"x = {secret!r}") for event in trace.events
        ),
        logs=(LogRecord(0, "E", secret, secret),),
    )
    archive = _zip(trace, tmp_path, Redactor([secret]))
    spellings = {secret.encode(), json.dumps(secret)[1:-1].encode(), repr(secret)[1:-1].encode()}
    for name in archive.namelist():
        assert [one for one in spellings if one in archive.read(name)] == [], name
    assert any(MASK in text for event in _events(archive) for text in _strings(event))


def test_an_archive_that_cannot_be_made_costs_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> bytes:
        raise KeyError("nothing of the kind")

    monkeypatch.setattr(trace_files, "trace_zip", broken)
    files = written(tiny_trace("failed"), tmp_path)
    assert files.trace_zip is None
    assert files.trace_json is not None
    assert files.trace_html is not None
    assert len(files.warnings) == 1
    assert "trace.zip not made: KeyError: 'nothing of the kind'; the test's result stands" in files.warnings[0]


def test_a_folder_that_cannot_be_written_is_a_warning(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("a file where the folder should be")
    files = written(tiny_trace("failed"), tmp_path / "out")
    assert files.trace_zip is None
    assert len(files.warnings) == 1


def test_a_row_names_the_archive(tmp_path: Path) -> None:
    files = written(tiny_trace("failed"), tmp_path)
    row = with_files(row_of(tiny_trace("failed")), files, tmp_path / "run", Redactor())
    assert (tmp_path / "run" / row.trace_zip) == files.trace_zip
    assert row_of(tiny_trace()).trace_zip == ""


def test_the_film_begins_after_zero(tmp_path: Path) -> None:
    """Playwright's viewer takes a first frame at 0 for no film."""
    story = failing_story()
    assert story.events[0].start_ms == 0
    story = replace(story, events=(replace(story.events[0], before="s1"), *story.events[1:]))
    frames = [one["timestamp"] for one in _events(_zip(story, tmp_path)) if one["type"] == "screencast-frame"]
    assert len(frames) >= 4
    assert 0 < frames[0] < 1
    assert frames == sorted(frames)


def test_a_pass_leaves_no_archive_and_one_is_made_of_its_files(tmp_path: Path) -> None:
    story = failing_story()
    passed = replace(story, test=replace(story.test, outcome="passed", attempt=0))
    files = written(passed, tmp_path)
    assert files.trace_zip is None
    assert zip_of(files.folder) == _made_at_once(passed, tmp_path)


def test_one_that_was_written_at_once_is_made_again_of_its_files(tmp_path: Path) -> None:
    files = written(failing_story(), tmp_path)
    assert files.trace_zip is not None
    assert zip_of(files.folder) == files.trace_zip.read_bytes()


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


def _made_at_once(trace: TestTrace, folder: Path) -> bytes:
    """As for a test of the same words that was rerun: its archive is written, with the same pictures."""
    again = replace(trace, test=replace(trace.test, attempt=1))
    files = written(again, folder)
    assert files.trace_zip is not None
    assert files.trace_json is not None
    text = files.trace_json.read_text("utf-8").replace('"attempt": 1', '"attempt": 0', 1)
    files.trace_json.write_text(text, "utf-8")
    return zip_of(files.folder)
