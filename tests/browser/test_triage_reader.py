"""The reader of the triage tasks sees what a window shows, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.triage_tasks import read_index
from benchmarks.triage_tasks.reader import HEIGHT, WIDTH, Reader

from .chromium import Tab

pytestmark = [pytest.mark.browser, pytest.mark.slow]

CARD = '<details id="cause-{0}" {1}><summary>Cause {0}</summary>{2}<ol><li><div>{3}</div></li></ol></details>'
LINK = '<a href="trace.html?{0}">test_{0}</a>'


@pytest.fixture
def reader(tab: Tab) -> Reader:
    tab.resize(WIDTH, HEIGHT)
    return Reader(tab, ["one", "two"], lambda cause, text: f"the witness of {cause}" in text)


def written(folder: Path, body: str, name: str = "index.html") -> Path:
    page = folder / name
    page.write_text(f"<!doctype html><meta charset=utf-8><body style='margin: 8px'>{body}", "utf-8")
    return page


def test_a_page_without_the_witness_is_never_understood(reader: Reader, tmp_path: Path) -> None:
    reader.open(written(tmp_path, "<p>nothing</p>" * 100).as_uri())
    reader.read("it")
    assert (reader.found, reader.known) == ({}, {})
    assert reader.effort.scrolls > 2
    assert reader.effort.characters == len("nothing ")  # the same line is read once


@pytest.mark.parametrize(
    "hidden",
    [
        "<p style='display: none'>{}</p>",
        "<p style='visibility: hidden'>{}</p>",
        "<p style='opacity: 0'>{}</p>",
        "<details><summary>more</summary>{}</details>",
        "<div style='height: 20px; overflow: hidden'><p style='margin-top: 40px'>{}</p></div>",
        "<pre style='width: 300px; overflow: auto'>{:>200}</pre>",
        "<p style='position: absolute; left: -2000px'>{}</p>",
        "<p>{}</p><div style='position: absolute; inset: 0; background: white'>over it</div>",
    ],
)
def test_what_is_not_visible_is_not_read(reader: Reader, tmp_path: Path, hidden: str) -> None:
    reader.open(written(tmp_path, hidden.format("the witness of one")).as_uri())
    reader.read("it")
    assert reader.found == {}
    assert reader.tab.run("document.body.textContent.includes('the witness of one')")


def test_a_witness_below_the_window_costs_a_scroll_and_what_stands_before_it(
    reader: Reader, tmp_path: Path
) -> None:
    body = "<p>first <b>of</b> all</p><div style='height: 900px'></div><p>the witness\n of one</p><p>more</p>"
    reader.open(written(tmp_path, body).as_uri())
    reader.read("it")
    assert reader.found == {"it": "one"}
    assert (reader.effort.scrolls, reader.effort.clicks) == (1, 0)
    assert reader.effort.characters == len("first of all ") + len("the witness of one ")


def test_cards_are_unfolded_and_the_first_test_of_one_that_does_not_say_enough_is_opened(
    reader: Reader, tmp_path: Path
) -> None:
    cards = [
        CARD.format(1, "open", "the witness of two", LINK.format("a")),
        CARD.format(2, "", "no reason", LINK.format("b")),
        CARD.format(3, "", "no reason either", LINK.format("c")),
        CARD.format(4, "", "<details><summary>The screen</summary>the witness of one</details>", LINK.format("d")),
    ]
    written(tmp_path, "the witness of one", "trace.html")
    units = read_index(reader, written(tmp_path, f"<div id=causes>{''.join(cards)}</div>"))
    assert units == {f"test_{name}": f"cause-{number}" for number, name in enumerate("abcd", 1)}
    assert reader.found == {"cause-1": "two", "cause-2": "one", "cause-3": "one", "cause-4": "one"}
    assert [reader.known[cause].clicks for cause in ("two", "one")] == [0, 2]
    assert reader.effort.clicks == 8
