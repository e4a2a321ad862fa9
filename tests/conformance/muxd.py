"""An usbmuxd with one phone on the cable: what a program talks to that reaches an iPhone by its
UDID."""

from __future__ import annotations

import plistlib
import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

HEAD = struct.Struct("<IIII")  # length with this head, version, kind, tag
PLIST_VERSION, PLIST_KIND = 1, 8
FINE, NO_SUCH_DEVICE, REFUSED = 0, 2, 3


@contextmanager
def muxd(socket_path: Path, udid: str, ports: dict[int, int]) -> Iterator[list[str]]:
    """Listens at that path. ``ports`` are the phone's, each with the port of this computer that
    stands for it. Gives what it was asked, oldest first."""
    asked: list[str] = []
    threads: list[threading.Thread] = []
    with closing(socket.socket(socket.AF_UNIX)) as listener:
        listener.bind(str(socket_path))
        listener.listen()

        def listen() -> None:
            with suppress(OSError):
                while True:
                    client, _ = listener.accept()
                    threads.append(
                        threading.Thread(
                            target=_serve, args=(client, udid, ports, asked), daemon=True
                        )
                    )
                    threads[-1].start()

        threads.append(threading.Thread(target=listen, daemon=True))
        threads[0].start()
        try:
            yield asked
        finally:
            listener.shutdown(socket.SHUT_RDWR)
            for thread in threads:
                thread.join(5)


def _serve(client: socket.socket, udid: str, ports: dict[int, int], asked: list[str]) -> None:
    with client, suppress(OSError, EOFError):
        while True:
            length, _, _, tag = HEAD.unpack(_exactly(client, HEAD.size))
            request = plistlib.loads(_exactly(client, length - HEAD.size))
            kind = request["MessageType"]
            asked.append(kind)
            if kind == "ReadBUID":
                _answer(client, tag, {"BUID": "00000000-0000"})
            elif kind == "ListDevices":
                properties = {"SerialNumber": udid, "ConnectionType": "USB"}
                phone = {"MessageType": "Attached", "DeviceID": 7, "Properties": properties}
                _answer(client, tag, {"DeviceList": [phone]})
            elif kind == "Connect":
                port = ports.get(socket.ntohs(request["PortNumber"]), 0)
                number = NO_SUCH_DEVICE if request["DeviceID"] != 7 else FINE if port else REFUSED
                _answer(client, tag, {"MessageType": "Result", "Number": number})
                if port:
                    return _relay(client, port)


def _answer(client: socket.socket, tag: int, document: dict[str, Any]) -> None:
    data = plistlib.dumps(document)
    client.sendall(HEAD.pack(HEAD.size + len(data), PLIST_VERSION, PLIST_KIND, tag) + data)


def _relay(client: socket.socket, port: int) -> None:
    with socket.create_connection(("127.0.0.1", port)) as phone:
        back = threading.Thread(target=_pump, args=(phone, client), daemon=True)
        back.start()
        _pump(client, phone)
        back.join(5)


def _pump(source: socket.socket, sink: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(65536):
            sink.sendall(data)
    with suppress(OSError):
        sink.shutdown(socket.SHUT_WR)


def _exactly(client: socket.socket, size: int) -> bytes:
    data = b""
    while len(data) < size:
        chunk = client.recv(size - len(data))
        if not chunk:
            raise EOFError
        data += chunk
    return data
