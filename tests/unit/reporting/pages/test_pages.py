"""The pages as text: one file, a strict policy whose hashes are right, and data that is never
markup."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

import pytest_replicant
from pytest_replicant.reporting.pages import page

from ..factory import HOSTILE, hostile_trace, tiny_trace
from .written import hash_of, pages_of, policy_of


class Outline(HTMLParser):
    """The elements of a page with their attributes, and the text inside scripts, styles and the
    title, by id where they have one."""

    def __init__(self) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.key = ""
        self.texts: dict[str, str] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag in ("script", "style", "title"):
            self.key = dict(attrs).get("id") or tag
            self.texts[self.key] = ""

    def handle_endtag(self, tag: str) -> None:
        self.key = ""

    def handle_data(self, data: str) -> None:
        if self.key:
            self.texts[self.key] += data


def _parsed(page: str) -> Outline:
    outline = Outline()
    outline.feed(page)
    outline.close()
    return outline


def _pages(text: str | None, folder: Path) -> tuple[str, str]:
    """Both pages over a trace that holds ``text`` wherever text can be; None for a plain one."""
    (page,) = pages_of(folder, tiny_trace("failed") if text is None else hostile_trace(text))
    index = folder / "run" / "index.html"
    return page.read_text(encoding="utf-8"), index.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_never_becomes_markup_and_is_itself_in_the_data(
    tmp_path: Path, name: str
) -> None:
    plain = _pages(None, tmp_path / "plain")
    trace_page, index_page = hostile = _pages(HOSTILE[name], tmp_path / "hostile")
    for calm, attacked in zip(plain, hostile, strict=True):
        assert _parsed(attacked).elements == _parsed(calm).elements
    data: Any = json.loads(_parsed(trace_page).texts["data"])
    assert data["trace"]["events"][1]["check"]["observed"] == HOSTILE[name]
    assert data["texts"][data["outlines"]["s1"]] == HOSTILE[name]
    rows: Any = json.loads(_parsed(index_page).texts["data"])
    assert rows["tests"][0]["nodeid"].endswith(f"[{HOSTILE[name]}]")


@pytest.mark.parametrize("which", [0, 1])
def test_a_page_asks_for_no_other_file_and_its_policy_allows_what_is_there(
    tmp_path: Path, which: int
) -> None:
    page = _pages(None, tmp_path)[which]
    outline = _parsed(page)
    assert not [
        tag
        for tag, attrs in outline.elements
        if {"src", "href", "style", "onload", "onclick"} & set(attrs)
    ]
    assert policy_of(page) == {
        "default-src": ["'none'"],
        "script-src": [hash_of(outline.texts["script"])],
        "style-src": [hash_of(outline.texts["style"])],
        "img-src": ["data:"],
        "base-uri": ["'none'"],
        "form-action": ["'none'"],
    }


SCRIPTS = {
    path.name: path.read_text("utf-8")
    for path in Path(pytest_replicant.__file__).parent.rglob("*.js")
}
OTHER_WAYS = re.compile(
    r"\.(?:append|prepend|before|after|replaceWith|replaceChildren|appendChild|insertBefore|"
    r"insertAdjacent\w+"
    r"|replaceChild)\(|\.(?:textContent|innerText|nodeValue) = |\$\{(?:el|shortened|named|chip|"
    r"badge|mark)\("
)


@pytest.mark.parametrize("name", sorted(SCRIPTS))
def test_our_scripts_write_text_only(name: str) -> None:
    forbidden = (
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function|</script|"
        r"<!--"
    )
    assert re.findall(forbidden, SCRIPTS[name]) == []
    assert len(SCRIPTS[name].splitlines()) <= 400


@pytest.mark.parametrize("name", sorted(SCRIPTS.keys() - {"elements.js", "unpack.js"}))
def test_our_scripts_add_to_a_page_in_one_way(name: str) -> None:
    """By the functions of ``elements.js``: those of the browser write a missing value as a word.
    What unpacks a page comes before that script."""
    assert OTHER_WAYS.findall(SCRIPTS[name]) == []


def test_assets_end_their_lines_alike() -> None:
    # A browser hashes after turning CRLF into LF: a carriage return would break every page.
    assets = Path(page.__file__).parent / "assets"
    assert [path.name for path in assets.iterdir() if b"\r" in path.read_bytes()] == []
