"""The server program: started by the shell, listening on the phone's own port until it is ended."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..http import Request, Response
from ..http_connection import serve
from ..streams import Stream, Terminal
from . import (
    methods_device,
    methods_gestures,
    methods_objects,
    methods_screen,
    methods_scroll,
    methods_text,
)
from .automation import Automation
from .rpc import MethodTable, answer

if TYPE_CHECKING:
    from ..device.phone import VirtualPhone

DEFAULT_PORT = 9008
UI_AUTOMATION = "binder:uiautomation"
"""Android lets one program at a time automate the screen, on any port; this address in the
phone's port table stands for that. No client can connect to it."""

METHODS = (
    *methods_device.METHODS,
    *methods_gestures.METHODS,
    *methods_objects.METHODS,
    *methods_screen.METHODS,
    *methods_scroll.METHODS,
    *methods_text.METHODS,
)
STARTING = "[server] INFO: [UiAutomator2Server] Starting Server\n"
STARTED = (
    'SLF4J: Failed to load class "org.slf4j.impl.StaticLoggerBinder".\n'
    "SLF4J: Defaulting to no-operation (NOP) logger implementation\n"
    "SLF4J: See http://www.slf4j.org/codes.html#StaticLoggerBinder for further details.\n"
)
ALREADY_REGISTERED = (
    "java.lang.IllegalStateException: UiAutomationService "
    "android.accessibilityservice.IAccessibilityServiceClient$Stub$Proxy@5deffd5already "
    "registered!\n"
)


class Server:
    """One running server: what it answers, and the connections that end with it."""

    def __init__(self, phone: VirtualPhone) -> None:
        self.stopped = asyncio.Event()
        self._automation = Automation(phone)
        self._table = MethodTable(METHODS)
        self._connections: set[asyncio.Task[None]] = set()
        self._closed = False

    async def listen(self, stream: Stream) -> None:
        """Serves one connection. It runs in a task of its own, which ends with the client or the
        server."""
        connection = asyncio.ensure_future(serve(stream, self.respond))
        self._connections.add(connection)
        if self._closed:
            connection.cancel()
        try:
            await asyncio.wait({connection})
        finally:
            self._connections.discard(connection)
            connection.cancel()
            await stream.close()
        if not connection.cancelled():
            connection.result()

    async def respond(self, request: Request) -> Response:
        if request.path == "/jsonrpc/0":
            if request.method != "POST":
                return Response(b"POST only\n", "text/plain", 405)
            return await self._call(request.body)
        if request.path == "/ping":
            return Response(b"pong", "text/plain")
        if request.path == "/screenshot/0":
            await self._automation.phone.pace.take("screenshot")
            return Response(await methods_screen.exact_picture(self._automation), "image/png")
        if request.path == "/stop":
            self.stopped.set()
            return Response(b"Server stopped!!!", "text/plain")
        return Response(b"404 Not Found!!!", "text/plain", 404)

    async def _call(self, body: bytes) -> Response:
        """One call; a connection that is to be dropped is, before the call takes effect or
        after."""
        drop = self._automation.phone.faults.drop()
        if drop == "before":
            raise ConnectionResetError("dropped on purpose")
        response = Response(await answer(self._table, self._automation, body))
        if drop:
            raise ConnectionResetError("dropped on purpose")
        return response

    async def close(self) -> None:
        """Ends the calls that still run; their clients see the connection close."""
        self._closed = True
        for connection in self._connections:
            connection.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)


async def run_server(phone: VirtualPhone, arguments: Sequence[str], terminal: Terminal) -> int:
    """``-p PORT`` says where to listen, 9008 by default. Serves until it is cancelled; exit code 0
    if a client asked it to stop, 1 at once where the port is taken or another program automates the
    screen."""
    port = parse_port(arguments)
    if port is None:
        await terminal.write_error(b"usage: com.wetest.uia2.Main [-p PORT]\n")
        return 1
    server = Server(phone)
    with contextlib.ExitStack() as bound:
        refusal = _claim(phone, f"tcp:{port}", server, bound)
        await terminal.write(STARTING.encode())
        if refusal:
            await terminal.write_error(refusal.encode())
            return 1
        await terminal.write(STARTED.encode())
        try:
            await server.stopped.wait()
        finally:
            bound.close()  # the port first: a client that is cut off must not find it open still
            await server.close()
    return 0


def parse_port(arguments: Sequence[str]) -> int | None:
    """The port asked for; None for arguments that say anything else."""
    if not arguments:
        return DEFAULT_PORT
    if len(arguments) != 2 or arguments[0] not in ("-p", "--port"):
        return None
    text = arguments[1]
    return int(text) if text.isascii() and text.isdigit() and 0 < int(text[:6]) < 65536 else None


def _claim(phone: VirtualPhone, address: str, server: Server, bound: contextlib.ExitStack) -> str:
    """Takes the screen and the port; what to print where one of them is taken, "" if both are
    ours."""
    try:
        phone.ports.bind(UI_AUTOMATION, server.listen)
    except OSError:
        return ALREADY_REGISTERED
    bound.callback(phone.ports.release, UI_AUTOMATION)
    try:
        phone.ports.bind(address, server.listen)
    except OSError as error:
        return f"java.net.BindException: {error}\n"
    bound.callback(phone.ports.release, address)
    return ""
