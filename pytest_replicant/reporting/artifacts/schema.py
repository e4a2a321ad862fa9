"""The JSON schema of ``trace.json``, as shipped in the package."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import Any, cast


def trace_schema() -> dict[str, Any]:
    """The schema of ``replicant.trace/2`` (JSON Schema, draft 2020-12); a new value on every call."""
    return cast("dict[str, Any]", json.loads(_schema_text()))


@cache
def _schema_text() -> str:
    return resources.files(__package__).joinpath("trace_schema.json").read_text(encoding="utf-8")
