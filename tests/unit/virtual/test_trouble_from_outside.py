"""Airplane mode, a clock that is set, a full storage, a package for another processor."""

from __future__ import annotations

import pytest

from pytest_replicant.virtual import Latency, VirtualPhone, lab

from .notes_phone import sh
from .toy_app import ManualClock

PACKAGE = lab().package

AT_ONCE = Latency(**dict.fromkeys(Latency.__dataclass_fields__, 0))


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def phone(clock: ManualClock) -> VirtualPhone:
    return VirtualPhone([lab()], latency=AT_ONCE, clock=clock)


def is_online(phone: VirtualPhone) -> bool:
    """As an app sees it."""
    phone.start_app(PACKAGE)
    return bool(phone._tasks.running[PACKAGE].is_online)


# --- the network ----------------------------------------------------------------------------------
def test_airplane_mode_takes_the_network_from_apps(phone: VirtualPhone) -> None:
    assert is_online(phone)
    sh(phone, "cmd connectivity airplane-mode enable")
    assert not is_online(phone)
    assert (
        sh(phone, "cmd connectivity airplane-mode; settings get global airplane_mode_on").out
        == "enabled\n1\n"
    )
    sh(phone, "cmd connectivity airplane-mode disable")
    assert is_online(phone)
    assert sh(phone, "cmd connectivity airplane-mode").out == "disabled\n"


@pytest.mark.parametrize("link", ["backend", "failing-backend", "silent-backend"])
def test_a_request_without_a_network_fails_in_the_log(phone: VirtualPhone, link: str) -> None:
    phone.set_radio("airplane", True)
    phone.start_app(PACKAGE, url=f"lab://{link}?delay=1")
    load = next(
        node
        for window in phone.windows()
        for node in window.root.walk()
        if node.resource_id.endswith("/load")
    )
    phone.tap(*load.bounds.center)
    said = [entry.message for entry in phone.log.entries() if entry.tag == "OkHttp"]
    assert said[-1].startswith(
        "<-- HTTP FAILED: java.net.UnknownHostException: Unable to resolve host"
    )
    texts = [node.text for window in phone.windows() for node in window.root.walk()]
    assert ("Could not load" in texts) == (link != "silent-backend")


# --- the clock ------------------------------------------------------------------------------------


# --- the storage, and who may install -------------------------------------------------------------
