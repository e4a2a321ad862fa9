"""Links between the pages of a run: written when it ends, into room that each page has for them."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest

from pytest_replicant.reporting.pages.index_page import ROOM, link_pages, links_of

from ..factory import HOSTILE, tiny_trace
from .written import page_of, pages_of

if TYPE_CHECKING:
    from pathlib import Path


FIRST = tiny_trace("failed", "t.py::first")


def row(test: str, outcome: str = "passed", attempt: int = 0, step: str = "", phone: int = 1) -> dict[str, Any]:
    nodeid = f"t.py::{test}" + (f" (phone {phone})" if phone > 1 else "")
    trace = f"{test}-{attempt}-{phone}/trace.html"
    cause = {"step": step} if outcome == "failed" else None
    return {
        "nodeid": nodeid,
        "attempt": attempt,
        "outcome": outcome,
        "device": "P",
        "trace": trace,
        "cause": cause,
    }


def document(rows: list[dict[str, Any]], causes: list[list[int]]) -> dict[str, Any]:
    names = [row["nodeid"].partition(" ")[0] for row in rows]
    results = [
        {
            "nodeid": name,
            "outcome": rows[len(names) - 1 - names[::-1].index(name)]["outcome"],
            "attempts": [at for at, one in enumerate(names) if one == name],
        }
        for name in dict.fromkeys(names)
    ]
    return {"tests": rows, "results": results, "causes": [{"tests": tests} for tests in causes]}


def test_a_page_of_a_replay_leads_to_the_recorded_one() -> None:
    known = document([row("a", "diverged"), row("b", "skipped")], [])
    ended = {
        "nodeid": "t.py::a",
        "wanted": "reproduced",
        "sentence": "at step 1",
        "recorded": "../run/a/trace.html",
    }
    links = links_of({**known, "replay": {"run": "run", "tests": [ended]}})
    assert links["a-0-1/trace.html"]["replay"] == {
        "run": "run", "wanted": "reproduced", "sentence": "at step 1", "recorded": "../../run/a/trace.html",
    }  # fmt: skip
    assert "replay" not in links["b-0-1/trace.html"]
    assert not any("replay" in one for one in links_of(known).values())


def test_failures_follow_one_another_in_the_order_of_their_causes() -> None:
    rows = [row("a", "failed", step="a1"), row("b"), row("c", "failed", step="a2"), row("d", "failed", step="a3")]
    links = links_of(document(rows, [[2, 3], [0]]))
    walked, page = [], "c-0-1/trace.html"
    while page:
        own = links[page]
        walked.append((page[0], own["at"], own["of"]))
        page = own["next"]["trace"].removeprefix("../") if "next" in own else ""
    assert walked == [("c", 1, 3), ("d", 2, 3), ("a", 3, 3)]
    assert links["d-0-1/trace.html"]["before"] | {"device": ""} == {
        "attempt": 0, "outcome": "failed", "device": "", "trace": "../c-0-1/trace.html", "step": "a2", "name": "c",
    }  # fmt: skip
    assert links["b-0-1/trace.html"] == {"index": "../index.html"}, "of a pass there is no next failure"


def test_attempts_and_phones_of_a_test_lead_to_each_other() -> None:
    rows = [row("a", "failed", step="a1"), row("a", attempt=1), row("b"), row("b", phone=2)]
    links = links_of(document(rows, [[0]]))
    assert [one["trace"] for one in links["a-1-1/trace.html"]["pages"]] == [
        "../a-0-1/trace.html",
        "../a-1-1/trace.html",
    ]
    assert links["a-1-1/trace.html"]["here"] == 1
    assert [links[f"b-0-{phone}/trace.html"]["here"] for phone in (1, 2)] == [0, 1]


def test_of_two_phones_the_one_that_failed_is_the_next_failure() -> None:
    rows = [row("a", "failed", step="a1"), row("b", "failed"), row("b", "failed", step="a7", phone=2)]
    links = links_of(document(rows, [[0, 1, 2]]))
    assert links["a-0-1/trace.html"]["next"]["trace"] == "../b-0-2/trace.html"
    assert links["b-0-1/trace.html"]["at"] == links["b-0-2/trace.html"]["at"] == 2


def test_a_test_leads_to_itself_on_the_other_phones_of_a_matrix() -> None:
    names = ["a[virtual-red]", "a[virtual-ios-red]", "a[virtual-blue]", "b[virtual-2]", "b[virtual]"]
    phones = ["virtual", "virtual:ios", "virtual", "virtual", "virtual"]
    rows = [row(name) | {"phone": phone} for name, phone in zip(names, phones, strict=True)]
    links = links_of(document(rows, []))
    found = {name: [one["trace"] for one in links[f"{name}-0-1/trace.html"].get("phones", [])] for name in names}
    assert found == {
        **{name: [] for name in names},
        names[0]: [f"../{names[1]}-0-1/trace.html"],
        names[1]: [f"../{names[0]}-0-1/trace.html"],
    }


def links_in(page: Path) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="nav">(.*?)</script>', page.read_text(encoding="utf-8"))
    assert found is not None
    links: dict[str, Any] = json.loads(found[1])
    return links


@pytest.mark.parametrize("name", ["plain", *HOSTILE])
def test_links_are_written_into_the_page_and_nothing_else_of_it_changes(tmp_path: Path, name: str) -> None:
    second = HOSTILE.get(name, name)
    page, _ = pages_of(tmp_path, FIRST, tiny_trace("error", f"t.py::{second}"))
    linked = page.read_bytes()
    assert links_in(page)["next"]["name"] == second.rpartition("::")[2][:120] or name == "long"
    page_of(FIRST, tmp_path)
    bare = page.read_bytes()
    assert len(linked) == len(bare)
    begin, end = bare.index(b'id="nav">') + 9, bare.index(b"</script>")
    assert bare[begin:end] == b"{}".ljust(ROOM)
    assert (linked[:begin], linked[end:]) == (bare[:begin], bare[end:])


def test_links_without_room_are_left_out(tmp_path: Path) -> None:
    (page,) = pages_of(tmp_path, FIRST)
    mine = page.relative_to(tmp_path / "run").as_posix()
    rows = [
        row("a", "failed") | {"trace": mine, "rerun": "pytest x"},
        row("a", attempt=1) | {"device": "P" * 5_000},
    ]
    before = page.read_bytes()
    link_pages(document(rows, [[0]]), tmp_path / "run")
    assert page.read_bytes() == before
    rows[0]["rerun"] = "pytest " + "x" * 5_000
    del rows[1]
    link_pages(document(rows, [[0]]), tmp_path / "run")
    assert links_in(page) == {"index": "../index.html", "at": 1, "of": 1}


@pytest.mark.parametrize("path", ["../run/{}", "{}/../{}", "/etc/trace.html", "x/trace.htm"])
def test_only_pages_of_the_run_itself_are_touched(tmp_path: Path, path: str) -> None:
    (page,) = pages_of(tmp_path, FIRST)
    before = page.read_bytes()
    mine = page.relative_to(tmp_path / "run").as_posix()
    link_pages(document([row("other") | {"trace": path.format(mine, mine)}], []), tmp_path / "run")
    assert page.read_bytes() == before


def test_a_file_that_is_no_page_of_ours_stays_as_it_is(tmp_path: Path) -> None:
    for text in ("", "<html>", '<script type="application/json" id="nav">', "x" * 9_000):
        (tmp_path / "a-0-1").mkdir(exist_ok=True)
        page = tmp_path / "a-0-1" / "trace.html"
        page.write_text(text)
        link_pages(document([row("a")], []), tmp_path)
        assert page.read_text() == text
