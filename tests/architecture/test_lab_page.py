"""The lab's page says what the lab says."""

from __future__ import annotations

import re
import runpy

import pytest

from tests.conftest import Run

from .source_tree import ROOT

PAGE = ROOT / "docs" / "reference" / "lab.md"


def test_the_page_is_what_the_docstrings_make() -> None:
    made = runpy.run_path(str(ROOT / "docs" / "generate_lab.py"))["page"]()
    assert PAGE.read_text(encoding="utf-8") == made, "run `python docs/generate_lab.py`"


def test_each_exhibit_has_a_section_and_each_link_on_the_page_one_to_go_to() -> None:
    text = PAGE.read_text(encoding="utf-8")
    anchors = {title.lower().replace(" ", "-") for title in re.findall(r"^### (.+)$", text, re.MULTILINE)}
    linked = set(re.findall(r"\]\(#([^)]+)\)", text))
    assert linked == anchors
    assert len(anchors) > 50


@pytest.mark.slow
def test_the_example_on_the_page_passes(run: Run) -> None:
    found = re.search(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    run(found[1]).assert_outcomes(passed=1)
