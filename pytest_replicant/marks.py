"""The marker ``@pytest.mark.replicant(...)`` of a test, its class or its module."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, cast, get_args

import pytest

from .errors import UsageError
from .options import Reset

MARKER = (
    "replicant(allow=[...], platform=..., api=..., needs=[...], reset=...): what this test allows beyond the "
    "usual, that recovery may relaunch or step_back, that the app may crash; which phones will do; what happens "
    "to apps after it"
)


@dataclass(frozen=True)
class Marks:
    """``platform``, ``api`` (such as ``">=34"``) and ``needs`` (capabilities) select phones; "" and none: any."""

    allow: frozenset[str] = frozenset()
    platform: str = ""
    api: str = ""
    needs: frozenset[str] = frozenset()
    reset: Reset | None = None


def read_marks(item: pytest.Item) -> Marks:
    """Reads a test's markers: the nearest one counts, but allowances and needs add up. Raises ``UsageError``."""
    allow: set[str] = set()
    needs: set[str] = set()
    single: dict[str, Any] = {}
    for marker in item.iter_markers("replicant"):
        given = dict(marker.kwargs)
        if marker.args or (other := sorted({*given} - {*_takes()})):
            wrong = ", ".join([*map(repr, marker.args), *(other if not marker.args else ())])
            raise UsageError(f"marker replicant: {wrong} is not known; it takes {'; '.join(_takes().values())}")
        allow |= _words("allow", given.pop("allow", ()), _allowances())
        needs |= _words("needs", given.pop("needs", ()), ())
        for name, value in given.items():
            single.setdefault(name, value)
    reset = single.get("reset")
    if reset is not None:
        _words("reset", [reset], get_args(Reset))
    return Marks(
        frozenset(allow),
        _word(single.get("platform")),
        _word(single.get("api")),
        frozenset(needs),
        cast("Reset | None", reset),
    )


def _allowances() -> tuple[str, ...]:
    from .model import Allowance  # loaded with the first marker, not with the plugin

    return get_args(Allowance)


@cache
def _takes() -> dict[str, str]:
    return {
        "allow": f"allow=, a list of: {', '.join(_allowances())}",
        "platform": "platform=",
        "api": 'api=, such as ">=34"',
        "needs": "needs=, a list of abilities",
        "reset": f"reset=, one of: {', '.join(get_args(Reset))}",
    }


def _word(given: object) -> str:
    return "" if given is None else str(given)


def _words(name: str, given: object, known: tuple[str, ...]) -> set[str]:
    words = {*map(str, given)} if isinstance(given, (list, tuple, set, frozenset)) else {str(given)}
    unknown = sorted(words - {*known}) if known else []
    if unknown:
        raise UsageError(f"marker replicant: {name}={', '.join(unknown)} is not known; it takes {_takes()[name]}")
    return words
