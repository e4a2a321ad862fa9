"""The output of a build as values: what failed first, where, and how many more. Pure; one pass, bounded memory.

Built for Gradle, whose tasks and verdict are read; compilers are understood whoever runs them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from .build_error import LONGEST_MESSAGE, BuildError, BuildSummary, Verdict
from .compiler_errors import backend_file, read_error
from .gradle import CONSEQUENCE, GradleFailures
from .powershell import unwrapped

_LONGEST_LINE = 8000
_MOST_ERRORS = 500
_MOST_KNOWN = 50_000
_MOST_LINES_OF_ONE = 8
_MOST_WARNED = 20
_WARNINGS_FORBIDDEN = "warnings found and -Werror"

_ESCAPES = re.compile(r"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])")
_STAGE = re.compile(r"> (?P<what>Task|Configure project|Transform) (?P<name>\S+)(?P<failed>.* FAILED\b)?")
_OLD_TASK = re.compile(r"(?P<name>:[\w.-]+(?::[\w.-]+)*)(?: (?:(?P<failed>FAILED)|[A-Z-]+))?")
_LOGGED = re.compile(r"[\d:T.+-]{8,40} \[[A-Z]{4,9}\] \[[\w.$]{1,200}\] ")
_VERDICT = re.compile(
    r"BUILD (?:SUCCESSFUL|FAILED)(?: in (?P<took>[\dhms ]+))?|\*\* BUILD (?:SUCCEEDED|FAILED) \*\*.*"
)
_DURATION = re.compile(r"(\d+)(ms|h|m|s)")
_SECONDS = {"h": 3600.0, "m": 60.0, "s": 1.0, "ms": 0.001}
_WARNING = re.compile(r"w: |(?:.{1,400}: )?[Ww]arning: ")
_ANEW = re.compile(r"$|[ew]: |> |FAILURE: |BUILD |Caused by|\s+at |\* |\[Incubating|Note: ")
_JAVA_DETAIL = re.compile(r"\s*(?:symbol|location|required|found|reason): +(?P<told>\S.*)")


class Stage(NamedTuple):
    """What Gradle is at: a task, or a project that it configures."""

    name: str
    is_task: bool
    failed: bool


def read_stage(line: str) -> Stage | None:
    """Of a line that begins one. Gradle before 4 names the task and nothing else."""
    found = _STAGE.match(line)
    if found:
        return Stage(found["name"], found["what"] == "Task", bool(found["failed"]))
    found = _OLD_TASK.fullmatch(line) if line.startswith(":") else None
    return Stage(found["name"], True, bool(found["failed"])) if found else None


def decoded(data: bytes) -> str:
    """As a console wrote it: UTF-16 where it says so, as PowerShell's redirection does, else UTF-8."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", errors="replace")
    return data.decode("utf-8-sig", errors="replace")


def plain(line: str) -> str:
    """A line without colours, line end, and what Gradle's own logging puts before it; of a bearable length."""
    line = line[:_LONGEST_LINE].lstrip("\ufeff").rstrip("\r\n").replace("\0", "")
    line = _ESCAPES.sub("", line) if "\x1b" in line else line
    logged = _LOGGED.match(line)
    return line[logged.end() :] if logged else line


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
    _warnings: int = 0
    _task: str = ""
    _failed_task: str = ""
    _verdict: Verdict = "unknown"
    _seconds: float | None = None
    _open: _OpenError | None = None
    _warned: list[BuildError] = field(default_factory=list)  # the first warnings: they may be what was forbidden
    _gradle: GradleFailures = field(default_factory=GradleFailures)

    def take(self, line: str) -> None:
        if self._take_mark(line):
            return
        error = read_error(line)
        if error is not None:
            self._close()
            self._open = _OpenError(replace(error, task=self._task))
            return
        if self._open is not None and self._open.take(line):
            return
        self._close()
        if not self._gradle.take(line) and _WARNING.match(line):
            self._warn(line)

    def _warn(self, line: str) -> None:
        self._warnings += 1
        if len(self._warned) < _MOST_WARNED:
            warned = read_error(line.replace("w: ", "e: ", 1).replace("warning: ", "error: ", 1))
            if warned is not None and warned.file is not None:
                self._warned.append(_shortened(replace(warned, task=self._task)))

    def summary(self) -> BuildSummary:
        """Compilers come first: what Gradle says at the end mostly follows from them."""
        self._close()
        own = dict.fromkeys(map(_shortened, self._gradle.errors()))
        causes = [error for error in self._errors if not CONSEQUENCE.match(error.message)]
        causes += [error for error in own if not _is_explained(error, causes)]
        if any(error.message.startswith(_WARNINGS_FORBIDDEN) for error in self._errors):
            causes += self._warned
        beyond = self._count - len(self._errors)
        causes = causes or self._errors or list(own)
        task = self._failed_task or next((error.task for error in causes if error.task), "")
        return BuildSummary(
            self._verdict, task, self._seconds, tuple(causes), len(causes) + beyond, self._warnings
        )

    def _take_mark(self, line: str) -> bool:
        stage = read_stage(line)
        if stage is not None:
            self._close()
            self._task = stage.name if stage.is_task else ""
            if stage.failed:
                self._failed_task = self._failed_task or self._task
            return True
        verdict = _VERDICT.fullmatch(line.strip()) if "BUILD " in line else None
        if verdict:
            self._close()
            self._gradle.take(line)
            self._verdict = "failed" if "FAILED" in verdict[0] else "successful"
            self._seconds = _seconds(verdict["took"]) if verdict["took"] else None
        return verdict is not None

    def _close(self) -> None:
        if self._open is None:
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
        place = backend_file(line) if error.kind == "kotlin" and error.file is None else None
        if place is not None:
            self.error = replace(error, file=place[0], line=place[1], column=place[2])
            return True
        if _ANEW.match(line):
            return False
        if not error.message or error.message.endswith(":"):
            self._details.append(line.strip())
            return True
        return error.kind == "kotlin" and error.file is None  # the file may still come

    def whole(self) -> BuildError:
        error = self.error
        if self._details and error.kind == "java":
            return _shortened(replace(error, message=f"{error.message}: {', '.join(self._details)}"))
        return _shortened(replace(error, message=" ".join(filter(None, (error.message, *self._details)))))

    def _take_java(self, line: str) -> bool:
        """The line of code and the caret below it, then what the compiler was looking for."""
        detail = _JAVA_DETAIL.match(line)
        if detail:
            self._details.append(" ".join(detail["told"].split()))
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
    """Gradle's failure only says that something failed which a compiler has told of already."""
    if CONSEQUENCE.match(own.message):
        return True
    placed = [error for error in causes if error.file is not None]
    return any(
        (own.task and error.task == own.task) or error.file == own.file or error.message in own.message
        for error in placed
    )


def _seconds(took: str) -> float:
    return sum(int(number) * _SECONDS[unit] for number, unit in _DURATION.findall(took))
