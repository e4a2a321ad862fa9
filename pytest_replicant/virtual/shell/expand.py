"""Turns a word of the command line into arguments: variables, splitting, file names."""

from __future__ import annotations

import fnmatch
import glob
import posixpath
import re
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING

from .syntax import Output, Part, Script, Text, Word

if TYPE_CHECKING:
    from ..system.files import FileSystem


Capture = Callable[[Script], Awaitable[str]]
_BLANKS = re.compile(r"[ \t\n]+")
_WILD = re.compile(r"[*?\[]")
Field = list[tuple[str, bool]]


async def expand_text(word: Word, variables: Mapping[str, str], capture: Capture) -> str:
    """Without splitting or file names: an assignment's value, a redirection's target."""
    return "".join([await _value(part, variables, capture) for part in word])


async def expand_word(
    word: Word, variables: Mapping[str, str], capture: Capture, files: FileSystem, folder: str
) -> list[str]:
    """No, one or several arguments."""
    fields: list[Field] = []
    current: Field | None = None
    for part in word:
        value = await _value(part, variables, capture)
        if isinstance(part, Text) or part.quoted:
            current = [*(current or []), (value, part.quoted)]
            continue
        for index, piece in enumerate(_BLANKS.split(value)):
            if index and current is not None:
                fields.append(current)
                current = None
            if piece:
                current = [*(current or []), (piece, False)]
    if current is not None:
        fields.append(current)
    return [argument for each in fields for argument in _file_names(each, files, folder)]


async def _value(part: Part, variables: Mapping[str, str], capture: Capture) -> str:
    if isinstance(part, Text):
        return part.text
    if isinstance(part, Output):
        return (await capture(part.script)).rstrip("\n")
    return variables.get(part.name, "") or part.default


async def expand_pattern(word: Word, variables: Mapping[str, str], capture: Capture) -> str:
    """For ``matches``: quoted parts stand for themselves."""
    values = [(await _value(part, variables, capture), part.quoted) for part in word]
    return "".join(glob.escape(value) if quoted else value for value, quoted in values)


def matches(text: str, pattern: str) -> bool:
    return re.fullmatch(fnmatch.translate(pattern), text) is not None


def _file_names(pieces: Field, files: FileSystem, folder: str) -> list[str]:
    literal = "".join(text for text, _ in pieces)
    if not any(_WILD.search(text) for text, quoted in pieces if not quoted):
        return [literal]
    pattern = "".join(glob.escape(text) if quoted else text for text, quoted in pieces)
    return matching_paths(pattern, files, folder) or [literal]


def matching_paths(pattern: str, files: FileSystem, folder: str) -> list[str]:
    """Paths that match, in the form of the pattern (relative stays relative), in order."""
    found = ["/" if pattern.startswith("/") else ""]
    for segment in [each for each in pattern.split("/") if each]:
        matcher = re.compile(fnmatch.translate(segment))
        found = [
            posixpath.join(above, name)
            for above in found
            for name in _names(files, posixpath.join(folder, above))
            if matcher.match(name) and (segment.startswith(".") or not name.startswith("."))
        ]
    return sorted(found)


def _names(files: FileSystem, folder: str) -> list[str]:
    try:
        return [name for name, _ in files.list(folder)]
    except OSError:
        return []
