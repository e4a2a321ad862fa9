"""The pages as text: one file, a strict policy whose hashes are right, and data that is never markup."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

import pytest_replicant
from pytest_replicant.reporting.pages import page

from ..factory import HOSTILE, hostile_trace, tiny_trace
from .written import pages_of


class Outline(HTMLParser):
    """The elements of a page with their attributes, and the text inside scripts, styles and the title, by id where
    they have one."""

    def __init__(self) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.inside: list[str] = []
        self.key = ""
        self.texts: dict[str, str] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self.inside.append(tag)
        if tag in ("script", "style", "title"):
            self.key = dict(attrs).get("id") or tag
            self.texts[self.key] = ""

    def handle_endtag(self, tag: str) -> None:
        if tag in self.inside:
            del self.inside[len(self.inside) - 1 - self.inside[::-1].index(tag) :]

    def handle_data(self, data: str) -> None:
        if self.inside and self.inside[-1] in ("script", "style", "title"):
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
def test_hostile_text_never_becomes_markup(tmp_path: Path, name: str) -> None:
    plain = _pages(None, tmp_path / "plain")
    hostile = _pages(HOSTILE[name], tmp_path / "hostile")
    for calm, attacked in zip(plain, hostile, strict=True):
        assert _parsed(attacked).elements == _parsed(calm).elements


@pytest.mark.parametrize("name", HOSTILE)
def test_the_data_in_the_page_is_the_text_itself(tmp_path: Path, name: str) -> None:
    trace_page, index_page = _pages(HOSTILE[name], tmp_path)
    data: Any = json.loads(_parsed(trace_page).texts["data"])
    assert data["trace"]["events"][1]["check"]["observed"] == HOSTILE[name]
    assert data["texts"][data["outlines"]["s1"]] == HOSTILE[name]
    rows: Any = json.loads(_parsed(index_page).texts["data"])
    assert rows["tests"][0]["nodeid"].endswith(f"[{HOSTILE[name]}]")


@pytest.mark.parametrize("which", [0, 1])
def test_the_policy_allows_what_is_there_and_nothing_else(tmp_path: Path, which: int) -> None:
    outline = _parsed(_pages(None, tmp_path)[which])
    policies = [attrs["content"] for tag, attrs in outline.elements if attrs.get("http-equiv")]
    assert len(policies) == 1
    policy = dict(rule.split(maxsplit=1) for rule in str(policies[0]).split("; "))
    assert policy["default-src"] == "'none'"
    assert policy["img-src"] == "data:"
    assert policy["base-uri"] == policy["form-action"] == "'none'"
    assert policy["script-src"] == _hash(outline.texts["script"])
    assert policy["style-src"] == _hash(outline.texts["style"])
    assert "unsafe" not in str(policies[0])


def _hash(text: str) -> str:
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


@pytest.mark.parametrize("which", [0, 1])
def test_a_page_asks_for_no_other_file(tmp_path: Path, which: int) -> None:
    outline = _parsed(_pages(None, tmp_path)[which])
    asked = [attrs for _, attrs in outline.elements if {"src", "href", "style", "onload", "onclick"} & set(attrs)]
    assert asked == []


SCRIPTS = {path.name: path.read_text("utf-8") for path in Path(pytest_replicant.__file__).parent.rglob("*.js")}
OTHER_WAYS = re.compile(
    r"\.(?:append|prepend|before|after|replaceWith|replaceChildren|appendChild|insertBefore|insertAdjacent\w+"
    r"|replaceChild)\(|\.(?:textContent|innerText|nodeValue) = |\$\{(?:el|shortened|named|chip|badge|mark)\("
)


@pytest.mark.parametrize("name", sorted(SCRIPTS))
def test_our_scripts_write_text_only(name: str) -> None:
    forbidden = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function|</script|<!--"
    assert re.findall(forbidden, SCRIPTS[name]) == []
    assert len(SCRIPTS[name].splitlines()) <= 400


@pytest.mark.parametrize("name", sorted(SCRIPTS.keys() - {"elements.js", "unpack.js"}))
def test_our_scripts_add_to_a_page_in_one_way(name: str) -> None:
    """By the functions of ``elements.js``: those of the browser write a missing value as a word. What unpacks a
    page comes before that script."""
    assert OTHER_WAYS.findall(SCRIPTS[name]) == []


def test_another_way_to_add_to_a_page_is_found() -> None:
    ways = (
        "list.append(row)",
        "place.prepend(a, null)",
        "button.textContent = words",
        "row.replaceWith(...rows)",
        "`in ${shortened(line)}`",
    )
    assert all(map(OTHER_WAYS.search, ways))
    assert not OTHER_WAYS.search("append(list, link.textContent === '')")
    assert len(OTHER_WAYS.findall(SCRIPTS["elements.js"])) == 4


def test_assets_end_their_lines_alike() -> None:
    # A browser hashes after turning CRLF into LF: a carriage return would break every page.
    assets = Path(page.__file__).parent / "assets"
    assert [path.name for path in assets.iterdir() if b"\r" in path.read_bytes()] == []
