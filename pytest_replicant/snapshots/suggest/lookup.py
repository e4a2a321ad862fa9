"""Failed lookups: the near misses, what distinguishes several matches, and what to try next."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial

from ...errors import TargetError
from ...model import (
    MOST_ADVICE,
    STATES,
    SURROUNDINGS,
    Advice,
    Element,
    Elements,
    Failure,
    Proposals,
    Rect,
    Selector,
    Verb,
    bare,
    combined,
    quoted,
    shortened,
)
from ..identity.locate import nearest
from ..parsers.roles import role_of
from ..parsers.xcuitest import PREFIX
from ..query.dotted import words_of
from ..query.match import anchors, for_platform, meant, missing_anchors
from ..query.search_index import SearchIndex, is_typed
from ..text import LONGEST, clean, first_alike, is_volatile, mask_numbers, short_id
from .fitting import fits, fitting, narrowed, thing_of
from .proposal import containers, contents, heading, lines, neighbours, rows
from .spelling import parts_in_other_letters, spellings

_MOST_CANDIDATES = 8
_LONGEST_WANTED = 300  # characters of a selector in a message


def unknown_ref(ref: str, elements: Elements, outline: str) -> TargetError:
    """Returns ELEMENT_NOT_FOUND for a ref that the screen does not show."""
    advice = "take a ref of the current outline, or write a selector" if elements else _EMPTY
    none = f"none of the {len(elements)} elements has this ref"
    return TargetError(
        Failure("ELEMENT_NOT_FOUND", none, asked=ref, advice=(advice,)), outline=outline
    )


def not_found(
    screen: SearchIndex,
    selector: Selector,
    outline: str,
    beyond: str,
    before: Elements,
    verb: Verb,
) -> TargetError:
    """Returns ELEMENT_NOT_FOUND with the near miss and its reason, else the nearest elements by
    label or id, those first that were not there ``before``. ``beyond`` says where a cut screen
    ends. The advice is for the element that was meant, or there is none: the nearest one is not
    proposed for being the nearest. A proposal was tried on this screen: it finds one element, which
    the ``verb`` can be about."""
    none = f"no match among {len(screen.elements)} elements"
    if beyond:
        none += f"; {beyond}, and it may lie deeper"
    miss = near_miss(screen, selector, verb)
    if miss is None:
        # the nearest in the same surroundings, if these were given and hold any
        pools = _around(screen, selector), fitting(verb, screen.elements), screen.elements
        ranked = (nearest(selector, pool, before=before) for pool in pools)
        near = next(filter(None, ranked), [])
        why = f"Nearest: {listed(screen, near, _MOST_CANDIDATES, named=True)}" if near else ""
        miss = NearMiss(near, why, _look_further(screen, selector, near))
    elif beyond:
        miss = replace(miss, advice=("the ref of the one that is meant, from the outline",))
    failure = Failure(
        "ELEMENT_NOT_FOUND", none, tuple(miss.elements), asked=_wanted(selector),
        nearest=tuple(filter(None, [miss.why])), advice=miss.advice
    )  # fmt: skip
    return TargetError(failure, outline=outline)


def _around(screen: SearchIndex, selector: Selector) -> Elements:
    """What fits all but the names, if the selector says where to look."""
    place = replace(selector, **dict.fromkeys(_NAMES))
    return meant(screen, place) if SURROUNDINGS & _keywords(place) else ()


def ambiguous(
    screen: SearchIndex,
    selector: Selector,
    matches: Elements,
    outline: str,
    beyond: str,
    verb: Verb,
) -> TargetError:
    """Returns AMBIGUOUS_TARGET with the differences between the matches, and a keyword for each
    that was tried and leaves it alone: which one is meant of those that the ``verb`` can be about,
    only the test knows. On a cut screen, which ends as ``beyond`` says, no keyword does."""
    several = "1 match" if len(matches) == 1 else f"{len(matches)} matches"
    if beyond:
        several += f", and perhaps more: {beyond}"
        part = "the ref of the one that is meant, or within= the ref of a part that is not cut"
        advice: Proposals = (part,)
    else:
        advice = choice(screen, selector, matches, verb)
    details = f"  {listed(screen, matches, _MOST_CANDIDATES, named=bool(beyond))}"
    failure = Failure(
        "AMBIGUOUS_TARGET", several, tuple(matches), asked=_wanted(selector), details=(details,),
        advice=advice
    )  # fmt: skip
    return TargetError(failure, outline=outline)


def choice(screen: SearchIndex, selector: Selector, matches: Elements, verb: Verb) -> Proposals:
    """The keywords of which each leaves one of the matches that the verb can be about; none is
    picked."""
    if not any(fits(verb, one) for one in matches):
        return (f"name the {thing_of(verb)} that is meant: none of these is one",)
    fit = fitting(verb, matches)[:_MOST_CANDIDATES]
    kinds = {one.semantic_role for one in matches}
    ways = _WAYS
    if len(kinds) == len(matches) or len(fit) < len(matches):
        ways = _kinds, *_WAYS
    extras = distinctions(screen, selector, fit, ways)
    if not any(extras):
        last = len(matches) - 1
        return (f"only their position distinguishes them: nth=0 to nth={last}, in reading order",)
    written: list[Selector] = []
    instead = ""
    rest = " or so for the others" if len(fit) > MOST_ADVICE else ""
    for one, extra in zip(fit, extras, strict=True):
        if extra is None:
            written.append(Selector(nth=matches.index(one)))
            continue
        written.append(_written(screen, selector, extra))
        if _keywords(extra) & _keywords(selector):
            instead = " in place of the one given"
    advice = [Advice(locator=one) for one in written[:MOST_ADVICE]]
    return (*advice[:-1], replace(advice[-1], rest=f"{rest}{instead}"))


def _written(screen: SearchIndex, selector: Selector, extra: Selector) -> Selector:
    """The keyword as it goes into the call: into the branch of this platform, where that one has
    it."""
    branch: Selector | None = getattr(selector, screen.platform)
    if branch is None or not _keywords(branch) & _keywords(extra):
        return extra
    return Selector(**{screen.platform: combined(branch, extra)})  # type: ignore[arg-type]  # android= or ios=


def _wanted(selector: Selector) -> str:
    return shortened(selector.describe() or "no keyword", _LONGEST_WANTED)


_EMPTY = "the screen has no elements at all: wait for it, or look at a screenshot"


def _look_further(screen: SearchIndex, wanted: Selector, near: Elements = ()) -> Proposals:
    """Where something that is missing may be. No element of the screen is proposed in its place,
    though the nearest one may be it, with other words."""
    if not screen.elements:
        return (_EMPTY,)
    scrolls = any(element.states.scrollable for element in screen.elements)
    onward = (Advice(scroll_to(wanted), rest=", if it is further on"),) if scrolls else ()
    if near:
        name = quoted(near[0].label) if near[0].label else f"[{near[0].ref}]"
        other = f"name {name} as it is if that is meant"
        if onward and screen.listed[near[0].index]:
            return (*onward, other)
        return (other, *(onward or ("correct the app",)))
    return onward or ("go to the screen that has it, or give it more time: nothing here scrolls",)


def scroll_to(wanted: Selector, direction: str = "down") -> str:
    """The call that brings it into view, as a test writes it."""
    source = wanted.describe()
    if len(source) > _LONGEST_WANTED:
        return "scroll to it"
    if direction != "down":
        source += f', direction="{direction}"'
    return f"scroll_to({source})"


_MOST_NEAR = 4
# In the order in which they are doubted: what changes by itself before what describes.
_DOUBTED = (
    "enabled", "checked", "selected", "focused", "nth", "row_with", "near", "has", "has_not",
    "within", "class_name", "role", "description", "resource_id", "text_contains", "text_matches",
)  # fmt: skip
_NAMES = ("text", "text_contains", "text_matches", "resource_id", "description")


@dataclass(frozen=True)
class NearMiss:
    """A near miss; ``why`` is a line of a message. ``instead`` is a misspelt keyword as it should
    be, else None."""

    elements: Elements
    why: str
    advice: Proposals = ()
    instead: Selector | None = None


def near_miss(screen: SearchIndex, selector: Selector, verb: Verb) -> NearMiss | None:
    """Returns the first explanation that holds; None if nothing on the screen comes close in a way
    that can be named. A keyword is proposed if with it one element fits that the verb can be
    about."""
    wanted = for_platform(selector, screen.platform)
    if wanted is None:
        if selector == Selector():
            return None
        why = f"This is {screen.platform}, and the selector says nothing for it."
        return NearMiss((), why, (f"give the selector a branch for {screen.platform}",))
    if wanted.any_of:
        return None
    reasons = (
        _no_ref, _look_alike, _no_anchor, _class_spelling, _other_class, _one_keyword_off,
        partial(_spelling, verb=verb), _cut_off, _pattern, _typed, _unseen, _other_value,
    )  # fmt: skip
    miss = next(filter(None, (reason(screen, wanted) for reason in reasons)), None)
    if miss is None or miss.instead is None:
        return miss
    found = narrowed(verb, meant(screen, combined(wanted, miss.instead)))
    advice: str | Advice
    if len(found) > 1 and verb.targets != "any":
        advice = f"spell it so, and say which of the {len(found)} is meant"
    elif len(found) == 1 and not fits(verb, found[0]):
        advice = f"name the {thing_of(verb)} that is meant: {quoted(found[0].label)} is none"
    else:
        advice = Advice(locator=_written(screen, selector, miss.instead), instead=True)
    return replace(miss, advice=(advice,))


def _no_ref(screen: SearchIndex, wanted: Selector) -> NearMiss | None:
    """Explains that the ref of ``within`` or ``near`` is not on the screen."""
    for name in ("within", "near"):
        target = getattr(wanted, name)
        if isinstance(target, (str, Element)) and not anchors(screen, target):
            why = f"{name}={getattr(target, 'ref', target)} is not on this screen."
            return NearMiss((), why, (f"give {name}= a ref of this screen, or a selector",))
    return None


def _look_alike(screen: SearchIndex, wanted: Selector) -> NearMiss | None:
    """Explains that a text on the screen differs from one in the selector by what no reader can
    see."""
    texts = [*screen.named, *(one.description for one in screen.elements if one.description)]
    for word in words_of(wanted):
        if word.way == "pattern":
            continue
        found = first_alike(word.text, texts, part=word.way == "part")
        if found is not None:
            there = [element for element in screen.elements if element.label == found[0]]
            why = f"For {quoted(word.text)} there is {quoted(found[0])}: {found[1]}."
            return NearMiss(there, why, ("copy the text from the outline",))
    return None


def _no_anchor(screen: SearchIndex, wanted: Selector) -> NearMiss | None:
    """Explains that a part by which the selector is measured, such as its row, is not on the
    screen. That part is what to look for: the same label in another row is another element."""
    missing = missing_anchors(screen, wanted)
    if not missing:
        return None
    ((name, anchor),) = missing[0].given()
    if not isinstance(anchor, Selector):
        return None
    why = f"{anchor.describe()} is not on this screen."
    found: Elements = ()
    if getattr(wanted, name) == anchor:
        rest = replace(wanted, **{name: None})
        found = meant(screen, rest) if _is_named(rest) else ()
        if found:
            why = _but(screen, found, name, anchor)
        for spelt in spellings(screen, anchor):
            instead = Selector(**{name: combined(anchor, spelt)})  # type: ignore[arg-type]  # the same keyword
            if len(meant(screen, combined(wanted, instead))) == 1:
                return NearMiss(found, why, instead=instead)
    return NearMiss(found, why, _look_further(screen, anchor))


def _is_named(selector: Selector) -> bool:
    return not _keywords(selector).isdisjoint(_NAMES)


def _keywords(selector: Selector) -> set[str]:
    return {name for name, _ in selector.given()}


def _but(screen: SearchIndex, found: Elements, name: str, value: object) -> str:
    there = "It is there" if len(found) == 1 else f"There are {len(found)}"
    failing = _failing(screen, name, value, found)
    return f"{there}, but {failing}: {listed(screen, found, _MOST_NEAR)}"


def _one_keyword_off(screen: SearchIndex, wanted: Selector) -> NearMiss | None:
    """Explains that an element matches except for one keyword."""
    for name in _DOUBTED:
        value = getattr(wanted, name)
        rest = replace(wanted, **{name: None})
        if value is None or not (name == "nth" or _is_named(rest)):
            continue
        found = meant(screen, rest)
        if not found:
            continue
        advice = _instead(screen, name, wanted, found)
        miss = NearMiss(found, _but(screen, found, name, value), (advice,))
        for spelt in spellings(screen, wanted):
            if getattr(spelt, name) is not None:
                alone = len(meant(screen, combined(wanted, spelt))) == 1
                return replace(miss, instead=spelt) if alone else miss
        return miss
    return None


def _failing(screen: SearchIndex, name: str, value: object, found: Elements) -> str:
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
        last = isinstance(value, int) and value < 0
        return f"nth={value} asks for more; it counts {'back from -1' if last else 'from 0'}"
    if name in SURROUNDINGS and isinstance(value, Selector):
        where = {"row_with": "in a row with", "has": "around", "has_not": "without"}.get(name, name)
        failing = f"{none} {where} {value.describe()}"
        if name != "has_not" and not meant(screen, value):
            failing += ", which is not on this screen"
        return failing
    if name == "class_name":
        return f"its {name} is {' or '.join(sorted({bare(e.class_name) for e in found}))}"
    if name == "role":
        return f"its {name} is {' or '.join(sorted({e.semantic_role or 'none' for e in found}))}"
    return f"{none} with {Selector(**{name: value}).describe()}"  # type: ignore[arg-type]  # the same keyword


_ALIKE_ROLES = (
    frozenset({"button", "link", "tab", "cell"}),
    frozenset({"checkbox", "radio", "switch"}),
)
"""Roles that readers of one screen take for each other. What has the same label and another role
may well be another element, such as the title over a button."""


def _instead(screen: SearchIndex, name: str, wanted: Selector, found: Elements) -> Advice | str:
    """What to do about the keyword that does not fit. It is not left out: what fits without it is
    another element, unless it is of the same kind, or only has to be waited for."""
    if name in STATES:
        if not any(getattr(element.states, name) is not None for element in found):
            return f"leave out {name}="
        call = f"wait_for({wanted.describe()})" if len(found) == 1 else "wait"
        return Advice(call, rest=", if it is still to become so")
    if name == "nth":
        many = "is one" if len(found) == 1 else f"are {len(found)}"
        return f"count again: on this screen {many} of them"
    roles = {element.semantic_role for element in found}
    kind = next((kind for kind in _ALIKE_ROLES if {wanted.role, *roles} <= kind), None)
    if name == "role" and kind is not None and len(found) == 1:
        return Advice(locator=Selector(role=found[0].semantic_role), instead=True)
    if name == "within" and isinstance(wanted.within, Selector) and screen.layout.stack.alone:
        around = {one.index for one in meant(screen, wanted.within)}
        if around and around <= screen.heading_at.keys():
            return "leave out within=: a title holds nothing, and under a dialog nothing is found"
    if name in SURROUNDINGS:
        return "look where it is in the outline: is it in another place now?"
    return f"if it is the one that is meant, correct {name}=, else go to the screen that has it"


def _spelling(screen: SearchIndex, wanted: Selector, verb: Verb) -> NearMiss | None:
    """Explains that the label or id has another spelling, or is part of a longer one."""
    for spelt in (*spellings(screen, wanted), *parts_in_other_letters(screen, wanted)):
        found = narrowed(verb, meant(screen, combined(wanted, spelt)))
        ((name, there),) = spelt.given()
        if len(found) == 1:
            given = str(getattr(wanted, name))
            case = clean(given).casefold() == clean(str(there)).casefold()
            said = "in other letters: case counts" if case else f"not {quoted(given)}"
            why = f"{quoted(str(there))} is there, {said}."
            return NearMiss(found, why, instead=spelt)
    return None


def _cut_off(screen: SearchIndex, wanted: Selector) -> NearMiss | None:
    """Explains that the label was copied as the outline cut it."""
    text = clean(wanted.text or "")
    cut = text.removesuffix("…").rstrip()
    if not cut or cut == text:
        return None
    longer = [name for name in screen.named if name.startswith(cut)]
    found = meant(screen, replace(wanted, text=None, text_contains=cut))
    if len(longer) != 1 or not found:
        return None
    why = f"A label that begins so is there; the outline cuts long ones: {quoted(longer[0])}"
    advice = Advice(locator=Selector(text_contains=cut), rest=" in place of text=")
    return NearMiss(found, why, (advice,))


_AS_PATTERN = re.compile(r"^\^|\$$|\.[*+]|\\[bdsw]|\[[^\]]+\]")
"""Signs of a pattern, which few labels have."""


def _pattern(screen: SearchIndex, wanted: Selector) -> NearMiss | None:
    """Explains that a pattern was written as a text."""
    if not _AS_PATTERN.search(wanted.text or ""):
        return None
    try:
        pattern = re.compile(wanted.text or "")
    except re.error:
        return None
    found = meant(screen, replace(wanted, text=None, text_matches=pattern))
    if not found:
        return None
    there = listed(screen, found, _MOST_NEAR, named=True)
    why = f"As a pattern it fits {there}; a text is the whole label."
    if len(found) == 1:
        return NearMiss(found, why, (Advice(locator=Selector(text_matches=pattern)),))
    return NearMiss(found, why, (f"write a pattern as re.compile({quoted(pattern.pattern)})",))


_DIGITS = re.compile(r"\d")
_OF_SEVERAL = re.compile(r"(?<=[a-z])s\b")


def _other_value(screen: SearchIndex, wanted: Selector) -> NearMiss | None:
    """Explains that one label says the same with another number: "1 item" for "2 items"."""
    text = clean(wanted.text or "")
    if not any(map(str.isdigit, text)):
        return None
    words = _OF_SEVERAL.sub("", mask_numbers(text))
    pool = _around(screen, wanted) or screen.elements
    found = [one for one in pool if _OF_SEVERAL.sub("", mask_numbers(one.label)) == words]
    if len(found) != 1 or _DIGITS.findall(found[0].label) == _DIGITS.findall(text):
        return None
    value = f"correct the test if {quoted(found[0].label)} is right, else the app"
    onward = _look_further(screen, wanted) if screen.listed[found[0].index] else ()
    why = f"Nearest: {listed(screen, found, 1, named=True)}, with another number"
    return NearMiss(found, why, (value, *onward))


def _typed(screen: SearchIndex, wanted: Selector) -> NearMiss | None:
    """Explains that the text was typed into a field, which is no label."""
    text = clean(wanted.text or "")
    fields = [e for e in screen.elements if e.states.editable and not e.states.password]
    typed = [e for e in fields if text and isinstance(e.value, str) and clean(e.value) == text]
    if not typed:
        return None
    why = f"It is what was typed into {listed(screen, typed, _MOST_NEAR)}, not a label."
    other = "name the field by its label or id; what it holds is for expect_text"
    return NearMiss(typed, why, (other,))


def _class_spelling(screen: SearchIndex, wanted: Selector) -> NearMiss | None:
    """Explains that the class has other letters."""
    if wanted.class_name is None:
        return None
    name = wanted.class_name.rpartition(".")[2]
    for other in sorted({one.class_name for one in screen.elements} - {name}):
        alike = other.casefold() == name.casefold()
        if alike and meant(screen, replace(wanted, class_name=other)):
            why = f"{bare(other)} is there, in other letters: case counts."
            return NearMiss((), why, instead=Selector(class_name=other))
    return None


def _other_class(screen: SearchIndex, wanted: Selector) -> NearMiss | None:
    """Names the element of the same role, where a class of another platform was given."""
    known = role_of((wanted.class_name or "").rpartition(".")[2].removeprefix(PREFIX)).name
    if known is None or wanted.role is not None:
        return None
    found = meant(screen, replace(wanted, class_name=None, role=known))
    if len(found) != 1:
        return None
    there = listed(screen, found, _MOST_NEAR)
    why = f"Of the same role is {there}; each platform has class names of its own."
    rest = " in place of class_name= says the same on every platform"
    return NearMiss(found, why, (Advice(locator=Selector(role=known), rest=rest),))


def _unseen(screen: SearchIndex, wanted: Selector) -> NearMiss | None:
    """Explains that the element is in the dump but not visible. Keywords about its surroundings
    cannot be checked there, and keys of the keyboard do not belong to the app."""
    text, name = clean(wanted.text or ""), wanted.resource_id or ""
    if _keywords(wanted) & SURROUNDINGS or not (text or name):
        return None
    layout = screen.layout
    known = set(screen.identified.get(name, ()))
    for node in layout.nodes:
        if layout.shown[node.index] or (name and node.index not in known):
            continue
        if text and text not in (clean(node.text), clean(node.description)):
            continue
        if node.window in layout.stack.keyboards:
            continue
        fits = f"A {bare(node.class_name)} that fits"
        if layout.offscreen[node.index]:
            call = scroll_to(wanted, way_to(node.bounds, layout.size))
            return NearMiss((), f"{fits} lies off the screen.", (Advice(call),))
        if node.visible:
            why = f"{fits} is in the dump, but covered or in a window below."
            return NearMiss((), why, ("close what covers it, or wait until it is gone",))
    return None


def way_to(bounds: Rect, size: tuple[int, int]) -> str:
    """The direction in which to scroll for what lies off a screen of this size."""
    if bounds.is_empty:
        return "down"
    if bounds.bottom <= 0:
        return "up"
    if bounds.left >= size[0]:
        return "right"
    return "left" if bounds.right <= 0 else "down"


_MOST_TRIED = 8  # matches for which a keyword is looked for
_MOST_COMPARED = 200
_IN_WORDS: dict[tuple[str, bool | None], str] = {
    ("checked", True): "checked", ("checked", False): "unchecked", ("selected", True): "selected",
    ("selected", False): "not selected", ("enabled", True): "enabled",
    ("enabled", False): "disabled", ("focused", True): "focused", ("focused", False): "not focused",
}  # fmt: skip


Ways = tuple[Callable[[SearchIndex, Element], Iterator[Selector]], ...]


def distinctions(
    screen: SearchIndex, selector: Selector, matches: Elements, ways: Ways
) -> list[Selector | None]:
    """Returns for each of ``matches`` one more keyword with which ``selector`` was tried and
    matches that alone; None if none does. Lasting keywords are tried before volatile ones, and
    ``nth`` never. A given keyword about the surroundings may be replaced if no other helps.
    ``ways`` are where keywords are taken from, in order."""
    found: dict[Element, Selector] = {}
    for instead, kind, element in itertools.product((False, True), ways, matches[:_MOST_TRIED]):
        for extra in kind(screen, element) if element not in found else ():
            given = _keywords(extra)
            taken = bool(given & _keywords(selector))
            if taken != instead or (taken and not given <= SURROUNDINGS):
                continue
            if meant(screen, combined(selector, extra)) == [element]:
                found[element] = extra
                break
    return [found.get(element) for element in matches]


def listed(screen: SearchIndex, found: Elements, most: int, *, named: bool = False) -> str:
    """Describes the first ``most`` matches on one line of a message, each by no more than
    distinguishes it from the others, its position on the screen last, with a count of the omitted
    ones. ``named``: with the name even where all share it."""
    matches = found[:_MOST_COMPARED]
    differing = [
        name for name in STATES if len({getattr(element.states, name) for element in matches}) > 1
    ]

    def states(element: Element) -> str:
        said = [_IN_WORDS.get((name, getattr(element.states, name)), "") for name in differing]
        return ", ".join(filter(None, said))

    def section(element: Element) -> str:
        above = heading(screen, element)
        return f"below {quoted(above)}" if above else ""

    words = {one: f" {_name(one)}" for one in matches}
    alike = len(set(words.values())) == 1 < len(matches) and not named
    if alike:
        words = dict.fromkeys(matches, "")
    for way in (_row, states, _identified, section, _position):
        counts = Counter(words.values())
        said = {one: way(one) for one, known in words.items() if counts[known] > 1}
        if len(set(said.values())) > 1:
            words |= {one: f"{words[one]} {text}" for one, text in said.items() if text}
    shown: list[str] = []
    for one in matches[:most]:
        known = words[one]
        if alike and not known:
            known = f" {_position(one)}"
        shown.append(f"[{one.ref}]{known}")
    if len(found) > len(shown):
        shown.append(f"… and {len(found) - len(shown)} more")
    return "   ".join(shown)


def _name(element: Element) -> str:
    kind = bare(element.class_name)
    return f"{kind} {quoted(element.label)}" if element.label else kind


def _row(element: Element) -> str:
    row = element.context
    return f"in row {quoted(row)}" if row not in ("", element.label) else ""


def _identified(element: Element) -> str:
    return f"id={bare(short_id(element.resource_id))}" if element.resource_id else ""


def _position(element: Element) -> str:
    return f"at {element.center.x},{element.center.y}"


def _names(screen: SearchIndex, element: Element) -> Iterator[Selector]:
    label, described = element.label, element.description
    if screen.lasts(element.resource_id):
        yield Selector(resource_id=short_id(element.resource_id))
    if label and _reads_well(label) and not is_typed(element.node, label):
        yield Selector(text=label)
    if described not in ("", label) and _reads_well(described):
        yield Selector(description=described)


def _reads_well(text: str) -> bool:
    return len(text) <= LONGEST and not is_volatile(text)


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


_WAYS: Ways = (
    _names, rows, lines, containers, _volatile_names, _kinds, contents, neighbours, _states
)  # fmt: skip
