"""``replicant inspect``: a page on this machine with a phone's screen, its elements, and the test
that grows."""

from __future__ import annotations

import argparse
import signal
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import DeviceError, ReplicantError, UsageError
from ..exploring.given import add_arguments, words_of
from ..exploring.table import BY_NAME
from ..model import SystemClock
from .process import (
    USAGE,
    argument,
    command,
    device,
    end_as_ctrl_c,
    flag,
    given,
    number_up_to,
    on_signals,
    print_text,
)

if TYPE_CHECKING:
    from ..exploring.inspector.server import Source

_IDLE_MINUTES = 30.0
_OF_PHONE = ("keep_data", "guard", "no_guard", "refuse", "allow")
_RELEASE_SECONDS = 10.0  # for the phone, once the page has ended


@command(
    "inspect",
    "open a page to look at an app, act on it and write a test",
    "Serves one page on this machine: the picture of the phone, the outline of its screen, a "
    "locator for each element, and the test that your steps become. With --trace it shows a "
    "trace that was kept, without a phone. Ctrl-C ends it and releases the phone. Exit codes: "
    "0 ended, 2 usage, 3 device trouble.",
    argument("app", "APP", "id of the app", nargs="?"),
    partial(
        add_arguments, arguments=[one for one in BY_NAME["open"].arguments if one.name in _OF_PHONE]
    ),
    device("phone as pytest names it: virtual, android:SERIAL, ios:URL"),
    argument(
        "--trace", "REPORT[::TEST]", "a kept trace in place of a phone: a run's folder or .zip"
    ),
    argument(
        "--idle",
        "MINUTES",
        "it ends after so many unused (30)",
        type=number_up_to(24 * 60, "number of minutes, more than 0 and up to a day"),
        default=_IDLE_MINUTES,
    ),
    flag("--browser", "open the page in the browser"),
)
def run(arguments: argparse.Namespace) -> int:
    """Serves the page until it is ended. Raises ``UsageError`` and ``DeviceError``."""
    from ..exploring.inspector.sources import KeptTrace

    if (arguments.app is None) == (arguments.trace is None):
        raise UsageError(
            "inspect takes the id of an APP, or --trace REPORT. Next: replicant inspect "
            "com.acme.shop"
        )
    with on_signals(end_as_ctrl_c, signal.SIGTERM):
        if arguments.trace is None:
            return _phone(arguments)
        if option := given(arguments, "device", *_OF_PHONE):
            raise UsageError(f"{option[0]} is about a phone, and a kept trace has none")
        _serve(KeptTrace.open(arguments.trace), lambda: True, arguments)
        return 0


def _phone(arguments: argparse.Namespace) -> int:
    from ..exploring.inspector.sources import LiveSource
    from ..exploring.process.protocol import Refusal, message_of
    from ..exploring.process.records import sessions_folder
    from ..exploring.process.starting import Started

    words = words_of("open", {**vars(arguments), "idle": None})
    started = None
    try:
        started = Started(sessions_folder(), "", message_of(words, owned=True))
        *_, opened = started.answers()
        if opened["code"]:
            raise _error(opened["err"].strip().removeprefix("replicant: "), opened["code"])
        source = LiveSource(started.ask, Path.cwd())
        source.begin()
        _serve(source, lambda: started.is_alive, arguments)
        farewell = source.farewell()
    except Refusal as refusal:
        raise _error(str(refusal), refusal.code) from None
    finally:
        code = started.end(_RELEASE_SECONDS) if started else 0
    if code:
        raise DeviceError("the phone was not released")
    print_text(farewell)
    return 0


def _error(text: str, code: int) -> ReplicantError:
    return UsageError(text) if code == USAGE else DeviceError(text)


def _serve(source: Source, is_alive: Callable[[], bool], arguments: argparse.Namespace) -> None:
    from ..exploring.inspector.server import InspectorServer

    server = InspectorServer(source, SystemClock(), arguments.idle * 60)
    try:
        print_text(
            f"Inspecting {arguments.app or arguments.trace}: open\n  {server.address}\nCtrl-C ends "
            "it."
        )
        if arguments.browser:
            import webbrowser

            webbrowser.open(server.address)
        with suppress(KeyboardInterrupt):
            if server.wait(is_alive):
                print_text(f"Nothing was asked for {arguments.idle:g} minutes.")
    finally:
        server.close()
