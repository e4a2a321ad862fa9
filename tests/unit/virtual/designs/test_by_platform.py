"""Which design a profile leads to."""

from __future__ import annotations

from pytest_replicant.virtual import IPHONE, Profile
from pytest_replicant.virtual.designs.by_platform import design_of
from pytest_replicant.virtual.designs.design import Design

NAMED = {"material": Profile(), "cupertino": IPHONE}


def test_each_platform_has_a_design_of_its_own() -> None:
    designs: dict[str, Design] = {name: design_of(profile) for name, profile in NAMED.items()}
    assert {name: design.name for name, design in designs.items()} == {name: name for name in NAMED}
    homes = {name: design.home.package for name, design in designs.items()}
    assert homes == {"material": "com.replicant.launcher", "cupertino": "com.apple.springboard"}
