"""Plain uiautomator2 against the virtual phone: on the phone's own adb server, and through a real
one."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import adbutils
import pytest
import uiautomator2
from uiautomator2.exceptions import UiObjectNotFoundError

from pytest_replicant.virtual import (
    UI_AUTOMATION,
    Latency,
    PhoneServer,
    Profile,
    VirtualPhone,
    shop,
    start_server,
)

from .private_adb import Adb

PACKAGE = "dev.replicant.shop"
SIGN_IN = f"{PACKAGE}.SignInActivity"
HOSTILE = 'it\'s "quoted" a & b <c> (d) $abc `e` 100% %s \\ 日本語 😀'


# One phone for all tests, unlike elsewhere: to connect means to push and hash a file of 4 MB.
@pytest.fixture(scope="module")
def phone() -> VirtualPhone:
    return VirtualPhone(
        [shop()], profile=Profile(screen_timeout=3600), latency=Latency.from_knobs({"latency": "0"})
    )


@pytest.fixture(scope="module")
def server(phone: VirtualPhone) -> Iterator[PhoneServer]:
    with start_server(phone, adbd=True) as running:
        yield running


@pytest.fixture(scope="module", params=["server", pytest.param("adbd", marks=pytest.mark.ci)])
def adb_device(request: pytest.FixtureRequest, server: PhoneServer) -> Iterator[adbutils.AdbDevice]:
    """The phone on its own adb server; and behind a real one, which speaks to its adbd."""
    if request.param == "server":
        yield adbutils.AdbClient(server.host, server.port).device(server.serials[0])
        return
    real: Adb = request.getfixturevalue("private_adb")
    client = adbutils.AdbClient(server.host, real.port)
    address = f"{server.host}:{server.adbd_port}"
    client.connect(address)
    yield client.device(address)
    client.disconnect(address)


@pytest.fixture(scope="module")
def connected(adb_device: adbutils.AdbDevice) -> Iterator[uiautomator2.Device]:
    device = uiautomator2.connect(adb_device)
    yield device
    device.stop_uiautomator()


@pytest.fixture(autouse=True)
def nothing_failed_inside(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    yield
    failures = [record for record in caplog.get_records("call") if record.levelno >= logging.ERROR]
    assert [record.getMessage() for record in failures] == []


@pytest.fixture
def d(connected: uiautomator2.Device, phone: VirtualPhone) -> uiautomator2.Device:
    """On the first screen of a fresh process of the shop."""
    phone.clear_app(PACKAGE)
    phone.start_app(PACKAGE)
    phone.last_toast = None
    phone.set_rotation(0)
    return connected


def sign_in(d: uiautomator2.Device) -> None:
    d(resourceId=f"{PACKAGE}:id/email").set_text("ada@example.com")
    d(resourceId=f"{PACKAGE}:id/password").set_text("correct horse")
    d(resourceId=f"{PACKAGE}:id/sign_in").click()
    assert d(text="Welcome, Ada").wait(timeout=10)


@pytest.mark.slow
def test_connect_and_info(d: uiautomator2.Device) -> None:
    assert d.info["currentPackageName"] == PACKAGE
    assert (d.info["displayWidth"], d.info["displayHeight"]) == d.window_size() == (1080, 2400)
    assert d.device_info["sdk"] == d.info["sdkInt"] == 34
    assert d.orientation == "natural"


def test_the_dump_is_what_the_client_s_own_parser_takes(d: uiautomator2.Device) -> None:
    xml = d.dump_hierarchy()
    head, root = xml.split("\r\n", 1)
    assert head == "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>"
    assert root.startswith('<hierarchy rotation="0">')
    assert 'text="Forgot password?"' in d.dump_hierarchy(pretty=True)
    assert len(d.dump_hierarchy(compressed=True)) < len(xml)
    assert len(d.dump_hierarchy(max_depth=3)) < len(xml)
    assert PACKAGE in d.dump_hierarchy(root_in_active=True)


@pytest.mark.slow
def test_send_keys_types_hostile_text_at_the_caret(d: uiautomator2.Device) -> None:
    d(resourceId=f"{PACKAGE}:id/email").click()
    d.send_keys(HOSTILE)
    assert d(focused=True).get_text() == HOSTILE
    d.send_keys("more")
    assert d(focused=True).get_text() == f"{HOSTILE}more"
    d.send_keys("alone", clear=True)
    assert d(focused=True).get_text() == "alone"


@pytest.mark.slow
def test_selectors_count_and_relate(d: uiautomator2.Device) -> None:
    sign_in(d)
    names = d(resourceId=f"{PACKAGE}:id/product_name")
    assert len(names) == names.count > 3
    assert [each.get_text() for each in names][1] == names[1].get_text()
    second = names[1].get_text()
    assert (
        d(text=second).sibling(resourceId=f"{PACKAGE}:id/product_price").get_text().startswith("£")
    )
    assert d(scrollable=True).child(text=second).exists
    assert d(resourceId=f"{PACKAGE}:id/welcome").down(text=second) is not None
    assert not d(text="no such text").exists
    with pytest.raises(UiObjectNotFoundError):
        _ = d(text="no such text").info


@pytest.mark.slow
def test_the_server_stops_and_is_started_again_by_the_next_call(
    d: uiautomator2.Device, phone: VirtualPhone
) -> None:
    d.stop_uiautomator()
    assert UI_AUTOMATION not in phone.ports.addresses()
    assert d.info["currentPackageName"] == PACKAGE
    assert UI_AUTOMATION in phone.ports.addresses()
    d.reset_uiautomator()
    assert d(text="Forgot password?").exists
