"""Checks that a step suggests: of what it changed, true now and untrue before, best first."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from ..errors import ReplicantError
from ..model import Element, Selector
from ..snapshots import Snapshot, is_volatile
from .grammar import Call

MOST = 3
_LONGEST = 60
_MOVES = re.compile(
    r"\d{1,2}[:.]\d{2}\b|\d\s*%|\b\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}\b|\bago\b|\bvor \d|\bjust now\b|\b[ap]\.?m\b"
    r"|\b\d+ ?(?:ms|s|sec|secs|seconds?|min|mins|minutes?|h|hours?|days?)\b",
    re.IGNORECASE,
)
"""Clocks, dates, ages and progress: another text by the next run, whatever the step did."""
_STATES: Mapping[str, tuple[str, str]] = {
    "checked": ("expect_checked", "expect_not_checked"),
    "selected": ("expect_selected", "expect_not_selected"),
    "enabled": ("expect_enabled", "expect_not_enabled"),
}
_WORD = re.compile(r"\w{3,}")


def proposals(
    before: Snapshot | None,
    after: Snapshot,
    toasts: Iterable[str],
    typed: Iterable[str],
    stands: Callable[[str], bool],
) -> list[Call]:
    """At most three, the best first. ``typed`` are texts that the session typed or chose: what shows one of them
    is what it was for. ``stands`` says of a text whether it stays as it is while nothing is done; it is asked of
    those alone that have a number in them, or that came to a screen that is the same one."""
    if before is None:
        return []
    found: list[Call] = []
    seen: set[str] = set()
    for call, text in _candidates(before, after, tuple(toasts), _words(typed)):
        if text in seen:
            continue
        doubtful = _has_digits(text) or (call.verb == "expect_visible" and after.title == before.title)
        if doubtful and call.verb != "expect_seen" and not stands(text):
            if _has_digits(text):
                continue
            call = Call("expect_seen", (), {"text": text})  # a banner: it came and went
        seen.add(text)
        found.append(call)
        if len(found) == MOST:
            break
    return found


def _candidates(
    before: Snapshot, after: Snapshot, toasts: Sequence[str], typed: frozenset[str]
) -> Iterator[tuple[Call, str]]:
    """Each with the text that it rests on, "" for a state. All are true on ``after`` alone."""
    diff = after.diff(before)
    if after.title and after.title != before.title and _lasts(after.title):
        yield Call("expect_screen", (after.title,)), after.title
    if after.dialog and after.dialog != before.dialog and _lasts(after.dialog):
        yield from _visible(before, after, Selector(text=after.dialog), after.dialog)
    for change in diff.changed:
        yield from _changed(before, after, *change)
    for toast in toasts:
        if _lasts(toast):
            yield Call("expect_seen", (), {"text": toast}), toast
    known = {one.label for one in (*before.elements, *before.headings)}
    new = [one for one in diff.added if one.label not in known and _lasts(one.label)]
    controls = [one for one in new if _is_control(one)]
    said = sorted(
        (one for one in new if one not in controls),
        key=lambda one: (not _words([one.label]) & typed, _has_digits(one.label)),
    )
    for element in said or controls[-1:]:  # a control says less; the last is what the screen is for
        if (selector := _selector(before, after, element)) is not None:
            yield from _visible(before, after, selector, element.label)
    if diff.same_screen and after.title == before.title:
        for element in diff.removed:
            if _lasts(element.label) and not _has_digits(element.label):
                gone = Selector(text=element.label)
                if _shown(before, gone) == 1 and not _shown(after, gone):
                    yield Call("expect_gone", (), dict(gone.given())), element.label


def _changed(
    before: Snapshot, after: Snapshot, element: Element, attributes: Mapping[str, tuple[object, object]]
) -> Iterator[tuple[Call, str]]:
    if element.states.password:
        return
    if "label" in attributes and _lasts(element.label):
        yield from _visible(before, after, Selector(text=element.label), element.label)
    for name, (yes, no) in _STATES.items():
        value = attributes.get(name, (None, None))[1]
        if isinstance(value, bool) and (selector := _selector(None, after, element, "action")) is not None:
            yield Call(yes if value else no, (), dict(selector.given())), ""


def _visible(
    before: Snapshot, after: Snapshot, selector: Selector | None, text: str
) -> Iterator[tuple[Call, str]]:
    if selector is not None and _shown(after, selector) and not _shown(before, selector):
        yield Call("expect_visible", (), dict(selector.given())), text


def _shown(screen: Snapshot, selector: Selector) -> int:
    try:
        return len(screen.match_labels(selector))
    except ReplicantError:  # an anchor in it that is not on this screen
        return 0


def _selector(
    before: Snapshot | None, after: Snapshot, element: Element, purpose: Any = "check"
) -> Selector | None:
    """One that means this element alone, and nothing on the screen before."""
    found = after.selector(element.ref, purpose=purpose, also=[before] if before is not None else [])
    if not found.unique_on or found.selector.nth is not None or found.selector.class_name is not None:
        return None
    return found.selector


def _has_digits(text: str) -> bool:
    return any(character.isdigit() for character in text)


def _lasts(text: str) -> bool:
    """Whether a reader can expect the text the next time."""
    if not text or len(text) > _LONGEST or "\n" in text or _MOVES.search(text):
        return False
    plain = re.sub(r"\d+", "", text)
    return any(map(str.isalpha, plain)) and not is_volatile(plain)


def _words(texts: Iterable[str]) -> frozenset[str]:
    """What is typed and shown again need not be the whole of it: ``ada@example.com`` is welcomed as Ada."""
    return frozenset(word.casefold() for text in texts for word in _WORD.findall(text))


def _is_control(element: Element) -> bool:
    return element.node.clickable or element.adjustable is True or element.semantic_role in _CONTROLS


_CONTROLS = frozenset({"button", "text_field", "switch", "checkbox", "radio", "slider", "tab", "link"})
