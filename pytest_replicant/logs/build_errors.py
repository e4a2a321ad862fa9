"""Errors of a build, as values: what compilers print, and what PowerShell makes of it. Pure."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Literal
from urllib.parse import unquote

BuildErrorKind = Literal["kotlin", "java", "compiler", "dependency", "sdk", "jvm", "command", "gradle"]
"""Whose word it is, a compiler's or the build tool's own, as far as advice depends on it."""

Verdict = Literal["successful", "failed", "unknown"]

LONGEST_MESSAGE = 500


@dataclass(frozen=True)
class BuildError:
    """One error. ``file`` as the build printed it; ``task`` is Gradle's, such as ``:app:compileDebugKotlin``."""

    kind: BuildErrorKind
    message: str
    file: str | None = None
    line: int | None = None
    column: int | None = None
    task: str = ""


@dataclass(frozen=True)
class BuildSummary:
    """Summary of a build's output. ``errors`` begin with the cause; ``error_count`` counts those that were too
    many to keep as well. ``task`` is the first one that failed."""

    verdict: Verdict
    task: str = ""
    errors: tuple[BuildError, ...] = ()
    error_count: int = 0


_FOR_EDITORS = "AGPBI: "
_KOTLIN_PLACES = (
    re.compile(r"(?:file://)?(?P<file>\S.*?\.\w+):(?P<line>\d+):(?P<column>\d+):? (?P<message>.*)"),
    re.compile(r"(?P<file>\S.*?\.\w+): \((?P<line>\d+), (?P<column>\d+)\): (?P<message>.*)"),
    re.compile(r"(?:file://)?(?P<file>\S.*?\.\w+):(?P<line>\d+): (?P<message>.*)"),
)
_GENERATING = r"generating class file [^(]*\(compiled from \[(?P<file>[^\]]*)\]\): *(?P<message>.*)"
_BACKEND_FILE = r"File being compiled: (?:\((?P<line>\d+), ?(?P<column>\d+)\) in )?(?P<file>\S.*)"

# path/to/File.java:12: error: message. Columns, ranges and who says so differ from tool to tool.
_PLACED = (
    r"(?:ERROR: ?|C/C\+\+: )?(?P<file>\S.*?\.\w{1,10}):(?P<line>\d+)(?::(?P<column>\d+))?(?:-\d+(?::\d+)?)?:? "
    r"(?:AAPT: )?(?:fatal )?(?:[Ee]rror|ERROR): ?(?P<message>.*)"
)
_FILE_ONLY = r"(?:ERROR: ?)?(?P<file>\S.*?\.\w{1,10}): (?:AAPT: )?error: (?P<message>.*)"
_MANIFEST = (
    r"(?P<file>\S.*?\.xml)(?::(?P<line>\d+)(?::(?P<column>\d+))?(?:-\d+(?::\d+)?)?)?:? Error:\s*(?P<message>.*)"
)
_BARE = r"(?:ERROR: ?(?:AAPT: )?(?:error: )?|error: )(?P<message>\S.*)"

_KINDS: dict[str, BuildErrorKind] = {"java": "java", "kt": "kotlin", "kts": "kotlin"}
_PLAIN: tuple[tuple[str, BuildErrorKind], ...] = (
    (r"(?:ERROR: )?(?P<message>(?:JAVA_HOME|The JAVA_HOME) .*)", "jvm"),
    (r"Error: (?P<message>Could not find or load main class .*)", "gradle"),
    (r"Exception in thread \"[^\"]*\" (?P<message>.*)", "gradle"),
    (r"(?P<message>Could not (?:create|reserve) .*(?:virtual machine|object heap).*)", "jvm"),
    (r"(?:Error: ?)?(?P<message>(?:ERROR: )?(?:R8|D8): .*)", "compiler"),
    (r"(?P<message>.*Type \S+ is defined multiple times: .*)", "compiler"),
    (
        r"(?P<message>(?:\S*sh: )(?:line )?\d*:? ?\S.*: (?:(?:command )?not found|Permission denied|"
        r"No such file or directory))",
        "command",
    ),
    (r"(?P<message>'.+' is not recognized as an internal or external command.*)", "command"),
    (r"xcodebuild: error: (?P<message>.*)", "compiler"),
)
_PLAIN_WORDS = r"JAVA_HOME|main class|Exception in|machine|heap|[RD]8:|Type |sh: |recognized|xcodebuild"


