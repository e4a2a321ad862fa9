"""Expected outlines: parsing the text in a test, and comparing it with a screen."""

from __future__ import annotations

import difflib
import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from ...errors import UsageError
from ..text import clean
from .outline import CUT_HERE, MAY_BE_EMOJI, STATES, printed

_QUOTED = r'"(?:[^"\\]|\\.)*"'
_NUMBER = r"[-+]?(?:\d[\d.]*(?:e[-+]?\d+)?|inf|nan)"
_LINE = re.compile(
    rf"(?:\[[a-z][0-9]{{3,15}}\](?: |$))?"  # a ref, which is never compared
    rf"(?:(?P<class>[\w.$:/+-]+|{_QUOTED}(?= {_QUOTED}))(?: |$))?"
    rf"(?P<label>{_QUOTED})?"
    rf"(?: ?id=(?P<id>{_QUOTED}|[\w.$:/+-]+))?"
    rf"(?: ?value=(?P<value>{_QUOTED}|{_NUMBER})(?: of (?P<range>{_NUMBER}\.\.{_NUMBER}))?)?"
    r"(?P<states>(?: ?\[[a-z]+\])*)"
    rf"(?P<folded> · {_QUOTED}(?: {_QUOTED})*)?"
    r"(?: ?(?P<centre>@-?\d+,-?\d+))?"
)
_RUN = re.compile(
    rf"(?P<kind>(?:[\w.$:/+-]+|{_QUOTED})(?: id=(?:{_QUOTED}|[\w.$:/+-]+))?(?: \[[a-z]+\])*)"
    r" x(?P<count>\d{1,5})(?:: (?P<names>.+))?"
)
_NAME_IN_RUN = re.compile(rf"(?:^| )(?:\[[a-z][0-9]{{3,15}}\] )?({_QUOTED}(?: \[[a-z]+\])*)")
_HEADER = re.compile(r"(?:(?P<screen>.*?) +)?\((?P<app>(?!\+|offscreen)[^()]+)\)")
_TRAILER = re.compile(
    r"\((?:loading|keyboard open|\d+ windows? below: .*|\d+ offscreen|cut at \d+ levels"
    r"|\d+ covered|folded: .*|\.\. may be an emoji|the app reports nothing .*|"
    r"no elements among \d+ nodes)\)"
)
_ESCAPE = re.compile(r"\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|U([0-9a-f]{8})|(.))", re.DOTALL)
_ANYTHING = ("...", "…")
_CONTROLS = {"n": "\n", "t": "\t", "r": "\r"}


_OPTIONAL = ("value", "range", "folded", "centre")


@dataclass(eq=False)
class Written:
    """One line with its nested lines. ``anything`` is a line of ``...``, ``group`` a row that is no
    element itself, whose first line carries a dash."""

    text: str
    class_name: str = ""
    name: str = ""
    value: str | None = None
    range: str | None = None
    states: frozenset[str] = frozenset()
    folded: str | None = None
    centre: str | None = None
    anything: bool = False
    group: bool = False
    inside: list[Written] = field(default_factory=list)
    known: dict[Written, bool] = field(
        default_factory=dict, repr=False
    )  # whether it fits, with all in it

    @property
    def key(self) -> tuple[bool, str, str]:
        """What lines must have in common to be about one element."""
        return self.group, self.class_name, self.name

    def fits(self, other: Written) -> bool:
        """Whether the other line matches this one, nested lines apart: class and name must be
        equal, the rest where it is written."""
        return (
            self.key == other.key
            and self.states <= other.states
            and all(getattr(self, name) in (None, getattr(other, name)) for name in _OPTIONAL)
        )

    def fits_whole(self, other: Written) -> bool:
        """Whether it matches with its nested lines; each pair is decided once."""
        if other not in self.known:
            self.known[other] = self.fits(other) and _all_fit(self.inside, other.inside)
        return self.known[other]


