"""An app without a window is no screen on which something is gone."""

from __future__ import annotations

import pytest

from pytest_replicant.drivers.ios.driver import IosDriver
from pytest_replicant.errors import ProtocolError
from pytest_replicant.virtual.demo_apps.lab import PACKAGE, lab
from pytest_replicant.virtual.device.phone import VirtualPhone
from pytest_replicant.virtual.profile import IPHONE, Latency
from pytest_replicant.virtual.serve import start_server


def test_a_hierarchy_of_an_application_alone_is_a_failed_read() -> None:
    phone = VirtualPhone([lab()], profile=IPHONE, latency=Latency.from_knobs({"latency": "0"}))
    with start_server(phone, server=False, wda=True) as server:
        driver = IosDriver.connect(server.wda_url)
        try:
            phone.start_app(PACKAGE, url="lab://no-dump?lasts=0")
            with pytest.raises(ProtocolError, match="hierarchy without an element"):
                driver.dump_hierarchy()
            phone.start_app(PACKAGE, url="lab://counter")
            assert b"Counter" in driver.dump_hierarchy()
        finally:
            driver.close()
