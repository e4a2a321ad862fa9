"""What the process hands on: a request of its client, the answer to it, and who answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True)
class Request:
    """One command as its client was called. ``argv`` is the verb and its arguments, without the session's name.
    ``stdin`` is None where nothing was to be read. ``env`` holds the variables that the command names and that are
    set. ``columns`` is the width of the client's terminal, in characters; ``tty`` whether its output is one."""

    argv: tuple[str, ...]
    cwd: str
    stdin: str | None
    env: Mapping[str, str]
    tty: bool = False
    columns: int = 80

    @property
    def verb(self) -> str:
        return self.argv[0]

    @classmethod
    def from_message(cls, message: Mapping[str, Any]) -> Request:
        """Raises ``ValueError`` where a field is missing or of another type."""
        argv, env, stdin = message.get("argv"), message.get("env"), message.get("stdin")
        if not isinstance(argv, list) or not argv or not all(isinstance(word, str) for word in argv):
            raise ValueError("argv is no list of words")
        if not isinstance(env, dict) or not all(isinstance(value, str) for value in env.values()):
            raise ValueError("env is no mapping of texts")
        cwd, tty, columns = message.get("cwd"), message.get("tty"), message.get("columns")
        if not isinstance(cwd, str) or not isinstance(stdin, (str, type(None))):
            raise ValueError("cwd or stdin is no text")
        if not isinstance(tty, bool) or type(columns) is not int or not 0 < columns < 10_000:
            raise ValueError("tty or columns is missing")
        return cls(tuple(argv), cwd, stdin, env, tty, columns)


@dataclass(frozen=True)
class Answer:
    """What the client prints and its exit code. ``ends``: the process closes, then this is sent."""

    out: str = ""
    err: str = ""
    code: int = 0
    ends: bool = False


class Handler(Protocol):
    """Whoever has the phone."""

    def handle(self, request: Request) -> Answer:
        """On the main thread, one request at a time. ``KeyboardInterrupt`` is raised in it where the session ends
        meanwhile."""
        ...

    def peek(self, request: Request) -> Answer | None:
        """On any thread, at once, also while another request is handled. None: it waits for its turn."""
        ...

    def facts(self) -> Mapping[str, str]:
        """``phone`` and ``app``, for the list of sessions."""
        ...

    def close(self) -> None:
        """Releases the phone. On the main thread, once."""
        ...


Opener = Callable[[str, Request], tuple[Handler, Answer]]
"""Given the session's name and the request of ``open``. Raises ``ReplicantError``."""
