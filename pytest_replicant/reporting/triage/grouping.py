"""Failures by their causes: which of them are one thing gone wrong.

Two failures are put together only if something is alike that is rarely alike by chance: how the app
died, what befell the phone, what lay over the app, one element in one kind of trouble on one
screen, one line of code. Where these differ, what they have in common may still be the reason:
nothing came of one action, with any expectation of it; or several things are missing from a screen
that nothing could be done on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ...kept_runs import (
    BLOCKABLE,
    NOT_RESPONDING,
    ActionCause,
    AnyCause,
    Cause,
    CauseGroup,
    DeathCause,
    Key,
    PhoneCause,
    RunRecord,
    RunRow,
    hash_of,
    hashed,
    last_attempt,
    masked,
    normalise,
    phones_of,
    results_of,
    test_of,
)
from ...model import HEALTHY, grouped, one_line, quoted, shortened

OFFLINE = "DeviceOffline"

_FEWEST_LOST = 2
"""Different things that are missing from an unusable screen, for the screen to be the reason."""
_FEWEST_LOST_WHERE_USABLE = 3
"""The same where something else was found on it."""


def run_of(
    run_id: str,
    started_at: str,
    duration_ms: int,
    rows: Sequence[RunRow],
    environment: Mapping[str, str] | None = None,
) -> RunRecord:
    """``started_at`` is ISO 8601 in UTC; ``environment`` says what it ran with."""
    return RunRecord(
        run_id,
        started_at,
        duration_ms,
        tuple(rows),
        group(rows),
        results_of(rows),
        dict(environment or {}),
        phones_of(rows),
    )


def group(rows: Sequence[RunRow]) -> tuple[CauseGroup, ...]:
    """The causes of what broke, that of the most tests first. Takes a time that grows as their
    number does."""
    broken = ((at, row) for at, row in enumerate(rows) if row.is_broken and row.cause)
    last = frozenset(
        at for result in results_of(rows) for at in last_attempt(result.attempts, rows)
    )
    # the places of the rows of each attempt that broke, one a phone; first those that no other came
    # after
    places = sorted(
        grouped(((test_of(row), row.attempt), at) for at, row in broken).values(),
        key=last.isdisjoint,
    )
    counting = sum(not last.isdisjoint(found) for found in places)
    causes = [_telling(rows, found) for found in places]
    usable = frozenset(one for row in rows for one in row.looks)
    passes = Counter(one for row in rows if row.outcome in HEALTHY for one in row.signals)
    keys = _keys(causes, counting, usable, passes)
    groups = []
    for key, attempts in grouped(zip(keys, zip(places, causes, strict=True), strict=True)).items():
        tests = tuple(sorted(at for found, _ in attempts for at in found))
        failures = len({test_of(rows[at]) for at in tests if at in last})
        counted = [cause for found, cause in attempts if last.intersection(found)] or [
            attempts[0][1]
        ]
        earlier = tuple(at for at in tests if at not in last)
        # the same for the same cause in another run, if the failure is looked at alone
        digest = hashed(*min(one.key for one in counted))
        groups.append(
            CauseGroup(title_of(key, counted), counted[0], tests, failures, earlier, digest)
        )
    return tuple(sorted(groups, key=lambda one: (-one.failures, -len(one.tests), one.tests)))


def _telling(rows: Sequence[RunRow], places: list[int]) -> AnyCause:
    """Of several phones, that on which a step failed knows more than the others."""
    causes = [cause for at in places if (cause := rows[at].cause)]
    return max(
        causes,
        key=lambda one: (isinstance(one, DeathCause), bool(one.step), isinstance(one, ActionCause)),
    )


# --- which share a key ----------------------------------------------------------------------------


def _keys(
    causes: Sequence[AnyCause], counting: int, usable: frozenset[str], passes: Mapping[str, int]
) -> list[Key]:
    """The key of each: its own, or a wider one that it shares with failures whose own keys differ.
    Those after the first ``counting`` are of attempts that another came after, and take no part in
    a wider one. ``usable`` are the screens that could be used, ``passes`` how many tests passed in
    spite of a signal, by its hash."""
    acts = [*map(acted, causes)]
    blockers = {act.blocker for act in acts} - {""}
    own: list[Key] = []
    joined = Joined()
    for cause, act in zip(causes, acts, strict=True):
        if act.over in blockers and not act.blocker:
            # a window of the app's own is in the way if it is known to have been in another test's
            cause = replace(act, blocker=act.over)
        own.append(cause.key)
        # A phone that is offline is so in any words the next command says it, and all phones that
        # are offline in the same words are so for one reason.
        if isinstance(cause, PhoneCause) and cause.exception == OFFLINE and cause.phone:
            joined.join(cause.key, ("device", OFFLINE, "", cause.phone))
    open_ones = [at for at in range(counting) if own[at][0] in (acts[at].trouble, "raised")]
    for at in open_ones:
        reason = causes[at].reason
        if len(reason) > 1:
            # what the app said, if the reason is that an action led elsewhere
            answer = acts[at].refusal if reason.startswith("led ") else ""
            joined.join(own[at], ("reason", reason, answer))
    base = [joined.root(key) for key in own]
    for at, key in _signalled({at: base[at] for at in open_ones}, causes, passes).items():
        base[at] = key
    keys = list(base)
    members = Counter(base[at] for at in open_ones)
    rules: tuple[tuple[Callable[[ActionCause], Key | None], Callable[[list[int]], bool]], ...] = (
        (effect_key, lambda found: True),
        (stuck_key, lambda found: any(acts[at].trouble == "screen" for at in found)),
        (look_key, lambda found: _is_lost(found, acts, base, usable)),
    )
    for widened, holds in rules:
        shared: list[tuple[Key, int]] = []
        for at in open_ones:
            alone = len(causes[at].reason) < 2 or members[base[at]] == 1
            unexplained = keys[at] is base[at] and base[at][0] != "signal" and alone
            if unexplained and (wider := widened(acts[at])):
                shared.append((wider, at))
        for key, found in grouped(shared).items():
            if len({base[at] for at in found}) > 1 and holds(found):
                for at in found:
                    keys[at] = key
    return keys


def _signalled(
    known: Mapping[int, Key], causes: Sequence[AnyCause], passes: Mapping[str, int]
) -> Mapping[int, Key]:
    """The failures whose reason is what the app said for the first time. Not where the same failure
    is there without it; a test that has no pass to be compared with goes with the others of its
    key."""
    failures = Counter(hash_of(one) for at in known for one in causes[at].signals)
    signals = {at: one for at in known if (one := _signal_of(causes[at], passes, failures))}
    without = {known[at] for at in known if at not in signals and causes[at].reason}
    found: dict[int, Key] = {
        at: ("signal", one) for at, one in signals.items() if known[at] not in without
    }
    others: dict[Key, Counter[Key]] = {}
    for at, key in found.items():
        others.setdefault(known[at], Counter())[key] += 1
    for at, key in known.items():
        if at not in signals and not causes[at].reason and key in others:
            found[at] = min(others[key], key=lambda one: (-others[key][one], one))
    return found


def _signal_of(cause: AnyCause, passes: Mapping[str, int], failures: Mapping[str, int]) -> str:
    """The first error that tests do not pass in spite of, but for a few; else the first warning of
    several failures that no test passed in spite of. Numbers apart."""
    if acted(cause).trouble not in _SIGNALLED:
        return ""
    # a message that the test expected in other words is no reason
    meant = f"{cause.nearest} {cause.instead}"
    for one in sorted(cause.signals, key=lambda one: one.startswith("W ")):
        if one.startswith("message ") and one.removeprefix("message ") in meant:
            continue
        spared, shared = passes.get(hash_of(one), 0), failures[hash_of(one)]
        if (spared == 0 and shared > 1) if one.startswith("W ") else spared <= shared:
            return normalise(one)
    return ""


class Joined(dict[Key, Key]):
    """Keys that stand for one cause, each with another one of it, the first with itself."""

    def root(self, key: Key) -> Key:
        while self.setdefault(key, key) != key:
            self[key] = key = self[self[key]]
        return key

    def join(self, one: Key, other: Key) -> None:
        first, second = sorted((self.root(one), self.root(other)))
        self[second] = first


def acted(cause: AnyCause) -> ActionCause:
    """What was wrong with an element or a screen; of anything else one that says nothing."""
    return cause if isinstance(cause, ActionCause) else ActionCause()


def _is_lost(
    found: list[int], acts: Sequence[ActionCause], own: Sequence[Key], usable: frozenset[str]
) -> bool:
    """Whether the screen is the reason: too much is missing from it for each to have a reason of
    its own. That tests expected another screen there, or this one to go, says nothing about it:
    they only go with the others."""
    least = _FEWEST_LOST
    if acts[found[0]].look in usable:
        least = _FEWEST_LOST_WHERE_USABLE
    return len({own[at] for at in found if acts[at].trouble in _LACKS}) >= least


# --- wider keys: what failures of different keys may have in common -------------------------------

_ABSENCE = frozenset({"missing", "screen", "count"})
"""Trouble that a screen which is not what it should be makes, with anything looked for on it."""
_LACKS = frozenset({"missing", "count"})
"""Trouble that says of the screen itself that it lacks something."""
_SIGNALLED = BLOCKABLE | {"unexpected", "raised", ""}
_EFFECTLESS = _ABSENCE | {"unseen", "unexpected", "no change", "state", "value"}


def effect_key(cause: ActionCause) -> Key | None:
    """An action that changed nothing, after which something was not as it should be, nor there in
    other words."""
    if cause.effect != "none" or cause.nearest:
        return None
    if cause.trouble not in _EFFECTLESS or not cause.is_answered:
        return None
    return ("effect", cause.screen_key, masked(cause.after))


def stuck_key(cause: ActionCause) -> Key | None:
    """An action after which the app was still where it had been, and the screen that should have
    come. Of what no pass has found there nothing is known: it may well belong where the app was."""
    if cause.trouble not in _ABSENCE | {"unexpected"}:
        return None
    is_known = cause.belongs or cause.trouble == "screen"
    if not is_known or not cause.effect or not cause.is_answered:
        return None
    wanted = f"screen {quoted(cause.belongs)}" if cause.belongs else cause.subject
    return ("stuck", cause.screen_key, masked(cause.after), masked(wanted), cause.refusal)


def look_key(cause: ActionCause) -> Key | None:
    """A screen from which something is missing that does not stand there in other words either."""
    if cause.nearest:
        return None
    wanted_away = cause.trouble == "unexpected" and cause.effect == "stayed"
    if not wanted_away and cause.trouble not in _ABSENCE:
        return None
    if not cause.look or not cause.screen or cause.over or len(cause.reason) > 1:
        return None
    return ("look", cause.look)


# --- titles ---------------------------------------------------------------------------------------

LONGEST = 200
_MOST_NAMED = 3
_PHONE = {
    "DeviceOffline": "The phone went offline",
    "DeviceTimeout": "The phone did not answer in time",
    "DeviceNotFound": "No phone was found",
    "DeviceBusy": "The phone was in use",
    "ResourceUnavailable": "A resource could not be leased",
    "ProtocolError": "The phone's answer could not be used",
}


def title_of(key: Key, causes: Sequence[AnyCause]) -> str:
    """``causes`` are those of all failures that the key stands for, at least one."""
    first = causes[0]
    title = first.message or first.exception or first.failure_class
    if key[0] not in _WIDE:
        key = _key_of_title(causes)
    if key[0] == "signal":
        title = _signal(key, causes)
    elif key[0] in _TITLES:
        title = _TITLES[key[0]](causes)
    elif key[0] in _SENTENCES and isinstance(first, ActionCause):
        title = _SENTENCES[key[0]].format(
            subject=first.subject or first.target,
            after=first.after or first.subject,
            then=f" after {first.after}" if first.after else "",
            observed=first.observed or first.screen,
            on=_on(causes),
            code=f" ({first.failure_code})" if first.failure_code else "",
        )
        # it is in the words of the first test: how many others there are that differ from it
        steps = [one for one in causes if isinstance(one, ActionCause)]
        words = {one.after if key[0] == "effect" else one.subject or one.target for one in steps}
        title += f", and {len(words) - 1} like it" if len(words) > 1 else ""
    return shortened(one_line(title, LONGEST), LONGEST)  # what cannot be seen takes several signs


def _key_of_title(causes: Sequence[AnyCause]) -> Key:
    """The first failure's own, unless all have one reason that says more."""
    steps = [*map(acted, causes)]
    if all(one.reason.startswith("over ") and one.over for one in steps):
        return ("blocker",)
    if all(one.reason.startswith("unanswered ") and one.effect == "none" for one in steps):
        return ("effect",)
    return causes[0].key


