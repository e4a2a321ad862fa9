"""The attributes of elements by the names that clients use, with or without the prefix ``wd``."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypeAlias

from .failures import WdaError, invalid_selector

if TYPE_CHECKING:
    from ..renderers.xcuitest import XCElement

Value: TypeAlias = "str | bool | int | float | Mapping[str, Value] | None"

_CONTAINERS = frozenset(
    ("Table", "CollectionView", "ScrollView", "NavigationBar", "TabBar", "Toolbar", "WebView")
)


def rect_of(element: XCElement) -> dict[str, Value]:
    """In whole points, as WebDriverAgent rounds them."""
    x, y, width, height = element.frame.integral()
    return {"x": x, "y": y, "width": width, "height": height}


def _frame_of(element: XCElement) -> dict[str, Value]:
    frame = element.frame
    return {"x": frame.x, "y": frame.y, "width": frame.width, "height": frame.height}


def is_container(element: XCElement) -> bool:
    """Whether the accessibility elements in it are reported as its own."""
    return element.type in _CONTAINERS and not element.accessible


_READERS: dict[str, Callable[[XCElement], Value]] = {
    "accessibilityContainer": is_container,
    "accessible": lambda element: element.accessible,
    "enabled": lambda element: element.enabled,
    "focused": lambda element: element.focused,
    "frame": _frame_of,
    "hittable": lambda element: element.visible,
    "identifier": lambda element: element.identifier,
    "index": lambda element: element.index,
    "label": lambda element: element.label,
    "name": lambda element: element.name,
    "placeholderValue": lambda element: element.placeholder,
    "rect": rect_of,
    "selected": lambda element: element.selected,
    "traits": lambda element: ", ".join(element.traits),
    "type": lambda element: element.full_type,
    "value": lambda element: element.value,
    "visible": lambda element: element.visible,
}


def read(element: XCElement, name: str, without: frozenset[str] = frozenset()) -> Value:
    """``label``, ``wdLabel``, ``isWDVisible``, ``rect.x`` …; raises ``WdaError`` for what no
    element has, and for those ``without`` which this WebDriverAgent is (FBElementUtils.m
    wdAttributeNameForAttributeName)."""
    key, _, rest = name.partition(".")
    plain = _plain(key)
    reader = _READERS.get(plain) if plain not in without else None
    value = reader(element) if reader is not None else None
    known = reader is not None
    if rest:
        known = isinstance(value, Mapping) and rest in value
        value = value[rest] if isinstance(value, Mapping) and known else None
    if not known:
        raise _unknown(name, without)
    return value


def refuse_unknown(query: str, without: frozenset[str]) -> None:
    """Raises ``WdaError`` for a predicate or a class chain that names an attribute ``without``
    which this WebDriverAgent is: it looks each up as it reads the query
    (NSPredicate+FBFormat.m)."""
    for word in re.findall(r"\w+", re.sub(r"""'[^']*'|"[^"]*\"""", "", query)) if without else ():
        if _plain(word) in without:
            raise _unknown(word, without)


def _unknown(name: str, without: frozenset[str]) -> WdaError:
    known = ", ".join(sorted(_READERS.keys() - without))
    return invalid_selector(
        f"The attribute '{name}' is unknown. Valid attribute names are: {known}"
    )


def _plain(name: str) -> str:
    bare = name.removeprefix("is") if name.startswith("isWD") else name
    if bare.startswith(("wd", "WD")) and bare[2:3].isupper():
        bare = bare[2].lower() + bare[3:]
    return bare
