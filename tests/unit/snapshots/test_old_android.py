"""Android 7: a field's hint is its text, and no attribute tells the two apart."""

from __future__ import annotations

import pytest

from pytest_replicant.errors import TargetError
from pytest_replicant.snapshots import Snapshot
from pytest_replicant.testing import virtual_device

from .screens import hierarchy, node, text


def field(shown: str, **attributes: str) -> str:
    return node("EditText", at=(0, 400, 900, 500), text=shown, focusable="true", **attributes)


HEADLINE = text("Good things for the house", at=(0, 300, 900, 350))


def test_a_field_is_found_by_the_hint_that_it_shows_whatever_stands_above_it() -> None:
    old = Snapshot.parse(hierarchy(node("FrameLayout", HEADLINE, field("Email"))))
    assert old.find(text="Email").class_name == "EditText"


def test_where_hints_are_told_a_typed_text_is_no_label() -> None:
    new = Snapshot.parse(hierarchy(node("FrameLayout", HEADLINE, field("Email", hint="Address"))))
    with pytest.raises(TargetError):
        new.find(text="Email")
    assert new.find(text="Address").class_name == "EditText"


def test_a_label_and_a_field_that_say_the_same_are_no_choice() -> None:
    both = Snapshot.parse(hierarchy(node("FrameLayout", text("Email", at=(0, 900, 90, 950)), field("Email"))))
    with pytest.raises(TargetError, match="2 matches"):
        both.find(text="Email")


@pytest.mark.parametrize(("profile", "there"), [("android-7", False), ("pixel", True)])
def test_what_the_server_prints_goes_by_the_version(profile: str, there: bool) -> None:
    with virtual_device("dev.replicant.shop", profile=profile) as device:
        dump = device.driver.dump_hierarchy()
        assert (b' hint="' in dump, b' display-id="' in dump) == (there, there)
        assert b' drawing-order="' in dump
