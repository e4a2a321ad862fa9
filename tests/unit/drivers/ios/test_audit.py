"""Apple's audit through the driver: issues as data, and iPhones that have none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest

from pytest_replicant.drivers import Capability, IosDriver, Screen
from pytest_replicant.drivers.ios.driver import read_issue
from pytest_replicant.errors import ProtocolError, Unsupported
from pytest_replicant.model import AuditIssue, Rect
from pytest_replicant.virtual import start_server
from tests.conformance.bad_agent import BadAgent, json_answer, refused
from tests.unit.virtual.wda_side.test_audit import FLAWED, phone

AUDIT = "/wda/performAccessibilityAudit"


@pytest.fixture
def agent() -> Iterator[BadAgent]:
    with (
        start_server(phone(), server=False, wda=True) as server,
        BadAgent(upstream=server.wda_port) as between,
    ):
        yield between


@pytest.fixture
def driver(agent: BadAgent) -> Iterator[IosDriver]:
    connected = IosDriver.connect(agent.url, timeout=10)
    connected.launch(FLAWED, None, ())
    yield connected
    agent.spoilt.clear()
    connected.close()


def test_an_issue_names_kind_words_and_place_in_pixels(driver: IosDriver) -> None:
    assert Capability.AUDIT in driver.capabilities
    issues = {issue.kind: issue for issue in driver.accessibility_audit()}
    assert set(issues) == {"SufficientElementDescription", "HitRegion", "Contrast", "TextClipped"}
    small = issues["HitRegion"]
    assert (small.label, small.class_name, small.summary) == (
        "Tiny",
        "Button",
        "Hit area is too small",
    )
    assert small.bounds is not None
    assert 50 <= small.bounds.height <= 63  # 20 dp, which whole points enclose
    assert issues["SufficientElementDescription"].label == ""


SCREEN = Screen(3.0, 393, 852)
SAID: list[tuple[Mapping[str, Any], AuditIssue]] = [
    ({}, AuditIssue("", "")),
    (
        {
            "auditType": "XCUIAccessibilityAuditTypeDynamicType",
            "compactDescription": "No",
            "element": '"A "b"" Link',
        },
        AuditIssue("DynamicType", "No", label='A "b"', class_name="Link"),
    ),
    (
        {
            "auditType": "4096",
            "compactDescription": "New",
            "element": "Button",
            "elementAttributes": {},
        },
        AuditIssue("4096", "New", class_name="Button"),
    ),
    (
        {
            "elementAttributes": {
                "label": "x",
                "type": "Image",
                "rect": {"x": 1, "y": 2, "width": 3, "height": 4},
            }
        },
        AuditIssue("", "", label="x", class_name="Image", bounds=Rect(3, 6, 12, 18)),
    ),
    (
        {"elementAttributes": {"rect": {"x": 1, "y": 2, "width": 0, "height": 4}}},
        AuditIssue("", ""),
    ),
    ({"elementAttributes": {"rect": "here"}, "element": "no element\nat all"}, AuditIssue("", "")),
]


@pytest.mark.parametrize(("said", "issue"), SAID)
def test_what_is_missing_is_left_out(said: Mapping[str, Any], issue: AuditIssue) -> None:
    assert read_issue(said, SCREEN) == issue


def test_an_agent_without_it_is_asked_once(driver: IosDriver, agent: BadAgent) -> None:
    said = 'Error Code=1 "Accessibility audit is only supported since iOS 17/Xcode 15"'
    agent.spoilt[AUDIT] = refused("unknown error", said)
    for _ in range(2):
        with pytest.raises(Unsupported, match="came with iOS 17") as caught:
            driver.accessibility_audit()
        assert caught.value.capability == "AUDIT"
    assert Capability.AUDIT not in driver.capabilities
    assert agent.count(AUDIT) == 1


def test_a_failed_audit_is_no_empty_one(driver: IosDriver, agent: BadAgent) -> None:
    for spoilt in (
        refused("unknown error", "Error Code=7"),
        json_answer({"value": {}, "sessionId": "s"}),
    ):
        agent.spoilt[AUDIT] = spoilt
        with pytest.raises(ProtocolError):
            driver.accessibility_audit()
    assert Capability.AUDIT in driver.capabilities


def test_ios_16_is_not_asked_at_all() -> None:
    old = phone("16.7.10")
    with (
        start_server(old, server=False, wda=True) as server,
        BadAgent(upstream=server.wda_port) as between,
    ):
        driver = IosDriver.connect(between.url, timeout=10)
        assert Capability.AUDIT not in driver.capabilities
        with pytest.raises(Unsupported, match="came with iOS 17"):
            driver.accessibility_audit()
        assert between.count(AUDIT) == 0
        driver.close()


def test_a_phone_that_does_not_say_its_version_is_asked(driver: IosDriver) -> None:
    unknown = IosDriver(driver._link, driver._screen, "ios:x", replace(driver.info, os_version=""))
    assert Capability.AUDIT in unknown.capabilities
    assert unknown.accessibility_audit()
