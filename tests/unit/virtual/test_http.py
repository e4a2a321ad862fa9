"""The HTTP of the servers on the phone: whole requests out of bytes, one write for each answer."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from pytest_replicant.virtual.http import (
    BODY_LIMIT,
    CONTINUE,
    HEAD_LIMIT,
    BadRequest,
    Request,
    RequestBuffer,
    Response,
)
from pytest_replicant.virtual.http_connection import serve

BODY = '{"method":"setText","params":["日本語\\r\\n\\r\\n"]}'.encode()
POST = (
    b"POST /jsonrpc/0?x=1 HTTP/1.1\r\nHost: localhost:9008\r\nContent-Length: %d\r\n"
    b"User-Agent: uiautomator2\r\nAccept-Encoding: \r\nContent-Type: application/json\r\n\r\n"
    % len(BODY)
) + BODY
PING = b"GET /ping HTTP/1.1\r\nHost: localhost:9008\r\n\r\n"


class Pipe:
    """A connection whose client sends the given pieces, then nothing more, or hangs up."""

    def __init__(
        self, pieces: Sequence[bytes], *, hang_up: bool = True, patient: bool = False
    ) -> None:
        self._pieces = list(pieces)
        self._hang_up = hang_up
        self._told_to_go_on = asyncio.Event()
        if not patient:
            self._told_to_go_on.set()
        self.written: list[bytes] = []

    async def read(self, limit: int = 65536) -> bytes:
        if self._pieces:
            if len(self._pieces) == 1:
                await self._told_to_go_on.wait()
            return self._pieces.pop(0)
        if not self._hang_up:
            await asyncio.Event().wait()
        return b""

    async def readexactly(self, count: int) -> bytes:
        raise AssertionError("an HTTP server cannot know how much comes next")

    async def write(self, data: bytes) -> None:
        self.written.append(data)
        if data == CONTINUE:
            self._told_to_go_on.set()

    async def close(self) -> None: ...


async def echo(request: Request) -> Response:
    return Response(request.body or request.path.encode(), "text/plain")


def talk(pieces: Sequence[bytes], *, patient: bool = False) -> Pipe:
    async def run() -> Pipe:
        pipe = Pipe(pieces, patient=patient)
        await asyncio.wait_for(serve(pipe, echo), 5)
        return pipe

    return asyncio.run(run())


def taken(data: bytes) -> Request | None:
    buffer = RequestBuffer()
    buffer.feed(data)
    return buffer.take()


def test_a_request_is_the_same_wherever_its_bytes_are_cut() -> None:
    whole = taken(POST)
    assert whole is not None
    assert (whole.method, whole.path, whole.body) == ("POST", "/jsonrpc/0", BODY)
    for cut in range(1, len(POST)):
        buffer = RequestBuffer()
        buffer.feed(POST[:cut])
        assert buffer.take() is None, cut
        buffer.feed(POST[cut:])
        assert buffer.take() == whole, cut


@pytest.mark.parametrize(
    ("data", "status"),
    [
        pytest.param(b"hello\r\n\r\n", 400, id="no request line"),
        pytest.param(b"GET ping HTTP/1.1\r\n\r\n", 400, id="no path"),
        pytest.param(b"GET /ping HTTP/2\r\n\r\n", 505, id="another version"),
        pytest.param(b"GET / HTTP/1.1\r\nno colon\r\n\r\n", 400, id="no header"),
        pytest.param(b"GET / HTTP/1.1\r\nHost : x\r\n\r\n", 400, id="blank before the colon"),
        pytest.param(b"POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 400, id="negative length"),
        pytest.param(
            "POST / HTTP/1.1\r\nContent-Length: ²\r\n\r\n".encode("latin-1"), 400, id="odd digit"
        ),
        pytest.param(
            b"POST / HTTP/1.1\r\nContent-Length: %d\r\n\r\n" % (BODY_LIMIT + 1), 413, id="body"
        ),
        pytest.param(
            b"POST / HTTP/1.1\r\nContent-Length: " + b"9" * 5000 + b"\r\n\r\n", 413, id="digits"
        ),
        pytest.param(b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", 411, id="chunked"),
        pytest.param(b"GET / HTTP/1.1\r\nX: " + b"x" * HEAD_LIMIT, 431, id="endless head"),
        pytest.param(b"x" * (HEAD_LIMIT + 1), 431, id="no end of line"),
    ],
)
def test_what_is_no_request_is_refused(data: bytes, status: int) -> None:
    with pytest.raises(BadRequest) as refused:
        taken(data)
    assert refused.value.status == status


def test_a_refusal_is_answered_and_ends_the_connection() -> None:
    pipe = talk([b"BREW /coffee\r\n\r\n" + PING])
    assert len(pipe.written) == 1
    assert pipe.written[0].startswith(b"HTTP/1.1 400 Bad Request\r\n")
    assert b"Connection: close" in pipe.written[0]


def test_each_answer_is_one_write_and_the_connection_is_kept() -> None:
    pipe = talk([PING, POST, PING])
    assert len(pipe.written) == 3
    heads = [answer.partition(b"\r\n\r\n")[0] for answer in pipe.written]
    assert all(b"Connection: keep-alive" in head for head in heads)
    assert pipe.written[1].endswith(
        b"Content-Length: %d\r\nConnection: keep-alive\r\n\r\n" % len(BODY) + BODY
    )


@pytest.mark.parametrize(
    "request_",
    [PING.replace(b"Host", b"Connection: close\r\nHost"), PING.replace(b"HTTP/1.1", b"HTTP/1.0")],
)
def test_a_client_that_wants_to_close_gets_one_answer(request_: bytes) -> None:
    pipe = talk([request_, PING])
    assert len(pipe.written) == 1
    assert b"Connection: close" in pipe.written[0]


def test_a_client_that_holds_its_body_back_is_asked_to_go_on() -> None:
    pipe = talk([POST[: -len(BODY)], BODY], patient=True)
    assert pipe.written[0] == CONTINUE
    assert len(pipe.written) == 2
    assert pipe.written[1].endswith(BODY)
