"""Location of another snapshot's element on this one: the digest nominates, the printed traits
decide."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from ...model import (
    Element,
    Elements,
    Selector,
    quoted,
)
from ..text import is_framework, mask_numbers, resemblance, short_id
from .cards import replaced
from .evidence import (
    SCROLLED,
    SHIFTED,
    Here,
    among_the_same,
    best,
    borrows_others,
    called,
    hardly_moved,
    is_elsewhere,
    may_be,
    of_one_app,
    out_of_order,
    same_row,
    says_the_same,
    sized_alike,
)
from .picture import by_picture, have_moved
from .refs import in_reading_order

Verdict = Literal["same", "moved", "renamed", "replaced", "ambiguous", "gone"]
Judgement = tuple[Verdict, str]
"""A verdict and the reason, a clause for a message."""
ACTED_ON: frozenset[Verdict] = frozenset({"same", "moved", "renamed"})


@dataclass(frozen=True)
class Located:
    """A verdict. ``element`` is set for ``same``, ``moved`` and ``renamed`` only: it may be acted
    on. ``nearest`` are the other candidates, best first; ``reason`` is a clause for a message."""

    verdict: Verdict
    element: Element | None
    nearest: tuple[Element, ...]
    reason: str


def locate(was: Element, here: Here) -> Located:
    """Locates ``was``, an element of any snapshot, on this screen. It reads only the element's own
    values, never its neighbours."""
    nominee = here.by_identity.get(was.identity)
    if nominee is not None and nominee.node is was.node:
        return _by_look(was, Located("same", nominee, (), "it is of this snapshot"), here)
    if nominee is None:
        located = _without_nominee(was, here)
    else:
        located = _located(was, nominee, _judged(was, nominee, here), here)
    if located.element is not None and out_of_order(was, located.element, here):
        reason = "what stood next to it stands next to others now"
        located = Located("ambiguous", None, (located.element,), reason)
    if located.verdict not in ACTED_ON and not _other_dialog(was, here):
        located = _by_surroundings(was, here) or located
    return _by_look(was, located, here)


def _by_surroundings(was: Element, here: Here) -> Located | None:
    now = best(was, here)
    if now is None:
        return None
    reason = "what stands around it stayed"
    if was.label != now.label and not _numbers_only(was, now):
        return Located("renamed", now, (), f"{_names(was, now)}, and {reason}")
    return Located("same" if was.bounds == now.bounds else "moved", now, (), reason)


def is_other(was: Element, now: Element, here: Here) -> bool:
    """Whether the element that bears the digest of a printed one is known to be another."""
    judgement = _of_this_card(was, now, _judged(was, now, here), here)
    if judgement[0] in ACTED_ON and not out_of_order(was, now, here):
        return False
    return bool(_other_dialog(was, here)) or best(was, here, now) is not now


def _by_look(was: Element, located: Located, here: Here) -> Located:
    """The verdict, or that of the one candidate that looks as it did, if nothing else speaks
    against that; of look-alikes of which each is in the place of another now, their order says
    nothing."""
    if was.picture is None or here.pictures is None or is_elsewhere(was, here):
        return located
    alike, named = tuple(_of_kind(was, here)), located.element
    if len(alike) < 2 or located.verdict not in (*ACTED_ON, "ambiguous"):
        return located
    unsure = Located("ambiguous", None, alike, "it has no words, and ")
    pictures = here.pictures()
    if pictures is None:
        return replace(unsure, reason=f"{unsure.reason}its picture was not compared yet")
    scrolls = any(here.around.may_scroll(one.index) for one in alike)
    found = by_picture(was, alike, pictures, scrolls=scrolls)
    if named is not None:
        now = pictures.get(named.index)
        if found is named or now is None:
            return located
        if not have_moved(was.picture, now):
            another = "another one looks as it did, and in its place is none that does"
            return located if found is None else replace(unsure, reason=another)
        located = replace(unsure, reason=f"{unsure.reason}none in its place looks as it did")
    if found is None or (was.row and found.row and not same_row(was, found, here)):
        return located
    moved: Judgement = "moved", "it looks as it did, and no other one does"
    verdict, reason = _of_this_card(was, found, moved, here)
    return Located(verdict, found, (), reason) if verdict in ACTED_ON else located


def _of_this_card(was: Element, now: Element, judgement: Judgement, here: Here) -> Judgement:
    """The judgement, unless the texts that name the card of the element are others now: then it may
    be that of another card in the same place, of which everything else is alike."""
    is_text = not here.around.labels.controls[
        now.index
    ]  # it stands among others, of which any may change
    if judgement[0] not in ACTED_ON or (is_text and was.label == now.label != ""):
        return judgement
    changed = replaced(was.card, now.card, wholly=is_text)
    if changed is None:
        return judgement
    if here.around.may_scroll(now.index) and not hardly_moved(was, now, SHIFTED):
        return judgement  # what scrolls leaves some of its texts behind
    if is_elsewhere(was, here):
        return judgement  # the same on another screen, which says so by its title
    gone, came = map(quoted, changed)
    why = f"what stands around it says {came} now, no longer {gone}: it may be of another card"
    return "ambiguous", why


def _judged(was: Element, nominee: Element, here: Here) -> Judgement:
    """Compares the printed element with the one that bears the same digest now."""
    other = _other_dialog(was, here)
    if other:
        return "replaced", other
    if not of_one_app(was, nominee):
        return "replaced", _belongs(was, nominee)
    if borrows_others(was, nominee):
        now, then = quoted(nominee.borrowed), quoted(was.borrowed)
        return "ambiguous", f"what names it says {now} now, no longer {then}"
    if was.twins is not None:
        return _look_alike(was, nominee, here)
    if was.named_by_choice and was.label != nominee.label and is_elsewhere(was, here):
        return "replaced", f"{_names(was, nominee)}, and this is another screen"
    if was.row and nominee.row and not same_row(was, nominee, here):
        return "replaced", _rows(was, nominee)
    if was.name == nominee.name:
        return _steady(was, nominee, here)
    another = _means_something_else(was, nominee, here)
    return "replaced" if another else "renamed", _names(was, nominee)


def _located(was: Element, now: Element, judgement: Judgement, here: Here) -> Located:
    verdict, reason = _of_this_card(was, now, judgement, here)
    if verdict in ACTED_ON:
        return Located(verdict, now, (), reason)
    if verdict == "ambiguous":
        return Located(verdict, None, tuple(_of_kind(was, here)), reason)
    return Located(verdict, None, _near(was, here, now), reason)


def _means_something_else(was: Element, now: Element, here: Here) -> bool:
    """Whether one id with another label is another element. It is the same only if the id is the
    app's own and unique, and nothing else differs."""
    if is_framework(was.resource_id) or bool(was.row_title) != bool(now.row_title):
        return True
    if is_elsewhere(was, here):
        return True
    if not (was.name and now.name) or now.states.editable or _numbers_only(was, now):
        return False
    # An id may identify a position rather than an element: in a list every item has it, though
    # there may be only one at the time; and of ids that differ only by a number the next item gets
    # the same one.
    index = now.index
    return (not now.row_title and here.around.listed[index]) or here.around.numbered(index)


