"""Errors of a build, as values: what compilers print, and what PowerShell makes of it. Pure."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal
from urllib.parse import unquote

BuildErrorKind = Literal[
    "kotlin",
    "java",
    "ksp",
    "compiler",
    "resource",
    "manifest",
    "lint",
    "dex",
    "dependency",
    "sdk",
    "jvm",
    "command",
    "gradle",
]
"""Whose word it is: a compiler's, a check's of what goes into the package, or the build tool's own."""

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
    many to keep as well. ``task`` is the first one that failed, ``seconds`` what the build says it took."""

    verdict: Verdict
    task: str = ""
    seconds: float | None = None
    errors: tuple[BuildError, ...] = ()
    error_count: int = 0
    warning_count: int = 0


_BEFORE = re.compile(r"(?:> )?(?:Output: +)?")
_FOR_EDITORS = "AGPBI: "
_PROCESSOR = re.compile(r"\[(?P<name>ksp|kapt)\] *")
_KOTLIN_PLACES = (
    re.compile(r"(?:file://)?(?P<file>\S.*?\.\w+):(?P<line>\d+):(?P<column>\d+):? (?P<message>.*)"),
    re.compile(r"(?P<file>\S.*?\.\w+): \((?P<line>\d+), (?P<column>\d+)\): (?P<message>.*)"),
    re.compile(r"(?:file://)?(?P<file>\S.*?\.\w+):(?P<line>\d+): (?P<message>.*)"),
)
_GENERATING = re.compile(r"generating class file [^(]*\(compiled from \[(?P<file>[^\]]*)\]\): *(?P<message>.*)")
_BACKEND_FILE = re.compile(r"File being compiled: (?:\((?P<line>\d+), ?(?P<column>\d+)\) in )?(?P<file>\S.*)")
_DRIVE = re.compile(r"/(?=[A-Za-z]:[/\\])")

# path/to/File.java:12: error: message. Columns, ranges and who says so differ from tool to tool.
_PLACED = re.compile(
    r"(?:ERROR: ?|C/C\+\+: )?(?P<file>\S.*?\.\w{1,10}):(?P<line>\d+)(?::(?P<column>\d+))?(?:-\d+(?::\d+)?)?:? "
    r"(?P<aapt>AAPT: )?(?:fatal )?(?P<word>[Ee]rror|ERROR): ?(?P<message>.*)"
)
_FILE_ONLY = re.compile(r"(?:ERROR: ?)?(?P<file>\S.*?\.\w{1,10}): (?:AAPT: )?error: (?P<message>.*)")
_MANIFEST = re.compile(
    r"(?P<file>\S.*?\.xml)(?::(?P<line>\d+)(?::(?P<column>\d+))?(?:-\d+(?::\d+)?)?)?:? Error:(?P<message>.*)"
)
_LINT_ID = re.compile(r"\[\w+(?: from [^\]]+)?\]$")
_BARE = re.compile(r"(?:ERROR: ?(?P<aapt>AAPT: )?(?:error: )?|error: )(?P<message>\S.*)")

_KINDS: dict[str, BuildErrorKind] = {
    "java": "java",
    "kt": "kotlin",
    "kts": "kotlin",
    "xml": "resource",
    "png": "resource",
    "webp": "resource",
}
_PLAIN: tuple[tuple[re.Pattern[str], BuildErrorKind], ...] = (
    (re.compile(r"(?:ERROR: )?(?P<message>(?:JAVA_HOME|The JAVA_HOME) .*)"), "jvm"),
    (re.compile(r"Error: (?P<message>Could not find or load main class .*)"), "gradle"),
    (re.compile(r"Exception in thread \"[^\"]*\" (?P<message>.*)"), "gradle"),
    (re.compile(r"(?P<message>Could not (?:create|reserve) .*(?:virtual machine|object heap).*)"), "jvm"),
    (re.compile(r"(?:Error: ?)?(?P<message>(?:ERROR: )?(?:R8|D8): .*)"), "dex"),
    (re.compile(r"(?P<message>.*Type \S+ is defined multiple times: .*)"), "dex"),
    (re.compile(r"(?P<message>(?:\S*sh: )(?:line )?\d*:? ?\S.*: (?:command )?not found)"), "command"),
    (re.compile(r"(?P<message>(?:\S*sh: )(?:line )?\d*:? ?\S.*: Permission denied)"), "command"),
    (re.compile(r"(?P<message>(?:\S*sh: )(?:line )?\d*:? ?\S.*: No such file or directory)"), "command"),
    (re.compile(r"(?P<message>'.+' is not recognized as an internal or external command.*)"), "command"),
    (re.compile(r"xcodebuild: error: (?P<message>.*)"), "compiler"),
)
_PLAIN_WORDS = re.compile(
    r"JAVA_HOME|main class|Exception in|machine|heap|[RD]8:|Type |sh: |recognized|xcodebuild"
)


def read_error(line: str) -> BuildError | None:
    """Error in a line. Gradle indents those that it repeats."""
    text = _BEFORE.sub("", line.strip(), count=1)
    if text.startswith(_FOR_EDITORS):
        return None  # the same stands in the next lines for people
    if text.startswith("e: "):
        return _kotlin(text)
    if "rror" in text or "ERROR" in text:
        for read in (_placed, _manifest, _file_only):
            error = read(text)
            if error is not None:
                return error
    if _PLAIN_WORDS.search(text):
        for pattern, kind in _PLAIN:
            found = pattern.fullmatch(text)
            if found:
                return BuildError(kind, found["message"])
    found = _BARE.fullmatch(text)
    return BuildError(_bare_kind(found), found["message"]) if found else None


def backend_file(line: str) -> tuple[str, int | None, int | None] | None:
    """File that the Kotlin compiler was at when it crashed itself."""
    found = _BACKEND_FILE.match(line.strip())
    if found is None:
        return None
    return _path(found["file"]), _number(found["line"]), _number(found["column"])


def _kotlin(text: str) -> BuildError:
    message, kind = text[3:], _kotlin_kind(text)
    processor = _PROCESSOR.match(message)
    if processor:
        message = message[processor.end() :]
    for pattern in _KOTLIN_PLACES:
        found = pattern.fullmatch(message)
        if found:
            column = _number(found["column"]) if "column" in pattern.groupindex else None
            return BuildError(kind, found["message"], _path(found["file"]), _number(found["line"]), column)
    generating = _GENERATING.search(message)
    if generating:
        return BuildError(kind, generating["message"] or message, _path(generating["file"]))
    return BuildError(kind, message)


def _kotlin_kind(text: str) -> BuildErrorKind:
    return "ksp" if _PROCESSOR.match(text, 3) else "kotlin"


def _placed(text: str) -> BuildError | None:
    found = _PLACED.fullmatch(text)
    if found is None or not found["message"]:
        return None
    file = _path(found["file"])
    kind: BuildErrorKind = _KINDS.get(file.rpartition(".")[2].lower(), "compiler")
    if found["aapt"]:
        kind = "resource"
    elif found["word"] == "Error" and _LINT_ID.search(found["message"]):
        kind = "lint"
    return BuildError(kind, found["message"], file, _number(found["line"]), _number(found["column"]))


def _manifest(text: str) -> BuildError | None:
    """Error in a manifest. Its message may go on in the next line."""
    found = _MANIFEST.fullmatch(text)
    if found is None:
        return None
    line, column = _number(found["line"]), _number(found["column"])
    return BuildError("manifest", found["message"].strip(), _path(found["file"]), line, column)


def _file_only(text: str) -> BuildError | None:
    found = _FILE_ONLY.fullmatch(text)
    if found is None:
        return None
    file = _path(found["file"])
    return BuildError(_KINDS.get(file.rpartition(".")[2].lower(), "compiler"), found["message"], file)


def _bare_kind(found: re.Match[str]) -> BuildErrorKind:
    if "R8" in found["message"]:
        return "dex"
    return "resource" if found["aapt"] or "resource " in found["message"] else "compiler"


def _path(given: str) -> str:
    """Kotlin writes a URI: with its escapes, and a slash before the drive."""
    path = unquote(given) if "%" in given else given
    drive = _DRIVE.match(path)
    return path[drive.end() :] if drive else path


def _number(digits: str | None) -> int | None:
    return int(digits) if digits and len(digits) < 10 else None


_RECORD = re.compile(r"\S.{0,200}? : (?=\S)")
_ANEW = re.compile(r"\s|$|[ew]: |[>*+] |FAILURE|BUILD |\[Incubating|\[KOTLIN|Caused by|\d+ actionable")
_LAST_OF_RECORD = "+ FullyQualifiedErrorId"
_MOST_LINES = 400
_MOST_DETAILS = 12


def unwrapped(lines: Iterable[str]) -> Iterator[str]:
    """Lines of the program. Those that PowerShell never touched are kept as they are.

    The first record names the command (``.\\gradlew.bat : e: ...``) and is followed by where it was called from,
    in the language of the system; the others are only broken.
    """
    ahead = _Ahead(lines)
    width = 0
    for line in ahead:
        found = _RECORD.match(line)
        record = ahead.record() if found else None
        if found and record is not None:
            width = max(width, *(len(each) for each in (line, *record)))
            yield from _rejoined([line, *record], width, skip=found.end())
        elif width and line.startswith(("e: ", "w: ")):
            pieces = [line, *ahead.continuation()]
            width = max(width, *map(len, pieces))
            yield from _rejoined(pieces, width)
        else:
            yield line


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


class _Ahead:
    """Lines, of which some were looked at before it was their turn."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._source = iter(lines)
        self._seen: deque[str] = deque()
        self._barren = 0  # so many of the next lines are known to be in no record

    def __iter__(self) -> Iterator[str]:
        while (line := self._next()) is not None:
            yield line

    def record(self) -> list[str] | None:
        """Rest of a record that was just begun, with all that PowerShell adds; None where it is none."""
        if self._barren:
            return None
        text: list[str] = []
        while len(text) < _MOST_LINES and (line := self._peek(len(text))) is not None:
            if line.startswith("+ ") and text:
                return self._without_details(text)
            if _ANEW.match(line):
                break
            text.append(line)
        self._barren = len(text)
        return None

    def _without_details(self, text: list[str]) -> list[str] | None:
        """Takes ``text`` and the lines that PowerShell adds, of which the last one names the command's place."""
        for at in range(len(text), len(text) + _MOST_DETAILS):
            line = self._peek(at)
            if line is not None and line.lstrip().startswith(_LAST_OF_RECORD):
                self._drop(at + 1)
                return text[:-1]
        self._barren = len(text)
        return None

    def continuation(self) -> list[str]:
        text: list[str] = []
        while len(text) < _MOST_LINES and (line := self._peek(0)) is not None and not _ANEW.match(line):
            text.append(line)
            self._drop(1)
        return text

    def _next(self) -> str | None:
        self._barren = max(self._barren - 1, 0)
        return self._seen.popleft() if self._seen else next(self._source, None)

    def _peek(self, at: int) -> str | None:
        while len(self._seen) <= at:
            line = next(self._source, None)
            if line is None:
                return None
            self._seen.append(line)
        return self._seen[at]

    def _drop(self, count: int) -> None:
        for _ in range(count):
            self._seen.popleft()
