"""What a control is for, and what can be done with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_replicant.model import States
from pytest_replicant.snapshots.parsers.roles import _BY_ENDING, _BY_NAME, ROLES, meaning_of, role_of

from ..ios_nodes import ios
from ..screens import node, parse, screen, text

BOX = (0, 300, 1000, 400)


def role_name(class_name: str) -> str | None:
    return role_of(class_name).name


@pytest.mark.parametrize(
    ("class_name", "name", "adjustable", "shape"),
    [
        ("SeekBar", "slider", True, "continuous"),
        ("RatingBar", "slider", True, "discrete"),
        ("NumberPicker", "stepper", True, "discrete"),
        ("Spinner", "dropdown", None, "semantic"),
        ("TabLayout", "segmented_control", None, "discrete"),
        ("SwitchCompat", "switch", None, "binary"),
        ("TextInputEditText", "text_field", None, "text"),
        ("RadioButton", "radio", None, "binary"),
        ("AppCompatImageButton", "button", None, None),
        ("ProgressBar", "progress", None, None),
        ("PickerWheel", "dropdown", True, "semantic"),
        ("PageIndicator", "custom_adjustable", True, "discrete"),
        ("RangeSlider", "composite_control", True, "continuous"),
        ("TimePicker", "composite_control", None, None),
    ],
)
def test_known_classes(class_name: str, name: str, adjustable: bool | None, shape: str | None) -> None:
    role = role_of(class_name)
    assert (role.name, role.adjustable, role.shape) == (name, adjustable, shape)


@pytest.mark.parametrize(
    ("role", "classes"),
    [
        ("slider", "AppCompatSeekBar Seekbar XSeekBar VolumeSlider QMUISlider Slider AppCompatRatingBar"),
        ("switch", "Switch SwitchMaterial MaterialSwitch ReactSwitch UISwitch ToggleButton SwitchButton Toggle"),
        ("checkbox", "CheckBox Checkbox MaterialCheckBox AppCompatCheckedTextView"),
        ("radio", "AppCompatRadioButton Radiobutton"),
        ("button", "MaterialButton FloatingActionButton CompoundButton Chip ActionMenuItemView MenuItem Icon Key"),
        ("text_field", "EditText MultiAutoCompleteTextView SearchAutoComplete SecureTextField SearchField"),
        ("dropdown", "AppCompatSpinner Dropdown PopUpButton Picker ComboBox"),
        ("stepper", "Stepper QuantityStepper"),
        ("segmented_control", "SegmentedControl MaterialButtonToggleGroup ScrollableTabLayout"),
        ("tab", "Tab ActionBar$Tab TabLayout$TabView BottomNavigationItemView"),
        ("progress", "ContentLoadingProgressBar CircularProgressIndicator ActivityIndicator LoadingSpinner"),
        ("list", "RecyclerView ExpandableListView ListPopupWindow$DropDownListView Table CollectionView"),
        ("container", "TableLayout LinearLayoutCompat ViewPager2 WebView RadioGroup TabBar NavigationBar Alert"),
        ("image", "AppCompatImageView ProgressiveImageView Image"),
        ("text", "AppCompatTextView StaticText TextView"),
        ("link", "Link"),
        ("cell", "Cell"),
        ("composite_control", "DatePicker TimePicker RangeSlider"),
    ],
)
def test_variants_of_a_class_share_its_role(role: str, classes: str) -> None:
    assert {name: role_name(name) for name in classes.split()} == dict.fromkeys(classes.split(), role)


@pytest.mark.parametrize(
    ("class_name", "name"),
    [
        ("SwitcherActivityView", None),
        ("TextSwitcher", None),
        ("ImageSwitcher", None),
        ("ViewSwitcher", None),
        ("ButtonBarLayout", "container"),
        ("SpinnerAdapterLayout", "container"),
        ("ProgressiveImageView", "image"),
        ("SwitchPreference", None),
        ("ImageSlider", None),  # a carousel
        ("SliderLayout", "container"),
        ("StepperIndicator", None),
        ("LoadingDockView", None),
        ("FtFilterTabView", None),  # a strip of tabs
        ("Other", None),
        ("View", None),
        ("", None),
        ("$", None),
        ("Unheard", None),
        ("12345", None),
        ("Compat", None),
    ],
)
def test_a_part_of_a_word_decides_nothing(class_name: str, name: str | None) -> None:
    assert role_name(class_name) == name


def test_a_class_name_of_any_length_is_bearable() -> None:
    assert role_of("Aa" * 500_000 + "Switch").name is None


def test_a_progress_bar_is_no_slider() -> None:
    bar = node("ProgressBar", at=BOX, text="70.0", content_desc="Download")
    (element,) = parse(screen(bar)).elements
    assert (element.semantic_role, element.adjustable, element.supported_actions) == ("progress", None, None)


def test_what_can_be_done_comes_from_the_class_and_from_the_flags() -> None:
    row = node("LinearLayout", text("Milk"), at=BOX, clickable="true", long_clickable="true")
    feed = node("RecyclerView", row, at=(0, 200, 1080, 2400), scrollable="true")
    outer, inner = parse(screen(feed)).elements
    assert outer.supported_actions == ("scroll",)
    assert inner.supported_actions == ("tap", "long_press")
    assert meaning_of(ios("SeekBar", clickable=True)).actions == ("adjust", "tap")


def test_an_absent_flag_takes_nothing_from_what_the_class_says() -> None:
    assert meaning_of(ios("Button", clickable=False)).actions == ("tap",)
    assert meaning_of(ios("Other")).actions is None


@pytest.mark.parametrize(
    ("class_name", "role", "shape"),
    [("View", None, "binary"), ("Button", "button", "binary"), ("TabView", "tab", "binary"),
     ("Switch", "switch", "binary"), ("Spinner", "dropdown", "semantic")],
)  # fmt: skip
def test_what_can_be_checked_has_two_states_unless_the_class_knows_better(
    class_name: str, role: str | None, shape: str
) -> None:
    meaning = meaning_of(ios(class_name, checkable=True))
    assert (meaning.name, meaning.shape) == (role, shape)


@pytest.mark.parametrize("class_name", ["TextView", "Other", "ComboBox"])
def test_what_can_be_typed_into_is_a_field(class_name: str) -> None:
    meaning = meaning_of(ios(class_name, states=States(editable=True)))
    assert (meaning.name, meaning.actions, meaning.shape) == ("text_field", ("tap", "type_text"), "text")


def test_the_same_class_without_typing_is_text() -> None:
    assert meaning_of(ios("TextView", states=States(editable=False))).name == "text"
    assert meaning_of(ios("TextView")).name == "text"


def test_what_the_platform_calls_adjustable_is_so_whatever_its_class() -> None:
    custom, button = meaning_of(ios("Other", adjustable=True)), meaning_of(ios("Button", adjustable=True))
    assert (custom.name, custom.actions, custom.shape) == ("custom_adjustable", ("adjust",), "continuous")
    assert (button.name, button.actions, button.adjustable) == ("button", ("tap", "adjust"), True)
    assert meaning_of(ios("Other")).adjustable is None


def test_a_selector_knows_the_roles_that_elements_have() -> None:
    box = node("View", at=BOX, checkable="true", checked="true", clickable="true")
    snapshot = parse(screen(box, node("SeekBar", at=(0, 500, 900, 600), content_desc="Volume")))
    assert snapshot.find(role="slider").label == "Volume"
    assert {element.semantic_role for element in snapshot.elements} <= {None, *ROLES}


PAGE = Path(__file__).parents[4] / "docs" / "reference" / "semantics.md"


def table_of_roles() -> list[list[str]]:
    rows = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows[1:]]


def test_the_page_says_of_every_class_what_the_table_says() -> None:
    message = {
        word: (name.strip("`"), actions, adjustable, shape)
        for name, classes, actions, adjustable, shape, _ in table_of_roles()
        for word in classes.split(", ")
    }
    known = {
        f"*{name}*" if whole else name: (
            role.name, ", ".join(role.actions or ()), str(role.adjustable or ""), role.shape or ""
        )
        for table, whole in ((_BY_ENDING, False), (_BY_NAME, True))
        for role, names in table
        if role.name
        for name in names.split()
    }  # fmt: skip
    assert message == known


def test_the_page_reports_every_role() -> None:
    assert {row[0].strip("`") for row in table_of_roles()} == ROLES
