"""An inspector that serves a virtual phone, or anything else, while a test talks to it."""

from __future__ import annotations

import http.client
import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from pytest_replicant.exploring import (
    TOKEN_HEADER,
    Answer,
    InspectorServer,
    KeptTrace,
    LivePage,
    LiveSource,
    Request,
    Source,
    Turns,
    message_of,
)
from pytest_replicant.model import SystemClock, encode

from .sessions import SHOP, Typed, opened

EVIL = (
    "</span><img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>"
)


@dataclass
class Reply:
    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def data(self) -> Any:
        return json.loads(self.body)


@dataclass
class Inspected:
    """``typed`` is the session behind it, None for a kept trace."""

    server: InspectorServer
    source: Source
    typed: Typed | None = None

    def send(
        self, method: str, path: str, body: object = None, token: str | None = None, **headers: str
    ) -> Reply:
        """``path`` stands behind the token, and the headers of the page are sent unless given."""
        connection = http.client.HTTPConnection("127.0.0.1", self.server.server_port, timeout=20)
        data = body if isinstance(body, str) else json.dumps(body) if body is not None else None
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        if method == "POST":
            given = {"Content-Type": "application/json", TOKEN_HEADER: self.server.token, **given}
        try:
            token = self.server.token if token is None else token
            connection.request(method, f"/{token}/{path}", data, given)
            answer = connection.getresponse()
            return Reply(answer.status, dict(answer.headers), answer.read())
        finally:
            connection.close()

    def state(self, path: str = "state") -> dict[str, Any]:
        reply = self.send("GET", path)
        assert reply.status == 200, reply.body
        found: dict[str, Any] = reply.data
        return found

    def do(
        self, *steps: str, secrets: Mapping[str, str] | None = None, **values: Any
    ) -> dict[str, Any]:
        return self.command("do", {"steps": list(steps), **values}, secrets)

    def command(
        self, name: str, values: Mapping[str, Any], secrets: Mapping[str, str] | None = None
    ) -> dict[str, Any]:
        reply = self.send(
            "POST", "do", {"command": name, "values": values, "secrets": secrets or {}}
        )
        assert reply.status == 200, reply.body
        found: dict[str, Any] = reply.data
        return found


def ref_of(state: dict[str, Any], label: str) -> str:
    (ref,) = [ref for ref, one in state["screen"]["elements"].items() if one["label"] == label][-1:]
    return cast("str", ref)


@contextmanager
def served(source: Source, typed: Typed | None = None) -> Iterator[Inspected]:
    server = InspectorServer(source, SystemClock(), 600)
    try:
        yield Inspected(server, source, typed)
    finally:
        server.close()


def kept(trace: str) -> AbstractContextManager[Inspected]:
    """An inspector of a kept trace, which is named as on the command line."""
    return served(KeptTrace.open(trace))


@contextmanager
def inspected(folder: Path, app: Any = SHOP, **how: Any) -> Iterator[Inspected]:
    """An inspector of an app on a virtual phone of its own; ``how`` as ``opened`` takes it. A
    thread holds the session, as a process of its own does it on its main one."""
    with opened(app, folder=str(folder), **how) as typed:
        turns = Turns(SystemClock(), 600)
        turns.open(_request(("open",)), lambda: (LivePage(typed.session), Answer()))

        def held() -> None:
            turns.run()
            turns.dismiss()

        holder = threading.Thread(target=held, name="phone", daemon=True)
        holder.start()

        def ask(argv: tuple[str, ...], **given: Any) -> Mapping[str, Any]:
            answer = encode(turns.ask(_request(argv, **given), print, lambda: False))
            found: Mapping[str, Any] = json.loads(answer)
            return found

        source = LiveSource(ask, folder)
        try:
            source.begin()
            with served(source, typed) as found:
                yield found
        finally:
            ask(("close",))
            holder.join(20)
        assert not holder.is_alive()


def _request(argv: tuple[str, ...], **given: Any) -> Request:
    return Request.from_message(message_of(argv, **given))
