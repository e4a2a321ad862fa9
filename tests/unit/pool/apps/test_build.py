"""Builds as processes: what they print is kept, and nothing of them is left when they are ended."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pytest_replicant.model import SystemClock
from pytest_replicant.pool import BuildResult, lines_of, run_build
from pytest_replicant.pool.apps import process_tree

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="these builds are POSIX shell scripts"
)

ON_LINUX = pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="found through /proc")


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process_tree, "PATIENCE", 0.1)


@pytest.fixture
def pids(tmp_path: Path) -> Iterator[Callable[[], list[int]]]:
    """The processes that wrote themselves down in ``pids``; what is left of them ends with the
    test."""

    def written() -> list[int]:
        path = tmp_path / "pids"
        return [int(line) for line in path.read_text().split()] if path.exists() else []

    yield written
    for pid in written():
        if is_alive(pid):
            os.kill(pid, signal.SIGKILL)


def is_alive(pid: int) -> bool:
    """A process that only waits to be buried is dead."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{pid}/stat")
    return not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] not in "ZX"


def are_gone(pids: list[int]) -> bool:
    until = time.monotonic() + 10
    while any(map(is_alive, pids)) and time.monotonic() < until:
        time.sleep(0.01)
    return not any(map(is_alive, pids))


def build(
    command: str,
    folder: Path,
    timeout: float = 30,
    on_progress: Callable[[float, str], object] = lambda *_: None,
    redact: Callable[[str], str] = str,
) -> BuildResult:
    return run_build(
        command, folder, timeout, on_progress, folder / "out" / "build.log", SystemClock(), redact
    )


def test_a_build_that_succeeds(tmp_path: Path) -> None:
    result = build(
        "echo '> Task :app:assembleDebug'; echo oops >&2; echo; echo BUILD SUCCESSFUL in 3s",
        tmp_path,
    )
    assert result.succeeded
    assert (result.exit_code, result.task) == (0, ":app:assembleDebug")
    assert result.summary.verdict == "successful"
    assert result.log.read_text() == "> Task :app:assembleDebug\noops\n\nBUILD SUCCESSFUL in 3s\n"
    assert result.last_lines == ("> Task :app:assembleDebug", "oops", "BUILD SUCCESSFUL in 3s")


def test_a_build_that_fails(tmp_path: Path) -> None:
    result = build("printf 'e: file:///a/B.kt:3:4 Wrong.'; exit 7", tmp_path)
    assert not result.succeeded
    assert result.exit_code == 7
    assert [(error.file, error.line) for error in result.summary.errors] == [("/a/B.kt", 3)]
    assert result.log.read_text() == "e: file:///a/B.kt:3:4 Wrong.\n"


def test_no_one_answers_its_questions(tmp_path: Path) -> None:
    assert build("cat; echo asked", tmp_path).last_lines == ("asked",)


def test_no_secret_is_written_or_reported(tmp_path: Path) -> None:
    result = build(
        "echo token=hunter22; echo 'e: token=hunter22 refused'; exit 1",
        tmp_path,
        redact=lambda text: text.replace("hunter22", "***"),
    )
    assert "hunter22" not in repr(result)
    assert result.log.read_text() == "token=***\ne: token=*** refused\n"


