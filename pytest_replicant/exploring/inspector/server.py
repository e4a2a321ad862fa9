"""The page and its data, on the loopback. Each request needs the token of the address; what acts is
a POST."""

from __future__ import annotations

import hmac
import json
import re
import secrets
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import resources
from typing import Annotated, Any, Protocol
from urllib.parse import parse_qs, urlsplit

from ...errors import ReplicantError
from ...model import Clock, decode
from ...reporting.pages.page import asset
from ..given import Values
from .screens import Picture, Shown
from .sources import Ended

HOST = "127.0.0.1"
TOKEN_HEADER = "X-Replicant-Token"
MOST_BYTES = 64_000  # of a request's body
TICK_SECONDS = 0.5  # between two looks at the clock
_SLOW_SECONDS = 30.0  # for a client that sends nothing
_NAME = r"[A-Za-z0-9_.-]{1,80}"
_PICTURE = re.compile(rf"(picture|marked)/({_NAME})")
_ELEMENT = re.compile(rf"(element)/({_NAME})/({_NAME})")
_ASKED = {"state": "screen", "poll": "seen"}

_SHARED = ("elements.js", "links.js", "theme.js")
_SCRIPTS = ("asking.js", "picture.js", "outline.js", "element.js", "steps.js", "code.js", "page.js")
_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src "
    "'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


class Source(Protocol):
    """The phone or the trace that is inspected. Everything is ready for JSON."""

    def read(self, what: str, *words: str) -> Shown | Picture | None:
        """``state`` with the name of a screen, ``poll`` with that of the last one, ``picture`` and
        ``marked`` of a screen, or an ``element`` of it. Raises ``UsageError``."""
        ...

    def command(self, name: str, values: Values, secrets: Mapping[str, str]) -> Shown: ...


@dataclass(frozen=True)
class _Asked:
    """The body of a request: a command, its values, and secrets by the names that it mentions."""

    command: str = ""
    values: Values = field(default_factory=dict)
    secrets: Mapping[str, Annotated[str, range(1_001)]] = field(default_factory=dict)