def _all_fit(wanted: Sequence[Written], lines: Sequence[Written]) -> bool:
    """Whether the lines are the wanted ones, in order; ``...`` stands for any number, as few as
    possible."""
    at = line = 0
    resume: tuple[int, int] | None = (
        None  # after the last "...", and the first line that it does not take
    )
    while line < len(lines):
        if at < len(wanted) and wanted[at].anything:
            resume = (at + 1, line)
            at += 1
        elif at < len(wanted) and wanted[at].fits_whole(lines[line]):
            at, line = at + 1, line + 1
        elif resume is not None:
            at, line = resume[0], resume[1] + 1
            resume = (at, line)
        else:
            return False
    return all(one.anything for one in wanted[at:])


@dataclass(frozen=True)
class OutlineText:
    """A parsed outline. ``header`` is the first line, "" if it is left out; ``trailers`` are the
    lines at the end."""

    header: str
    lines: tuple[Written, ...]
    trailers: tuple[str, ...]
    count: int


def read_outline(text: object, header: str = "") -> OutlineText:
    """Parses the outline that a test expects; ``header`` is that of the screen. Raises
    ``UsageError`` for a text that is no outline, on any screen."""
    if not isinstance(text, str):
        raise UsageError(f"expect_outline({text!r}): the expected outline is a string")
    rows: list[tuple[int, str]] = []
    for number, line in enumerate(text.split("\n"), 1):
        if "\t" in line[: len(line) - len(line.lstrip())] and line.strip():
            raise UsageError(
                f"expect_outline(): line {number} is indented with a tab; an outline is, with "
                "spaces"
            )
        if line.strip():
            rows.append((number, line.rstrip()))
    if not rows:
        raise UsageError(
            "expect_outline(): the expected outline is empty; print(mobile.snapshot()) shows one"
        )
    count, head = len(rows), ""
    if _is_header(rows[0][1].strip(), header):
        head = rows.pop(0)[1].strip()
    trailers: list[str] = []
    while rows and _TRAILER.fullmatch(rows[-1][1].strip()):
        trailers.insert(0, rows.pop()[1].strip())
    lines = _nested(rows)
    if not head and not trailers and all(line.anything for line in lines):
        raise UsageError("expect_outline(): nothing but ... fits every screen")
    return OutlineText(head, tuple(lines), tuple(trailers), count)


def _is_header(line: str, header: str) -> bool:
    """Whether it is a name with the app behind it, or plain words that are no line of an outline. A
    single word may be a class as well: it is the header where the screen has that name."""
    if _TRAILER.fullmatch(line) or line in _ANYTHING or line.startswith("- "):
        return False
    own = _HEADER.fullmatch(header)
    if _HEADER.fullmatch(line) or (own is not None and clean(line) == clean(own["screen"] or "")):
        return True
    return not _LINE.fullmatch(line) and not set(line) & set('"[]{}(=')


def header_fits(expected: str, actual: str) -> bool:
    """Whether the header fits, white space apart; the app may be left out."""
    own = _HEADER.fullmatch(actual)
    screen = own["screen"] or "" if own else ""
    return not expected or clean(expected) in (clean(actual), clean(screen))


def _nested(rows: list[tuple[int, str]]) -> list[Written]:
    """Builds the tree of lines by their indentation."""
    top: list[Written] = []
    open_lists: list[tuple[int, list[Written]]] = []  # the column of the lines in each
    stripped = textwrap.dedent("\n".join(line for _, line in rows)).split("\n") if rows else []
    for (number, _), line in zip(rows, stripped, strict=True):
        body = line.lstrip(" ")
        column = len(line) - len(body)
        while open_lists and open_lists[-1][0] > column:
            open_lists.pop()
        # a column between two levels belongs to the deeper one: rows in rows are printed so
        into = open_lists[-1][1] if open_lists else top
        if open_lists and open_lists[-1][0] < column:
            if into[-1].anything:
                raise UsageError(
                    f"expect_outline(): line {number} ({body}) is below a line of ..., which has "
                    "no inside"
                )
            into = into[-1].inside
        if not open_lists or open_lists[-1][0] < column:
            open_lists.append((column, into))
        while body.startswith("- "):
            group = Written("", group=True)
            into.append(group)
            into, column = group.inside, column + 2
            open_lists.append((column, into))
            body = body[2:].lstrip(" ")
        into.extend(_line(one, number) for one in _each(body))
    return top


