"""What an agent reads out of the lines that a session prints: elements, changes, proposed checks,
advice."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

_ELEMENT = re.compile(
    r'^(?P<indent> *)(?:- )?\[(?P<ref>[a-z]\d+)\](?: (?P<kind>[A-Z]\w*))?(?: "(?P<label>(?:[^"\\]|'
    r'\\.)*)")?'
    r"(?P<rest>.*)$"
)
_HEAD = re.compile(r"^(?P<name>[^\[\]\n]*?) ?\((?P<app>[a-z]\w*(?:\.\w+)+)\)$", re.IGNORECASE)
_DIALOG = re.compile(r'^Dialog(?: "(?P<title>.*)")?$')
_PROPOSED = re.compile(r"(\d+[a-z]+) (expect_\w+\(.*?\))(?=   \d+[a-z]+ expect_|$)", re.MULTILINE)
_RELABELLED = re.compile(
    r'^~ \[[a-z]\d+\].*: .*?label "(?:[^"\\]|\\.)*" → "(?P<new>(?:[^"\\]|\\.)*)"', re.MULTILINE
)
_NEXT = re.compile(r"Next: (?:mobile\.)?(?P<step>[a-z_]+\(.*\))")
_FIELDS = ("EditText", "TextField", "SecureTextField", "SearchField")
_PRESSED = (
    "Button",
    "ImageButton",
    "Switch",
    "CheckBox",
    "RadioButton",
    "Spinner",
    "CheckedTextView",
    "Picker",
)
_WORD = re.compile(r"[^\W\d_]+")
_EMPTY = frozenset(_WORD.findall("the a an to into of for it its in on and is that my your with"))


@dataclass(frozen=True)
class Shown:
    """One line of an outline. ``depth`` is its indentation, in characters."""

    ref: str
    kind: str
    label: str
    rest: str
    depth: int

    @property
    def is_field(self) -> bool:
        return self.kind in _FIELDS

    @property
    def is_pressed(self) -> bool:
        return self.kind in _PRESSED

    @property
    def text(self) -> str:
        """What is written on a control whose label says something else; "" where nothing is."""
        found = re.search(r'· "(.*)"', self.rest)
        return found[1] if found else ""

    @property
    def is_disabled(self) -> bool:
        return "[disabled]" in self.rest


@dataclass
class Seen:
    """A screen as it was printed: its name, a dialog's title where one is open, its elements from
    the top."""

    name: str = ""
    dialog: str | None = None
    elements: list[Shown] = field(default_factory=list)
    is_loading: bool = False

    def row_of(self, text: str) -> tuple[Shown, list[Shown]] | None:
        """The first element that holds the text, and what stands in the same row; None where there
        is none."""
        for place, one in enumerate(self.elements):
            if holds(one.label, text):
                inside = list(self._inside(place, one.depth))
                return one, inside
        return None

    def _inside(self, place: int, depth: int) -> Iterator[Shown]:
        for other in self.elements[place + 1 :]:
            if other.depth <= depth:
                return
            yield other


def holds(label: str, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(text.casefold())}(?!\w)", label.casefold()) is not None


def screen_in(text: str) -> Seen | None:
    """The outline in an answer; None where it printed only what changed."""
    seen: Seen | None = None
    for line in text.splitlines():
        if head := _HEAD.match(line):
            seen = Seen(head["name"].strip())
        elif seen is not None and (dialog := _DIALOG.match(line)):
            seen.dialog = dialog["title"] or ""
        elif seen is not None and (found := _ELEMENT.match(line)):
            label = _plain(found["label"] or "")
            seen.elements.append(
                Shown(found["ref"], found["kind"] or "", label, found["rest"], len(found["indent"]))
            )
        elif seen is not None and line == "(loading)":
            seen.is_loading = True
    return seen


def _plain(label: str) -> str:
    return label.replace('\\"', '"').replace("\\\\", "\\")


def proposed_in(text: str) -> list[tuple[str, str]]:
    """Id and code of each proposed check."""
    return _PROPOSED.findall(text)


def relabelled_in(text: str) -> list[str]:
    """The new texts of what changed."""
    return [_plain(found["new"]) for found in _RELABELLED.finditer(text)]


def advice_in(text: str) -> str:
    """A step that the answer says to do next; "" where there is none that can be pasted."""
    found = _NEXT.search(text)
    return found["step"] if found else ""


def words(text: str) -> frozenset[str]:
    """Of a text, without endings and what says nothing."""
    return frozenset(_stem(word.casefold()) for word in _WORD.findall(text)) - _EMPTY


def _stem(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def best(elements: Sequence[Shown], wanted: str) -> Shown | None:
    """The element whose label is most of all in the words, at least by half; else the shortest
    label that has all of the words. Controls go first. None where there is neither."""
    asked = words(wanted)

    def score(one: Shown) -> tuple[float, int, bool]:
        own = words(one.label)
        shared = own & asked
        return (len(shared) / len(own) if own else 0.0, len(shared), one.is_pressed)

    ranked = sorted((one for one in elements if score(one)[0] >= 0.5), key=score, reverse=True)
    if ranked:
        return ranked[0]
    whole = [one for one in elements if asked and asked <= words(one.label)]
    return min(whole, key=lambda one: (not one.is_pressed, len(one.label)), default=None)
