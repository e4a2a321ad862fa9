"""The reference page of selectors: its table, its errors and its proposals are what comes out."""

from __future__ import annotations

import doctest
import re
from pathlib import Path
from typing import Any

import pytest

from pytest_replicant.model import SELECTOR_KEYWORDS, Selector, by
from pytest_replicant.snapshots import Snapshot

PAGE = Path(__file__).parents[3] / "docs" / "reference" / "selectors.md"
TEXT = PAGE.read_text(encoding="utf-8")
ROWS = re.findall(r"^\| `(\w+)` \| .*? \| `(by\(.*\))` \| (.*?) \|$", TEXT, re.MULTILINE)
REF = re.compile(r"\[[a-z]\d{3,15}\]")


@pytest.fixture
def snapshot() -> Snapshot:
    found = re.search(r"```xml\n(.*?)```", TEXT, re.DOTALL)
    assert found is not None
    return Snapshot.parse(found[1])


def test_every_keyword_has_its_row() -> None:
    assert [name for name, _, _ in ROWS] == list(Selector.__dataclass_fields__)
    assert {name for name, _, _ in ROWS} == SELECTOR_KEYWORDS
    assert [name for name, code, _ in ROWS if f"{name}=" not in code] == []


@pytest.mark.parametrize(("name", "code", "label"), ROWS)
def test_the_example_finds_what_the_table_says(
    snapshot: Snapshot, name: str, code: str, label: str
) -> None:
    (found,) = snapshot.match(eval(code, {"by": by}))
    assert found.label == label


class SameButRefs(doctest.OutputChecker):
    """Refs are digests, which a page need not know by heart."""

    def check_output(self, want: str, got: str, optionflags: int) -> bool:
        return super().check_output(REF.sub("[ref]", want), REF.sub("[ref]", got), optionflags)


@pytest.mark.parametrize("number", range(TEXT.count("```pycon")))
def test_what_is_shown_is_what_comes_out(snapshot: Snapshot, number: int) -> None:
    blocks = re.findall(r"```pycon\n(.*?)```", TEXT, re.DOTALL)
    names: dict[str, Any] = {"snapshot": snapshot, "by": by}
    test = doctest.DocTestParser().get_doctest(blocks[number], names, PAGE.name, str(PAGE), 0)
    message: list[str] = []
    result = doctest.DocTestRunner(SameButRefs()).run(test, out=message.append)
    assert result.failed == 0, "".join(message)
    assert result.attempted > 0
