"""Which ids and labels can be expected to be the same tomorrow."""

from __future__ import annotations

import re

# A number that stands for itself: "Cart 3" and "5 min", but not the 3 of "MP3" or the 4 of "4K".
_NUMBER = re.compile(
    r"(?<![A-Za-z\d])(?<!\d[.,])\d+(?:[.,]\d+)*(?![A-Za-z\d]|[.,]\d)"
    r"|(?<![A-Za-z\d])(?<!\d[.,])\d+(?:[.,]\d+)*(?=(?:ms|s|sec|m|min|h|hr|d|w|am|pm|AM|PM|[kKMGT]i?B|km)\b)"
)
_SPECIAL = re.compile(r"[\\.^$*+?{}\[\]|()]")
_STATE_WORDS = frozenset({"on", "off", "checked", "unchecked", "not checked"})
_GENERATED = re.compile(
    r"^\d|obfuscated"  # numbered first, or stripped of its name by the build
    r"|[0-9a-f]{8}-[0-9a-f]{4}-"  # a UUID
    r"|(?=[a-f]*\d)[0-9a-f]{8,}$"  # the end of a hash
    r"|\d{3,}$|[-_:.]\d+$|^[A-Za-z]{1,2}\d+$"  # counted up
    r"|[:«_]r_?[0-9a-z]+[:»_]$",  # React's own
    re.IGNORECASE,
)
_FRAMEWORK = "android:id/"
LONGEST = 60
"""Characters of a label that reads well in a test."""
_FEWEST_LETTERS = 2
_LONGEST_ID = 80
_MOST_READ = 200  # characters of a label; a hostile one is a book


def is_volatile(label: str) -> bool:
    """Whether a label may read otherwise the next time, or says nothing to a reader."""
    return doubt(label) != ""


def doubt(label: str) -> str:
    """Why a label may not last, as a clause; "" where nothing speaks against it."""
    if _NUMBER.search(label[:_MOST_READ]):
        return "holds digits, which may change"
    if label.casefold() in _STATE_WORDS:
        return "names a state, which may change"
    return "" if any(map(str.isalnum, label)) else "is a sign, not a word"


def is_generated(short: str) -> bool:
    """Whether an id, without its package, was counted or drawn by a framework rather than chosen."""
    return len(short) > _LONGEST_ID or _GENERATED.search(short) is not None


def is_framework(resource_id: str) -> bool:
    """Whether every app and every dialog carries it, so that it says nothing about who does."""
    return resource_id.startswith(_FRAMEWORK)


def generalised(label: str) -> str:
    """A pattern for the label with any number in the place of each number; "" where too little else is left to
    recognise it by."""
    if len(label) > LONGEST:
        return ""
    parts: list[str] = []
    letters = end = 0
    for number in _NUMBER.finditer(label):
        parts.append(_escaped(label[end : number.start()]))
        letters += sum(map(str.isalpha, label[end : number.start()]))
        parts.append(r"[\d.,]+" if re.search("[.,]", number[0]) else r"\d+")
        end = number.end()
    letters += sum(map(str.isalpha, label[end:]))
    if not parts or letters < _FEWEST_LETTERS:
        return ""
    return f"^{''.join(parts)}{_escaped(label[end:])}$"


def beginning(label: str) -> str:
    """The first words of a long label, up to the first number; "" where that is next to nothing."""
    number = _NUMBER.search(label[:_MOST_READ])
    head = label[: number.start() if number else None]
    if len(head) > LONGEST:
        head = head[:LONGEST].rpartition(" ")[0] or head[:LONGEST]
    head = head.strip()
    return head if len(head) >= LONGEST // 4 else ""


def _escaped(text: str) -> str:
    """Like ``re.escape``, but white space and plain signs stay readable."""
    return _SPECIAL.sub(r"\\\g<0>", text)
