"""The output of a build as values: what failed first, where, and how many more. Pure; one pass,
bounded memory.

Built for Gradle, whose tasks and verdict are read; compilers are understood no matter who runs
them, and what PowerShell makes of their lines is undone.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import islice, takewhile, zip_longest
from typing import Literal, NamedTuple
from urllib.parse import unquote

BuildErrorKind = Literal[
    "kotlin", "java", "compiler", "dependency", "sdk", "jvm", "command", "gradle"
]
"""Whose word it is, a compiler's or the build tool's own, as far as advice depends on it."""

Verdict = Literal["successful", "failed", "unknown"]

LONGEST_MESSAGE = 500


@dataclass(frozen=True)
class BuildError:
    """One error. ``file`` as the build printed it; ``task`` is Gradle's, such as
    ``:app:compileDebugKotlin``."""

    kind: BuildErrorKind
    message: str
    file: str | None = None
    line: int | None = None
    column: int | None = None
    task: str = ""


@dataclass(frozen=True)
class BuildSummary:
    """Summary of a build's output. ``errors`` begin with the cause; ``error_count`` counts those
    that were too many to keep as well. ``task`` is the first one that failed."""

    verdict: Verdict
    task: str = ""
    errors: tuple[BuildError, ...] = ()
    error_count: int = 0


_KOTLIN_PLACES = (
    r"(?:file://)?(?P<file>\S.*?\.\w+):(?P<line>\d+):(?P<column>\d+):? (?P<message>.*)",
    r"(?P<file>\S.*?\.\w+): \((?P<line>\d+), (?P<column>\d+)\): (?P<message>.*)",
    r"(?:file://)?(?P<file>\S.*?\.\w+):(?P<line>\d+): (?P<message>.*)",
)
_GENERATING = r"generating class file [^(]*\(compiled from \[(?P<file>[^\]]*)\]\): *(?P<message>.*)"
_BACKEND_FILE = r"File being compiled: (?:\((?P<line>\d+), ?(?P<column>\d+)\) in )?(?P<file>\S.*)"

# path/to/File.java:12: error: message. Columns, ranges and who says so differ from tool to tool.
_PLACED = (
    r"(?:ERROR: ?|"
    r"C/C\+\+: )?(?P<file>\S.*?\.\w{1,10}):(?P<line>\d+)(?::(?P<column>\d+))?(?:-\d+(?::\d+)?)?:? "
    r"(?:AAPT: )?(?:fatal )?(?:[Ee]rror|ERROR): ?(?P<message>.*)"
)
_FILE_ONLY = r"(?:ERROR: ?)?(?P<file>\S.*?\.\w{1,10}): (?:AAPT: )?error: (?P<message>.*)"
_MANIFEST = r"(?P<file>\S.*?\.xml)(?::(?P<line>\d+)(?::(?P<column>\d+))?(?:-\d+(?::\d+)?)?)?:? Error:\s*(?P<message>.*)"  # noqa: E501
_BARE = r"(?:ERROR: ?(?:AAPT: )?(?:error: )?|error: )(?P<message>\S.*)"

_BY_ENDING: dict[str, BuildErrorKind] = {"java": "java", "kt": "kotlin", "kts": "kotlin"}
_PLAIN: tuple[tuple[str, BuildErrorKind], ...] = (
    (r"(?:ERROR: )?(?P<message>(?:JAVA_HOME|The JAVA_HOME) .*)", "jvm"),
    (r"Error: (?P<message>Could not find or load main class .*)", "gradle"),
    (r"Exception in thread \"[^\"]*\" (?P<message>.*)", "gradle"),
    (r"(?P<message>Could not (?:create|reserve) .*(?:virtual machine|object heap).*)", "jvm"),
    (r"(?:Error: ?)?(?P<message>(?:ERROR: )?(?:R8|D8): .*)", "compiler"),
    (r"(?P<message>.*Type \S+ is defined multiple times: .*)", "compiler"),
    (
        r"(?P<message>(?:\S*sh: )(?:line )?\d*:? ?\S.*: (?:(?:command )?not found|Permission "
        r"denied|No such file or directory))",
        "command",
    ),
    (r"(?P<message>'.+' is not recognized as an internal or external command.*)", "command"),
    (r"xcodebuild: error: (?P<message>.*)", "compiler"),
)
_PLAIN_WORDS = (
    r"JAVA_HOME|main class|Exception in|machine|heap|[RD]8:|Type |sh: |recognized|xcodebuild"
)


def read_error(line: str) -> BuildError | None:
    """Error in a line. Gradle indents those that it repeats."""
    text = re.sub(r"(?:> )?(?:Output: +)?", "", line.strip(), count=1)
    if text.startswith("AGPBI: "):
        return None  # the same stands in the next lines for people
    if text.startswith("e: "):
        return _kotlin(text[3:])
    if "rror" in text or "ERROR" in text:
        if (found := re.fullmatch(_PLACED, text)) and found["message"]:
            return _error(_kind_of(found), found)
        # The message of a manifest's may go on in the next line.
        if found := re.fullmatch(_MANIFEST, text) or re.fullmatch(_FILE_ONLY, text):
            return _error(_kind_of(found), found)
    if re.search(_PLAIN_WORDS, text):
        for pattern, kind in _PLAIN:
            if found := re.fullmatch(pattern, text):
                return _error(kind, found)
    found = re.fullmatch(_BARE, text)
    return _error("compiler", found) if found else None


def _kotlin(message: str) -> BuildError:
    message = re.sub(r"^\[(?:ksp|kapt)\] *", "", message)
    for place in _KOTLIN_PLACES:
        if found := re.fullmatch(place, message):
            return _error("kotlin", found)
    if generating := re.search(_GENERATING, message):
        return BuildError("kotlin", generating["message"] or message, _path(generating["file"]))
    return BuildError("kotlin", message)


def _error(kind: BuildErrorKind, found: re.Match[str]) -> BuildError:
    """The error that a pattern has found, as far as it has such groups."""
    said = found.groupdict()
    file, line, column = (said.get(name) for name in ("file", "line", "column"))
    return BuildError(
        kind, said["message"], _path(file) if file else None, _number(line), _number(column)
    )


def _kind_of(found: re.Match[str]) -> BuildErrorKind:
    return _BY_ENDING.get(_path(found["file"]).rpartition(".")[2].lower(), "compiler")


def _path(given: str) -> str:
    """Kotlin writes a URI: with its escapes, and a slash before the drive."""
    path = unquote(given) if "%" in given else given
    return re.sub(r"^/(?=[A-Za-z]:[/\\])", "", path)


def _number(digits: str | None) -> int | None:
    return int(digits) if digits and len(digits) < 10 else None


_RECORD = re.compile(r"\S.{0,200}? : (?=\S)")
_AFTER_RECORD = r"\s|$|[ew]: |[>*+] |FAILURE|BUILD |\[Incubating|\[KOTLIN|Caused by|\d+ actionable"
_LAST_OF_RECORD = "+ FullyQualifiedErrorId"
_MOST_LINES = 400
_MOST_DETAILS = 12


def unwrapped(lines: Iterable[str]) -> Iterator[str]:
    """Lines of the program. Those that PowerShell never touched are kept as they are.

    The first record names the command (``.\\gradlew.bat : e: ...``) and is followed by where it was
    called from, in the language of the system; the others are only broken.
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
    """Joins a broken line: it broke after a space, which stays at its end, or in a word that had no
    room."""
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
    """A line with those that may go on with it, and where in them a record of PowerShell begins;
    that it is one shows by what stands below it and is left out: the place that it was called from,
    and the kind of error."""
    source = iter(lines)
    ahead: deque[str] = deque()  # lines that were looked at before it was their turn

    def look(count: int) -> bool:
        if len(ahead) < count:
            ahead.extend(islice(source, count - len(ahead)))
        return bool(ahead)

    while look(1):
        block = [ahead.popleft()]
        while look(1) and len(block) <= _MOST_LINES and not re.match(_AFTER_RECORD, ahead[0]):
            block.append(ahead.popleft())
        start = next((at for at, line in enumerate(block[:-1]) if _RECORD.match(line)), len(block))
        details = 0
        if start < len(block) and look(_MOST_DETAILS) and ahead[0].startswith("+ "):
            last = (
                at for at, line in enumerate(ahead, 1) if line.lstrip().startswith(_LAST_OF_RECORD)
            )
            details = next(last, 0)
        for _ in range(details):
            ahead.popleft()
        yield block, start if details else len(block)


