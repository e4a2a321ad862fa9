"""What Gradle itself says of a failure: the block from "FAILURE:" to "* Try:", as errors. Pure, line by line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from .build_error import BuildError, BuildErrorKind

_BEGIN = re.compile(r"FAILURE: |\d+: Task failed with an exception|\* What went wrong:|\* Where:")
_END = re.compile(r"\* (?:Try|Exception is|Get more help)\b|BUILD FAILED|==========")
_WHERE = re.compile(r"(?:\S+ file|\S+ script|[Ss]cript|Settings|Build) '(?P<file>[^']+)'(?: line: (?P<line>\d+))?")
_TASK_FAILED = re.compile(r"Execution failed for task '(?P<task>[^']+)'")
_NAMES_A_TASK = re.compile(r"of task '(?P<task>:[^']+)'")
_CAUSE = re.compile(r"(?P<indent> *)> (?P<text>.*)")
_SCRIPT_LINE = re.compile(r"Line (?P<line>\d+): ")
_SCRIPT_ERROR = re.compile(r"\^ (?P<message>.*)")
_MOST_FAILURES = 50
_MOST_LINES = 400
_MOST_NOTES = 6

CONSEQUENCE = re.compile(
    r"Compilation (?:error|failed)|Internal compiler error\. See|.* file failed to compile|failed linking|"
    r"A failure occurred while executing|There was a failure while executing|\d+ errors?\b|KSP failed|"
    r"Android resource (?:linking|compilation) failed|Error while (?:annotation processing|executing process)|"
    r"Manifest merger failed with multiple errors|Script compilation errors?|Could not compile |"
    r"Multiple task action failures|Error: \d+ error|make: \*\*\*|warnings found and|"
    r"Could not load module <Error module>|Error occurred in KSP"
)
"""What is said once the cause was told; only where nothing else was told, it is worth telling."""

_KINDS: tuple[tuple[re.Pattern[str], BuildErrorKind], ...] = (
    (re.compile(r"Manifest merger failed|ManifestMerger"), "manifest"),
    (re.compile(r"Android resource|AAPT"), "resource"),
    (
        re.compile(
            r"SDK location not found|ailed to find (?:target|Build Tools|Platform)|licen[cs]es? (?:for|have)|"
            r"failed to install the following|NDK|Android Gradle plugin requires Java|sdk\.dir"
        ),
        "sdk",
    ),
    (
        re.compile(
            r"class file major version|JAVA_HOME|[Jj]ava home|JVM|invalid source release|[Tt]oolchain|Java heap|"
            r"OutOfMemory|GC overhead|Metaspace|daemon|requires Java|Unsupported Java|release version \d+"
        ),
        "jvm",
    ),
    (re.compile(r"Lint found|[Ll]int"), "lint"),
    (re.compile(r"\b[DR]8\b|\bdex|Duplicate class|Missing class|defined multiple times"), "dex"),
    (
        re.compile(
            r"Could not (?:find (?!method|or load)|resolve |download |GET |HEAD )|"
            r"No matching (?:variant|configuration)|Plugin \[id: |was not found in any of the following"
        ),
        "dependency",
    ),
)


@dataclass
class _Cause:
    depth: int
    text: str
    notes: list[str] = field(default_factory=list)  # the lines below it that begin no cause of their own


@dataclass
class _Failure:
    file: str | None = None
    line: int | None = None
    causes: list[_Cause] = field(default_factory=list)
    script: list[tuple[int, str]] = field(default_factory=list)  # errors of a build script, by its lines


class GradleFailures:
    """Told line by line; says whether a line was its own."""

    def __init__(self) -> None:
        self._failures: list[_Failure] = []
        self._section = ""
        self._lines = 0
        self._script_line = 0

    def take(self, line: str) -> bool:
        text = line.strip()
        if _BEGIN.match(text):
            self._begin(text)
            return True
        if self._section and (_END.match(text) or self._lines > _MOST_LINES):
            self._section = ""
        if not self._section:
            return False
        self._lines += 1
        if text and self._section == "where":
            self._take_place(text)
        elif text and self._section == "what":
            self._take_cause(line.rstrip(), text)
        return True

    def errors(self) -> Iterator[BuildError]:
        for failure in self._failures:
            yield from _errors(failure)

    def _begin(self, text: str) -> None:
        if len(self._failures) == _MOST_FAILURES:
            self._section = "head"
            return
        self._lines = 0
        section = {"* Where:": "where", "* What went wrong:": "what"}.get(text, "head")
        before = self._failures[-1] if self._failures else None
        if before is None or before.causes or (section == "head" and before.file):
            self._failures.append(_Failure())
        self._section = section

    def _take_place(self, text: str) -> None:
        found = _WHERE.search(text)
        if found:
            failure = self._failures[-1]
            failure.file, failure.line = found["file"], int(found["line"] or 0) or None

    def _take_cause(self, line: str, text: str) -> None:
        causes = self._failures[-1].causes
        cause = _CAUSE.fullmatch(line)
        if cause or not causes:
            causes.append(_Cause(len(cause["indent"]) + 1, cause["text"]) if cause else _Cause(0, text))
        elif script := _SCRIPT_LINE.match(text):
            self._script_line = int(script["line"])
        elif (error := _SCRIPT_ERROR.match(text)) and self._script_line:
            self._failures[-1].script.append((self._script_line, error["message"]))
        elif len(causes[-1].notes) < _MOST_NOTES:
            causes[-1].notes.append(text)


def _errors(failure: _Failure) -> Iterator[BuildError]:
    causes = failure.causes
    if not causes:
        return
    if failure.script and failure.file:
        for line, message in failure.script:
            yield BuildError("gradle", message, failure.file, line)
        return
    headline = causes[0].text
    task = _TASK_FAILED.match(headline) or _NAMES_A_TASK.search(headline)
    for at in _leaves(causes):
        leaf = causes[at]
        message = _message(leaf)
        if leaf is not causes[0] and _TASK_FAILED.match(headline) is None:
            message = f"{headline} {message}"
        yield BuildError(
            _kind(leaf, causes), message, failure.file, failure.line, task=task["task"] if task else ""
        )


def _leaves(causes: list[_Cause]) -> Iterator[int]:
    """The causes that have none of their own."""
    for at, cause in enumerate(causes):
        if at + 1 == len(causes) or causes[at + 1].depth <= cause.depth:
            yield at


def _message(cause: _Cause) -> str:
    """The first lines; where a dependency was looked for, and who wants it, is in the log."""
    kept = [cause.text]
    for note in cause.notes:
        if note.startswith(("Searched in", "Required by", "Possible solution", "- ", "If the artifact")):
            break
        kept.append(note)
    return " ".join(kept)


def _kind(leaf: _Cause, causes: list[_Cause]) -> BuildErrorKind:
    for text in (_message(leaf), causes[0].text):
        for pattern, kind in _KINDS:
            if pattern.search(text):
                return kind
    return "gradle"
