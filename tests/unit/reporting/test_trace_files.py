"""Files on disk: stored once, without secrets, and never at the price of a test."""

from __future__ import annotations

import html
import io
import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import quoteattr

import jsonschema
import pytest
from PIL import Image

from pytest_replicant.kept_runs import RunRecord
from pytest_replicant.model import (
    MASK,
    SHORT,
    Attachment,
    RaisedError,
    Rect,
    Redactor,
    ShownElement,
)
from pytest_replicant.reporting import (
    TraceFiles,
    run_row,
    trace_schema,
    with_files,
    write_run,
    write_trace,
)
from pytest_replicant.reporting.pages.page import page_data
from tests.file_contents import contents

from .compared import compared_trace
from .factory import HOSTILE, hostile_trace, screenshots, tiny_trace, written
from .pages.written import page_of
from .story import failing_story

if TYPE_CHECKING:
    from pathlib import Path

# Each of these is spelled differently in XML, JSON and HTML than as typed.
SECRETS = ("correct horse", 'it\'s <a> & "b"', "pass\nword", "пароль-日本", "a\\b/c</script>")


def document_of(files: TraceFiles) -> dict[str, Any]:
    """``trace.json``, which its schema accepts."""
    assert files.trace_json is not None
    document: dict[str, Any] = json.loads(files.trace_json.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(trace_schema()).validate(document)
    return document


def _every_file(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def test_a_screenshot_is_stored_once_however_many_steps_show_it(tmp_path: Path) -> None:
    trace = failing_story()
    same = trace.screenshots["s1"]
    files = write_trace(
        replace(trace, screenshots=dict.fromkeys(trace.snapshots, same)),
        tmp_path,
        "run",
        Redactor(),
    )
    assert len({path for _, path in files.screenshots}) == 1
    (path,) = (tmp_path / "run" / "blobs").glob("*.webp")
    with Image.open(path) as kept, Image.open(io.BytesIO(same.png)) as taken:
        assert kept.size == taken.size


def test_a_picture_that_is_none_is_kept_as_it_came(tmp_path: Path) -> None:
    trace = replace(tiny_trace(), screenshots=screenshots({"s1": b"not a picture"}))
    files = written(trace, tmp_path)
    assert [path.read_bytes() for _, path in files.screenshots] == [b"not a picture"]
    assert files.warnings == ()


@pytest.mark.parametrize("secret", SECRETS)
def test_no_file_holds_a_secret(tmp_path: Path, secret: str) -> None:
    trace = hostile_trace(f"typed {secret} here")
    xml = (
        f"<hierarchy><node text={quoteattr(secret)} "
        f"/><node>{quoteattr(secret)[1:-1]}</node></hierarchy>"
    )
    wda = json.dumps({"value": {"label": secret, "children": [secret]}})
    sources = {"s1": xml.encode(), "s2": wda.encode()}
    bodies = (
        Attachment("body", "application/json", text.encode())
        for text in (wda, "[" * 90_000 + secret)
    )
    shown = (ShownElement("k427", secret, f"label {secret}", Rect(0, 0, 10, 10)),)
    trace = replace(
        trace,
        snapshots={
            name: replace(one, source=sources[name], elements=shown)
            for name, one in trace.snapshots.items()
        },
        events=tuple(
            replace(one, source=f"{secret}.py:3", source_text=f"x = {secret!r}")
            for one in trace.events
        ),
        attachments=(*trace.attachments, *bodies),
    )
    redactor = Redactor([secret])
    files = write_trace(trace, tmp_path, "run", redactor)
    row = with_files(run_row(trace, redactor), files, tmp_path / "run", redactor)
    write_run(RunRecord("run", "2026-11-20T19:18:52Z", 1, (row,)), tmp_path)
    everything = _every_file(tmp_path)
    assert len(everything) >= 8
    for content in (content for path in everything for content in contents(path)):
        assert [one for one in _spellings(secret) if one in content] == []
    assert any(path.suffix == ".zip" for path in everything)
    assert MASK.encode() in (files.folder / "trace.json").read_bytes()


def _spellings(secret: str) -> list[bytes]:
    json_text = json.dumps(secret, ensure_ascii=False)[1:-1]
    texts = {
        secret,
        html.escape(secret),
        quoteattr(secret)[1:-1],
        json.dumps(secret)[1:-1],
        json_text,
    }
    return [text.encode() for text in texts]


@pytest.mark.parametrize("secret", ["a", "1", "passed", "tap", "2026", "trace", "s1"])
def test_a_secret_that_is_a_common_word_breaks_no_structure(tmp_path: Path, secret: str) -> None:
    trace = replace(
        tiny_trace(), device={"model": secret}, failures=(RaisedError(f"typed {secret}!"),)
    )
    document = document_of(write_trace(trace, tmp_path, "run", Redactor([secret])))
    assert document["device"]["model"] == MASK
    assert [one["message"] for one in document["failures"]] == [
        f"typed {secret if len(secret) < SHORT else MASK}!"
    ]


def test_pictures_are_not_touched_by_redaction(tmp_path: Path) -> None:
    data = bytes(range(256))
    trace = replace(tiny_trace(), attachments=(Attachment("shot", "image/png", data),))
    files = write_trace(trace, tmp_path, "run", Redactor(["a", "AB"]))
    assert (files.folder / "attachments" / "00-shot.png").read_bytes() == data


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_stays_inside_the_output_folder(tmp_path: Path, name: str) -> None:
    files = written(hostile_trace(HOSTILE[name]), tmp_path / "out")
    assert (files.warnings, files.trace_html is None) == ((), False)
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    assert all(len(path.name) <= 80 for path in tmp_path.rglob("*"))


def test_a_folder_that_cannot_be_written_is_a_warning(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("a file where the folder should be")
    files = written(tiny_trace("failed"), tmp_path / "out")
    assert (files.trace_json, files.trace_html, files.trace_zip) == (None, None, None)
    (warning,) = files.warnings
    assert ["not stored" in warning, "the test's result stands" in warning] == [True, True]
    run = write_run(RunRecord("run", "2026-11-20T19:18:52Z", 1), tmp_path / "out")
    assert (run.index_html, len(run.warnings)) == (None, 1)


def test_blobs_that_cannot_be_stored_leave_the_rest_whole(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "blobs").write_text("in the way")
    files = written(tiny_trace(), tmp_path)
    document = document_of(files)
    assert (document["snapshots"]["s1"]["blob"], len(document["warnings"])) == (None, 4)
    assert (files.trace_html is None, len(files.warnings)) == (False, 1)


def test_the_page_of_a_pass_is_small_and_names_its_pictures(tmp_path: Path) -> None:
    story = failing_story()
    passed = replace(story, test=replace(story.test, outcome="passed", attempt=0))
    texts = [page_of(trace, tmp_path).read_text("utf-8") for trace in (passed, story)]
    assert len(texts[0]) < len(texts[1]) / 2
    linked, carried = map(page_data, texts)
    shots = [record["screenshot"]["blob"] for record in linked["trace"]["snapshots"].values()]
    assert all((tmp_path / "run" / "blobs" / blob.rpartition("/")[2]).is_file() for blob in shots)
    assert (linked["pictures"], set(carried["pictures"])) == ({}, set(shots))
    for name in ("outlines", "texts", "marks"):
        assert linked[name] == carried[name]


@pytest.mark.slow
def test_pictures_are_smaller_but_for_those_of_a_failed_step(tmp_path: Path) -> None:
    taken = {}
    for name, size in (("s1", (1080, 1200)), ("s2", (1100, 1200))):
        picture = io.BytesIO()
        Image.linear_gradient("L").resize(size).convert("RGB").save(
            picture, "PNG", compress_level=0
        )
        taken[name] = picture.getvalue()
    trace = replace(tiny_trace("failed"), screenshots=screenshots(taken))
    acted, checked = trace.events
    events = (
        replace(acted, before="s1", after=None),
        replace(checked, before="s2", after=None, error="no"),
    )
    sizes = {}
    for name, path in written(replace(trace, events=events), tmp_path).screenshots:
        assert (path.suffix, path.stat().st_size < len(taken[name]) / 2) == (".webp", True)
        with Image.open(path) as kept:
            sizes[name] = kept.size
    assert sizes == {"s1": (540, 600), "s2": (1100, 1200)}


def test_compared_pictures_are_in_the_document_and_on_the_page(tmp_path: Path) -> None:
    files = written(compared_trace(), tmp_path)
    document = document_of(files)
    looks = document["events"][0]["check"]["looks"]
    paths = [
        document["attachments"][looks[name]]["path"]
        for name in ("expected", "actual", "difference")
    ]
    assert all((files.folder / path).read_bytes().startswith(b"\x89PNG") for path in paths)
    assert files.trace_html is not None
    assert set(paths) <= page_data(files.trace_html.read_text(encoding="utf-8"))["pictures"].keys()
