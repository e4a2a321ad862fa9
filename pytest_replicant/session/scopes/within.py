"""``mobile.within(target)``: the same session, with every selector meant inside one part of the screen."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from ...model import SELECTOR_KEYWORDS, Selector
from ..aiming.targets import describe

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..step import Target

S = TypeVar("S")
_TYPES: dict[type, Any] = {}  # the type of the views of each type of session

BY_KEYWORDS = (
    "adjust",
    "clear_text",
    "collect",
    "double_tap",
    "expect_count",
    "expect_gone",
    "expect_seen",
    "expect_visible",
    "fill",
    "find",
    "find_all",
    "long_press",
    "pinch",
    "scroll_to",
    "select",
    "tap",
    "wait_for",
)
"""Methods that take a target as selector keywords too."""

BY_VALUE = ("drag", "expect_state", "scroll", "swipe", "wait_for_any")
"""Methods that take targets as values only; what else they take by keyword are no selectors."""


def view_of(session: S, scope: Target) -> S:
    """A twin of the session that looks only inside ``scope``; refs and elements mean what they always mean."""
    whole = getattr(session, "_whole", session)
    outer: Target | None = getattr(session, "_scope", None)
    twin: S = object.__new__(_view_type(type(whole)))
    twin.__dict__.update(session.__dict__)
    twin.__dict__.update(_whole=whole, _scope=inside(outer, scope) if outer is not None else scope)
    return twin


def inside(scope: Target, target: Any) -> Any:
    """A selector, inside the scope; anything else as it is."""
    if not isinstance(target, Selector):
        return target
    around = inside(scope, target.within) if target.within is not None else scope
    android, ios = _branch(scope, target.android), _branch(scope, target.ios)
    return replace(target, within=around, android=android, ios=ios)


def _branch(scope: Target, branch: Selector | None) -> Selector | None:
    """One for a platform: for one that says nothing of its own, the keyword of the selector around it holds."""
    if branch is None or branch.within is None:
        return branch
    return replace(branch, within=inside(scope, branch.within))


def _view_type(base: type[S]) -> type[S]:
    known: type[S] | None = _TYPES.get(base)
    if known is not None:
        return known
    methods: dict[str, Any] = {name: _scoped(base, name) for name in (*BY_KEYWORDS, *BY_VALUE)}
    methods["__repr__"] = _repr
    made: type[S] = type("View", (base,), methods)
    _TYPES[base] = made
    return made


def _scoped(base: type, name: str) -> Callable[..., Any]:
    method = getattr(base, name)

    def scoped(self: Any, *args: Any, **keywords: Any) -> Any:
        scope = self._scope
        args = tuple(inside(scope, given) for given in args)
        by = {key: value for key, value in keywords.items() if name in BY_KEYWORDS and key in SELECTOR_KEYWORDS}
        other = {key: inside(scope, value) for key, value in keywords.items() if key not in by}
        if by:
            by["within"] = inside(scope, by["within"]) if by.get("within") is not None else scope
        if name in ("scroll", "swipe") and len(args) == 1:
            args = (*args, scope)
        return method(self, *args, **by, **other)

    scoped.__name__, scoped.__doc__ = name, method.__doc__
    return scoped


def _repr(self: Any) -> str:
    return f"<DeviceSession {self._context.driver.uri} within {describe(self._scope)}>"
