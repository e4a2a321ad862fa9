"""The published schema of ``cassette.json.gz``, for those who read or write cassettes by other tools."""

from __future__ import annotations

import json
from importlib import resources
from typing import Any


def cassette_schema() -> dict[str, Any]:
    """JSON Schema, draft 2020-12."""
    text = resources.files(__package__).joinpath("cassette_schema.json").read_text(encoding="utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema
