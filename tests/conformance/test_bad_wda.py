"""Where WebDriverAgent should be is something else, nothing, or one in trouble: what is said, of
which class, in what time, and that nothing is left behind or sent twice."""

from __future__ import annotations

import base64
import re
import socket
import time
from collections.abc import Iterator

import pytest

from pytest_replicant.drivers import IosDriver
from pytest_replicant.drivers.ios import screen
from pytest_replicant.errors import DeviceError, DeviceOffline, DeviceTimeout, ProtocolError
from pytest_replicant.model import Point
from pytest_replicant.pool import demo_apps, open_device
from pytest_replicant.virtual import IPHONE, Latency, PhoneServer, VirtualPhone, start_server

from ..faults.leaks import Held, left_since
from .bad_agent import (
    CUT,
    HUNG_UP,
    SSH,
    BadAgent,
    Behaviour,
    answer,
    hang,
    json_answer,
    refused,
)

MIDDLE = Point(590, 1278)
ANDROID = re.compile(r"\badb\b|android|uiautomator|logcat|emulator|dumpsys|activity", re.IGNORECASE)
PYTHON = re.compile(r"\b[A-Z]\w*(Error|Exception)\b")
HTML = "<html><head><title>Not here</title></head><body>No such page</body></html>"
APPIUM = {
    "value": {
        "ready": True,
        "message": "The server is ready to accept new connections",
        "build": {"version": "2"},
    }
}
STATUS = {
    "value": {
        "ready": True,
        "state": "success",
        "os": {"name": "iOS", "version": "17.5"},
        "build": {"version": "9"},
    },
    "sessionId": None,
}


@pytest.fixture(autouse=True)
def nothing_left() -> Iterator[None]:
    """Neither a thread nor an open socket, once whoever was talked to is gone."""
    before = Held.now()
    yield
    assert not left_since(before)


def check_message(error: DeviceError, where: str, *words: str) -> None:
    """What happened, where, what to do next; nothing of another platform, and no traceback of
    another library."""
    message = str(error)
    for word in (where, *words):
        assert word in message, message
    assert not ANDROID.search(message), message
    assert not PYTHON.search(message), message
    assert error.device
    assert error.__suppress_context__ or error.__context__ is None
    assert len(message) < 900, message


IS_NO_AGENT = "the port belongs to something else"


@pytest.mark.parametrize(
    ("behaviour", "kind", "words"),
    [
        pytest.param(SSH, ProtocolError, (IS_NO_AGENT, "SSH-2.0"), id="an SSH banner"),
        pytest.param(HUNG_UP, DeviceOffline, (), id="hung up on"),
        pytest.param(CUT, DeviceError, (), id="cut off"),
        pytest.param(
            answer(HTML, kind="text/html"),
            ProtocolError,
            (IS_NO_AGENT, "No such page"),
            id="HTML 200",
        ),
        pytest.param(
            answer(HTML, "502 Bad Gateway", "text/html"), DeviceOffline, ("502",), id="HTML 502"
        ),
        pytest.param(
            json_answer({"value": {}}), ProtocolError, (IS_NO_AGENT,), id="an empty status"
        ),
        pytest.param(json_answer(APPIUM), ProtocolError, (IS_NO_AGENT,), id="Appium"),
        pytest.param(answer("[" * 50_000), ProtocolError, (IS_NO_AGENT,), id="nested JSON"),
        pytest.param(
            refused("unknown command", "no"), ProtocolError, ("unknown command",), id="refused"
        ),
        pytest.param(
            json_answer({"value": {**STATUS["value"], "ready": False, "message": "being set up"}}),  # type: ignore[dict-item]
            DeviceOffline,
            ("being set up",),
            id="not ready",
        ),
    ],
)
def test_something_else_at_the_port(
    behaviour: Behaviour, kind: type[DeviceError], words: tuple[str, ...]
) -> None:
    with BadAgent(behaviour) as agent:
        with pytest.raises(kind) as raised:
            open_device(f"ios:{agent.url}", timeout=5)
        check_message(raised.value, agent.url, *words)


