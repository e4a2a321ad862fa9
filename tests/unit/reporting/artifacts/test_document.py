"""``trace.json``: valid against its schema, and the schema strict enough to notice what is
missing."""

from __future__ import annotations

import functools
import gzip
import json
import operator
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest

from pytest_replicant.model import Redactor, TraceFile, decode
from pytest_replicant.reporting import StoredParts, trace_document, trace_schema

from ..factory import HOSTILE, hostile_trace, tiny_trace, written
from ..story import failing_story

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

VALIDATOR = jsonschema.Draft202012Validator(trace_schema())


@pytest.fixture(scope="module")
def story_document() -> dict[str, Any]:
    return trace_document(failing_story(), StoredParts(), Redactor())


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_is_valid_too(name: str) -> None:
    VALIDATOR.validate(trace_document(hostile_trace(HOSTILE[name]), StoredParts(), Redactor()))


def test_the_document_on_disk_says_what_the_trace_says(tmp_path: Path) -> None:
    files = written(tiny_trace(), tmp_path)
    assert files.trace_json is not None
    document = json.loads(files.trace_json.read_text(encoding="utf-8"))
    VALIDATOR.validate(document)
    assert document["schema"] == "replicant.trace/2"
    assert document["test"]["nodeid"] == "tests/test_checkout.py::test_two_mugs_can_be_ordered"
    assert [event["id"] for event in document["events"]] == ["a1", "check-0"]
    assert document["events"][1]["check"]["reads"][1] == {
        "at": 0.12,
        "observed": '"Catalogue"',
        "held": True,
    }
    assert document["events"][0]["touch"] == [[540, 2165]]
    source = files.folder / document["snapshots"]["s2"]["blob"]
    assert source.parent.resolve() == tmp_path / "run" / "blobs"
    assert b'text="Catalogue"' in gzip.decompress(source.read_bytes())
    assert (files.folder / document["attachments"][0]["path"]).read_bytes() == b"GET /cart 200"


def _objects(value: Any, path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Each object of the document that has fields, the first of each list and table, with its
    place."""
    if isinstance(value, dict):
        if path not in ("snapshots", "device"):
            yield path, value
        for name, one in list(value.items()):
            if name not in ("metadata", "details", "device", "selector", "wanted", "observed"):
                yield from _objects(one, f"{path}.{name}".lstrip("."))
    elif isinstance(value, list) and value:
        yield from _objects(value[0], f"{path}[0]")


def test_each_unknown_field_is_refused_with_its_place(story_document: dict[str, Any]) -> None:
    jsonschema.Draft202012Validator.check_schema(trace_schema())
    whole = json.loads(json.dumps(story_document))
    VALIDATOR.validate(whole)
    assert decode(TraceFile, json.dumps(whole)).test == failing_story().test
    for path, holder in _objects(whole):
        holder["of_tomorrow"] = 1
        place = f"{re.sub(r'^snapshots[.]s[0-9]+', 'snapshots[...]', path)}: " if path else ""
        with pytest.raises(ValueError, match=f"^{re.escape(place)}there is no field 'of_tomorrow'"):
            decode(TraceFile, json.dumps(whole))
        assert not VALIDATOR.is_valid(whole)
        del holder["of_tomorrow"]


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("test", "outcome"), "green"),
        (("events", 0, "result", "success"), "yes"),
        (("events", 0, "result", "failure_code"), "OOPS"),
        (("events", 3, "check", "result"), "maybe"),
        (("events", 0, "target"), [1, 2, 3]),
        (("schema",), "replicant.trace/1"),
    ],
)
def test_a_wrong_value_is_noticed(
    story_document: dict[str, Any], path: tuple[str | int, ...], value: object
) -> None:
    changed: Any = json.loads(json.dumps(story_document))
    *before, last = path
    functools.reduce(operator.getitem, before, changed)[last] = value
    assert not VALIDATOR.is_valid(changed)


def test_values_that_json_lacks_are_spelled_out() -> None:
    odd: dict[Any, Any] = {"ratio": float("nan"), "raw": b"abc", "tags": {"b", "a"}, 7: None}
    document = trace_document(replace(tiny_trace(), device=odd), StoredParts(), Redactor())
    assert document["device"] == {"ratio": "nan", "raw": "3 bytes", "tags": ["a", "b"], "7": None}
