"""The device's services by the name that a client asks for, the same on both faces."""

from __future__ import annotations

from collections.abc import Callable

from .. import shell
from ..streams import Stream, Terminal, in_thread
from . import reverse
from .attachment import Attachment, Service, ServiceRefused
from .commands import Command, attend
from .sync import serve_sync
from .terminals import PacketTerminal, RawTerminal


def resolve(attachment: Attachment, request: str) -> Service:
    """The service that ``request`` names, such as ``shell:ls``. Raises ``ServiceRefused``."""
    for prefix, open_service in _SERVICES:
        if request.startswith(prefix):
            return open_service(attachment, request[len(prefix) :])
    raise ServiceRefused("closed")


def _shell(attachment: Attachment, rest: str) -> Service:
    """``:CMD`` or ``,v2,TERM=xterm,raw:CMD``; an empty command is an interactive shell."""
    options, colon, line = rest.partition(":")
    if not colon:
        raise ServiceRefused("closed")
    words = options.split(",")

    async def command(terminal: Terminal) -> int:
        return await shell.run(attachment.phone, line, terminal)

    pty = "raw" not in words
    return _packets(command, pty=pty) if "v2" in words else _raw(command, pty=pty)


def _exec(attachment: Attachment, line: str) -> Service:
    async def command(terminal: Terminal) -> int:
        return await shell.run(attachment.phone, line, terminal)

    return _raw(command)


def _binder(attachment: Attachment, line: str) -> Command:
    words = line.split("\0")

    async def command(terminal: Terminal) -> int:
        return await shell.run_words(attachment.phone, words, terminal)

    return command


def _raw(command: Command, *, pty: bool = False) -> Service:
    async def serve(stream: Stream) -> None:
        await attend(command, RawTerminal(stream, pty=pty))

    return serve


def _packets(command: Command, *, pty: bool = False) -> Service:
    async def serve(stream: Stream) -> None:
        await attend(command, PacketTerminal(stream, pty=pty))

    return serve


def _sync(attachment: Attachment, _: str) -> Service:
    async def serve(stream: Stream) -> None:
        await serve_sync(attachment.phone.files, stream)

    return serve


def _socket(kind: str) -> Callable[[Attachment, str], Service]:
    def open_service(attachment: Attachment, name: str) -> Service:
        listener = attachment.phone.ports.listener(f"{kind}:{name}")
        if listener is None:
            raise ServiceRefused("closed")
        return listener

    return open_service


def _reverse(attachment: Attachment, request: str) -> Service:
    async def serve(stream: Stream) -> None:
        await stream.write(reverse.answer(attachment.reverses, request))

    return serve


def _reboot(attachment: Attachment, _: str) -> Service:
    async def serve(stream: Stream) -> None:
        await in_thread(attachment.phone.restart)

    return serve


def _framebuffer(attachment: Attachment, _: str) -> Service:
    async def serve(stream: Stream) -> None:
        await attachment.phone.pace.take("screenshot")
        await stream.write(await in_thread(shell.framebuffer, attachment.phone))

    return serve


def _says(text: str) -> Callable[[Attachment, str], Service]:
    async def serve(stream: Stream) -> None:
        await stream.write(text.encode())

    return lambda _attachment, _rest: serve


_SERVICES: tuple[tuple[str, Callable[[Attachment, str], Service]], ...] = (
    ("shell", _shell),
    ("exec:", _exec),
    ("abb_exec:", lambda attachment, line: _raw(_binder(attachment, line))),
    ("abb:", lambda attachment, line: _packets(_binder(attachment, line))),
    ("sync:", _sync),
    ("tcp:", _socket("tcp")),
    ("localabstract:", _socket("localabstract")),
    ("reverse:", _reverse),
    ("reboot:", _reboot),
    ("root:", _says("adbd cannot run as root in production builds\n")),
    ("tcpip:", _says("this is a virtual phone: it listens on TCP already, and keeps its port\n")),
    ("framebuffer:", _framebuffer),
)
