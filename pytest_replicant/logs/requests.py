"""Requests over the network, as far as apps write them into the log: what was asked of which
endpoint, and how it ended. A line counts only if it has the form of a request: prose with a number
next to a link is none."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from .logcat import LogLine

_METHOD = r"(?P<method>GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)"
_URL = r"(?P<url>https?://[^\s\"'<>\[\](),;]+)"
_ENDPOINT = r"(?P<url>https?://[^\s\"'<>\[\](),;]+|/[^\s\"'<>\[\](),;:]*)"
# A status stands at the end of a line, or before its reason or a bracket; "500 items" and "200 ms"
# are none.
_STATUS = r"(?P<status>[1-5]\d\d)(?=$|\s*[\[(,;|)\]\"]|\s+(?:OK\b|[A-Z][a-z]+))"
# A number that is called a status may stand anywhere next to the endpoint.
_NAMED_STATUS = re.compile(
    r"(?:\b(?:status|status[ _]code|response[ _]code|http[ _]code|rc)\s{0,4}[=:]?\s{0,4}|"
    r"\bHTTP/[\d.]{1,5} )(?P<status>[1-5]\d\d)\b",
    re.IGNORECASE,
)
_BROKEN = (
    r"\b(?P<broken>(?:SocketTimeout|UnknownHost|Connect|NoRouteToHost|PortUnreachable|SSL\w*|"
    r"CertPath\w*|Socket|"
    r"ConnectionShutdown|StreamReset|UnknownService)Exception|net::ERR_[A-Z_]+)\b"
)
_ADJACENT = (
    re.compile(rf"<-- (?P<status>[1-5]\d\d)\b[^/]*? ?{_URL}"),
    re.compile(rf"\bUnexpected response code (?P<status>[1-5]\d\d) for {_URL}"),
    re.compile(
        rf"\b{_METHOD} {_ENDPOINT}(?: HTTP/[\d.]+)?[\"']?[\s:=>→-]{{0,8}}(?:HTTP/[\d.]+ )?{_STATUS}"
    ),
)
_HOST = r'UnknownHostException: Unable to resolve host "(?P<host>[\w.-]{1,253})"'
_LONGEST = 4000  # characters of a message that are looked at


@dataclass(frozen=True)
class Request:
    """A request. ``status`` is None if no answer came; ``why`` then names the error. ``method`` may
    be ""."""

    method: str
    endpoint: str
    status: int | None
    why: str = ""

    @property
    def failed(self) -> bool:
        return self.status is None or self.status >= 400

    def describe(self) -> str:
        how = self.why or str(self.status)
        return " ".join(filter(None, (self.method, self.endpoint))) + f": {how}"


def read_requests(lines: Iterable[LogLine]) -> list[Request]:
    """Requests that have ended, in the order of the log. Answers of 1xx end nothing."""
    ended: list[Request] = []
    sent: dict[tuple[int, int], tuple[str, str]] = {}  # by thread, what it has asked for last
    for line in lines:
        message = line.message[:_LONGEST]
        thread = (line.pid, line.tid)
        if begun := re.search(rf"--> {_METHOD} {_URL}", message):
            sent[thread] = (begun["method"], begun["url"])
            continue
        if broken := re.search(r"<-- HTTP FAILED: (?P<why>.*)", message):
            method, url = sent.pop(thread, ("", "a request"))
            ended.append(Request(method, url, None, broken["why"].strip()[:200]))
            continue
        if found := _one(message):
            method, url = sent.get(thread, ("", ""))
            if not found.method and url == found.endpoint:
                found = replace(found, method=method)
                del sent[thread]
            ended.append(found)
    return [one for one in ended if one.status is None or one.status >= 200]


def _one(message: str) -> Request | None:
    """Request that ended, as one line reports it. That it broke counts more than a number next to
    it."""
    broken = re.search(_BROKEN, message)
    link = re.search(rf"(?:{_METHOD} )?{_URL}", message)
    if broken and link:
        return _request(link, None, broken["broken"])
    if host := re.search(_HOST, message):
        return Request("", host["host"], None, "UnknownHostException")
    for form in _ADJACENT:
        if found := form.search(message):
            return _request(found, int(found["status"]))
    asked = re.search(rf"\b{_METHOD} {_ENDPOINT}", message) or link
    if not asked:
        return None
    around = (message[: asked.start()], message[asked.end() :])
    named = next(filter(None, map(_NAMED_STATUS.search, around)), None)
    if not named:
        return None
    return _request(asked, int(named["status"]))


def _request(found: re.Match[str], status: int | None, why: str = "") -> Request:
    """The request that a match names: always its endpoint, not always its method."""
    return Request(found.groupdict().get("method") or "", _trimmed(found["url"]), status, why)


def _trimmed(url: str) -> str:
    return url.rstrip(".,:;!?")
