"""What earlier screens of a session tell the next one: nothing is printed twice for two things."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from .labels import hint_key

if TYPE_CHECKING:
    from ..model.element import Element


class Screen(Protocol):
    """What is remembered of a snapshot."""

    @property
    def screen_key(self) -> str: ...

    @property
    def elements(self) -> tuple[Element, ...]: ...


class Memory:
    """``refs``: the string by which each digest is known; ``digests``: the other way round. ``hints``: labels of
    fields from when they were empty, since some Android versions no longer show them once something is typed.
    ``epochs``: how often each group of look-alikes was seen to change, so that a ref from before such a change
    is never printed again for whichever of them now stands in its place."""

    def __init__(self) -> None:
        self.refs: dict[int, str] = {}
        self.digests: dict[str, int] = {}
        self.hints: dict[str, str] = {}
        self.epochs: dict[int, int] = {}
        self._witnesses: dict[str, Element] = {}
        self._sizes: dict[int, tuple[str, int]] = {}  # by group: the screen it was last seen on, and its size

    def witness(self, ref: str) -> Element | None:
        """The element for which a ref was last printed, without the rest of its screen."""
        return self._witnesses.get(ref)

    def learn(self, screen: Screen) -> None:
        """Takes in what a screen printed."""
        key = screen.screen_key
        sizes: dict[int, int] = {}
        for element in screen.elements:
            self._witnesses[element.ref] = replace(element, family=None, screen_key=key)
            self.refs[element.identity] = element.ref
            self.digests[element.ref] = element.identity
            if element.twins is not None:
                sizes[element.twins.group] = element.twins.size
            if element.states.editable and element.label:
                self.hints[hint_key(element.node)] = element.label
        self._notice_changes(key, sizes)

    def _notice_changes(self, key: str, sizes: dict[int, int]) -> None:
        """A group that is absent from another screen has not changed: it is only not to be seen."""
        for group, (where, size) in self._sizes.items():
            if sizes.get(group, 0 if where == key else size) != size:
                self.epochs[group] = self.epochs.get(group, 0) + 1
        self._sizes = {group: seen for group, seen in self._sizes.items() if seen[0] != key}
        self._sizes.update({group: (key, size) for group, size in sizes.items()})
