"""Text of apps, tests and logs as the viewer may be given it: bounded, and nothing in it unseen or understood."""

from __future__ import annotations

import re
from collections.abc import Mapping

LONGEST_TITLE = 240
LONGEST_LINE = 1_000
LONGEST_MESSAGE = 20_000

# As trace.html shows them. Half a pair would besides stop the viewer, which puts names into addresses.
_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")
_FILLED_IN = re.compile(r"\{([^}]+)\}")


def shown(text: object, longest: int = LONGEST_MESSAGE) -> str:
    """The text with line breaks, cut; control and direction marks stand by number."""
    whole = str(text)
    if len(whole) > longest:
        whole = f"{whole[:longest]}… {len(whole) - longest:,} more characters"
    return whole if whole.isprintable() else _UNSEEN.sub(lambda sign: f"⟨U+{ord(sign[0]):04X}⟩", whole)


def line(text: object, longest: int = LONGEST_LINE) -> str:
    """The same on one line."""
    return " ".join(shown(text, longest).split())


def title(text: object) -> str:
    """A line, with wide braces around words: for narrow ones the viewer puts in a parameter, or nothing."""
    return _FILLED_IN.sub(r"｛\1｝", line(text, LONGEST_TITLE))


def spelled(value: object) -> str:
    """A recorded value as a reader would write it: no quotes and brackets around what needs none."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{name}: {spelled(one)}" for name, one in value.items())
    if isinstance(value, (list, tuple)):
        return ", ".join(spelled(one) for one in value)
    return "" if value is None else str(value)


def spelled_pairs(values: Mapping[str, object]) -> dict[str, str]:
    """What a record says by name, without what it leaves empty."""
    pairs = ((line(name, 80).replace("_", " "), line(spelled(value))) for name, value in values.items())
    return {name: value for name, value in pairs if value}
