"""Pages that are made from the code's own words say what the code says now."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

from docs.generating import PAGES, session
from docs.generating.wording import markdown
from pytest_replicant.drivers import AppStatus, Key, Orientation, PermissionAnswer
from pytest_replicant.session import (
    Collected,
    DeviceSession,
    Expectation,
    Locator,
    Pulled,
    RecoveryContext,
    Scrolled,
)

SESSION = session.page()


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(
            path, marks=[pytest.mark.slow, pytest.mark.thorough] if path.name == "parity.md" else []
        )
        for path in PAGES
    ],
    ids=lambda path: path.name,
)
def test_a_page_is_what_the_docstrings_make(path: Path) -> None:
    assert path.read_text(encoding="utf-8") == PAGES[path](), (
        "run `make docs`, or `python -m docs.generating`"
    )


@pytest.mark.parametrize("owner", [DeviceSession, Expectation, Scrolled, RecoveryContext])
def test_all_that_a_test_may_call_is_on_the_page(owner: type) -> None:
    public = {name for name in dir(owner) if not name.startswith("_")}
    told = {name for group in session.GROUPS for name in group.entries()}
    assert public - told == set()


def test_nothing_else_is() -> None:
    owners = (DeviceSession, Locator, Expectation, Scrolled, Collected, RecoveryContext)
    public = {name for owner in owners for name in dir(owner)}
    assert {name for group in session.GROUPS for name in group.entries()} - public == set()


def test_everything_on_it_is_explained() -> None:
    silent = [
        f"{group.title}: {name}"
        for group in session.GROUPS
        for name, member in group.entries().items()
        if len(session.doc_of(member)) < 30
    ]
    assert silent == []


@pytest.mark.parametrize(
    ("verb", "values"),
    [
        ("press_key", get_args(Key)),
        ("rotate", get_args(Orientation)),
        ("answer_permission", get_args(PermissionAnswer)),
        ("expect_app", get_args(AppStatus)),
    ],
)
def test_what_a_verb_takes_is_said_in_full(verb: str, values: tuple[str, ...]) -> None:
    section = SESSION.split(f"\n### {verb}\n")[1].split("\n### ")[0]
    assert [value for value in values if f'"{value}"' not in section] == []


def test_what_pull_file_returns_is_told() -> None:
    assert "`data`" in SESSION.split("\n### pull_file\n")[1].split("\n## ")[0]
    assert hasattr(Pulled, "classify")


def test_a_docstring_becomes_markdown() -> None:
    doc = "What ``it`` does::\n\n    it()\n\nAnd more."
    assert markdown(doc) == "What `it` does:\n\n```python\nit()\n```\n\nAnd more.\n"
