"""The Android driver through a real adb server, as it reaches a real phone."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_replicant.drivers import AndroidDriver
from pytest_replicant.errors import DeviceOffline
from pytest_replicant.pool import open_device
from pytest_replicant.testing import check_driver
from pytest_replicant.virtual import PhoneServer, VirtualPhone

from .packages import camera_app
from .private_adb import Adb

SHOP = "dev.replicant.shop"


@pytest.mark.ci
@pytest.mark.slow
def test_the_driver_keeps_the_contract_there_too(
    through_adbd: Adb,
    server: PhoneServer,
    phone: VirtualPhone,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))  # where leases are kept
    serial = f"{server.host}:{server.adbd_port}"
    with open_device(f"adb://127.0.0.1:{through_adbd.port}/{serial}") as device:
        device.driver.launch(SHOP, None, ())
        nodes = [node for window in phone.windows() for node in window.root.walk()]
        field = next(node.bounds.center for node in nodes if node.resource_id == f"{SHOP}:id/email")
        check_driver(
            lambda: AndroidDriver.connect(*device.address, serial),
            app=SHOP,
            text_field=field,
            patience=5,
            installable=camera_app(tmp_path),
        )


def test_a_phone_that_adb_lost_is_offline(through_adbd: Adb, server: PhoneServer) -> None:
    serial = f"{server.host}:{server.adbd_port}"
    driver = AndroidDriver.connect("127.0.0.1", through_adbd.port, serial)
    server.close()
    with pytest.raises(DeviceOffline, match=serial):
        driver.dump_hierarchy()
    driver.close()
