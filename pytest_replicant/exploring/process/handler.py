"""What the process hands on: a request of its client, the answer to it, and the handler that answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from ...codec import convert


@dataclass(frozen=True)
class Request:
    """One command as its client was called. ``argv`` is the verb and its arguments, without the session's name.
    ``stdin`` is None if nothing was to be read. ``env`` holds the variables that the command names and that are
    set. ``pictures``: the client takes a picture in the answer, in place of a file. ``owned``: the session ends
    with the process that opened it."""

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
        request = convert(cls, {name: one for name, one in message.items() if name not in ("v", "token")})
        if not request.argv:
            raise ValueError("argv has no word")
        return request


@dataclass(frozen=True)
class Answer:
    """What the client prints, its exit code, and a PNG for one that takes it. ``ends``: the process closes, then
    this is sent. On its way the picture is text, in base64."""

    out: str = ""
    err: str = ""
    code: int = 0
    ends: bool = False
    picture: bytes = b""


class Handler(Protocol):
    """What has the phone."""

    def handle(self, request: Request) -> Answer:
        """On the main thread, one request at a time. ``KeyboardInterrupt`` is raised in it if the session ends
        meanwhile."""
        ...

    def peek(self, request: Request, busy: bool) -> Answer | None:
        """On any thread, at once, also while another request is handled or waits, ``busy``. None: it waits for its
        turn."""
        ...

    def facts(self) -> Mapping[str, str]:
        """``phone`` and ``app``, for the list of sessions."""
        ...

    def close(self) -> None:
        """Releases the phone. On the main thread, once."""
        ...


Opener = Callable[[str, Request], tuple[Handler, Answer]]
"""Given the session's name and the request of ``open``. Raises ``ReplicantError``."""
