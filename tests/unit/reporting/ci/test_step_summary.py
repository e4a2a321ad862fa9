"""The summary of a job is never more than GitHub takes, and text in it is text."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

import pytest

from pytest_replicant.reporting.github import LIMIT, LISTED, append_summary, step_summary
from tests.unit.reporting.factory import HOSTILE
from tests.unit.reporting.made_rows import row, run

FOLDER = Path("out/run")


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


def words(number: int) -> str:
    """Another cause for each, however alike they may be otherwise."""
    return "".join(chr(ord("a") + int(digit)) * 3 for digit in str(number))


def test_counts_causes_and_flaky_tests() -> None:
    page = step_summary(
        run(
            row("a", "failed", "no button", trace="a/trace.html"),
            row("b", "infra", "no cable"),
            row("c", "failed", "late"),
            row("c", attempt=1),
            row("d"),
        ),
        FOLDER,
    )
    assert page.startswith("### replicant: 1 passed, 1 flaky, 1 failed, 1 infra (2 causes)\n")
    assert "<code>out/run/a/trace.html</code>" in page
    assert "<summary>1 flaky</summary>" in page
    assert "href" not in page


def test_a_green_run_has_no_table() -> None:
    page = step_summary(run(row("a")), None)
    assert "<table>" not in page
    assert "Report" not in page


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_stays_text(name: str) -> None:
    page = step_summary(run(row("a", "failed", HOSTILE[name] + " @everybody | ```")), FOLDER, "https://x/blob/1/")
    told = Open(page)
    assert told.open == []
    assert told.seen <= {"table", "tr", "th", "td", "code", "br", "a", "p"}
    assert "\n\n" not in page.partition("<table>")[2].partition("</table>")[0]
    assert not set(page) & {"\x00", "\x1b", "\u202e", "\u2066", "\u2028"}
    page.encode("utf-8")


def test_long_lists_are_cut() -> None:
    many = run(*(row(f"t{number}", "failed", words(number)) for number in range(LISTED + 7)))
    page = step_summary(many, FOLDER)
    assert page.count("<tr>") == LISTED + 2
    assert "and 7 more" in page


def test_what_does_not_fit_is_cut_between_rows(tmp_path: Path) -> None:
    path = tmp_path / "summary.md"
    path.write_text("x" * (LIMIT - 9_000), "utf-8")
    append_summary(
        str(path),
        step_summary(run(*(row(f"t{n}", "failed", words(n) * 30) for n in range(LISTED))), FOLDER),
    )
    page = path.read_text("utf-8")
    assert LIMIT - 9_000 < path.stat().st_size <= LIMIT
    assert Open(page).open == []
    assert "There is more in the report of the run." in page


def test_a_full_summary_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "summary.md"
    path.write_text("x" * LIMIT, "utf-8")
    append_summary(str(path), step_summary(run(row("a", "failed", "no button")), FOLDER))
    assert path.stat().st_size == LIMIT
