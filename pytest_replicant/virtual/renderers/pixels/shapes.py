"""Which shape a node has, and what draws it."""

from __future__ import annotations

from collections.abc import Callable

from ...ui import UiNode
from . import buttons, cupertino, fields, surfaces, system_bars, toggles
from .brush import Brush
from .icons import icon_for
from .theme import CUPERTINO

PAINTERS: dict[str, Callable[[Brush], None]] = {
    "": surfaces.ground,
    "box": surfaces.ground,
    "button": buttons.button,
    "button_outlined": buttons.button_outlined,
    "button_text": buttons.button_text,
    "button_tonal": buttons.button_tonal,
    "canvas": surfaces.canvas,
    "card": surfaces.card,
    "check_box": toggles.check_box,
    "chip": buttons.chip,
    "dialog": surfaces.dialog,
    "divider": surfaces.divider,
    "field": fields.field,
    "field_search": fields.field_search,
    "key": system_bars.key,
    "keyboard": system_bars.keyboard,
    "navigation_bar": surfaces.ground,
    "progress_bar": toggles.progress_bar,
    "progress_circle": toggles.progress_circle,
    "radio": toggles.radio,
    "row": surfaces.row,
    "seek_bar": toggles.seek_bar,
    "seek_bar_upright": toggles.seek_bar_upright,
    "spinner": fields.spinner,
    "status_bar": system_bars.status_bar,
    "switch": toggles.switch,
    "text": surfaces.text,
    "toast": surfaces.toast,
    "toolbar": surfaces.toolbar,
    "wallpaper": surfaces.wallpaper,
    "web": surfaces.web,
}
NAMED_PAINTERS: dict[str, Callable[[Brush, str], None]] = {
    "icon": buttons.icon,
    "image": surfaces.image,
    "launcher": buttons.launcher,
    "stars": toggles.stars,
}
# By the end of the class name; the first that fits counts.
_BY_CLASS: tuple[tuple[str, str], ...] = (
    ("CheckBox", "check_box"),
    ("CheckedTextView", "check_box"),
    ("RadioButton", "radio"),
    ("ToggleButton", "switch"),
    ("Switch", "switch"),
    ("SwitchCompat", "switch"),
    ("ImageButton", "icon"),
    ("Button", "button"),
    ("EditText", "field"),
    ("AutoCompleteTextView", "field"),
    ("SeekBar", "seek_bar"),
    ("Spinner", "spinner"),
    ("ImageView", "image"),
    ("Toolbar", "toolbar"),
    ("CardView", "card"),
    ("WebView", "web"),
    ("TextView", "text"),
)


def shape_of(node: UiNode) -> tuple[str, str]:
    """The shape and, for icons, images and launcher tiles, which: ("icon", "cart"), ("button", "").
    A node drawn as a part of something else has "none"."""
    shape, _, name = node.look.shape.partition(":")
    if shape == "none":
        return "", ""
    if shape and (shape in PAINTERS or shape in cupertino.PAINTERS):
        return shape, ""
    if shape in NAMED_PAINTERS:
        return shape, name or (icon_for(node.description) if shape != "image" else "photo")
    last = node.class_name.rpartition(".")[2]
    if last.endswith("ProgressBar"):
        return ("progress_bar" if node.look.progress is not None else "progress_circle"), ""
    found = next((shape for ending, shape in _BY_CLASS if last.endswith(ending)), "")
    if found in NAMED_PAINTERS:
        return found, icon_for(node.description) if found == "icon" else "photo"
    return found or ("text" if node.text else ""), ""


def paint_shape(brush: Brush, shape: str, name: str) -> None:
    if brush.theme.style is CUPERTINO and shape in cupertino.PAINTERS:
        cupertino.PAINTERS[shape](brush)
    elif shape in NAMED_PAINTERS:
        NAMED_PAINTERS[shape](brush, name)
    else:
        PAINTERS[shape](brush)
