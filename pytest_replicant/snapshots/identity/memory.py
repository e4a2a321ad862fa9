"""What earlier screens of a session tell the next one: nothing is printed twice for two things."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from ..naming.labels import hint_key
from ..text.words import clean
from .locate import ACTED_ON, called, judge

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ...model import Element, ScreenTraits
    from .locate import Here


Name = tuple[object, ...]
"""Class and name, as ``called`` gives them."""


class Screen(Protocol):
    """What is remembered of a snapshot."""

    @property
    def screen_key(self) -> str: ...

    @property
    def traits(self) -> ScreenTraits: ...

    @property
    def elements(self) -> tuple[Element, ...]: ...


class Memory:
    """``refs``: the string by which each digest is known; ``digests``: the other way round. ``hints``: labels of
    fields from when they were empty, since some Android versions no longer show them once something is typed."""

    def __init__(self) -> None:
        self.refs: dict[int, str] = {}
        self.digests: dict[str, int] = {}
        self.hints: dict[str, str] = {}
        self._witnesses: dict[int, Element] = {}
        self._epochs: dict[int, int] = {}  # by what was digested: how often it came to mean something else
        self._origins: dict[int, int] = {}  # what was digested, by the digest of a later epoch
        self._groups: dict[int, tuple[str, frozenset[int]]] = {}  # look-alikes: the screen they were seen on

    def witness(self, ref: str) -> Element | None:
        """The element for which a ref was last printed, without the rest of its screen."""
        return self._witnesses.get(self.digests.get(ref, -1))

    def renewed(self, digest: int) -> int:
        """The digest to print: another one where what was printed for this one is known to be something else."""
        epoch = self._epochs.get(digest)
        if epoch is None:
            return digest
        from .digest import digest as digest_of  # xxhash is loaded by the first screen

        later = digest_of((str(digest), str(epoch)))
        self._origins[later] = digest
        return later

    def disowned(self, here: Here) -> bool:
        """Whether something on this screen bears the digest of what it is not, so that it has to be printed anew:
        the ref that a test took from an earlier outline must not come to mean another element."""
        others = [
            element.identity
            for element in here.elements
            if (witness := self._witnesses.get(element.identity)) is not None
            and judge(witness, element, here)[0] not in ACTED_ON
        ]
        self._start_epoch(others)
        return bool(others)

    def learn(self, screen: Screen) -> None:
        """Takes in what a screen printed."""
        key, traits = screen.screen_key, screen.traits
        groups: dict[int, set[int]] = {}
        for element in screen.elements:
            self._witnesses[element.identity] = replace(
                element, family=None, screen=traits, kept_anchors=element.anchors
            )
            self.refs[element.identity] = element.ref
            self.digests[element.ref] = element.identity
            if element.twins is not None:
                groups.setdefault(element.twins.group, set()).add(element.identity)
            # A caption or a hint that is reported will be there again; only what the text showed will not.
            if element.states.editable and element.label and element.label == clean(element.text):
                self.hints[hint_key(element.node)] = element.label
        counts = Counter(called(element) for element in screen.elements)
        self._notice_changes(key, {group: frozenset(members) for group, members in groups.items()}, counts)

    def _notice_changes(
        self, key: str, now: dict[int, frozenset[int]], counts: Counter[tuple[object, ...]]
    ) -> None:
        """A group that was seen larger or smaller will not be known by its order again. One that is absent from
        another screen has not changed, it is only not to be seen; nor has one of as many as before, which only
        belong to another heading now."""
        for group, (where, members) in self._groups.items():
            there = now.get(group, frozenset() if where == key else members)
            if len(there) == len(members):
                continue
            for digest in members:
                witness = self._witnesses[digest]
                if witness.order is None or witness.order[1] != counts[called(witness)]:
                    self._witnesses[digest] = replace(witness, order=None)
                    self._start_epoch([digest])
        self._groups = {group: seen for group, seen in self._groups.items() if seen[0] != key}
        self._groups.update({group: (key, members) for group, members in now.items()})

    def _start_epoch(self, digests: Iterable[int]) -> None:
        for digest in digests:
            origin = self._origins.get(digest, digest)
            self._epochs[origin] = self._epochs.get(origin, 0) + 1
