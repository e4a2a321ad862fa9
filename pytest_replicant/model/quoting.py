"""Text of an app within text of ours, and what a reader sees of a text that programs print."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from functools import lru_cache
from html import unescape
from itertools import count
from typing import NamedTuple
from urllib.parse import unquote_to_bytes

_LONGEST = 160
_BARE = re.compile(r"[\w.$:/+-]{1,100}")
# Control characters, marks without a shape of their own, and what icon fonts draw: printed raw, a
# label of them looks empty or turns the line around.
_UNSEEN = "[\x00-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ue000-\uf8ff\ufeff\U000f0000-\U0010fffd]"  # noqa: E501


def quoted(text: str) -> str:
    """Puts a text in double quotes, escaped and shortened: app text never breaks out of its quotes.
    Invisible characters are escaped as Python writes them."""
    whole = '"' + shortened(text, _LONGEST).replace("\\", "\\\\").replace('"', '\\"') + '"'
    return whole if whole.isprintable() else re.sub(_UNSEEN, _escaped, whole)


@lru_cache(maxsize=4096)
def bare(name: str) -> str:
    """Returns a class name or an id unquoted; in quotes and on one line where it is plainly
    neither: the app writes it."""
    return name if _BARE.fullmatch(name) else quoted(" ".join(name.split()))


def shortened(text: str, longest: int) -> str:
    """Shortens the text to ``longest`` characters; an ellipsis stands for the rest."""
    return text if len(text) <= longest else text[: longest - 1] + "…"


def one_line(text: str, longest: int = _LONGEST) -> str:
    """Returns a text without quotes on a line of its own, as a message shows a log's line."""
    line = shortened(" ".join(text.split()), longest)
    return line if line.isprintable() else re.sub(_UNSEEN, _escaped, line)


def first_line(said: object) -> str:
    """The first line of a message, as of an error: what went wrong, without the advice."""
    return str(said).partition("\n")[0]


def _escaped(sign: re.Match[str]) -> str:
    return sign[0].encode("unicode_escape").decode("ascii")


_NOT_IN_XML = "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufdd0-\ufddf\ufffe\uffff\U00010000-\U0010ffff]"  # noqa: E501


def as_dotted(text: str) -> str:
    """The text as uiautomator2's server dumps it: each UTF-16 unit that XML cannot hold alone is a
    dot, and an emoji has two."""
    return re.sub(_NOT_IN_XML, lambda sign: ".." if sign[0] > "\uffff" else ".", text)


def shown_name(uri: str, serial: str) -> str:
    """A virtual phone by its serial, however much its URI asks for; another one as the user named
    it."""
    if not uri.startswith("virtual"):
        return uri
    return serial or uri.partition("?")[0]


_LONGEST_WORD = 500
# Unicode's Default_Ignorable_Code_Point, and control characters that are no blanks.
_SHAPELESS = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\ufffc\U000e0000-\U000e0fff]"
)


def composed(text: str) -> str:
    """NFC. Python sorts the marks on a letter in quadratic time, so a text longer than any word is
    composed in pieces: one of nothing but marks would take hours."""
    pieces, start = [], 0
    while start < len(text):
        end = start + _LONGEST_WORD
        last = end + _LONGEST_WORD
        # Over this place nothing composes, unless the marks on one letter are longer than any word.
        while end < min(last, len(text)) and _may_compose(text[end]):
            end += 1
        pieces.append(unicodedata.normalize("NFC", text[start:end]))
        start = end
    return "".join(pieces)


def _may_compose(sign: str) -> bool:
    """With the sign before it: a mark, or a vowel or an end of a Korean syllable."""
    return unicodedata.category(sign).startswith("M") or "\u1160" <= sign <= "\u11ff"


_CONTROLS = dict.fromkeys(
    (*range(9), *range(14, 32), 127)
)  # of those, all that ASCII has: a hundred times as fast


