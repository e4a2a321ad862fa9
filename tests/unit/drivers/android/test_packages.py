"""Package names: which can be one, and what is said of one that is not installed."""

from __future__ import annotations

import pytest

from pytest_replicant.drivers.android.apps import checked_name, near_names, not_installed
from pytest_replicant.errors import UsageError

INSTALLED = ["android", "com.android.settings", "com.example.shop", "com.example.shop.beta", "org.mozilla.firefox"]
LISTED = "".join(f"package:{name}\n" for name in INSTALLED)


@pytest.mark.parametrize("name", ["com.example.shop", "a.b", "com.example.Shop_2", "android"])
def test_package_names_pass(name: str) -> None:
    assert checked_name(name) == name


@pytest.mark.parametrize(
    "name", ["", "shop", "com.example.shop; reboot", "com..shop", "com.1st", "-n", "com.example.shop/.Main", "ą.b"]
)
def test_what_no_package_can_be_called_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match="no Android package name"):
        checked_name(name)


def test_a_slip_finds_the_name_that_was_meant() -> None:
    assert near_names("com.exmple.shop", INSTALLED)[0] == "com.example.shop"


def test_the_last_part_of_a_name_finds_it_under_another_owner() -> None:
    assert near_names("dev.somebody.firefox", INSTALLED) == ["org.mozilla.firefox"]


def test_what_is_not_installed_names_the_near_ones_and_what_to_do() -> None:
    said = str(not_installed("com.exmple.shop", "R5CT", LISTED))
    assert "com.exmple.shop is not installed on R5CT" in said
    assert "com.example.shop" in said
    assert "Install it first" in said


def test_where_nothing_is_near_the_number_of_packages_is_said() -> None:
    assert "None of its 5 packages is near" in str(not_installed("xx.yy.zz", "R5CT", LISTED))
