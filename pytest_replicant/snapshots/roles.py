"""What a class is for: a table from native class names to roles and what can be done with them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache


@dataclass(frozen=True, slots=True)
class Role:
    """``actions`` are hints; ``adjustable`` and ``shape`` are None where the class does not decide."""

    name: str
    actions: tuple[str, ...] | None = None
    adjustable: bool | None = None
    shape: str | None = None


_BUTTON = Role("button", ("tap",))
# Searched in order, as parts of the lower-case class name: the first hit decides.
_BY_PART: tuple[tuple[str, Role], ...] = (
    ("progress", Role("progress")),
    ("seekbar", Role("slider", ("adjust",), True, "continuous")),
    ("slider", Role("slider", ("adjust",), True, "continuous")),
    ("ratingbar", Role("slider", ("adjust",), True, "discrete")),
    ("numberpicker", Role("stepper", ("increment", "decrement"), True, "discrete")),
    ("stepper", Role("stepper", ("increment", "decrement"), True, "discrete")),
    ("spinner", Role("dropdown", ("tap", "expand"), None, "semantic")),
    ("dropdown", Role("dropdown", ("tap", "expand"), None, "semantic")),
    ("tablayout", Role("segmented_control", ("tap",), None, "discrete")),
    ("switch", Role("switch", ("tap",), None, "binary")),
    ("toggle", Role("switch", ("tap",), None, "binary")),
    ("checkbox", Role("checkbox", ("tap",), None, "binary")),
    ("checkedtextview", Role("checkbox", ("tap",), None, "binary")),
    ("radiobutton", Role("radio", ("tap",), None, "binary")),
    ("edittext", Role("text_field", ("tap", "type_text"), None, "text")),
    ("autocomplete", Role("text_field", ("tap", "type_text"), None, "text")),
    ("imagebutton", _BUTTON),
    ("floatingactionbutton", _BUTTON),
    ("button", _BUTTON),
    ("imageview", Role("image")),
    ("recyclerview", Role("list")),
    ("listview", Role("list")),
    ("gridview", Role("list")),
    ("scrollview", Role("container")),
    ("webview", Role("container")),
    ("textview", Role("text")),
    ("toolbar", Role("container")),
    ("layout", Role("container")),
    ("viewgroup", Role("container")),
)


ROLES: frozenset[str] = frozenset(role.name for _, role in _BY_PART)
"""Every name that ``Element.semantic_role`` can have."""


@lru_cache(maxsize=4096)
def role_of(class_name: str) -> Role | None:
    """The role of a short native class name, None where it says nothing."""
    lowered = class_name.lower()
    return next((role for part, role in _BY_PART if part in lowered), None)
