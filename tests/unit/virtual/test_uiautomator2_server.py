"""The on-device uiautomator2 server as a program: its port, its last words, its end."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Coroutine
from typing import Any

import pytest

from pytest_replicant.virtual import UI_AUTOMATION, Latency, VirtualPhone, run_server


class Screen:
    """A terminal that keeps what is printed."""

    def __init__(self) -> None:
        self.out = b""
        self.err = b""

    async def read(self, limit: int = 65536) -> bytes:
        return b""

    async def write(self, data: bytes) -> None:
        self.out += data

    async def write_error(self, data: bytes) -> None:
        self.err += data


class Line:
    """The server's end of a connection; the test talks at the other end through ``ask`` and
    ``answers``."""

    def __init__(self) -> None:
        self._coming: asyncio.Queue[bytes] = asyncio.Queue()
        self.answers: asyncio.Queue[bytes] = asyncio.Queue()
        self.closed = asyncio.Event()
        self.served: asyncio.Future[None] | None = None

    def ask(self, data: bytes) -> None:
        self._coming.put_nowait(data)

    async def read(self, limit: int = 65536) -> bytes:
        return await self._coming.get()

    async def readexactly(self, count: int) -> bytes:
        raise AssertionError("an HTTP server cannot know how much comes next")

    async def write(self, data: bytes) -> None:
        self.answers.put_nowait(data)

    async def close(self) -> None:
        self.closed.set()


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, 20))


@pytest.fixture
def phone() -> VirtualPhone:
    return VirtualPhone(latency=Latency.from_knobs({"latency": "0"}))


@contextlib.asynccontextmanager
async def serving(phone: VirtualPhone, *arguments: str) -> AsyncIterator[asyncio.Task[int]]:
    terminal = Screen()
    program = asyncio.ensure_future(run_server(phone, arguments, terminal))
    while b"SLF4J" not in terminal.out:
        await asyncio.sleep(0)
    try:
        yield program
    finally:
        program.cancel()
        await asyncio.gather(program, return_exceptions=True)


def connect(phone: VirtualPhone, port: int = 9008) -> Line:
    listener = phone.ports.listener(f"tcp:{port}")
    assert listener is not None
    line = Line()
    line.served = asyncio.ensure_future(listener(line))
    return line


def post(method: str, *params: object) -> bytes:
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
    return b"POST /jsonrpc/0 HTTP/1.1\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)


def test_it_answers_on_its_port_and_leaves_it_free(phone: VirtualPhone) -> None:
    async def live() -> None:
        async with serving(phone, "-p", "9008"):
            line = connect(phone)
            line.ask(b"GET /ping HTTP/1.1\r\n\r\n")
            assert (await line.answers.get()).endswith(b"\r\n\r\npong")
            line.ask(post("ping"))
            assert (await line.answers.get()).endswith(b'{"jsonrpc":"2.0","id":1,"result":"pong"}')
            line.ask(b"GET /favicon.ico HTTP/1.1\r\n\r\n")
            assert (await line.answers.get()).startswith(b"HTTP/1.1 404 ")
            line.ask(b"GET /jsonrpc/0 HTTP/1.1\r\n\r\n")
            assert (await line.answers.get()).startswith(b"HTTP/1.1 405 ")
            line.ask(b"GET /screenshot/0 HTTP/1.1\r\n\r\n")
            assert b"\r\n\r\n\x89PNG" in await line.answers.get()
        assert phone.ports.addresses() == []
        assert line.closed.is_set()

    run(live())


def test_its_end_ends_the_calls_that_still_run(phone: VirtualPhone) -> None:
    async def live() -> None:
        async with serving(phone):
            line = connect(phone)
            line.ask(post("waitForExists", {"mask": 1, "text": "Godot"}, 600_000))
            line.ask(b"")
        await line.closed.wait()
        assert line.answers.empty()

    run(live())


def test_a_second_one_is_reported_that_one_is_registered(phone: VirtualPhone) -> None:
    async def live() -> None:
        async with serving(phone, "-p", "9008"):
            terminal = Screen()
            assert await run_server(phone, ["-p", "9009"], terminal) == 1
            assert b"already registered" in terminal.err
            assert phone.ports.addresses() == sorted([UI_AUTOMATION, "tcp:9008"])

    run(live())
