"""``python -m docs.sentences [N]``: the length of sentences, page by page, the N longest with their
places, and words that no mainstream document uses, in pages and in docstrings.

Counted are the README, CONTRIBUTING and all of ``docs/``, with the pages that docstrings become. A
paragraph, an item of a list and a cell of a table each stand alone. A sentence ends at a full stop,
question mark or exclamation mark before the beginning of another, and at the end of its paragraph,
item or cell. A span of code is one word. So is any other run of characters that holds a letter or
digit. Headings and blocks of code are not counted.

A sentence has at most 30 words, and those of a page 15 on average. What ends without a full stop or
a colon, such as most cells, is a fragment. It may have no more than 30 words either, and counts for
no average.
"""

from __future__ import annotations

import ast
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
_UNUSUAL = re.compile(
    r"\b(?:whatever|whoever|whomever|where(?:of|in|upon)|there(?:of|in|upon)|here(?:of|in|upon)|"
    r"henceforth|hitherto"
    r"|anew|afresh|midst|upon|lest|beside|nobody|mend(?:s|ed|ing)?|told)\b"
    r"|where (?:none|nothing|no one|there (?:is|are))\b"
    r"|(?<!thing\s)(?<!one\s)(?<!body\s)(?<!all\s)(?<!no\s)"
    r"(?<!where\s)(?<!what\s)(?<!who\s)\belse(?=[.;:,)]|"
    r"$)",
    re.IGNORECASE,
)
"""Also "else" at the end of a clause for "otherwise", and "where none" and the like for "if"."""


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
    hides = False
    for number, line in enumerate([*text.splitlines(), ""], 1):
        bare = line.strip()
        fence = bare.startswith("```")
        hides = hides != fence
        alone = hides or fence or not bare or bare.startswith(("#", "|", "<!--"))
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
            words = [
                word
                for word in part.split()
                if re.search(r"\w", word) and not _ITEM.fullmatch(f"{word} ")
            ]
            if words:
                line = first + plain[:at].count("\n")
                whole = bool(end or _WHOLE.search(part.strip()))
                yield Sentence(page, line, len(words), " ".join(part.split()), whole)
            at = end.end() if end else at


def average(found: Sequence[Sentence]) -> float:
    """Words for each whole sentence; 0.0 if there is none."""
    whole = [each.words for each in found if each.whole]
    return sum(whole) / len(whole) if whole else 0.0


def faults(found: Sequence[Sentence]) -> list[str]:
    """The long parts of a page: its sentences, and their average."""
    lines = [str(each) for each in found if each.words > MOST_WORDS]
    if (mean := average(found)) > MOST_ON_AVERAGE:
        lines.append(f"{found[0].page}: {mean:.1f} words a sentence, more than {MOST_ON_AVERAGE}")
    return lines


def unusual(text: str, place: str = "") -> list[str]:
    """Each unusual word outside of code, with its place and what stands around it."""
    found = []
    for first, block in blocks(text):
        plain = _LINK.sub("]", _CODE.sub(lambda code: "X" + "\n" * code[0].count("\n"), block))
        for word in _UNUSUAL.finditer(plain):
            around = " ".join(plain[max(0, word.start() - 30) : word.end() + 30].split())
            found.append(
                f"{place}:{first + plain[: word.start()].count(chr(10))}: {word[0]!r} in "
                f"...{around}..."
            )
    return found


def docstrings(root: Path = ROOT) -> Iterator[tuple[str, str]]:
    """The place of each docstring of a file that has such a word somewhere, and its text."""
    for path in sorted((root / "pytest_replicant").rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if not _UNUSUAL.search(text.replace("else:\n", "")):
            continue  # to parse all would take seconds
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
                place = f"{path.relative_to(root).as_posix()}:{getattr(node, 'lineno', 1)}"
                yield place, ast.get_docstring(node) or ""


def strange() -> list[str]:
    """All unusual words of pages and docstrings."""
    texts = [
        (page.relative_to(ROOT).as_posix(), page.read_text(encoding="utf-8")) for page in pages()
    ]
    return [line for place, text in (*texts, *docstrings()) for line in unusual(text, place)]


def main(arguments: Sequence[str]) -> int:
    """0 if every page is as short as it should be, and in plain words; otherwise 1."""
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
    unusual = strange()
    out("".join(f"{line}\n" for line in unusual))
    out(f"{len(unusual)} words that no mainstream document uses\n")
    return 1 if unusual or any(faults(found) for found in by_page.values()) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
