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
    assert [each.slug for each in all_exhibits() if f"| `lab://{each.slug}` |" not in text] == []


def test_an_activity_is_called_as_its_link() -> None:
    names = {
        each.activity: "".join(map(str.capitalize, each.slug.split("-"))) for each in all_exhibits()
    }
    assert [name for name, by_link in names.items() if name != f".{by_link}"] == []


@pytest.mark.slow
def test_the_example_on_the_page_passes(run: Run) -> None:
    found = re.search(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    run(found[1]).assert_outcomes(passed=1)
