"""The private names of pytest that a requeue needs: no public API runs an item again in the same process.

pytest-rerunfailures does the same. ``CHECKED_WITH`` is the newest version that this file was checked with; a test
fails on a newer one, so that whoever updates pytest reads it again.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

CHECKED_WITH = (9, 2)


def mark_rerun(report: pytest.TestReport) -> None:
    """Makes a report neither a failure nor a pass: the outcome of pytest-rerunfailures, which other plugins
    know."""
    report.outcome = "rerun"  # type: ignore[assignment]


@contextmanager
def wider_scopes_held(item: pytest.Item) -> Iterator[None]:
    """Tears down the test alone, as if it came next itself."""
    stack: dict[Any, Any] = item.session._setupstate.stack
    held = {node: entry for node, entry in stack.items() if node is not item}
    for node in held:
        del stack[node]
    try:
        yield
    finally:
        stack.update(held)


def reset_item(item: pytest.Item) -> None:
    """Forgets pytest's records of a run of this item: errors of fixtures that outlive it, and the object of its
    method."""
    fixtures: Any = getattr(item, "_fixtureinfo", None)
    for definitions in fixtures.name2fixturedefs.values() if fixtures is not None else ():
        for definition in definitions:
            if definition.cached_result is not None and definition.cached_result[2] is not None:
                definition.cached_result = None
                definition._finalizers.clear()
    if getattr(item, "_instance", None) is not None:
        del item._instance  # type: ignore[attr-defined]
        item._obj = None  # type: ignore[attr-defined]
