"""``--phone URI``: the contract on a phone that somebody has, here one that is reached as a real
one is."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from pytest_replicant.errors import UsageError
from pytest_replicant.testing import DRIVER_CLAUSES
from pytest_replicant.virtual import PhoneServer, VirtualPhone, start_server

from .facebook_wda.stock import iphone
from .phones import LINK, SHOP, attached

ROOT = Path(__file__).parent.parent.parent
ASKED = ("names-itself", "tap", "open-url", "leaves-alone")


def config(uri: str, **options: str) -> pytest.Config:
    """As the command line would have it."""
    given = {"phone": uri, **options}
    return cast("pytest.Config", SimpleNamespace(getoption=given.get))


def keeps(chosen: pytest.Config) -> list[Any]:
    """The clauses that were checked, of the ``ASKED``; those on text need a field."""
    with attached(chosen) as subject:
        scene = subject.scene()
        try:
            asked = [
                each for each in DRIVER_CLAUSES if each.name in ASKED and not each.unmet(scene)
            ]
            for clause in asked:
                clause.check(scene)
            assert all(each.unmet(scene) for each in DRIVER_CLAUSES if each.needs_field)
        finally:
            scene.driver.close()
    return [each.name for each in asked]


@pytest.fixture
def an_iphone() -> Iterator[PhoneServer]:
    with start_server(iphone(), server=False, wda=True) as running:
        yield running


def test_an_android_phone_behind_an_adb_server(phone: VirtualPhone) -> None:
    with start_server(phone) as running:
        uri = f"adb://{running.host}:{running.port}/{running.serials[0]}"
        found = keeps(config(uri, phone_app=SHOP, phone_link=LINK))
    assert set(found) == set(ASKED)


def test_an_iphone_behind_its_web_driver_agent(an_iphone: PhoneServer) -> None:
    assert set(keeps(config(f"ios:{an_iphone.wda_url}", phone_app=SHOP))) == set(ASKED) - {
        "open-url"
    }


def test_an_app_has_to_be_named() -> None:
    with pytest.raises(UsageError, match="--phone-app"), attached(config("android")):
        pass


@pytest.mark.slow
@pytest.mark.thorough
def test_on_the_command_line(an_iphone: PhoneServer) -> None:
    options = [
        "--phone",
        f"ios:{an_iphone.wda_url}",
        "--phone-app",
        SHOP,
        "-k",
        "keeps and (names or unknown-key)",
    ]
    ended = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-n",
            "0",
            "-q",
            "tests/conformance/test_drivers.py",
            *options,
        ],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    assert "2 passed" in ended.stdout, ended.stdout + ended.stderr