class InspectorServer(ThreadingHTTPServer):
    """Serves from when it is made until ``close``, at a port that the system chose."""

    daemon_threads = True
    block_on_close = False  # a browser keeps its connections open

    def __init__(self, source: Source, clock: Clock, idle_seconds: float) -> None:
        super().__init__((HOST, 0), _Requests)
        self.source, self.token = source, secrets.token_urlsafe(24)
        self.ended = threading.Event()
        self._clock, self._idle_seconds, self._used_at = clock, idle_seconds, clock.now()
        self._thread = threading.Thread(
            target=self.serve_forever, args=(0.1,), name="inspector", daemon=True
        )
        self._thread.start()

    @property
    def address(self) -> str:
        """Of the page, with its token."""
        return f"http://{HOST}:{self.server_port}/{self.token}/"

    def wait(self, is_alive: Callable[[], bool]) -> bool:
        """Until the page ends it, its source is not alive any more, or it was not used for the idle
        seconds. Whether it was not used."""
        while not self.ended.wait(TICK_SECONDS) and is_alive():
            if self._clock.now() - self._used_at >= self._idle_seconds:
                return True
        return False

    def touch(self) -> None:
        """Someone is there, unlike at a look that the page takes by itself."""
        self._used_at = self._clock.now()

    def close(self) -> None:
        """Answers no further request."""
        self.shutdown()
        self.server_close()
        self._thread.join()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that went away is no trouble."""


class _Refused(Exception):
    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status = status


class _Requests(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "replicant", ""
    timeout = _SLOW_SECONDS
    server: InspectorServer

    def do_GET(self) -> None:
        self._guarded(self._get)

    def do_POST(self) -> None:
        self._guarded(self._post)

    def log_message(self, format: str, *args: Any) -> None:
        """The terminal is for the address."""

    # --- who may ask ------------------------------------------------------------------------------

    def _guarded(self, answer: Callable[[str], None]) -> None:
        try:
            answer(self._path())
        except _Refused as refused:
            self._send_json({"error": str(refused)}, refused.status)
        except Ended as error:
            self._send_json({"error": str(error), "ended": True}, 410)
        except ReplicantError as error:
            self._send_json({"error": str(error)}, 400)
        except (ConnectionError, TimeoutError):
            self.close_connection = True
        except Exception as error:
            said = f"{type(error).__name__}: {error}. This is a defect of replicant, not of the app"
            self._send_json({"error": said}, 500)

    def _path(self) -> str:
        """Of the request, behind the token. A name that leads here from elsewhere, as in DNS
        rebinding, is refused, and so is one that does not know the token."""
        hosts = [f"{name}:{self.server.server_port}" for name in (HOST, "localhost")]
        if self.headers.get_all("Host") not in [[host] for host in hosts]:
            raise _Refused(403, f"this is answered at {hosts[0]} alone")
        origin = self.headers.get("Origin")
        if origin is not None and origin not in [f"http://{host}" for host in hosts]:
            raise _Refused(403, "a page of another origin may not ask")
        token, slash, path = urlsplit(self.path).path.removeprefix("/").partition("/")
        if not slash or not self._is_token(token):
            raise _Refused(
                403, "the token is missing or wrong. Next: open the address that replicant printed"
            )
        return path

    def _is_token(self, given: str | None) -> bool:
        return hmac.compare_digest(
            (given or "").encode("utf-8", "replace"), self.server.token.encode()
        )

    # --- answers ----------------------------------------------------------------------------------

    def _get(self, path: str) -> None:
        """Reads, and never acts."""
        if path in _PAGES:
            return self._send(_file(path), _PAGES[path])
        if path in _ASKED:
            words = [parse_qs(urlsplit(self.path).query).get(_ASKED[path], [""])[-1]]
        elif named := _PICTURE.fullmatch(path) or _ELEMENT.fullmatch(path):
            path, *words = named.groups()
        else:
            raise _Refused(
                405 if path in ("do", "end") else 404, "there is nothing to be read here"
            )
        if path == "element":
            self.server.touch()
        found = self.server.source.read(path, *words)
        if found is None:
            raise _Refused(404, "there is no such picture")
        if isinstance(found, Picture):
            return self._send(found.data, found.media_type)
        return self._send_json(found)

    def _post(self, path: str) -> None:
        """Acts: ``do`` is a command with its values, ``end`` ends the inspector."""
        asked = self._body()
        if not self._is_token(self.headers.get(TOKEN_HEADER)):
            raise _Refused(403, f"the header {TOKEN_HEADER} is missing or wrong")
        if path == "end":
            self._send_json({"ended": True})
            self.server.ended.set()
            return
        if path != "do":
            raise _Refused(404, "there is nothing to be done here")
        self.server.touch()
        answer = self.server.source.command(asked.command, asked.values, asked.secrets)
        self.server.touch()
        self._send_json(answer)

    def _body(self) -> _Asked:
        """The JSON of a request, which no form of another page can send."""
        keeps, self.close_connection = not self.close_connection, True  # a refused body is not read
        if self.headers.get_content_type() != "application/json":
            raise _Refused(415, "a request is application/json")
        length = self.headers.get("Content-Length", "")
        if not re.fullmatch(r"\d{1,9}", length) or int(length) > MOST_BYTES:
            raise _Refused(413, f"a request has at most {MOST_BYTES:,} bytes, and states how many")
        try:
            body = decode(_Asked, self.rfile.read(int(length)))
        except ValueError as error:
            raise _Refused(400, f"this is no request: {error}") from None
        self.close_connection = not keeps
        return body

    def _send_json(self, data: Shown, status: int = 200) -> None:
        self._send(json.dumps(data).encode(), "application/json", status)

    def _send(self, data: bytes, media_type: str, status: int = 200) -> None:
        self.send_response(status)
        text = media_type.startswith(("text/", "application/"))
        self.send_header("Content-Type", f"{media_type}; charset=utf-8" if text else media_type)
        self.send_header("Content-Length", str(len(data)))
        for name, value in _HEADERS.items():
            self.send_header(name, value)
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(data)


_PAGES = {"": "text/html", "page.css": "text/css", "page.js": "text/javascript"}


@cache
def _file(name: str) -> bytes:
    """A file of the page: the style and the first scripts are those of the reports."""

    def own(name: str) -> str:
        return (resources.files(__package__) / "assets" / name).read_text(encoding="utf-8")

    text = own("inspector.html")
    if name == "page.css":
        text = "\n".join([asset("look.css"), own("inspector.css")])
    elif name == "page.js":
        parts = "\n".join([*map(asset, _SHARED), *map(own, _SCRIPTS)])
        text = f'"use strict";\n(() => {{\n{parts}}})();\n'
    return text.encode()
