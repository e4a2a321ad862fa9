"""No exhibit goes without a test of what must pass there and one of what must fail, since a check
that cannot fail proves nothing."""

from __future__ import annotations

import pytest

from pytest_replicant.drivers import Platform
from pytest_replicant.virtual import EXHIBITS, all_exhibits

from .exhibits_shown import NEEDED, SHOWN, import_tests
from .lab_phone import LabPhone
from .needed import Need

import_tests()

SLUGS = [exhibit.slug for exhibit in all_exhibits()]


@pytest.mark.parametrize("slug", SLUGS)
def test_the_exhibit_is_shown_to_pass_and_to_fail(slug: str) -> None:
    assert SHOWN.get(slug) == {"proves", "refutes"}


def test_no_test_is_about_an_exhibit_that_is_not_there() -> None:
    assert set(SHOWN) == set(SLUGS)
    assert len(SLUGS) == sum(map(len, EXHIBITS.values())) > 50


@pytest.mark.on_both
@pytest.mark.parametrize("need", NEEDED, ids=lambda need: need.lacking)
def test_what_a_test_needs_android_has_and_an_iphone_lacks(
    lab: LabPhone, platform: Platform, need: Need
) -> None:
    assert need.has(lab.driver) is (platform == "android")
