"""The lab's page is complete, and its example passes."""

from __future__ import annotations

import re

import pytest

from pytest_replicant.virtual import all_exhibits
from tests.conftest import Run

from .source_tree import ROOT

PAGE = ROOT / "docs" / "reference" / "lab.md"


def test_each_exhibit_has_a_line() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert [
        each.slug for each in all_exhibits() if f"| `lab://{each.slug}`, `{each.activity}` |" not in text
    ] == []


@pytest.mark.slow
def test_the_example_on_the_page_passes(run: Run) -> None:
    found = re.search(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    run(found[1]).assert_outcomes(passed=1)
