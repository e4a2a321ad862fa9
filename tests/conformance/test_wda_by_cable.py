"""``ios:http+usbmux://UDID:PORT``: an iPhone on a cable, by facebook-wda's own way through
usbmuxd."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from pytest_replicant.errors import DeviceError
from pytest_replicant.pool import demo_apps, open_device
from pytest_replicant.virtual import IPHONE, Latency, VirtualPhone, start_server

from ..faults.leaks import counted, grown_since
from .muxd import muxd
from .test_bad_wda import check_message

UDID = f"00008110-{os.getpid():016X}"  # each worker leases a phone of its own

pytestmark = pytest.mark.skipif(
    not hasattr(socket, "AF_UNIX"), reason="usbmuxd listens at a Unix socket"
)


@pytest.fixture
def cable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """A phone of that UDID is plugged in, with WebDriverAgent at its port 8100."""
    import wda.usbmux.pyusbmux

    monkeypatch.setattr(
        wda.usbmux.pyusbmux.MuxConnection, "USBMUXD_PIPE", str(tmp_path / "usbmuxd")
    )
    phone = VirtualPhone(
        demo_apps(()), profile=IPHONE, latency=Latency.from_knobs({"latency": "0"})
    )
    with (
        start_server(phone, server=False, wda=True) as server,
        muxd(tmp_path / "usbmuxd", UDID, {8100: server.wda_port}) as asked,
    ):
        yield asked


@pytest.mark.slow
@pytest.mark.parametrize("uri", ["ios:http+usbmux://{}:8100", "ios:http+usbmux://{}"])
def test_a_phone_is_driven_by_its_udid(cable: list[str], uri: str) -> None:
    before, uri = counted(), uri.format(UDID)
    with open_device(uri, timeout=10) as device:
        device.driver.launch("dev.replicant.shop", None, ())
        assert b"Email" in device.driver.dump_hierarchy()
        assert device.driver.screenshot().startswith(b"\x89PNG")
        assert (device.uri, device.address) == (uri, (UDID, 8100))
    assert "Connect" in cable
    assert not grown_since(
        before, threads=8, files=0
    )  # a socket that was left open would warn, too


def test_a_phone_that_is_not_plugged_in(cable: list[str]) -> None:
    url = "http+usbmux://00008110-00000000DEADBEEF:8100"
    with pytest.raises(DeviceError) as raised:
        open_device(f"ios:{url}", timeout=5)
    check_message(raised.value, url)
    assert "Connect" not in cable


def test_a_phone_on_which_no_web_driver_agent_runs(cable: list[str]) -> None:
    url = f"http+usbmux://{UDID}:8200"
    with pytest.raises(DeviceError) as raised:
        open_device(f"ios:{url}", timeout=5)
    check_message(raised.value, url, "WebDriverAgent")