def _numbers_only(was: Element, now: Element) -> bool:
    return mask_numbers(was.label) == mask_numbers(now.label)


def _other_dialog(was: Element, here: Here) -> str:
    """Returns the reason why the element's dialog, or the window under it, is not on top any more;
    "" if nothing is known."""
    then, now = was.printed_on, here.screen()
    if then is None or not then.differ_on_top(now):
        return ""
    if then.covered == now.covered:
        return "another dialog is open, or it says something else"
    return "a dialog has opened since" if now.covered else "the dialog that was open is closed"


def _has_own_id(was: Element, now: Element, here: Here) -> bool:
    """Whether it is known by an id that it has alone, and not as the only row of a list."""
    same = [one for one in here.elements if one.resource_id == was.resource_id != ""]
    return same == [now] and not here.around.listed[now.index]


def _steady(was: Element, now: Element, here: Here) -> Judgement:
    """Judges an element of the same name. A row with the same name but other labels is the same row
    only if it stayed and only numbers differ, or if it has that name alone, and the id: lists of
    events repeat names."""
    if was.label != now.label and not (was.named_by_choice or _has_own_id(was, now, here)):
        words, new_words = (was.name, *was.folded), (now.name, *now.folded)
        has_the_id = was.resource_id != "" and was.identity == now.identity
        if not (has_the_id and says_the_same(words, new_words, False)) and not (
            _numbers_only(was, now) and hardly_moved(was, now, SHIFTED)
        ):
            return "replaced", _names(was, now)
    if was.bounds == now.bounds:
        return "same", "it is where it was"
    before, after = was.center, now.center
    return "moved", f"it moved by {after.x - before.x}, {after.y - before.y} pixels"


