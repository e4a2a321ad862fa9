"""What a class is for."""

from __future__ import annotations

import pytest

from pytest_replicant.snapshots.roles import role_of


@pytest.mark.parametrize(
    ("class_name", "name", "adjustable", "shape"),
    [
        ("SeekBar", "slider", True, "continuous"),
        ("NumberPicker", "stepper", True, "discrete"),
        ("Spinner", "dropdown", None, "semantic"),
        ("TabLayout", "segmented_control", None, "discrete"),
        ("SwitchCompat", "switch", None, "binary"),
        ("TextInputEditText", "text_field", None, "text"),
        ("RadioButton", "radio", None, "binary"),
        ("AppCompatImageButton", "button", None, None),
        ("ProgressBar", "progress", None, None),
    ],
)
def test_known_classes(class_name: str, name: str, adjustable: bool | None, shape: str | None) -> None:
    role = role_of(class_name)
    assert role is not None
    assert (role.name, role.adjustable, role.shape) == (name, adjustable, shape)


@pytest.mark.parametrize("class_name", ["View", "", "Unheard"])
def test_a_class_that_says_nothing_has_no_role(class_name: str) -> None:
    assert role_of(class_name) is None
