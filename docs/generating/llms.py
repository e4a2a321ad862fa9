"""``llms.txt``, for language models: every page that ``docs/README.md`` lists, in one line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
FILE = ROOT / "llms.txt"
PAGE_LIST = ROOT / "docs" / "README.md"
MOST = 160
"""Characters of the sentence about a page."""
_LINK = re.compile(r"\[(?P<title>[^\]]+)\]\((?P<path>[^)#\s]+)\)")
_HEAD = """\
# pytest-replicant

> {summary}

Each page is a Markdown file. `replicant skill` prints how a coding agent explores an app and saves a test.
"""


def page() -> str:
    """The whole file."""
    parts = [_HEAD.format(summary=first_words(ROOT / "README.md"))]
    for section in PAGE_LIST.read_text(encoding="utf-8").split("\n## ")[1:]:
        title, _, text = section.partition("\n")
        lines = [_line(found["title"], found["path"]) for found in _LINK.finditer(text)]
        parts.append("\n".join([f"## {title}", "", *lines, ""]))
    return "\n".join(parts)


def _line(title: str, link: str) -> str:
    path = (PAGE_LIST.parent / link).resolve()
    name = title if title[1:2].isupper() else title[0].upper() + title[1:]  # iOS stays
    return f"- [{name}]({path.relative_to(ROOT).as_posix()}): {first_words(path)}"


def first_words(path: Path) -> str:
    """The first sentence of a page, as plain text, at most ``MOST`` characters; its heading if it
    has none."""
    text = path.read_text(encoding="utf-8")
    sentence = next(_sentences(text), text.partition("\n")[0].lstrip("# "))
    return (
        sentence
        if len(sentence) <= MOST
        else f"{sentence[: MOST - 1].rsplit(' ', 1)[0].rstrip(',;:')}…"
    )


def _sentences(text: str) -> Iterator[str]:
    """The first one of each paragraph that is prose."""
    for block in re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE).split("\n\n"):
        if not re.match(
            r"[A-Z`*\[]", block.lstrip()
        ):  # a heading, a list, a table, or the rest of a sentence
            continue
        plain = re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", " ".join(block.split())).replace("**", "")
        yield re.split(r"(?<=[.!?:]) (?=[A-Z`])", plain)[0].rstrip(":.") + "."
