"""The protocol of a session: frames of JSON on a socket within this computer, each after its length
in four bytes.

A client sends one request, and is sent frames until one has an exit code. Command line, MCP and
inspector are clients. A process reads and writes by ``codec``; a client, which would take twice as
long to start, by ``json``.
"""

from __future__ import annotations

import json
import os
import re
import socket
import sys
import time

from . import records

TYPE_CHECKING = False  # as type checkers read it; the client imports this module
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Any

    Read = Callable[[int], bytes]

VERSION = 2
LARGEST_REQUEST = 1 << 20  # bytes; a request is typed, or a script of steps
LARGEST_ANSWER = 64 << 20
CONNECT_SECONDS = 10.0
_DEATH_SECONDS = 0.5  # in which the system frees what a process held that was killed
HOST = "127.0.0.1"
FINE, FAILED, USAGE, GONE = range(4)
INTERRUPTED = 130  # as shells count it: 128 and the number of SIGINT
_ANSWER = {"name": str, "out": str, "err": str, "code": int, "ends": bool, "picture": str}
_VARIABLE = re.compile(r"""(?:\benv\s*=\s*|\benviron\s*\[\s*)(["']?)([A-Za-z_][A-Za-z0-9_]*)\1""")


OPEN, NAMED = (
    "\0open",
    "\0named ",
)  # in advice: how a session is opened, and what comes before its name


class Refusal(Exception):
    """The command ends here, with a message on standard error and this exit code. ``advice`` is
    what to do next."""

    def __init__(self, text: str, code: int = USAGE, advice: str = "") -> None:
        super().__init__(text)
        self.code = code
        self._next = f". Next: {advice}" if advice else ""

    def written(self, opened: str, named: str) -> str:
        """The message for those who open and name sessions in these ways."""
        return f"{self.args[0]}{self._next.replace(OPEN, opened).replace(NAMED, named)}"

    def __str__(self) -> str:
        return self.written("replicant open APP --device URI", "-s ")


# --- frames ---------------------------------------------------------------------------------------


def pack(body: bytes) -> bytes:
    """A frame of this JSON."""
    return len(body).to_bytes(4, "big") + body


def read_frame(read: Read, largest: int) -> dict[str, Any]:
    """The next message. ``read`` returns at most so many bytes, none at the end. Raises
    ``EOFError`` if there is no more, ``ValueError`` if it is no frame of ours, and what ``read``
    raises."""
    size = int.from_bytes(_exactly(read, 4), "big")
    if size > largest:
        raise ValueError(f"a frame of {size} bytes, {largest} allowed")
    try:
        message = json.loads(_exactly(read, size))
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if not isinstance(message, dict):
        raise ValueError("no object")
    return message


def _exactly(read: Read, size: int) -> bytes:
    parts = []
    while size:
        part = read(min(size, 1 << 16))
        if not part:
            raise EOFError
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def reader(connection: socket.socket, seconds: float | None = None) -> Read:
    """Reads from the socket; ``seconds`` bounds all reads together, as a client that sends a byte
    now and then is slow too. It raises ``TimeoutError``."""
    deadline = None if seconds is None else time.monotonic() + seconds

    def read(size: int) -> bytes:
        if deadline is not None:
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError
            connection.settimeout(left)
        return connection.recv(size)

    return read


def connect(port: int, seconds: float = CONNECT_SECONDS) -> socket.socket:
    """A connection to a session. Raises ``OSError``, ``OverflowError`` for a port that is none."""
    return socket.create_connection((HOST, port), seconds)


# --- requests -------------------------------------------------------------------------------------


def working_folder() -> str:
    """Raises ``Refusal`` if it is gone."""
    try:
        return os.getcwd()
    except OSError as error:
        raise Refusal(
            f"the working directory is gone: {error.strerror}. Next: cd to one that exists"
        ) from None


def message_of(
    argv: Sequence[str],
    stdin: str | None = None,
    *,
    cwd: str = "",
    secrets: Mapping[str, str] | None = None,
    **more: bool,
) -> dict[str, Any]:
    """The request, its token apart; ``more`` are further fields of ``Request``. Values of the
    environment are read here, unless ``secrets`` has them, and only those that the command names,
    so that none is ever an argument. Raises ``Refusal``."""
    environment = {**os.environ, **(secrets or {})}
    named = {found[1] for text in (*argv, stdin or "") for found in _VARIABLE.findall(text)}
    return {
        "v": VERSION,
        "argv": list(argv),
        "cwd": cwd or working_folder(),
        "stdin": stdin,
        "env": {name: environment[name] for name in sorted(named) if name in environment},
        **more,
    }


def packed(message: Mapping[str, Any], token: str = "") -> bytes:
    """Raises ``Refusal`` if it is too long."""
    frame = pack(json.dumps({**message, "token": token}).encode("ascii"))
    if len(frame) - 4 > LARGEST_REQUEST:
        raise Refusal(
            f"the command and its input come to {len(frame)} bytes, {LARGEST_REQUEST} are allowed. "
            "Next: give the steps in several commands"
        )
    return frame


def standard_input(argv: Sequence[str]) -> str | None:
    """What a command is given there, if it asks for that by ``-``. Raises ``Refusal``."""
    if "-" not in argv[1:]:
        return None
    if sys.stdin is None:
        raise Refusal("standard input is closed. Next: give the steps as arguments")
    try:
        text = sys.stdin.read(LARGEST_REQUEST + 1)
    except (OSError, ValueError) as error:
        raise Refusal(f"standard input cannot be read: {error}") from None
    if len(text) > LARGEST_REQUEST:
        raise Refusal(
            f"standard input is longer than {LARGEST_REQUEST} characters. Next: give less at a time"
        )
    return text


