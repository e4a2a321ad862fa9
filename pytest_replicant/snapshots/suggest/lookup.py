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
    NO_VERB,
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
    elements = screen.elements
    deeper = f"; {beyond}, and it may lie deeper" if beyond else ""
    miss = near_miss(screen, selector, verb)
    if miss is None:
        near = _nearest(screen, selector, before, verb)
        why = f"Nearest: {listed(screen, near, _MOST_CANDIDATES, named=True)}" if near else ""
        miss = NearMiss(near, why, _look_further(screen, selector, near))
    elif beyond:
        miss = replace(miss, advice=("the ref of the one that is meant, from the outline",))
    none = f"no match among {len(elements)} elements{deeper}"
    failure = Failure(
        "ELEMENT_NOT_FOUND",
        none,
        tuple(miss.elements),
        asked=_wanted(selector),
        nearest=tuple(filter(None, [miss.why])),
        advice=miss.advice,
    )
    return TargetError(failure, outline=outline)


def _nearest(screen: SearchIndex, selector: Selector, before: Elements, verb: Verb) -> Elements:
    """The nearest in the same surroundings, if these were given and hold any; else on the whole
    screen."""
    for pool in (_around(screen, selector), fitting(verb, screen.elements), screen.elements):
        found = nearest(selector, pool, before=before)
        if found:
            return found
    return ()


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
        several = f"{several}, and perhaps more: {beyond}"
        advice: Proposals = (
            "the ref of the one that is meant, or within= the ref of a part that is not cut",
        )
    else:
        advice = choice(screen, selector, matches, verb)
    failure = Failure(
        "AMBIGUOUS_TARGET",
        several,
        tuple(matches),
        asked=_wanted(selector),
        details=(f"  {listed(screen, matches, _MOST_CANDIDATES, named=bool(beyond))}",),
        advice=advice,
    )
    return TargetError(failure, outline=outline)


def choice(
    screen: SearchIndex, selector: Selector, matches: Elements, verb: Verb = NO_VERB
) -> Proposals:
    """The keywords of which each leaves one of the matches that the verb can be about; none is
    picked."""
    if not any(fits(verb, one) for one in matches):
        return (f"name the {thing_of(verb)} that is meant: none of these is one",)
    fit = fitting(verb, matches)[:_MOST_CANDIDATES]
    kinds = {one.semantic_role for one in matches}
    ways = (_kinds, *_WAYS) if len(kinds) == len(matches) or len(fit) < len(matches) else _WAYS
    extras = distinctions(screen, selector, fit, ways)
    if not any(extras):
        return (
            f"only their position distinguishes them: nth=0 to nth={len(matches) - 1}, in reading "
            "order",
        )
    written = [
        _written(screen, selector, extra) if extra is not None else Selector(nth=matches.index(one))
        for one, extra in zip(fit, extras, strict=True)
    ]
    taken = any(_keywords(extra) & _keywords(selector) for extra in extras if extra is not None)
    others = " or so for the others" if len(written) > MOST_ADVICE else ""
    *first, last = written[:MOST_ADVICE]
    instead = " in place of the one given" if taken else ""
    return (
        *(Advice(locator=one) for one in first),
        Advice(locator=last, rest=f"{others}{instead}"),
    )


def _written(screen: SearchIndex, selector: Selector, extra: Selector) -> Selector:
    """The keyword as it goes into the call: into the branch of this platform, where that one has
    it."""
    branch: Selector | None = getattr(selector, screen.platform)
    if branch is None or not _keywords(branch) & _keywords(extra):
        return extra
    return Selector(**{screen.platform: combined(branch, extra)})  # type: ignore[arg-type]  # android= or ios=


def _wanted(selector: Selector) -> str:
    return shortened(selector.describe() or "no keyword", _LONGEST_WANTED)


_THE_APP = ("correct the app",)
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
        return (
            (*onward, other)
            if onward and screen.listed[near[0].node.index]
            else (other, *(onward or _THE_APP))
        )
    return onward or ("go to the screen that has it, or give it more time: nothing here scrolls",)


