"""Text of an app within text of ours, and what a reader sees of a text that programs print."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from html import unescape
from typing import Literal, NamedTuple
from urllib.parse import unquote_to_bytes

_LONGEST = 160
_BARE = re.compile(r"[\w.$:/+-]{1,100}")
# Control characters, marks without a shape of their own, and what icon fonts draw: printed raw, a label of them
# looks empty or turns the line around.
_UNSEEN = (
    "[\x00-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ue000-\uf8ff\ufeff\U000f0000-\U0010fffd]"
)


def quoted(text: str) -> str:
    """Puts a text in double quotes, escaped and shortened: app text never breaks out of its quotes. Invisible
    characters are escaped as Python writes them."""
    whole = '"' + shortened(text, _LONGEST).replace("\\", "\\\\").replace('"', '\\"') + '"'
    return whole if whole.isprintable() else re.sub(_UNSEEN, _escaped, whole)


@lru_cache(maxsize=4096)
def bare(name: str) -> str:
    """Returns a class name or an id unquoted; in quotes and on one line where it is plainly neither: the app
    writes it."""
    return name if _BARE.fullmatch(name) else quoted(" ".join(name.split()))


def shortened(text: str, longest: int) -> str:
    """Shortens the text to ``longest`` characters; an ellipsis stands for the rest."""
    return text if len(text) <= longest else text[: longest - 1] + "…"


def one_line(text: str, longest: int = _LONGEST) -> str:
    """Returns a text without quotes on a line of its own, as a message shows a log's line."""
    line = shortened(" ".join(text.split()), longest)
    return line if line.isprintable() else re.sub(_UNSEEN, _escaped, line)


def _escaped(sign: re.Match[str]) -> str:
    return sign[0].encode("unicode_escape").decode("ascii")


_NOT_IN_XML = (
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufdd0-\ufddf\ufffe\uffff\U00010000-\U0010ffff]"
)


def as_dotted(text: str) -> str:
    """The text as uiautomator2's server dumps it: each UTF-16 unit that XML cannot hold alone is a dot, and an
    emoji has two."""
    plain = text.isascii() and text.isprintable()
    return text if plain else re.sub(_NOT_IN_XML, lambda sign: ".." if sign[0] > "\uffff" else ".", text)


Form = Literal["NFC", "NFD"]

_LONGEST_WORD = 500
_RUNS = re.compile(r"[!-~]+|[^!-~]")
# Unicode's Default_Ignorable_Code_Point, and control characters that are no blanks.
_SHAPELESS = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    "\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\ufffc\U000e0000-\U000e0fff]"
)


def normalised(text: str, form: Form) -> str:
    """The text in a form of Unicode's. Python sorts the marks on a letter in quadratic time, so a text longer than
    any word is done in pieces: one of nothing but marks would take hours."""
    return unicodedata.normalize(form, text) if len(text) <= _LONGEST_WORD else "".join(_pieces(text, form))


def _pieces(word: str, form: Form) -> Iterator[str]:
    """Cut where nothing composes over the cut, unless the marks on one letter are longer than any word."""
    start = 0
    while start < len(word):
        end = start + _LONGEST_WORD
        last = end + _LONGEST_WORD
        while end < min(last, len(word)) and may_compose(word[end]):
            end += 1
        yield unicodedata.normalize(form, word[start:end])
        start = end


def may_compose(sign: str) -> bool:
    """With the sign before it: a mark, or a vowel or an end of a Korean syllable."""
    return unicodedata.category(sign).startswith("M") or "\u1160" <= sign <= "\u11ff"


_CONTROLS = dict.fromkeys(at for at in range(128) if _SHAPELESS.match(chr(at)))


def normal(text: str, form: Form = "NFD") -> str:
    """The text as it is compared: without signs that have no shape, and with each run of blanks as one, none of
    them at its ends."""
    if text.isascii():
        plain = text if text.isprintable() else text.translate(_CONTROLS)
    else:
        plain = _SHAPELESS.sub("", text)
    plain = " ".join(plain.split())
    return plain if plain.isascii() else normalised(plain, form)


class Spelling(NamedTuple):
    """A way in which programs print signs: ``token`` is what they print for one, and has ``trigger`` in it."""

    trigger: str
    token: re.Pattern[str]
    read: Callable[[str], str]


