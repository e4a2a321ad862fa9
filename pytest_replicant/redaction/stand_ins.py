"""Other words for texts: of the same length and letters of the same kind, and none that means
anything.

``StandIns`` are for the hidden texts of a recording: one text has the same one wherever it was.
Where a text was typed or sent, a mask, for which any text is accepted. ``ForStrangers`` keeps of a
text what a file for strangers may have: names by form, and words of our own. ``rewritten`` is a
hierarchy with other texts in it.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import product
from math import prod
from pathlib import Path
from random import Random
from typing import Any
from xml.sax.saxutils import quoteattr

from ..drivers import Platform
from ..model import MASK, Node, Redactor
from ..model.secret import matches, replaced
from ..snapshots import Dump, read_hierarchy
from .walk import texts_in

_CONSONANTS, _LETTERS, _DIGITS = "bcdfghjklmnpqrstvwxz", "abcdefghijklmnopqrstuvwxyz", "0123456789"
_FEW = 10  # letters of a kind that are too few to choose from
_FEW_WORDS = (
    30_000  # all words of three letters: one more, and a word that is free is soon found by chance
)
_MARKS = "".join(
    chr(code) for code in range(0x300, 0x10000) if unicodedata.category(chr(code))[0] == "M"
)
_HIGH = "\U00010000-\U0010ffff"
_MORE = "\u24b6-\u24e9\u2800-\u28ff"  # letters in circles, and Braille
WORD = re.compile(
    rf"(?:[^\W_{_HIGH}]|[{_MORE}])(?:[^\W_{_HIGH}]|[{_MORE}{_MARKS}])*|(?:(?=[{_HIGH}])[^\W_])+"
)
"""Letters, digits and their marks. Those that are two units of UTF-16, of which a dump may have
made dots, are words of their own."""


@lru_cache(maxsize=4096)
def _lower(sign: str) -> str:
    """The small letter of a capital that is that one's only capital; else the sign itself."""
    low = sign.lower()
    return low if len(low) == 1 and low != sign and low.upper() == sign else sign


def key_of(word: str) -> str:
    """What words that differ in capitals have in common."""
    return word.lower() if word.isascii() else "".join(map(_lower, word))


def _letters_like(sign: str) -> str:
    """The letters that may stand for this one, which is one of them; "" for a mark, which stays."""
    if sign.isascii():
        return _DIGITS if sign in _DIGITS else _LETTERS
    return _alphabets(sign > "\uffff").get(sign, "")


@cache
def _alphabets(high: bool) -> dict[str, str]:
    """By letter, all of its script and kind; of kinds with few letters, all of such kinds."""
    kinds: defaultdict[tuple[object, ...], list[str]] = defaultdict(list)
    for sign in map(chr, range(0x10000, 0x110000) if high else range(0x80, 0x10000)):
        if WORD.match(sign):
            # Script, category, whether texts are compared by it as it is, and whether there is a
            # capital of it.
            script = unicodedata.name(sign, "").partition(" ")[0]
            category, plain = unicodedata.category(sign), unicodedata.is_normalized("NFKC", sign)
            has_capital = _lower(sign.upper()) == sign != sign.upper()
            kinds[script, category, plain, has_capital].append(sign)
    for kind in [kind for kind, signs in kinds.items() if len(signs) < _FEW]:
        kinds["few", kind[-1]] += kinds.pop(kind)
    alphabets: dict[str, str] = {}
    for signs in kinds.values():
        alphabets |= dict.fromkeys(signs, "".join(signs))
    return alphabets