_SENTENCES = {
    "effect": "{after} changed nothing{on}",
    "no change": "{after} changed nothing{on}{code}",
    "screen": "{subject} did not come up{then}: {observed}{code}",
    "value": "{subject} has another value{on}: {observed}{code}",
    "state": "{subject}: {observed}{on}{code}",
    "missing": "{subject} not found{on}{code}",
    "unseen": "{subject} was not seen{on}{code}",
    "stale": "{subject} is not there any more{on}{code}",
    "ambiguous": "{subject} is there several times{on}{code}",
    "disabled": "{subject} is disabled{on}{code}",
    "covered": "{subject} is covered{on}{code}",
    "undecided": "{subject}: {observed}{on}{code}",
    "unfit": "{subject} could not be used{on}{code}",
    "unexpected": "{subject} is still there{on}{code}",
    "count": "{subject} is not there as often as it should be{on}{code}",
}


def _crash(causes: Sequence[DeathCause]) -> str:
    cause = causes[0]
    if cause.failure_class == NOT_RESPONDING:
        return (
            f"{cause.app or 'the app'} did not respond{f': {cause.detail}' if cause.detail else ''}"
        )
    where = f" at {cause.frame.removeprefix(f'{cause.app}.')}" if cause.frame else ""
    thrown = f"{cause.thrown.rpartition('.')[2]}{where}" if cause.thrown and where else cause.crash
    return f"{cause.app or 'the app'} died: {thrown}"


