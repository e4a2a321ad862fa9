"""The page that sets the platforms side by side: what it lists is all there is, and it hides
nothing."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import SimpleNamespace
from typing import get_args

import pytest

from docs.generating import parity
from docs.generating.parity import ABILITIES, ACTIONS, Ran, render
from pytest_replicant.drivers import AndroidDriver, Capability, Key
from pytest_replicant.errors import Unsupported
from pytest_replicant.pool import OpenDevice, open_device
from pytest_replicant.testing import DRIVER_CLAUSES, METHODS_NEEDING, Verdict
from tests.conformance.phones import connected

from .source_tree import PACKAGE

ALL = ~Capability.NONE


class Unable(AndroidDriver):
    """Denies every ability."""

    @property
    def capabilities(self) -> Capability:
        return Capability.NONE


@pytest.fixture(scope="module")
def device() -> Iterator[OpenDevice]:
    with open_device("virtual?latency=0") as opened:
        yield opened


def needing() -> set[str]:
    """The methods of a session's actions that ask for an ability."""
    found = set()
    for path in (PACKAGE / "session" / "actions").glob("*.py"):
        for method in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(method, ast.FunctionDef) and not method.name.startswith("_"):
                asked = (each.attr for each in ast.walk(method) if isinstance(each, ast.Attribute))
                found |= {method.name for name in asked if name == "_need"}
    return found


def test_every_action_that_needs_an_ability_is_on_it() -> None:
    assert needing() - {name.partition("(")[0] for name in ACTIONS} == set()


def test_every_ability_is_on_it() -> None:
    assert set(METHODS_NEEDING) == set(ABILITIES)


def test_on_a_phone_that_can_nothing_each_of_them_is_refused(device: OpenDevice) -> None:
    driver = connected(device, Unable)
    try:
        refused = parity.refused(driver)
    finally:
        driver.close()
    assert set(ACTIONS) - set(refused) == {
        "answer_permission"
    }  # there it goes by the platform's dialogs


def test_on_one_that_can_everything_none_is(device: OpenDevice) -> None:
    assert parity.refused(device.driver) == {}


def ran(capabilities: Capability, **errors: Exception) -> Ran:
    """A run in which the named clauses were broken."""
    scene = SimpleNamespace(driver=SimpleNamespace(capabilities=capabilities))
    asked = {
        each: each.needs in capabilities and not each.lacks & scene.driver.capabilities
        for each in DRIVER_CLAUSES
    }
    verdicts = {
        each: Verdict(each, asked[each], errors.get(each.name.replace("-", "_")))
        for each in DRIVER_CLAUSES
    }
    gaps = {each: f"no {each.name} for reasons" for each in ABILITIES if each not in capabilities}
    refusal = Unsupported("logs on a phone: no.\nNext: look at the screen.", capability="LOGS")
    return Ran(capabilities, verdicts, gaps, {"logs": refusal}, dict.fromkeys(get_args(Key), ""))


def test_a_clause_that_is_broken_stands_on_it_as_broken() -> None:
    page = render({"Good": ran(ALL), "Bad": ran(ALL, shell_limit=AssertionError("it took | 9 s"))})
    assert (
        "| `shell-limit` | a command that does not end is left | kept | **broken**: it took \\| 9 "
        "s |" in page
    )
    assert "| shell | yes, 3 | **2 of 3** |" in page


def test_what_is_missing_is_told_with_its_reason() -> None:
    page = render({"Whole": ran(ALL), "Half": ran(ALL & ~Capability.LOGS)})
    assert "| logs | yes, 2 | no |" in page
    assert "- **logs**, Half: no LOGS for reasons In a test: look at the screen.\n" in page
    assert "| `logs` | logs are lines of text | kept | – |" in page


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        (
            "logs on virtual:ios?latency=0: this phone does not offer 'logs': iOS gives none. "
            "Nothing was sent.",
            "iOS gives none.",
        ),
        (
            "press_key('menu') on virtual-1: an iPhone has none. There are: home.",
            "an iPhone has none. There are: home.",
        ),
        ("no such thing", "no such thing"),
    ],
)
def test_a_reason_is_an_error_without_what_every_error_says(message: str, reason: str) -> None:
    assert parity.reason(message) == reason