class Words:
    """Other words, each always the same one for the same word, and for no other."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._new: dict[str, str] = {}  # by key
        self._used: set[str] = set()
        self._texts: dict[str, str] = {}

    def text(self, text: str) -> str:
        """The text in other words."""
        if text not in self._texts:
            self._texts[text] = WORD.sub(self._other, text)
        return self._texts[text]

    def _other(self, match: re.Match[str]) -> str:
        word = match[0]
        key = key_of(word)
        if key not in self._new:
            self._choose(key)
        other = ""
        for new, low, sign in zip(self._new[key], key, word, strict=True):
            other += new.upper() if low != sign else new
        return other

    def _choose(self, key: str) -> None:
        letters = [_letters_like(sign) or sign for sign in key]
        if prod(map(len, letters)) <= _FEW_WORDS:
            # Each stands for the next one of a circle: not one is left over for itself.
            circle = ["".join(signs) for signs in product(*letters)]
            self._random.shuffle(circle)
            self._new |= zip(circle, [*circle[1:], circle[0]], strict=True)
            return
        letters = [each.replace(_LETTERS, _CONSONANTS) for each in letters]
        new = key
        while new == key or new in self._used:
            new = "".join(map(self._random.choice, letters))
        self._used.add(new)
        self._new[key] = new


_MAIL = re.compile(r"[^\s\"'<>()\[\]{},;:=|/]{1,100}@[\w-]{1,100}(?:\.[\w-]{1,100})+")
_SPELLED_OUT = "hidden"
"""For a text that is spelled as JSON or an address would."""


class StandIns:
    """``secrets`` and what ``patterns`` match are hidden; on screens mail addresses too that are
    not ``named`` by the test, None for any. ``hidden`` are all that were found."""

    def __init__(
        self,
        secrets: Sequence[str],
        patterns: Sequence[re.Pattern[str]],
        words: Words,
        named: str | None,
    ) -> None:
        self._patterns = patterns
        self._words = words
        self._named = named
        literal = sorted(secrets, key=len, reverse=True)
        self._secret = re.compile("|".join(map(re.escape, literal)) or "(?!)", re.IGNORECASE)
        self._redactor = Redactor(secrets)
        self._known: dict[tuple[str, bool], str] = {}
        self.hidden: set[str] = set()

    def text(self, text: str, *, on_screen: bool = False) -> str:
        """With stand-ins. ``on_screen`` is the text of an app, which may be a mail address."""
        key = text, on_screen
        if key not in self._known:
            parts = (self._without(one, self._words.text, on_screen) for one in text.split(MASK))
            self._known[key] = MASK.join(parts)
        return self._known[key]

    def screen(self, text: str) -> str:
        return self.text(text, on_screen=True)

    def loose(self, text: str) -> str:
        """With masks, for which any text is accepted."""
        return MASK.join(self._without(one, lambda _: MASK, False) for one in text.split(MASK))

    def _without(self, text: str, stand_in: Callable[[str], str], on_screen: bool) -> str:
        if not text:
            return text

        def hidden(found: str) -> str:
            self.hidden.add(found.casefold())
            return stand_in(found)

        text = self._secret.sub(lambda match: hidden(match[0]), text)
        for pattern in self._patterns:
            text = replaced(text, matches(pattern, text), hidden)
        if on_screen and self._named is not None:
            mails = [one for one in _MAIL.finditer(text) if one[0].casefold() not in self._named]
            text = replaced(text, [one.span() for one in mails], hidden)
        spelled = self._redactor.text(text)  # as JSON, an address or a cut text has it
        return text if spelled == text else spelled.replace(MASK, _SPELLED_OUT)

    def found(self, value: Any) -> set[str]:
        """The texts in this that are hidden."""
        seen: set[str] = set()

        def note(text: str) -> str:
            seen.add(text.casefold())
            return text

        for text in texts_in(value):
            self._without(text, note, False)
        return seen

    def still_in(self, texts: Iterable[str]) -> bool:
        """Whether a secret is in one of these."""
        return any(self._secret.search(one) for one in texts)


_NAME = re.compile(
    r"(?!(?:\D*\d){7})"  # as many digits as a phone number has at least
    r"-?(?:[A-Za-z_][\w.]*:)?[A-Za-z_.][\w.$-]*(?:/[\w.$-]+)?",
    re.ASCII,
)
"""An id, a class, a package, an activity, an option of a command: no address, number or path has
this form."""
_QUOTED = r"\"(?:[^\"\\\n]|\\.)*\"?|(?<!\w)'(?:[^'\\\n]|\\.)*'?|“[^”\n]*”?|«[^»\n]*»?"
_OUR_ROOMS = ("drivers", "real_phones", "session", "snapshots", "testing")
"""Whose messages a proof has."""


@cache
def _our_words() -> frozenset[str]:
    """The words of our own code: a message may say them."""
    package = Path(__file__).parents[1]
    sources = [
        package / "errors.py",
        *(file for room in _OUR_ROOMS for file in package.glob(f"{room}/**/*.py")),
    ]
    words = (word for file in sources for word in WORD.findall(file.read_text(encoding="utf-8")))
    return frozenset(map(key_of, words))


class ForStrangers:
    """``secrets`` are in nothing that its methods return."""

    def __init__(self, secrets: Collection[str], words: Words) -> None:
        self.screen = words.text
        self._words = words
        longest_first = sorted({*secrets} - {""}, key=lambda each: (-len(each), each))
        secret = f"(?i:{'|'.join(map(_literal, longest_first)) or '(?!)'})"
        self._secret = re.compile(secret)
        self._in_message = re.compile(f"{secret}|{_QUOTED}|(?P<word>{WORD.pattern})")

    def fact(self, text: str) -> str:
        """What was read of the phone by a form of its own, as its model is: all but secrets
        stands."""
        return self._secret.sub(self._covered, text)

    def name(self, text: str) -> str:
        """Names between blanks stand, but for secrets in them."""
        return re.sub(r"\S+", self._named, text)

    def message(self, text: str) -> str:
        """Our own words stand, except where they are quoted."""
        return self._in_message.sub(self._in_sentence, text)

    def _named(self, match: re.Match[str]) -> str:
        return self.fact(match[0]) if _NAME.fullmatch(match[0]) else self.screen(match[0])

    def _in_sentence(self, match: re.Match[str]) -> str:
        is_ours = match["word"] is not None and key_of(match[0]) in _our_words()
        return match[0] if is_ours else self._covered(match)

    def _covered(self, match: re.Match[str]) -> str:
        return self.screen(match[0]) if WORD.search(match[0]) else "-" * len(match[0])


def _literal(secret: str) -> str:
    """A short one counts as a word alone."""
    return rf"(?<!\w){re.escape(secret)}(?!\w)" if len(secret) < 4 else re.escape(secret)


Change = Callable[[str], str]
ENTER_KEYS = ("Return", "Go", "Search", "Done", "Next", "Send", "Join", "Route", "Continue")
"""The names of the key of an iPhone's keyboard that ends a line."""