def scroll_to(wanted: Selector, direction: str = "down") -> str:
    """The call that brings it into view, as a test writes it."""
    source = wanted.describe()
    if len(source) > _LONGEST_WANTED:
        return "scroll to it"
    return (
        f"scroll_to({source})"
        if direction == "down"
        else f'scroll_to({source}, direction="{direction}")'
    )


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
        return _other_platform(screen, selector)
    if wanted.any_of:
        return None
    reasons = (
        _no_ref, _look_alike, _no_anchor, _class_spelling, _other_class, _one_keyword_off,
        partial(_spelling, verb=verb), _pattern, _typed, _unseen, _other_value,
    )  # fmt: skip
    miss = next(filter(None, (reason(screen, wanted) for reason in reasons)), None)
    if miss is None or miss.instead is None:
        return miss
    found = narrowed(verb, meant(screen, combined(wanted, miss.instead)))
    if len(found) > 1 and verb.targets != "any":
        return replace(miss, advice=(f"spell it so, and say which of the {len(found)} is meant",))
    if len(found) == 1 and not fits(verb, found[0]):
        other = f"name the {thing_of(verb)} that is meant: {quoted(found[0].label)} is none"
        return replace(miss, advice=(other,))
    return replace(
        miss, advice=(Advice(locator=_written(screen, selector, miss.instead), instead=True),)
    )


def _other_platform(screen: SearchIndex, selector: Selector) -> NearMiss | None:
    if selector.android is None and selector.ios is None:
        return None
    why = f"This is {screen.platform}, and the selector says nothing for it."
    return NearMiss((), why, (f"give the selector a branch for {screen.platform}",))


def _no_ref(screen: SearchIndex, wanted: Selector) -> NearMiss | None:
    """Explains that the ref of ``within`` or ``near`` is not on the screen."""
    for name in ("within", "near"):
        target = getattr(wanted, name)
        if isinstance(target, (str, Element)) and not anchors(screen, target):
            ref = getattr(target, "ref", target)
            return NearMiss(
                (),
                f"{name}={ref} is not on this screen.",
                (f"give {name}= a ref of this screen, or a selector",),
            )
    return None


def _look_alike(screen: SearchIndex, wanted: Selector) -> NearMiss | None:
    """Explains that a text on the screen differs from one in the selector by what no reader can
    see."""
    for word in words_of(wanted):
        texts = (
            *screen.named,
            *(element.description for element in screen.elements if element.description),
        )
        found = (
            first_alike(word.text, texts, part=word.way == "part")
            if word.way != "pattern"
            else None
        )
        if found is not None:
            there = [element for element in screen.elements if element.label == found[0]]
            why = f"For {quoted(word.text)} there is {quoted(found[0])}: {found[1]}."
            return NearMiss(there, why, ("copy the text from the outline",))
    return None


def _no_anchor(screen: SearchIndex, wanted: Selector) -> NearMiss | None:
    """Explains that a part by which the selector is measured, such as its row, is not on the
    screen. That part is what to look for: the same label in another row is another element."""
    missing = next(iter(missing_anchors(screen, wanted)), None)
    if missing is None:
        return None
    ((name, anchor),) = missing.given()
    if not isinstance(anchor, Selector):
        return None
    outer = getattr(wanted, name) == anchor
    rest = replace(wanted, **{name: None})
    found = meant(screen, rest) if outer and _is_named(rest) else []
    why = f"{anchor.describe()} is not on this screen."
    if found:
        why = _but(screen, found, _failing(screen, name, anchor, found))
    for spelt in spellings(screen, anchor) if outer else ():
        instead = Selector(**{name: combined(anchor, spelt)})  # type: ignore[arg-type]  # the same keyword
        if len(meant(screen, combined(wanted, instead))) == 1:
            return NearMiss(found, why, instead=instead)
    return NearMiss(found, why, _look_further(screen, anchor))


def _is_named(selector: Selector) -> bool:
    return not _keywords(selector).isdisjoint(_NAMES)


def _keywords(selector: Selector) -> set[str]:
    return {name for name, _ in selector.given()}


def _but(screen: SearchIndex, found: Elements, failing: str) -> str:
    there = "It is there" if len(found) == 1 else f"There are {len(found)}"
    return f"{there}, but {failing}: {listed(screen, found, _MOST_NEAR)}"


