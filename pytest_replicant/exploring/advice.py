"""What a session says of a step beyond the message of its failure: what to do next, and by which words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from ..errors import UsageError
from ..model import Element, FailureRecord, Proposals, Screen, Selector, Strings, is_ref
from ..snapshots import Snapshot
from ..test_code import Call, read_step


def by_role(selector: Selector, element: Element, home: Snapshot, also: Sequence[Snapshot]) -> Selector:
    """The selector by a role in place of a class, which differs by platform, if it means the same."""
    if selector.class_name is None or element.semantic_role is None:
        return selector
    by_role = replace(selector, class_name=None, role=element.semantic_role)
    same = all(screen.match(by_role) == screen.match(selector) for screen in (home, *also))
    return by_role if same else selector


def texts_of(target: Any) -> Iterator[str]:
    """The texts by which a selector chooses."""
    if isinstance(target, Selector):
        for name, value in target.given():
            if isinstance(value, Selector):
                yield from texts_of(value)
            elif name in ("text", "text_contains", "description") and isinstance(value, str):
                yield value


def candidates_of(record: FailureRecord) -> Strings:
    """Each element that was meant as well, by its ref and what differs."""
    return tuple(f'[{one.ref}] row "{one.context}"' if one.context else f"[{one.ref}]" for one in record.matches)


def advised(call: Call, proposals: Proposals) -> tuple[str, str]:
    """The best proposal as it is written, and the step that it is, which can be done as it stands; "" if it is
    none. The keywords of a locator go into the call."""
    if not proposals:
        return "", ""
    best = proposals[0]
    if isinstance(best, str):
        return best, ""
    with suppress(UsageError):
        if best.locator is None:
            step, rest = read_step(best.call).code(), best.rest.strip(" ,;")
            return f"{step}  # {rest}" if rest else step, step
        if not call.is_check:
            given = dict(best.locator.given())
            if "text_matches" in given:
                given["text"] = given.pop("text_matches")  # as a test writes it
            mine = {name: value for name, value in call.keywords.items() if name != "nth"}
            keywords = {**mine, **given} if mine or "text" in given else {}
            step = replace(call.alone, args=(), keywords=keywords).code()
            return step, step
    return str(best), ""


def seen_again(call: Call, screens: Sequence[Snapshot], now: Snapshot | None) -> str:
    """The step with the ref that its element has by now, for one whose ref is not on the screen any more; "" where
    no other or more than one is called the same."""
    old = next((one for one in call.targets() if isinstance(one, str) and is_ref(one)), None)
    was = next((each for screen in reversed(screens) for each in screen.elements if each.ref == old), None)
    if now is None or was is None or not was.label:
        return ""
    same = [one for one in now.elements if (one.class_name, one.label) == (was.class_name, was.label)]
    if len(same) != 1 or same[0].ref == old:
        return ""
    args = tuple(same[0].ref if one == old else one for one in call.args)
    return replace(call.alone, args=args).code()


def strings_of(value: Any) -> Iterator[str]:
    """Every text in a call, its checks included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Call):
        yield from (
            text for one in (*value.args, *value.keywords.values(), *value.checks) for text in strings_of(one)
        )
    elif isinstance(value, Selector):
        yield from (text for _, one in value.given() for text in strings_of(one))
    elif isinstance(value, Screen):
        yield from (text for one in (value.name, *value.has, *value.lacks) for text in strings_of(one))
    elif isinstance(value, re.Pattern):
        yield str(value.pattern)
    elif isinstance(value, (list, tuple)):
        yield from (text for one in value for text in strings_of(one))