_BEGIN = r"FAILURE: |\d+: Task failed with an exception|\* What went wrong:|\* Where:"
_END = r"\* (?:Try|Exception is|Get more help)\b|BUILD FAILED|=========="
_WHERE = (
    r"(?:\S+ file|\S+ script|[Ss]cript|Settings|Build) '(?P<file>[^']+)'(?: line: (?P<line>\d+))?"
)
_TASK_FAILED = re.compile(r"Execution failed for task '(?P<task>[^']+)'")
_SAYS_MORE = r"(?!Searched in|Required by|Possible solution|- |If the artifact)"
_MOST_FAILURES = 50
_MOST_NOTES = 6

CONSEQUENCE = re.compile(
    r"Compilation (?:error|failed)|Internal compiler error\. See|.* file failed to compile|failed "
    r"linking|A failure occurred while executing|There was a failure while executing|\d+ errors?\b|"
    r"KSP failed|Android resource (?:linking|compilation) failed|Error while (?:annotation "
    r"processing|executing process)|Manifest merger failed with multiple errors|Script compilation "
    r"errors?|Could not compile |Multiple task action failures|Error: \d+ error|make: \*\*\*|"
    r"warnings found and|Could not load module <Error module>|Error occurred in KSP"
)
"""Lines that only repeat the cause: worth reporting if nothing else was reported."""

