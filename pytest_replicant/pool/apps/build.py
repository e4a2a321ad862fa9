"""The build of the app: the user's command in a shell, its output read as lines, ended in time."""

from __future__ import annotations

import codecs
import io
import queue
import subprocess
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import IO

from ...logs import BuildSummary, plain, read_build_output, read_stage
from ...model import Clock
from .process_tree import ProcessTree, interrupt_held

Progress = Callable[[float, str], object]
"""Callback with the seconds so far and the current task, a few times a second."""

LAST_LINES = 8
MOST_LOG = 200_000_000
"""Characters of the log that are kept."""

_TICK = 0.1
_DRAIN_QUIET = 0.1
_DRAIN_MOST = 0.5
_CHUNK = 65536
_MOST_WAITING = 64


@dataclass(frozen=True)
class BuildResult:
    """``exit_code`` is None if the build took too long and was ended; ``task`` is the last that it
    reported. ``log_trouble`` says why not all of the log could be written."""

    command: str
    exit_code: int | None
    seconds: float
    summary: BuildSummary
    log: Path
    task: str = ""
    last_lines: tuple[str, ...] = ()
    log_trouble: str = ""

    @property
    def succeeded(self) -> bool:
        return self.exit_code == 0


def run_build(
    command: str,
    folder: Path,
    timeout: float,
    on_progress: Progress,
    log_path: Path,
    clock: Clock,
    redact: Callable[[str], str] = str,
) -> BuildResult:
    """Returns when the command has ended, or was ended after ``timeout`` seconds.

    An error that is raised meanwhile, such as ``KeyboardInterrupt``, first ends all that the
    command started. ``redact`` has each line before anyone else.
    """
    with closing(_Log(log_path)) as log, ExitStack() as cleanup:
        with interrupt_held():
            tree = cleanup.enter_context(ProcessTree(command, subprocess.PIPE, clock, folder))
            watch = _Watch(tree, clock, timeout, on_progress)
            cleanup.callback(watch.left.set)
        summary = read_build_output(watch.lines(redact, log))
    return BuildResult(
        redact(command),
        watch.exit_code,
        watch.elapsed(),
        summary,
        log_path,
        watch.task,
        tuple(watch.last_lines),
        log.trouble,
    )


class _Watch:
    """A build while it runs. Its output is read as it comes, also once it was ``left``: a closed
    pipe might end a daemon that the build has started."""

    def __init__(
        self, tree: ProcessTree, clock: Clock, timeout: float, on_progress: Progress
    ) -> None:
        self.exit_code: int | None = None
        self.task = ""
        self.last_lines: deque[str] = deque(maxlen=LAST_LINES)
        self.left = threading.Event()
        self._tree, self._clock = tree, clock
        self._timeout, self._on_progress = timeout, on_progress
        self._began = clock.now()
        self._read: queue.Queue[bytes] = queue.Queue(_MOST_WAITING)
        threading.Thread(target=self._pump, name="replicant-build-output", daemon=True).start()

    def elapsed(self) -> float:
        return self._clock.now() - self._began

    def lines(self, redact: Callable[[str], str], log: _Log) -> Iterator[str]:
        for raw in lines_of(self._chunks()):
            line = redact(raw)
            log.write(line)
            shown = plain(line)
            if shown.strip():
                self.last_lines.append(shown)
            stage = read_stage(shown)
            if stage is not None:
                self.task = stage.name
            yield line

    def _chunks(self) -> Iterator[bytes]:
        """Until the command has ended and nothing more comes of it, or its time is over."""
        at_end = False
        while (code := self._tree.exit_code()) is None:
            self._on_progress(self.elapsed(), self.task)
            if self.elapsed() >= self._timeout:
                self._tree.end()
                break
            if at_end:
                self._clock.sleep(_TICK)  # it closed its output and goes on
                continue
            chunk = self._next(_TICK)
            at_end = chunk == b""
            if chunk:
                yield chunk
        self.exit_code = code
        if at_end:
            return
        # Output that is still in the pipe. A daemon may hold that open for hours.
        for _ in range(self._read.qsize()):
            yield self._next(0) or b""
        until = self._clock.now() + _DRAIN_MOST
        while self._clock.now() < until and (chunk := self._next(_DRAIN_QUIET)):
            yield chunk

    def _next(self, timeout: float) -> bytes | None:
        """What has been printed, b"" at the end; None if nothing was within ``timeout`` seconds."""
        try:
            return self._read.get(timeout > 0, timeout)
        except queue.Empty:
            return None

    def _pump(self) -> None:
        with suppress(OSError), self._tree.output as output:
            while chunk := output.read(_CHUNK):
                self._hand_over(chunk)
        self._hand_over(b"")

    def _hand_over(self, chunk: bytes) -> None:
        while not self.left.is_set():
            with suppress(queue.Full):
                self._read.put(chunk, timeout=0.1)
                return


class _Log:
    """The whole output in a file. A disk that is full ends the log and not the build."""

    def __init__(self, path: Path) -> None:
        self.trouble = ""
        self._room = MOST_LOG
        self._file: IO[str] | None = None

        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open(
                "w", encoding="utf-8", errors="replace", newline="\n", buffering=1
            )
        except OSError as error:
            self.trouble = str(error)

    def write(self, line: str) -> None:
        if self._file is None:
            return
        self._room -= len(line) + 1
        if self._room < 0:
            self.close(f"only its first {MOST_LOG // 1_000_000} MB were kept")
            return
        try:
            self._file.write(f"{line}\n")
        except OSError as error:
            self.close(str(error))

    def close(self, trouble: str = "") -> None:
        self.trouble = self.trouble or trouble
        if self._file is not None:
            with suppress(OSError):
                self._file.close()
            self._file = None


_LONGEST_LINE = 1_000_000


class _Chunks(io.BufferedIOBase):
    """Bytes in pieces, as a file of the standard library's."""

    name = "output"

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks = chunks

    def readable(self) -> bool:
        return True

    def read1(self, _: int = -1) -> bytes:
        return next(self._chunks, b"")


def lines_of(chunks: Iterable[bytes]) -> Iterator[str]:
    """Bytes in pieces to lines, however they end. UTF-16 where it says so, else UTF-8."""
    rest = iter(chunks)
    first = b""
    while len(first) < len(codecs.BOM_UTF16) and (chunk := next(rest, b"")):
        first += chunk
    wide = first.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    text = io.TextIOWrapper(
        _Chunks(chain([first], rest)), "utf-16" if wide else "utf-8-sig", "replace"
    )
    while line := text.readline(_LONGEST_LINE):
        yield line.removesuffix("\n")
