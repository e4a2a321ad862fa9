"""An app without a window is no screen on which something is gone."""

from __future__ import annotations

import pytest

from pytest_replicant.drivers import IosDriver
from pytest_replicant.errors import ProtocolError
from pytest_replicant.virtual import IPHONE, Latency, VirtualPhone, lab, start_server
from pytest_replicant.virtual.demo_apps.lab import PACKAGE


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
