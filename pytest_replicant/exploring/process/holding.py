"""The process that holds a session, one of its own or that of a test that stands still: it takes
the name, opens the phone, answers, and releases everything."""

from __future__ import annotations

import faulthandler
import math
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress

from ...errors import UsageError
from ...model import Clock, SystemClock, encode
from ..given import values_of
from . import records
from .listening import Listening
from .protocol import LARGEST_REQUEST, USAGE, pack, read_frame
from .turns import Answer, Handler, Opener, Request, Turns

IDLE_MINUTES = 30.0
_MOST_IDLE_MINUTES = 7 * 24 * 60.0
_SEND_SECONDS = 5.0  # for the last answers, before the process ends
_TRIES, _PAUSE = 10, 0.02  # a lock may be in the hands of a client that sweeps up
_MOST_NAMES = 100


def _taken(
    folder: str, names: Iterable[str], clock: Clock, tries: int = _TRIES
) -> records.Lock | None:
    """The lock of the first name that no session has. A client that sweeps up has one for a moment
    alone, hence several ``tries``. Raises ``OSError`` if the folder cannot be used."""
    records.make_folder(folder)
    records.sweep(folder)
    for name in names:
        lock = records.Lock(folder, name)
        for _ in range(tries):
            if lock.take():
                return lock
            clock.sleep(_PAUSE)
    return None


def _hold(lock: records.Lock, project: str, turns: Turns, begun: Callable[[], object]) -> Answer:
    """Answers commands until ``turns`` end, and releases the phone. ``begun`` is called once it can
    be reached. The answer says what went wrong at the end. Raises ``OSError`` if the record or the
    socket cannot be made."""
    listening = Listening(turns.ask)
    try:
        listening.start()
        record = records.Record(
            lock.name, os.getpid(), listening.port, listening.token, project=project,
            started=turns.clock.epoch_ms(), **turns.handler.facts(),
        )  # fmt: skip
        records.write(lock.folder, record)
        begun()
        turns.run()
    finally:
        records.note_end(lock.folder, project, lock.name, turns.ended)
        listening.stop()
        trouble = turns.close()
        lock.release()  # before the answer to close: its name is free then
        turns.dismiss(trouble.err)
        listening.wait(_SEND_SECONDS)
    return trouble


def serve_here(
    handler: Handler,
    name: str,
    project: str,
    idle_seconds: float,
    announce: Callable[[str], object],
) -> None:
    """Answers commands in a process that has the session already: a test that stands still.
    ``project`` is the root that pytest found. ``announce`` is given the name that it has: ``name``,
    or that with a number. Raises ``UsageError`` if its record cannot be kept, and
    ``KeyboardInterrupt`` after Ctrl-C."""
    folder = records.sessions_folder()
    more = (f"{name[: records.LONGEST_NAME - 4]}-{number}" for number in range(2, _MOST_NAMES))
    turns = Turns(SystemClock(), idle_seconds)
    taken = None
    try:
        taken = _taken(folder, (name, *more), turns.clock)
        if not taken:
            raise UsageError(
                f"{_MOST_NAMES} sessions are called {name}. Next: replicant sessions, and close "
                "them"
            )
        own = taken.name
        turns.open(Request(("open",), "", None, {}), lambda: (handler, Answer()))
        with turns.signals() as came:
            _hold(taken, project, turns, lambda: announce(own))
    except OSError as error:
        raise UsageError(records.unusable(folder, error)) from None
    finally:
        if taken:
            taken.release()
    if came:
        signal.raise_signal(came[0])


def main(argv: Sequence[str], opener: Opener) -> int:
    """Serves one session in a process of its own. ``argv`` is its name ("": the first of s1, s2,
    ... that is free) and the folder of records. The request of ``open`` comes on standard input,
    what its client prints goes to standard output. An ``owned`` session ends once standard input
    does."""
    name, folder = argv
    try:
        request = Request.from_message(read_frame(lambda size: os.read(0, size), LARGEST_REQUEST))
    except (EOFError, ValueError, OSError):
        return USAGE  # its client was killed
    reply = _Reply(os.dup(1))
    wanted, tries = [name], _TRIES
    if not name:
        wanted, tries = [f"s{number}" for number in range(1, 10_000)], 1
    try:
        minutes = values_of(request.argv)["idle"]
        if minutes is None:
            minutes = IDLE_MINUTES
        if not 0 < minutes <= _MOST_IDLE_MINUTES:  # false for nan as well
            raise UsageError(
                f"--idle {minutes:g} is no number of minutes above 0, at most "
                f"{_MOST_IDLE_MINUTES:g}. Next: --idle {IDLE_MINUTES:g}, or leave it out"
            )
        turns = Turns(SystemClock(), math.inf if request.owned else minutes * 60)
        with turns.signals():
            taken = _taken(folder, wanted, turns.clock, tries)
            if not taken:
                raise UsageError(
                    f"session {name} is open already. Next: use it, close it with 'replicant close "
                    f"-s {name}', or give another name"
                )
            try:
                answer = _opened(taken, request, turns, reply, opener)
            finally:
                taken.release()
    except UsageError as error:
        answer = Answer(err=f"replicant: {error}", code=USAGE)
    except OSError as error:
        answer = Answer(err=f"replicant: {records.unusable(folder, error)}", code=USAGE)
    reply.send_last(answer)  # once nothing is left of it: the client may try again at once
    return answer.code


def _opened(
    lock: records.Lock, request: Request, turns: Turns, reply: _Reply, opener: Opener
) -> Answer:
    """What went wrong while it opened or ended. Raises ``UsageError`` and ``OSError``."""
    folder, own, project = lock.folder, lock.name, records.project_of(request.cwd)
    reply.send({"name": own})
    # a file for its owner only takes the place of both standard streams from now on
    mode = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_TRUNC
    log = os.open(records.log_path(folder, own), mode, 0o600)
    for stream in filter(None, (sys.stdout, sys.stderr)):
        stream.flush()
    os.dup2(log, 1)
    os.dup2(log, 2)
    faulthandler.enable(2)
    records.write(folder, records.Record(own, os.getpid(), 0, "", project=project))
    if request.owned:
        owner = os.dup(0)  # a pipe that ends with the owner

        def end() -> None:
            with suppress(OSError):
                os.read(owner, 1)
            turns.stop("ended with the program that had opened it")

        threading.Thread(target=end, daemon=True).start()
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)  # no program that it runs holds its pipe
    answer = turns.open(request, lambda: opener(own, request))
    if answer.code:
        return answer
    return _hold(lock, project, turns, lambda: reply.send_last(answer))


class _Reply:
    """The pipe to the client that opens the session, which may be killed or stopped at any
    moment."""

    def __init__(self, file: int) -> None:
        self._file = file

    def send(self, message: Mapping[str, str] | Answer, last: bool = False) -> None:
        """On a thread, which closes the pipe after the last: else its number might be another
        file's by then."""
        file, frame = self._file, pack(encode(message))

        def write() -> None:
            with suppress(OSError), open(file, "wb", closefd=last) as pipe:
                pipe.write(frame)

        writer = threading.Thread(target=write, daemon=True)
        writer.start()
        writer.join(_SEND_SECONDS)

    def send_last(self, answer: Answer) -> None:
        """The first one that is the last."""
        if self._file >= 0:
            self.send(answer, last=True)
            self._file = -1
