"""The life of a session's process: it takes the name, opens the phone, answers, and releases everything."""

from __future__ import annotations

import faulthandler
import os
import signal
import threading
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from types import FrameType
from typing import Any

from ...clock import Clock, SystemClock
from ...errors import UsageError
from . import records, wire
from .asking import GONE, USAGE
from .handler import Answer, Handler, Opener, Request
from .listening import REQUEST_SECONDS, Listening
from .log import Log
from .turns import NOTICE_SECONDS, Turns, guarded

IDLE_MINUTES = 30.0
_MOST_IDLE_MINUTES = 7 * 24 * 60.0
_SEND_SECONDS = 5.0  # for the last answers, before the process ends
_TRIES, _PAUSE = 10, 0.02  # a lock may be in the hands of a client that sweeps up
SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")


def main(
    argv: Sequence[str],
    opener: Opener,
    *,
    clock: Clock | None = None,
    tcp: bool = False,
    request_seconds: float = REQUEST_SECONDS,
    notice_seconds: float = NOTICE_SECONDS,
) -> int:
    """Serves one session. ``argv`` is its name ("": the first of s1, s2, ... that is free) and the folder of
    records. The request of ``open`` comes on standard input, what its client prints goes to standard output."""
    name, folder = argv
    try:
        request = Request.from_message(wire.read_frame(lambda size: os.read(0, size), wire.LARGEST_REQUEST))
    except (EOFError, ValueError, OSError):
        return USAGE  # its client was killed
    answers = os.dup(1)
    kept = Kept(folder, opener, clock or SystemClock(), _Reply(answers))
    return kept.serve(name, request, tcp=tcp, request_seconds=request_seconds, notice_seconds=notice_seconds)


class _Reply:
    """The pipe to the client that opens the session, which may be killed or stopped at any moment."""

    def __init__(self, file: int) -> None:
        self._file = file

    def send(self, message: Mapping[str, Any], *, last: bool = False) -> None:
        """On a thread, which closes the pipe after the last: else its number might be another file's by then."""
        frame = wire.pack(message)

        def write() -> None:
            with suppress(OSError), open(self._file, "wb", closefd=last) as pipe:
                pipe.write(frame)

        writer = threading.Thread(target=write, daemon=True)
        writer.start()
        writer.join(_SEND_SECONDS)

    def send_last(self, answer: Answer) -> None:
        self.send({"out": answer.out, "err": answer.err, "code": answer.code}, last=True)


