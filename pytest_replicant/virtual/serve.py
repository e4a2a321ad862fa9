"""Starts and stops virtual phones: one event loop in one thread, for any number of phones and
faces."""

from __future__ import annotations

import asyncio
import concurrent.futures
import os
import re
import threading
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from ..errors import DeviceError, UsageError
from .adb_side.adbd import Adbd
from .adb_side.roster import State
from .adb_side.server import AdbServer
from .adb_side.transport import Trusts
from .daemon_threads import DaemonThreads
from .listening import HOST
from .task_group import end
from .uiautomator2_side import run_server
from .uiautomator2_side.automation import MAIN
from .wda_side import WebDriverAgent

if TYPE_CHECKING:
    from types import TracebackType

    from .device.phone import VirtualPhone

T = TypeVar("T")

CALL_DEADLINE = 10.0  # seconds; all of it takes milliseconds unless the machine is in trouble
CLOSE_DEADLINE = 5.0  # seconds for each step of closing
UIAUTOMATOR2_MAIN = MAIN
_SERIAL = re.compile(r"[A-Za-z0-9._:-]{1,64}")


@dataclass(frozen=True)
class Faces:
    """What phones show to the world: an adb server of their own, their adbd, a WebDriverAgent. Port
    0: any free. ``trusts`` decides which computers adbd lets in, by public key; None trusts all
    without a key."""

    server: bool = True
    port: int = 0
    adbd: bool = False
    adbd_port: int = 0
    trusts: Trusts | None = None
    wda: bool = False
    wda_port: int = 0

    @property
    def fixed_ports(self) -> tuple[int, ...]:
        return tuple(port for port in (self.port, self.adbd_port, self.wda_port) if port)


