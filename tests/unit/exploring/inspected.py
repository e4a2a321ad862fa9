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

from pytest_replicant.clock import SystemClock
from pytest_replicant.exploring.inspector.kept import KeptTrace
from pytest_replicant.exploring.inspector.live import LiveSource
from pytest_replicant.exploring.inspector.server import TOKEN_HEADER, InspectorServer, Source
from pytest_replicant.exploring.inspector.turns import Turns

from .sessions import SHOP, Typed, opened

EVIL = "</span><img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>"


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
    turns: Turns
    source: Source
    typed: Typed | None = None

    def send(self, method: str, path: str, body: object = None, token: str | None = None, **headers: str) -> Reply:
        """``path`` stands behind the token, and the headers of the page are sent unless given."""
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=20)
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

    def do(self, *steps: str, secrets: Mapping[str, str] | None = None, **values: Any) -> dict[str, Any]:
        return self.command("do", {"steps": list(steps), **values}, secrets)

    def command(
        self, name: str, values: Mapping[str, Any], secrets: Mapping[str, str] | None = None
    ) -> dict[str, Any]:
        reply = self.send("POST", "do", {"command": name, "values": values, "secrets": secrets or {}})
        assert reply.status == 200, reply.body
        found: dict[str, Any] = reply.data
        return found


def ref_of(state: dict[str, Any], label: str) -> str:
    (ref,) = [ref for ref, one in state["screen"]["elements"].items() if one["label"] == label][-1:]
    return cast("str", ref)


@contextmanager
def served(source: Source, turns: Turns, typed: Typed | None = None) -> Iterator[Inspected]:
    """The jobs are done by a thread of their own, as the command does them on its main one."""
    worker = threading.Thread(target=turns.run, name="phone", daemon=True)
    server = InspectorServer(source, turns.end)
    worker.start()
    try:
        yield Inspected(server, turns, source, typed)
    finally:
        turns.end()
        worker.join(20)
        server.close()
    assert not worker.is_alive()


def kept(trace: str) -> AbstractContextManager[Inspected]:
    """An inspector of a kept trace, which is named as on the command line."""
    return served(KeptTrace.open(trace), Turns(SystemClock(), 60))


@contextmanager
def inspected(folder: Path, app: Any = SHOP, **how: Any) -> Iterator[Inspected]:
    """An inspector of an app on a virtual phone of its own; ``how`` as ``opened`` takes it."""
    with opened(app, folder=str(folder), **how) as typed:
        turns = Turns(SystemClock(), 600)
        source = LiveSource(typed.session, turns, folder)
        source.begin()
        with served(source, turns, typed) as found:
            yield found