_KINDS: tuple[tuple[str, BuildErrorKind], ...] = (
    (
        r"SDK location not found|ailed to find (?:target|Build Tools|Platform)|licen[cs]es? (?:for|"
        r"have)|failed to install the following|NDK|Android Gradle plugin requires Java|sdk\.dir",
        "sdk",
    ),
    (
        r"class file major version|JAVA_HOME|[Jj]ava home|JVM|invalid source release|[Tt]oolchain|"
        r"Java heap|OutOfMemory|GC overhead|Metaspace|daemon|requires Java|Unsupported Java|"
        r"release version \d+",
        "jvm",
    ),
    (
        r"Could not (?:find (?!method|or load)|resolve |download |GET |HEAD )|No matching "
        r"(?:variant|configuration)|Plugin \[id: |was not found in any of the following",
        "dependency",
    ),
)


@dataclass
class _Cause:
    depth: int
    text: str
    notes: list[str] = field(
        default_factory=list
    )  # the lines below it that begin no cause of their own

    def message(self) -> str:
        """Its first lines; where a dependency was looked for, and by whom, is in the log."""
        return " ".join([self.text, *takewhile(re.compile(_SAYS_MORE).match, self.notes)])


@dataclass
class _Failure:
    file: str | None = None
    line: int | None = None
    causes: list[_Cause] = field(default_factory=list)
    _script_line: int = 0
    _script: list[tuple[int, str]] = field(
        default_factory=list
    )  # errors of a build script, by its lines

    def take_place(self, text: str) -> None:
        if found := re.search(_WHERE, text):
            self.file, self.line = found["file"], int(found["line"] or 0) or None

    def take_cause(self, line: str) -> None:
        text = line.strip()
        if cause := re.fullmatch(r"(?P<indent> *)> (?P<text>.*)", line):
            self.causes.append(_Cause(len(cause["indent"]) + 1, cause["text"]))
        elif not self.causes:
            self.causes.append(_Cause(0, text))
        elif script := re.match(r"Line (?P<line>\d+): ", text):
            self._script_line = int(script["line"])
        elif (error := re.match(r"\^ (?P<message>.*)", text)) and self._script_line:
            self._script.append((self._script_line, error["message"]))
        elif len(self.causes[-1].notes) < _MOST_NOTES:
            self.causes[-1].notes.append(text)

    def errors(self) -> Iterator[BuildError]:
        """One for each cause that has none of its own."""
        if self._script and self.file:
            for line, message in self._script:
                yield BuildError("gradle", message, self.file, line)
            return
        for leaf, below in zip_longest(self.causes, self.causes[1:]):
            if below and below.depth > leaf.depth:
                continue
            headline = self.causes[0].text
            failed = _TASK_FAILED.match(headline)
            task = failed or re.search(r"of task '(?P<task>:[^']+)'", headline)
            message = leaf.message()
            kind = _kind(message, headline)
            if leaf is not self.causes[0] and failed is None:
                message = f"{headline} {message}"
            yield BuildError(kind, message, self.file, self.line, task=task["task"] if task else "")


