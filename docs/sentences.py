"""``python -m docs.sentences [N]``: the length of sentences, page by page, and the N longest with their places.

Counted are the README, CONTRIBUTING and all of ``docs/``, with the pages that docstrings become. A paragraph, an
item of a list and a cell of a table each stand alone. A sentence ends at a full stop, question mark or exclamation
mark before the beginning of another, and at the end of its paragraph, item or cell. A span of code is one word. So
is any other run of characters that holds a letter or digit. Headings and blocks of code are not counted, nor are
the figures that a command writes between ``<!-- figures NAME -->`` and ``<!-- end -->``.

A sentence has at most 30 words, and those of a page 15 on average. What ends without a full stop or
a colon, such as most cells, is a fragment. It may have no more than 30 words either, and counts for no average.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
MOST_WORDS, MOST_ON_AVERAGE = 30, 15

_ITEM = re.compile(r"(?:[-*]|\d+\.) ")
_CELLS = re.compile(r"(?<!\\)\|")
_CODE = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)", re.DOTALL)
_LINK = re.compile(r"\]\([^)]*\)")
_END = re.compile(r"(?<=[.!?])[)\"”*_\]]*\s+(?=[\[(\"“]*(?:\*+|[^\W_a-z]))")
_WHOLE = re.compile(r"[.!?:][)\"”*_\]]*$")


class Sentence(NamedTuple):
    """``line`` counts from one; ``whole`` is false for a fragment."""

    page: str
    line: int
    words: int
    text: str
    whole: bool

    def __str__(self) -> str:
        return f"{self.page}:{self.line}: {self.words} words: {self.text}"


def pages(root: Path = ROOT) -> list[Path]:
    return [root / "README.md", root / "CONTRIBUTING.md", *sorted((root / "docs").rglob("*.md"))]


def blocks(text: str) -> Iterator[tuple[int, str]]:
    """Each paragraph, item and cell: its first line, and its text."""
    kept: list[str] = []
    hidden_until = ""
    for number, line in enumerate([*text.splitlines(), ""], 1):
        bare = line.strip()
        hides, ends = bool(hidden_until), hidden_until and hidden_until in bare
        if not hides and bare.startswith(("```", "<!-- figures")):
            hides, hidden_until = True, "```" if bare[0] == "`" else "<!-- end -->"
        elif ends:
            hidden_until = ""
        alone = hides or not bare or bare.startswith(("#", "|", "<!--"))
        if kept and (alone or _ITEM.match(bare)):
            yield number - len(kept), "\n".join(kept)
            kept = []
        if not alone:
            kept.append(line)
        elif bare.startswith("|") and not hides:
            yield from ((number, cell) for cell in _CELLS.split(bare) if cell.strip(" -:"))


def sentences(text: str, page: str = "") -> Iterator[Sentence]:
    for first, block in blocks(text):
        plain = _LINK.sub("]", _CODE.sub(lambda code: "X" + "\n" * code[0].count("\n"), block))
        at = 0
        for end in [*_END.finditer(plain), None]:
            part = plain[at : end.start() if end else len(plain)]
            words = [word for word in part.split() if re.search(r"\w", word) and not _ITEM.fullmatch(f"{word} ")]
            if words:
                line = first + plain[:at].count("\n")
                whole = bool(end or _WHOLE.search(part.strip()))
                yield Sentence(page, line, len(words), " ".join(part.split()), whole)
            at = end.end() if end else at


def average(found: Sequence[Sentence]) -> float:
    """Words for each whole sentence; 0.0 where there is none."""
    whole = [each.words for each in found if each.whole]
    return sum(whole) / len(whole) if whole else 0.0


def faults(found: Sequence[Sentence]) -> list[str]:
    """The long parts of a page: its sentences, and their average."""
    lines = [str(each) for each in found if each.words > MOST_WORDS]
    if (mean := average(found)) > MOST_ON_AVERAGE:
        lines.append(f"{found[0].page}: {mean:.1f} words a sentence, more than {MOST_ON_AVERAGE}")
    return lines


def main(arguments: Sequence[str]) -> int:
    """0 where every page is as short as it should be, else 1."""
    most = int(arguments[0]) if arguments else 10
    by_page = {
        page.relative_to(ROOT).as_posix(): [
            *sentences(page.read_text(encoding="utf-8"), page.relative_to(ROOT).as_posix())
        ]
        for page in pages()
    }
    every = [each for found in by_page.values() for each in found]
    out = sys.stdout.write
    for page, found in by_page.items():
        longest = max((each.words for each in found), default=0)
        above = sum(each.words > MOST_WORDS for each in found)
        words = sum(each.words for each in found)
        out(f"{page:45} {words:6} words {average(found):5.1f} {longest:4} {above or '':>4}\n")
    for each in sorted(every, key=lambda each: -each.words)[:most]:
        out(f"{each}\n")
    out(f"{len(every)} sentences and fragments, {average(every):.1f} words a sentence\n")
    return 1 if any(faults(found) for found in by_page.values()) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
