"""Files on disk: stored once, without secrets, and never at the price of a test."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import zlib
from dataclasses import replace
from typing import TYPE_CHECKING

import jsonschema
import pytest
from PIL import Image, ImageChops, ImageFilter, ImageStat

from pytest_replicant.kept import RunRecord
from pytest_replicant.model import MASK, Attachment, DiffRecord, RaisedError, Redactor
from pytest_replicant.model.secret import SHORT
from pytest_replicant.reporting.artifacts.storage import trace_schema
from pytest_replicant.reporting.pages.index_page import write_run
from pytest_replicant.reporting.pages.page import page_data
from pytest_replicant.reporting.publisher import run_row, with_files
from pytest_replicant.reporting.trace_files import write_trace
from tests.file_contents import contents

from .compared import compared_trace
from .factory import HOSTILE, hostile_trace, screenshots, tiny_trace, written
from .story import failing_story

if TYPE_CHECKING:
    from pathlib import Path

# Each of these is spelled differently in XML, JSON and HTML than as typed.
SECRETS = ("correct horse", 'it\'s <a> & "b"', "pass\nword", "пароль-日本", "a\\b/c</script>")


def _every_file(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def test_a_screenshot_is_stored_once_however_many_steps_show_it(tmp_path: Path) -> None:
    trace = failing_story()
    same = trace.screenshots["s1"]
    files = write_trace(
        replace(trace, screenshots=dict.fromkeys(trace.snapshots, same)), tmp_path, "run", Redactor()
    )
    assert len({path for _, path in files.screenshots}) == 1
    (path,) = (tmp_path / "run" / "blobs").glob("*.webp")
    with Image.open(path) as kept, Image.open(io.BytesIO(same.png)) as taken:
        assert kept.size == taken.size


@pytest.mark.slow
def test_a_large_screenshot_is_packed_and_looks_the_same(tmp_path: Path) -> None:
    speckled = Image.effect_noise((540, 1200), 60).convert("RGB").filter(ImageFilter.GaussianBlur(2))
    packed = io.BytesIO()
    speckled.save(packed, "PNG")
    trace = replace(tiny_trace(), screenshots=screenshots({"s1": packed.getvalue()}))
    ((_, path),) = written(trace, tmp_path).screenshots
    assert path.suffix == ".webp"
    assert path.stat().st_size < len(packed.getvalue()) / 2
    with Image.open(path) as kept:
        difference = ImageChops.difference(kept.convert("RGB"), speckled).convert("L")
    assert ImageStat.Stat(difference).mean[0] < 4


def test_a_picture_that_is_none_is_kept_as_it_came(tmp_path: Path) -> None:
    trace = replace(tiny_trace(), screenshots=screenshots({"s1": b"not a picture"}))
    files = written(trace, tmp_path)
    assert [path.read_bytes() for _, path in files.screenshots] == [b"not a picture"]
    assert files.warnings == ()


@pytest.mark.parametrize("secret", SECRETS)
def test_no_file_holds_a_secret(tmp_path: Path, secret: str) -> None:
    from xml.sax.saxutils import quoteattr

    trace = hostile_trace(f"typed {secret} here")
    xml = f"<hierarchy><node text={quoteattr(secret)} /><node>{quoteattr(secret)[1:-1]}</node></hierarchy>"
    wda = json.dumps({"value": {"label": secret, "children": [secret]}})
    sources = {"s1": xml.encode(), "s2": wda.encode()}
    bodies = (Attachment("body", "application/json", text.encode()) for text in (wda, "[" * 90_000 + secret))
    trace = replace(
        trace,
        snapshots={name: replace(record, source=sources[name]) for name, record in trace.snapshots.items()},
        attachments=(*trace.attachments, *bodies),
    )
    redactor = Redactor([secret])
    files = write_trace(trace, tmp_path, "run", redactor)
    run = RunRecord(
        "run",
        "2026-11-20T19:18:52Z",
        1,
        (with_files(run_row(trace, redactor), files, tmp_path / "run", redactor),),
    )
    write_run(run, tmp_path)
    spellings = _spellings(secret)
    everything = _every_file(tmp_path)
    assert len(everything) >= 8
    for path in everything:
        for content in contents(path):
            assert [spelling for spelling in spellings if spelling in content] == [], path
    assert any(path.suffix == ".zip" for path in everything)
    assert MASK.encode() in (files.folder / "trace.json").read_bytes()


def _spellings(secret: str) -> list[bytes]:
    import html
    from xml.sax.saxutils import quoteattr

    texts = {
        secret,
        html.escape(secret),
        quoteattr(secret)[1:-1],
        json.dumps(secret)[1:-1],
        json.dumps(secret, ensure_ascii=False)[1:-1],
    }
    return [text.encode() for text in texts]


@pytest.mark.parametrize("secret", ["a", "1", "passed", "tap", "2026", "trace", "s1"])
def test_a_secret_that_is_a_common_word_breaks_no_structure(tmp_path: Path, secret: str) -> None:
    trace = replace(tiny_trace(), device={"model": secret}, failures=(RaisedError(f"typed {secret}!"),))
    files = write_trace(trace, tmp_path, "run", Redactor([secret]))
    assert files.trace_json is not None
    document = json.loads(files.trace_json.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(trace_schema()).validate(document)
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
    output = tmp_path / "out"
    files = written(hostile_trace(HOSTILE[name]), output)
    assert files.warnings == ()
    assert files.trace_html is not None
    assert list(tmp_path.iterdir()) == [output]
    assert all(len(path.name) <= 80 for path in output.rglob("*"))


def test_a_folder_that_cannot_be_written_is_a_warning(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("a file where the folder should be")
    files = written(tiny_trace(), tmp_path / "out")
    assert (files.trace_json, files.trace_html) == (None, None)
    assert len(files.warnings) == 1
    assert "not stored" in files.warnings[0]
    assert "the test's result stands" in files.warnings[0]
    run = write_run(RunRecord("run", "2026-11-20T19:18:52Z", 1), tmp_path / "out")
    assert run.index_html is None
    assert len(run.warnings) == 1


def test_blobs_that_cannot_be_stored_leave_the_rest_whole(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "blobs").write_text("in the way")
    files = written(tiny_trace(), tmp_path)
    assert files.trace_json is not None
    document = json.loads(files.trace_json.read_text(encoding="utf-8"))
    assert document["snapshots"]["s1"]["blob"] is None
    assert len(document["warnings"]) == 4
    assert files.trace_html is not None
    assert len(files.warnings) == 1


def test_writing_again_replaces_and_leaves_no_scraps(tmp_path: Path) -> None:
    first = written(tiny_trace(), tmp_path)
    before = sorted(_every_file(tmp_path))
    again = write_trace(
        replace(tiny_trace(), events=(replace(tiny_trace().events[0], diff=DiffRecord("other")),)),
        tmp_path,
        "run",
        Redactor(),
    )
    assert again.folder == first.folder
    assert sorted(_every_file(tmp_path)) == before
    assert b'"other"' in (again.folder / "trace.json").read_bytes()


def test_the_page_of_a_pass_is_small_and_names_its_pictures(tmp_path: Path) -> None:
    story = failing_story()
    passed = replace(story, test=replace(story.test, outcome="passed", attempt=0))
    small, whole = (written(trace, tmp_path).trace_html for trace in (passed, story))
    assert small is not None
    assert whole is not None
    texts = [page.read_text("utf-8") for page in (small, whole)]
    assert len(texts[0]) < len(texts[1]) / 2
    linked, carried = map(page_data, texts)
    assert linked["pictures"] == {}
    shots = [record["screenshot"]["blob"] for record in linked["trace"]["snapshots"].values()]
    assert all((small.parent / blob).is_file() for blob in shots)
    assert set(carried["pictures"]) == set(shots)
    assert {name: linked[name] for name in ("outlines", "texts", "marks")} == {
        name: carried[name] for name in ("outlines", "texts", "marks")
    }


def test_a_packed_page_names_all_that_it_runs_in_its_policy(tmp_path: Path) -> None:
    page = written(tiny_trace(), tmp_path).trace_html
    assert page is not None
    text = page.read_text("utf-8")
    data = json.loads(text.partition('id="data">')[2].partition("</script>")[0])
    style, script = json.loads(zlib.decompress(base64.b64decode(data["parts"])))
    loader = text.rpartition("<script>")[2].partition("</script>")[0]
    policy = text.partition('Policy" content="')[2].partition('"')[0]
    rules = dict(rule.split(maxsplit=1) for rule in policy.split("; "))
    assert rules["default-src"] == "'none'"
    assert rules["script-src"].split() == [_hash(loader), _hash(script)]
    assert rules["style-src"].split() == [_hash(""), _hash(style)]
    assert "unsafe" not in policy


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def test_pictures_are_smaller_but_for_those_of_a_failed_step(tmp_path: Path) -> None:
    taken = {}
    for name, size in (("s1", (1080, 1200)), ("s2", (1100, 1200))):
        picture = io.BytesIO()
        Image.linear_gradient("L").resize(size).convert("RGB").save(picture, "PNG", compress_level=0)
        taken[name] = picture.getvalue()
    trace = replace(tiny_trace("failed"), screenshots=screenshots(taken))
    acted, checked = trace.events
    events = (replace(acted, before="s1", after=None), replace(checked, before="s2", after=None, error="no"))
    files = written(replace(trace, events=events), tmp_path)
    sizes = {}
    for name, path in files.screenshots:
        with Image.open(path) as kept:
            sizes[name] = kept.size
    assert sizes == {"s1": (540, 600), "s2": (1100, 1200)}


def test_compared_pictures_are_in_the_document_and_on_the_page(tmp_path: Path) -> None:
    files = written(compared_trace(), tmp_path)
    assert files.trace_json is not None
    assert files.trace_html is not None
    assert files.warnings == ()
    document = json.loads(files.trace_json.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(trace_schema()).validate(document)
    looks = document["events"][0]["check"]["looks"]
    paths = [document["attachments"][looks[name]]["path"] for name in ("expected", "actual", "difference")]
    assert all((files.folder / path).read_bytes().startswith(b"\x89PNG") for path in paths)
    carried = page_data(files.trace_html.read_text(encoding="utf-8"))["pictures"]
    assert set(paths) <= carried.keys()
