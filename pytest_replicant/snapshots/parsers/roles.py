"""What a control is for: from native class names and reported flags to roles and what can be done
with them."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import compress
from typing import get_args

from ...model import Node, RoleName, Strings


@dataclass(frozen=True, slots=True)
class Role:
    """The role of a class. ``name`` is None for an unknown class; ``actions`` are hints;
    ``adjustable`` and ``shape`` are None if neither class nor flags decide them."""

    name: RoleName | None = None
    actions: Strings | None = None
    adjustable: bool | None = None
    shape: str | None = None


_TAP = ("tap",)
_ADJUSTABLE = Role("custom_adjustable", ("adjust",), True, "continuous")
_BUTTON = Role("button", _TAP)
_CHECKBOX = Role("checkbox", _TAP, None, "binary")
_COMPOSITE = Role("composite_control")  # several controls as one: its parts are acted on
_TWO_THUMBS = Role(
    "composite_control", None, True, "continuous"
)  # one number does not say which to move
_CONTAINER = Role("container")
_DROPDOWN = Role("dropdown", ("tap", "expand"), None, "semantic")
_FIELD = Role("text_field", ("tap", "type_text"), None, "text")
_LIST = Role("list")
_PROGRESS = Role("progress")
_RATING = Role("slider", ("adjust",), True, "discrete")
_SEGMENTS = Role("segmented_control", _TAP, None, "discrete")
_SLIDER = Role("slider", ("adjust",), True, "continuous")
_STEPPER = Role("stepper", ("increment", "decrement"), True, "discrete")
_SWITCH = Role("switch", _TAP, None, "binary")
_UNKNOWN = Role()
_TAB = Role("tab", _TAP)
_WHEEL = Role("dropdown", ("adjust",), True, "semantic")  # turned where it is, nothing opens

# The last words of a class name: "AppCompatSeekBar" ends in "SeekBar"; the longest ending that is
# known decides. _UNKNOWN is for names that end alike but are something else: an image slider is a
# carousel.
_BY_ENDING: tuple[tuple[Role, str], ...] = (
    (_SLIDER, "SeekBar Slider"),
    (_UNKNOWN,
     "BannerSlider CardSlider ContentSlider ImageSlider PageSlider PhotoSlider TextSlider "
        "ViewSlider"),
    (_RATING, "RatingBar"), (_TWO_THUMBS, "RangeSlider RangeSeekBar"),
    (_COMPOSITE, "DatePicker TimePicker"), (_STEPPER, "NumberPicker Stepper"),
    (_PROGRESS, "ProgressBar ProgressIndicator ProgressView ProgressSpinner ActivityIndicator"),
    (_PROGRESS, "LoadingIndicator LoadingIndicatorView LoadingSpinner LoadingView"),
    (_DROPDOWN, "Spinner DropDown"),
    (_SEGMENTS, "TabLayout SegmentedControl SegmentedButtonGroup SegmentedGroup ToggleGroup"),
    (_SWITCH, "Switch ToggleButton SwitchButton"), (_CHECKBOX, "CheckBox CheckedTextView"),
    (Role("radio", _TAP, None, "binary"), "RadioButton"),
    (_FIELD, "EditText AutoCompleteTextView SearchAutoComplete"),
    (_BUTTON, "Button ActionMenuItemView"),
    (_TAB, "BottomNavigationItemView NavigationBarItemView NavigationRailItemView"),
    (Role("image"), "ImageView"), (Role("text"), "TextView"),
    (_LIST, "RecyclerView ListView GridView TableView CollectionView"),
    (_CONTAINER,
     "Layout ViewGroup ScrollView WebView Toolbar CardView ViewPager SearchView RadioGroup "
        "ChipGroup"),
    (_CONTAINER, "NavigationView ComposeView TabHost TabWidget TableRow"),
)  # fmt: skip

# Whole names: XCUITest's element types, and Android's that are too short to be the end of others.
_BY_NAME: tuple[tuple[Role, str], ...] = (
    (_BUTTON, "Chip Icon Key MenuBarItem MenuItem"),
    (_RATING, "RatingIndicator"),
    (_SWITCH, "Toggle"),
    (_FIELD, "TextField SecureTextField SearchField"),
    (_DROPDOWN, "Picker PopUpButton ComboBox"),
    (_WHEEL, "PickerWheel"),
    (replace(_ADJUSTABLE, shape="discrete"), "PageIndicator"),
    (_TAB, "Tab TabView"),
    (Role("cell", _TAP), "Cell"),
    (Role("link", _TAP), "Link"),
    (Role("image"), "Image"),
    (Role("text"), "StaticText TextClock Chronometer"),
    (_LIST, "Browser Outline Table"),
    (_CONTAINER,
     "Alert Application Dialog Keyboard Map Menu NavigationBar Popover Sheet StatusBar TabBar "
        "Window"),
)  # fmt: skip

_ENDINGS = {name.lower(): role for role, names in _BY_ENDING for name in names.split()}
_NAMES = {name: role for role, names in _BY_NAME for name in names.split()}
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_VARIANTS = frozenset(
    {"compat", "material"}
)  # of a widget, which they follow: SwitchCompat, SwitchMaterial
_MOST_WORDS = 4  # in an ending
_LONGEST = 100  # characters; no class has a longer name

GENERIC = frozenset(
    {"View", "ViewGroup", "FrameLayout", "LinearLayout", "RelativeLayout", "ConstraintLayout",
     "CardView",
     "MaterialCardView", "CoordinatorLayout", "LinearLayoutCompat", "TableRow", "TableLayout",
     "Any", "Other",
     "Group", "StaticText"}
)  # fmt: skip
"""Layout classes, which say nothing about their content."""

_IPHONES = (
    "ActivityIndicator Alert Any Application Browser Button Cell CheckBox CollectionView "
    "ColorWell ComboBox DatePicker DecrementArrow Dialog DisclosureTriangle DockItem Drawer Grid "
    "Group Handle HelpTag Icon Image IncrementArrow Key Keyboard LayoutArea LayoutItem "
    "LevelIndicator Link Map Matte Menu MenuBar MenuBarItem MenuButton MenuItem NavigationBar "
    "Other Outline OutlineRow PageIndicator Picker PickerWheel PopUpButton Popover "
    "ProgressIndicator RadioButton RadioGroup RatingIndicator RelevanceIndicator Ruler "
    "RulerMarker ScrollBar ScrollView SearchField SecureTextField SegmentedControl Sheet Slider "
    "SplitGroup Splitter StaticText StatusBar StatusItem Stepper Switch Tab TabBar TabGroup Table "
    "TableColumn TableRow TextField TextView Timeline Toggle Toolbar ToolbarButton TouchBar "
    "ValueIndicator WebView Window"
)
_ANDROIDS_TOO = (
    "Button CheckBox DatePicker RadioButton RadioGroup ScrollView Slider Switch TableRow "
    "TextView Toolbar WebView"
)
_IPHONE = frozenset(
    _IPHONES.split()
)  # every XCUIElementType, of XCTest's header XCUIElementTypes.h
_IPHONE_ALONE = _IPHONE - frozenset(_ANDROIDS_TOO.split())


def exists_on(platform: str, class_name: str) -> bool:
    """Whether a class of this name may be on such a phone: an iPhone's are known, and on Android
    there are none of those that only an iPhone has."""
    if platform == "ios":
        return class_name.removeprefix("XCUIElementType") in _IPHONE
    return class_name not in _IPHONE_ALONE and not class_name.startswith("XCUIElementType")


@lru_cache(maxsize=64)
def role_exists_on(platform: str, role: str) -> bool:
    """Whether a control may have this role on such a phone: by one of its classes, or by what it
    can do."""
    if role in (_ADJUSTABLE.name, _FIELD.name):
        return True
    classes = _IPHONE if platform == "ios" else _NAMES.keys() - _IPHONE_ALONE
    found = [*map(role_of, classes), *(_ENDINGS.values() if platform == "android" else ())]
    return any(each.name == role for each in found)


ROLES: frozenset[str] = frozenset(get_args(RoleName))
"""Every name that ``Element.semantic_role`` can have."""


@lru_cache(maxsize=4096)
def role_of(class_name: str) -> Role:
    """Returns the role of a short native class name, matched by whole words; one without a name for
    an unknown class."""
    name = class_name.rpartition("$")[2]
    known = _NAMES.get(name) or _ENDINGS.get(name.lower())
    if known is not None:
        return known
    words = [word.lower() for word in _WORD.findall(name)] if len(name) <= _LONGEST else []
    while words and (words[-1] in _VARIANTS or words[-1].isdigit()):
        words.pop()
    for count in range(min(_MOST_WORDS, len(words)), 0, -1):
        known = _ENDINGS.get("".join(words[-count:]))
        if known is not None:
            return known
    return _UNKNOWN


def meaning_of(node: Node) -> Role:
    """Returns the role of a node by its class and its reported flags. Flags only add to the class:
    an absent flag is no evidence against it."""
    states = node.states
    return _meaning(
        node.class_name,
        bool(states.editable),
        bool(node.adjustable),
        node.checkable,
        (node.clickable, node.long_clickable, bool(states.scrollable)),
    )


@lru_cache(maxsize=4096)
def _meaning(
    class_name: str,
    editable: bool,
    adjustable: bool,
    checkable: bool,
    gestures: tuple[bool, bool, bool],
) -> Role:
    role = _FIELD if editable else role_of(class_name)
    if adjustable and role.name is None:
        role = _ADJUSTABLE
    reported = list(compress(("tap", "long_press", "scroll"), gestures))
    if adjustable and not role.adjustable:
        role = replace(role, adjustable=True)
        reported.append("adjust")
    return replace(
        role,
        actions=tuple(dict.fromkeys((*(role.actions or ()), *reported))) or None,
        shape=role.shape or ("binary" if checkable else None),
    )
