"""Selector matching against a screen. Every match is returned; nothing here picks a winner."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import NamedTuple

from ...errors import UsageError, did_you_mean
from ...model import (
    STATES,
    SURROUNDINGS,
    TEXTS,
    AnyMapping,
    Element,
    Elements,
    Node,
    Nodes,
    Rect,
    Selector,
    combined,
    is_ref,
    quoted,
    selector_from,
    wrong_type,
)
from ..parsers.dump import Platform
from ..parsers.roles import ROLES, exists_on, meaning_of, role_exists_on
from ..parsers.xcuitest import PREFIX
from ..screen.layout import scrolls
from ..text import clean, clean_part, finds, fits, short_id
from .search_index import SearchIndex, holding, inside, nearest, sharing_row


def match(
    screen: SearchIndex, selector: Selector, *, folded: bool = False, slack: int = 0
) -> list[Element]:
    """Returns every matching element in reading order, ``nth`` applied. With ``folded``, a label
    printed with a row or a control matches that element too, and headings count. A ``near`` match
    may be ``slack`` pixels farther than the nearest. Raises ``UsageError`` for an invalid
    selector."""
    check_selector(selector)
    wanted = for_platform(selector, screen.platform)
    if wanted is None:
        return []
    if wanted.any_of:
        each = [match(screen, one, folded=folded, slack=slack) for one in wanted.any_of]
        return _either(screen, wanted, each)
    traits = _traits(screen, wanted)
    found = _fitting(screen, wanted, traits, screen.element_at)
    if folded:
        headings = _fitting(screen, wanted, traits, screen.heading_at)
        owners = _owners(screen, wanted, traits)
        found = sorted({*found, *headings, *owners}) or _borrowers(screen, traits)
    kept = _ordered(screen, wanted, _related(screen, wanted, found, slack))
    return [screen.element_at.get(index) or screen.heading_at[index] for index in kept]


def meant(screen: SearchIndex, selector: Selector) -> list[Element]:
    """Returns the elements that a target stands for: those that match themselves, else those that
    print a matching label. An ``nth`` beyond the first kind does not count into the second."""
    wanted = for_platform(selector, screen.platform)
    if wanted is not None and wanted.any_of:
        return _either(screen, wanted, [meant(screen, one) for one in wanted.any_of])
    found = match(screen, selector)
    if found or wanted is None:
        return found
    if wanted.nth is not None and match(screen, replace(wanted, nth=None)):
        return []
    return match(screen, selector, folded=True) or _shown_in_fields(screen, wanted)


def _either(screen: SearchIndex, wanted: Selector, found: Sequence[Elements]) -> list[Element]:
    """What any of the descriptions found, each element once, in reading order, ``nth`` applied."""
    known = {element.index: element for each in found for element in each}
    return [known[index] for index in _ordered(screen, wanted, list(known))]


def _shown_in_fields(screen: SearchIndex, wanted: Selector) -> list[Element]:
    """Returns the fields that show a matching text, if nothing tells a hint from what was typed
    (Android 7)."""
    traits, nodes = _traits(screen, wanted), screen.nodes
    if screen.reports_hints or not traits.label:
        return []
    found: list[int] = []
    for node in [nodes[index] for index in screen.element_at]:
        shows = node.states.editable and traits.fit_label(clean(node.text), node)
        if shows and traits.fit_rest(node):
            found.append(node.index)
    kept = _ordered(screen, wanted, _related(screen, wanted, found))
    return [screen.element_at[index] for index in kept]


def is_confined(
    screen: SearchIndex, selector: Selector, ends: Collection[int], *, named: bool = False
) -> bool:
    """Whether all that the selector is about lies inside one part of the screen that holds none of
    ``ends``: below those more may follow. Only where it is ``named`` may a selector describe that
    part: another one may follow."""
    wanted = for_platform(selector, screen.platform)
    if wanted is not None and wanted.any_of:
        return all(is_confined(screen, one, ends, named=named) for one in wanted.any_of)
    if wanted is None or wanted.within is None or wanted.near or wanted.row_with:
        return False
    if isinstance(wanted.within, Selector) and not named:
        return False
    around = _around(screen, wanted.within)
    inside = (index <= end < screen.ends[index] for index in around for end in ends)
    return bool(around) and not any(inside)


def missing_anchors(screen: SearchIndex, selector: Selector) -> list[Selector]:
    """Returns what a selector is measured by and this screen does not show, each as a selector of
    that keyword alone: its container, its neighbour, its row."""
    wanted = for_platform(selector, screen.platform) or Selector()
    if wanted.any_of:
        return [missing for one in wanted.any_of for missing in missing_anchors(screen, one)]
    found: list[Selector] = []
    for name, places in _PLACES.items():
        target = getattr(wanted, name)
        if target is not None and not places(screen, target):
            found.append(Selector(**{name: target}))
    for inner in (wanted.within, wanted.near, wanted.row_with, wanted.has, wanted.has_not):
        if isinstance(inner, Selector):
            found += missing_anchors(screen, inner)
    return found


def never_matches(selector: Selector, platform: Platform) -> Selector | None:
    """Returns the part of a selector that can match nothing on a platform, on any screen: itself,
    or what it is measured by. None for one that may match."""
    wanted = for_platform(selector, platform)
    if wanted is None:
        return selector
    if wanted.class_name is not None and not exists_on(platform, wanted.class_name):
        return selector
    if wanted.role is not None and not role_exists_on(platform, wanted.role):
        return selector
    if wanted.any_of:
        return selector if all(never_matches(one, platform) for one in wanted.any_of) else None
    for name, value in wanted.given():
        if name in SURROUNDINGS and isinstance(value, Selector):
            never = never_matches(value, platform)
            if never is not None:
                return never
    return None


def anchors(screen: SearchIndex, target: str | Element | Selector) -> list[int]:
    """Returns the indexes of a named part of the screen: elements first, else plain nodes."""
    if isinstance(target, Selector):
        return [element.index for element in match(screen, target)] or _nodes(screen, target)
    check_selector(Selector(within=target))
    if isinstance(target, Element):
        everything = (*screen.elements, *screen.headings)
        return [e.index for e in everything if e.identity == target.identity]
    return [screen.by_ref[target].node.index] if target in screen.by_ref else []


def for_platform(selector: Selector, platform: Platform) -> Selector | None:
    """Merges the platform's branch into the selector; None if no keyword is left."""
    merged = selector
    while merged.android is not None or merged.ios is not None:
        branch: Selector | None = getattr(merged, platform)
        merged = replace(merged, android=None, ios=None)
        if branch is not None:
            merged = combined(merged, branch)
    if merged.any_of:  # what else it says holds for each of them
        rest = replace(merged, any_of=None, nth=None)
        each = tuple(combined(rest, one) for one in merged.any_of)
        merged = Selector(any_of=each, nth=merged.nth)
    return merged if merged != Selector() else None


