"""A client's side of one exchange: the request that a command becomes, and the answer as it is printed."""

from __future__ import annotations

import os
import re
import sys
from enum import Enum

from ..table import BY_NAME
from . import records, wire

TYPE_CHECKING = False  # as type checkers read it; the client imports this module
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

FINE, FAILED, USAGE, GONE = range(4)
INTERRUPTED = 130  # as shells count it: 128 and the number of SIGINT
_VARIABLE = re.compile(r"""(?:\benv\s*=\s*|\benviron\s*\[\s*)(["']?)([A-Za-z_][A-Za-z0-9_]*)\1""")


class Way(Enum):
    """What the command line and MCP say in words of their own."""

    OPEN = "how a session is opened"
    NAMED = "what comes before its name"


class Refusal(Exception):
    """The command ends here, with a message on standard error and this exit code. ``advice`` is what to do next;
    in it ``OPEN`` stands for how a session is opened, and ``NAMED`` for what comes before its name."""

    def __init__(self, text: str, code: int = USAGE, *, advice: Sequence[str | Way] = ()) -> None:
        super().__init__(text)
        self.code = code
        self._advice = advice

    def written(self, ways: Mapping[Way, str]) -> str:
        """The message for those who open and name sessions in these ways."""
        said = "".join(ways[one] if isinstance(one, Way) else one for one in self._advice)
        return f"{self.args[0]}. Next: {said}" if said else str(self.args[0])

    def __str__(self) -> str:
        return self.written({Way.OPEN: "replicant open APP --device URI", Way.NAMED: "-s "})


def variables_in(texts: Sequence[str]) -> set[str]:
    """The variables of the environment that a command names."""
    return {found[1] for text in texts for found in _VARIABLE.findall(text)}


def working_folder() -> str:
    """Raises ``Refusal`` where it is gone."""
    try:
        return os.getcwd()
    except OSError as error:
        raise Refusal(f"the working directory is gone: {error.strerror}. Next: cd to one that exists") from None


def message_of(argv: Sequence[str]) -> dict[str, Any]:
    """The request, its token apart. Values of the environment are read here, and only those that the command
    names, so that none is ever an argument. Raises ``Refusal``."""
    cwd = working_folder()
    stdin = _standard_input() if _reads_input(argv) else None
    named = variables_in((*argv, stdin or ""))
    return {
        "v": wire.VERSION,
        "argv": list(argv),
        "cwd": cwd,
        "stdin": stdin,
        "env": {name: os.environ[name] for name in sorted(named) if name in os.environ},
        "tty": sys.stdout is not None and sys.stdout.isatty(),
        "columns": _columns(),
    }


def packed(message: Mapping[str, Any]) -> bytes:
    """Raises ``Refusal`` where it is too long."""
    frame = wire.pack(message)
    if len(frame) - 4 > wire.LARGEST_REQUEST:
        raise Refusal(
            f"the command and its input come to {len(frame)} bytes, {wire.LARGEST_REQUEST} are allowed. Next: "
            "give the steps in several commands"
        )
    return frame


def _reads_input(argv: Sequence[str]) -> bool:
    if "-" in argv[1:]:
        return True
    if argv[0] != "do" or sys.stdin is None or sys.stdin.isatty():
        return False
    words = iter(argv[1:])
    options = [one.typed for one in BY_NAME["do"].arguments if not (one.positional or one.kind == "flag")]
    for word in words:
        if word in options:
            next(words, None)
        elif not word.startswith("-"):
            return False
    return True


def _standard_input() -> str:
    if sys.stdin is None:
        raise Refusal("standard input is closed. Next: give the steps as arguments")
    try:
        text = sys.stdin.read(wire.LARGEST_REQUEST + 1)
    except UnicodeDecodeError as error:
        raise Refusal(f"standard input is no text: {error}. Next: give it as {sys.stdin.encoding}") from None
    except OSError as error:
        raise Refusal(f"standard input cannot be read: {error.strerror}") from None
    if len(text) > wire.LARGEST_REQUEST:
        raise Refusal(
            f"standard input is longer than {wire.LARGEST_REQUEST} characters. Next: give less at a time"
        )
    return text


def _columns() -> int:
    asked = os.environ.get("COLUMNS", "")
    try:
        columns = int(asked) if asked.isdecimal() else os.get_terminal_size(1).columns
    except (OSError, ValueError):
        columns = 0
    return columns if 0 < columns < 10_000 else 80