def _one_keyword_off(screen: SearchIndex, wanted: Selector) -> NearMiss | None:
    """Explains that an element matches except for one keyword."""
    for name in _DOUBTED:
        value = getattr(wanted, name)
        rest = replace(wanted, **{name: None})
        if value is None or not (name == "nth" or _is_named(rest)):
            continue
        found = meant(screen, rest)
        if found:
            advice = _instead(screen, name, wanted, found)
            spelt = [one for one in spellings(screen, wanted) if getattr(one, name) is not None]
            again = (
                spelt[0] if spelt and len(meant(screen, combined(wanted, spelt[0]))) == 1 else None
            )
            why = _but(screen, found, _failing(screen, name, value, found))
            return NearMiss(found, why, (advice,), again)
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
        missing = (
            "" if meant(screen, value) or name == "has_not" else ", which is not on this screen"
        )
        where = {"row_with": "in a row with", "has": "around", "has_not": "without"}.get(name, name)
        return f"{none} {where} {value.describe()}{missing}"
    if name in ("class_name", "role"):
        of = {
            bare(e.class_name) if name == "class_name" else e.semantic_role or "none" for e in found
        }
        return f"its {name} is {' or '.join(sorted(of))}"
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
        return (
            f"count again: on this screen {'is one' if len(found) == 1 else f'are {len(found)}'} "
            "of them"
        )
    roles = {element.semantic_role for element in found}
    kind = next((kind for kind in _ALIKE_ROLES if {wanted.role, *roles} <= kind), None)
    if name == "role" and kind is not None and len(found) == 1:
        return Advice(locator=Selector(role=found[0].semantic_role), instead=True)
    around = (
        meant(screen, wanted.within)
        if name == "within" and isinstance(wanted.within, Selector)
        else []
    )
    if (
        around
        and screen.layout.stack.alone
        and all(one.index in screen.heading_at for one in around)
    ):
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
    text = clean(wanted.text or "")
    cut = text.removesuffix("…").rstrip()
    longer = [name for name in screen.named if name.startswith(cut)] if cut and cut != text else []
    if len(longer) == 1:
        found = meant(screen, replace(wanted, text=None, text_contains=cut))
        why = f"A label that begins so is there; the outline cuts long ones: {quoted(longer[0])}"
        if found:
            return NearMiss(
                found,
                why,
                (Advice(locator=Selector(text_contains=cut), rest=" in place of text="),),
            )
    return None


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
    why = (
        f"As a pattern it fits {listed(screen, found, _MOST_NEAR, named=True)}; a text is the "
        "whole label."
    )
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
    words, pool = (
        _OF_SEVERAL.sub("", mask_numbers(text)),
        _around(screen, wanted) or screen.elements,
    )
    found = [one for one in pool if _OF_SEVERAL.sub("", mask_numbers(one.label)) == words]
    if len(found) != 1 or _DIGITS.findall(found[0].label) == _DIGITS.findall(text):
        return None
    label = quoted(found[0].label)
    value = f"correct the test if {label} is right, else the app"
    onward = _look_further(screen, wanted) if screen.listed[found[0].node.index] else ()
    nearest_one = listed(screen, found, 1, named=True)
    return NearMiss(found, f"Nearest: {nearest_one}, with another number", (value, *onward))


def _typed(screen: SearchIndex, wanted: Selector) -> NearMiss | None:
    """Explains that the text was typed into a field, which is no label."""
    text = clean(wanted.text or "")
    fields = [e for e in screen.elements if e.states.editable and not e.states.password]
    typed = [e for e in fields if text and isinstance(e.value, str) and clean(e.value) == text]
    if not typed:
        return None
    why = f"It is what was typed into {listed(screen, typed, _MOST_NEAR)}, not a label."
    return NearMiss(
        typed, why, ("name the field by its label or id; what it holds is for expect_text",)
    )


def _class_spelling(screen: SearchIndex, wanted: Selector) -> NearMiss | None:
    """Explains that the class has other letters."""
    if wanted.class_name is None:
        return None
    name = wanted.class_name.rpartition(".")[2]
    there = {
        e.class_name for e in screen.elements if e.class_name.casefold() == name.casefold()
    } - {name}
    for other in sorted(there):
        if meant(screen, replace(wanted, class_name=other)):
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
    why = (
        f"Of the same role is {listed(screen, found, _MOST_NEAR)}; each platform has class names "
        "of its own."
    )
    role = Advice(
        locator=Selector(role=known),
        rest=" in place of class_name= says the same on every platform",
    )
    return NearMiss(found, why, (role,))


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
        if layout.offscreen[node.index]:
            call = scroll_to(wanted, way_to(node.bounds, layout.size))
            return NearMiss(
                (), f"A {bare(node.class_name)} that fits lies off the screen.", (Advice(call),)
            )
        if node.visible:
            why = (
                f"A {bare(node.class_name)} that fits is in the dump, but covered or in a window "
                "below."
            )
            return NearMiss((), why, ("close what covers it, or wait until it is gone",))
    return None


def way_to(bounds: Rect, size: tuple[int, int]) -> str:
    """The direction in which to scroll for what lies off a screen of this size."""
    if bounds.is_empty:
        return "down"
    sides = (
        (bounds.bottom <= 0, "up"),
        (bounds.left >= size[0], "right"),
        (bounds.right <= 0, "left"),
    )
    return next((way for off, way in sides if off), "down")