def _look_alike(was: Element, nominee: Element, here: Here) -> Judgement:
    """Judges one of a group of look-alikes that kept its size. In a list one may have gone and
    another come, so only its position relative to its surroundings identifies it."""
    if not (was.row_title or was.section) and is_elsewhere(was, here):
        return "replaced", "another screen has as many that look like it"
    if not was.name and _flowed_over(was, here):
        return "ambiguous", "it is one of several look-alikes, and there are more or fewer of them"
    scrolls = here.around.may_scroll(nominee.index)
    stayed = not scrolls or hardly_moved(was, nominee, SCROLLED)
    if sized_alike(was, nominee) and (stayed or among_the_same(was, nominee, here.around)):
        return _steady(was, nominee, here)
    return "ambiguous", "it is one of several look-alikes, and they have moved"


def _without_nominee(was: Element, here: Here) -> Located:
    """Locates an element whose digest is gone: its traits may have become shared, or have been
    shared then, so it looks for an element with all of them."""
    other = _other_dialog(was, here)
    if other:
        return Located("gone", None, _near(was, here), other)
    kind = _of_kind(was, here)
    alike = [element for element in kind if of_one_app(was, element)]
    ordered = _by_order(was, alike, here)
    if ordered is not None:
        return _located(was, ordered, _steady(was, ordered, here), here)
    if was.twins is not None and was.twins.size > 1:
        if alike:
            why = "the group of look-alikes it was one of has changed"
            return Located("ambiguous", None, tuple(alike), why)
    elif was.name or was.resource_id or not is_elsewhere(was, here):
        in_row = [element for element in alike if same_row(was, element, here)]
        exact = _narrowed(was, in_row, here)
        if was.twins is not None and (was.order is None or was.order[1] > 1):
            # without a heading of its own
            exact = [one for one in exact if among_the_same(was, one, here.around)]
        if not exact and was.anchors:
            held = [e for e in in_row if not was.ids or here.around.ids(e.index) == was.ids]
            exact = [e for e in held if sized_alike(was, e) and among_the_same(was, e, here.around)]
        as_it_was = [one for one in exact if (one.label, one.row) == (was.label, was.row)]
        if len(as_it_was) == 1:
            exact = as_it_was
        if len(exact) == 1 and (exact[0].twins is None or exact[0].twins.size == 1):
            return _located(was, exact[0], _steady(was, exact[0], here), here)
        if len(exact) > 1:
            why = f"{len(exact)} elements look like it now"
            return Located("ambiguous", None, tuple(exact), why)
    renamed = _renamed_in_row(was, here)
    if renamed is not None:
        return Located("renamed", renamed, (), _names(was, renamed))
    return _lost(was, kind, here)


def _renamed_in_row(was: Element, here: Here) -> Element | None:
    """Returns the one element in its row that has its id, though every row has one such, and is
    called something else now, as "Like" that became "Unlike". Its row had a title of its own, and
    has it still."""
    told_apart = (was.section, was.order, was.twins) == (None, None, None)
    title = was.row_title
    if not (title and was.resource_id and told_apart):
        return None
    found = [one for one in here.elements if one.row_title == title and may_be(was, one)]
    if len(found) != 1 or not same_row(was, found[0], here):
        return None
    return None if _means_something_else(was, found[0], here) else found[0]


def _by_order(was: Element, alike: Elements, here: Here) -> Element | None:
    """Returns the element in the same order among as many of its class and name, in the same
    surroundings: only the nearest label has changed."""
    if was.order is None:
        return None
    place, count = was.order
    named = [element for element in here.elements if called(element) == called(was)]
    if len(named) != count:
        return None
    found = named[in_reading_order([element.bounds for element in named])[place]]
    if found not in alike or not same_row(was, found, here):
        return None
    fits = sized_alike(was, found) and among_the_same(was, found, here.around)
    return found if fits else None


def _lost(was: Element, kind: Elements, here: Here) -> Located:
    """Explains why no element fits; ``kind`` are the elements of its kind that were ruled out."""
    if was.row_title and not any(element.row_title == was.row_title for element in here.elements):
        return Located("gone", None, _near(was, here), "its row is gone")
    there = [e for e in here.elements if e.class_name == was.class_name and e.bounds == was.bounds]
    if there and was.label != there[0].label:
        reason = f"{there[0].describe()} is in its place"
        return Located("replaced", None, _near(was, here, there[0]), reason)
    reason = "what looks like it is in another place of the app"
    named = [element for element in kind if element.row_title == was.row_title != ""]
    if not kind:
        reason = "nothing has its class, id and name"
    elif not any(of_one_app(was, element) for element in kind):
        reason = _belongs(was, kind[0])
    elif named and not same_row(was, named[0], here):
        reason = _rows(was, named[0])
    return Located("gone", None, _near(was, here), reason)


