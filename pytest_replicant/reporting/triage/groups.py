"""Failures by their causes: which of them are one thing gone wrong.

Two failures are put together only where something is alike that is rarely alike by chance: how the app died, what
befell the phone, what lay over the app, one element in one kind of trouble on one screen, one line of code. Where
these differ, what they have in common may still be the reason: nothing came of one action, whatever was expected
of it; or several things are missing from a screen that nobody could use.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from .grouping_keys import Key, effect_key, look_key, own_key, stuck_key
from .results import results_of, test_of
from .run_record import CauseGroup
from .titles import title_of

if TYPE_CHECKING:
    from .cause import Cause
    from .run_record import RunRow

OFFLINE = "DeviceOffline"

_FEWEST_LOST = 2
"""Different things that are missing from a screen nobody could use, for the screen to be the reason."""
_FEWEST_LOST_WHERE_USABLE = 3
"""The same where something else was found on it."""


@dataclass(frozen=True)
class _Failure:
    """One attempt that broke: the places of its rows, one a phone, and the cause that says most."""

    rows: tuple[int, ...]
    cause: Cause


def group(rows: Sequence[RunRow]) -> tuple[CauseGroup, ...]:
    """The causes of what broke, that of the most tests first. Takes a time that grows as their number does."""
    failures = _failures(rows)
    usable = frozenset(one for row in rows for one in row.looks)
    members: dict[Key, list[_Failure]] = {}
    for failure, key in zip(failures, _keys([one.cause for one in failures], usable), strict=True):
        members.setdefault(key, []).append(failure)
    last = _last_attempts(rows)
    groups = [_group(key, found, rows, last) for key, found in members.items()]
    return tuple(sorted(groups, key=lambda one: (-one.failures, -len(one.tests), one.tests)))


def _failures(rows: Sequence[RunRow]) -> list[_Failure]:
    places: dict[tuple[str, int], list[int]] = {}
    for index, row in enumerate(rows):
        if row.is_broken and row.cause is not None:
            places.setdefault((test_of(row), row.attempt), []).append(index)
    return [_Failure(tuple(found), _telling(rows, found)) for found in places.values()]


def _telling(rows: Sequence[RunRow], places: list[int]) -> Cause:
    """Of several phones, that on which a step failed knows more than the others."""
    causes = [cause for at in places if (cause := rows[at].cause) is not None]
    return max(causes, key=lambda one: (bool(one.crash), bool(one.trouble), bool(one.screen_key)))


def _last_attempts(rows: Sequence[RunRow]) -> frozenset[int]:
    return frozenset(
        at
        for result in results_of(rows)
        for at in result.attempts
        if rows[at].attempt == rows[result.attempts[-1]].attempt
    )


def _group(key: Key, members: list[_Failure], rows: Sequence[RunRow], last: frozenset[int]) -> CauseGroup:
    tests = tuple(sorted(at for one in members for at in one.rows))
    final = [at for at in tests if at in last]
    causes = [one.cause for one in members]
    title = title_of(key, causes)
    return CauseGroup(
        title,
        causes[0],
        tests,
        len({test_of(rows[at]) for at in final}),
        tuple(at for at in tests if at not in last),
    )


# --- which share a key -----------------------------------------------------------------------------------


def _keys(causes: Sequence[Cause], usable: frozenset[str]) -> list[Key]:
    """The key of each: its own, or a wider one that it shares with failures whose own keys differ."""
    blockers = {cause.blocker for cause in causes} - {""}
    own = [own_key(_blocked(cause, blockers)) for cause in causes]
    keys = list(own)
    rules: tuple[tuple[Callable[[Cause], Key | None], Callable[[list[int]], bool]], ...] = (
        (effect_key, lambda found: True),
        (stuck_key, lambda found: any(causes[at].trouble == "screen" for at in found)),
        (look_key, lambda found: _is_lost(found, causes, own, usable)),
    )
    for widened, holds in rules:
        shared: dict[Key, list[int]] = {}
        for at, cause in enumerate(causes):
            key = widened(cause) if keys[at] is own[at] else None
            if key is not None and own[at][0] == cause.trouble:  # what is explained better needs no wider reason
                shared.setdefault(key, []).append(at)
        for key, found in shared.items():
            if len({own[at] for at in found}) > 1 and holds(found):
                for at in found:
                    keys[at] = key
    return _phones_joined(keys, causes)


def _blocked(cause: Cause, blockers: set[str]) -> Cause:
    """A window of the app's own is in the way where it is known to have been in another test's."""
    return replace(cause, blocker=cause.over) if not cause.blocker and cause.over in blockers else cause


def _is_lost(found: list[int], causes: Sequence[Cause], own: Sequence[Key], usable: frozenset[str]) -> bool:
    """Whether the screen is the reason: too much is missing from it for each to have a reason of its own. Where
    others could use it, that a test expected another screen there says nothing about this one."""
    if causes[found[0]].look not in usable:
        return len({own[at] for at in found}) >= _FEWEST_LOST
    missed = {own[at] for at in found if causes[at].trouble != "screen"}
    return len(missed) >= _FEWEST_LOST_WHERE_USABLE


def _phones_joined(keys: list[Key], causes: Sequence[Cause]) -> list[Key]:
    """A phone that is offline is so in whatever words the next command says it, and all phones that are offline in
    the same words are so for one reason."""
    parent: dict[Key, Key] = {}

    def root(key: Key) -> Key:
        while parent.setdefault(key, key) != key:
            parent[key] = key = parent[parent[key]]
        return key

    offline = [at for at, cause in enumerate(causes) if keys[at][0] == "device" and cause.exception == OFFLINE]
    for at in offline:
        if causes[at].subject:
            first, second = sorted((root(keys[at]), root(("device", OFFLINE, "", causes[at].subject))))
            parent[second] = first
    return [root(key) if key in parent else key for key in keys]
