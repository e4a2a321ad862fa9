"""One call of the uiautomator2 server on the phone: sent once, answered within a limit, or an error of ours.

uiautomator2's own client repeats a call after restarting its server, which may repeat a gesture, and sets no
limit on the answer. Here the call goes out once, and the caller decides.
"""

from __future__ import annotations

import http.client
import json
import time
from typing import TYPE_CHECKING, Any

import adbutils

from ...errors import DeviceOffline, DeviceTimeout, ProtocolError

if TYPE_CHECKING:
    from .adb import AdbPhone, Connection

SERVER_PORT = 9008  # on the phone; uiautomator2's own default

_LOST = (  # the server answers, but the phone's accessibility service has let go of it
    "UiAutomation not connected",
    "android.os.DeadObjectException",
    "android.os.DeadSystemRuntimeException",
)


class NotListening(DeviceOffline):
    """The server does not run: nothing was sent."""


class ServerLost(DeviceOffline):
    """The server runs, but can see and touch nothing any more."""


class ObjectNotFound(ProtocolError):
    """Nothing on the screen fits the selector of the call."""


def call(phone: AdbPhone, method: str, params: list[Any], seconds: float) -> Any:
    """The ``result`` of one JSON-RPC call. Raises ``NotListening`` before anything is sent, and
    ``ServerLost``, ``ObjectNotFound``, ``ProtocolError`` or a socket's own error after."""
    deadline = time.monotonic() + seconds
    connection = _open(phone, seconds)
    try:
        connection.conn.sendall(_request(method, params))
        status, body = _response(connection, deadline)
    except TimeoutError:
        message = f"{method} on {phone.serial} was not answered in {seconds:g} s."
        raise DeviceTimeout(message, device=phone.serial) from None
    finally:
        connection.close()
    return _result(phone.serial, method, status, body)


def is_listening(phone: AdbPhone) -> bool:
    """Whether anything takes calls on the server's port."""
    try:
        _open(phone, seconds=2.0).close()
    except NotListening:
        return False
    return True


def _open(phone: AdbPhone, seconds: float) -> Connection:
    try:
        return phone.open_service(f"tcp:{SERVER_PORT}", seconds)
    except adbutils.AdbError as error:
        if str(error) != "closed":  # adb's word for a port of the phone where nobody listens
            raise
        message = f"the uiautomator2 server on {phone.serial} does not run. Nothing was sent."
        raise NotListening(message, device=phone.serial) from None


def _request(method: str, params: list[Any]) -> bytes:
    payload = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params or {}}
    body = json.dumps(payload).encode()
    head = (
        "POST /jsonrpc/0 HTTP/1.1\r\n"
        f"Host: 127.0.0.1:{SERVER_PORT}\r\n"
        "Content-Type: application/json\r\n"
        "Accept-Encoding: identity\r\n"  # the server leaks a compressor for each reply it packs
        f"Content-Length: {len(body)}\r\n"
        "Connection: close\r\n\r\n"
    )
    return head.encode() + body


def _response(connection: Connection, deadline: float) -> tuple[int, bytes]:
    response = http.client.HTTPResponse(connection.conn, method="POST")
    try:
        connection.conn.settimeout(max(deadline - time.monotonic(), 0.001))
        response.begin()
        body = bytearray()
        while chunk := response.read1(65536):
            body += chunk
            connection.conn.settimeout(max(deadline - time.monotonic(), 0.001))
        if response.length:  # bytes that were announced and did not come
            raise http.client.IncompleteRead(bytes(body), response.length)
        return response.status, bytes(body)
    finally:
        response.close()


def _result(serial: str, method: str, status: int, body: bytes) -> Any:
    """``params`` are in no message: they may hold what must not be written down."""
    said = body[:2000].decode("utf-8", "replace")
    if status != 200:
        message = f"{method} on {serial}: the uiautomator2 server answered HTTP {status}."
        raise ProtocolError(message, exchange=f"{method} → HTTP {status} {said}", device=serial)
    answer = json.loads(body)
    if isinstance(answer, dict) and "error" in answer:
        raise _refusal(serial, method, answer["error"], said)
    if not isinstance(answer, dict) or "result" not in answer:
        message = f"{method} on {serial}: the uiautomator2 server answered without a result."
        raise ProtocolError(message, exchange=f"{method} → {said}", device=serial)
    return answer["result"]


def _refusal(serial: str, method: str, error: Any, said: str) -> Exception:
    words = str(error.get("message", "")) if isinstance(error, dict) else str(error)
    message = f"{method} on {serial}: {words.strip().splitlines()[0][:300] if words.strip() else 'refused'}."
    if any(sign in said for sign in _LOST):
        return ServerLost(message, device=serial)
    exchange = f"{method} → {said}"
    if "UiObjectNotFoundException" in words:
        return ObjectNotFound(message, exchange=exchange, device=serial)
    return ProtocolError(message, exchange=exchange, device=serial)