_NUMBERS = frozenset(
    {"accessible", "bounds", "checkable", "checked", "clickable", "context-clickable", "display-id",
     "displayed",
     "drawing-order", "enabled", "focusable", "focused", "height", "index", "instance",
     "long-clickable", "NAF", "password", "rotation", "scrollable", "selected", "showing-hint",
     "visible", "visible-to-user", "width", "x",
     "y"}
)  # fmt: skip
_ONE = r"-?(?:\d{1,6}(?:\.\d{1,20})?(?:e-?\d\d?)?|inf|nan)"
_NUMBER = re.compile(
    rf"true|false|{_ONE}|\W{{0,3}}(?:{_ONE}\W{{1,4}}){{3}}{_ONE}\W{{0,3}}", re.ASCII
)
_NAMES = frozenset({"class", "package", "resource-id", "bundleId", "type"})
_IDS = frozenset({"name", "rawIdentifier", "identifier"})
_TEXTS = frozenset(
    {"text", "content-desc", "hint", "pane-title", "label", "value", "placeholderValue", "traits"}
)
_READ = _NUMBERS | _NAMES | _IDS | _TEXTS
_TRAITS = re.compile(r"[A-Z][A-Za-z]*(?:, ?[A-Z][A-Za-z]*)*")
_CODE = re.compile(r"[\w.:$/+@-]+", re.ASCII)
_OWN_ID = re.compile(r"(?=.*[._:$/]|.*[a-z][A-Z]|[a-z0-9-]+$)[\w.:$/-]+", re.ASCII)
"""What people who write apps call an element: it has a dot or the like, a hump, or is all small."""
_SET = re.compile(r"\d|true|false|yes|no", re.ASCII)
_HAS_STATE = frozenset({"Button", "CheckBox", "RadioButton", "Switch", "Tab", "Toggle"})