_NAMED = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "v": "\v", "b": "\b", "a": "\a", "0": "\0"}


def _unslashed(token: str) -> str:
    if token[1] not in "uUx":
        return _NAMED.get(token[1], token[1])
    units = [int(digits, 16) for digits in re.split(r"\\[uUx]", token)[1:]]
    if len(units) == 2:  # the halves of one sign
        return chr(0x10000 + ((units[0] & 0x3FF) << 10) + (units[1] & 0x3FF))
    return chr(units[0]) if units[0] <= 0x10FFFF else ""


_HEX = "[0-9a-fA-F]"
_HALVES = rf"\\u[dD][89abAB]{_HEX}{{2}}\\u[dD][c-fC-F]{_HEX}{{2}}"
_BYTE = rf"%{_HEX}{{2}}"
_BYTES = rf"%[0-7]{_HEX}|%[c-dC-D]{_HEX}{_BYTE}|%[eE]{_HEX}(?:{_BYTE}){{2}}|%[fF]{_HEX}(?:{_BYTE}){{3}}"


def _unquoted(token: str) -> str:
    try:
        return " " if token == "+" else unquote_to_bytes(token).decode("utf-8", errors="surrogatepass")
    except UnicodeDecodeError:
        return token


SPELLINGS = (
    # Python, JSON, an outline
    Spelling("\\", re.compile(rf"{_HALVES}|\\(?:u{_HEX}{{4}}|U{_HEX}{{8}}|x{_HEX}{{2}}|[^uUx\s])"), _unslashed),
    # HTML, XML
    Spelling("&", re.compile(rf"&(?:#\d{{1,7}}|#[xX]{_HEX}{{1,6}}|[A-Za-z][A-Za-z0-9]{{1,31}});"), unescape),
    # an address, and a form that is sent
    Spelling("%", re.compile(_BYTES), _unquoted),
    Spelling("+", re.compile(rf"\+|{_BYTES}"), _unquoted),
    # a quote within quotes, of a shell
    Spelling("'", re.compile(r"'\\''|'\"'\"'"), lambda _: "'"),
)


def read_as(text: str, spelling: Spelling) -> str:
    """The text with what the spelling prints for signs read."""
    return spelling.token.sub(lambda token: spelling.read(token[0]), text)


class Placed:
    """``normal`` of a text, read as that spelling where one is given, and where in the text its signs stand."""

    def __init__(self, text: str, spelling: Spelling | None, form: Form) -> None:
        self._form: Form = form
        self._signs: list[str] = []
        self._starts: list[int] = []
        self._ends: list[int] = []
        self._letter, self._begin, self._end = "", 0, 0  # a sign with what composes with it
        done = 0
        if spelling is not None:
            for token in spelling.token.finditer(text):
                self._add_all(text, done, token.start())
                done = token.end()
                for sign in spelling.read(token[0]):
                    self._add(sign, token.start(), done)
        self._add_all(text, done, len(text))
        self._close()
        self.text = "".join(self._signs).rstrip(" ")

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where in the text that part of the normal form stands."""
        return self._starts[start], self._ends[end - 1]

    def _add_all(self, text: str, start: int, end: int) -> None:
        for run in _RUNS.finditer(text, start, end):
            first, last = run.start(), run.end() - 1
            if first < last:  # the last one may compose with what follows
                self._close()
                self._note(text[first:last], range(first, last), range(first + 1, last + 1))
            self._add(text[last], last, last + 1)

    def _add(self, sign: str, start: int, end: int) -> None:
        if _SHAPELESS.match(sign):
            return
        if self._letter and may_compose(sign) and len(self._letter) < _LONGEST_WORD:
            self._letter, self._end = self._letter + sign, end
            return
        self._close()
        if not sign.isspace():
            self._letter, self._begin, self._end = sign, start, end
        elif self._signs and self._signs[-1] == " ":
            self._ends[-1] = end
        elif self._signs:
            self._note(" ", [start], [end])

    def _close(self) -> None:
        if self._letter:
            signs = unicodedata.normalize(self._form, self._letter)
            self._note(signs, [self._begin] * len(signs), [self._end] * len(signs))
            self._letter = ""

    def _note(self, signs: str, starts: Iterable[int], ends: Iterable[int]) -> None:
        self._signs.append(signs)
        self._starts.extend(starts)
        self._ends.extend(ends)
