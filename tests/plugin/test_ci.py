"""A run as a step of a GitHub workflow: its summary, its errors beside lines, and nothing an app
may command."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.conftest import Run, here_and_in_a_worker

pytestmark = [pytest.mark.slow, pytest.mark.thorough]

HOSTILE = "::error::owned ##[add-mask]x </pre></code> @everybody ``` | 100%"

SOURCE = f"""
def start(mobile):
    mobile.launch("dev.replicant.shop").expect_screen("Sign in")

def test_pass(mobile):
    start(mobile)

def test_hostile(mobile):
    start(mobile)
    raise AssertionError({HOSTILE!r})
"""


@pytest.fixture
def github(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The variables of a job whose repository is the folder above; returns where its summary is."""
    summary = pytester.path / "summary.md"
    for name, value in {
        "GITHUB_ACTIONS": "true",
        "GITHUB_STEP_SUMMARY": str(summary),
        "GITHUB_WORKSPACE": str(pytester.path.parent),
    }.items():
        monkeypatch.setenv(name, value)
    return summary


class Tags(HTMLParser):
    """The elements of a page, and the text in each kind of them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text: dict[str, list[str]] = {}
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.setdefault(self.open[-1] if self.open else "", []).append(data)


@here_and_in_a_worker
def test_the_summary_of_the_job(
    run: Run, pytester: pytest.Pytester, github: Path, workers: tuple[str, ...]
) -> None:
    github.write_text("# what another step wrote\n", "utf-8")
    run(SOURCE, "--replicant-output=out", *workers)
    page = github.read_text("utf-8")
    assert page.startswith(
        "# what another step wrote\n### replicant: 1 passed, 1 failed (1 cause)\n"
    )
    tags = Tags(page)
    assert tags.open == []
    (shown,) = ["".join(texts) for tag, texts in tags.text.items() if tag == "pre"]
    assert HOSTILE in shown
    assert "@" not in "".join(
        text for tag, texts in tags.text.items() if tag != "pre" for text in texts
    )
    assert "  open: out/" in shown
    assert shown.rstrip().splitlines()[-1].startswith("report: out/")


def test_errors_stand_beside_their_lines_and_nothing_else_is_a_command(
    run: Run, pytester: pytest.Pytester, github: Path
) -> None:
    result = run(SOURCE, "--replicant-output=out")
    section = (
        result.stdout.str().partition("-- replicant --")[2].partition("= short test summary")[0]
    )
    commands = [line for line in section.splitlines() if line.lstrip().startswith("::")]
    (file,) = pytester.path.glob("test_*.py")
    (command,) = commands
    assert command.startswith(
        f"::error file={pytester.path.name}/{file.name},line=9,title=failed%3A "
    )
    assert command.endswith(" 100%25")
    assert "##[" not in section