def _each(body: str) -> list[str]:
    """Returns the lines of the elements that a line stands for: ``Key x12: "1" "2"``, ``View
    x48``."""
    run = _RUN.fullmatch(body)
    if run is None:
        return [body]
    names = _NAME_IN_RUN.findall(run["names"] or "")
    return [f"{run['kind']} {name}" for name in names] or [run["kind"]] * int(run["count"])


def _line(body: str, number: int) -> Written:
    if body in _ANYTHING or body.startswith(CUT_HERE):
        return Written("...", anything=True)
    found = _LINE.fullmatch(body)
    states = frozenset(re.findall(r"\[([a-z]+)\]", found["states"])) if found else frozenset()
    unknown = sorted(states - set(STATES))
    if found is None or unknown or not any(found.groups()):
        advice = _advice(body)
        if unknown:
            advice = f"[{unknown[0]}] is no state; there are {', '.join(STATES)}"
        raise UsageError(
            f"expect_outline(): line {number} is no line of an outline: {body}\n{advice}"
        )
    name, value, folded = "", found["value"], found["folded"]
    if found["label"]:
        name = printed(_plain(found["label"]))
    elif found["id"]:
        name = f"id={found['id']}"
    if value:
        quoted = value.startswith('"')
        value = printed(_plain(value)) if quoted else f"{float(value):.10g}"
    if folded:
        folded = " ".join([printed(_plain(one)) for one in re.findall(_QUOTED, folded)])
    return Written(
        re.sub(r"^\[[a-z][0-9]{3,15}\] ?", "", body), _plain(found["class"] or ""), name, value,
        found["range"], states, folded, found["centre"]
    )  # fmt: skip


def _plain(text: str) -> str:
    """Returns a text without its quotes and escapes, as it is compared."""
    return clean(_ESCAPE.sub(_unescaped, text[1:-1])) if text.startswith('"') else text


def _unescaped(found: re.Match[str]) -> str:
    code = int(found[1] or found[2] or found[3] or "-1", 16)
    if code >= 0:
        return chr(code) if code < 0x110000 else found[0]
    return _CONTROLS.get(found[4], found[4])


def _advice(body: str) -> str:
    if "(+" in body:
        return "An outline that was cut leaves lines out; ... stands for any number of them."
    if "{x:" in body or body.endswith("(offscreen)"):
        return (
            "Positions and offscreen elements are not compared: take outline() without arguments."
        )
    if body.count('"') % 2 or '""' in body:
        return (
            'A quote within a label is written \\": give the outline as a raw string, r"""...""".'
        )
    return (
        'A line is such as: Button "Add" [disabled], or EditText "Email" value="ada"; a label '
        "stands in quotes."
    )


_MOST_CELLS = (
    90_000  # of a table of expected by actual lines; longer lists are compared by their beginnings
)
_BEFORE = 2  # lines that are alike, shown before the first difference
_MOST_LINES = 12
_ALIKE = 0.6  # of the text of two lines
Mark = Literal[" ", "-", "+"]


@dataclass(frozen=True)
class OutlineDifference:
    """The first difference between two outlines: ``summary`` in a few words, and the ``lines``
    around it; missing ones begin with ``-``, unexpected ones with ``+``."""

    summary: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class _Row:
    mark: Mark
    depth: int
    text: str


def difference(expected: OutlineText, actual: OutlineText) -> OutlineDifference | None:
    """Returns the first difference; None if the screen is as expected. Refs are not compared;
    header and trailers count where they are written."""
    if not header_fits(expected.header, actual.header):
        both = f"- {expected.header}", f"+ {actual.header}"
        return OutlineDifference(f"the screen is {actual.header}", both)
    if not _all_fit(expected.lines, actual.lines):
        rows = list(_aligned(expected.lines, actual.lines, 0))
        rows = [row for row in rows if row.text]  # a row that is no element has no line of its own
        there = [row.text for line in actual.lines for row in _every("+", line, 0) if row.text]
        return _first_of(rows, there)
    missing = [text for text in expected.trailers if text not in (*actual.trailers, MAY_BE_EMOJI)]
    if not missing:
        return None
    lines = [f"- {text}" for text in missing] + [f"+ {text}" for text in actual.trailers]
    return OutlineDifference(f"{missing[0]} is not said", tuple(lines))


