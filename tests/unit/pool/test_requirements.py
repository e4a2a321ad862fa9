"""Which phone will do for a test, and what is said of one that will not."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest

from pytest_replicant.drivers import Capability, DeviceInfo, Driver, Platform
from pytest_replicant.errors import UsageError
from pytest_replicant.model import decode, encode
from pytest_replicant.pool import ABILITIES, DeviceRequirements, Facts

ABLE = Capability.SHELL | Capability.LOGS


def info(platform: Platform = "android", sdk: str = "34") -> DeviceInfo:
    return DeviceInfo("R5CT", platform, "", "", 1, 1, 1.0, {"sdk": sdk} if sdk else {})


def phone(platform: Platform = "android", sdk: str = "34", able: Capability = ABLE) -> Driver:
    return cast("Driver", SimpleNamespace(info=info(platform, sdk), capabilities=able))


@pytest.mark.parametrize(
    ("api", "level", "fits"),
    [
        ("34", "34", True),
        ("34", "33", False),
        ("==34", "34", True),
        (">=34", "34", True),
        (">=34", "33", False),
        (">34", "34", False),
        ("<=34", "34", True),
        ("<34", "34", False),
        ("!=34", "34", False),
        ("!=34", "33", True),
        (">=29,<34", "33", True),
        (">=29,<34", "34", False),
        (">=29,<34", "28", False),
        (" >= 29 , < 34 ", "30", True),
        ("", "7", True),
        ("", "", True),
        (">=9", "34", True),
    ],
)
def test_levels_are_compared_as_numbers(api: str, level: str, fits: bool) -> None:
    assert (DeviceRequirements(api=api).why_not(phone(sdk=level)) == "") is fits


@pytest.mark.parametrize(
    "api", [">=", "=>34", "thirty", "34.1", ">=34,", ",", "34-36", "~=34", "34 35", "⁴"]
)
def test_what_compares_nothing_is_refused_with_what_does(api: str) -> None:
    with pytest.raises(UsageError) as refused:
        DeviceRequirements(api=api)
    assert f"api={api!r} compares no API level" in str(refused.value)
    assert 'Write ">=34", ">=29,<34" or "34"' in str(refused.value)


def test_each_reason_is_reported() -> None:
    assert DeviceRequirements("ios").why_not(phone()) == "an Android phone, not an iPhone"
    assert (
        DeviceRequirements("android").why_not(phone("ios", "")) == "an iPhone, not an Android phone"
    )
    assert DeviceRequirements(api=">=21").why_not(phone("ios", "")) == "an iPhone has no API level"
    assert DeviceRequirements(api=">=35").why_not(phone()) == "has API level 34, not >=35"
    assert (
        DeviceRequirements(api=">=35").why_not(phone(sdk=""))
        == "does not say which API level it has"
    )
    assert (
        DeviceRequirements(needs=frozenset({"toasts", "drag", "shell"})).why_not(phone())
        == "cannot do drag, toasts"
    )


def test_an_ability_that_is_none_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(UsageError) as refused:
        DeviceRequirements(needs=frozenset({"shell", "shel"}))
    assert str(refused.value).startswith(
        "needs=shel: no such ability. Did you mean shell? There are: audit, clear_data, "
    )
    assert all(ability in str(refused.value) for ability in ABILITIES)


def test_a_platform_that_is_none_is_refused() -> None:
    with pytest.raises(
        UsageError,
        match=r"platform='Android' is none\. Did you mean android\? There are: android, ios",
    ):
        DeviceRequirements("Android")


@pytest.mark.parametrize("phone", [info(), info(sdk=""), info("ios", "")])
def test_facts_survive_a_file(phone: DeviceInfo) -> None:
    facts = Facts.of(phone, ABLE)
    assert decode(Facts, encode(facts)) == facts
    assert facts.abilities == ("shell", "logs")


def test_what_is_asked_for_is_reported_in_the_markers_words() -> None:
    assert DeviceRequirements("android", ">=34", frozenset({"shell"})).described == (
        'platform="android", api=">=34", needs="shell"'
    )
    assert DeviceRequirements().described == ""
