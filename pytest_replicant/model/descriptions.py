"""What tests write of an app: an element, by ``by(...)``, a screen, a secret."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .calls import UsageError, public, public_methods
from .element import Element, is_ref
from .secret import MASK
from .selector import HasSelector, Selector, SelectorKeywords, described, selector_from

if TYPE_CHECKING:  # not needed when it runs; before Python 3.11 it is not in typing
    from typing_extensions import Unpack


@public
def by(**keywords: Unpack[SelectorKeywords]) -> Selector:
    """Describe one element.

    ``text`` is the whole label as the outline prints it, ``text_contains`` a part, ``text_matches``
    a pattern searched as by ``re.search``; so is a compiled one in ``text`` or ``description``.
    ``resource_id`` is the full id or the part after ``:id/``, on iOS the accessibility identifier.
    ``class_name`` is the native class, short or full. ``role`` is the semantic role. States that a
    platform does not report are neither True nor False. ``within`` is an ancestor, ``has`` a
    descendant, ``has_not`` one that is missing, ``row_with`` a descendant of the same row, ``near``
    an anchor: a string there is a text, or for ``within`` and ``near`` a ref. ``any_of`` are
    descriptions of which one is enough. ``nth`` counts in reading order from 0, or from the last
    one, which is -1. ``android`` and ``ios`` are the branch that counts on that platform. Raises
    ``UsageError`` for another keyword, and for a value of another type.
    """
    selector = selector_from(keywords)
    for name, value in selector.given():
        if complaint := wrong_type(name, value):
            raise UsageError(f"by(): {complaint}", advice=f"by({name}=...)")
    return selector


@public_methods
@dataclass(frozen=True)
class Screen:
    """A screen by its content. It holds when every selector in ``has`` matches and none in
    ``lacks`` does; ``name`` is for messages. If ``has`` is empty, ``name`` is the title or activity
    of the screen. A string in them is a text."""

    name: str
    has: Sequence[str | Selector | HasSelector] = ()
    lacks: Sequence[str | Selector | HasSelector] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name:
            raise UsageError(f'Screen({self.name!r}): a Screen has a name, as in Screen("Cart")')
        for part in ("has", "lacks"):
            given = getattr(self, part)
            if isinstance(given, (list, tuple)) and all(
                isinstance(described(one), Selector) for one in given
            ):
                continue
            raise UsageError(
                f'Screen("{self.name}", {part}={given!r}): {part} is a list of texts and '
                f'selectors, as in Screen("{self.name}", {part}=[by(text=...)])'
            )


@public_methods
@dataclass(frozen=True)
class Secret:
    """A value for ``fill`` that no trace, report, log or message shows."""

    value: str = field(repr=False)

    def __post_init__(self) -> None:
        if not isinstance(self.value, str):
            raise UsageError(
                f"Secret(<{type(self.value).__name__}>): a secret is a text, as in "
                "Secret(os.environ[...])"
            )

    def __str__(self) -> str:
        return MASK


TEXTS = frozenset({"text", "text_contains", "resource_id", "description", "class_name", "role"})
_PATTERNS = frozenset({"text_matches", "description"})  # take a compiled expression
_NESTED = frozenset({"has", "has_not", "row_with", "android", "ios"})
_ANCHORS = frozenset({"within", "near"})
STATES = ("checked", "selected", "enabled", "focused")


def wrong_type(name: str, value: object) -> str:
    """The complaint about the value of a keyword; "" if it is of the right type."""
    if isinstance(value, re.Pattern):
        if name in _PATTERNS:
            return ""
        return (
            f"{name}=re.compile({value.pattern!r}) is a pattern, which text= and description= "
            "take, each once"
        )
    if name in TEXTS and not isinstance(value, str):
        return f'{name}={value!r} must be a string, such as {name}="{value}"'
    if name == "any_of":
        if isinstance(value, tuple) and {*map(type, value)} == {Selector}:
            return ""
        return f"any_of={value!r}: it takes several by(...), as by(...) | by(...) does"
    if name == "text_matches" and not isinstance(value, str):
        return f"text_matches={value!r} must be a regular expression, as a string or compiled"
    if name in STATES and not isinstance(value, bool):
        return f"{name}={value!r} must be True or False; leave it out where it does not matter"
    if name in _NESTED and not isinstance(value, Selector):
        instead = f"text={value!r}" if isinstance(value, str) else "text=..."
        return f"{name}={value!r} must be a selector: {name}=by({instead})"
    if name in _ANCHORS and not isinstance(value, (Selector, Element)):
        wanted = "must be a ref, an element or by(...)"
        if not isinstance(value, str):
            return f"{name}={value!r} {wanted}"
        advice = f'{value!r} is no ref such as "k427". Did you mean by(text={value!r})?'
        return "" if is_ref(value) else f"{name}= {wanted}: {advice}"
    if name == "nth" and (isinstance(value, bool) or not isinstance(value, int)):
        return (
            f"nth={value!r} must be a whole number: nth counts from 0 in reading order, or from "
            "the last, -1"
        )
    return ""
