"""Location of another snapshot's element on this one: the digest nominates, the printed traits decide."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from ...model import Element, ScreenTraits, Selector, quoted
from ..screen.layout import scrolls
from ..text import is_framework, mask_numbers, short_id
from .cards import replaced
from .refs import Surroundings, in_reading_order

Verdict = Literal["same", "moved", "renamed", "replaced", "ambiguous", "gone"]
Judgement = tuple[Verdict, str]
"""A verdict and the reason, a clause for a message."""
ACTED_ON: frozenset[Verdict] = frozenset({"same", "moved", "renamed"})


@dataclass(frozen=True)
class Located:
    """A verdict. ``element`` is set for ``same``, ``moved`` and ``renamed`` only: it may be acted on. ``nearest``
    are the other candidates, best first; ``reason`` is a clause for a message."""

    verdict: Verdict
    element: Element | None
    nearest: tuple[Element, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Here:
    """The screen to search; ``screen`` and ``around`` are computed only where they decide."""

    elements: Sequence[Element]
    by_identity: Mapping[int, Element]
    around: Surroundings
    screen: Callable[[], ScreenTraits]


def locate(was: Element, here: Here) -> Located:
    """Locates ``was``, an element of any snapshot, on this screen. It reads only the element's own values, never
    its neighbours."""
    nominee = here.by_identity.get(was.identity)
    if nominee is None:
        return _without_nominee(was, here)
    return _located(was, nominee, judge(was, nominee, here), here)


def judge(was: Element, nominee: Element, here: Here) -> Judgement:
    """Compares the printed element with the one that bears the same digest now."""
    return _of_this_card(was, nominee, _judged(was, nominee, here), here)


def _of_this_card(was: Element, now: Element, judgement: Judgement, here: Here) -> Judgement:
    """The judgement, unless the texts that name the card of the element are others now: then it may be that of
    another card in the same place, of which everything else is alike."""
    is_text = not here.around.labels.controls[now.node.index]  # it stands among others, of which any may change
    changed = replaced(was.card, now.card, wholly=is_text)
    if changed is None or judgement[0] not in ACTED_ON:
        return judgement
    if here.around.may_scroll(now.node.index) and not hardly_moved(was, now, SHIFTED):
        return judgement  # what scrolls leaves some of its texts behind
    if _is_elsewhere(was, here):
        return judgement  # the same on another screen, which says so by its title
    gone, came = map(quoted, changed)
    return "ambiguous", f"what stands around it says {came} now, no longer {gone}: it may be of another card"


def _judged(was: Element, nominee: Element, here: Here) -> Judgement:
    other = _other_dialog(was, here)
    if other:
        return "replaced", other
    if not _of_one_app(was, nominee):
        return "replaced", _belongs(was, nominee)
    if was.twins is not None:
        return _look_alike(was, nominee, here)
    if was.named_by_choice and was.label != nominee.label and _is_elsewhere(was, here):
        return "replaced", f"{_names(was, nominee)}, and this is another screen"
    renamed = was.name != nominee.name
    if was.row and nominee.row and not _same_row(was, nominee):
        return "replaced", _rows(was, nominee)
    if renamed:
        return "replaced" if _means_something_else(was, nominee, here) else "renamed", _names(was, nominee)
    return _steady(was, nominee)


def _located(was: Element, now: Element, judgement: Judgement, here: Here) -> Located:
    verdict, reason = _of_this_card(was, now, judgement, here)
    if verdict in ACTED_ON:
        return Located(verdict, now, (), reason)
    alike = [element for element in here.elements if _same_kind(was, element)]
    return Located(verdict, None, tuple(alike) if verdict == "ambiguous" else _near(was, here, now), reason)


def _same_row(was: Element, now: Element) -> bool:
    """Whether both are in the same row: by the title, and after a move by all other labels that are still there,
    numbers apart, as lists of events repeat names. A row whose title is scrolled out of sight is compared by
    several other labels."""
    if was.row_title == now.row_title:
        return _part_of(_masked(was), _masked(now)) or hardly_moved(was, now, SHIFTED)
    before, after = set(was.row), set(now.row)
    return min(len(before), len(after)) > 1 and _part_of(before, after)


def _masked(element: Element) -> set[str]:
    return {mask_numbers(label) for label in element.row}


def _part_of(one: set[str], other: set[str]) -> bool:
    """Whether the smaller set is contained in the other."""
    return one <= other or other <= one


def _means_something_else(was: Element, now: Element, here: Here) -> bool:
    """Whether one id with another label is another element. It is the same only where the id is the app's own and
    unique, and nothing else differs."""
    if is_framework(was.resource_id) or bool(was.row_title) != bool(now.row_title):
        return True
    other_name = was.name and now.name and not now.states.editable and not _numbers_only(was, now)
    return _is_elsewhere(was, here) or (bool(other_name) and _says_where(now, here))


def _says_where(now: Element, here: Here) -> bool:
    """Whether an id may identify a position rather than an element: in a list every item has it, though there may
    be only one at the time; and of ids that differ only by a number the next item gets the same one."""
    index = now.node.index
    return (not now.row_title and here.around.listed[index]) or here.around.numbered(index)


def _numbers_only(was: Element, now: Element) -> bool:
    return mask_numbers(was.label) == mask_numbers(now.label)


def _is_elsewhere(was: Element, here: Here) -> bool:
    """Whether this is known to be another screen than the one on which the element was printed."""
    printed_on = _screen_of(was)
    return printed_on is not None and printed_on.differ(here.screen())


def _screen_of(was: Element) -> ScreenTraits | None:
    if was.screen is not None:
        return was.screen
    return was.family.traits if was.family is not None else None


def _other_dialog(was: Element, here: Here) -> str:
    """Returns the reason why the element's dialog, or the window under it, is not on top any more; "" where
    nothing is known."""
    then, now = _screen_of(was), here.screen()
    if then is None or not then.differ_on_top(now):
        return ""
    if then.covered == now.covered:
        return "another dialog is open, or it says something else"
    return "a dialog has opened since" if now.covered else "the dialog that was open is closed"


def _of_one_app(was: Element, now: Element) -> bool:
    """Whether both may be of one app: not both are known to be of different ones."""
    one, other = was.node.package, now.node.package
    return one == other or not (one and other)


def _steady(was: Element, now: Element) -> Judgement:
    """Judges an element of the same name. A row with the same name but other labels is the same row only where it
    stayed and only numbers differ: lists of events repeat names."""
    same_row = _numbers_only(was, now) and hardly_moved(was, now, SHIFTED)
    if was.label != now.label and not (was.resource_id or was.named_by_choice or same_row):
        return "replaced", _names(was, now)
    if was.bounds == now.bounds:
        return "same", "it is where it was"
    before, after = was.center, now.center
    return "moved", f"it moved by {after.x - before.x}, {after.y - before.y} pixels"


def _look_alike(was: Element, nominee: Element, here: Here) -> Judgement:
    """Judges one of a group of look-alikes that kept its size. In a list one may have gone and another come, so
    only its position relative to its surroundings identifies it."""
    if not (was.row_title or was.section) and _is_elsewhere(was, here):
        return "replaced", "another screen has as many that look like it"
    if sized_alike(was, nominee) and (
        not here.around.may_scroll(nominee.node.index)
        or hardly_moved(was, nominee, SCROLLED)
        or among_the_same(was, nominee, here.around)
    ):
        return _steady(was, nominee)
    return "ambiguous", "it is one of several look-alikes, and they have moved"


def _without_nominee(was: Element, here: Here) -> Located:
    """Locates an element whose digest is gone: its traits may have become shared, or have been shared then, so it
    looks for an element with all of them."""
    other = _other_dialog(was, here)
    if other:
        return Located("gone", None, _near(was, here), other)
    kind = [element for element in here.elements if _same_kind(was, element)]
    alike = [element for element in kind if _of_one_app(was, element)]
    ordered = _by_order(was, alike, here)
    if ordered is not None:
        return _located(was, ordered, _steady(was, ordered), here)
    if was.twins is not None and was.twins.size > 1:
        if alike:
            return Located("ambiguous", None, tuple(alike), "the group of look-alikes it was one of has changed")
    elif was.name or was.resource_id or not _is_elsewhere(was, here):
        in_row = [element for element in alike if _same_row(was, element)]
        exact = _narrowed(was, in_row, here)
        if not exact and was.anchors:
            held = [e for e in in_row if not was.ids or here.around.ids(e.node.index) == was.ids]
            exact = [e for e in held if sized_alike(was, e) and among_the_same(was, e, here.around)]
        if len(exact) == 1 and (exact[0].twins is None or exact[0].twins.size == 1):
            return _located(was, exact[0], _steady(was, exact[0]), here)
        if len(exact) > 1:
            return Located("ambiguous", None, tuple(exact), f"{len(exact)} elements look like it now")
    renamed = _renamed_in_row(was, here)
    return Located("renamed", renamed, (), _names(was, renamed)) if renamed else _lost(was, kind, here)


def _renamed_in_row(was: Element, here: Here) -> Element | None:
    """Returns the one element in its row that has its id, though every row has one such, and is called something
    else now, as "Like" that became "Unlike". Its row had a title of its own, and has it still."""
    told_apart = was.section is None and was.order is None and was.twins is None
    if not (was.row_title and was.resource_id and told_apart):
        return None
    kind = (was.resource_id, was.class_name, was.row_title)
    found = [one for one in here.elements if (one.resource_id, one.class_name, one.row_title) == kind]
    if len(found) != 1 or not _same_row(was, found[0]) or _means_something_else(was, found[0], here):
        return None
    return found[0]


def _by_order(was: Element, alike: Sequence[Element], here: Here) -> Element | None:
    """Returns the element in the same order among as many of its class and name, in the same surroundings: only
    the nearest label has changed."""
    if was.order is None:
        return None
    place, count = was.order
    named = [element for element in here.elements if called(element) == called(was)]
    if len(named) != count:
        return None
    found = named[in_reading_order([element.bounds for element in named])[place]]
    if found not in alike or not _same_row(was, found) or not sized_alike(was, found):
        return None
    return found if among_the_same(was, found, here.around) else None


def _lost(was: Element, kind: Sequence[Element], here: Here) -> Located:
    """Explains why no element fits; ``kind`` are the elements of its kind that were ruled out."""
    if was.row_title and not any(element.row_title == was.row_title for element in here.elements):
        return Located("gone", None, _near(was, here), "its row is gone")
    there = [e for e in here.elements if e.class_name == was.class_name and e.bounds == was.bounds]
    if there and was.label != there[0].label:
        reason = f"{there[0].describe()} is in its place"
        return Located("replaced", None, _near(was, here, there[0]), reason)
    if kind and not any(_of_one_app(was, element) for element in kind):
        return Located("gone", None, _near(was, here), _belongs(was, kind[0]))
    named = next((element for element in kind if element.row_title == was.row_title != ""), None)
    if named is not None and not _same_row(was, named):
        return Located("gone", None, _near(was, here), _rows(was, named))
    reason = "what looks like it is in another place of the app" if kind else "nothing has its class, id and name"
    return Located("gone", None, _near(was, here), reason)


def _narrowed(was: Element, alike: list[Element], here: Here) -> list[Element]:
    """Keeps the elements in the same surroundings: required where the surroundings identified the element, else
    only a help."""
    must = was.twins is None
    if was.section is not None and (must or len(alike) > 1):
        alike = [element for element in alike if here.around.section(element.node.index) == was.section]
    if was.ids is not None and (must or len(alike) > 1):
        alike = [element for element in alike if here.around.ids(element.node.index) == was.ids]
    if len(alike) > 1 and was.context:
        return [element for element in alike if element.context == was.context] or alike
    return alike


def _same_kind(one: Element, other: Element) -> bool:
    return one.resource_id == other.resource_id and called(one) == called(other)


def called(element: Element) -> tuple[object, ...]:
    """Returns class and name, the key of the group in which an element has its order."""
    pane = not (element.name or element.resource_id) and scrolls(element.node)
    return element.class_name, element.name, pane


def _names(was: Element, now: Element) -> str:
    return f"it is called {quoted(now.label)} now, no longer {quoted(was.label)}"


def _rows(was: Element, now: Element) -> str:
    if was.row_title != now.row_title:
        return f"its row is {quoted(now.row_title)} now, no longer {quoted(was.row_title)}"
    return f"its row says {quoted(now.context)} now, no longer {quoted(was.context)}"


def _belongs(was: Element, now: Element) -> str:
    return f"what looks like it belongs to {now.node.package}, not to {was.node.package}"


def _near(was: Element, here: Here, *first: Element) -> tuple[Element, ...]:
    wanted = Selector(text=was.label or None, resource_id=was.resource_id or None)
    found = [*first, *(element for element in here.elements if _same_kind(was, element))]
    return tuple(dict.fromkeys([*found, *nearest(wanted, here.elements)]))[:3]


SHIFTED = 0.5
"""Of its size: as far as an element moves that is still where it was."""
SCROLLED = 0.125
"""Further than that, a list of look-alikes may have scrolled by any number of rows."""
_LARGER = 2.5  # times: more than any density or clipping between two looks at one element


def sized_alike(was: Element, now: Element) -> bool:
    """Whether the sizes differ no more than by clipping or another density."""
    return all(1 / _LARGER <= ratio <= _LARGER for ratio in _scale(was, now))


def _scale(was: Element, now: Element) -> tuple[float, float]:
    before, after = was.bounds, now.bounds
    return max(after.width, 1) / max(before.width, 1), max(after.height, 1) / max(before.height, 1)


def among_the_same(was: Element, now: Element, around: Surroundings) -> bool:
    """Whether one of its anchors has moved along with it, and none has vanished in sight."""
    wide, high = _scale(was, now)
    labels, pane = around.unique_labels(now.node.index), around.pane(now.node.index)
    moved_along = False
    for anchor in was.anchors:
        left = now.bounds.left + (anchor.bounds.left - was.bounds.left) * wide
        top = now.bounds.top + (anchor.bounds.top - was.bounds.top) * high
        there = labels.get(anchor.label) if anchor.label else pane
        if there is not None:
            part = SHIFTED if anchor.label else SCROLLED
            across, down = abs(there.left - left), abs(there.top - top)
            moved_along |= across <= now.bounds.width * part and down <= now.bounds.height * part
        elif pane.top <= top < pane.bottom and pane.left <= left < pane.right:
            return False
    return moved_along


def hardly_moved(was: Element, now: Element, part: float) -> bool:
    """Whether it moved by less than ``part`` of its own size."""
    before, after = was.center, now.center
    near_x = abs(before.x - after.x) < max(was.bounds.width * part, 1)
    near_y = abs(before.y - after.y) < max(was.bounds.height * part, 1)
    return near_x and near_y


_MOST_COMPARED = 2000  # pairs of texts that are compared letter by letter
_ALIKE = 0.6


def nearest(selector: Selector, elements: Sequence[Element], count: int = 3) -> list[Element]:
    """Returns elements whose label or id resembles the wanted one, best first."""
    scored: list[tuple[float, int]] = []
    known: dict[tuple[str, str], float] = {}
    for number, element in enumerate(elements):
        best = 0.0
        for pair in _pairs(selector, element):
            if pair not in known:
                known[pair] = _resemblance(*pair, closely=len(known) < _MOST_COMPARED)
            best = max(best, known[pair])
        if best >= _ALIKE:
            scored.append((-best, number))
    return [elements[number] for _, number in sorted(scored)[:count]]


def _pairs(selector: Selector, element: Element) -> list[tuple[str, str]]:
    pattern = selector.text_matches if isinstance(selector.text_matches, str) else None
    texts = [text for text in (selector.text, selector.text_contains, pattern, selector.description) if text]
    names = [name for name in (element.label, element.description, *element.folded) if name]
    pairs = [(text, name) for text in texts for name in names]
    if selector.resource_id and element.resource_id:
        pairs.append((short_id(selector.resource_id), short_id(element.resource_id)))
    return pairs


def _resemblance(wanted: str, name: str, *, closely: bool) -> float:
    wanted, name = wanted.casefold()[:200], name.casefold()[:200]
    if wanted in name or name in wanted:
        return 0.7 + 0.3 * min(len(wanted), len(name)) / max(len(wanted), len(name))
    if not closely:
        return 0.0
    matcher = difflib.SequenceMatcher(None, wanted, name, autojunk=False)
    promising = matcher.real_quick_ratio() >= _ALIKE and matcher.quick_ratio() >= _ALIKE
    return matcher.ratio() if promising else 0.0
