"""Steps of pytest-bdd as groups of a trace, as ``mobile.step`` makes them."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest

from ...running import GROUPS, SESSIONS

if TYPE_CHECKING:
    from collections.abc import Iterable


class GherkinSteps:
    """Registered where pytest-bdd is. A phone that a step is the first to ask for joins it in its
    fixture."""

    def __init__(self) -> None:
        self._titles: Counter[str] = Counter()

    @pytest.hookimpl(optionalhook=True)
    def pytest_bdd_before_scenario(self, request: pytest.FixtureRequest) -> None:
        self._titles.clear()
        request.node.stash[GROUPS] = []

    @pytest.hookimpl(optionalhook=True)
    def pytest_bdd_before_step(self, request: pytest.FixtureRequest, step: Any) -> None:
        title = f"{step.keyword} {step.name}".strip()
        self._titles[title] += 1
        if self._titles[title] > 1:  # else two in a row would be one
            title = f"{title} ({self._titles[title]})"
        for groups in _all_groups(request.node):
            groups.append(title)

    @pytest.hookimpl(optionalhook=True)
    def pytest_bdd_after_step(self, request: pytest.FixtureRequest) -> None:
        for groups in _all_groups(request.node):
            with suppress(IndexError):
                groups.pop()

    pytest_bdd_step_error = pytest_bdd_after_step


def _all_groups(item: pytest.Item) -> Iterable[list[str]]:
    """Those of the test, which a new phone begins with, and those of each phone it has."""
    return (item.stash[GROUPS], *(entry.recorder.groups for entry in item.stash.get(SESSIONS, [])))