def chosen(folder: str, name: str | None, cwd: str = "") -> records.Record:
    """The record of the session: that of the name, else the only one of the project of ``cwd``, the working
    folder where none is given. ``folder`` is "" where there is none. Raises ``Refusal``."""
    left = records.names(folder) if folder else []
    living = records.living(folder)
    project = "" if name else records.project_of(cwd or working_folder())
    name = name or _of_project(folder, left, living, project)
    if name not in left:
        others = f". Open: {', '.join(living)}" if living else ""
        raise Refusal(f"no session {records.printable(name)} is open{others}", advice=[Way.OPEN])
    if name not in living:
        raise gone(folder, name)
    try:
        record = records.read(folder, name)
    except ValueError as error:
        raise Refusal(
            f"the record of session {name} cannot be used: {error}. Next: end its process, then open it again "
            "with this version"
        ) from None
    if record is None or not record.address or project not in ("", record.project):
        raise Refusal(f"session {name} is still opening, or closing. Next: try again; see 'replicant sessions'")
    return record


def _of_project(folder: str, left: Sequence[str], living: Sequence[str], project: str) -> str:
    """The name of its only session, living if one is. One whose project is not known may be another's. Raises
    ``Refusal``."""
    projects = {each: records.project_of_session(folder, each) for each in left}
    own = [each for each in left if projects[each] == project]
    alive = [each for each in own if each in living]
    if len(alive) > 1:
        raise Refusal(
            f"several sessions are open: {', '.join(alive)}",
            advice=["name one, as in ", Way.NAMED, f"{alive[0]}, or set REPLICANT_SESSION"],
        )
    if own:
        return (alive or own)[0]
    shown = ", ".join(each if projects.get(each) else f"{each} (its project is not known)" for each in living)
    others = f" in this project. Open in others: {shown}" if living else ""
    reach: list[str | Way] = [", or ", Way.NAMED, f"{living[0]} for another's"] if living else []
    advice = [Way.OPEN, *reach, records.last_end(folder, project)]
    raise Refusal(f"no session is open{others}", advice=advice)


def ask(folder: str, record: records.Record, argv: Sequence[str]) -> int:
    """Sends the command to the session, prints what it answers, and returns the exit code. Raises ``Refusal``
    where the session has gone."""
    frame = packed({**message_of(argv), "token": record.token})
    code = None
    for answer in answers(folder, record, frame):
        code = show(answer)
    return GONE if code is None else code


def answers(folder: str, record: records.Record, frame: bytes) -> Iterator[dict[str, Any]]:
    """Frames, the last of which has an exit code. What goes wrong while one is printed is not of the session."""
    try:
        with wire.connect(record.address) as connection:
            connection.sendall(frame)
            connection.settimeout(None)  # a step takes as long as it takes
            read = wire.reader(connection)
            while True:
                answer = checked(wire.read_frame(read, wire.LARGEST_ANSWER))
                yield answer
                if "code" in answer:
                    return
    except (OSError, EOFError, ValueError) as error:
        raise gone(folder, record.name, str(error)) from None


def checked(frame: dict[str, Any]) -> dict[str, Any]:
    """Raises ``ValueError`` where it is no answer of a session."""
    texts = (frame.get("out", ""), frame.get("err", ""))
    if not all(isinstance(text, str) for text in texts) or type(frame.get("code", 0)) is not int:
        raise ValueError("it answered something else")
    return frame


def show(frame: Mapping[str, Any]) -> int | None:
    """Prints a frame that was ``checked``. Returns the exit code, None where more frames follow."""
    say(frame.get("err", ""), error=True)
    say(frame.get("out", ""))
    code: int | None = frame.get("code")
    return code


def say(text: str, *, error: bool = False) -> None:
    stream = sys.stderr if error else sys.stdout
    if not text or stream is None:
        return
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="backslashreplace")  # an app shows any character, a terminal may not
    stream.write(text if text.endswith("\n") else text + "\n")
    stream.flush()


def gone(folder: str, name: str, reason: str = "") -> Refusal:
    if records.is_held(records.lock_path(folder, name)):
        return Refusal(
            f"session {name} ended the connection without an answer{f' ({reason})' if reason else ''}",
            GONE,
            advice=["try again, or see 'replicant last ", Way.NAMED, f"{name}'"],
        )
    tail = records.log_tail(folder, name)
    said = f'. Its log ends with "{tail}"' if tail else ""
    return Refusal(
        f"the process of session {name} has gone; what it had recorded is lost{said}",
        GONE,
        advice=[Way.OPEN, " ", Way.NAMED, name],
    )