class Kept:
    """One session, from its name to its end."""

    def __init__(self, folder: str, opener: Opener, clock: Clock, reply: _Reply) -> None:
        self._folder, self._opener, self._clock, self._reply = folder, opener, clock, reply
        self._turns: Turns | None = None
        self._opening = self._ended_early = False

    def serve(self, name: str, request: Request, **options: Any) -> int:
        """Returns the exit code of the process. ``options`` are those of ``main``, without the clock."""
        for each in SIGNALS:
            if hasattr(signal, each):
                signal.signal(getattr(signal, each), self._on_signal)
        try:
            request, idle_seconds = _without_idle(request)
            records.make_folder(self._folder)
            records.sweep(self._folder)
            name, lock = self._take(name)
        except UsageError as error:
            return self._fail(Answer(err=f"replicant: {error}", code=USAGE))
        except OSError as error:
            return self._fail(self._unkept(error))
        self._reply.send({"name": name})
        try:
            failed = self._live(name, lock, request, idle_seconds, options)
        finally:
            self._remove(name, lock)
        return self._fail(failed) if failed else 0

    def _unkept(self, error: OSError) -> Answer:
        return Answer(err=f"replicant: {records.unusable(self._folder, error)}", code=USAGE)

    def _fail(self, answer: Answer) -> int:
        """Once nothing is left of it: the client may try again at once."""
        self._reply.send_last(answer)
        return answer.code

    def _take(self, name: str) -> tuple[str, records.Lock]:
        """Raises ``UsageError`` where another session has the name, and ``OSError``."""
        wanted = [name] if name else (f"s{number}" for number in range(1, 10_000))
        if taken := take_first(self._folder, wanted, self._clock, _TRIES if name else 1):
            return taken
        raise UsageError(
            f"session {name} is open already. Next: use it, close it with 'replicant close -s {name}', or give "
            "another name"
        )

    def _remove(self, name: str, lock: records.Lock) -> None:
        if lock.is_taken:
            records.remove_files(self._folder, name)
            lock.release()

    def _live(
        self, name: str, lock: records.Lock, request: Request, idle_seconds: float, options: Mapping[str, Any]
    ) -> Answer | None:
        """The answer where it could not be opened, None once it has ended."""
        log = Log(records.log_path(self._folder, name))
        faulthandler.enable(2)
        project = records.project_of(request.cwd)
        try:
            records.write(self._folder, records.Record(name, os.getpid(), "", "", project=project))
        except OSError as error:
            return self._unkept(error)
        opened = self._opened(name, request)
        if isinstance(opened, Answer):
            return opened
        handler, answer = opened
        turns = Turns(handler, self._clock, idle_seconds, options["notice_seconds"])
        try:
            listening = Listening(
                records.socket_path(self._folder, name), turns.ask, turns.state, log.trim,
                tcp=options["tcp"], request_seconds=options["request_seconds"],
            )  # fmt: skip
        except OSError as error:
            handler.close()
            return self._unkept(error)
        self._turns = turns
        publish = Publisher(self._folder, name, handler, listening, self._clock.epoch_ms(), project)
        try:
            return self._answer_all(turns, listening, publish, answer)
        finally:
            records.note_end(self._folder, project, name, turns.ended)
            listening.stop()
            trouble = guarded(request, lambda: _closed(handler))
            self._remove(name, lock)  # before the answer to close: its name is free then
            turns.dismiss(trouble.err)
            listening.wait(_SEND_SECONDS)

    def _answer_all(self, turns: Turns, listening: Listening, publish: Publisher, answer: Answer) -> Answer | None:
        try:
            publish()
        except OSError as error:
            return self._unkept(error)
        listening.start()
        self._reply.send_last(answer)
        if answer.ends or self._ended_early:
            turns.end()
        turns.run(publish)
        return None

    def _opened(self, name: str, request: Request) -> tuple[Handler, Answer] | Answer:
        try:
            self._opening = not self._ended_early
            return guarded(request, lambda: self._opener(name, request))
        except KeyboardInterrupt:
            return Answer(err="replicant: the session was ended while it was opening", code=GONE)
        finally:
            self._opening = False

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        if self._turns is not None:
            self._turns.on_signal(number, frame)
            return
        self._ended_early = True
        if self._opening:
            self._opening = False
            raise KeyboardInterrupt


def take_first(
    folder: str, names: Iterable[str], clock: Clock, tries: int = _TRIES
) -> tuple[str, records.Lock] | None:
    """The first name that no session has, and its lock. A client that sweeps up has a lock for a moment alone,
    hence several ``tries``."""
    for name in names:
        lock = records.Lock(records.lock_path(folder, name))
        for _ in range(tries):
            if lock.take():
                return name, lock
            clock.sleep(_PAUSE)
    return None


class Publisher:
    """Keeps the record as the session is: the app may be another after a step."""

    def __init__(
        self, folder: str, name: str, handler: Handler, listening: Listening, started: int, project: str
    ) -> None:
        self._folder, self._handler = folder, handler
        self._record = records.Record(
            name, os.getpid(), listening.address, listening.token, started=started, project=project
        )
        self._written = False

    def __call__(self) -> None:
        """Raises ``OSError`` the first time; later the old record does as well."""
        facts = self._handler.facts()
        phone, app = facts.get("phone", ""), facts.get("app", "")
        if self._written and (phone, app) == (self._record.phone, self._record.app):
            return
        self._record.phone, self._record.app = phone, app
        try:
            records.write(self._folder, self._record)
        except OSError:
            if not self._written:
                raise
        self._written = True


def _closed(handler: Handler) -> Answer:
    handler.close()
    return Answer()


def _without_idle(request: Request) -> tuple[Request, float]:
    """The request without ``--idle MINUTES``, and that in seconds. Raises ``UsageError``."""
    own, minutes = records.taken_out(request.argv, "--idle")
    try:
        number = IDLE_MINUTES if minutes is None else float(minutes)
    except ValueError:
        number = 0.0
    if not 0 < number <= _MOST_IDLE_MINUTES:  # false for nan as well
        raise UsageError(
            f"--idle {records.printable(minutes or '')!r} is no number of minutes above 0, at most "
            f"{_MOST_IDLE_MINUTES:g}. Next: --idle {IDLE_MINUTES:g}, or leave it out"
        )
    return replace(request, argv=tuple(own)), number * 60