def _device(causes: Sequence[Cause]) -> str:
    named = _PHONE.get(causes[0].exception, causes[0].exception)
    reason = causes[0].detail or causes[0].message
    return f"{named}: {reason}" if reason else named


def _blocker(causes: Sequence[ActionCause]) -> str:
    name = next((one.blocker for one in causes if one.blocker), causes[0].over)
    return f"{name[:1].upper()}{name[1:]} was in the way{_on(causes)}"


def _raised(causes: Sequence[Cause]) -> str:
    cause = causes[0]
    at = f" at {cause.source}" if cause.source else ""
    same = len({one.message for one in causes}) == 1
    said = f": {cause.message}" if same and cause.message not in ("", cause.exception) else ""
    return f"{cause.exception or 'failed'}{at}{said}"


def _stuck(causes: Sequence[ActionCause]) -> str:
    wanted = next(one.subject for one in causes if one.trouble == "screen")
    return f"{wanted} did not come up after {causes[0].after}, which stayed{_on(causes)}"


def _look(causes: Sequence[ActionCause]) -> str:
    named = {masked(one.subject): one.subject for one in reversed(causes)}
    names = [*reversed(named.values())]
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    return (
        f"Screen {quoted(causes[0].screen)} is not what it should be: no "
        f"{', '.join(names[:_MOST_NAMED])}{more}"
    )


def _on(causes: Sequence[Cause]) -> str:
    screens = {one.screen for one in causes}
    return f" on {quoted(screens.pop())}" if len(screens) == 1 and causes[0].screen else ""


def _signal(key: Key, causes: Sequence[AnyCause]) -> str:
    """What the app said, and what did not work for it in the first test."""
    first = causes[0]
    signal = next(one for cause in causes for one in cause.signals if normalise(one) == key[1])
    name, _, said = signal.partition(" ")
    text = {"toast": f"The toast {said}", "message": f"The screen said {said}"}.get(
        name, f"The app logged {quoted(signal)}"
    )
    return f"{shortened(text, LONGEST // 2)}: {title_of(first.key, [first])}"


_WIDE = frozenset({"signal", "effect", "stuck", "look", "blocker", "crash", "device"})
"""Keys that say more of a failure than its own does."""
_TITLES: dict[str, Callable[[Sequence[Any]], str]] = {
    "crash": _crash,
    "device": _device,
    "blocker": _blocker,
    "raised": _raised,
    "unsupported": lambda causes: causes[0].message,
    "stuck": _stuck,
    "look": _look,
}