class PhoneServer:
    """Phones that clients can connect to, until ``close()``; a context manager, for synchronous
    code."""

    host = HOST

    def __init__(self, phones: tuple[VirtualPhone, ...], faces: Faces) -> None:
        for phone in phones:
            _check_serial(phone)
        self._phones = {phone.profile.serial: phone for phone in phones}
        if len(self._phones) < len(phones):
            raise UsageError(
                "two virtual phones with one serial; give each Profile a serial of its own"
            )
        if faces.adbd_port and len(phones) > 1:
            raise UsageError(
                f"adbd port {faces.adbd_port} can belong to one phone, not to {len(phones)}"
            )
        if faces.wda_port and len(phones) > 1:
            raise UsageError(
                f"port {faces.wda_port} of WebDriverAgent can belong to one phone, not to "
                f"{len(phones)}"
            )
        self._faces = faces
        self._server = AdbServer(self._phones)
        self._adbds: dict[str, Adbd] = {}
        self._agents: dict[str, WebDriverAgent] = {}
        self._loop = (
            asyncio.SelectorEventLoop()
        )  # Windows would choose one that cannot watch a socket
        self._threads = DaemonThreads()
        self._loop.set_default_executor(self._threads)
        self._thread = threading.Thread(
            target=self._run, name="replicant-virtual-phone", daemon=True
        )
        self._closing = threading.Lock()
        self._closed = False

    @property
    def port(self) -> int:
        """The adb server's (face A); 0 if there is none."""
        return self._server.port

    @property
    def adbd_ports(self) -> dict[str, int]:
        """By serial, what a real adb server connects to (face B); empty if there is none."""
        return {serial: adbd.port for serial, adbd in self._adbds.items()}

    @property
    def adbd_port(self) -> int:
        """The first phone's. Raises ``LookupError`` if there is none."""
        return _first(
            self.adbd_ports, "no adbd face was started; ask for it: start_server(phone, adbd=True)"
        )

    @property
    def wda_ports(self) -> dict[str, int]:
        """By serial, where each phone's WebDriverAgent listens; empty if there is none."""
        return {serial: agent.port for serial, agent in self._agents.items()}

    @property
    def wda_port(self) -> int:
        """The first phone's. Raises ``LookupError`` if there is none."""
        missing = (
            "no WebDriverAgent was started; ask for it: start_server(phone, server=False, wda=True)"
        )
        return _first(self.wda_ports, missing)

    @property
    def wda_url(self) -> str:
        """What a client connects to, of the first phone. Raises ``LookupError`` if there is
        none."""
        return f"http://{HOST}:{self.wda_port}"

    def lose_sessions(self) -> None:
        """Restarts every WebDriverAgent: its sessions are lost."""
        for agent in self._agents.values():
            agent.lose_session()

    @property
    def serials(self) -> tuple[str, ...]:
        return tuple(self._phones)

    def start(self) -> PhoneServer:
        """Raises ``DeviceError`` if a fixed port is taken."""
        for phone in self._phones.values():
            equip(phone)
        self._thread.start()
        try:
            self._call(self._open)
        except BaseException as error:
            self.close()
            if isinstance(error, OSError):
                raise DeviceError(self._cannot_listen(error)) from None
            raise
        return self

    def _cannot_listen(self, error: OSError) -> str:
        ports = [str(port) for port in self._faces.fixed_ports]
        where = f"{HOST} port {' or '.join(ports)}" if ports else HOST
        reason = os.strerror(error.errno) if error.errno else str(error)
        advice = ". Next: another port, or none for any that is free" if ports else ""
        return f"virtual phone: cannot listen on {where}: {reason}{advice}"

    def close(self) -> None:
        """Ends all connections, then the thread. May be called again, and from any thread."""
        with self._closing:
            if self._closed:
                return
            self._closed = True
            try:
                if self._thread.is_alive():
                    self._submit(self._end).result(CLOSE_DEADLINE)
            except concurrent.futures.TimeoutError:
                pass  # what did not end in time is cancelled with the loop
            finally:
                self._stop()

    def _stop(self) -> None:
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join(CLOSE_DEADLINE)
        self._threads.shutdown()
        if not self._loop.is_running():
            self._loop.close()

    def set_state(self, serial: str, state: State) -> None:
        """Makes a phone of the adb server ``offline`` or ``unauthorized``, or a good ``device``
        again. Raises ``KeyError``."""
        self._call(lambda: self._server.set_state(serial, state))

    def attach(self, phone: VirtualPhone) -> None:
        """One more phone, as if plugged in. Raises ``ValueError`` if its serial is taken."""
        _check_serial(phone)
        if phone.profile.serial in self._phones:
            raise ValueError(f"a phone {phone.profile.serial!r} is attached already")
        equip(phone)
        self._call(lambda: self._attach(phone))
        self._phones[phone.profile.serial] = phone

    def detach(self, serial: str) -> None:
        """As if unplugged. Raises ``KeyError``."""
        if serial not in self._phones:
            raise KeyError(f"no phone {serial!r}; attached: {', '.join(self._phones) or 'none'}")
        self._call(lambda: self._detach(serial))
        del self._phones[serial]

    def __enter__(self) -> PhoneServer:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    async def _open(self) -> None:
        if self._faces.server:
            await self._server.start(self._faces.port)
        if self._faces.adbd:
            for phone in self._phones.values():
                await self._open_adbd(phone)
        if self._faces.wda:
            for phone in self._phones.values():
                await self._open_agent(phone)

    async def _open_adbd(self, phone: VirtualPhone) -> None:
        adbd = Adbd(phone, self._faces.trusts)
        await adbd.start(self._faces.adbd_port)
        self._adbds[phone.profile.serial] = adbd

    async def _open_agent(self, phone: VirtualPhone) -> None:
        agent = WebDriverAgent(phone)
        await agent.start(self._faces.wda_port)
        self._agents[phone.profile.serial] = agent

    async def _end(self) -> None:
        await self._server.close()
        for adbd in self._adbds.values():
            await adbd.close()
        for agent in self._agents.values():
            await agent.close()

    async def _attach(self, phone: VirtualPhone) -> None:
        if self._faces.server:
            self._server.attach(phone.profile.serial, phone)
        if self._faces.adbd:
            await self._open_adbd(phone)
        if self._faces.wda:
            await self._open_agent(phone)

    async def _detach(self, serial: str) -> None:
        if self._faces.server:
            await self._server.detach(serial)
        if serial in self._adbds:
            await self._adbds.pop(serial).close()
        if serial in self._agents:
            await self._agents.pop(serial).close()

    def _call(self, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        if self._closed:
            raise DeviceError(f"virtual phone: {', '.join(self._phones)} was switched off")
        return self._submit(work).result(CALL_DEADLINE)

    def _submit(self, work: Callable[[], Coroutine[Any, Any, T]]) -> concurrent.futures.Future[T]:
        return asyncio.run_coroutine_threadsafe(work(), self._loop)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_forever()
        self._loop.run_until_complete(end(*asyncio.all_tasks(self._loop)))
        self._loop.run_until_complete(self._loop.shutdown_asyncgens())


def _first(ports: dict[str, int], missing: str) -> int:
    for port in ports.values():
        return port
    raise LookupError(missing)


def _check_serial(phone: VirtualPhone) -> None:
    if not _SERIAL.fullmatch(phone.profile.serial):
        raise UsageError(
            f"virtual phone: {phone.profile.serial!r} is no serial: up to 64 letters, digits and . "
            "_ - :"
        )


def start_server(
    *phones: VirtualPhone,
    server: bool = True,
    port: int = 0,
    adbd: bool = False,
    adbd_port: int = 0,
    trusts: Trusts | None = None,
    wda: bool = False,
    wda_port: int = 0,
) -> PhoneServer:
    """Starts phones with the given ``Faces``; a fixed ``adbd_port`` asks for adbd too, a fixed
    ``wda_port`` for WebDriverAgent. Raises ``DeviceError`` if a fixed port is taken, ``UsageError``
    for serials that are none or not unique."""
    faces = Faces(
        server, port, adbd or adbd_port != 0, adbd_port, trusts, wda or wda_port != 0, wda_port
    )
    return PhoneServer(phones, faces).start()


def equip(phone: VirtualPhone) -> None:
    """Puts the on-device programs on a phone."""
    phone.programs.setdefault(UIAUTOMATOR2_MAIN, run_server)
