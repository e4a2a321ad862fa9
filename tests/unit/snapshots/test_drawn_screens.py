"""What comes out of screens: each rule in a file of drawn screens, with all that a snapshot says of
them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import asdict
from itertools import permutations
from textwrap import indent

from pytest_replicant.errors import SnapshotError, TargetError, UsageError
from pytest_replicant.model import Element, Node, by
from pytest_replicant.snapshots import Memory, Snapshot

from .drawn import cases, drawn
from .screens import SIZE

REF = re.compile(r"\[?\b[a-z]\d{3,15}\b\]? ?")


def shown(text: str) -> str:
    """Without refs."""
    return "\n".join(line.rstrip() for line in REF.sub("", text).splitlines())


def described(element: Element) -> str:
    return shown(element.describe())


def parsed(*screens: str) -> list[Snapshot]:
    return [
        Snapshot.parse(drawn(screen), id=f"s{number}") for number, screen in enumerate(screens, 1)
    ]


@cases("nodes")
def test_what_is_read_of_a_dump(dump: str, nodes: str) -> None:
    """Drawn, or as a phone printed it."""
    assert _read(dump if dump[0] in "<{" else drawn(dump)) == nodes


def _read(dump: str) -> str:
    try:
        return "\n".join(map(_facts, Snapshot.parse(dump).nodes))
    except SnapshotError as refused:
        return str(refused)


def _facts(node: Node) -> str:
    """What is known of it: its place, what it says, its states, and what it can do."""
    says = {
        name: getattr(node, name)
        for name in ("text", "description", "hint", "resource_id", "value", "adjustable")
    }
    known = {
        name: value
        for name, value in {**says, **asdict(node.states)}.items()
        if value not in ("", None)
    }
    can = [
        name
        for name in ("clickable", "long_clickable", "checkable", "visible")
        if getattr(node, name)
    ]
    return f"{node.class_name} {','.join(map(str, node.bounds))} {known} {' '.join(can)}".rstrip()


@cases("outlines")
def test_the_outline_of_a_screen(screen: str, outline: str) -> None:
    [snapshot] = parsed(screen)
    assert shown(snapshot.outline()) == outline


@cases("windows")
def test_the_outline_of_windows_in_any_order(screen: str, outline: str) -> None:
    """Android collects windows in a hash set, and a session knows how large the phone is."""
    for windows in permutations(re.split(r"\n(?=\S)", screen)):
        snapshot = Snapshot.parse(drawn("\n".join(windows)), memory=Memory(upright=SIZE))
        assert shown(snapshot.outline()) == outline


@cases("rows")
def test_the_rows_that_elements_are_in(screen: str, rows: str) -> None:
    [snapshot] = parsed(screen)
    assert "\n".join(map(described, snapshot.elements)) == rows


@cases("roles")
def test_what_a_control_is_for(screen: str, roles: str) -> None:
    [snapshot] = parsed(screen)
    assert "\n".join(map(_role, snapshot.elements)) == roles


def _role(element: Element) -> str:
    can = f"{element.adjustable} {element.supported_actions}"
    return f"{element.class_name}: {element.semantic_role} {element.state_shape} {can}"


@cases("keys")
def test_whether_two_screens_are_the_same_one(one: str, other: str, compared: str) -> None:
    was, now = parsed(one, other)
    screen = "the same screen" if was.screen_key == now.screen_key else "another screen"
    content = "the same content" if was.fingerprint == now.fingerprint else "other content"
    assert f"{screen}, {content}" == compared


@cases("diffs")
def test_what_changed_between_two_screens(before: str, after: str, difference: str) -> None:
    was, now = parsed(before, after)
    assert shown(str(now.diff(was))) == difference


@cases("located")
def test_where_the_elements_of_a_screen_are_on_a_later_one(
    before: str, after: str, verdicts: str
) -> None:
    assert "\n".join(_verdicts(*parsed(before, after))) == verdicts


def _verdicts(then: Snapshot, now: Snapshot) -> Iterator[str]:
    """Each as a session knows it: without its snapshot."""
    for was in then.elements:
        located = now.locate(was.remembered(then.traits))
        reprinted = (
            ", with another ref"
            if located.element is not None and located.element.ref != was.ref
            else ""
        )
        yield f"{described(was)}: {located.verdict}, {shown(located.reason)}{reprinted}"
        if located.element is None and located.nearest:
            yield f"  nearest: {', '.join(map(described, located.nearest))}"
        if located.element is not None and described(located.element) != described(was):
            yield f"  -> {described(located.element)}"


@cases("lookups")
def test_what_selectors_find_and_what_is_said_where_they_find_none(
    screen: str, answers: str
) -> None:
    [snapshot] = parsed(screen)
    selectors = [line for line in answers.splitlines() if line.startswith("by(")]
    assert (
        "\n".join(f"{each}\n{indent(_answer(snapshot, each), '  ')}" for each in selectors)
        == answers
    )


def _answer(snapshot: Snapshot, selector: str) -> str:
    try:
        return described(snapshot.one(eval(selector, {"by": by, "re": re})))
    except (TargetError, UsageError) as error:
        return shown(str(error))


@cases("proposals")
def test_what_is_proposed_to_write_down(screen: str, proposals: str) -> None:
    assert "\n".join(_proposed(*parsed(screen))) == proposals


@cases("proposals_elsewhere")
def test_what_is_proposed_to_write_down_where_another_screen_is_known(
    screen: str, other: str, proposals: str
) -> None:
    assert "\n".join(_proposed(*parsed(screen, other))) == proposals


def _proposed(snapshot: Snapshot, *others: Snapshot) -> Iterator[str]:
    for element in (*snapshot.elements, *snapshot.headings):
        yield described(element)
        for purpose in ("action", "check"):
            proposal = snapshot.selector(element.ref, also=others, purpose=purpose)
            yield f"  {purpose}: {proposal.code}"
            yield from (f"    {warning}" for warning in proposal.warnings)


@cases("touched")
def test_what_takes_a_touch_that_is_meant_for_an_element(screen: str, covers: str) -> None:
    [snapshot] = parsed(screen)
    assert "\n".join(_covers(snapshot)) == covers


def _covers(snapshot: Snapshot) -> Iterator[str]:
    for element in snapshot.elements:
        part, covers = snapshot.reach(element)
        seen = "" if part == element.bounds else f" is seen at {','.join(map(str, part))}"
        over = [f"{cover.kind} {','.join(map(str, cover.bounds))}" for cover in covers]
        yield f"{described(element)}{seen}: {', '.join(over) or 'free'}"
