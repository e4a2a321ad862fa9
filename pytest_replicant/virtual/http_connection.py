"""One client's connection: requests read, answered one after the other, each answer in one
write."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from .http import CONTINUE, BadRequest, Request, RequestBuffer, Response
from .streams import Stream

Answer = Callable[[Request], Awaitable[Response]]

CONTINUE_AFTER = 0.002
"""Seconds that a body may lag behind its head before the client is asked to go on. A client that
sends them in two pieces holds the second back until the first is acknowledged, which behind an adb
server takes 40 ms; the interim answer carries that acknowledgement. Sent at once it would slow down
clients that do not wait."""


async def serve(stream: Stream, answer: Answer) -> None:
    """Serves until the client has gone, has asked to close, or has sent an invalid request. The
    caller closes."""
    buffer = RequestBuffer()
    try:
        while (request := await _next_request(stream, buffer)) is not None:
            response = await answer(request)
            await stream.write(response.encode(keep_alive=request.keep_alive))
            if not request.keep_alive:
                break
    except BadRequest as error:
        refusal = Response(f"{error}\n".encode(), "text/plain", error.status)
        await stream.write(refusal.encode(keep_alive=False))
    except (ConnectionError, asyncio.IncompleteReadError):
        pass  # the client went away in the middle; no client is left to answer


async def _next_request(stream: Stream, buffer: RequestBuffer) -> Request | None:
    urged = False
    while (request := buffer.take()) is None:
        if buffer.pending is not None and not urged:
            urged = True
            data = await _read_body_start(stream, buffer.pending)
        else:
            data = await stream.read()
        if not data:
            return None
        buffer.feed(data)
    return request


async def _read_body_start(stream: Stream, head: Request) -> bytes:
    if head.version != "HTTP/1.1":
        return await stream.read()
    reading = asyncio.ensure_future(stream.read())
    try:
        patience = 0 if head.expects_continue else CONTINUE_AFTER
        done, _ = await asyncio.wait({reading}, timeout=patience)
        if not done:
            await stream.write(CONTINUE)
        return await reading
    finally:
        reading.cancel()
