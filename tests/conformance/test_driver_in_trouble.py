"""What the driver does when the uiautomator2 server on the phone dies, hangs or talks nonsense, and
that nothing grows: no gesture is sent twice, no failed read is a screen, no call waits for ever."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterator

import pytest

from pytest_replicant.drivers import AndroidDriver
from pytest_replicant.drivers.android import input as android_input
from pytest_replicant.drivers.android import screen
from pytest_replicant.errors import DeviceError, DeviceOffline, DeviceTimeout, ProtocolError
from pytest_replicant.model import Point
from pytest_replicant.pool import OpenDevice, open_device
from pytest_replicant.snapshots import Snapshot
from pytest_replicant.virtual import Stream, VirtualPhone

PORT = "tcp:9008"
MIDDLE = Point(540, 1200)


@pytest.fixture
def device() -> Iterator[OpenDevice]:
    with open_device("virtual?latency=0") as opened:
        yield opened


@pytest.fixture
def phone(device: OpenDevice) -> VirtualPhone:
    assert device.phone is not None
    return device.phone


class BadServer:
    """Stands where the uiautomator2 server stood. Alive when asked, and then answers each call with
    the same bytes, "" being a closed connection and None no answer at all. ``calls`` counts by
    method."""

    def __init__(self, phone: VirtualPhone, answer: bytes | None) -> None:
        self.calls: Counter[str] = Counter()
        self._answer = answer
        phone.ports.release(PORT)
        phone.ports.bind(PORT, self.serve)

    async def serve(self, stream: Stream) -> None:
        head = b""
        while b"\r\n\r\n" not in head:
            chunk = await stream.read()
            if not chunk:
                return
            head += chunk
        if head.startswith(b"GET /ping"):
            await stream.write(http(b"pong"))
            return
        head, _, body = head.partition(b"\r\n\r\n")
        size = next(
            int(line[15:])
            for line in head.split(b"\r\n")
            if line.lower().startswith(b"content-length:")
        )
        body += await stream.readexactly(size - len(body))
        self.calls[json.loads(body)["method"]] += 1
        if self._answer is None:
            await stream.read()  # until the client gives up
        elif self._answer:
            await stream.write(self._answer)


def http(body: bytes, status: str = "200 OK") -> bytes:
    return f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body


def result(value: object) -> bytes:
    return http(json.dumps({"jsonrpc": "2.0", "id": 1, "result": value}).encode())


def error(message: str) -> bytes:
    problem = {"code": -32001, "message": message, "data": "a stack trace"}
    return http(json.dumps({"jsonrpc": "2.0", "id": 1, "error": problem}).encode())


BROKEN_ANSWERS = {
    "closed": b"",
    "cut": b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{",
    "no http": b"garbage\r\n\r\n",
    "http 500": http(b"", "500 Internal Server Error"),
    "no json": http(b"<html>"),
    "no object": http(b"[1]"),
    "no result": http(b"{}"),
    "java error": error("java.lang.IllegalStateException: nope"),
    "not connected": error("java.lang.IllegalStateException: UiAutomation not connected!"),
}


@pytest.mark.parametrize("answer", BROKEN_ANSWERS.values(), ids=list(BROKEN_ANSWERS))
def test_a_gesture_is_sent_once_whatever_becomes_of_its_answer(
    device: OpenDevice, phone: VirtualPhone, answer: bytes
) -> None:
    server = BadServer(phone, answer)
    with pytest.raises(DeviceError) as raised:
        device.driver.tap(MIDDLE)
    assert server.calls == {"click": 1}
    assert phone.pace.calls["gesture"] == 1, "the key of connecting alone"
    assert raised.value.device == "virtual-1"


def test_a_gesture_to_a_server_that_died_is_left_to_whoever_looks_again(
    device: OpenDevice, phone: VirtualPhone
) -> None:
    phone.ports.release(PORT)
    with pytest.raises(DeviceOffline, match=r"was started again\. Nothing was touched") as raised:
        device.driver.tap(MIDDLE)
    assert (raised.value.never_sent, raised.value.look_again) == (True, True)
    assert phone.pace.calls["gesture"] == 1, "the key of connecting"
    device.driver.tap(MIDDLE)
    assert phone.pace.calls["gesture"] == 2


def test_a_key_to_a_server_that_died_goes_to_a_new_one_once(
    device: OpenDevice, phone: VirtualPhone
) -> None:
    phone.ports.release(PORT)
    device.driver.press_key("volume_up")
    assert phone.pace.calls["gesture"] == 2, "with the key of connecting"


@pytest.mark.parametrize("broken", ["closed", "cut", "no http", "not connected"])
def test_a_read_whose_answer_is_lost_is_repeated_on_a_new_server(
    device: OpenDevice, phone: VirtualPhone, broken: str
) -> None:
    server = BadServer(phone, BROKEN_ANSWERS[broken])
    assert b"<node" in device.driver.dump_hierarchy()
    assert server.calls == {"dumpWindowHierarchy": 1}


@pytest.mark.parametrize("broken", ["http 500", "no json", "no object", "no result", "java error"])
def test_a_read_with_a_senseless_answer_is_a_protocol_error(
    device: OpenDevice, phone: VirtualPhone, broken: str
) -> None:
    server = BadServer(phone, BROKEN_ANSWERS[broken])
    with pytest.raises(ProtocolError, match="virtual-1"):
        device.driver.dump_hierarchy()
    assert server.calls == {"dumpWindowHierarchy": 1}


@pytest.mark.parametrize(
    "content",
    [
        "",
        None,
        '<?xml version="1.0"?>\r\n<hierarchy rotation="0" />',
        "<hierarchy rotation='0'></hierarchy>",
    ],
)
def test_an_empty_hierarchy_is_no_screen(
    device: OpenDevice, phone: VirtualPhone, content: str | None
) -> None:
    began = time.monotonic()
    server = BadServer(phone, result(content))
    with pytest.raises(ProtocolError, match="without a node"):
        device.driver.dump_hierarchy()
    assert server.calls == {"dumpWindowHierarchy": 1}
    assert time.monotonic() - began < 1.0


@pytest.mark.slow
def test_a_server_that_does_not_answer_is_left_in_time(
    device: OpenDevice, phone: VirtualPhone, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(screen, "DUMP_SECONDS", 0.3)
    monkeypatch.setattr(android_input, "CALL_LIMIT", 0.3)
    server = BadServer(phone, None)
    began = time.monotonic()
    with pytest.raises(DeviceTimeout, match="virtual-1"):
        device.driver.dump_hierarchy()
    with pytest.raises(DeviceTimeout, match="virtual-1"):
        device.driver.tap(MIDDLE)
    assert time.monotonic() - began < 2.0
    assert server.calls == {"dumpWindowHierarchy": 1, "click": 1}


def test_the_server_is_stopped_by_whoever_started_it(
    device: OpenDevice, phone: VirtualPhone
) -> None:
    second = AndroidDriver.connect(*device.address, phone.profile.serial)
    second.close()
    assert phone.ports.listener(PORT) is not None
    device.driver.close()
    assert phone.ports.listener(PORT) is None


# --- depth ----------------------------------------------------------------------------------------
def deep_phone(deepest: int) -> OpenDevice:
    device = open_device(f"virtual?latency=0&app=dev.replicant.lab&deepest={deepest}")
    assert device.phone is not None
    device.phone.start_app("dev.replicant.lab", url="lab://deep-screen")
    return device


@pytest.mark.parametrize(("deepest", "levels", "calls"), [(200, 121, 1), (100, 61, 2), (50, 41, 3)])
def test_what_the_server_cannot_descend_into_is_read_less_deep(
    deepest: int, levels: int, calls: int
) -> None:
    with deep_phone(deepest) as device:
        assert device.phone is not None
        assert Snapshot.parse(device.driver.dump_hierarchy()).cut == levels
        assert device.phone.pace.calls["dump"] == calls
        device.driver.dump_hierarchy()
        assert device.phone.pace.calls["dump"] == calls + 1, "what worked is asked for first"
