"""Refs: who an element is, as a digest, and how the digest is printed."""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..model.geometry import Rect

_DIGITS = 15
_FEWEST = 3


@dataclass(frozen=True, slots=True)
class Likeness:
    """What is known of an element that outlives its place. ``name`` is its label, or the first part of a
    label put together from several; ``title`` and ``context`` likewise of the row it sits in. ``bounds``
    only orders look-alikes."""

    class_name: str
    resource_id: str
    name: str
    label: str
    title: str
    context: str
    bounds: Rect


@dataclass(frozen=True, slots=True)
class Identity:
    """``fragile``: told apart from look-alikes only by order."""

    digest: int
    fragile: bool


def identify(elements: Sequence[Likeness]) -> list[Identity]:
    """One identity each, from the first tier of traits that no other element of the screen shares."""
    from .digest import digest  # xxhash is loaded by the first screen

    tiers = [_tiers(element) for element in elements]
    seen = Counter(key for keys in tiers for key in set(keys))
    unique = [next((key for key in keys if seen[key] == 1), None) for keys in tiers]
    groups: dict[tuple[str, ...], list[int]] = {}
    for number, key in enumerate(unique):
        if key is None:
            groups.setdefault(_last(elements[number]), []).append(number)
    identities = [Identity(digest(key), False) if key else Identity(0, True) for key in unique]
    for key, members in groups.items():
        members.sort(key=lambda number: (elements[number].bounds.top, elements[number].bounds.left))
        for place, number in enumerate(members):
            identities[number] = Identity(digest((*key, str(place), str(len(members)))), True)
    return identities


def print_refs(digests: Sequence[int], printed: Mapping[str, int]) -> list[str]:
    """The shortest refs that are distinct here and contradict none of ``printed`` (ref to digest)."""
    full = [(_letter(digest), _digits(digest)) for digest in digests]
    kept = [_printed_before(digest, *name, printed) for digest, name in zip(digests, full, strict=True)]
    order = sorted(range(len(full)), key=full.__getitem__)
    needed = [_FEWEST] * len(full)
    for one, other in itertools.pairwise(order):
        shared = _shared(full[one], full[other]) + 1
        needed[one], needed[other] = max(needed[one], shared), max(needed[other], shared)
    refs: list[str] = []
    for number, digest in enumerate(digests):
        letter, digits = full[number]
        length = needed[number]
        while length < _DIGITS and printed.get(letter + digits[:length], digest) != digest:
            length += 1
        refs.append(kept[number] or letter + digits[:length])
    return refs


def is_ref(text: str) -> bool:
    """Whether a string has the form of a ref, such as ``k427``."""
    digits = text[1:]
    fits = _FEWEST <= len(digits) <= _DIGITS
    return fits and "a" <= text[0] <= "z" and digits.isascii() and digits.isdigit()


def _tiers(one: Likeness) -> list[tuple[str, ...]]:
    keys: list[tuple[str, ...]] = []
    if one.resource_id:
        keys.append(("id", one.resource_id, one.class_name))
    if one.name:
        keys.append(("name", one.class_name, one.name))
    if one.label != one.name:
        keys.append(("label", one.class_name, one.label))
    if one.title and (one.name or one.resource_id):
        keys.append(("title", one.class_name, one.resource_id, one.name, one.title))
        if one.context != one.title or one.label != one.name:
            keys.append(("context", one.class_name, one.resource_id, one.label, one.context))
    return keys


def _last(one: Likeness) -> tuple[str, ...]:
    return ("alike", one.class_name, one.resource_id, one.label, one.context)


def _letter(digest: int) -> str:
    return chr(ord("a") + digest % 26)


def _digits(digest: int) -> str:
    return f"{digest // 26 % 10**_DIGITS:0{_DIGITS}d}"


def _shared(one: tuple[str, str], other: tuple[str, str]) -> int:
    """How many digits two refs have in common from the left; -1 when their letters differ."""
    if one[0] != other[0]:
        return -1
    return next((n for n, (a, b) in enumerate(zip(one[1], other[1], strict=True)) if a != b), _DIGITS - 1)


def _printed_before(digest: int, letter: str, digits: str, printed: Mapping[str, int]) -> str:
    """The shortest string that already stood for this digest, so that it keeps standing for it."""
    if not printed:
        return ""
    lengths = range(_FEWEST, _DIGITS + 1)
    return next((letter + digits[:n] for n in lengths if printed.get(letter + digits[:n]) == digest), "")
