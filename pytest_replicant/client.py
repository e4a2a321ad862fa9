"""``replicant``: the script's entry. The commands of a kept session take a light way, as there are
many of them.

``replicant open APP --device URI -s NAME`` starts a process that keeps the phone; ``do``, ``look``
and their like are handed to it. All else is the command line of ``pytest_replicant.cli``.

Exit codes of the light way: 0 fine, 1 a failed step or check, 2 usage, 3 the phone or the session
has gone; 130 after Ctrl-C.
"""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress

from .exploring.process import records
from .exploring.process.protocol import (
    FINE,
    GONE,
    INTERRUPTED,
    NAMED,
    Refusal,
    answers,
    ask,
    check_name,
    chosen,
    message_of,
    say,
    working_folder,
)
from .exploring.table import BY_NAME

TYPE_CHECKING = (
    False  # as type checkers read it; the module typing would double the cost of this one
)
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

_HELP = frozenset(("-h", "--help"))
_ANSWER_SECONDS = 2.0
_NONE = "no session is open. Next: replicant open APP --device URI"


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    own, name = records.taken_out(words, "-s", "--session")
    asks_help = not _HELP.isdisjoint(own[: own.index("--")] if "--" in own else own)
    if not own or own[0] not in BY_NAME or asks_help:
        from .cli import main as command_line

        return command_line(own if own and own[0] in BY_NAME else words)
    return _run(own, name)


def _run(words: list[str], name: str | None) -> int:
    code = GONE
    try:
        return _dispatch(words, name)
    except Refusal as refusal:
        said, code = str(refusal), refusal.code
    except KeyboardInterrupt:
        said = "interrupted; a session that was opening goes on. Next: replicant sessions"
        if words[0] not in ("open", "sessions"):
            of = f" -s {name}" if name else ""
            said = f"interrupted; the step goes on. Next: replicant last{of}"
        code = INTERRUPTED
    except BrokenPipeError:
        # Python flushes once more at its end, and would complain
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return code
    except OSError as error:  # a full disk, most likely
        said = str(error)
    say(f"replicant: {said}", error=True)
    return code


def _dispatch(words: list[str], name: str | None) -> int:
    name = name if name is not None else os.environ.get("REPLICANT_SESSION") or None
    if name is not None:
        check_name(name)
    folder = records.sessions_folder()
    try:
        if words[0] == "open":
            from .exploring.process.starting import open_session

            return open_session(folder, name or "", words)
        if words[0] == "sessions":
            return _list_sessions(folder, words)
        if words[:2] == ["close", "--all"]:
            return _close_all(folder, words)
        return ask(folder, chosen(folder, name), words)
    except (PermissionError, NotADirectoryError) as error:
        raise Refusal(records.unusable(folder, error)) from None


def _list_sessions(folder: str, words: Sequence[str]) -> int:
    """Prints a line each. Raises ``Refusal``."""
    if len(words) > 1:
        raise Refusal(f"sessions takes no argument {records.printable(words[1])!r}")
    _sweep(folder)
    rows = [_row(folder, name) for name in records.living(folder)]
    lines = records.in_columns(rows)
    say("\n".join([*lines, f"logs: {os.path.join(folder, 'NAME.log')}"]) if lines else _NONE)
    return FINE


def _close_all(folder: str, words: Sequence[str]) -> int:
    """Closes those of this project one after another, and returns the highest of their exit codes.
    One that may be of this project is named. Raises ``Refusal``."""
    _sweep(folder)
    own, codes = records.project_of(working_folder()), []
    for name in records.living(folder):
        of = records.project_of_session(folder, name)
        try:
            if not of:
                raise Refusal(
                    f"session {name}: its project is not known",
                    advice=f"replicant close {NAMED}{name}",
                )
            if of == own:
                codes.append(ask(folder, chosen(folder, name), ["close", *words[2:]]))
        except Refusal as error:
            say(f"replicant: {error}", error=True)
            codes.append(error.code)
    if not codes:
        say("no session is open")
    return max(codes, default=FINE)


def _sweep(folder: str) -> None:
    for name in records.sweep(folder):
        say(
            f"session {name}: its process had gone without closing it; what it left is removed",
            error=True,
        )


def _row(folder: str, name: str) -> tuple[str, ...]:
    try:
        record = records.read(folder, name)
    except ValueError as error:
        return name, "", "", "", f"its record cannot be used: {error}", ""
    if not record:
        return name, "", "", "", "opening or closing", ""
    place = f"in {records.printable(record.project)}"
    if not os.path.isdir(record.project):
        place += ", which is gone"
    phone, app = records.printable(record.phone, 40), records.printable(record.app, 60)
    return name, phone, app, f"process {record.pid}", _state(folder, record), place


def _state(folder: str, record: records.Record) -> str:
    """Busy or idle, by the process itself."""
    if not record.port:
        return "opening"
    found: dict[str, Any] = {}
    with suppress(Refusal, ValueError):
        *_, answer = answers(folder, record, message_of(["sessions"]), _ANSWER_SECONDS)
        found = json.loads(answer["out"])
    busy, idle = found.get("busy"), found.get("idle")
    if not isinstance(idle, (int, float)):
        return "does not answer"
    if busy:
        return f"busy: {records.printable(str(busy), 80)}"
    return f"idle for {idle:.0f} s" if idle < 120 else f"idle for {idle / 60:.0f} min"


if __name__ == "__main__":
    sys.exit(main())
