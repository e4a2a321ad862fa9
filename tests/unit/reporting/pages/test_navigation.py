"""Links between the pages of a run: written when it ends, into room that each page has for them."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest

from pytest_replicant.model import grouped
from pytest_replicant.reporting import link_pages
from pytest_replicant.reporting.pages.index_page import ROOM, links_of

from ..factory import HOSTILE, tiny_trace
from .written import page_of, pages_of

if TYPE_CHECKING:
    from pathlib import Path


FIRST = tiny_trace("failed", "t.py::first")


def row(
    test: str, outcome: str = "passed", attempt: int = 0, step: str = "", phone: int = 1
) -> dict[str, Any]:
    nodeid = f"t.py::{test}" + (f" (phone {phone})" if phone > 1 else "")
    cause = {"step": step} if outcome == "failed" else None
    known = {
        "nodeid": nodeid,
        "attempt": attempt,
        "outcome": outcome,
        "device": "P",
        "cause": cause,
    }
    return {**known, "trace": f"{test}-{attempt}-{phone}/trace.html"}


def document(rows: list[dict[str, Any]], causes: list[list[int]]) -> dict[str, Any]:
    by_name = grouped((row["nodeid"].partition(" ")[0], at) for at, row in enumerate(rows))
    results = [
        {"nodeid": name, "outcome": rows[at[-1]]["outcome"], "attempts": at}
        for name, at in by_name.items()
    ]
    return {"tests": rows, "results": results, "causes": [{"tests": tests} for tests in causes]}


def test_failures_follow_one_another_in_the_order_of_their_causes() -> None:
    rows = [
        row("a", "failed", step="a1"),
        row("b"),
        row("c", "failed", step="a2"),
        row("d", "failed", step="a3"),
    ]
    links = links_of(document(rows, [[2, 3], [0]]))
    walked, page = [], "c-0-1/trace.html"
    while page:
        own = links[page]
        walked.append((page[0], own["at"], own["of"]))
        page = own["next"]["trace"].removeprefix("../") if "next" in own else ""
    assert walked == [("c", 1, 3), ("d", 2, 3), ("a", 3, 3)]
    assert links["d-0-1/trace.html"]["before"] | {"device": ""} == {
        "attempt": 0, "outcome": "failed", "device": "", "trace": "../c-0-1/trace.html",
        "step": "a2", "name": "c",
    }  # fmt: skip
    assert links["b-0-1/trace.html"] == {"index": "../index.html"}, (
        "of a pass there is no next failure"
    )


def test_attempts_and_phones_of_a_test_lead_to_each_other() -> None:
    rows = [row("a", "failed", step="a1"), row("a", attempt=1), row("b"), row("b", phone=2)]
    links = links_of(document(rows, [[0]]))
    pages = [one["trace"] for one in links["a-1-1/trace.html"]["pages"]]
    assert pages == ["../a-0-1/trace.html", "../a-1-1/trace.html"]
    assert [links[f"{page}/trace.html"]["here"] for page in ("a-1-1", "b-0-1", "b-0-2")] == [
        1,
        0,
        1,
    ]


def test_of_two_phones_the_one_that_failed_is_the_next_failure() -> None:
    rows = [
        row("a", "failed", step="a1"),
        row("b", "failed"),
        row("b", "failed", step="a7", phone=2),
    ]
    links = links_of(document(rows, [[0, 1, 2]]))
    assert links["a-0-1/trace.html"]["next"]["trace"] == "../b-0-2/trace.html"
    assert links["b-0-1/trace.html"]["at"] == links["b-0-2/trace.html"]["at"] == 2


def test_a_test_leads_to_itself_on_the_other_phones_of_a_matrix() -> None:
    red, other, blue, two = names = [
        "a[virtual-red]",
        "a[virtual-ios-red]",
        "a[virtual-blue]",
        "b[virtual-2]",
    ]
    rows = [row(name) | {"phone": "virtual:ios" if name == other else "virtual"} for name in names]
    links = links_of(document(rows, []))
    found = {
        name: [one["trace"] for one in links[f"{name}-0-1/trace.html"].get("phones", [])]
        for name in names
    }
    assert found == {
        red: [f"../{other}-0-1/trace.html"],
        other: [f"../{red}-0-1/trace.html"],
        blue: [],
        two: [],
    }


def links_in(page: Path) -> dict[str, Any]:
    found = re.search(
        r'<script type="application/json" id="nav">(.*?)</script>', page.read_text(encoding="utf-8")
    )
    assert found is not None
    links: dict[str, Any] = json.loads(found[1])
    return links


@pytest.mark.parametrize("name", ["plain", *HOSTILE])
def test_links_are_written_into_the_page_and_nothing_else_of_it_changes(
    tmp_path: Path, name: str
) -> None:
    second = HOSTILE.get(name, name)
    page, _ = pages_of(tmp_path, FIRST, tiny_trace("error", f"t.py::{second}"))
    linked = page.read_bytes()
    assert links_in(page)["next"]["name"] == second.rpartition("::")[2][:60]
    page_of(FIRST, tmp_path)
    bare = page.read_bytes()
    assert len(linked) == len(bare)
    begin, end = bare.index(b'id="nav">') + 9, bare.index(b"</script>")
    assert bare[begin:end] == b"{}".ljust(ROOM)
    assert (linked[:begin], linked[end:]) == (bare[:begin], bare[end:])


def test_links_without_room_are_left_out(tmp_path: Path) -> None:
    (page,) = pages_of(tmp_path, FIRST)
    first = row("a", "failed") | {
        "trace": page.relative_to(tmp_path / "run").as_posix(),
        "rerun": "pytest x",
    }
    before = page.read_bytes()
    link_pages(
        document([first, row("a", attempt=1) | {"device": "P" * 5_000}], [[0]]), tmp_path / "run"
    )
    assert page.read_bytes() == before
    first["rerun"] = "pytest " + "x" * 5_000
    link_pages(document([first], [[0]]), tmp_path / "run")
    assert links_in(page) == {"index": "../index.html", "at": 1, "of": 1}


@pytest.mark.parametrize("path", ["../run/{0}", "{0}/../{0}", "/etc/trace.html", "x/trace.htm"])
def test_only_pages_of_the_run_itself_are_touched(tmp_path: Path, path: str) -> None:
    (page,) = pages_of(tmp_path, FIRST)
    before = page.read_bytes()
    other = path.format(page.relative_to(tmp_path / "run").as_posix())
    link_pages(document([row("other") | {"trace": other}], []), tmp_path / "run")
    assert page.read_bytes() == before


@pytest.mark.parametrize(
    "text", ["", "<html>", '<script type="application/json" id="nav">', "x" * 9_000]
)
def test_a_file_that_is_no_page_of_ours_stays_as_it_is(tmp_path: Path, text: str) -> None:
    (tmp_path / "a-0-1").mkdir()
    page = tmp_path / "a-0-1" / "trace.html"
    page.write_text(text)
    link_pages(document([row("a")], []), tmp_path)
    assert page.read_text() == text
