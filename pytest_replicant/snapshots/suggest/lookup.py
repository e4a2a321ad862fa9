"""Failed lookups: the near misses, what distinguishes several matches, and what to try next."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ...errors import TargetError
from ...model import Element, Selector, bare, combined, quoted, shortened
from ..identity.locate import nearest
from ..parsers.roles import role_of
from ..parsers.xcuitest import PREFIX
from ..query.dotted import words_of
from ..query.match import STATES, SURROUNDINGS, for_platform, meant
from ..query.search_index import SearchIndex, is_typed
from ..text import LONGEST, clean, first_alike, is_volatile, short_id
from .proposal import containers, contents, heading, lines, neighbours, rows

_MOST_CANDIDATES = 8
_LONGEST_WANTED = 300  # characters of a selector in a message


def unknown_ref(ref: str, elements: Sequence[Element], outline: str) -> TargetError:
    """Returns ELEMENT_NOT_FOUND for a ref that the screen does not show."""
    advice = _look_further(elements)
    if elements:
        advice = f"a ref of the current outline, or {advice}"
    message = f"ELEMENT_NOT_FOUND  {ref}: none of the {len(elements)} elements has this ref\nNext: {advice}"
    return TargetError(message, code="ELEMENT_NOT_FOUND", outline=outline)


def not_found(screen: SearchIndex, selector: Selector, outline: str, beyond: str = "") -> TargetError:
    """Returns ELEMENT_NOT_FOUND with the near miss and its reason, else the nearest elements by label or id.
    ``beyond`` says where a cut screen ends."""
    elements = screen.elements
    deeper = f"; {beyond}, and it may lie deeper" if beyond else ""
    lines = [f"ELEMENT_NOT_FOUND  {_wanted(selector)}: no match among {len(elements)} elements{deeper}"]
    miss = near_miss(screen, selector)
    if miss is not None:
        advice = miss.advice if not beyond else "the ref of the one that is meant, from the outline."
        lines += [miss.why, f"Next: {advice}"]
        return TargetError("\n".join(lines), code="ELEMENT_NOT_FOUND", candidates=miss.elements, outline=outline)
    near = nearest(selector, elements)
    if near:
        lines.append(f"Nearest: {listed(screen, near, _MOST_CANDIDATES, named=True)}")
    label = screen.labels.label[near[0].node.index] if near else ""  # the true one, where the dump has dots
    advice = f"text={quoted(label)} {NEAREST_LABEL}" if label else _look_further(elements)
    lines.append(f"Next: {advice}")
    return TargetError("\n".join(lines), code="ELEMENT_NOT_FOUND", candidates=near, outline=outline)


def ambiguous(
    screen: SearchIndex, selector: Selector, matches: Sequence[Element], outline: str, beyond: str = ""
) -> TargetError:
    """Returns AMBIGUOUS_TARGET with the differences between the matches, and a keyword that was tried and leaves
    one of them. On a cut screen, which ends as ``beyond`` says, no keyword does."""
    if beyond:
        several = "1 match" if len(matches) == 1 else f"{len(matches)} matches"
        lines = [
            f"AMBIGUOUS_TARGET  {_wanted(selector)}: {several}, and perhaps more: {beyond}",
            f"  {listed(screen, matches, _MOST_CANDIDATES, named=True)}",
            f'Next: the ref of the one that is meant, as in tap("{matches[0].ref}"), or within= the ref of a part '
            "that is not cut; find_all(...)[0] where any of those shown will do.",
        ]
        return TargetError("\n".join(lines), code="AMBIGUOUS_TARGET", candidates=matches, outline=outline)
    extra = distinguish(screen, selector, matches)
    if extra is not None:
        taken = any(getattr(selector, name) is not None for name, _ in extra.given())
        instead = " in place of the one given" if taken else ""
        advice = f"{extra.describe()}{instead}, or nth=0 if any will do."
    else:
        advice = f"only their position distinguishes them: nth=0 to nth={len(matches) - 1}, in reading order."
    lines = [
        f"AMBIGUOUS_TARGET  {_wanted(selector)}: {len(matches)} matches",
        f"  {listed(screen, matches, _MOST_CANDIDATES)}",
        f"Next: {advice}",
    ]
    return TargetError("\n".join(lines), code="AMBIGUOUS_TARGET", candidates=matches, outline=outline)


def _wanted(selector: Selector) -> str:
    return shortened(selector.describe() or "no keyword", _LONGEST_WANTED)


def _look_further(elements: Sequence[Element]) -> str:
    if not elements:
        return "the screen has no elements at all: wait for it, or look at a screenshot."
    if any(element.states.scrollable for element in elements):
        return "scroll_to(...) if it is further down."
    return "go to the screen that has it, or give it more time: nothing here scrolls."


NEAREST_LABEL = "is the nearest label; labels are compared whole, case included."
_MOST_NEAR = 4
# In the order in which they are doubted: what changes by itself before what describes.
_DOUBTED = (
    "enabled", "checked", "selected", "focused", "nth", "row_with", "near", "has", "within", "class_name", "role",
    "description", "resource_id", "text_contains", "text_matches",
)  # fmt: skip
_NAMES = ("text", "text_contains", "text_matches", "resource_id", "description")


@dataclass(frozen=True)
class NearMiss:
    """A near miss; ``why`` and ``advice`` are lines of a message."""

    elements: tuple[Element, ...]
    why: str
    advice: str


def near_miss(screen: SearchIndex, selector: Selector) -> NearMiss | None:
    """Returns the first explanation that holds; None where nothing on the screen comes close in a way that can be
    named."""
    wanted = for_platform(selector, screen.platform)
    if wanted is None:
        return _other_platform(screen, selector)
    reasons = (_no_anchor, _look_alike, _one_keyword_off, _spelling, _class_spelling, _other_class, _unseen)
    return next(filter(None, (reason(screen, wanted) for reason in reasons)), None)


def _other_platform(screen: SearchIndex, selector: Selector) -> NearMiss | None:
    if selector.android is None and selector.ios is None:
        return None
    why = f"This is {screen.platform}, and the selector says nothing for it."
    return NearMiss((), why, f"{screen.platform}=by(...) in the selector.")


def _no_anchor(screen: SearchIndex, wanted: Selector) -> NearMiss | None:
    """Explains that the ref of ``within`` or ``near`` is not on the screen."""
    for name in ("within", "near"):
        target = getattr(wanted, name)
        if isinstance(target, Element):
            known = any(e.identity == target.identity for e in (*screen.elements, *screen.headings))
        else:
            known = not isinstance(target, str) or target in screen.by_ref
        if not known:
            ref = target.ref if isinstance(target, Element) else target
            return NearMiss(
                (), f"{name}={ref} is not on this screen.", f"a ref of this screen, or {name}=by(...)."
            )
    return None


def _look_alike(screen: SearchIndex, wanted: Selector) -> NearMiss | None:
    """Explains that a text on the screen differs from one in the selector by what no reader can see."""
    for word in words_of(wanted):
        texts = (*screen.named, *(element.description for element in screen.elements if element.description))
        found = first_alike(word.text, texts, part=word.way == "part") if word.way != "pattern" else None
        if found is not None:
            there = tuple(element for element in screen.elements if element.label == found[0])
            why = f"For {quoted(word.text)} there is {quoted(found[0])}: {found[1]}."
            return NearMiss(there, why, "copy the text from the outline.")
    return None


def _one_keyword_off(screen: SearchIndex, wanted: Selector) -> NearMiss | None:
    """Explains that an element matches except for one keyword."""
    for name in _DOUBTED:
        value = getattr(wanted, name)
        rest = replace(wanted, **{name: None}) if value is not None else None
        named = name == "nth" or any(getattr(rest, item, None) is not None for item in _NAMES)
        if rest is None or not named:
            continue
        found = meant(screen, rest)
        if found:
            there = "It is there" if len(found) == 1 else f"There are {len(found)}"
            why = f"{there}, but {_failing(screen, name, value, found)}: {listed(screen, found, _MOST_NEAR)}"
            return NearMiss(tuple(found), why, _instead(screen, name, rest, found))
    return None


def _failing(screen: SearchIndex, name: str, value: object, found: Sequence[Element]) -> str:
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
        missing = "" if meant(screen, value) else ", which is not on this screen"
        where = {"row_with": "in a row with", "near": "near", "within": "within", "has": "around"}[name]
        return f"{none} {where} {value.describe()}{missing}"
    if name in ("class_name", "role"):
        of = {bare(e.class_name) if name == "class_name" else e.semantic_role or "none" for e in found}
        return f"its {name} is {' or '.join(sorted(of))}"
    return f"{none} with {Selector(**{name: value}).describe()}"  # type: ignore[arg-type]  # the same keyword


def _instead(screen: SearchIndex, name: str, rest: Selector, found: Sequence[Element]) -> str:
    if name in STATES:
        reported = any(getattr(element.states, name) is not None for element in found)
        return f"wait until it is, or leave out {name}=." if reported else f"leave out {name}=."
    if len(found) == 1 and name in ("row_with", "near"):  # rows that were exchanged must not go unnoticed
        return f"{rest.describe()} finds it in another place: is that where it should be?"
    if len(found) == 1:
        return f"{rest.describe()} is enough to find it."
    extra = distinguish(screen, rest, found)
    if extra is not None:
        return f"{extra.describe()} in place of {name}= finds one of them."
    return f"leave out {name}=, or give another one."


def _spelling(screen: SearchIndex, wanted: Selector) -> NearMiss | None:
    """Explains that the label has another spelling, is part of a longer one, or was typed into a field."""
    text = clean(wanted.text or wanted.text_contains or "")
    if not text:
        return None
    folded = text.casefold()
    cut = folded.removesuffix("…").rstrip() if folded.endswith("…") else ""
    for name in screen.named:
        if name == text or (wanted.text is None and text in name):
            continue  # it is another keyword that does not fit
        if name.casefold() == folded or (wanted.text is None and folded in name.casefold()):
            why = f"{quoted(name)} is there, in other letters: case counts."
            return _respelt(screen, wanted, Selector(text=name), why)
        if cut and name.casefold().startswith(cut):
            why = f"A label that begins so is there; the outline cuts long ones: {quoted(name)}"
            return _respelt(screen, wanted, Selector(text_contains=clean(text.removesuffix("…"))), why)
    typed = [
        e for e in screen.elements if e.states.editable and isinstance(e.value, str) and clean(e.value) == text
    ]
    if typed and not typed[0].states.password:
        why = f"It is what was typed into {listed(screen, typed, _MOST_NEAR)}, not a label."
        label = typed[0].label
        how = f"text={quoted(label)} finds the field" if label else "look for the field by its id or its place"
        return NearMiss(tuple(typed), why, f"{how}, and expect_state(text=...) for what it holds.")
    return None


def _class_spelling(screen: SearchIndex, wanted: Selector) -> NearMiss | None:
    """Explains that the class has other letters."""
    if wanted.class_name is None:
        return None
    name = wanted.class_name.rpartition(".")[2]
    there = {e.class_name for e in screen.elements if e.class_name.casefold() == name.casefold()} - {name}
    for other in sorted(there):
        trial = replace(wanted, class_name=other)
        if meant(screen, trial):
            return NearMiss((), f"{bare(other)} is there, in other letters: case counts.", f"{trial.describe()}.")
    return None


def _other_class(screen: SearchIndex, wanted: Selector) -> NearMiss | None:
    """Names the element of the same role, where a class of another platform was given."""
    known = role_of(wanted.class_name.rpartition(".")[2].removeprefix(PREFIX)) if wanted.class_name else None
    if known is None or known.name is None:
        return None
    trial = replace(wanted, class_name=None, role=known.name)
    found = meant(screen, trial)
    if not found or wanted.role is not None:
        return None
    why = f"Of the same role is {listed(screen, found, _MOST_NEAR)}; each platform has class names of its own."
    return NearMiss(tuple(found), why, f"{trial.describe()} says the same on every platform.")


def _respelt(screen: SearchIndex, wanted: Selector, instead: Selector, why: str) -> NearMiss | None:
    nameless = replace(wanted, text=None, text_contains=None, text_matches=None)
    trial = combined(nameless, instead)
    found = meant(screen, trial)
    how = f" {NEAREST_LABEL}" if instead.text is not None else "."
    return NearMiss(tuple(found), why, f"{instead.describe()}{how}") if found else None


def _unseen(screen: SearchIndex, wanted: Selector) -> NearMiss | None:
    """Explains that the element is in the dump but not visible. Keywords about its surroundings cannot be checked
    there, and keys of the keyboard do not belong to the app."""
    text = clean(wanted.text or "")
    around = any(getattr(wanted, name) is not None for name in SURROUNDINGS)
    if around or (not text and not wanted.resource_id):
        return None
    layout = screen.layout
    known = set(screen.identified.get(wanted.resource_id or "", ()))
    for node in layout.nodes:
        if layout.shown[node.index] or (known and node.index not in known) or (wanted.resource_id and not known):
            continue
        if text and text not in (clean(node.text), clean(node.description)):
            continue
        if node.window in layout.stack.keyboards:
            continue
        if layout.offscreen[node.index]:
            return NearMiss((), f"A {bare(node.class_name)} that fits lies off the screen.", "scroll_to(...).")
        if node.visible:
            why = f"A {bare(node.class_name)} that fits is in the dump, but covered or in a window below."
            return NearMiss((), why, "close what covers it, or wait until it is gone.")
    return None


_MOST_TRIED = 8  # matches for which a keyword is looked for
_MOST_COMPARED = 200
_IN_WORDS: dict[tuple[str, bool | None], str] = {
    ("checked", True): "checked", ("checked", False): "unchecked", ("selected", True): "selected",
    ("selected", False): "not selected", ("enabled", True): "enabled", ("enabled", False): "disabled",
    ("focused", True): "focused", ("focused", False): "not focused",
}  # fmt: skip


def distinguish(screen: SearchIndex, selector: Selector, matches: Sequence[Element]) -> Selector | None:
    """Returns one more keyword with which ``selector`` was tried and matches one of ``matches`` alone; None where
    none does. Lasting keywords are tried before volatile ones, and ``nth`` never. A given keyword about the
    surroundings may be replaced if no other helps."""
    kinds = (_names, rows, lines, containers, _volatile_names, _kinds, contents, neighbours, _states)
    for instead, kind, element in itertools.product((False, True), kinds, matches[:_MOST_TRIED]):
        for extra in kind(screen, element):
            given = {name for name, _ in extra.given()}
            taken = any(getattr(selector, name) is not None for name in given)
            if taken != instead or (taken and not given <= SURROUNDINGS):
                continue
            if meant(screen, combined(selector, extra)) == [element]:
                return extra
    return None


def distinct_descriptions(
    screen: SearchIndex, matches: Sequence[Element], most: int, *, named: bool = False
) -> list[str]:
    """Describes the first ``most`` matches for a message, each by no more than distinguishes it from the others;
    its position on the screen comes last. ``named``: with the name even where all share it."""
    matches = matches[:_MOST_COMPARED]
    differing = [name for name in STATES if len({getattr(element.states, name) for element in matches}) > 1]

    def states(element: Element) -> str:
        return ", ".join(filter(None, (_IN_WORDS.get((n, getattr(element.states, n))) for n in differing)))

    def section(element: Element) -> str:
        above = heading(screen, element)
        return f"below {quoted(above)}" if above else ""

    names = [[_name(element)] for element in matches]
    alike = len(set(map(tuple, names))) == 1 and len(matches) > 1 and not named
    words: list[list[str]] = [[] for _ in matches] if alike else names
    for way in (_row, states, _identified, section, _position):
        counts = Counter(map(tuple, words))
        shared = [counts[tuple(parts)] > 1 for parts in words]
        said = [way(element) if unclear else "" for element, unclear in zip(matches, shared, strict=True)]
        if len({text for text, unclear in zip(said, shared, strict=True) if unclear}) > 1:
            words = [[*parts, text] if text else parts for parts, text in zip(words, said, strict=True)]
    if alike:
        words = [parts or [_position(element)] for element, parts in zip(matches, words, strict=True)]
    why = [" ".join([f"[{element.ref}]", *parts]) for element, parts in zip(matches, words, strict=True)]
    return why[:most]


def listed(screen: SearchIndex, matches: Sequence[Element], most: int, *, named: bool = False) -> str:
    """Joins the descriptions on one line, with a count of the omitted ones."""
    shown = distinct_descriptions(screen, matches, most, named=named)
    more = [f"… and {len(matches) - len(shown)} more"] if len(matches) > len(shown) else []
    return "   ".join([*shown, *more])


def _name(element: Element) -> str:
    kind = bare(element.class_name)
    return f"{kind} {quoted(element.label)}" if element.label else kind


def _row(element: Element) -> str:
    return f"in row {quoted(element.context)}" if element.context and element.context != element.label else ""


def _identified(element: Element) -> str:
    return f"id={bare(short_id(element.resource_id))}" if element.resource_id else ""


def _position(element: Element) -> str:
    return f"at {element.center.x},{element.center.y}"


def _names(screen: SearchIndex, element: Element) -> Iterator[Selector]:
    label, described = element.label, element.description
    if screen.lasts(element.resource_id):
        yield Selector(resource_id=short_id(element.resource_id))
    if label and len(label) <= LONGEST and not is_volatile(label) and not is_typed(element.node, label):
        yield Selector(text=label)
    if described and described != label and len(described) <= LONGEST and not is_volatile(described):
        yield Selector(description=described)


def _volatile_names(screen: SearchIndex, element: Element) -> Iterator[Selector]:
    if element.label and len(element.label) <= LONGEST:
        yield Selector(text=element.label)
    if clean(element.resource_id):
        yield Selector(resource_id=element.resource_id)


def _kinds(screen: SearchIndex, element: Element) -> Iterator[Selector]:
    yield Selector(role=element.semantic_role)
    if clean(element.class_name):
        yield Selector(class_name=element.class_name)


def _states(screen: SearchIndex, element: Element) -> Iterator[Selector]:
    for name in STATES:
        if getattr(element.states, name) is not None:
            yield Selector(**{name: getattr(element.states, name)})
