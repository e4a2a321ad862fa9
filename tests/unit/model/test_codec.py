"""Our own files by their types: each of its places is checked, and named if it does not fit."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import jsonschema
import pytest

from pytest_replicant.model import (
    Rect,
    Selector,
    WrongSchema,
    by,
    convert,
    decode,
    encode,
    json_schema,
)


@dataclass(frozen=True)
class Inner:
    title: str
    areas: tuple[Rect, ...] = ()
    target: Selector | None = None


@dataclass(frozen=True)
class File:
    """What the tests read."""

    name: str
    rows: tuple[Inner, ...] = ()
    facts: Mapping[str, int | float | str | None] = field(default_factory=dict)
    more: Any = None
    schema: Literal["replicant.example/3"] = "replicant.example/3"


WHOLE = File(
    "a",
    (Inner("b", (Rect(1, 2, 3, 4),), by(text_matches=re.compile("x", re.I), within=by(text="c"))),),
)
KEYWORDS = {
    "text_matches": {"pattern": "x", "flags": int(re.compile("x", re.I).flags)},
    "within": {"text": "c"},
}
ROW = {"title": "b", "areas": [{"left": 1, "top": 2, "right": 3, "bottom": 4}], "target": KEYWORDS}


def of(**changes: Any) -> bytes:
    return json.dumps(
        {"schema": "replicant.example/3", "name": "a", "rows": [ROW], **changes}
    ).encode()


def test_a_file_is_the_value_that_was_written() -> None:
    assert decode(File, of()) == WHOLE
    assert decode(File, of(rows=[{**ROW, "areas": [[1, 2, 3, 4]]}])) == WHOLE
    simple = File("ä", (Inner("b", (Rect(1, 2, 3, 4),)),), {"n": 1, "none": None})
    assert decode(File, encode(simple)) == decode(File, encode(simple, indent=1)) == simple
    assert convert(tuple[Inner, ...], [{"title": "b"}]) == (Inner("b"),)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (of(naem="b"), "there is no field 'naem'. Did you mean name?"),
        (of(rows=[ROW, {**ROW, "x": 1}]), "rows[1]: there is no field 'x'."),
        (of(rows=[ROW, {**ROW, "title": 7}]), "rows[1].title: Expected `str`, got `int`"),
        (of(rows=[{}]), "rows[0]: Object missing required field `title`"),
        (of(rows=[{**ROW, "areas": [[1, 2, 3]]}]), "rows[0].areas[0]: "),
        (
            of(rows=[{**ROW, "areas": [[1, 2, 3, "4"]]}]),
            "rows[0].areas[0]: a rectangle has four whole numbers of reasonable size",
        ),
        (of(rows=[{**ROW, "target": {"txet": "a"}}]), "rows[0].target: "),
        (of(facts={"n": []}), "facts[...]: Expected `int | float | str | null`, got `array`"),
        (b"{", "is no JSON: "),
        (b'{"more":' + b"[" * 100_000, "is nested too deeply"),
        (b"\xff", "is no JSON: "),
        (b"[]", "Expected `object`, got `array`"),
        (of(schema="replicant.other/3"), "no replicant.example/3"),
        (b'{"name": "a"}', "no replicant.example/3, but another tool's"),
        (of(schema="replicant.example/x"), "no replicant.example/3"),
        (
            of(schema="replicant.example/4", xyz=1),
            "replicant.example/4, of a newer version. Next: install that",
        ),
        (
            of(schema="replicant.example/2"),
            "replicant.example/2, of an earlier version. Next: make the file again",
        ),
    ],
)
def test_what_does_not_fit_is_refused_with_its_place(data: bytes, said: str) -> None:
    with pytest.raises(ValueError, match=re.escape(said)):
        decode(File, data)


@pytest.mark.parametrize(
    ("schema", "ours"), [("replicant.example/2", True), ("junit/2", False), ("", False)]
)
def test_an_error_says_whether_a_file_is_of_another_tool_or_of_another_version(
    schema: object, ours: bool
) -> None:
    with pytest.raises(WrongSchema) as caught:
        decode(File, of(schema=schema))
    assert caught.value.ours is ours


def test_a_file_can_be_written_whatever_an_app_shows() -> None:
    assert json.loads(encode({"half": "\ud83d!", "none": float("nan")})) == {
        "half": "?!",
        "none": None,
    }


def test_the_schema_is_that_of_the_type() -> None:
    schema = json_schema(File)
    jsonschema.Draft202012Validator.check_schema(schema)
    valid = jsonschema.Draft202012Validator(schema).is_valid
    assert (schema["title"], schema["description"]) == (
        "replicant.example/3",
        "What the tests read.",
    )
    assert valid(json.loads(of()))
    assert not valid(json.loads(of(xyz=1)))
    assert not valid(json.loads(of(rows=[{**ROW, "x": 1}])))
    assert not valid(json.loads(of(schema="replicant.example/4")))
