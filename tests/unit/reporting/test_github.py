"""GitHub: the summary of a job is never more than it takes, and text in it is text; errors next to
lines are few, escaped, and every cause is among them."""

from __future__ import annotations

from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from pytest_replicant.kept_runs import PhoneCause
from pytest_replicant.reporting.github import (
    ANNOTATIONS,
    LIMIT,
    defused,
    error_commands,
    step_summary,
    summarize,
)
from tests.unit.reporting.factory import HOSTILE
from tests.unit.reporting.made_rows import replay, row, run


class Open(HTMLParser):
    """The elements that are never closed, and whether any is not of ours."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        self.open += [] if tag == "br" else [tag]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_it_has_the_counts_and_the_lines_of_the_terminal() -> None:
    ended = run(row("a", "failed", "no button"), row("b"))
    assert step_summary(ended, ["FAILED", "  open: a <b>"]) == (
        "### replicant: 1 passed, 1 failed (1 cause)\n\n<pre>\nFAILED\n  open: a "
        "&lt;b&gt;\n</pre>\n\n"
    )
    assert step_summary(run(row("b")), []) == "### replicant: 1 passed\n"


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_stays_text(name: str) -> None:
    parsed = Open(step_summary(run(row("a")), [HOSTILE[name], "</pre> @everybody | ```"]))
    assert (parsed.open, parsed.seen) == ([], {"pre"})


def test_what_does_not_fit_is_cut_between_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "summary.md"
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(path))
    path.write_text("x" * (LIMIT - 9_000), "utf-8")
    summarize(run(row("a")), ["& " * 100 for _ in range(100)])
    page = path.read_text("utf-8")
    assert LIMIT - 9_000 < path.stat().st_size <= LIMIT
    assert Open(page).open == []
    assert page.endswith("&amp; \n</pre>\n\nThere is more in the report of the run.\n\n")


def test_every_cause_comes_before_a_second_test_of_one() -> None:
    many = [row(f"many{number}", "failed", "no button", at="steps.py:3") for number in range(30)]
    commands = error_commands(run(*many, row("other", "error", "no cart")))
    assert len(commands) == ANNOTATIONS
    assert "tests/many0.py::" in commands[0]
    assert "tests/other.py::" in commands[1]


def test_an_error_names_its_line_from_the_root_of_the_repository() -> None:
    failed = row("a", "failed", "100% of it: a, b")
    (command,) = error_commands(run(failed), "apps/shop/")
    assert command == (
        "::error file=apps/shop/tests/a.py,line=7,title=failed%3A TestError"
        "::tests/a.py::test_it: 100%25 of it: a, b"
    )
    nowhere = row("a", "failed", "no", at="tests/a.py")
    (command,) = error_commands(run(replace(nowhere, location="tests/a.py")))
    assert command.startswith("::error file=tests/a.py,title="), (
        "a file alone where no line is known"
    )


def test_what_passed_when_it_was_run_again_is_no_error() -> None:
    assert error_commands(run(row("a", "failed", "late"), row("a", attempt=1))) == []


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_is_one_line_and_no_command(name: str) -> None:
    (command,) = error_commands(
        run(row("a", "failed", f"##[warning]{HOSTILE[name]}\n::warning::x"))
    )
    assert len(command.splitlines()) == 1
    assert "##[" not in command
    assert len(command) < 3_000


@pytest.mark.parametrize(
    "line", ["::error::x", "  ::set-output name=a::b", "said ##[error]x", "\t::x"]
)
def test_lines_of_other_sections_are_none_either(line: str) -> None:
    shown = defused(line)
    assert defused("tests/a.py::test_it failed") == "tests/a.py::test_it failed"
    assert not shown.strip().startswith("::")
    assert "##[" not in shown


def test_tool_trouble_says_what_became_of_the_phone_and_not_in_which_call() -> None:
    lost = row("a", "infra", "clearLastToast on virtual-1: closed. Check the cable.")
    cause = PhoneCause(exception="DeviceOffline", detail="closed")
    (command,) = error_commands(run(replace(lost, cause=cause)))
    assert "::tests/a.py::test_it: The phone went offline" in command
    assert "clearLastToast" not in command


@pytest.mark.parametrize("name", HOSTILE)
def test_of_a_replay_what_was_not_expected_is_an_error(name: str) -> None:
    ended = replay(
        ("a", "diverged", f"at step 2\n{HOSTILE[name]}"),
        ("b", "holds on the recording", "to step 1"),
    )
    (command,) = error_commands(ended)
    begin = "::error file=tests/a.py,line=7,title=diverged::tests/a.py::test_it: at step 2\\n"
    assert (command.startswith(begin), command.isprintable()) == (True, True)
