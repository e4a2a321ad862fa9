"""Selector proposals: what a test can write in place of a ref, tried out before it is offered."""

from __future__ import annotations

import itertools
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol, get_args

from ...errors import UsageError
from ...model import Element, Node, Selector, Strings, combined, quoted
from ..identity.locate import Located
from ..labels.rows import MOST_LABELS
from ..parsers.roles import GENERIC
from ..query.match import match
from ..query.search_index import SearchIndex, is_typed
from ..screen.layout import is_collection
from ..text import (
    LONGEST,
    beginning,
    clean,
    doubt,
    generalised,
    is_framework,
    is_volatile,
    short_id,
)

Purpose = Literal["action", "check"]
"""What a selector is for: an action on an element, with any text by then, or a check of what it
says."""

_LEAST_SLACK = 16  # pixels


class Screenful(Protocol):
    """The part of a snapshot on which a proposal is tried out."""

    id: str
    cut: int

    @property
    def limit(self) -> str: ...

    def match(self, selector: Selector) -> list[Element]: ...

    def match_labels(self, selector: Selector) -> list[Element]: ...

    def locate(self, element: Element) -> Located: ...


@dataclass(frozen=True)
class SelectorProposal:
    """A selector to write into a test. ``code`` is Python source, ``by(text="Add",
    row_with="Tray")``, that makes ``selector``.

    ``unique_on`` are the ids of the snapshots on which the selector matches this element and no
    other; empty if only ``nth`` would distinguish the element from its look-alikes, as ``warnings``
    say."""

    code: str
    selector: Selector
    unique_on: Strings
    warnings: Strings


class _Trial(NamedTuple):
    """A screen with the element's location on it: ``fits`` is the expected match of the selector,
    None if it is unknown."""

    element: Element
    screen: Screenful
    fits: list[Element] | None
    heading: bool

    def met(self, selector: Selector) -> list[Element]:
        """Returns the matches of the selector; a heading is matched by its label, as checks do."""
        found = self.screen.match(selector)
        return found or (self.screen.match_labels(selector) if self.heading else [])

    def holds(self, selector: Selector) -> bool:
        """Whether the selector matches as expected. A label with another number is the same where
        the pattern leaves the number open."""
        found = self.met(selector)
        if selector.text_matches is not None and not self.fits and len(found) == 1:
            return self.fits is not None and found[0].class_name == self.element.class_name
        return found == self.fits

    def reason(self, selector: Selector) -> str:
        """Returns the reason why it does not hold."""
        found = self.met(selector)
        if self.fits is None:
            why = "it is unknown which element this is"
        elif len(found) == 1:
            why = f"it meets {'another' if self.fits else 'an'} element, {quoted(found[0].label)}"
        else:
            why = f"it meets {len(found)} elements"
        return f"it is not unique on every snapshot given: on {self.screen.id} {why}"


def propose(
    element: Element,
    screen: SearchIndex,
    home: Screenful,
    also: Sequence[Screenful],
    purpose: Purpose = "action",
) -> SelectorProposal:
    """Returns the first of the candidates, the best first, that matches the element alone on
    ``home``, and on ``also`` the same element, or nothing if it is absent. If none holds
    everywhere, the one that holds on most. Raises ``UsageError`` for another purpose."""
    if purpose not in get_args(Purpose):
        raise UsageError(
            f"selector(purpose={purpose!r}): give {' or '.join(map(repr, get_args(Purpose)))}"
        )
    heading = element.index in screen.heading_at
    at_home = _Trial(element, home, [element], heading)
    trials: list[_Trial] = []
    for other in also:
        located = other.locate(element)
        fits: list[Element] | None = []
        if located.element is not None:
            fits = [located.element]
        elif located.verdict == "ambiguous":
            fits = None
        trials.append(_Trial(element, other, fits, heading))
    best: tuple[Selector, list[bool]] | None = None
    fewest: tuple[int, Selector] | None = None
    for selector in candidates(screen, element, purpose):
        found = at_home.met(selector)
        if found != [element] or not _clearly(screen, selector, element):
            if element in found and (fewest is None or len(found) < fewest[0]):
                fewest = len(found), selector
            continue
        held = [trial.holds(selector) for trial in trials]
        if best is None or sum(held) > sum(best[1]):
            best = selector, held
        if all(held):
            break
    if best is None:
        count, selector = fewest or (0, Selector())
        why = f"not unique: {count} elements fit, and only its position distinguishes this one"
        if count == 1:
            why = (
                "not unique for long: another match is almost as near, and nothing else "
                "distinguishes them"
            )
        warnings = [why, *_warnings(screen, selector, element, purpose)]
        return SelectorProposal(repr(selector), selector, (), tuple(warnings))
    selector, held = best
    tried = list(zip(trials, held, strict=True))
    met = [home, *(trial.screen for trial, ok in tried if ok and trial.met(selector))]
    whole = [one.id for one in met if not one.cut]
    warnings = _warnings(screen, selector, element, purpose)
    warnings += [f"it may match again on {one.id}: {one.limit}" for one in met if one.cut]
    warnings += [trial.reason(selector) for trial, ok in tried if not ok]
    return SelectorProposal(repr(selector), selector, tuple(whole), tuple(warnings))