class GradleFailures:
    """A reader that is given line by line, and returns whether a line was its own."""

    def __init__(self) -> None:
        self._failures: list[_Failure] = []
        self._section = ""
        self._lines = 0

    def take(self, line: str) -> bool:
        text = line.strip()
        if re.match(_BEGIN, text):
            self._begin(text)
            return True
        if self._section and (re.match(_END, text) or self._lines > _MOST_LINES):
            self._section = ""
        if not self._section:
            return False
        self._lines += 1
        if text and self._section == "where":
            self._failures[-1].take_place(text)
        elif text and self._section == "what":
            self._failures[-1].take_cause(line.rstrip())
        return True

    def errors(self) -> Iterator[BuildError]:
        for failure in self._failures:
            yield from failure.errors()

    def _begin(self, text: str) -> None:
        if len(self._failures) == _MOST_FAILURES:
            self._section = "head"
            return
        self._lines = 0
        self._section = {"* Where:": "where", "* What went wrong:": "what"}.get(text, "head")
        before = self._failures[-1] if self._failures else None
        if not before or before.causes or (self._section == "head" and before.file):
            self._failures.append(_Failure())


def _kind(*texts: str) -> BuildErrorKind:
    for text in texts:
        for pattern, kind in _KINDS:
            if re.search(pattern, text):
                return kind
    return "gradle"


_LONGEST_LINE = 8000
_MOST_ERRORS = 500
_MOST_KNOWN = 50_000
_MOST_LINES_OF_ONE = 8
_MOST_WARNED = 20

_ESCAPES = r"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])"
_STAGE = r"> (?P<what>Task|Configure project|Transform) (?P<name>\S+)(?P<failed>.* FAILED\b)?"
_OLD_TASK = r"(?P<name>:[\w.-]+(?::[\w.-]+)*)(?: (?:(?P<failed>FAILED)|[A-Z-]+))?"
_VERDICT = r"BUILD (?:SUCCESSFUL|FAILED)(?: in [\dhms ]+)?|\*\* BUILD (?:SUCCEEDED|FAILED) \*\*.*"
_ANEW = re.compile(r"$|[ew]: |> |FAILURE: |BUILD |Caused by|\s+at |\* |\[Incubating|Note: ")


class Stage(NamedTuple):
    """Stage that Gradle is at: a task, or a project that it configures."""

    name: str
    is_task: bool
    failed: bool


def read_stage(line: str) -> Stage | None:
    """Stage that begins with a line. Gradle before 4 names the task and nothing else."""
    if found := re.match(_STAGE, line):
        return Stage(found["name"], found["what"] == "Task", bool(found["failed"]))
    if line.startswith(":") and (found := re.fullmatch(_OLD_TASK, line)):
        return Stage(found["name"], True, bool(found["failed"]))
    return None


def plain(line: str) -> str:
    """A line without colours, line end and the prefix of Gradle's logging; cut to a bearable
    length."""
    line = line[:_LONGEST_LINE].lstrip("\ufeff").rstrip("\r\n").replace("\0", "")
    if "\x1b" in line:
        line = re.sub(_ESCAPES, "", line)
    return re.sub(r"^[\d:T.+-]{8,40} \[[A-Z]{4,9}\] \[[\w.$]{1,200}\] ", "", line)


def read_build_output(lines: Iterable[str]) -> BuildSummary:
    """Lines in the order in which they were printed."""
    reader = _Reader()
    for line in unwrapped(map(plain, lines)):
        reader.take(line)
    return reader.summary()