def normal(text: str) -> str:
    """The text as secrets are looked for in it: composed, without signs that have no shape, and
    with each run of blanks as one, none of them at its ends."""
    plain = text.translate(_CONTROLS) if text.isascii() else _SHAPELESS.sub("", text)
    plain = " ".join(plain.split())
    return plain if plain.isascii() else composed(plain)


class Spelling(NamedTuple):
    """A way in which programs print signs: ``token`` is what they print for one, and has ``mark``
    in it."""

    mark: str
    token: re.Pattern[str]
    read: Callable[[str], str]


def _unslashed(token: str) -> str:
    units = token.encode("ascii").decode("unicode_escape")  # of some signs the two halves
    return units.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


def _unquoted(token: str) -> str:
    try:
        return " " if token == "+" else unquote_to_bytes(token).decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return token


_HEX = "[0-9a-fA-F]"
_HALVES = rf"u[dD][89abAB]{_HEX}{{2}}\\u[dD][c-fC-F]{_HEX}{{2}}"
_BYTES = rf"%[0-7]{_HEX}|%[c-fC-F]{_HEX}(?:%[89abAB]{_HEX})+"
SPELLINGS = (
    # Python, JSON, an outline
    Spelling(
        "\\", re.compile(rf"\\(?:{_HALVES}|u{_HEX}{{4}}|x{_HEX}{{2}}|[ntrfvba\\'\"])"), _unslashed
    ),
    # HTML, XML
    Spelling(
        "&",
        re.compile(rf"&(?:#\d{{1,7}}|#[xX]{_HEX}{{1,6}}|[A-Za-z][A-Za-z0-9]{{1,31}});"),
        unescape,
    ),
    # an address, and a form that is sent
    Spelling("%", re.compile(_BYTES), _unquoted),
    Spelling("+", re.compile(rf"\+|{_BYTES}"), _unquoted),
    # a quote within quotes, of a shell
    Spelling("'", re.compile(r"'(?:\\'|\"'\")'"), lambda _: "'"),
)


def read_as(text: str, spelling: Spelling) -> str:
    """The text with what the spelling prints for signs read."""
    if spelling.mark not in text:
        return text
    return spelling.token.sub(lambda token: spelling.read(token[0]), text)


Span = tuple[int, int]
"""Where a part of a text begins and ends."""


def normal_spans(text: str, spelling: Spelling | None) -> tuple[str, list[Span]]:
    """``normal`` of the text, read as that spelling if one is given, and where in the text each of
    its signs stands."""
    shown: list[str] = []
    spans: list[Span] = []
    for sign, start, end in _signs(text, spelling):
        if _SHAPELESS.match(sign) or (sign.isspace() and not shown):
            continue
        if shown and _goes_with(shown[-1], sign):
            shown[-1] += sign
            spans[-1] = (spans[-1][0], end)
        else:
            shown.append(sign)
            spans.append((start, end))
    letters = [" " if one.isspace() else unicodedata.normalize("NFC", one) for one in shown]
    placed = [span for letter, span in zip(letters, spans, strict=True) for _ in letter]
    return "".join(letters).rstrip(" "), placed


def _goes_with(letter: str, sign: str) -> bool:
    """Whether a sign is one with what stands before it: another blank, or a mark on a letter."""
    if sign.isspace() or letter.isspace():
        return sign.isspace() and letter.isspace()
    return _may_compose(sign) and len(letter) <= _LONGEST_WORD


def _signs(text: str, spelling: Spelling | None) -> Iterator[tuple[str, int, int]]:
    """Each sign as it is read, and the span that prints it."""
    done = 0
    if spelling is not None:
        for token in spelling.token.finditer(text):
            yield from zip(text[done : token.start()], count(done), count(done + 1), strict=False)
            done = token.end()
            yield from ((sign, token.start(), done) for sign in spelling.read(token[0]))
    yield from zip(text[done:], count(done), count(done + 1), strict=False)
