"""A request of a client, the answer to it, the handler that answers; and requests of several
clients, one at a time: a phone takes one step at once, and from the main thread alone."""

from __future__ import annotations

import _thread
import json
import signal
import sys
import threading
import traceback
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from types import FrameType
from typing import Any, Protocol, TypeVar

from ...errors import WRONG_CALLS, ReplicantError
from ...model import Clock, Redactor, convert
from .protocol import GONE, USAGE
from .records import printable

TICK_SECONDS = 1.0  # between two looks at the clock, which may be another than the system's
NOTICE_SECONDS = 2.0  # a client that waits for its turn is informed after that
GRACE_SECONDS = 3.0  # more, for a step that runs when the session is closed
SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")
Given = TypeVar("Given")


@dataclass(frozen=True)
class Request:
    """One command as its client was called. ``argv`` is the verb and its arguments, without the
    session's name. ``stdin`` is None if nothing was to be read. ``env`` holds the variables that
    the command names and that are set. ``pictures``: the client takes a picture in the answer, in
    place of a file. ``owned``: the session ends with the process that opened it."""

    argv: tuple[str, ...]
    cwd: str
    stdin: str | None
    env: Mapping[str, str]
    pictures: bool = False
    owned: bool = False

    @property
    def verb(self) -> str:
        return self.argv[0]

    @classmethod
    def from_message(cls, message: Mapping[str, Any]) -> Request:
        """Raises ``ValueError`` for a field that is missing or of another type."""
        request = convert(
            cls, {name: one for name, one in message.items() if name not in ("v", "token")}
        )
        if not request.argv:
            raise ValueError("argv has no word")
        return request


@dataclass(frozen=True)
class Answer:
    """What the client prints, its exit code, and a PNG for one that takes it. ``ends``: the process
    closes, then this is sent. On its way the picture is text, in base64."""

    out: str = ""
    err: str = ""
    code: int = 0
    ends: bool = False
    picture: bytes = b""


class Handler(Protocol):
    """What has the phone."""

    def handle(self, request: Request) -> Answer:
        """On the main thread, one request at a time. ``KeyboardInterrupt`` is raised in it if the
        session ends meanwhile."""
        ...

    def peek(self, request: Request, busy: bool) -> Answer | None:
        """On any thread, at once, also while another request is handled or waits, ``busy``. None:
        it waits for its turn."""
        ...

    def facts(self) -> Mapping[str, str]:
        """``phone`` and ``app``, for the list of sessions."""
        ...

    def close(self) -> None:
        """Releases the phone. On the main thread, once."""
        ...


Opener = Callable[[str, Request], tuple[Handler, Answer]]
"""Given the session's name and the request of ``open``. Raises ``ReplicantError``."""


@dataclass(eq=False)
class _Turn:
    request: Request
    answer: Answer
    is_gone: Callable[[], bool] = lambda: False
    started: threading.Event = field(default_factory=threading.Event)
    done: threading.Event = field(default_factory=threading.Event)