def check_name(name: str) -> None:
    """Raises ``Refusal`` for what cannot name a session."""
    if not records.is_name(name):
        allowed = f"{records.LONGEST_NAME} letters, digits, '.', '_' and '-'"
        text = f"no name of a session: {records.printable(name)!r}"
        raise Refusal(text, advice=f"name it with at most {allowed}, as in {NAMED}shop")


def chosen(folder: str, name: str | None, cwd: str = "") -> records.Record:
    """The record of the session: that of the name, else the only one of the project of ``cwd``, the
    working folder if none is given. Raises ``Refusal``, and ``OSError`` if another user can use the
    folder."""
    records.check_folder(folder)
    left = records.names(folder)
    living = records.living(folder)
    project = ""
    if not name:
        project = records.project_of(cwd or working_folder())
        name = _of_project(folder, left, living, project)
    if name not in left:
        others = f". Open: {', '.join(living)}" if living else ""
        end = records.last_end(folder, name=name)
        raise Refusal(
            f"no session {records.printable(name)} is open{others}", advice=f"{OPEN}{end}"
        )
    if name not in living:
        raise gone(folder, name)
    try:
        record = records.read(folder, name)
    except ValueError as error:
        raise Refusal(
            f"the record of session {name} cannot be used: {error}. Next: end its process, then "
            "open it again with this version"
        ) from None
    if not record or not record.port or project not in ("", record.project):
        raise Refusal(
            f"session {name} is still opening, or closing. Next: try again; see 'replicant "
            "sessions'"
        )
    return record


def _of_project(folder: str, left: Sequence[str], living: Sequence[str], project: str) -> str:
    """The name of its only session, living if one is. One whose project is not known may be
    another's. Raises ``Refusal``."""
    projects = {each: records.project_of_session(folder, each) for each in left}
    own = [each for each in left if projects[each] == project]
    alive = [each for each in own if each in living]
    if len(alive) > 1:
        raise Refusal(
            f"several sessions are open: {', '.join(alive)}",
            advice=f"name one, as in {NAMED}{alive[0]}, or set REPLICANT_SESSION",
        )
    if own:
        return (alive or own)[0]
    shown = ", ".join(
        each if projects.get(each) else f"{each} (its project is not known)" for each in living
    )
    others = f" in this project. Open in others: {shown}" if living else ""
    reach = f", or {NAMED}{living[0]} for another's" if living else ""
    raise Refusal(
        f"no session is open{others}", advice=f"{OPEN}{reach}{records.last_end(folder, project)}"
    )


def ask(folder: str, record: records.Record, argv: Sequence[str]) -> int:
    """Sends the command to the session, prints what it answers, and returns the exit code. Raises
    ``Refusal`` if the session has gone."""
    return show(answers(folder, record, message_of(argv, standard_input(argv))))


def answers(
    folder: str, record: records.Record, message: Mapping[str, Any], seconds: float | None = None
) -> Iterator[dict[str, Any]]:
    """Frames that answer a message, the last of which has an exit code. What goes wrong while one
    is printed is not of the session. A step takes as long as it takes, unless ``seconds`` bound it.
    Raises ``Refusal``."""
    frame = packed(message, record.token)
    try:
        with connect(record.port, seconds or CONNECT_SECONDS) as connection:
            connection.sendall(frame)
            connection.settimeout(None)
            yield from frames(reader(connection, seconds))
    except (OSError, EOFError, ValueError, OverflowError) as error:
        raise gone(folder, record.name, str(error) or "it was closed") from None


def checked(frame: dict[str, Any]) -> dict[str, Any]:
    """Raises ``ValueError`` if it is no answer of a session."""
    records.check_fields(frame, _ANSWER)
    return frame


def frames(read: Read) -> Iterator[dict[str, Any]]:
    """Those of an answer. Raises as ``read_frame`` does."""
    frame: dict[str, Any] = {}
    while "code" not in frame:
        frame = checked(read_frame(read, LARGEST_ANSWER))
        yield frame


def show(answer: Iterable[Mapping[str, Any]]) -> int:
    """Prints the frames, and returns the exit code."""
    code = GONE
    for frame in answer:
        say(frame.get("err", ""), error=True)
        say(frame.get("out", ""))
        code = frame.get("code", GONE)
    return code


def say(text: str, error: bool = False) -> None:
    stream = sys.stderr if error else sys.stdout
    if not text or stream is None:
        return
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure:
        reconfigure(errors="backslashreplace")  # an app shows any character, a terminal may not
    stream.write(text if text.endswith("\n") else text + "\n")
    stream.flush()


def gone(folder: str, name: str, reason: str = "") -> Refusal:
    """That the session cannot be asked; ``reason`` is why the answer to a command broke off."""
    from ...model import SystemClock, come_true  # heavy, and seldom needed

    lock, seconds = records.lock_path(folder, name), _DEATH_SECONDS if reason else 0.0
    if not come_true(SystemClock(), lambda: not records.is_held(lock), seconds, 0.02):
        return Refusal(
            f"session {name} ended the connection without an "
            f"answer{f' ({reason})' if reason else ''}",
            GONE,
            advice=f"see 'replicant last {NAMED}{name}' for what became of it",
        )
    tail = records.log_tail(folder, name)
    said = f'. Its log ends with "{tail}"' if tail else ""
    doubt = ", and whether this command had an effect is not known" if reason else ""
    return Refusal(
        f"the process of session {name} has gone; what it had recorded is lost{doubt}{said}",
        GONE,
        advice=f"{OPEN} {NAMED}{name}",
    )
