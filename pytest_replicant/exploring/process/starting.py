"""``replicant open``, the client's part: a process of its own, its request, its first answer."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from . import records, wire
from .asking import GONE, Refusal, checked, message_of, packed, show

_END_SECONDS = 5.0  # for a process that has closed its pipe


def open_session(folder: str, name: str, words: Sequence[str], program: Sequence[str]) -> int:
    """Starts it, prints its first answer, and returns the exit code. ``name`` is "" where the first that is free
    will do. Raises ``Refusal``."""
    frame = packed(message_of(words))
    try:
        records.make_folder(folder)
        process = subprocess.Popen(
            [sys.executable, *program, name, folder],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=folder,  # what Python imports from first: never a folder that holds a select.py of its own
            env=_environment(),
            **_detached(),
        )
    except OSError as error:
        raise Refusal(records.unusable(folder, error)) from None
    assert process.stdin is not None
    assert process.stdout is not None
    with suppress(OSError):  # where it has ended already, its answer says why
        process.stdin.write(frame)
        process.stdin.close()
    chosen, read = name, process.stdout.read
    try:
        while True:
            answer = checked(wire.read_frame(read, wire.LARGEST_ANSWER))
            chosen = chosen or str(answer.get("name", ""))
            code = show(answer)
            if code is not None:
                return code
    except (EOFError, ValueError):
        raise _ended(process, folder, chosen) from None


def _environment() -> dict[str, str]:
    """The client's own, for another working directory."""
    path = os.environ.get("PYTHONPATH", "")
    folders = os.pathsep.join(os.path.abspath(each) for each in path.split(os.pathsep) if each)
    return {**os.environ, "PYTHONPATH": folders} if path else {**os.environ}


def _detached() -> dict[str, Any]:
    """Neither Ctrl-C in the client's terminal nor its end reaches the process."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.DETACHED_PROCESS | subprocess.CREATE_NEW_PROCESS_GROUP}
    return {"start_new_session": True}


def _ended(process: subprocess.Popen[bytes], folder: str, name: str) -> Refusal:
    try:
        how = f"exit code {process.wait(_END_SECONDS)}"
    except subprocess.TimeoutExpired:
        how = "it still runs"
    tail = records.log_tail(folder, name) if name else ""
    with suppress(OSError):
        records.sweep(folder)
    said = f' Its log ends with "{tail}".' if tail else ""
    return Refusal(f"the session's process gave no answer ({how}).{said} Next: try again", GONE)
