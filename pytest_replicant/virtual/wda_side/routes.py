"""Which command a request is for, and the command's answer."""

from __future__ import annotations

import asyncio
import json
import logging
import traceback
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import parse_qsl, unquote

from ..http import Request, Response
from ..pace import Call as CallKind
from .alert import answer_by_default_now
from .failures import WdaError, invalid_argument, no_session, unknown_error

if TYPE_CHECKING:
    from .agent import Agent
    from .session import Session

log = logging.getLogger(__name__)

Scope = Literal["free", "session", "both"]
"""Whether a command's path is the bare one, that with ``/session/ID`` before it, or either."""


@dataclass(frozen=True)
class RawJson:
    """A value that is JSON already, and is passed on as it is."""

    text: bytes


@dataclass(frozen=True)
class Call:
    """One request for a command. ``names`` are what its path has for ``:name``, ``query`` what
    follows it."""

    agent: Agent
    arguments: Mapping[str, Any] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    query: Mapping[str, str] = field(default_factory=dict)
    of_session: Session | None = None

    @property
    def session(self) -> Session:
        if self.of_session is None:
            raise no_session()
        return self.of_session

    def number(self, name: str, default: float | None = None) -> float:
        """An argument that is a finite number; raises ``WdaError``."""
        value = self.arguments.get(name, default)
        if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 1e9:
            raise invalid_argument(f"'{name}' has to be a number, not {value!r}")
        return value

    def text(self, name: str) -> str:
        value = self.arguments.get(name)
        if not isinstance(value, str):
            raise invalid_argument(f"'{name}' has to be a text, not {value!r}")
        return value


Command = Callable[[Call], Awaitable[Any]]


@dataclass(frozen=True)
class Route:
    method: str
    path: str  # with a colon before what may be anything: "/element/:id/rect"
    command: Command
    scope: Scope = "session"
    pace: CallKind | Literal[""] = (
        "rpc"  # the phone's time that it takes; "" for one that takes it by itself
    )


def look(act: Callable[[Call], Any]) -> Command:
    """A command that is done in one, with the phone standing still for it."""

    async def command(call: Call) -> Any:
        return await call.agent.on_phone(lambda: act(call))

    return command


class RouteTable:
    """Commands by method and number of words; a written word goes before one that may be
    anything."""

    def __init__(self, routes: Iterable[Route]) -> None:
        self._routes: dict[tuple[str, int], list[tuple[list[str], Route]]] = {}
        for route in routes:
            words = _words(route.path)
            self._routes.setdefault((route.method, len(words)), []).append((words, route))
        for each in self._routes.values():
            each.sort(key=lambda pair: [word.startswith(":") for word in pair[0]])

    def find(self, method: str, path: str) -> tuple[Route, dict[str, str], str | None]:
        """The command, what its path names, and the session's id, None for a bare path. Raises
        ``WdaError``."""
        words = _words(path)
        session = words[1] if words[:1] == ["session"] and len(words) > 1 else None
        rest = words[2:] if session is not None else words
        for pattern, route in self._routes.get((method, len(rest)), ()):
            names = _named(pattern, rest)
            if names is not None and route.scope in (
                "both",
                "free" if session is None else "session",
            ):
                return route, names, session
        raise WdaError("unknown command", f"Unhandled endpoint: {method} {path}")


def _words(path: str) -> list[str]:
    return [unquote(word) for word in path.split("/") if word]


def _named(pattern: list[str], words: list[str]) -> dict[str, str] | None:
    names = {}
    for expected, word in zip(pattern, words, strict=True):
        if expected.startswith(":"):
            names[expected[1:]] = word
        elif expected != word:
            return None
    return names


async def answer(table: RouteTable, agent: Agent, request: Request) -> Response:
    """Always JSON with ``value`` and ``sessionId``, no matter what happens."""
    try:
        value = await _perform(table, agent, request)
    except WdaError as error:
        return _failure(agent, error)
    body = value.text if isinstance(value, RawJson) else encoded(value)
    return _response(agent, body, 200)


async def _perform(table: RouteTable, agent: Agent, request: Request) -> Any:
    route, names, identity = table.find(request.method, request.path)
    session = agent.session_named(identity) if identity is not None else None
    query = dict(parse_qsl(request.query, keep_blank_values=True))
    call = Call(agent, _arguments(request.body), names, query, session)
    try:
        if agent.settings["defaultAlertAction"]:
            await agent.on_phone(lambda: answer_by_default_now(agent))
        if route.pace:
            await agent.phone.pace.take(route.pace)
        return await route.command(call)
    except WdaError:
        raise
    except (TimeoutError, asyncio.TimeoutError):
        reason = (
            f"{route.method} {route.path}: the phone did not answer in time; is an app looping?"
        )
        raise WdaError("timeout", reason) from None
    except ConnectionError:
        raise
    except Exception as error:  # an app's own code may raise whatever it likes; the server goes on
        log.exception("virtual phone: %s %s failed", route.method, route.path)
        raise unknown_error(traceback.format_exc()) from error


def _arguments(body: bytes) -> dict[str, Any]:
    if not body:
        return {}
    try:
        given = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise invalid_argument(f"the body is no JSON: {error}") from None
    if not isinstance(given, dict):
        raise invalid_argument("the body has to be a JSON object")
    return given


def _failure(agent: Agent, error: WdaError) -> Response:
    value = {"error": error.error, "message": error.message, "traceback": ""}
    return _response(agent, encoded(value), error.status)


def _response(agent: Agent, value: bytes, status: int) -> Response:
    session = agent.session.id if agent.session is not None else None
    body = b'{"value":' + value + b',"sessionId":' + encoded(session) + b"}"
    return Response(body, "application/json;charset=UTF-8", status)


def encoded(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode("ascii")
