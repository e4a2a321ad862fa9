"""The marker ``@pytest.mark.replicant(...)`` of a test, its class or its module."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import Any, cast, get_args

import pytest

from ..errors import UsageError, did_you_mean
from .options import Reset

NAME = "replicant"
MARKER = (
    "replicant(allow=[...], platform=..., api=..., needs=[...], reset=..., id=...): what this "
    "test allows beyond the usual, that recovery may relaunch or step_back, that the app may "
    "crash; which phones will do; what happens to apps after it; the test cases that it covers"
)


@dataclass(frozen=True)
class Marks:
    """``platform``, ``api`` (such as ``">=34"``) and ``needs`` (capabilities) select phones; "" and
    none: any. ``case_ids`` are those of the cases in a test management system that the test
    covers."""

    allow: frozenset[str] = frozenset()
    platform: str = ""
    api: str = ""
    needs: frozenset[str] = frozenset()
    reset: Reset | None = None
    case_ids: tuple[str, ...] = ()


def read_marks(item: pytest.Item | pytest.Collector) -> Marks:
    """Reads the markers of a test, class or module: the nearest one counts, but allowances and
    needs add up.

    Raises ``UsageError``, also for a marker with nearly the same name: pytest only warns of it, and
    the test would run on any phone."""
    allow: set[str] = set()
    needs: set[str] = set()
    single: dict[str, Any] = {}
    for marker in item.iter_markers():
        if marker.name != NAME:
            _check_name(item, marker)
            continue
        given = dict(marker.kwargs)
        other = sorted({*given} - {*_takes()})
        if marker.args or other:
            wrong, meant = ", ".join(map(repr, marker.args)), ""
            if not marker.args:
                wrong, meant = ", ".join(other), did_you_mean(other[0], _takes(), form="{}=")
            raise UsageError(
                f"marker replicant: {wrong} is not known.{meant} It takes "
                f"{'; '.join(_takes().values())}. Next: "
                '@pytest.mark.replicant(platform="android", allow=["relaunch"])'
            )
        allow |= _words("allow", given.pop("allow", ()), _allowances())
        needs |= _words("needs", given.pop("needs", ()), ())
        single = given | single
    reset = single.get("reset")
    if reset is not None:
        _words("reset", [reset], get_args(Reset))
    return Marks(
        frozenset(allow),
        str(single.get("platform") or ""),
        str(single.get("api") or ""),
        frozenset(needs),
        cast("Reset | None", reset),
        _ids(single.get("id")),
    )


def _check_name(item: pytest.Item | pytest.Collector, marker: pytest.Mark) -> None:
    if (marker.args or marker.kwargs) and (meant := near_marker(marker.name)):
        known = {re.split(r"[:(]", line)[0].strip() for line in item.config.getini("markers")}
        if marker.name not in known:
            raise UsageError(f"marker {marker.name}: no marker of this name is registered.{meant}")


@cache
def near_marker(name: str) -> str:
    """The sentence that proposes the right name for one that is nearly it, "" for another."""
    return did_you_mean(name, [NAME], 0.8)


def case_id(item: pytest.Item) -> str:
    """Of the cases that a test covers, ``"C123"`` or ``"C123, C124"``; "" if it names none, or its
    marker is wrong, which is reported where the test asks for its phone."""
    with suppress(UsageError):
        return ", ".join(read_marks(item).case_ids)
    return ""


def _allowances() -> tuple[str, ...]:
    from ..model import Allowance  # loaded with the first marker, not with the plugin

    return get_args(Allowance)


@cache
def _takes() -> dict[str, str]:
    return {
        "allow": f"allow=, a list of: {', '.join(_allowances())}",
        "platform": "platform=",
        "api": 'api=, such as ">=34"',
        "needs": "needs=, a list of abilities",
        "reset": f"reset=, one of: {', '.join(get_args(Reset))}",
        "id": 'id=, a string such as "C123" or a list of them',
    }


def _ids(given: object) -> tuple[str, ...]:
    """Several travel in one line, parted by commas, as TestRail's reader takes them."""
    if given is None:
        return ()
    ids = (given,) if isinstance(given, str) else given
    if not isinstance(ids, (list, tuple)) or not ids or not all(map(_is_id, ids)):
        raise UsageError(f"marker replicant: id={given!r} is not known. It takes {_takes()['id']}")
    return tuple(dict.fromkeys(ids))


def _is_id(given: object) -> bool:
    if not isinstance(given, str) or "," in given:
        return False
    return given == given.strip() != "" and given.isprintable()


def _words(name: str, given: object, known: tuple[str, ...]) -> set[str]:
    words = {*map(str, given)} if isinstance(given, (list, tuple, set, frozenset)) else {str(given)}
    unknown = sorted(words - {*known}) if known else []
    if unknown:
        wrong = f"{name}={', '.join(unknown)} is not known.{did_you_mean(unknown[0], known)}"
        raise UsageError(f"marker replicant: {wrong} It takes {_takes()[name]}")
    return words
