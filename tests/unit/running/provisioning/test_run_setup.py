"""The app under test at the head of a run."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_replicant.pool import AppPackage, read_package
from pytest_replicant.running import app_line
from tests.apks import app_folder, ipa


def test_an_android_app() -> None:
    package = AppPackage(Path("/out/shop.apk"), "android", "dev.shop", "Shop", "1.4", "37")
    assert app_line(package) == "app under test: Shop 1.4 (37), shop.apk"
    assert (
        app_line(AppPackage(Path("/out/shop.apk"), "android", "dev.shop"))
        == "app under test: dev.shop, shop.apk"
    )


@pytest.mark.parametrize(
    ("make", "how"),
    [
        (app_folder, "xcrun simctl install booted Shop.app"),
        (ipa, "ideviceinstaller install shop.ipa"),
    ],
)
def test_how_an_iphone_gets_its_app(make: object, how: str, tmp_path: Path) -> None:
    assert callable(make)
    assert app_line(read_package(make(tmp_path))).endswith(how)
