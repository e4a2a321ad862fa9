"""What comes out of a screen: its outline, the rows of its elements, what is another one now, and where it is."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pytest_replicant.model import Element
from pytest_replicant.snapshots import Snapshot

from .drawn import cases, drawn

REF = re.compile(r"\[?\b[a-z]\d{3,15}\b\]? ?")


def shown(text: str) -> str:
    """Without refs."""
    return "\n".join(line.rstrip() for line in REF.sub("", text).splitlines())


def described(elements: tuple[Element, ...]) -> list[str]:
    return [shown(element.describe()) for element in elements]


@cases("outlines")
def test_the_outline_of_a_screen(screen: str, outline: str) -> None:
    assert shown(Snapshot.parse(drawn(screen)).outline()) == outline


@cases("rows")
def test_the_rows_that_elements_are_in(screen: str, rows: str) -> None:
    assert described(Snapshot.parse(drawn(screen)).elements) == rows.splitlines()


@cases("diffs")
def test_what_changed_between_two_screens(before: str, after: str, difference: str) -> None:
    then, now = Snapshot.parse(drawn(before)), Snapshot.parse(drawn(after), id="s1")
    assert shown(str(now.diff(then))) == difference


@cases("located")
def test_where_the_elements_of_a_screen_are_on_a_later_one(before: str, after: str, verdicts: str) -> None:
    then, now = Snapshot.parse(drawn(before)), Snapshot.parse(drawn(after), id="s1")
    assert list(_verdicts(then, now)) == verdicts.splitlines()


def _verdicts(then: Snapshot, now: Snapshot) -> Iterator[str]:
    """Each as a session knows it: without its snapshot."""
    for was in then.elements:
        located = now.locate(was.remembered(then.traits))
        [description] = described((was,))
        yield f"{description}: {located.verdict}, {shown(located.reason)}"
        if located.element is None and located.nearest:
            yield f"  nearest: {', '.join(described(located.nearest))}"
        if located.element is not None and described((located.element,)) != [description]:
            yield f"  -> {described((located.element,))[0]}"
