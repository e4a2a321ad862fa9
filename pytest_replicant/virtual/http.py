"""HTTP/1.1 requests out of a byte stream, as far as the clients of a phone need them. No input, no
output."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

HEAD_LIMIT = 16 * 1024  # bytes; a client sends about 200
BODY_LIMIT = 16 * 1024 * 1024  # bytes; the longest honest body is a text to type
HEAD_END = b"\r\n\r\n"
CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"

REASONS = {
    403: "Forbidden",
    200: "OK",
    400: "Bad Request",
    404: "Not Found",
    405: "Method Not Allowed",
    408: "Request Timeout",
    411: "Length Required",
    413: "Payload Too Large",
    431: "Request Header Fields Too Large",
    500: "Internal Server Error",
    505: "HTTP Version Not Supported",
}


class BadRequest(Exception):
    """What arrived is no request that can be answered; the connection ends with ``status``."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status


@dataclass(frozen=True)
class Request:
    """One whole request. Header names are in lower case; ``path`` is without the query, which is
    as it was sent."""

    method: str
    path: str
    version: str
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""
    query: str = ""

    @property
    def keep_alive(self) -> bool:
        wish = self.headers.get("connection", "").lower()
        return wish != "close" if self.version == "HTTP/1.1" else wish == "keep-alive"

    @property
    def expects_continue(self) -> bool:
        return self.headers.get("expect", "").lower() == "100-continue"

    @property
    def length(self) -> int:
        """Bytes of body announced; raises ``BadRequest`` where that is no usable number."""
        if "transfer-encoding" in self.headers:
            raise BadRequest(411, "only bodies of a known length are read")
        text = self.headers.get("content-length", "0")
        if not (text.isascii() and text.isdigit()):
            raise BadRequest(400, f"Content-Length {text!r} is no number")
        if len(text) > 12 or int(text) > BODY_LIMIT:
            raise BadRequest(413, f"a body of {text} bytes is over the limit of {BODY_LIMIT}")
        return int(text)


@dataclass(frozen=True)
class Response:
    """An answer; ``encode`` gives the bytes of head and body together, for one write."""

    body: bytes
    media_type: str = "application/json"
    status: int = 200

    def encode(self, *, keep_alive: bool) -> bytes:
        head = (
            f"HTTP/1.1 {self.status} {REASONS[self.status]}\r\n"
            f"Content-Type: {self.media_type}\r\n"
            f"Content-Length: {len(self.body)}\r\n"
            f"Connection: {'keep-alive' if keep_alive else 'close'}\r\n\r\n"
        )
        return head.encode("ascii") + self.body


class RequestBuffer:
    """Bytes in, whole requests out, wherever the bytes were cut."""

    def __init__(self) -> None:
        self._data = bytearray()
        self._searched = 0
        self._head: Request | None = None

    @property
    def pending(self) -> Request | None:
        """The request whose head is complete and whose body is not."""
        return self._head

    def feed(self, data: bytes) -> None:
        self._data += data

    def take(self) -> Request | None:
        """The next whole request, None if it has not all arrived; raises ``BadRequest``."""
        if self._head is None:
            self._head = self._take_head()
        if self._head is None or len(self._data) < self._head.length:
            return None
        head, length = self._head, self._head.length
        body = bytes(self._data[:length])
        del self._data[:length]
        self._head = None
        return replace(head, body=body)

    def _take_head(self) -> Request | None:
        while self._data.startswith(b"\r\n"):  # blank lines before a request are to be skipped
            del self._data[:2]
        end = self._data.find(HEAD_END, self._searched)
        if end > HEAD_LIMIT or (end < 0 and len(self._data) > HEAD_LIMIT):
            raise BadRequest(431, f"a head of more than {HEAD_LIMIT} bytes")
        if end < 0:
            self._searched = max(0, len(self._data) - len(HEAD_END) + 1)
            return None
        head = bytes(self._data[:end])
        del self._data[: end + len(HEAD_END)]
        self._searched = 0
        return parse_head(head)


def parse_head(head: bytes) -> Request:
    """Request line and headers, without the blank line; raises ``BadRequest``."""
    line, *fields = head.decode("latin-1").split("\r\n")
    words = line.split(" ")
    if len(words) != 3 or not words[0].isalpha() or not words[1].startswith("/"):
        raise BadRequest(400, f"no request line: {line[:80]!r}")
    if words[2] not in ("HTTP/1.1", "HTTP/1.0"):
        raise BadRequest(505, f"no version this server speaks: {words[2][:20]!r}")
    headers = {}
    for each in fields:
        name, colon, value = each.partition(":")
        if not colon or not name or name != name.strip():
            raise BadRequest(400, f"no header: {each[:80]!r}")
        headers[name.lower()] = value.strip()
    path, _, query = words[1].partition("?")
    _refuse_foreign(headers)
    return Request(words[0], path, words[2], headers, query=query)


_OWN_HOST = re.compile(r"(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?", re.IGNORECASE)


def _refuse_foreign(headers: Mapping[str, str]) -> None:
    """A page in a browser may send requests to this computer, under any name that it resolves to:
    none of them is answered. Raises ``BadRequest``."""
    host = headers.get("host", "")
    if host and not _OWN_HOST.fullmatch(host):
        raise BadRequest(403, f"this phone is not {host[:80]!r}; only this computer may ask")
    if "origin" in headers:
        raise BadRequest(403, "no page in a browser may ask")
