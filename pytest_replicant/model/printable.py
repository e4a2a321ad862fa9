"""How things stand in a line that a person reads: text whose control characters would be obeyed,
counts, phones, paths."""

from __future__ import annotations

import html
import os
from collections.abc import Sequence
from datetime import datetime, timezone
from pathlib import Path

from .aliases import AnyMapping
from .quoting import shortened, shown_name

LONGEST = 400
LONGEST_LINE = 600  # of a sentence, a path or a command, which is printed whole
LONGEST_TITLE = 300
LONGEST_TEXT = 200_000
_KEPT = frozenset("\n\t")


def printable(text: str, longest: int = LONGEST) -> str:
    """One line without control characters, marks that turn it around, and halves of characters:
    each stands as Python writes it."""
    cut = shortened(text, longest)
    if cut.isprintable():
        return cut
    shown = (
        each if each.isprintable() else each.encode("unicode_escape").decode("ascii")
        for each in cut
    )
    return shortened("".join(shown), longest)


def preformatted(lines: Sequence[str]) -> str:
    """Printable lines as Markdown in which nothing of them is markup, a mention or a link."""
    return "\n".join(["<pre>", *map(html.escape, lines), "</pre>"])


def counted(count: int, noun: str) -> str:
    """``"2 causes"``."""
    return f"{count} {noun}{'' if count == 1 else 's'}"


def few(lines: Sequence[str], most: int, noun: str = "") -> list[str]:
    """The first ones, and how many there are besides."""
    return [*lines[:most], *left_out(lines, most, noun)]


def left_out(things: Sequence[object], most: int, noun: str = "") -> list[str]:
    """``["and 2 more tests"]``; nothing if there are no more than ``most``."""
    more = len(things) - most
    return [f"and {counted(more, f'more {noun}') if noun else f'{more} more'}"] if more > 0 else []


def as_seen_from(path: Path, folder: Path) -> Path:
    """The shorter way to say it, where it lies below where the reader stands."""
    return path.relative_to(folder) if path.is_relative_to(folder) else path


def seen_from(path: str | Path | None, folder: str | Path) -> str:
    """The way from the folder to the path, whether it lies below it or not; "" if there is none: of
    no path, on another drive of Windows, or out of a folder that is gone."""
    if path is None:
        return ""
    try:
        return Path(os.path.relpath(path, folder)).as_posix()
    except (ValueError, OSError):
        return ""


def date_of(seconds: float) -> str:
    """A moment in seconds of the epoch, in ISO 8601, to the millisecond."""
    return datetime.fromtimestamp(seconds, timezone.utc).isoformat(timespec="milliseconds")


def phone_name(device: AnyMapping) -> str:
    """``"android:R58M"``: how the user names the phone; ``"virtual-1"``."""
    uri, serial = str(device.get("uri") or ""), str(device.get("serial") or "")
    name = shown_name(uri, serial)
    return name if serial in name else f"{name} {serial}".strip()


def plain_text(text: str, longest: int = LONGEST_TEXT) -> str:
    """Allure writes UTF-8 and JSON, which half a surrogate pair or a control character stops; a
    mark that turns the direction of writing would make a report say something else."""
    cut = (
        text
        if len(text) <= longest
        else f"{text[:longest]} … {len(text) - longest} characters more"
    )
    return "".join(
        character if character.isprintable() or character in _KEPT else "\ufffd"
        for character in cut
    )


def one_line(text: str, longest: int = LONGEST_TITLE) -> str:
    """For titles, labels and parameters, which a report shows in one line."""
    return plain_text(" ".join(text.split()) if text.strip() else "", longest)
