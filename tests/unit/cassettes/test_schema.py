"""The published schema: each cassette that is written fits it, and one that was changed does
not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jsonschema
import pytest

from pytest_replicant.cassettes import cassette_schema

from .kept import document

VALIDATOR = jsonschema.Draft202012Validator(cassette_schema())


def test_the_schema_is_a_valid_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(cassette_schema())


@pytest.mark.parametrize("name", ["everything", "iphone"])
def test_each_cassette_that_is_written_is_valid(name: str) -> None:
    VALIDATOR.validate(document(name))


def tapped(made: dict[str, Any]) -> list[Any]:
    found: list[Any] = next(one for one in made["entries"] if one[1] == "tap")
    return found


CHANGES: dict[str, Callable[[dict[str, Any]], object]] = {
    "another schema": lambda made: made.update(schema="replicant.cassette/2"),
    "no header": lambda made: made.pop("header"),
    "a field of the header too many": lambda made: made["header"].update(seed=7),
    "a path as a blob": lambda made: made.update(blobs=["../a.xml.gz"]),
    "an unknown ability": lambda made: made["phones"][0].update(capabilities=["FLY"]),
    "a call with a word too many": lambda made: tapped(made).append(None),
}


@pytest.mark.parametrize("name", CHANGES)
def test_one_that_was_changed_is_not(name: str) -> None:
    made = document("failed")
    CHANGES[name](made)
    assert not VALIDATOR.is_valid(made)
