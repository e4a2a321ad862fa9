"""Documents that are tested: the README's tour is a test that passes, and its links lead somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.conftest import Run

from .source_tree import ROOT

README = ROOT / "README.md"
PAGES = [README, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]


def tour() -> str:
    found = re.search(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    return found[1]


@pytest.mark.slow
def test_the_tour_runs(run: Run) -> None:
    run(tour()).assert_outcomes(passed=1)


@pytest.mark.slow
def test_a_tour_that_is_wrong_fails(run: Run) -> None:
    run(tour().replace('"Reset password"', '"Reset passwords"')).assert_outcomes(failed=1)


def test_the_tour_is_short() -> None:
    assert len(tour().splitlines()) <= 30


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    targets = [target.split("#")[0] for target in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in target]
    assert [target for target in targets if target and not (page.parent / target).exists()] == []