class _Traits(NamedTuple):
    """The keywords about a node itself as tests for many nodes: those about its label, and the
    others."""

    label: Sequence[Callable[..., bool]]
    other: Sequence[Callable[[Node], bool]]

    def fit_label(self, label: str, node: Node) -> bool:
        for test in self.label:  # noqa: SIM110  # asked of every node, and all() takes twice as long
            if not test(label, node.text, node.description, node.hint):
                return False
        return True

    def fit_rest(self, node: Node) -> bool:
        for test in self.other:  # noqa: SIM110  # as above
            if not test(node):
                return False
        return True


def fits_text(selector: Selector, text: str, platform: Platform) -> bool:
    """Whether a mere text, such as a toast, matches: the selector must be about nothing else."""
    wanted = for_platform(selector, platform)
    if wanted is None:
        return False
    if wanted.any_of:
        return any(fits_text(one, text, platform) for one in wanted.any_of)
    if replace(wanted, text=None, text_contains=None, text_matches=None) != Selector():
        return False
    return all(test(clean(text), text) for test in _label_tests(wanted))


def fits_label(selector: Selector, text: str, platform: Platform) -> bool:
    """Whether a label fits the keywords about the label, apart from its other keywords."""
    wanted = for_platform(selector, platform)
    tests = _label_tests(wanted) if wanted is not None else []
    return bool(tests) and all(test(clean(text), text) for test in tests)


def as_found(element: Element, target: object, platform: Platform) -> Element:
    """An element under the label by which a pattern found it: its own, or another that is printed
    with it, as a price is with its row."""
    wanted = for_platform(target, platform) if isinstance(target, Selector) else None
    if wanted is None:
        return element
    patterns = [one for one in wanted.alternatives if one.text_matches is not None]
    for label in (element.label, *element.folded, element.borrowed) if patterns else ():
        if any(fits_label(one, label, platform) for one in patterns):
            if label == element.label:
                break
            return replace(element, label=label, printed=element.label)
    return element