def _narrowed(was: Element, alike: list[Element], here: Here) -> list[Element]:
    """Keeps the elements in the same surroundings: required where the surroundings identified the
    element, else only a help."""
    must = was.twins is None
    if was.section is not None and (must or len(alike) > 1):
        alike = [element for element in alike if here.around.section(element.index) == was.section]
    if was.ids is not None and (must or len(alike) > 1):
        alike = [element for element in alike if here.around.ids(element.index) == was.ids]
    if len(alike) > 1 and was.context:
        return [element for element in alike if element.context == was.context] or alike
    return alike


def _of_kind(was: Element, here: Here) -> list[Element]:
    """The elements that have its id, and its class with its name or label."""
    found: list[Element] = []
    for one in here.elements:
        labelled = (one.class_name, one.label) == (was.class_name, was.label) and was.label != ""
        if one.resource_id == was.resource_id and (labelled or called(one) == called(was)):
            found.append(one)
    return found


def _flowed_over(was: Element, here: Here) -> bool:
    """Whether there are more or fewer of its kind, and some too far below any heading to be known
    as another group: of what flows in lines the first ones are always as many."""
    alike = [one.index for one in here.elements if called(one) == called(was)]
    if was.order is None or was.order[1] == len(alike):
        return False
    return was.section == "" or any(here.around.section(index) == "" for index in alike)


def _names(was: Element, now: Element) -> str:
    return f"it is called {quoted(now.label)} now, no longer {quoted(was.label)}"


def _rows(was: Element, now: Element) -> str:
    if was.row_title != now.row_title:
        return f"its row is {quoted(now.row_title)} now, no longer {quoted(was.row_title)}"
    return f"its row says {quoted(now.context)} now, no longer {quoted(was.context)}"


def _belongs(was: Element, now: Element) -> str:
    return f"what looks like it belongs to {now.package}, not to {was.package}"


def _near(was: Element, here: Here, *first: Element) -> tuple[Element, ...]:
    wanted = Selector(text=was.label or None, resource_id=was.resource_id or None)
    found = [*first, *_of_kind(was, here), *nearest(wanted, here.elements)]
    return tuple(dict.fromkeys(found))[:3]


_MOST_COMPARED = 600  # pairs of texts: of more it would take a second
_ALIKE = 0.6
_JUST_ADDED = (
    0.1  # what comes near by so much less counts as much: it is the answer to the last action
)
_OTHER_NUMBER = (
    0.9  # at least: the same words with another number come before other words with the same
)


def nearest(
    selector: Selector, elements: Elements, count: int = 3, *, before: Elements = ()
) -> list[Element]:
    """Returns elements whose label or id resembles the wanted one, best first. ``before`` is what
    was there before the last action: of those that come about as near, the new ones are the
    first."""
    scored: list[tuple[float, int]] = []
    known: dict[tuple[str, str], float] = {}
    there = {element.label for element in before}
    for number, element in enumerate(elements):
        best = 0.0
        for pair in _pairs(selector, element):
            if pair not in known and len(known) < _MOST_COMPARED:
                known[pair] = _likeness(*pair)
            best = max(best, known.get(pair, 0.0))
        if best >= _ALIKE:
            is_new = bool(there) and element.label not in there
            scored.append((-best - _JUST_ADDED * is_new, number))
    return [elements[number] for _, number in sorted(scored)[:count]]


def _likeness(wanted: str, name: str) -> float:
    found = resemblance(wanted, name)
    alike = mask_numbers(wanted) == mask_numbers(name)
    return _OTHER_NUMBER + (1 - _OTHER_NUMBER) * found if alike else found


def _pairs(selector: Selector, element: Element) -> list[tuple[str, str]]:
    given = (selector.text, selector.text_contains, selector.text_matches, selector.description)
    texts = [text for text in given if isinstance(text, str) and text]
    names = [name for name in (element.label, element.description, *element.folded) if name]
    pairs = [(text, name) for text in texts for name in names]
    if selector.resource_id and element.resource_id:
        pairs.append((short_id(selector.resource_id), short_id(element.resource_id)))
    return pairs
