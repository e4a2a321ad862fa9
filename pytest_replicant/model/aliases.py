"""Short names of types that are written in half of all files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

AnyDict = dict[str, Any]
AnyMapping = Mapping[str, Any]
Strings = tuple[str, ...]