def _label_tests(wanted: Selector) -> list[Callable[..., bool]]:
    """Tests of a label, given with the texts that it may have been made of."""
    label: list[Callable[..., bool]] = []
    if wanted.text is not None:
        text = clean(wanted.text)
        label.append(lambda name, *_: name == text)
    if wanted.text_contains is not None:
        part = clean_part(wanted.text_contains)
        label.append(lambda name, *_: part in f" {name} ")
    if wanted.text_matches is not None:
        pattern = wanted.text_matches
        label.append(lambda name, *raw: name != "" and finds(pattern, name, *raw))
    return label


def _traits(screen: SearchIndex, wanted: Selector) -> _Traits:
    label = _label_tests(wanted)
    other: list[Callable[[Node], bool]] = []
    if wanted.resource_id is not None:
        name = wanted.resource_id
        other.append(lambda node: name in (node.resource_id, short_id(node.resource_id)))
    if wanted.class_name is not None:
        short = _short_class(wanted.class_name, screen.platform)
        other.append(lambda node: node.class_name == short)
    if wanted.role is not None:
        other.append(lambda node: meaning_of(node).name == wanted.role)
    if wanted.description is not None:
        other.append(partial(_is_described, wanted.description, screen.platform))
    states = {name: on for name, on in wanted.given() if name in STATES}
    if states:
        other.append(
            lambda node: all(getattr(node.states, name) is on for name, on in states.items())
        )
    return _Traits(label, other)


def _says(wanted: str | re.Pattern[str], text: str) -> bool:
    return fits(wanted, text) and (text != "" or isinstance(wanted, str))


@lru_cache(maxsize=512)
def _short_class(class_name: str, platform: Platform) -> str:
    """Returns the class as nodes carry it: without the package on Android, without the prefix on
    iOS."""
    return class_name.removeprefix(PREFIX) if platform == "ios" else class_name.rpartition(".")[2]


def _is_described(said: str | re.Pattern[str], platform: Platform, node: Node) -> bool:
    """Whether its description says so, or its label on iOS, which has one for both description and
    text; but the text of a field is typed."""
    if _says(said, node.description):
        return True
    return platform == "ios" and not node.states.editable and _says(said, node.text)


def _fitting(
    screen: SearchIndex,
    wanted: Selector,
    traits: _Traits,
    among: Collection[int],
    *,
    indexed: bool = True,
) -> list[int]:
    """Returns the indexes out of ``among`` that match themselves, in document order. The rarest
    keyword leads."""
    label, nodes = screen.labels.label, screen.nodes
    leads = _leads(screen, wanted, indexed)
    if leads is not None:
        among = [index for index in leads if index in among]
    fitting = [index for index in among if traits.fit_label(label[index], nodes[index])]
    return [index for index in fitting if traits.fit_rest(nodes[index])]


def _leads(screen: SearchIndex, wanted: Selector, by_text: bool) -> Sequence[int] | None:
    """Returns what has the rarest keyword that the screen can look up; None without such a one."""
    if wanted.text is not None and by_text:
        return screen.named.get(clean(wanted.text), ())
    if wanted.resource_id is not None:
        return screen.identified.get(wanted.resource_id, ())
    if wanted.class_name is not None:
        return screen.of_class.get(_short_class(wanted.class_name, screen.platform), ())
    return None


def _owners(screen: SearchIndex, wanted: Selector, traits: _Traits) -> list[int]:
    """Returns the elements that print a matching label of a passive descendant or caption. Keywords
    not about the label may hold for either node."""
    if not traits.label:
        return []
    nodes, label = screen.nodes, screen.labels.label
    among: Collection[int] = screen.shown
    if wanted.text is not None:
        among = screen.named.get(clean(wanted.text), ())
    found: list[int] = []
    for index in among:
        owner, node = screen.labels.owner[index], nodes[index]
        if owner == index or owner not in screen.element_at:
            continue
        rest = traits.fit_label(label[index], node) and (
            traits.fit_rest(node) or traits.fit_rest(nodes[owner])
        )
        if rest:
            found.append(owner)
    return found


