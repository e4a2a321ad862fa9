"""Bundle ids, the dialogs' buttons and what is missing, before a phone is asked."""

from __future__ import annotations

import pytest

from pytest_replicant.drivers import Capability
from pytest_replicant.drivers.ios.apps import IOS_DIALOGS, checked_name
from pytest_replicant.drivers.ios.driver import CAPABILITIES, INSTEAD
from pytest_replicant.errors import UsageError


@pytest.mark.parametrize("name", ["com.example.shop", "dev.replicant-2.Lab_1", "Shop"])
def test_a_bundle_id_passes(name: str) -> None:
    assert checked_name(name) == name


@pytest.mark.parametrize("name", ["", ".com", "com/example", "a b", "../x", "com.example\n", "shöp", None, 3])
def test_what_is_none_is_refused(name: object) -> None:
    with pytest.raises(UsageError, match="no bundle id"):
        checked_name(name)  # type: ignore[arg-type]


def test_apple_writes_a_curly_apostrophe() -> None:
    labels = [button.text for button in IOS_DIALOGS.permission_buttons["deny"]]
    assert labels[:2] == ["Don\u2019t Allow", "Don't Allow"]


def test_no_button_gives_two_answers() -> None:
    labels = [button.text for buttons in IOS_DIALOGS.permission_buttons.values() for button in buttons]
    assert len(labels) == len(set(labels))


def test_for_all_that_is_missing_it_says_what_there_is_instead() -> None:
    missing = [each for each in Capability if each not in CAPABILITIES and each is not Capability.CURRENT_ACTIVITY]
    assert set(missing) == set(INSTEAD)
