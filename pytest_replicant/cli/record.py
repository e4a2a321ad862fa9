"""``replicant record``: the screens of an app that its user goes through, in one file."""

from __future__ import annotations

import argparse
import shlex
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue

from .. import pool
from .. import real_phones as proving
from ..drivers import device_name
from ..errors import DeviceError, ReplicantError, UsageError
from ..model.printable import counted, printable
from .process import FINE, TROUBLE, argument, command, device, number_up_to, on_signals, print_text
from .saving import Saving, made_by, options

MINUTES = 10.0
_LOOK_SECONDS = 0.5
_FILE = Path("recording.zip")


@command(
    "record",
    "keep each screen of an app while you go through it, for a virtual phone that plays it",
    "Keeps each new screen of the phone while you use your app, by hand or by commands on "
    "standard input, those of replicant open: tap REF, fill REF TEXT, scroll, back, home, "
    "launch APP; look prints the screen, done ends it, as do the end of the input, Ctrl-C and "
    "the time. Exit codes: 0 fine, 2 usage, 3 device trouble.",
    argument("uri", "URI", "the phone, as pytest names it", nargs="?"),
    device("the same"),
    argument(
        "--minutes",
        "N",
        "how long (10)",
        type=number_up_to(120, "number of minutes, up to 120"),
        default=MINUTES,
    ),
    *options(),
)
def run(arguments: argparse.Namespace) -> int:
    """Records until it is ended, then writes the file. Raises ``UsageError`` and
    ``DeviceError``."""
    from ..model import SystemClock

    if (arguments.uri is None) == (arguments.device is None):
        raise UsageError("record takes one phone: URI or --device URI, such as android")
    if arguments.save is None and _FILE.exists():
        raise UsageError(
            f"{_FILE} is there already; --save FILE.zip names another one, or writes over it"
        )
    saving = Saving.of(arguments.save or _FILE, arguments.with_texts)
    uri = pool.parse_uri(arguments.uri or arguments.device)
    clock, ended = SystemClock(), threading.Event()
    collector, trouble = proving.Collector(), ""

    def stop() -> None:
        if ended.is_set():  # it was asked for before, and the phone may not answer
            raise KeyboardInterrupt
        ended.set()

    with on_signals(stop, signal.SIGINT, signal.SIGTERM), pool.open_device(uri) as device:
        pool.make_ready(device.driver, _LOOK_SECONDS * 60, clock)
        recording = proving.Recording(device, collector, clock)
        print_text("\n".join(_begin(device_name(device.facts), arguments.minutes, recording.hears)))
        try:
            _record(recording, ended, arguments.minutes * 60)
        except DeviceError as error:
            trouble = f"The phone was lost: {error}"
        finally:
            recording.close()
        if recording.to_see:
            print_text(f"Not seen: {', '.join(recording.to_see)}.")
    if not collector.screens:
        if trouble:
            print_text(f"{trouble}\nNo screen was seen, and nothing was written.")
            return TROUBLE
        raise UsageError("no screen was seen, and nothing was written")
    capture = collector.capture(made_by("replicant record"))
    unsaved = saving.write(capture, collector.private, sys.stdout)
    if trouble or not unsaved:
        print_text(
            trouble or f"Play it: replicant virtual from-capture {shlex.quote(str(saving.path))}"
        )
    return TROUBLE if trouble or unsaved else FINE


def _begin(phone: str, minutes: float, hears: bool) -> Iterator[str]:
    yield (
        f"Recording {printable(phone)} for {minutes:g} minutes. Nothing is written before the end."
    )
    yield (
        "Open your app and go through it slowly: a screen is kept once it stands still. Show, "
        "besides its pages:"
    )
    yield from (f"  - {name}" for name in proving.GUIDE)
    yield (
        "Go back now and then, to screens that were seen already. Where you type, type nothing "
        "that is secret."
    )
    if not hears:
        yield (
            "What you tap by hand cannot be heard on this phone; what you do by commands is known."
        )
    yield (
        "Or by commands: tap REF, fill REF TEXT, scroll down, back, home, launch APP, or a call "
        "as in a test."
    )
    yield "look prints the screen, done ends it."


def _record(recording: proving.Recording, ended: threading.Event, seconds: float) -> None:
    """Obeys the lines that are typed, and looks at the phone between two lines."""
    from ..exploring.prompt import run_prompt
    from ..model import SystemClock

    clock, lines = SystemClock(), _typed()
    deadline, trouble = clock.now() + seconds, ""

    def read() -> str | None:
        nonlocal trouble
        while not ended.is_set() and clock.now() < deadline and not recording.is_full:
            try:
                if name := recording.look():
                    print_text(_seen(name, recording))
            except ReplicantError as error:  # an unreadable screen; the next may be better
                if isinstance(error, DeviceError) and pool.is_device_loss(error):
                    raise
                before, trouble = trouble, str(error)
                if trouble != before:
                    print_text(f"not read: {trouble}")
            with suppress(Empty):
                return lines.get(timeout=_LOOK_SECONDS)
        return None

    run_prompt(recording.commands, read, print_text)


def _seen(name: str, recording: proving.Recording) -> str:
    screen = recording.screen
    if not screen:
        raise UsageError("nothing was looked at yet")
    called = printable(screen.screen or screen.app, 60)
    return f"{name}  {called}, {counted(len(screen.elements), 'element')}"


def _typed() -> SimpleQueue[str | None]:
    """Lines of standard input as they come, and None at its end."""
    lines: SimpleQueue[str | None] = SimpleQueue()

    def read() -> None:
        for line in sys.stdin or ():
            lines.put(line.rstrip("\n"))
        lines.put(None)

    threading.Thread(target=read, name="replicant-typed", daemon=True).start()
    return lines