def _borrowers(screen: SearchIndex, traits: _Traits) -> list[int]:
    """Returns the elements that are printed with matching words of their row, as a switch without a
    label is."""
    found: list[int] = []
    for index, words in screen.labels.borrowed.items() if traits.label else ():
        node = screen.nodes[index]
        fit = traits.fit_label(words, node) and traits.fit_rest(node)
        if fit and index in screen.element_at:
            found.append(index)
    return found


def _related(screen: SearchIndex, wanted: Selector, found: list[int], slack: int = 0) -> list[int]:
    if found and wanted.within is not None:
        found = inside(screen, found, _around(screen, wanted.within))
    if found and wanted.has is not None:
        found = holding(screen, found, _nodes(screen, wanted.has))
    if found and wanted.has_not is not None:
        # whether it is shown or not; of what an edge of its list cuts off that is not known
        unwanted = _nodes(screen, wanted.has_not, range(len(screen.nodes)), indexed=False)
        having = set(holding(screen, found, unwanted))
        found = [one for one in found if one not in having and not _is_cut_off(screen, one)]
    if found and wanted.row_with is not None:
        found = sharing_row(screen, found, _nodes(screen, wanted.row_with))
    if found and wanted.near is not None:
        found = nearest(screen, found, sorted(anchors(screen, wanted.near)), slack)
    return found


def _is_cut_off(screen: SearchIndex, index: int) -> bool:
    """Whether it, or what it is in, ends at an edge of what scrolls, and is smaller than others of
    its kind."""
    inside = [screen.nodes[index]]
    for above in screen.layout.around(inside[0]):
        if scrolls(above):
            return any(_ends_at(screen.nodes, one, above.bounds) for one in inside)
        inside.append(above)
    return False


def _ends_at(nodes: Nodes, one: Node, view: Rect) -> bool:
    box, siblings = one.bounds, nodes[one.parent].children
    alike = [nodes[at].bounds for at in siblings if nodes[at].class_name == one.class_name]
    shorter = any(box.height < each.height for each in alike)
    if shorter and (box.top <= view.top or box.bottom >= view.bottom):
        return True
    narrower = any(box.width < each.width for each in alike)
    return narrower and (box.left <= view.left or box.right >= view.right)


def _ordered(screen: SearchIndex, wanted: Selector, found: list[int]) -> list[int]:
    """Sorts in reading order, and applies ``nth`` where it is given."""
    boxes = sorted((screen.nodes[index].bounds[1::-1], index) for index in found)
    found = [index for _, index in boxes]
    return found if wanted.nth is None else found[wanted.nth : wanted.nth + 1 or None]


def _nodes(
    screen: SearchIndex,
    selector: Selector,
    among: Collection[int] | None = None,
    *,
    indexed: bool = True,
) -> list[int]:
    """Returns shown nodes that match, passive ones included; for ``nth``, elements before those.
    The index has the labels of shown nodes alone."""
    wanted = for_platform(selector, screen.platform)
    if wanted is None:
        return []
    if wanted.any_of:
        every: set[int] = set()
        for one in wanted.any_of:
            every.update(_nodes(screen, one, among, indexed=indexed))
        return sorted(_ordered(screen, wanted, list(every)))
    traits = _traits(screen, wanted)
    pools: list[Collection[int]] = [screen.shown if among is None else among]
    if wanted.nth is not None:
        pools.insert(0, screen.element_at)
    for pool in pools:
        found = _related(screen, wanted, _fitting(screen, wanted, traits, pool, indexed=indexed))
        if found:
            return sorted(_ordered(screen, wanted, found))
    return []


def _around(screen: SearchIndex, target: str | Element | Selector) -> list[int]:
    """Returns the containers of ``within``: any node, as a container may have no size itself."""
    if isinstance(target, Selector):
        return _nodes(screen, target, range(len(screen.nodes)))
    return sorted(anchors(screen, target))


_PLACES: dict[str, Callable[..., list[int]]] = {
    "within": _around,
    "near": anchors,
    "row_with": _nodes,
}
"""Where that is which a selector is measured by, for each keyword."""


_ROLES_ELSEWHERE = {
    "textbox": "text_field", "searchbox": "text_field", "combobox": "dropdown",
    "spinner": "dropdown", "listitem": "cell", "option": "cell", "row": "cell", "img": "image",
    "heading": "text", "spinbutton": "stepper", "progressbar": "progress", "toggle": "switch",
}  # fmt: skip
"""The roles' names in other tools."""
_DEEPEST = 10  # selectors inside selectors; no test needs more


