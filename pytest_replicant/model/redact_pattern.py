"""Patterns of what no report may show, searched for in linear time however long a text is."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator

REACH = 2_000
"""Characters that one search looks at beyond the place where it begins. A pattern that tries every start against
all of the rest, as ``\\w+@`` does, would take minutes for a long text; so a match is found up to this length, and
a longer one where its beginning already matches."""


def compiled(source: str) -> re.Pattern[str]:
    """Raises ``ValueError`` that says what is wrong with it."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of what may mean something else in a later Python
            pattern = re.compile(source)
            nothing = pattern.search("") is not None
    except (re.error, OverflowError, RecursionError) as error:
        raise ValueError(f"not a regular expression: {error}") from None
    if nothing:
        raise ValueError("it matches the empty text, which stands everywhere; + instead of * may be what is meant")
    return pattern


def masked(pattern: re.Pattern[str], text: str, mask: str) -> str:
    """The text with ``mask`` in the place of each match."""
    parts: list[str] = []
    done = 0
    for start, end in matches(pattern, text):
        parts += (text[done:start], mask)
        done = end
    return "".join((*parts, text[done:])) if parts else text


def matches(pattern: re.Pattern[str], text: str) -> Iterator[tuple[int, int]]:
    """Where it matches, from left to right, none of them empty."""
    at = 0
    while at < len(text):
        begin_before = at + REACH
        looked_at = min(begin_before + REACH, len(text))
        match = _next(pattern, text, at, looked_at)
        if match is None or match.start() >= begin_before:
            at = begin_before
            continue
        if match.end() == looked_at < len(text):  # it may go on
            match = pattern.match(text, match.start()) or match
        yield match.span()
        at = match.end()


def _next(pattern: re.Pattern[str], text: str, at: int, end: int) -> re.Match[str] | None:
    """The next match that holds anything; an empty one, as of ``\\b``, has nothing to hide."""
    return next((match for match in pattern.finditer(text, at, end) if match.end() > match.start()), None)