_MOST_TRIED = 8  # matches for which a keyword is looked for
_MOST_COMPARED = 200
_IN_WORDS: dict[tuple[str, bool | None], str] = {
    ("checked", True): "checked", ("checked", False): "unchecked", ("selected", True): "selected",
    ("selected", False): "not selected", ("enabled", True): "enabled",
    ("enabled", False): "disabled", ("focused", True): "focused", ("focused", False): "not focused",
}  # fmt: skip


Ways = tuple[Callable[[SearchIndex, Element], Iterator[Selector]], ...]


def distinctions(
    screen: SearchIndex, selector: Selector, matches: Elements, ways: Ways = ()
) -> list[Selector | None]:
    """Returns for each of ``matches`` one more keyword with which ``selector`` was tried and
    matches that alone; None if none does. Lasting keywords are tried before volatile ones, and
    ``nth`` never. A given keyword about the surroundings may be replaced if no other helps.
    ``ways`` are where keywords are taken from, in order."""
    found: dict[Element, Selector] = {}
    for instead, kind, element in itertools.product(
        (False, True), ways or _WAYS, matches[:_MOST_TRIED]
    ):
        for extra in kind(screen, element) if element not in found else ():
            given = _keywords(extra)
            taken = not given.isdisjoint(_keywords(selector))
            if taken != instead or (taken and not given <= SURROUNDINGS):
                continue
            if meant(screen, combined(selector, extra)) == [element]:
                found[element] = extra
                break
    return [found.get(element) for element in matches]


def distinct_descriptions(
    screen: SearchIndex, matches: Elements, most: int, *, named: bool = False
) -> list[str]:
    """Describes the first ``most`` matches for a message, each by no more than distinguishes it
    from the others; its position on the screen comes last. ``named``: with the name even where all
    share it."""
    matches = matches[:_MOST_COMPARED]
    differing = [
        name for name in STATES if len({getattr(element.states, name) for element in matches}) > 1
    ]

    def states(element: Element) -> str:
        return ", ".join(
            filter(None, (_IN_WORDS.get((n, getattr(element.states, n))) for n in differing))
        )

    def section(element: Element) -> str:
        above = heading(screen, element)
        return f"below {quoted(above)}" if above else ""

    names = [f" {_name(element)}" for element in matches]
    alike = len(set(names)) == 1 < len(matches) and not named
    words = [""] * len(matches) if alike else names
    for way in (_row, states, _identified, section, _position):
        counts = Counter(words)
        said = [
            way(one) if counts[known] > 1 else "" for one, known in zip(matches, words, strict=True)
        ]
        if len({text for text, known in zip(said, words, strict=True) if counts[known] > 1}) > 1:
            words = [
                f"{known} {text}" if text else known
                for known, text in zip(words, said, strict=True)
            ]
    if alike:
        words = [
            known or f" {_position(element)}" for element, known in zip(matches, words, strict=True)
        ]
    why = [f"[{element.ref}]{known}" for element, known in zip(matches, words, strict=True)]
    return why[:most]


def listed(screen: SearchIndex, matches: Elements, most: int, *, named: bool = False) -> str:
    """Joins the descriptions on one line, with a count of the omitted ones."""
    shown = distinct_descriptions(screen, matches, most, named=named)
    more = [f"… and {len(matches) - len(shown)} more"] if len(matches) > len(shown) else []
    return "   ".join([*shown, *more])


def _name(element: Element) -> str:
    kind = bare(element.class_name)
    return f"{kind} {quoted(element.label)}" if element.label else kind


def _row(element: Element) -> str:
    return (
        f"in row {quoted(element.context)}"
        if element.context and element.context != element.label
        else ""
    )


def _identified(element: Element) -> str:
    return f"id={bare(short_id(element.resource_id))}" if element.resource_id else ""


def _position(element: Element) -> str:
    return f"at {element.center.x},{element.center.y}"


def _names(screen: SearchIndex, element: Element) -> Iterator[Selector]:
    label, described = element.label, element.description
    if screen.lasts(element.resource_id):
        yield Selector(resource_id=short_id(element.resource_id))
    if (
        label
        and len(label) <= LONGEST
        and not is_volatile(label)
        and not is_typed(element.node, label)
    ):
        yield Selector(text=label)
    if (
        described
        and described != label
        and len(described) <= LONGEST
        and not is_volatile(described)
    ):
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


_WAYS: Ways = (
    _names,
    rows,
    lines,
    containers,
    _volatile_names,
    _kinds,
    contents,
    neighbours,
    _states,
)