def selector_of(caller: str, keywords: AnyMapping, *, strict: bool = False) -> Selector:
    """The selector that the keywords describe, each value checked; ``strict`` as for
    ``check_selector``. Raises ``UsageError`` if none is given."""
    if not any(value is not None for value in keywords.values()):
        raise UsageError(f"{caller}() needs at least one selector keyword, such as text=")
    selector = selector_from(keywords)
    check_selector(selector, caller, strict=strict)
    return selector


def check_selector(selector: object, caller: str = "", *, strict: bool = False) -> None:
    """Raises ``UsageError``, with what to write instead, for a selector of the wrong types or
    without content. ``caller`` is the method that received it. ``strict``, as targets of actions
    are checked, also refuses a selector that describes no element in particular: no keywords,
    ``nth`` alone, a pattern that fits any label."""
    said = f"{caller}(): " if caller else ""
    if not isinstance(selector, Selector):
        raise UsageError(f"{said}{selector!r} is no selector: by(text=...)")
    for level, item in _nested(selector):
        if level > _DEEPEST:
            raise UsageError(f"{said}selectors are nested more than {_DEEPEST} deep")
        given = dict(item.given())
        if not given and (level or strict):
            raise UsageError(f"{said}by() without keywords matches nothing in particular")
        for name, value in given.items():
            complaint = wrong_type(name, value) or _wrong_value(name, value)
            if complaint:
                raise UsageError(f"{said}{complaint}")
        if "any_of" in given and not given.keys() <= {"any_of", "nth"}:
            raise UsageError(
                f"{said}any_of= goes with nth= alone; other keywords go into each of its by(...)"
            )
        if strict and set(given) == {"nth"}:
            raise UsageError(
                f"{said}nth= alone is a position, not a description; add text= or the like"
            )
        for name in ("text_matches", "description") if strict else ():
            pattern = getattr(item, name)
            is_pattern = name == "text_matches" or isinstance(pattern, re.Pattern)
            if is_pattern and pattern and re.search(pattern, ""):
                raise UsageError(f"{said}{name}={pattern!r} fits every label")


def checked_ref(caller: str, text: str, *, call: str = "by") -> str:
    """The ref. Raises ``UsageError`` for any other string; ``call`` takes the keywords that were
    meant."""
    if is_ref(text):
        return text
    given = f"{caller}({quoted(text)})"
    if text == f"[{text[1:-1]}]" and is_ref(text[1:-1]):
        raise UsageError(f'{given}: a ref is given without its brackets: "{text[1:-1]}"')
    instead = f"{call}(text={quoted(text)})"
    raise UsageError(f'{given}: a bare string is a ref such as "k427". Did you mean {instead}?')


def _nested(selector: Selector) -> Iterator[tuple[int, Selector]]:
    pending = [(0, selector)]
    while pending:
        level, item = pending.pop()
        yield level, item
        inner = [value for _, value in item.given() if isinstance(value, Selector)]
        inner += [one for one in item.any_of or () if isinstance(one, Selector)]
        pending.extend((level + 1, value) for value in reversed(inner))


def _wrong_value(name: str, value: object) -> str:
    if name in TEXTS and isinstance(value, str) and not clean(value):
        return f"{name}={value!r} describes nothing"
    if name == "role" and value not in ROLES:
        hint = did_you_mean(
            _ROLES_ELSEWHERE.get(str(value), str(value)), sorted(ROLES), 0.5, "{!r}"
        )
        return f"no element has role={value!r}.{hint} Roles: {', '.join(sorted(ROLES))}"
    is_pattern = name == "text_matches" or isinstance(value, re.Pattern)
    return _wrong_pattern(name, value) if is_pattern else ""


def _wrong_pattern(name: str, value: object) -> str:
    if isinstance(value, re.Pattern):
        if isinstance(value.pattern, bytes):
            return f"{name}={value!r} must be a regular expression of text, not of bytes"
        return ""
    try:
        re.compile(str(value))
    except (re.error, OverflowError, RecursionError) as error:
        return f"text_matches={value!r} is no regular expression: {error}"
    return ""


def excludes(selector: Selector) -> bool:
    """Whether it says of anything that there is none of it."""
    return any(item.has_not is not None for item in nested(selector))


def nested(selector: Selector) -> Iterator[Selector]:
    """A selector, and those in it."""
    return (item for _, item in _nested(selector))
