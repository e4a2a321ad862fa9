"""Errors beside lines: few, escaped, and every cause among them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_replicant.reporting.github import ANNOTATIONS, defused, error_commands
from tests.unit.reporting.factory import HOSTILE
from tests.unit.reporting.made_rows import row, run


def test_every_cause_comes_before_a_second_test_of_one() -> None:
    many = [row(f"many{number}", "failed", "no button", at="steps.py:3") for number in range(30)]
    commands = error_commands(run(*many, row("other", "error", "no cart")))
    assert len(commands) == ANNOTATIONS
    assert "tests/many0.py::" in commands[0]
    assert "tests/other.py::" in commands[1]


def test_an_error_names_its_line_from_the_root_of_the_repository() -> None:
    (command,) = error_commands(run(row("a", "failed", "100% of it: a, b")), "apps/shop/")
    assert command == (
        "::error file=apps/shop/tests/a.py,line=7,title=failed%3A TestError"
        "::tests/a.py::test_it: 100%25 of it: a, b"
    )


def test_a_file_is_named_where_no_line_is_known() -> None:
    died = replace(row("a", "error", "died"), location="tests/a.py")
    assert died.cause is not None
    (command,) = error_commands(run(replace(died, cause=replace(died.cause, source="tests/a.py"))))
    assert command.startswith("::error file=tests/a.py,title=")


def test_what_passed_when_it_was_run_again_is_no_error() -> None:
    assert error_commands(run(row("a", "failed", "late"), row("a", attempt=1))) == []


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_is_one_line_and_no_command(name: str) -> None:
    (command,) = error_commands(run(row("a", "failed", f"##[warning]{HOSTILE[name]}\n::warning::x")))
    assert len(command.splitlines()) == 1
    assert "##[" not in command
    assert len(command) < 3_000


@pytest.mark.parametrize("line", ["::error::x", "  ::set-output name=a::b", "told ##[error]x", "\t::x"])
def test_lines_of_other_sections_are_none_either(line: str) -> None:
    shown = defused(line)
    assert not shown.strip().startswith("::")
    assert "##[" not in shown


def test_other_lines_stay_as_they_are() -> None:
    assert defused("tests/a.py::test_it failed") == "tests/a.py::test_it failed"
