"""``WebDriverAgent``: the server that runs on an iPhone, at a loopback port of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..http import Request, Response
from ..http_connection import serve
from ..listening import HOST, Listening
from ..streams import Stream
from . import (
    commands_alert,
    commands_apps,
    commands_audit,
    commands_device,
    commands_element,
    commands_find,
    commands_screen,
    commands_session,
    commands_touch,
)
from .agent import Agent
from .routes import RouteTable, answer

if TYPE_CHECKING:
    from ..device.phone import VirtualPhone

ROUTES = (
    *commands_alert.ROUTES,
    *commands_apps.ROUTES,
    *commands_audit.ROUTES,
    *commands_device.ROUTES,
    *commands_element.ROUTES,
    *commands_find.ROUTES,
    *commands_screen.ROUTES,
    *commands_session.ROUTES,
    *commands_touch.ROUTES,
)


class WebDriverAgent:
    """One phone's. What it answers goes by the phone's own pace and faults."""

    def __init__(self, phone: VirtualPhone) -> None:
        self._agent = Agent(phone)
        unknown = self._agent.lacks("path")
        self._table = RouteTable(route for route in ROUTES if route.path not in unknown)
        self._listening = Listening(self._serve, "WebDriverAgent")

    @property
    def port(self) -> int:
        return self._listening.port

    @property
    def url(self) -> str:
        return f"http://{HOST}:{self.port}"

    async def start(self, port: int = 0) -> None:
        """Raises ``OSError`` if a fixed port is taken."""
        await self._listening.start(port)

    async def close(self) -> None:
        await self._listening.close()

    def lose_session(self) -> None:
        """Restarts the agent: all client sessions are lost. May be called from any thread."""
        self._agent.forget()

    async def _serve(self, stream: Stream) -> None:
        await serve(stream, self.respond)

    async def respond(self, request: Request) -> Response:
        """One command; a connection that is to be dropped is, before it takes effect or after."""
        asked_for_status = request.path.strip("/") == "status"
        drop = "" if asked_for_status else self._agent.phone.faults.drop()
        if drop == "before":
            raise ConnectionResetError("dropped on purpose")
        response = await answer(self._table, self._agent, request)
        if drop:
            raise ConnectionResetError("dropped on purpose")
        return response
