"""``replicant sessions`` and ``replicant close --all``, the client's part."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from . import records
from .protocol import (
    FINE,
    NAMED,
    Refusal,
    answers,
    ask,
    chosen,
    message_of,
    packed,
    say,
    working_folder,
)

_ANSWER_SECONDS = 2.0
_NONE = "no session is open. Next: replicant open APP --device URI"


def list_sessions(folder: str, words: Sequence[str]) -> int:
    """Prints a line each. ``folder`` is "" if there is none. Raises ``Refusal``."""
    if len(words) > 1:
        raise Refusal(f"sessions takes no argument {records.printable(words[1])!r}")
    _sweep(folder)
    rows = [row for name in records.living(folder) if (row := _row(folder, name))]
    lines = records.in_columns(rows)
    say("\n".join([*lines, f"logs: {os.path.join(folder, 'NAME.log')}"]) if lines else _NONE)
    return FINE


def close_all(folder: str, words: Sequence[str]) -> int:
    """Closes those of this project one after another, and returns the highest of their exit codes. One that may
    be of this project is named. Raises ``Refusal``."""
    _sweep(folder)
    own, codes = records.project_of(working_folder()), []
    for name in records.living(folder):
        of = records.project_of_session(folder, name)
        try:
            if not of:
                raise Refusal(f"session {name}: its project is not known", advice=f"replicant close {NAMED}{name}")
            if of == own:
                codes.append(ask(folder, chosen(folder, name), ["close", *words[2:]]))
        except Refusal as error:
            say(f"replicant: {error}", error=True)
            codes.append(error.code)
    if not codes:
        say("no session is open")
    return max(codes, default=FINE)


def _sweep(folder: str) -> None:
    for name in records.sweep(folder) if folder else ():
        say(f"session {name}: its process had gone without closing it; what it left is removed", error=True)


def _row(folder: str, name: str) -> tuple[str, ...]:
    try:
        record = records.read(folder, name)
    except ValueError as error:
        return name, "", "", "", f"its record cannot be used: {error}", ""
    if record is None:
        return name, "", "", "", "opening or closing", ""
    shown = (record.name, records.printable(record.phone, 40), records.printable(record.app, 60))
    gone = "" if os.path.isdir(record.project) else ", which is gone"
    return *shown, f"process {record.pid}", _state(folder, record), f"in {records.printable(record.project)}{gone}"


def _state(folder: str, record: records.Record) -> str:
    """Busy or idle, by the process itself."""
    if not record.address:
        return "opening"
    found: dict[str, Any] = {}
    with suppress(Refusal, ValueError):
        frame = packed(message_of(["sessions"]), record.token)
        *_, answer = answers(folder, record, frame, _ANSWER_SECONDS)
        found = json.loads(answer["out"])
    busy, idle = found.get("busy"), found.get("idle")
    if not isinstance(idle, (int, float)):
        return "does not answer"
    if busy:
        return f"busy: {records.printable(str(busy), 80)}"
    return f"idle for {idle:.0f} s" if idle < 120 else f"idle for {idle / 60:.0f} min"