@dataclass
class _Reader:
    _errors: list[BuildError] = field(default_factory=list)
    _known: set[int] = field(default_factory=set)
    _count: int = 0
    _task: str = ""
    _failed_task: str = ""
    _verdict: Verdict = "unknown"
    _open: _OpenError | None = None
    _warned: list[BuildError] = field(
        default_factory=list
    )  # the first warnings: they may be what was forbidden
    _gradle: GradleFailures = field(default_factory=GradleFailures)

    def take(self, line: str) -> None:
        if self._take_mark(line):
            return
        if error := read_error(line):
            self._close()
            self._open = _OpenError(replace(error, task=self._task))
            return
        if self._open and self._open.take(line):
            return
        self._close()
        is_warning = re.match(r"w: |(?:.{1,400}: )?[Ww]arning: ", line)
        if self._gradle.take(line) or not is_warning or len(self._warned) >= _MOST_WARNED:
            return
        warned = read_error(line.replace("w: ", "e: ", 1).replace("warning: ", "error: ", 1))
        if warned and warned.file:
            self._warned.append(_shortened(replace(warned, task=self._task)))

    def summary(self) -> BuildSummary:
        """Compilers come first: what Gradle says at the end mostly follows from them."""
        self._close()
        own = dict.fromkeys(map(_shortened, self._gradle.errors()))
        causes = [error for error in self._errors if not CONSEQUENCE.match(error.message)]
        causes += [error for error in own if not _is_explained(error, causes)]
        if any(error.message.startswith("warnings found and -Werror") for error in self._errors):
            causes += self._warned
        beyond = self._count - len(self._errors)
        causes = causes or self._errors or list(own)
        tasks = [self._failed_task, *(error.task for error in causes)]
        task = next(filter(None, tasks), "")
        return BuildSummary(self._verdict, task, tuple(causes), len(causes) + beyond)

    def _take_mark(self, line: str) -> bool:
        if stage := read_stage(line):
            self._close()
            self._task = stage.name if stage.is_task else ""
            if stage.failed:
                self._failed_task = self._failed_task or self._task
            return True
        verdict = re.fullmatch(_VERDICT, line.strip()) if "BUILD " in line else None
        if verdict:
            self._close()
            self._gradle.take(line)
            self._verdict = "failed" if "FAILED" in verdict[0] else "successful"
        return verdict is not None

    def _close(self) -> None:
        if not self._open:
            return
        error, self._open = self._open.whole(), None
        key = hash((error.file, error.line, error.column, error.message))
        if key in self._known:
            return
        if len(self._known) < _MOST_KNOWN:
            self._known.add(key)
        self._count += 1
        if len(self._errors) < _MOST_ERRORS:
            self._errors.append(error)


@dataclass
class _OpenError:
    """An error whose next lines may be its own."""

    error: BuildError
    _lines: int = 0
    _caret: bool = False
    _details: list[str] = field(default_factory=list)

    def take(self, line: str) -> bool:
        self._lines += 1
        error = self.error
        if self._lines > _MOST_LINES_OF_ONE:
            return False
        if error.kind == "java":
            return self._take_java(line)
        may_come = error.kind == "kotlin" and error.file is None
        if may_come and (found := re.match(_BACKEND_FILE, line.strip())):
            file, at, column = found["file"], found["line"], found["column"]
            self.error = replace(error, file=_path(file), line=_number(at), column=_number(column))
            return True
        if _ANEW.match(line):
            return False
        if not error.message or error.message.endswith(":"):
            self._details.append(line.strip())
            return True
        return may_come

    def whole(self) -> BuildError:
        error = self.error
        message = " ".join(filter(None, (error.message, *self._details)))
        if self._details and error.kind == "java":
            message = f"{error.message}: {', '.join(self._details)}"
        return _shortened(replace(error, message=message))

    def _take_java(self, line: str) -> bool:
        """Takes the line of code, the caret below it, and the compiler's details."""
        detail = re.match(r"\s*(?:symbol|location|required|found|reason): +(?P<detail>\S.*)", line)
        if detail:
            self._details.append(" ".join(detail["detail"].split()))
            return True
        if self._caret or _ANEW.match(line):
            return False
        self._caret = line.strip() == "^"
        return True


def _shortened(error: BuildError) -> BuildError:
    message = " ".join(error.message[: 2 * LONGEST_MESSAGE].split())
    if len(message) > LONGEST_MESSAGE:
        message = message[: LONGEST_MESSAGE - 1] + "…"
    return replace(error, message=message)


def _is_explained(own: BuildError, causes: list[BuildError]) -> bool:
    """Whether Gradle's failure only repeats one that a compiler has reported."""
    if CONSEQUENCE.match(own.message):
        return True
    placed = [error for error in causes if error.file]
    return any(
        (own.task and error.task == own.task)
        or error.file == own.file
        or error.message in own.message
        for error in placed
    )
