"""Class chains: ``**/XCUIElementTypeCell[`label BEGINSWITH 'A'`][2]/XCUIElementTypeButton``.

``/`` goes to the children, ``**/`` to all that is below. Predicates stand in back ticks; between
dollar signs they are about something below the element. A number picks from all that the step has
found: 1 is the first, -1 the last.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .attributes import read
from .failures import WdaError, invalid_selector
from .predicate import Test, parse_predicate

if TYPE_CHECKING:
    from ..renderers.xcuitest import XCElement

_TYPE = re.compile(r"\*|XCUIElementType[A-Za-z]+")
_NUMBER = re.compile(r"\[\s*([+-]?\d{1,9})\s*\]")
_QUOTED = re.compile(r"\[\s*([`$])((?:[^`$]|\1\1|(?!\1)[`$])*)\1\s*\]", re.DOTALL)
ANY = ("*", "XCUIElementTypeAny")


@dataclass(frozen=True)
class Step:
    """One step of a chain. ``own`` are predicates about the element, ``inner`` about something
    below it."""

    type: str
    descendant: bool
    own: tuple[Test, ...] = ()
    inner: tuple[Test, ...] = ()
    position: int = 0  # 0 for all

    def of(self, roots: Iterable[XCElement]) -> list[XCElement]:
        found = [element for element in self._candidates(roots) if self._matches(element)]
        if not self.position:
            return found
        index = self.position - 1 if self.position > 0 else len(found) + self.position
        return found[index : index + 1] if index >= 0 else []

    def _candidates(self, roots: Iterable[XCElement]) -> list[XCElement]:
        seen: dict[int, XCElement] = {}
        for root in roots:
            below = root.walk() if self.descendant else iter(root.children)
            seen.update((id(each), each) for each in below if each is not root)
        return list(seen.values())

    def _matches(self, element: XCElement) -> bool:
        if self.type not in ANY and element.full_type != self.type:
            return False
        return all(holds(test, element) for test in self.own) and all(
            any(holds(test, each) for each in element.walk() if each is not element)
            for test in self.inner
        )


def holds(test: Test, element: XCElement) -> bool:
    return test(lambda name: read(element, name))


def find_chain(chain: str, root: XCElement) -> list[XCElement]:
    """What a chain leads to from ``root``, in document order; raises ``WdaError`` where it is no
    chain."""
    found = [root]
    for step in parse_chain(chain):
        found = step.of(found)
    return found


def parse_chain(chain: str) -> list[Step]:
    """Raises ``WdaError`` (invalid selector) where it is no chain."""
    steps: list[Step] = []
    at = 0
    while at < len(chain) or not steps:
        if steps:
            if chain[at] != "/":
                raise _unparsable(chain, at)
            at += 1
        descendant = chain.startswith("**/", at)
        at += 3 if descendant else 0
        found = _TYPE.match(chain, at)
        if found is None:
            raise _unparsable(chain, at)
        step, at = _bracketed(chain, found.end(), Step(found[0], descendant))
        steps.append(step)
    return steps


def _bracketed(chain: str, at: int, step: Step) -> tuple[Step, int]:
    """The step with the predicates and the number that follow, and where they end."""
    own, inner, position = list(step.own), list(step.inner), 0
    while at < len(chain) and chain[at] == "[":
        number, quoted = _NUMBER.match(chain, at), _QUOTED.match(chain, at)
        if number is not None and not position and int(number[1]):
            position, at = int(number[1]), number.end()
        elif (
            quoted is not None and not position
        ):  # a number picks from what the predicates leave: it comes last
            mark = quoted[1]
            test = parse_predicate(quoted[2].replace(mark * 2, mark))
            (own if mark == "`" else inner).append(test)
            at = quoted.end()
        else:
            raise _unparsable(chain, at)
    return Step(step.type, step.descendant, tuple(own), tuple(inner), position), at


def _unparsable(chain: str, at: int) -> WdaError:
    return invalid_selector(
        f'Cannot parse class chain query "{chain}": unexpected "{chain[at : at + 20]}" at {at}'
    )