def test_nothing_listens() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        url = f"http://127.0.0.1:{taken.getsockname()[1]}"
    with pytest.raises(DeviceError) as raised:
        open_device(f"ios:{url}", timeout=5)
    check_message(raised.value, url, "nothing listens", "xcodebuild", "iproxy")


def test_no_usbmuxd() -> None:
    with pytest.raises(DeviceError) as raised:
        open_device("ios:http+usbmux://00008110-00000000DEAD0001:8100", timeout=5)
    check_message(raised.value, "http+usbmux://00008110-00000000DEAD0001:8100", "usbmux")


def test_no_session_is_given() -> None:
    with BadAgent(json_answer(STATUS)) as agent:
        agent.spoilt["/session"] = refused("session not created", "the device is locked")
        with pytest.raises(DeviceError) as raised:
            open_device(f"ios:{agent.url}", timeout=5)
        check_message(raised.value, agent.url, "the device is locked")


# --- from here on there is a good WebDriverAgent, and something is spoilt in mid-run ---


@pytest.fixture
def phone() -> VirtualPhone:
    return VirtualPhone(
        demo_apps(["dev.replicant.shop"]),
        profile=IPHONE,
        latency=Latency.from_knobs({"latency": "0"}),
    )


@pytest.fixture
def server(phone: VirtualPhone) -> Iterator[PhoneServer]:
    with start_server(phone, server=False, wda=True) as running:
        yield running


@pytest.fixture
def agent(server: PhoneServer) -> Iterator[BadAgent]:
    with BadAgent(upstream=server.wda_port) as between:
        yield between


@pytest.fixture
def driver(agent: BadAgent, phone: VirtualPhone) -> Iterator[IosDriver]:
    connected = IosDriver.connect(agent.url, uri=f"ios:{agent.url}", timeout=5)
    connected.launch("dev.replicant.shop", None, ())
    yield connected
    agent.spoilt.clear()
    connected.close()


def test_a_session_that_was_lost_is_opened_anew_and_the_touch_not_sent_blindly(
    driver: IosDriver, agent: BadAgent, phone: VirtualPhone, server: PhoneServer
) -> None:
    with BadAgent(upstream=server.wda_port):
        other = IosDriver.connect(
            server.wda_url, uri="other", timeout=5
        )  # WebDriverAgent has one session at a time
    gestures = phone.pace.calls["gesture"]
    with pytest.raises(DeviceError) as raised:
        driver.tap(MIDDLE)
    assert raised.value.look_again
    assert phone.pace.calls["gesture"] == gestures
    driver.tap(MIDDLE)
    assert phone.pace.calls["gesture"] == gestures + 1
    assert b"Email" in driver.dump_hierarchy()
    assert b"Email" in other.dump_hierarchy()  # which takes the session back
    other.close()


@pytest.mark.parametrize(
    "behaviour", [HUNG_UP, CUT, answer(HTML, kind="text/html")], ids=["hung up", "cut", "HTML"]
)
def test_a_touch_whose_answer_is_lost_is_not_sent_again(
    driver: IosDriver, agent: BadAgent, behaviour: Behaviour
) -> None:
    for ending in ("/tap", "/actions"):
        agent.spoilt[ending] = behaviour
    agent.calls.clear()
    with pytest.raises(DeviceError) as raised:
        driver.tap(MIDDLE)
    check_message(raised.value, IPHONE.serial)
    assert agent.count("/tap") + agent.count("/actions") == 1


