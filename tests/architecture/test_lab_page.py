"""The lab's page is complete, and its example passes."""

from __future__ import annotations

import re

import pytest

from tests.conftest import Run

from .source_tree import ROOT

PAGE = ROOT / "docs" / "reference" / "lab.md"


def test_each_exhibit_has_a_section_and_each_link_on_the_page_one_to_go_to() -> None:
    text = PAGE.read_text(encoding="utf-8")
    anchors = {title.lower().replace(" ", "-") for title in re.findall(r"^### (.+)$", text, re.MULTILINE)}
    linked = set(re.findall(r"\]\(#([^)]+)\)", text))
    assert linked <= anchors
    assert len(anchors) > 50


@pytest.mark.slow
def test_the_example_on_the_page_passes(run: Run) -> None:
    found = re.search(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    run(found[1]).assert_outcomes(passed=1)
