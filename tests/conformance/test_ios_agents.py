"""WebDriverAgents that lose things in mid-run: what the driver makes of it, and how often it
asks."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from pytest_replicant.drivers import IosDriver
from pytest_replicant.drivers.ios import input as keyboard
from pytest_replicant.errors import DeviceError, DeviceNotFound, ProtocolError, UsageError
from pytest_replicant.model import Point
from pytest_replicant.pool import demo_apps
from pytest_replicant.virtual import IPHONE, Latency, VirtualPhone, start_server

from .bad_agent import BadAgent, Behaviour, json_answer, refused

SHOP = "dev.replicant.shop"
LAB = "dev.replicant.lab"
EMAIL = Point(590, 890)
MIDDLE = Point(590, 1278)
LOST = refused("invalid session id", "Session does not exist", "404 Not Found")
DEAD = refused(
    "invalid element state", "The application under test is not running, possibly crashed"
)
TOO_DEEP = refused("unknown error", "Error kAXErrorIllegalArgument getting snapshot for element")


@pytest.fixture
def phone() -> VirtualPhone:
    return VirtualPhone(
        demo_apps([SHOP, LAB]), profile=IPHONE, latency=Latency.from_knobs({"latency": "0"})
    )


@pytest.fixture
def agent(phone: VirtualPhone) -> Iterator[BadAgent]:
    with (
        start_server(phone, server=False, wda=True) as server,
        BadAgent(upstream=server.wda_port) as between,
    ):
        yield between


@pytest.fixture
def driver(agent: BadAgent) -> Iterator[IosDriver]:
    connected = IosDriver.connect(agent.url, timeout=5)
    connected.launch(SHOP, None, ())
    agent.calls.clear()
    yield connected
    agent.spoilt.clear()
    connected.close()


def once(agent: BadAgent, ending: str, behaviour: Behaviour) -> None:
    """The next request of that path comes to it, the one after that goes on to the phone."""

    def spoils(path: str) -> Behaviour | None:
        if not path.endswith(ending) or spoils in used:
            return None
        used.append(spoils)
        return behaviour

    used: list[Callable[[str], Behaviour | None]] = []
    agent.spoils = spoils


@pytest.mark.slow
def test_a_window_without_size_is_measured_by_its_picture(agent: BadAgent) -> None:
    agent.spoilt["/window/size"] = json_answer({"value": {"width": 0, "height": 0}})
    agent.spoilt["/wda/screen"] = json_answer(
        {"value": {"scale": 3, "statusBarSize": {"width": 0, "height": 0}}}
    )
    driver = IosDriver.connect(agent.url, timeout=5)
    assert (driver.info.width, driver.info.height) == (IPHONE.width, IPHONE.height)
    driver.close()


# --- what is lost ---------------------------------------------------------------------------------
def test_a_touch_into_a_lost_session_is_left_to_whoever_looks_again(
    driver: IosDriver, agent: BadAgent, phone: VirtualPhone
) -> None:
    once(agent, "/wda/tap", LOST)
    gestures = phone.pace.calls["gesture"]
    with pytest.raises(ProtocolError) as raised:
        driver.tap(MIDDLE)
    assert (raised.value.never_sent, raised.value.look_again) == (True, True)
    assert phone.pace.calls["gesture"] == gestures
    assert agent.count("/session") == 1
    driver.tap(MIDDLE)
    assert phone.pace.calls["gesture"] == gestures + 1


def test_a_key_into_a_lost_session_is_sent_to_a_new_one(
    driver: IosDriver, agent: BadAgent, phone: VirtualPhone
) -> None:
    once(agent, "/wda/pressButton", LOST)
    driver.press_key("home")
    assert agent.count("/wda/pressButton") == 2


def test_a_new_session_has_the_settings_again(driver: IosDriver, agent: BadAgent) -> None:
    once(agent, "/source", LOST)
    driver.dump_hierarchy()
    assert agent.count("/appium/settings") == 2, "and so has that of the app that is found in front"


def test_a_read_is_good_though_no_session_of_its_app_can_be_had(
    driver: IosDriver, agent: BadAgent, phone: VirtualPhone
) -> None:
    phone.start_app(LAB)
    agent.spoilt["/session"] = refused("session not created", "the phone is busy")
    assert LAB.encode() in driver.dump_hierarchy()
    agent.spoilt.clear()
    assert LAB.encode() in driver.dump_hierarchy()
    assert driver._link.app == LAB, "the next read had it"


def test_a_look_at_an_app_that_died_is_a_look_at_what_is_in_front(
    driver: IosDriver, agent: BadAgent
) -> None:
    once(agent, "/source", DEAD)
    assert b"Email" in driver.dump_hierarchy()
    assert (agent.count("/source"), agent.count("/session")) == (3, 2), (
        "once more in a session of that app"
    )


def test_a_touch_of_an_app_that_died_is_not_sent_again(driver: IosDriver, agent: BadAgent) -> None:
    once(agent, "/wda/tap", DEAD)
    with pytest.raises(ProtocolError, match="The app has ended by itself"):
        driver.tap(MIDDLE)
    assert (agent.count("/wda/tap"), agent.count("/session")) == (1, 1)


@pytest.mark.parametrize(
    "error", ["unknown error", "unknown command", "timeout", "stale element reference"]
)
def test_a_touch_that_is_refused_was_sent_once(
    driver: IosDriver, agent: BadAgent, error: str
) -> None:
    agent.spoilt["/wda/doubleTap"] = refused(error, "no")
    with pytest.raises(DeviceError, match=error):
        driver.double_tap(MIDDLE)
    assert agent.count("/wda/doubleTap") == 1


def test_a_field_that_is_gone_by_now_is_not_cleared(driver: IosDriver, agent: BadAgent) -> None:
    driver.tap(EMAIL)
    agent.spoilt["/clear"] = refused("stale element reference", "it is not there any more")
    with pytest.raises(UsageError, match="the focus moved on"):
        driver.clear_text()


def test_a_field_is_filled_with_a_request_for_each_thing_done(
    driver: IosDriver, agent: BadAgent
) -> None:
    driver.tap(EMAIL)
    agent.calls.clear()
    assert driver.focused_field() is not None
    driver.clear_text()
    driver.type_text("ada")
    assert [call.rpartition("/")[2] for call in agent.calls] == [
        "active",
        "clear",
        "elements",
        "keys",
    ]
    driver.clear_text()  # something was said since: the focus may be elsewhere
    assert agent.count("/element/active") == 2


def test_keys_wait_for_the_keyboard_and_never_go_nowhere(
    driver: IosDriver, agent: BadAgent, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver.tap(EMAIL)
    once(agent, "/elements", json_answer({"value": []}))  # it is on its way
    driver.type_text("ada")
    assert (agent.count("/elements"), agent.count("/wda/keys")) == (2, 1)
    monkeypatch.setattr(keyboard, "KEYBOARD_SECONDS", 0.05)
    agent.spoils = agent._spoilt
    agent.spoilt["/elements"] = json_answer({"value": []})
    with pytest.raises(ProtocolError, match="hardware keyboard"):
        driver.type_text("ada")
    assert agent.count("/wda/keys") == 1


def test_an_app_that_is_not_there_is_a_wrong_call(driver: IosDriver, agent: BadAgent) -> None:
    said = (
        'The request was denied by service delegate: NotFound ("Application "x" is unknown to '
        'FrontBoard").'
    )
    for ending in ("/apps/launch", "/apps/terminate", "/apps/state"):
        agent.spoilt[ending] = refused("unknown error", said)
    assert driver.app_status("com.example.none") == "stopped"
    with pytest.raises(UsageError, match=r"launch com\.example\.none.*not installed"):
        driver.launch("com.example.none", None, ())
    with pytest.raises(UsageError, match=r"stop com\.example\.none.*not installed"):
        driver.stop("com.example.none")


# --- depth ----------------------------------------------------------------------------------------
def test_what_is_refused_as_too_deep_is_read_less_deep(driver: IosDriver, agent: BadAgent) -> None:
    once(agent, "/source", TOO_DEEP)
    assert b"Email" in driver.dump_hierarchy()
    assert (agent.count("/source"), agent.count("/appium/settings")) == (2, 1)
    driver.dump_hierarchy()
    assert (agent.count("/source"), agent.count("/appium/settings")) == (3, 1)


# --- time -----------------------------------------------------------------------------------------
def test_another_phone_at_the_same_port_is_not_taken_for_this_one(
    driver: IosDriver, agent: BadAgent
) -> None:
    agent.spoilt["/wda/device/info"] = json_answer(
        {"value": {"uuid": "another-iphone", "model": "iPhone"}}
    )
    with pytest.raises(DeviceNotFound, match="another-iphone"):
        driver.reconnect(5)
