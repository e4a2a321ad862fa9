"""Android 7: a field's hint is its text, and no attribute tells the two apart."""

from __future__ import annotations

import pytest

from pytest_replicant.testing import virtual_device


@pytest.mark.parametrize(("profile", "there"), [("android-7", False), ("pixel", True)])
def test_what_the_server_prints_goes_by_the_version(profile: str, there: bool) -> None:
    with virtual_device("dev.replicant.shop", profile=profile) as device:
        dump = device.driver.dump_hierarchy()
        assert (b' hint="' in dump, b' display-id="' in dump) == (there, there)
        assert b' drawing-order="' in dump
