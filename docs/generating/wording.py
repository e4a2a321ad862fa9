"""From a docstring to Markdown."""

from __future__ import annotations

import inspect
import re
import textwrap

WIDTH = 120


def words_of(thing: object) -> str:
    """Its docstring; "" if it has none of its own."""
    return inspect.getdoc(thing) or ""


def markdown(doc: str) -> str:
    """Code after two colons in a fence, names between two ticks between one, the rest in lines of
    one width."""
    parts: list[str] = []
    for block in re.split(r"\n\n(?=\S)", doc):
        text, _, code = block.partition("::\n\n")
        ending = ":" if code else ""
        filled = textwrap.fill(
            text.replace("``", "`") + ending, WIDTH, break_on_hyphens=False, break_long_words=False
        )
        parts.append(filled)
        if code:
            parts.append(f"```python\n{textwrap.dedent(code).rstrip()}\n```")
    return "\n\n".join(parts) + "\n"


def begun(doc: str) -> str:
    """The same, if a sentence has begun."""
    text = markdown(doc)
    return (text[0].lower() + text[1:]).strip()


def cell(doc: str) -> str:
    """The same, in one line of a table."""
    return " ".join(doc.split()).replace("``", "`").replace("|", "\\|")


def anchor(heading: str) -> str:
    """Where a link to a heading leads."""
    return heading.lower().replace(" ", "-")
