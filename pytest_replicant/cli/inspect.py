"""``replicant inspect``: a page on this machine with a phone's screen, its elements, and the test that grows."""

from __future__ import annotations

import argparse
import signal
from pathlib import Path
from typing import TYPE_CHECKING

from ..clock import SystemClock
from ..errors import UsageError
from ..reporting.printable import counted
from .process import (
    Commands,
    command,
    device,
    end_as_ctrl_c,
    flag,
    given,
    number_up_to,
    on_signals,
    print_text,
    repeatable,
)

if TYPE_CHECKING:
    from ..exploring.commands import OpenSession
    from ..exploring.inspector.server import Source
    from ..exploring.inspector.turns import Turns

_IDLE_MINUTES = 30.0


def add_to(commands: Commands) -> None:
    parser = command(
        commands,
        "inspect",
        run,
        "open a page to look at an app, act on it and write a test",
        "Serves one page on this machine: the picture of the phone, the outline of its screen, a "
        "locator for each element, and the test that your steps become. With --trace it shows a trace that was "
        "kept, without a phone. Ctrl-C ends it and releases the phone. Exit codes: 0 ended, 2 usage, 3 device "
        "trouble.",
    )
    parser.add_argument("app", nargs="?", metavar="APP", help="id of the app")
    device(parser, "phone as pytest names it: virtual, android:SERIAL, ios:URL")
    parser.add_argument(
        "--trace", metavar="REPORT[::TEST]", help="a kept trace in place of a phone: a run's folder or .zip"
    )
    flag(parser, "--keep-data", "leave the app's data as they are")
    flag(parser, "--guard", "refuse to pay, delete, send, call and leave the app")
    flag(parser, "--no-guard", "refuse nothing; a real phone is guarded else")
    repeatable(parser, "--refuse", "LABEL", "further label to refuse")
    repeatable(parser, "--allow", "WORD", "word that the guard lets pass")
    parser.add_argument(
        "--idle",
        type=number_up_to(24 * 60, "number of minutes, more than 0 and up to a day"),
        default=_IDLE_MINUTES,
        metavar="MINUTES",
        help="it ends after so many unused (30)",
    )
    flag(parser, "--browser", "open the page in the browser")


def run(arguments: argparse.Namespace) -> int:
    """Serves the page until it is ended. Raises ``UsageError`` and ``DeviceError``."""
    if (arguments.app is None) == (arguments.trace is None):
        raise UsageError(
            "inspect takes the id of an APP, or --trace REPORT. Next: replicant inspect com.acme.shop"
        )
    with on_signals(end_as_ctrl_c, signal.SIGTERM):
        return _trace(arguments) if arguments.trace is not None else _phone(arguments)


def _trace(arguments: argparse.Namespace) -> int:
    from ..exploring.inspector.kept import KeptTrace
    from ..exploring.inspector.turns import Turns

    if option := given(arguments, "device", "guard", "no_guard", "keep_data", "refuse", "allow"):
        raise UsageError(f"{option[0]} is about a phone, and a kept trace has none")
    trace = KeptTrace.open(arguments.trace)
    _serve(trace, Turns(SystemClock(), arguments.idle * 60), arguments)
    return 0


def _phone(arguments: argparse.Namespace) -> int:
    from ..exploring.given import words_of
    from ..exploring.inspector.live import LiveSource
    from ..exploring.inspector.turns import Turns
    from ..exploring.opening import open_handler
    from ..exploring.process.handler import Request

    cwd = Path.cwd()
    session, _ = open_handler("inspect", Request(words_of("open", vars(arguments)), str(cwd), None, {}))
    try:
        turns = Turns(SystemClock(), arguments.idle * 60)
        source = LiveSource(session, turns, cwd)
        source.begin()
        _serve(source, turns, arguments)
    finally:
        session.close()
    print_text(_farewell(session))
    return 0


def _serve(source: Source, turns: Turns, arguments: argparse.Namespace) -> None:
    from ..exploring.inspector.server import InspectorServer

    server = InspectorServer(source, turns.end)
    try:
        print_text(f"Inspecting {arguments.app or arguments.trace}: open\n  {server.address}\nCtrl-C ends it.")
        if arguments.browser:
            import webbrowser

            webbrowser.open(server.address)
        turns.run()
    finally:
        server.close()
    if turns.was_idle:
        print_text(f"Nothing was asked for {arguments.idle:g} minutes.")


def _farewell(session: OpenSession) -> str:
    """That the phone is free, and the steps that no file has."""
    from ..exploring.writing import body_of

    head = f"Ended, {session.phone.described} is free."
    steps = session.explorer.steps
    if not session.unsaved():
        return head
    body = "\n".join(f"  {line}" for line in body_of(steps, session.phone.app, fresh=session.phone.fresh_in_test))
    return f"{head} {counted(len(steps), 'step')} not saved:\n{body}"