class Turns:
    """``open``, ``run`` and ``close`` belong to the main thread, ``ask``, ``stop`` and ``state`` to
    any other."""

    def __init__(self, clock: Clock, idle_seconds: float) -> None:
        self.clock, self._idle_seconds = clock, idle_seconds
        self.handler: Handler  # from when it is opened
        self._waiting: deque[_Turn] = deque()
        self._bell: SimpleQueue[None] = (
            SimpleQueue()
        )  # the only queue that a signal may ring at any moment
        self._running: _Turn | None = None
        self._last: _Turn | None = None
        self._used_at = clock.now()
        self._ending = self._cutting = self._over = False
        self.ended = "was ended by a signal"
        """How it ended, once it has."""
        self._lock = threading.Lock()

    def open(self, request: Request, opener: Callable[[], tuple[Handler, Answer]]) -> Answer:
        """The answer to the request that opens the session; its code is not 0 if there is no
        session."""
        turn = _Turn(request, _nothing("the session was ended while it was opening"))

        def opened() -> Answer:
            self.handler, answer = opener()
            return answer

        if not self._ending:
            self._handle(turn, opened)
        return turn.answer

    def ask(
        self, request: Request, notice: Callable[[str], None], is_gone: Callable[[], bool]
    ) -> Answer:
        """The answer, in its turn. ``notice`` is called once if that takes long; a request whose
        client ``is_gone`` before its turn is dropped."""
        if request.argv == ("sessions",):
            return Answer(json.dumps(self.state()))
        self._used_at = self.clock.now()
        busy = bool(self._running or self._waiting)
        peeked = guarded(request, lambda: self.handler.peek(request, busy))
        if peeked:
            return peeked
        turn = _Turn(request, _nothing("the session was closed meanwhile"), is_gone)
        closes = request.verb == "close"
        with self._lock:
            if self._over:
                return turn.answer
            (self._waiting.appendleft if closes else self._waiting.append)(turn)
        self._bell.put(None)
        if not turn.started.wait(NOTICE_SECONDS):
            running = self._running
            after = f" after: {_shown(running.request)}" if running else ""
            notice(f"replicant: waiting for its turn{after}")
            if closes and not turn.started.wait(GRACE_SECONDS):
                self._cutting = True
                self._interrupt()
        turn.done.wait()
        return turn.answer

    def state(self) -> dict[str, object]:
        """``busy`` is the command that runs, "" if none does; ``idle`` seconds since the last
        request."""
        running = self._running
        return {
            "busy": _shown(running.request) if running else "closing" if self._over else "",
            "idle": 0.0 if running else max(0.0, self.clock.now() - self._used_at),
            "waiting": len(self._waiting),
        }

    def run(self) -> None:
        """Handles requests until one ends the session, a signal does, or none came for
        ``idle_seconds``. Those that are left get their answer by ``dismiss``, once the phone is
        released."""
        try:
            while not self._ending:
                with suppress(KeyboardInterrupt):  # at the very end of a step
                    self._run_once()
        finally:
            with self._lock:
                self._over = True

    def _run_once(self) -> None:
        left = self._used_at + self._idle_seconds - self.clock.now()
        if left <= 0 and not self._waiting:
            self._ending = True
            self.ended = f"ended after {self._idle_seconds / 60:g} minutes without a command"
            return
        with suppress(Empty):
            self._bell.get(timeout=min(max(left, 0.0), TICK_SECONDS))
        if self._ending or not self._waiting:
            return
        turn = self._waiting.popleft()
        turn.started.set()
        try:
            if not turn.is_gone():  # no one waits for a step that was never begun
                turn.answer = _nothing("the step was cut short, as the session is being closed")
                self._handle(turn, lambda: self.handler.handle(turn.request))
                self._used_at = self.clock.now()
        finally:
            if turn.answer.ends:
                self._last, self._ending = turn, True
                self.ended = "was closed by a command"
            else:
                turn.done.set()

    def _handle(self, turn: _Turn, answer: Callable[[], Answer]) -> None:
        """The turn keeps the answer that it has if it is cut short."""
        try:
            self._running = turn
            turn.answer = guarded(turn.request, answer)
        except KeyboardInterrupt:
            pass
        finally:
            self._running = None

    def close(self) -> Answer:
        """Releases the phone; the answer says what went wrong."""

        def closed() -> Answer:
            self.handler.close()
            return Answer()

        return guarded(Request(("close",), "", None, {}), closed)

    @contextmanager
    def signals(self) -> Iterator[list[int]]:
        """While it is entered, Ctrl-C and the like end the session in order: a step that runs is
        cut short. Gives the list of those that came."""
        came: list[int] = []

        def on_signal(number: int, frame: FrameType | None) -> None:
            if self._cutting:
                self._cutting = (
                    False  # it is from here: whether the session ends is for the request to say
                )
            else:
                came.append(number)
                self._ending = True
            self._bell.put(None)
            if self._running:
                self._running = None  # at most once a step
                raise KeyboardInterrupt

        is_main = threading.current_thread() is threading.main_thread()
        numbers = (
            [getattr(signal, name) for name in SIGNALS if hasattr(signal, name)] if is_main else []
        )
        before = {number: signal.signal(number, on_signal) for number in numbers}
        try:
            yield came
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def stop(self, why: str) -> None:
        """Ends the session: a step that runs is cut short."""
        self.ended = why
        self._interrupt()

    def _interrupt(self) -> None:
        """As Ctrl-C does it, also within a call of the system if that can be."""
        if sys.platform == "win32":
            _thread.interrupt_main()
        else:
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)

    def dismiss(self, trouble: str = "") -> None:
        """Answers all that still wait. ``trouble`` is what went wrong while the session was
        closed."""
        for turn in filter(None, (self._last, *self._waiting)):
            if turn.request.verb == "close" and turn is not self._last:
                turn.answer = Answer(out="closed")
            if trouble and turn.request.verb == "close":
                turn.answer = Answer(turn.answer.out, f"{turn.answer.err}\n{trouble}".strip(), GONE)
            turn.done.set()


def _nothing(why: str) -> Answer:
    return Answer(err=f"replicant: {why}", code=GONE)


def _shown(request: Request) -> str:
    return printable(" ".join(request.argv), 80)


def guarded(request: Request, answer: Callable[[], Given]) -> Given | Answer:
    """The answer, or one that says what was raised. An error that is not ours goes to the log with
    its stack, without the values of the environment that the request brought."""
    try:
        return answer()
    except ReplicantError as error:
        return Answer(
            err=f"replicant: {error}", code=USAGE if isinstance(error, WRONG_CALLS) else GONE
        )
    except Exception as error:
        texts = [f"{type(error).__name__}: {error}", traceback.format_exc()]
        for name, value in request.env.items():
            texts = [text.replace(value, f"${name}") if value else text for text in texts]
        said, logged = map(Redactor(request.env.values()).text, texts)
        sys.stderr.write(logged)
        sys.stderr.flush()
        return Answer(
            err=f"replicant: {said}\nThis is a defect of replicant, not of the app. Next: report "
            "it with the log that 'replicant sessions' names",
            code=GONE,
        )