def read_error(line: str) -> BuildError | None:
    """Error in a line. Gradle indents those that it repeats."""
    text = re.sub(r"(?:> )?(?:Output: +)?", "", line.strip(), count=1)
    if text.startswith(_FOR_EDITORS):
        return None  # the same stands in the next lines for people
    if text.startswith("e: "):
        return _kotlin(text[3:])
    if "rror" in text or "ERROR" in text:
        if (found := re.fullmatch(_PLACED, text)) and found["message"]:
            return _error(_kind(found), found)
        # The message of a manifest's may go on in the next line.
        if found := re.fullmatch(_MANIFEST, text) or re.fullmatch(_FILE_ONLY, text):
            return _error(_kind(found), found)
    if re.search(_PLAIN_WORDS, text):
        for pattern, kind in _PLAIN:
            if found := re.fullmatch(pattern, text):
                return _error(kind, found)
    found = re.fullmatch(_BARE, text)
    return _error("compiler", found) if found else None


def backend_file(line: str) -> tuple[str, int | None, int | None] | None:
    """File that the Kotlin compiler was at when it crashed itself."""
    found = re.match(_BACKEND_FILE, line.strip())
    if found is None:
        return None
    return _path(found["file"]), _number(found["line"]), _number(found["column"])


def _kotlin(message: str) -> BuildError:
    message = re.sub(r"^\[(?:ksp|kapt)\] *", "", message)
    found = next((found for place in _KOTLIN_PLACES if (found := place.fullmatch(message))), None)
    if found:
        return _error("kotlin", found)
    generating = re.search(_GENERATING, message)
    if generating:
        return BuildError("kotlin", generating["message"] or message, _path(generating["file"]))
    return BuildError("kotlin", message)


def _error(kind: BuildErrorKind, found: re.Match[str]) -> BuildError:
    """The error that a pattern has found, as far as it has such groups."""
    said = found.groupdict()
    file, line, column = (said.get(name) for name in ("file", "line", "column"))
    return BuildError(kind, said["message"], _path(file) if file else None, _number(line), _number(column))


def _kind(found: re.Match[str]) -> BuildErrorKind:
    return _KINDS.get(_path(found["file"]).rpartition(".")[2].lower(), "compiler")


def _path(given: str) -> str:
    """Kotlin writes a URI: with its escapes, and a slash before the drive."""
    path = unquote(given) if "%" in given else given
    drive = re.match(r"/(?=[A-Za-z]:[/\\])", path)
    return path[drive.end() :] if drive else path


def _number(digits: str | None) -> int | None:
    return int(digits) if digits and len(digits) < 10 else None


_RECORD = re.compile(r"\S.{0,200}? : (?=\S)")
_ANEW = r"\s|$|[ew]: |[>*+] |FAILURE|BUILD |\[Incubating|\[KOTLIN|Caused by|\d+ actionable"
_LAST_OF_RECORD = "+ FullyQualifiedErrorId"
_MOST_LINES = 400
_MOST_DETAILS = 12


def unwrapped(lines: Iterable[str]) -> Iterator[str]:
    """Lines of the program. Those that PowerShell never touched are kept as they are.

    The first record names the command (``.\\gradlew.bat : e: ...``) and is followed by where it was called from,
    in the language of the system; the others are only broken.
    """
    width = 0
    for block, start in _blocks(lines):
        before, record = block[:start], block[start:-1]
        if width and before and before[0].startswith(("e: ", "w: ")):
            width = max(width, *map(len, before))
            before = [*_rejoined(before, width)]
        yield from before
        found = _RECORD.match(record[0]) if record else None
        if found:
            width = max(width, *map(len, record))
            yield from _rejoined(record, width, skip=found.end())


def _rejoined(pieces: list[str], width: int, skip: int = 0) -> Iterator[str]:
    """Joins a broken line: it broke after a space, which stays at its end, or in a word that had no room."""
    text, before = pieces[0][skip:], pieces[0]
    for piece in pieces[1:]:
        if before.endswith(" ") or len(before) >= width:
            text += piece
        else:
            yield text
            text = piece
        before = piece
    yield text


def _blocks(lines: Iterable[str]) -> Iterator[tuple[list[str], int]]:
    """A line with those that may go on with it, and where in them a record of PowerShell begins; that it is one
    shows by what stands below it and is left out: the place that it was called from, and the kind of error."""
    source = iter(lines)
    ahead: deque[str] = deque()  # lines that were looked at before it was their turn

    def look(count: int) -> bool:
        if len(ahead) < count:
            ahead.extend(islice(source, count - len(ahead)))
        return bool(ahead)

    while look(1):
        block = [ahead.popleft()]
        while look(1) and len(block) <= _MOST_LINES and not re.match(_ANEW, ahead[0]):
            block.append(ahead.popleft())
        start = next((at for at, line in enumerate(block[:-1]) if _RECORD.match(line)), len(block))
        details = 0
        if start < len(block) and look(_MOST_DETAILS) and ahead[0].startswith("+ "):
            last = (at for at, line in enumerate(ahead, 1) if line.lstrip().startswith(_LAST_OF_RECORD))
            details = next(last, 0)
        for _ in range(details):
            ahead.popleft()
        yield block, start if details else len(block)
