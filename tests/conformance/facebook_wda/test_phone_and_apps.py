"""Plain facebook-wda against the virtual iPhone: the phone itself, its apps, its screen."""

from __future__ import annotations

import logging
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator

import pytest

from pytest_replicant.virtual import VirtualPhone

from .stock import LAB, SHOP, SIZE, leaves_sockets_to_the_collector, opened, wda

pytestmark = leaves_sockets_to_the_collector


@pytest.fixture(autouse=True)
def nothing_failed_inside(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    yield
    failures = [record for record in caplog.get_records("call") if record.levelno >= logging.ERROR]
    assert [record.getMessage() for record in failures] == []


@pytest.fixture
def s(c: wda.Client) -> wda.Client:
    """In a session with a fresh process of the shop, upright."""
    session = opened(c, SHOP)
    if session.orientation != wda.PORTRAIT:
        session.orientation = wda.PORTRAIT
    return session


def test_a_session_starts_an_app(c: wda.Client) -> None:
    with c.session(SHOP) as s:
        assert re.fullmatch(r"[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}", s.session_id)
        assert s.bundle_id == SHOP
        assert s.app_current()["bundleId"] == SHOP
        assert c.status()["sessionId"] == s.session_id


def test_source_as_xml(s: wda.Client) -> None:
    root = ET.fromstring(s.source())
    application = (
        root
        if root.tag == "XCUIElementTypeApplication"
        else root.find("XCUIElementTypeApplication")
    )
    assert application is not None
    assert (application.get("x"), application.get("y")) == ("0", "0")
    assert (application.get("width"), application.get("height")) == tuple(
        str(side) for side in SIZE
    )
    fields = root.findall(".//XCUIElementTypeTextField")
    assert [field.get("name") for field in fields] == ["email"]
    assert root.findall(".//XCUIElementTypeSecureTextField")
    assert root.find(".//XCUIElementTypeButton[@label='Forgot password?']") is not None


def walk(node: dict[str, object]) -> Iterator[dict[str, object]]:
    yield node
    for child in node.get("children") or []:  # type: ignore[attr-defined]
        yield from walk(child)


def test_lock_and_unlock(c: wda.Client, phone: VirtualPhone) -> None:
    assert c.locked() is False
    c.lock()
    assert c.locked() is True
    assert phone.awake is False
    c.unlock()
    assert c.locked() is False
    assert phone.awake is True


def test_a_session_unlocks_the_phone_first(c: wda.Client) -> None:
    c.lock()
    c.session(SHOP)
    assert c.locked() is False
    assert c.app_current()["bundleId"] == SHOP


def test_orientation(c: wda.Client, phone: VirtualPhone) -> None:
    s = opened(c, LAB, "lab://rotation")
    assert s.orientation == wda.PORTRAIT
    s.orientation = wda.LANDSCAPE
    assert s.orientation == wda.LANDSCAPE
    assert s.window_size() == (SIZE[1], SIZE[0])
    assert s(name="reply").exists
    s.orientation = wda.PORTRAIT
    assert s.window_size() == SIZE
    assert not s(name="reply").exists
