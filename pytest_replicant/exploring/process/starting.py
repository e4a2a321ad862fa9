"""The client's part of a session that opens: a process of its own, its request, its first
answer."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from . import records
from .protocol import (
    GONE,
    OPEN,
    Refusal,
    answers,
    frames,
    message_of,
    packed,
    show,
    standard_input,
)

PROGRAM = ("-m", "pytest_replicant.exploring.process")
_END_SECONDS = 5.0  # for a process that has closed its pipe


def open_session(folder: str, name: str, words: Sequence[str]) -> int:
    """Opens one that outlives its client, prints its first answer, and returns the exit code.
    ``name`` is "" if the first that is free will do. Raises ``Refusal``."""
    return show(Started(folder, name, message_of(words, standard_input(words))).answers())


class Started:
    """The process of a session that opens. That of an ``owned`` request ends with this one, or once
    it is closed. Raises ``Refusal``."""

    def __init__(self, folder: str, name: str, request: Mapping[str, Any]) -> None:
        frame = packed(request)
        self.name, self._folder = name, folder
        path = os.environ.get("PYTHONPATH", "").split(os.pathsep)
        folders = os.pathsep.join(os.path.abspath(each) for each in path if each)
        # neither Ctrl-C in the client's terminal nor its end reaches the process
        detached: dict[str, Any] = {"start_new_session": True}
        if sys.platform == "win32":
            apart = subprocess.DETACHED_PROCESS | subprocess.CREATE_NEW_PROCESS_GROUP
            detached = {"creationflags": apart}
        try:
            records.make_folder(folder)
            self._process = subprocess.Popen(
                [sys.executable, *PROGRAM, name, folder],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                # what Python imports from first: never a folder that holds a select.py of its own
                cwd=folder,
                env={**os.environ, "PYTHONPATH": folders},
                **detached,
            )
        except OSError as error:
            raise Refusal(records.unusable(folder, error)) from None
        assert self._process.stdin
        with suppress(OSError):  # if it has ended already, its answer says why
            self._process.stdin.write(frame)
            self._process.stdin.flush()
            if not request.get("owned"):
                self._process.stdin.close()

    def answers(self) -> Iterator[dict[str, Any]]:
        """Frames, the last of which has an exit code. Raises ``Refusal``."""
        assert self._process.stdout
        with self._process.stdout as pipe:
            try:
                for answer in frames(pipe.read):
                    self.name = self.name or str(answer.get("name", ""))
                    yield answer
                return
            except (EOFError, ValueError):
                pass
        code = self._waited(_END_SECONDS)
        how = "it still runs" if code is None else f"exit code {code}"
        tail = records.log_tail(self._folder, self.name) if self.name else ""
        with suppress(OSError):
            records.sweep(self._folder)
        said = f' Its log ends with "{tail}".' if tail else ""
        raise Refusal(f"the session's process gave no answer ({how}).{said} Next: try again", GONE)

    def record(self) -> records.Record | None:
        """None once it has closed the session, and before it has begun with it."""
        with suppress(ValueError):
            record = records.read(self._folder, self.name) if self.name else None
            if record and record.pid == self._process.pid:
                return record
        return None

    def ask(self, argv: Sequence[str], **given: Any) -> dict[str, Any]:
        """The answer to one command, with what ``message_of`` takes. Raises ``Refusal``."""
        record = self.record()
        if not record:
            end = records.last_end(self._folder, name=self.name)
            raise Refusal(f"session {self.name} is not open any more", GONE, advice=f"{OPEN}{end}")
        *_, last = answers(self._folder, record, message_of(argv, **given))
        return last

    @property
    def is_alive(self) -> bool:
        """Whether the session is open."""
        return records.is_held(records.lock_path(self._folder, self.name))

    def end(self, seconds: float) -> int | None:
        """Ends it, a step that runs is cut short. Its exit code, 0 if the phone is free; None if it
        has not ended in time."""
        assert self._process.stdin
        with suppress(OSError):
            self._process.stdin.close()
        return self._waited(seconds)

    def _waited(self, seconds: float) -> int | None:
        try:
            return self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None