def _clearly(screen: SearchIndex, selector: Selector, element: Element) -> bool:
    """Whether it is the nearest by more than parts of a screen move between two reads: half of its
    own size."""
    slack = max(min(element.bounds.width, element.bounds.height) // 2, _LEAST_SLACK)
    return selector.near is None or len(match(screen, selector, slack=slack)) <= 1


_WORDS = frozenset({"text", "text_contains", "text_matches", "description"})


def _warnings(
    screen: SearchIndex, selector: Selector, element: Element, purpose: Purpose
) -> list[str]:
    given = dict(selector.given())
    found: list[str] = []
    if purpose == "check" and not _WORDS & given.keys():
        found.append("it says none of its words: it shows that the element is there, and no more")
    if purpose == "action" and selector.text is not None and element.named_by_choice:
        found.append("the label is the current choice: another choice changes it")
    found += _doubts_of_id(screen, selector, element.row_title or element.label)
    if selector.text_matches is not None:
        found.append("the label holds digits, which may change: the pattern takes any number")
    for text in (selector.text, selector.text_contains, selector.description):
        if isinstance(text, str) and doubt(text):
            found.append(f"the label {doubt(text)}")
    for inner in given.values():
        if not isinstance(inner, Selector):
            continue
        if inner.text and doubt(inner.text):
            found.append(f"the label of its surroundings {doubt(inner.text)}")
        found += _doubts_of_id(screen, inner)
    if selector.near is not None:
        found.append(
            "only its neighbour distinguishes it from others like it: without that neighbour, "
            "another one matches"
        )
    if given.keys() == {"class_name"}:
        found.append("only its class distinguishes it: another of its kind makes this ambiguous")
    return found


def _doubts_of_id(screen: SearchIndex, selector: Selector, title: str = "") -> list[str]:
    name = selector.resource_id
    if not name:
        return []
    if is_framework(name):
        return [f"every app has elements with the id {quoted(name)}"]
    nodes = [screen.nodes[index] for index in screen.identified[name]]
    if not all(screen.lasts(node.resource_id) for node in nodes):
        return [
            f"the id {quoted(name)} looks generated, and may be another one in the next build or "
            "run"
        ]
    alone = not (_WORDS & dict(selector.given()).keys() or selector.row_with)
    if alone and any(_recurs(screen, node, title) for node in nodes):
        return [f"the id {quoted(name)} lies in a row of a list, and another row may have it too"]
    return []


_NO_LETTERS = re.compile(r"[\W_]+")


def _recurs(screen: SearchIndex, node: Node, title: str) -> bool:
    """Whether each row of a list may have the node's id: it says nothing of the row's ``title``."""
    words = [_NO_LETTERS.sub("", title), *_NO_LETTERS.split(title)]
    own = _NO_LETTERS.sub("", short_id(node.resource_id)).casefold()
    named = any(len(word) >= _FEWEST_LETTERS and word.casefold() in own for word in words)
    return screen.listed[node.index] and not named


_FEWEST_LETTERS = 3
_FEWEST_UNDER_A_HEADING = 3
_FEWEST_SIGNS = 2  # of scripts in which two are a word


def candidates(screen: SearchIndex, element: Element, purpose: Purpose) -> Iterator[Selector]:
    """Yields selectors to try, the best first. Some may match nothing or too much: the caller tries
    them."""
    chosen, recurring, doubtful = _ids(screen, element)
    lasting, volatile = names(element)
    class_name = clean(element.class_name)
    kind = [Selector(class_name=class_name)] if class_name else []
    in_row = list(rows(screen, element))
    loose = list(lines(screen, element))
    if element.states.scrollable:
        in_row, loose = [], []
    around = list(containers(screen, element))
    if purpose == "check":
        said = _said(element)
        if _repeats(screen, element):
            yield from _pairs(said, in_row[:1])
        yield from said
        yield from _pairs(said, kind)
        yield from _pairs(said, [*in_row, *around, *loose, *chosen, *recurring, *doubtful])
        yield from _pairs(said, [*contents(screen, element), *neighbours(screen, element)])
    steady: list[Selector] = []
    numbered: list[Selector] = []
    for extra in in_row:
        label = (extra.row_with.text or "") if extra.row_with is not None else ""
        (numbered if is_volatile(label) else steady).append(extra)
    if _repeats(screen, element):
        yield from _pairs([*chosen, *recurring, *lasting], steady[:1])
    yield from chosen
    yield from lasting
    yield from _pairs(lasting, kind)
    yield from _pairs(chosen, lasting)
    if element.states.scrollable or element.named_by_choice:
        # a scroller or a choice is identified by its class rather than by its present content
        yield from kind
    own = [*chosen, *recurring, *lasting, *kind, *_pairs(lasting, kind)]
    yield from _pairs(own, steady)
    yield from volatile
    yield from _pairs(volatile, kind)
    yield from _pairs(chosen, volatile)
    yield from recurring
    yield from _pairs(own, around)
    yield from _pairs(own, loose)
    yield from doubtful
    yield from _pairs([*recurring, *doubtful], [*lasting, *volatile])
    yield from kind
    own = [*chosen, *lasting, *_pairs(lasting, kind), *volatile, *_pairs(volatile, kind)]
    own += [*recurring, *doubtful, *kind]
    yield from _pairs(own, [*contents(screen, element), *neighbours(screen, element)])
    yield from _pairs(own, numbered)
    yield from _pairs([*volatile, *doubtful], [*steady, *around])


def _repeats(screen: SearchIndex, element: Element) -> bool:
    """Whether it is part of a list's row other than its title: with one more such row, neither its
    id nor its label is unique any longer. What stands above several of its kind, each with a name,
    is their heading."""
    row, nodes, labels = screen.labels.row_of(element.node), screen.nodes, screen.labels
    title = element.row_title
    named = title not in ("", element.label, *element.folded) and not is_volatile(title)
    if row < 0 or not named or not (screen.listed[row] and is_collection(nodes[nodes[row].parent])):
        return False
    kind = screen.of_class[element.class_name]
    inside = kind[bisect_left(kind, row) : bisect_left(kind, screen.ends[row])]
    named_alike = sum(bool(labels.controls[index] and labels.label[index]) for index in inside)
    return not labels.controls[element.index] or named_alike < _FEWEST_UNDER_A_HEADING


def _ids(screen: SearchIndex, element: Element) -> list[list[Selector]]:
    """Returns selectors by a chosen id, by one that each row of a list may have, and by one that a
    framework or the build generated."""
    whole, short = element.resource_id, short_id(element.resource_id)
    if not clean(short):
        return [[], [], []]
    if is_framework(whole):
        return [[], [], [Selector(resource_id=whole)]]
    found = [Selector(resource_id=name) for name in dict.fromkeys((short, whole))]
    if not screen.lasts(whole):
        return [[], [], found]
    recurs = _recurs(screen, element.node, element.row_title or element.label)
    return [[], found, []] if recurs else [found, [], []]


def _said(element: Element) -> list[Selector]:
    """Returns selectors that say what the element says, numbers and choices included."""
    label, said = element.label, _described(element)
    if label and not is_typed(element.node, label):
        long = len(label) > LONGEST
        said.insert(0, Selector(text_contains=label[:LONGEST]) if long else Selector(text=label))
    return said


def _described(element: Element) -> list[Selector]:
    """Returns the selector by a description that is not the label too, if there is one."""
    described = clean(element.description)
    if described in ("", element.label) or len(described) > LONGEST:
        return []
    return [] if is_typed(element.node, described) else [Selector(description=described)]


def names(element: Element) -> tuple[list[Selector], list[Selector]]:
    """Returns selectors by lasting labels, and by labels with numbers, patterns that leave these
    open first."""
    label = element.label
    lasting: list[Selector] = []
    volatile: list[Selector] = []
    if element.named_by_choice:
        volatile.append(Selector(text=label))
    elif label and not is_typed(element.node, label):
        ticks, long = is_volatile(label), len(label) > LONGEST
        if ticks or long or element.name != label:
            lasting += [Selector(text_contains=part) for part in _parts(element)]
        pattern = generalised(label) if ticks else ""
        if pattern:
            volatile.append(Selector(text_matches=pattern))
        if long:
            volatile.append(Selector(text_contains=label[:LONGEST]))
        else:
            (volatile if ticks else lasting).append(Selector(text=label))
    ticks = is_volatile(clean(element.description))
    (volatile if ticks else lasting).extend(_described(element))
    return lasting, volatile


def _parts(element: Element) -> list[str]:
    """Returns parts of a label that are long enough and hold no numbers."""
    found: list[str] = []
    for name in element.folded if element.name != element.label else ():
        fewest = _FEWEST_LETTERS if name.isascii() else _FEWEST_SIGNS
        says = sum(map(str.isalpha, name)) >= fewest
        if says and len(name) <= LONGEST and not is_volatile(name):
            found.append(name)
    head = beginning(element.label) if len(element.label) > LONGEST else ""
    return list(dict.fromkeys(filter(None, [*found[:2], head])))


def _pairs(ones: Iterable[Selector], others: Iterable[Selector]) -> list[Selector]:
    """Returns every combination of the two."""
    return [combined(one, extra) for one, extra in itertools.product(ones, others)]


_MOST_ABOVE = 24  # how far up a named container is looked for
_MOST_OFFERED = 6
_WINDOW = 10  # landmarks on either side, in document order
_EVERYWHERE = GENERIC | {"ComposeView", "Window", "Application", "hierarchy"}


def rows(screen: SearchIndex, element: Element) -> Iterator[Selector]:
    """Yields ``row_with`` for the other labels of the row, the title first, then those without
    numbers."""
    row = screen.labels.row_of(element.node)
    if row >= 0:
        labels = _labels_below(screen, row, element)
        labels.sort(key=lambda label: (is_volatile(label), label != element.row_title))
        yield from _row_with(labels)


def lines(screen: SearchIndex, element: Element) -> Iterator[Selector]:
    """Yields ``row_with`` for the labels on its height, if nothing marks a row."""
    part = screen.wider[element.index]
    if part >= 0 and screen.labels.row_of(element.node) < 0:
        labels = _labels_below(screen, part, element, level=True)
        yield from _row_with(sorted(labels, key=is_volatile))


def _labels_below(
    screen: SearchIndex, part: int, element: Element, *, level: bool = False
) -> list[str]:
    """Returns the labels of a part of the screen without the element's own; ``level``: those on its
    height. None of a part with many."""
    if screen.count_labels(part) > MOST_LABELS:
        return []
    known, own, at = screen.labelled, screen.labels.own, element.bounds
    mine = {element.label, *element.folded}
    found: list[str] = []
    for other in known[bisect_left(known, part) : bisect_left(known, screen.ends[part])]:
        box = screen.nodes[other].bounds
        if own[other] not in mine and (not level or (box.top < at.bottom and box.bottom > at.top)):
            found.append(own[other])
    return list(dict.fromkeys(found))


def _row_with(labels: Sequence[str]) -> Iterator[Selector]:
    readable = [label for label in labels if len(label) <= LONGEST]
    return (Selector(row_with=Selector(text=label)) for label in readable[:_MOST_OFFERED])


def containers(screen: SearchIndex, element: Element) -> Iterator[Selector]:
    """Yields ``within`` for each ancestor with a unique name, the nearest first."""
    offered = 0
    for above in screen.layout.around(element.node, _MOST_ABOVE):
        if offered == _MOST_OFFERED:
            return
        anchor = screen.landmarks.get(above.index)
        kind = above.class_name
        if anchor is None and kind not in _EVERYWHERE and len(screen.of_class[kind]) == 1:
            anchor = Selector(class_name=kind) if clean(kind) else None
        if anchor is not None:
            offered += 1
            yield Selector(within=anchor)


def contents(screen: SearchIndex, element: Element) -> Iterator[Selector]:
    """Yields ``has`` for each descendant with a unique name."""
    index = element.index
    known = screen.landmark_order
    first = bisect_left(known, index + 1)
    for other in itertools.islice(known, first, first + _MOST_OFFERED):
        if other < screen.ends[index]:
            yield Selector(has=screen.landmarks[other])


def neighbours(screen: SearchIndex, element: Element) -> Iterator[Selector]:
    """Yields ``near`` for each node with a unique name, the closest first."""
    ends, index = screen.ends, element.index
    known = screen.landmark_order
    middle = bisect_left(known, index)
    apart: list[tuple[int, int]] = []
    for other in known[max(middle - _WINDOW, 0) : middle + _WINDOW + 1]:
        inside = other <= index < ends[other] or index <= other < ends[index]
        if screen.layout.shown[other] and not inside:
            center, at = screen.nodes[other].bounds.center, element.center
            apart.append(((center.x - at.x) ** 2 + (center.y - at.y) ** 2, other))
    for _, other in sorted(apart)[:_MOST_OFFERED]:
        yield Selector(near=screen.landmarks[other])


def heading(screen: SearchIndex, element: Element) -> str:
    """Returns the nearest text above an element, as the title of a section; "" for none."""
    nodes, labels = screen.nodes, screen.labels
    before = bisect_left(screen.labelled, element.index)
    for index in reversed(screen.labelled[max(before - _WINDOW, 0) : before]):
        bounds = nodes[index].bounds
        above = bounds.bottom <= element.bounds.top and bounds.left < element.bounds.right
        if above and not labels.controls[index] and labels.own[index] != element.label:
            return labels.own[index]
    return ""
