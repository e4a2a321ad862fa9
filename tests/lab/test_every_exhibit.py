"""No exhibit goes without a test of what must pass there and one of what must fail, since a check that cannot fail
proves nothing."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

from pytest_replicant.virtual.demo_apps.lab.exhibits import EXHIBITS, all_exhibits

from .exhibits_shown import SHOWN

for path in sorted(Path(__file__).parent.glob("test_*.py")):
    if path.stem != Path(__file__).stem:
        importlib.import_module(f"{__package__}.{path.stem}")

SLUGS = [exhibit.slug for exhibit in all_exhibits()]


@pytest.mark.parametrize("slug", SLUGS)
def test_the_exhibit_is_shown_to_pass_and_to_fail(slug: str) -> None:
    assert SHOWN.get(slug) == {"proves", "refutes"}


def test_no_test_is_about_an_exhibit_that_is_not_there() -> None:
    assert set(SHOWN) == set(SLUGS)
    assert len(SLUGS) == sum(map(len, EXHIBITS.values())) > 50