@pytest.mark.parametrize(
    "behaviour",
    [
        answer(HTML, kind="text/html"),
        json_answer({"value": None}),
        json_answer({"value": ""}),
        json_answer({"value": 7}),
        json_answer({"value": HTML}),
        json_answer(
            {"value": '<XCUIElementTypeApplication type="XCUIElementTypeApplication" name="Shop"/>'}
        ),
        HUNG_UP,
        CUT,
    ],
    ids=["HTML", "null", "empty", "a number", "HTML inside", "no windows", "hung up", "cut"],
)
def test_a_failed_read_is_no_screen(
    driver: IosDriver, agent: BadAgent, behaviour: Behaviour
) -> None:
    agent.spoilt["/source"] = behaviour
    with pytest.raises(DeviceError) as raised:
        driver.dump_hierarchy()
    check_message(raised.value, IPHONE.serial)
    agent.spoilt.clear()
    assert b"Email" in driver.dump_hierarchy()


@pytest.mark.parametrize(
    "value",
    [
        "",
        "@@@",
        base64.b64encode(b"GIF89a...").decode(),
        base64.b64encode(b"\x89PNG\r\n\x1a\n").decode(),
        None,
        7,
    ],
    ids=["empty", "no base64", "a GIF", "half a PNG", "null", "a number"],
)
def test_a_picture_that_is_none(driver: IosDriver, agent: BadAgent, value: object) -> None:
    agent.spoilt["/screenshot"] = json_answer({"value": value, "sessionId": None})
    with pytest.raises(ProtocolError) as raised:
        driver.screenshot()
    check_message(raised.value, IPHONE.serial)


@pytest.mark.slow
def test_a_request_that_hangs_in_mid_run_is_left_and_the_phone_is_there_again(
    driver: IosDriver, agent: BadAgent, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(screen, "DUMP_SECONDS", 0.5)
    agent.spoilt["/source"] = hang
    began = time.monotonic()
    with pytest.raises(DeviceTimeout) as raised:
        driver.dump_hierarchy()
    assert time.monotonic() - began < 5
    check_message(raised.value, IPHONE.serial)
    agent.spoilt.clear()
    driver.tap(MIDDLE)
    assert b"Email" in driver.dump_hierarchy()


def test_an_agent_that_dies_is_offline_until_it_is_back(driver: IosDriver, agent: BadAgent) -> None:
    agent.down()
    with pytest.raises(DeviceOffline) as raised:
        driver.dump_hierarchy()
    check_message(raised.value, IPHONE.serial, "nothing listens")
    with pytest.raises(DeviceError) as raised_again:
        driver.reconnect(0.3)
    check_message(raised_again.value, IPHONE.serial)
    agent.up()
    driver.reconnect(5)
    assert b"Email" in driver.dump_hierarchy()


@pytest.mark.parametrize("call", ["dump_hierarchy", "screenshot", "app_in_front", "tap"])
def test_a_phone_that_is_gone_is_reported_by_every_call(
    driver: IosDriver, agent: BadAgent, call: str
) -> None:
    agent.down()
    arguments = (MIDDLE,) if call == "tap" else ()
    with pytest.raises(DeviceOffline) as raised:
        getattr(driver, call)(*arguments)
    check_message(raised.value, IPHONE.serial)
    driver.close()
    agent.up()


def test_a_phone_that_is_off_shows_no_screen(driver: IosDriver, phone: VirtualPhone) -> None:
    """An empty one would be evidence: of whatever is looked for, it would be gone."""
    driver.press_key("power")
    assert not phone.awake
    with pytest.raises(ProtocolError) as raised:
        driver.dump_hierarchy()
    check_message(raised.value, IPHONE.serial, "locked or off")
    driver.wake()
    assert b"Email" in driver.dump_hierarchy()


def test_a_relay_that_cuts_the_first_requests_off_is_asked_again(agent: BadAgent) -> None:
    """As one does that has only just begun; nothing that connecting sends does harm twice."""

    def twice_each(path: str) -> Behaviour | None:
        return HUNG_UP if agent.count(path.rpartition("/")[2]) < 3 else None

    agent.spoils = twice_each
    IosDriver.connect(agent.url, uri=f"ios:{agent.url}", timeout=5).close()
