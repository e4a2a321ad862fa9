"""An outline as text, read back: what a test expects of a screen is written down as the outline prints it."""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass, field

from ...errors import UsageError
from ..text.words import clean
from .lines import printed

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
_HEADER = re.compile(r"(?:(?P<screen>.*?) +)?\((?P<app>(?!\+|offscreen)[^()]+)\)")
_TRAILER = re.compile(
    r"\((?:loading|keyboard open|\d+ windows? below: .*|\d+ offscreen|no elements among \d+ nodes)\)"
)
_ESCAPE = re.compile(r"\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|U([0-9a-f]{8})|(.))", re.DOTALL)
_ANYTHING = ("...", "…")
_CONTROLS = {"n": "\n", "t": "\t", "r": "\r"}
STATES = (
    "checked",
    "unchecked",
    "selected",
    "focused",
    "expanded",
    "collapsed",
    "disabled",
    "password",
    "scrollable",
)


@dataclass
class Written:
    """One line and what is indented below it. ``anything`` is a line of ``...``, ``group`` a row that is no
    element itself, whose first line carries a dash."""

    text: str
    number: int
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

    def fits(self, other: Written) -> bool:
        """Whether the other line is what this one says, what is inside apart: class and name as they are, the
        rest where it is written."""
        return (
            (self.group, self.class_name, self.name) == (other.group, other.class_name, other.name)
            and self.states <= other.states
            and all(
                getattr(self, one) in (None, getattr(other, one)) for one in ("value", "range", "folded", "centre")
            )
        )


@dataclass(frozen=True)
class OutlineText:
    """``header`` is the first line, "" where it is left out; ``trailers`` are what is said below the lines."""

    header: str
    lines: tuple[Written, ...]
    trailers: tuple[str, ...]
    count: int


def read_outline(text: object, header: str = "") -> OutlineText:
    """What a test wrote; ``header`` is that of the screen. Raises ``UsageError`` for what no outline can be, and
    that whatever the screen is."""
    if not isinstance(text, str):
        raise UsageError(f"expect_outline({text!r}): the expected outline is a string")
    rows = [(number, line.rstrip()) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    if not rows:
        raise UsageError("expect_outline(): the expected outline is empty; print(mobile.snapshot()) shows one")
    for number, line in rows:
        if "\t" in line[: len(line) - len(line.lstrip())]:
            raise UsageError(f"expect_outline(): line {number} is indented with a tab; an outline is, with spaces")
    count = len(rows)
    first = rows[0][1].strip()
    head, rows = (first, rows[1:]) if _is_header(first, header) else ("", rows)
    trailers: list[str] = []
    while rows and _TRAILER.fullmatch(rows[-1][1].strip()):
        trailers.insert(0, rows.pop()[1].strip())
    lines = _nested(rows)
    if not head and not trailers and all(line.anything for line in lines):
        raise UsageError("expect_outline(): nothing but ... fits every screen")
    return OutlineText(head, tuple(lines), tuple(trailers), count)


def _is_header(line: str, header: str) -> bool:
    """A name with the app behind it; plain words that are no line of an outline. One word alone may be a class as
    well: it is the header where that is how the screen is called."""
    if _TRAILER.fullmatch(line) or line in _ANYTHING or line.startswith("- "):
        return False
    own = _HEADER.fullmatch(header)
    if _HEADER.fullmatch(line) or (own is not None and clean(line) == clean(own["screen"] or "")):
        return True
    return not _LINE.fullmatch(line) and not set(line) & set('"[]{}(=')


def header_fits(expected: str, actual: str) -> bool:
    """White space apart; the app may be left out."""
    if not expected:
        return True
    own = _HEADER.fullmatch(actual)
    names = [actual, own["screen"] or ""] if own else [actual]
    return clean(expected) in map(clean, names)


def _nested(rows: list[tuple[int, str]]) -> list[Written]:
    """The lines as a tree, by their indentation."""
    top: list[Written] = []
    open_lists: list[tuple[int, list[Written]]] = []  # the column of the lines in each
    stripped = textwrap.dedent("\n".join(line for _, line in rows)).split("\n") if rows else []
    for (number, _), line in zip(rows, stripped, strict=True):
        body = line.lstrip(" ")
        column = len(line) - len(body)
        while open_lists and open_lists[-1][0] > column:
            open_lists.pop()
        into = _list_at(open_lists, column, top, number, body)
        while body.startswith("- "):
            group = Written("", number, group=True)
            into.append(group)
            into, column = group.inside, column + 2
            open_lists.append((column, into))
            body = body[2:].lstrip(" ")
        into.append(_line(body, number))
    return top


def _list_at(
    open_lists: list[tuple[int, list[Written]]], column: int, top: list[Written], number: int, body: str
) -> list[Written]:
    """Where a line of this column belongs. One that stands between two levels belongs to the deeper: rows in rows
    are printed so."""
    if open_lists and open_lists[-1][0] == column:
        return open_lists[-1][1]
    into = top
    if open_lists:
        parent = open_lists[-1][1][-1]
        if parent.anything:
            raise UsageError(
                f"expect_outline(): line {number} ({body}) is below a line of ..., which has no inside"
            )
        into = parent.inside
    open_lists.append((column, into))
    return into


def _line(body: str, number: int) -> Written:
    if body in _ANYTHING:
        return Written("...", number, anything=True)
    found = _LINE.fullmatch(body)
    states = frozenset(re.findall(r"\[([a-z]+)\]", found["states"])) if found else frozenset()
    if found is None or not any(found.groups()) or states - set(STATES):
        raise UsageError(
            f"expect_outline(): line {number} is no line of an outline: {body}\n{_advice(body, states)}"
        )
    told = found["label"] or (f"id={found['id']}" if found["id"] else "")
    return Written(
        re.sub(r"^\[[a-z][0-9]{3,15}\] ?", "", body),
        number,
        _plain(found["class"] or ""),
        printed(_plain(told)) if found["label"] else told,
        _value(found["value"]),
        found["range"],
        states,
        " ".join(printed(_plain(one)) for one in re.findall(_QUOTED, found["folded"]))
        if found["folded"]
        else None,
        found["centre"],
    )


def _value(told: str | None) -> str | None:
    if told is None or told.startswith('"'):
        return None if told is None else printed(_plain(told))
    return f"{float(told):.10g}"


def _plain(told: str) -> str:
    """A text without its quotes and escapes, as it is compared."""
    return clean(_ESCAPE.sub(_unescaped, told[1:-1])) if told.startswith('"') else told


def _unescaped(found: re.Match[str]) -> str:
    code = found[1] or found[2] or found[3]
    if code:
        return chr(int(code, 16)) if int(code, 16) < 0x110000 else found[0]
    return _CONTROLS.get(found[4], found[4])


def _advice(body: str, states: frozenset[str]) -> str:
    unknown = sorted(states - set(STATES))
    if unknown:
        return f"[{unknown[0]}] is no state; there are {', '.join(STATES)}"
    if "(+" in body:
        return "An outline that was cut leaves lines out; ... stands for any number of them."
    if "{x:" in body or body.endswith("(offscreen)"):
        return "Places and what is off the screen are not compared: take outline() without arguments."
    if body.count('"') % 2 or '""' in body:
        return 'A quote within a label is written \\": give the outline as a raw string, r"""...""".'
    return 'A line is such as: Button "Add" [disabled], or EditText "Email" value="ada"; a label stands in quotes.'