def test_a_log_that_cannot_be_written_stops_no_build(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("a file in the way")
    result = build("echo fine", tmp_path)
    assert result.succeeded
    assert "out" in result.log_trouble
    assert result.last_lines == ("fine",)


def test_progress_names_the_task(tmp_path: Path) -> None:
    progress: list[tuple[float, str]] = []
    build(
        "echo '> Task :app:one'; sleep 0.15",
        tmp_path,
        on_progress=lambda *seen: progress.append(seen),
    )
    assert progress[-1][1] == ":app:one"
    assert [elapsed for elapsed, _ in progress] == sorted(elapsed for elapsed, _ in progress)


STUBBORN = """
(trap '' TERM; echo $(sh -c 'echo $PPID') >> pids; while :; do sleep 60; done) &
echo $! >> pids
sleep 60 &
echo $! >> pids
echo waiting
echo $$ >> pids
wait
"""


@pytest.mark.slow
def test_a_build_that_takes_too_long_is_ended_with_all_that_it_started(
    tmp_path: Path, pids: Callable[[], list[int]]
) -> None:
    """One of them does not want to end, and holds the pipe."""
    result = build(STUBBORN, tmp_path, timeout=0.15)
    assert result.exit_code is None
    assert not result.succeeded
    assert result.seconds < 30  # the pipe alone would be open for a minute
    assert result.last_lines[0] == "waiting"  # a shell may report that its child was killed
    assert len(pids()) >= 3
    assert are_gone(pids())


@ON_LINUX
@pytest.mark.slow
@pytest.mark.parametrize(
    "leaving",
    [
        "setsid sh -c 'echo $$ >> pids; exec sleep 60' &",
        "(setsid sh -c 'echo $$ >> pids; exec sleep 60' > /dev/null 2>&1 &)",
    ],
    ids=["another session", "no parents either"],
)
def test_who_left_the_group_is_ended_too(
    tmp_path: Path, pids: Callable[[], list[int]], leaving: str
) -> None:
    result = build(
        f"{leaving}\nwhile [ ! -s pids ]; do sleep 0.01; done; sleep 60", tmp_path, timeout=0.2
    )
    assert result.exit_code is None
    assert len(pids()) == 1
    assert are_gone(pids())


@pytest.mark.slow
def test_a_daemon_of_a_build_that_succeeded_lives_on_and_is_not_waited_for(
    tmp_path: Path, pids: Callable[[], list[int]]
) -> None:
    result = build(
        "sh -c 'while :; do sleep 0.1; echo still here; done' & echo $! >> pids; echo done",
        tmp_path,
    )
    assert result.succeeded
    assert result.seconds < 30
    (daemon,) = pids()
    assert "done" in result.log.read_text()
    time.sleep(0.25)  # by now it has printed to a pipe that no one reads
    assert is_alive(daemon)


@pytest.mark.parametrize("error", [KeyboardInterrupt, RuntimeError])
def test_whatever_is_raised_ends_the_build_first(
    tmp_path: Path, pids: Callable[[], list[int]], error: type[BaseException]
) -> None:
    def interrupt(*_: object) -> None:
        if len(pids()) >= 3:
            raise error

    with pytest.raises(error):
        build(STUBBORN, tmp_path, on_progress=interrupt)
    assert are_gone(pids())


def test_a_second_interrupt_does_not_leave_the_build_running(
    tmp_path: Path, pids: Callable[[], list[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process_tree, "PATIENCE", 60)

    class Impatient(SystemClock):
        def sleep(self, seconds: float) -> None:
            raise KeyboardInterrupt

    def interrupt(*_: object) -> None:
        if len(pids()) >= 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_build(STUBBORN, tmp_path, 60, interrupt, tmp_path / "build.log", Impatient())
    assert are_gone(pids())


def test_an_interrupt_as_the_build_starts_leaves_nothing(
    tmp_path: Path, pids: Callable[[], list[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process is there, and not yet in our hands."""
    monkeypatch.setattr(process_tree, "subprocess", _Interrupting(lambda: len(pids()) >= 3))
    with pytest.raises(KeyboardInterrupt):
        build(STUBBORN, tmp_path)
    assert are_gone(pids())


class _Interrupting:
    """The module, but a process that it starts is there before its start is reported, and so is the
    signal."""

    def __init__(self, is_there: Callable[[], bool]) -> None:
        self._is_there = is_there

    def __getattr__(self, name: str) -> object:
        return getattr(subprocess, name)

    def Popen(self, *arguments: Any, **options: Any) -> subprocess.Popen[bytes]:
        started = subprocess.Popen(*arguments, **options)
        while not self._is_there():
            time.sleep(0.01)
        signal.raise_signal(signal.SIGINT)
        return started


TEXT = "one\r\ntwo\nthré€\rfour"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-be"])
@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_lines_come_whole_however_they_were_cut(encoding: str, size: int) -> None:
    data = (b"\xfe\xff" if encoding == "utf-16-be" else b"") + TEXT.encode(encoding)
    pieces = (data[at : at + size] for at in range(0, len(data), size))
    assert [*lines_of(pieces)] == ["one", "two", "thré€", "four"]


def test_a_line_without_end_is_cut() -> None:
    assert 2 <= len([*lines_of([b"x" * 100_000] * 40)]) <= 4