def _aligned(wanted: Sequence[Written], lines: Sequence[Written], depth: int) -> Iterator[_Row]:
    """Merges both into one list of equal, missing and unexpected lines."""
    skipped: Written | None = None
    for one, other in _pairs(wanted, lines):
        if one and one.anything:
            if one is not skipped:
                yield _Row(" ", depth, "...")
            skipped = one
        elif not (one and other and one.fits(other)):
            yield from _every("-", one, depth)
            yield from _every("+", other, depth)
        elif one.fits_whole(other):
            yield from _every(" ", other, depth)
        else:  # the same line with something else in it
            yield _Row(" ", depth, other.text)
            yield from _aligned(one.inside, other.inside, depth + 1)


def _every(mark: Mark, line: Written | None, depth: int) -> Iterator[_Row]:
    pending = [(line, depth)] if line else []
    while pending:
        one, level = pending.pop()
        yield _Row(mark, level, one.text)
        pending.extend((inner, level + 1) for inner in reversed(one.inside))


def _pairs(
    wanted: Sequence[Written], lines: Sequence[Written]
) -> Iterator[tuple[Written | None, Written | None]]:
    """Pairs the lines of one level that have the same class and name, in order; each of the others
    comes alone, or with the ``...`` that stands for it."""
    if (len(wanted) + 1) * (len(lines) + 1) > _MOST_CELLS:
        alike = 0
        for one, other in zip(wanted, lines, strict=False):
            if one.anything or not one.fits_whole(other):
                break
            alike += 1
            yield one, other
        wanted, lines = wanted[alike:][:_MOST_LINES], lines[alike:][:_MOST_LINES]
    plain: list[Written] = []
    dots: dict[int, Written] = {}
    for one in wanted:
        if one.anything:
            dots[len(plain)] = one
        else:
            plain.append(one)
    written, there = [one.key for one in plain], [one.key for one in lines]
    for kind, start, end, first, last in difflib.SequenceMatcher(
        None, written, there, autojunk=False
    ).get_opcodes():
        if kind == "equal":
            yield from zip(plain[start:end], lines[first:last], strict=True)
            continue
        yield from ((one, None) for one in plain[start:end])
        stands = next((dots[at] for at in range(start, end + 1) if at in dots), None)
        yield from ((stands, other) for other in lines[first:last])


def _first_of(rows: list[_Row], there: list[str]) -> OutlineDifference:
    """Returns the lines around the first difference, below their parents; where ``...`` stands
    around a missing line, also the nearest actual line."""
    first = next((index for index, row in enumerate(rows) if row.mark != " "), None)
    if first is None:  # in one of two lists that are too long to be put side by side
        return OutlineDifference(f"it differs below the first {len(rows)} lines", ())
    start = max(first - _BEFORE, 0)
    depth = min(row.depth for row in rows[start : first + 1])
    above: list[_Row] = []
    for row in reversed(rows[:start]):
        if row.depth < depth:
            above.insert(0, row)
            depth = row.depth
    shown = rows[start : start + _MOST_LINES]
    while shown[-1].mark == " " and len(shown) > first - start + 1:
        shown.pop()
    lines = [f"{row.mark} {'  ' * row.depth}{row.text}" for row in (*above, *shown)]
    more = sum(row.mark != " " for row in rows[start + len(shown) :])
    if more:
        lines.append(f"… and {more} more lines that differ")
    one, *after = rows[first : first + 2]
    if one.mark == "+":
        return OutlineDifference(f"{one.text} is unexpected", tuple(lines))
    for other in after:
        if (other.mark, other.depth) == ("+", one.depth):
            return OutlineDifference(f"{other.text} in place of {one.text}", tuple(lines))
    for text in difflib.get_close_matches(one.text, there, 1, _ALIKE):
        where = "it is at another place" if text == one.text else "nearest"
        lines.append(f"{where}: {text}")
    return OutlineDifference(f"{one.text} is missing", tuple(lines))
