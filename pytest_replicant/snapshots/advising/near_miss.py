"""What almost fits a selector that matches nothing, and why it does not."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ...model import Element, Selector, bare, combined, quoted
from ..finding.grammar import STATES, SURROUNDINGS
from ..finding.select import for_platform, meant
from ..parsers.roles import role_of
from ..parsers.xcui_tree import PREFIX
from ..screen.windows import is_keyboard
from ..text.words import clean
from .distinction import distinguish, listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..finding.place import Place

NEAREST_LABEL = "is the nearest label; labels are compared whole, case included."
_MOST_CANDIDATES = 4
# In the order in which they are doubted: what changes by itself before what describes.
_DOUBTED = (
    "enabled", "checked", "selected", "focused", "nth", "row_with", "near", "has", "within", "class_name", "role",
    "description", "resource_id", "text_contains", "text_matches",
)  # fmt: skip
_NAMES = ("text", "text_contains", "text_matches", "resource_id", "description")


@dataclass(frozen=True)
class NearMiss:
    """``told`` and ``advice`` are lines of a message."""

    elements: tuple[Element, ...]
    told: str
    advice: str


def near_miss(place: Place, selector: Selector) -> NearMiss | None:
    """The first explanation that holds; None where nothing on the screen comes close in a way that can be
    named."""
    wanted = for_platform(selector, place.platform)
    if wanted is None:
        return _other_platform(place, selector)
    reasons = (_no_anchor, _but, _spelling, _class_spelling, _other_class, _unseen)
    return next(filter(None, (reason(place, wanted) for reason in reasons)), None)


def _other_platform(place: Place, selector: Selector) -> NearMiss | None:
    if selector.android is None and selector.ios is None:
        return None
    told = f"This is {place.platform}, and the selector says nothing for it."
    return NearMiss((), told, f"{place.platform}=by(...) in the selector.")


def _no_anchor(place: Place, wanted: Selector) -> NearMiss | None:
    """A ref to look around that is not on the screen."""
    for name in ("within", "near"):
        target = getattr(wanted, name)
        if isinstance(target, Element):
            known = any(e.identity == target.identity for e in (*place.elements, *place.headings))
        else:
            known = not isinstance(target, str) or target in place.by_ref
        if not known:
            ref = target.ref if isinstance(target, Element) else target
            return NearMiss(
                (), f"{name}={ref} is not on this screen.", f"a ref of this screen, or {name}=by(...)."
            )
    return None


def _but(place: Place, wanted: Selector) -> NearMiss | None:
    """It is there, but one keyword is not true of it."""
    for name in _DOUBTED:
        value = getattr(wanted, name)
        rest = replace(wanted, **{name: None}) if value is not None else None
        named = name == "nth" or any(getattr(rest, item, None) is not None for item in _NAMES)
        if rest is None or not named:
            continue
        found = meant(place, rest)
        if found:
            there = "It is there" if len(found) == 1 else f"There are {len(found)}"
            told = f"{there}, but {_failing(place, name, value, found)}: {listed(place, found, _MOST_CANDIDATES)}"
            return NearMiss(tuple(found), told, _instead(place, name, rest, found))
    return None


def _failing(place: Place, name: str, value: object, found: Sequence[Element]) -> str:
    none = "not" if len(found) == 1 else "none"
    if name in STATES:
        reported = any(getattr(element.states, name) is not None for element in found)
        adjective = name if value else f"not {name}"
        if not reported:
            return f"this phone does not report whether it is {name}"
        if name == "enabled" and value and len(found) == 1:
            return "disabled"
        return f"{none} {adjective}".replace("not not ", "")
    if name == "nth":
        return f"nth={value} asks for more; it counts from 0"
    if name in SURROUNDINGS and isinstance(value, Selector):
        missing = "" if meant(place, value) else ", which is not on this screen"
        where = {"row_with": "in a row with", "near": "near", "within": "within", "has": "around"}[name]
        return f"{none} {where} {value.describe()}{missing}"
    if name in ("class_name", "role"):
        of = {bare(e.class_name) if name == "class_name" else e.semantic_role or "none" for e in found}
        return f"its {name} is {' or '.join(sorted(of))}"
    return f"{none} with {Selector(**{name: value}).describe()}"  # type: ignore[arg-type]  # the same keyword


def _instead(place: Place, name: str, rest: Selector, found: Sequence[Element]) -> str:
    extra = None
    if len(found) > 1:
        extra = distinguish(place, rest, found)
    if name in STATES:
        reported = any(getattr(element.states, name) is not None for element in found)
        return f"wait until it is, or leave out {name}=." if reported else f"leave out {name}=."
    if len(found) == 1:
        return f"{rest.describe()} is enough to find it."
    if extra is not None:
        return f"{extra.describe()} in place of {name}= finds one of them."
    return f"leave out {name}=, or give another one."


def _spelling(place: Place, wanted: Selector) -> NearMiss | None:
    """The label is there in another spelling, or as a part of a longer one, or was typed into a field."""
    text = clean(wanted.text or wanted.text_contains or "")
    if not text:
        return None
    folded = text.casefold()
    cut = folded.removesuffix("…").rstrip() if folded.endswith("…") else ""
    for name in place.named:
        if name == text or (wanted.text is None and text in name):
            continue  # it is another keyword that does not fit
        if name.casefold() == folded or (wanted.text is None and folded in name.casefold()):
            told = f"{quoted(name)} is there, in other letters: case counts."
            return _respelt(place, wanted, Selector(text=name), told)
        if cut and name.casefold().startswith(cut):
            told = f"A label that begins so is there; the outline cuts long ones: {quoted(name)}"
            return _respelt(place, wanted, Selector(text_contains=clean(text.removesuffix("…"))), told)
    typed = [
        e for e in place.elements if e.states.editable and isinstance(e.value, str) and clean(e.value) == text
    ]
    if typed and not typed[0].states.password:
        told = f"It is what was typed into {listed(place, typed, _MOST_CANDIDATES)}, not a label."
        return NearMiss(tuple(typed), told, f"{_name_of(typed[0])}, and expect_state(text=...) for what it holds.")
    return None


def _class_spelling(place: Place, wanted: Selector) -> NearMiss | None:
    """A class that is there in other letters."""
    if wanted.class_name is None:
        return None
    name = wanted.class_name.rpartition(".")[2]
    there = {e.class_name for e in place.elements if e.class_name.casefold() == name.casefold()} - {name}
    for other in sorted(there):
        trial = replace(wanted, class_name=other)
        if meant(place, trial):
            return NearMiss((), f"{bare(other)} is there, in other letters: case counts.", f"{trial.describe()}.")
    return None


def _other_class(place: Place, wanted: Selector) -> NearMiss | None:
    """What a class of another platform is called here, or what else does the same."""
    known = role_of(wanted.class_name.rpartition(".")[2].removeprefix(PREFIX)) if wanted.class_name else None
    if known is None or known.name is None:
        return None
    trial = replace(wanted, class_name=None, role=known.name)
    found = meant(place, trial)
    if not found or wanted.role is not None:
        return None
    told = (
        f"Of the same role is {listed(place, found, _MOST_CANDIDATES)}; each platform has class names of its own."
    )
    return NearMiss(tuple(found), told, f"{trial.describe()} says the same on every platform.")


def _respelt(place: Place, wanted: Selector, instead: Selector, told: str) -> NearMiss | None:
    nameless = replace(wanted, text=None, text_contains=None, text_matches=None)
    trial = combined(nameless, instead)
    found = meant(place, trial)
    if not found:
        return None
    if instead.text is not None:
        advice = f"{instead.describe()} {NEAREST_LABEL}"
        return NearMiss(tuple(found), told, advice)
    return NearMiss(tuple(found), told, f"{instead.describe()}.")


def _unseen(place: Place, wanted: Selector) -> NearMiss | None:
    """It is in the dump, but not where it can be seen. What was said of its surroundings cannot be told of it, and
    a key of the keyboard is nothing of the app's."""
    text = clean(wanted.text or "")
    around = any(getattr(wanted, name) is not None for name in SURROUNDINGS)
    if around or (not text and not wanted.resource_id):
        return None
    layout = place.layout
    known = set(place.identified.get(wanted.resource_id or "", ()))
    for node in layout.nodes:
        if layout.shown[node.index] or (known and node.index not in known) or (wanted.resource_id and not known):
            continue
        if text and text not in (clean(node.text), clean(node.description)):
            continue
        if is_keyboard(node.package):
            continue
        if layout.offscreen[node.index]:
            return NearMiss((), f"A {bare(node.class_name)} that fits lies off the screen.", "scroll_to(...).")
        if node.visible:
            told = f"A {bare(node.class_name)} that fits is in the dump, but covered or in a window below."
            return NearMiss((), told, "close or wait for what lies over it.")
    return None


def _name_of(element: Element) -> str:
    if element.label:
        return f"text={quoted(element.label)} finds the field"
    return "look for the field by its id or its place"
