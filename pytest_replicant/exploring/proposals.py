"""Checks that a step suggests: of what it changed, true now and untrue before, best first."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice

from ..errors import ReplicantError
from ..model import Element, Selector, Strings, verb_of
from ..snapshots import Purpose, Snapshot, is_volatile
from ..test_code import Call

MOST = 3
_MOST_LOOKED_AT = 8
_LONGEST = 60
_MOVES = (
    r"\d{1,2}:\d{2}\b|\d{1,2}\.\d{2} ?(?:Uhr|[ap]\.?m)\b|\b\d{1,2} ?(?:Uhr|h(?:\d{2})?)\b|\d\s*%"
    r"|\b\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}\b|\bago\b|\b(?:vor|hace|il y a|in|dans|en) \d|"
    r"\bjust now\b|\b[ap]\.?m\b"
    r"|\b\d+ ?(?:ms|s|sec|secs|seconds?|min|mins|minutes?|minuten|h|hours?|days?|weeks?)\b"
    r"|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\b(?:montag|dienstag|mittwoch|donnerstag|"
    r"freitag|samstag"
    r"|sonntag|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|miércoles|jueves|"
    r"viernes|sábado)\b"
    r"|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec|dez|okt|mai|mär|janv|févr|avr|juil|"
    r"déc|ene|abr|ago|dic)"
    r"(?:[a-zé]{0,7})?\.? \d|\d\.? (?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec|dez|okt|"
    r"mai|mär)[a-z]*\b"
    r"|\b(?:today|yesterday|tomorrow|tonight|heute|gestern|morgen|hier|aujourd|demain|hoy|ayer|"
    r"mañana|oggi|ieri)\b"
    r"|\bgood (?:morning|afternoon|evening|night)\b|\bguten (?:morgen|tag|abend)\b"
    r"|\b(?:new|unread|neue) messages?\b"
    r"|\b\d+ ?(?:of|/|von|de|sur|di) ?\d+\b"
    r"|#\s?\d|(?<![\d.,€$£¥])\b\d{3,}\b(?![.,]\d)|(?=\b\w*\d)(?=\w*[a-z])\b\w{6,}\b"
    r"|(?-i:\b\w*[a-z][A-Z]\w{6,}\b)"
)
"""Clocks, dates, ages, progress, counts of mail, numbers of orders and codes: another text by the
next run, with any step."""
_STATES = ("checked", "selected", "enabled")
"""Those that an element has for good, unlike the focus."""


@dataclass(frozen=True)
class Change:
    """What a step changed: ``call`` is the step, ``acted`` its element afterwards, ``toasts`` came
    up since. ``said`` are texts that the session typed or chose: what shows one of them is what it
    was for. ``earlier`` are screens that were seen before."""

    call: Call
    before: Snapshot
    after: Snapshot
    acted: Element | None = None
    toasts: Strings = ()
    said: Collection[str] = ()
    earlier: Sequence[Snapshot] = ()


Standing = Callable[[Collection[str]], Collection[str]]
"""Which of these texts stay on the screen while nothing is done."""


def proposals(change: Change, standing: Standing) -> list[Call]:
    """At most three checks, the best first. ``standing`` is asked once, and only if a text may not
    stay: it has a number in it, or came to a screen that is the same one, or to an iPhone, whose
    banners are on the screen."""
    found = list(islice(_candidates(change), _MOST_LOOKED_AT))
    said = {text for call, text in found if text and call.verb == "expect_visible"}
    before, after = change.before, change.after
    doubtful = said
    if after.title != before.title and after.platform != "ios":
        doubtful = set(filter(_has_digits, said))
    stay = set(standing(doubtful))
    kept: dict[str, Call] = {}
    for call, text in found:
        if text in doubtful - stay:
            if _has_digits(text):
                continue
            call = Call("expect_seen", (), {"text": text})  # a banner: it came and went
        kept.setdefault(text or call.code(), call)
    return list(kept.values())[:MOST]


def _candidates(change: Change) -> Iterator[tuple[Call, str]]:
    """Each with the text that it rests on, "" for a state. All are true on ``after`` alone."""
    before, after = change.before, change.after
    diff = after.diff(before)
    if after.title and after.title != before.title and lasts(after.title):
        yield Call("expect_screen", (after.title,)), after.title
    step = verb_of(change.call.verb)
    if step.scrolls:  # what else came into view depends on the size of the screen
        for target in change.call.targets() if step.finds else ():
            if isinstance(target, Selector):
                yield from _visible(change, target, "")
        return
    if after.dialog and after.dialog != before.dialog and lasts(after.dialog):
        yield from _visible(change, Selector(text=after.dialog), after.dialog)
    changed = [one for each in diff.changed for one in _changed(change, *each)]
    changed.sort(key=lambda one: one[0])
    yield from (check for worth, check in changed if worth < _STATE)
    for toast in change.toasts:
        if lasts(toast):
            yield Call("expect_seen", (), {"text": toast}), toast
    yield from _added(change, diff.added)
    yield from (check for worth, check in changed if worth == _STATE)
    if diff.same_screen and after.title == before.title:
        for element in diff.removed:
            if lasts(element.label) and not _has_digits(element.label):
                gone = Selector(text=element.label)
                if _shown(before, gone) == 1 and not _shown(after, gone):
                    yield Call("expect_gone", (), dict(gone.given())), element.label


def _added(change: Change, added: Iterable[Element]) -> Iterator[tuple[Call, str]]:
    """Of what came, words first that the session has said itself. What an earlier look at that
    screen showed, such as the page under a dialog, says nothing new."""
    before, typed = change.before, _words(change.said)
    known = {one.label for one in before.printed}
    under = [one for one in change.earlier if one.screen_key == change.after.screen_key]
    known |= {one.label for screen in under[-1:] for one in screen.elements}
    new = [one for one in added if one.label not in known and lasts(one.label)]
    controls = [
        one
        for one in new
        if one.node.clickable or one.adjustable is True or one.semantic_role in CONTROLS
    ]
    said = sorted(
        (one for one in new if one not in controls),
        key=lambda one: (not _words([one.label]) & typed, _has_digits(one.label)),
    )
    for element in said or controls[-1:]:  # a control says less; the last is what the screen is for
        yield from _visible(change, _selector(before, change.after, element), element.label)


_OUTCOME, _AMOUNT, _TEXT, _STATE = range(4)
"""What a change of an element is worth, best first: what the step set itself, a text with a number
such as a total, any other text or value, the state of a control."""


def _changed(
    change: Change, element: Element, attributes: Mapping[str, tuple[object, object]]
) -> Iterator[tuple[int, tuple[Call, str]]]:
    """Checks of a changed element, each after what it is worth."""
    if element.states.password:
        return
    now = {name: after for name, (_, after) in attributes.items()}
    label, value = element.label, now.get("value")
    is_own = change.acted and element.identity == change.acted.identity
    used = _used(change, element) if is_own else None
    aimed = used or _selector(None, change.after, element, "action")
    if "label" in now:
        worth = _AMOUNT if _has_digits(label) else _TEXT
        if not used and lasts(label):
            for one in _visible(change, Selector(text=label), label):
                yield worth, one
        elif aimed and (lasts(label) or label.isdecimal()):
            yield worth, (Call("expect_state", (aimed,), {"text": label}), "")
    if not aimed:
        return
    is_read = isinstance(value, (int, float)) or (isinstance(value, str) and lasts(value))
    if is_read and not verb_of(change.call.verb).types:  # what it types is read back
        worth = _OUTCOME if is_own else _TEXT
        yield worth, (Call("expect_state", (aimed,), {"value": value}), "")
    for name in _STATES:
        if isinstance(now.get(name), bool):
            worth = _OUTCOME if is_own and name != "enabled" else _STATE
            yield worth, (Call("expect_state", (aimed,), {name: now[name]}), "")


def _used(change: Change, element: Element) -> Selector | None:
    """The locator by which the step found its element, if it still means that one."""
    for used in change.call.targets():
        if isinstance(used, Selector):
            with suppress(ReplicantError):  # an anchor in it that is not on this screen
                return used if change.after.match_labels(used) == [element] else None
    return None


def _visible(change: Change, selector: Selector | None, text: str) -> Iterator[tuple[Call, str]]:
    if not selector or _shown(change.before, selector):
        return
    if _shown(change.after, selector):
        yield Call("expect_visible", (), dict(selector.given())), text


def _shown(screen: Snapshot, selector: Selector) -> int:
    try:
        return len(screen.match_labels(selector))
    except ReplicantError:  # an anchor in it that is not on this screen
        return 0


def _selector(
    before: Snapshot | None, after: Snapshot, element: Element, purpose: Purpose = "check"
) -> Selector | None:
    """One that means this element alone, and nothing on the screen before."""
    also = [before] if before else []
    found = after.selector(element.ref, purpose=purpose, also=also)
    means_one = found.selector.nth is None and found.selector.class_name is None
    return found.selector if found.unique_on and means_one else None


def _has_digits(text: str) -> bool:
    return any(character.isdigit() for character in text)


def lasts(text: str) -> bool:
    """Whether a reader can expect the text the next time."""
    if not text or len(text) > _LONGEST or "\n" in text or re.search(_MOVES, text, re.IGNORECASE):
        return False
    plain = re.sub(r"\d+", "", text)
    return any(map(str.isalpha, plain)) and not is_volatile(plain)


def _words(texts: Iterable[str]) -> frozenset[str]:
    """A part of what was typed may be shown again: ``ada@example.com`` is welcomed as Ada."""
    return frozenset(word.casefold() for text in texts for word in re.findall(r"\w{3,}", text))


CONTROLS = frozenset(
    {"button", "text_field", "switch", "checkbox", "radio", "slider", "tab", "link"}
)