@lru_cache(maxsize=65_536)
def _is_number(name: str, value: str) -> bool:
    return name in _NUMBERS and _NUMBER.fullmatch(value) is not None


def _is_state(node: Node, name: str, value: str) -> bool:
    """Whether it says how a control is, or which kind it is of."""
    if name == "value" and node.class_name in _HAS_STATE:
        return _SET.fullmatch(value) is not None
    return name == "traits" and _TRAITS.fullmatch(value) is not None


def said_in(source: bytes) -> set[str]:
    """All that a hierarchy says, but for numbers and states. Raises ``SnapshotError``."""
    every = {pair for given in read_hierarchy(source, None).attributes for pair in given.items()}
    return {value for name, value in every if not _is_number(name, value)}


def rewritten(
    source: bytes, text: Change, named: Change, platform: Platform | None = None
) -> bytes:
    """The hierarchy as XML, with other texts; ``named`` is for names, which stay but for personal
    data in them. Only attributes that are read are in it, and no comments. Raises ``SnapshotError``
    if it is no screen, or none of ``platform``."""
    dump = read_hierarchy(source, platform)
    rewriting = _Rewriting(dump, text, named)
    over = f'over="{dump.over}" ' if dump.over else ""
    written = []
    if over or dump.levels:  # what a driver said of the hierarchy
        written.append(f'<?replicant {over}levels="{dump.levels}"?>')
    width, height = dump.size
    size = f' width="{width}" height="{height}"' if any(dump.size) else ""
    written.append(f"<hierarchy{size}>")
    open_tags: list[tuple[int, str]] = []
    for node, given in zip(dump.nodes, dump.attributes, strict=True):
        while open_tags and open_tags[-1][0] != node.parent:
            written.append(f"</{open_tags.pop()[1]}>")
        tag = "node" if dump.platform == "android" else f"XCUIElementType{node.class_name}"
        written.append(f"<{tag}{rewriting.attributes(node, given)}>")
        open_tags.append((node.index, tag))
    written += [f"</{tag}>" for _, tag in reversed(open_tags)]
    return "".join([*written, "</hierarchy>"]).encode("utf-8", "replace")


class _Rewriting:
    """Of one hierarchy."""

    def __init__(self, dump: Dump, text: Change, named: Change) -> None:
        self._is_ios = dump.platform == "ios"
        self._text = text
        self._named = named
        self._in_keyboard: set[int] = set()

    def attributes(self, node: Node, given: Mapping[str, str]) -> str:
        """Nodes are given in their order."""
        if node.class_name == "Keyboard" or node.parent in self._in_keyboard:
            self._in_keyboard.add(node.index)
        if not self._is_ios and "class" not in given:
            given = {**given, "class": node.class_name}  # its tag was the class
        kept = {name: self._value(node, given, name) for name in given if name in _READ}
        return "".join(f" {name}={quoteattr(value)}" for name, value in kept.items())

    def _value(self, node: Node, given: Mapping[str, str], name: str) -> str:
        value = given[name]
        if not value or _is_number(name, value):
            return value
        if name in _NAMES:
            return self._named(value) if _CODE.fullmatch(value) else self._text(value)
        if _is_state(node, name, value):
            return value
        if name in _IDS and self._is_own(node, given, value):
            return self._named(value)
        return self._text(value)

    def _is_own(self, node: Node, given: Mapping[str, str], value: str) -> bool:
        """Whether an iPhone's element has an id here that is no text of the screen."""
        if node.index in self._in_keyboard and value in ENTER_KEYS:
            return True
        if node.class_name == "NavigationBar" and not re.search("[._]", value):  # its title
            return False
        shown = map(given.get, ("label", "value", "placeholderValue"))
        return value not in shown and _OWN_ID.fullmatch(value) is not None
