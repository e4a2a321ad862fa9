"""Which of several elements a call can be about: what it can act on, or what has the state that it
compares."""

from __future__ import annotations

from ...model import (
    Element,
    Elements,
    Verb,
)

_CHOICES = frozenset({"dropdown", "segmented_control", "radio", "tab"})
_CONTROLS = _CHOICES | {"slider", "stepper", "switch", "checkbox"}


def fits(verb: Verb, element: Element) -> bool:
    """Whether the call can be about the element. What no verb needs, each element has."""
    if verb.acts_on == "field":
        return bool(element.states.editable)
    if verb.state == "checked":
        return element.states.checked is not None
    if verb.state == "value":
        return element.value is not None
    if not verb.acts_on:
        return True
    role = element.semantic_role
    if role == "button" and isinstance(element.value, str):  # of iOS, whose menu is to choose from
        return True
    if verb.acts_on == "choice":
        return role in _CHOICES
    shows_number = isinstance(element.value, (int, float)) and role != "progress"  # that can be set
    return role in _CONTROLS or element.node.checkable or shows_number


def thing_of(verb: Verb) -> str:
    """What the call is about, as a word for a message."""
    return "field" if verb.acts_on == "field" else "control"


def narrowed(verb: Verb, found: Elements) -> list[Element]:
    """The elements left to choose from. A verb that sets a control or chooses an option passes over
    a text that only names it, as two of its kind are still two."""
    return fitting(verb, found) if verb.acts_on in ("choice", "control") else list(found)


def fitting(verb: Verb, found: Elements) -> list[Element]:
    """Those that the call can be about; all if none is."""
    return [one for one in found if fits(verb, one)] or list(found)
