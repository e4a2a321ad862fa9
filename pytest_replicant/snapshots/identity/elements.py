"""Elements built from labelled nodes, and a session's memory of the refs that it printed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Protocol

from ...model import Element, Family, ScreenTraits, leading
from ..labels.labels import Held, held_by, hint_key, labels_of_row
from ..labels.rows import Labels
from ..parsers.roles import meaning_of
from ..screen.layout import Layout, scrolls
from ..screen.windows import NOTHING, Past
from ..text import clean
from .cards import Cards
from .locate import ACTED_ON, Here, called, judge
from .refs import Likeness, Surroundings, identify, print_refs
from .refs import digest as digest_of

_MOST_IN_CONTEXT = 4  # labels of a row that name its content


def build(
    around: Surroundings, family: Family, snapshot_id: str, reports_hints: bool, memory: Memory | None
) -> tuple[Element, ...]:
    """Builds the addressable elements in document order: controls, and labels that stand alone."""
    layout, labels = around.layout, around.labels
    indexes = _addressable(layout, labels)
    memory = memory or Memory()
    folded, named = labels.folded, labels.label
    holds = [held_by(layout.nodes[i], layout, named[i], folded.get(i, ()), reports_hints) for i in indexes]
    cards = Cards(layout, labels, around.title, *_in_fields(indexes, holds, layout, memory))
    rows = {row: labels_of_row(row, layout, labels) for row in {labels.row_of(layout.nodes[i]) for i in indexes}}
    rows.update({row: () for row in rows if row >= 0 and not (around.listed[row] or cards.is_row(row))})
    likenesses = [
        _likeness(index, layout, labels, rows[labels.row_of(layout.nodes[index])], held.value)
        for index, held in zip(indexes, holds, strict=True)
    ]
    identities = identify(likenesses, around)
    digests = [memory.printable_digest(identity.digest) for identity in identities]
    refs = print_refs(digests, memory.digests, memory.refs)
    found: list[Element] = []
    for likeness, held, identity, digest, ref in zip(likenesses, holds, identities, digests, refs, strict=True):
        node = layout.nodes[likeness.index]
        role = meaning_of(node)
        found.append(
            Element(
                ref=ref,
                identity=digest,
                fragile=identity.twins is not None,
                label=labels.label[node.index],
                node=node,
                snapshot_id=snapshot_id,
                context=likeness.context,
                row=rows[labels.row_of(node)],
                card=None if rows[labels.row_of(node)] else cards.of(node.index),
                value=held.value,
                value_range=held.range,
                semantic_role=role.name,
                supported_actions=role.actions,
                adjustable=role.adjustable,
                state_shape=role.shape,
                folded=tuple(labels.folded.get(node.index, ())),
                section=identity.section,
                ids=identity.ids,
                order=identity.order,
                twins=identity.twins,
                family=family,
            )
        )
    return tuple(sorted(found, key=lambda element: layout.stack.place(element.node)))


def _addressable(layout: Layout, labels: Labels) -> list[int]:
    return [
        index
        for index, shown in enumerate(layout.shown)
        if shown and (labels.controls[index] or (labels.own[index] and labels.owner[index] < 0))
    ]


def _in_fields(
    indexes: Iterable[int], holds: Iterable[Held], layout: Layout, memory: Memory
) -> tuple[dict[int, str], list[str]]:
    """Returns what fields hold that the app itself put there, as far as is known, and what any of them holds: what
    a field held while it had the keyboard was typed, and says nothing about whose field it is."""
    found: dict[int, str] = {}
    every: list[str] = []
    for index, held in zip(indexes, holds, strict=True):
        node = layout.nodes[index]
        if node.states.editable and isinstance(held.value, str):
            every.append(held.value)
            place = hint_key(node), held.value
            if node.states.focused or (node.states.focused is None and layout.stack.keyboard is not None):
                memory.typed.add(place)
            if place not in memory.typed:
                found[index] = held.value
    return found, every


def _likeness(index: int, layout: Layout, labels: Labels, row: tuple[str, ...], held: object) -> Likeness:
    """Returns the lasting traits of an element. A drop-down named only by its choice has no name: a choice lasts
    no longer than typed text."""
    node = layout.nodes[index]
    label = labels.label[index]
    if label and label == held and meaning_of(node).name == "dropdown":
        label = ""
    name = leading(label, labels.folded.get(index, ()))
    nameless_pane = not (name or node.resource_id) and scrolls(node)
    kind = f"{node.class_name} pane" if nameless_pane else node.class_name
    title, context = (row[0], " ".join(row[:_MOST_IN_CONTEXT])) if row else ("", "")
    return Likeness(kind, node.resource_id, name, label, title, context, node.bounds, index)


class Screen(Protocol):
    """The part of a snapshot that a session remembers."""

    elements: tuple[Element, ...]

    dialog: str | None

    @property
    def past(self) -> Past: ...

    @property
    def screen_key(self) -> str: ...

    @property
    def traits(self) -> ScreenTraits: ...


class Memory:
    """A session's memory of its screens. ``refs`` holds the printed string of each digest, ``digests`` the
    reverse. ``hints`` holds labels of fields from when they were empty: some Android versions hide them once
    something is typed. ``past`` is the screen before."""

    def __init__(self, upright: tuple[int, int] | None = None) -> None:
        self.past = Past(upright=upright)
        self.refs: dict[int, str] = {}
        self.digests: dict[str, int] = {}
        self.hints: dict[str, str] = {}
        self.typed: set[tuple[str, str]] = set()  # by ``hint_key``: what fields held that had the keyboard
        self._witnesses: dict[int, Element] = {}
        self._epochs: dict[int, int] = {}  # by what was digested: how often it came to mean something else
        self._origins: dict[int, int] = {}  # what was digested, by the digest of a later epoch
        self._open: tuple[ScreenTraits, frozenset[int]] | None = None  # a dialog, and the elements on it
        self._groups: dict[int, tuple[str, frozenset[int]]] = {}  # look-alikes: the screen they were seen on

    def witness(self, ref: str) -> Element | None:
        """Returns the element for which a ref was last printed, without the rest of its screen."""
        return self._witnesses.get(self.digests.get(ref, -1))

    def printable_digest(self, digest: int) -> int:
        """Returns the digest to print: another one where the printed element is known to be a different one."""
        epoch = self._epochs.get(digest)
        if epoch is None:
            return digest
        later = digest_of((str(digest), str(epoch)))
        self._origins[later] = digest
        return later

    def has_ref_conflict(self, here: Here) -> bool:
        """Whether an element of this screen bears the digest of a different element, so that refs must be printed
        again: the ref that a test took from an earlier outline must not come to mean another element."""
        others = [
            element.identity
            for element in here.elements
            if (witness := self._witnesses.get(element.identity)) is not None
            and judge(witness, element, here)[0] not in ACTED_ON
        ]
        self._start_epoch(others)
        return bool(others)

    def learn(self, screen: Screen) -> None:
        """Remembers the elements and refs of a printed screen."""
        key, traits, past = screen.screen_key, screen.traits, screen.past
        self._close_dialog(traits)
        window = self.past.window if past.window == NOTHING.window and past.app == self.past.app else past.window
        self.past = Past(past.app, window, self.past.upright)
        groups: dict[int, set[int]] = {}
        for element in screen.elements:
            self._witnesses[element.identity] = element.remembered(traits)
            self.refs[element.identity] = element.ref
            self.digests[element.ref] = element.identity
            if element.twins is not None:
                groups.setdefault(element.twins.group, set()).add(element.identity)
            # A caption or a hint that is reported will be there again; only what the text showed will not.
            if element.states.editable and element.label and element.label == clean(element.text):
                self.hints[hint_key(element.node)] = element.label
        if screen.dialog is not None:
            self._open = (traits, frozenset(element.identity for element in screen.elements))
        counts = Counter(called(element) for element in screen.elements)
        self._notice_changes(key, {group: frozenset(members) for group, members in groups.items()}, counts)

    def _close_dialog(self, now: ScreenTraits) -> None:
        """Ends the refs of the dialog that was open, once a read does not show it: one that opens later is another
        one, whatever it says."""
        if self._open is None or not self._open[0].differ_on_top(now):
            return
        for digest in self._open[1]:
            witness = self._witnesses[digest]
            if witness.screen is not None:
                ended = replace(witness.screen, closed=True, unseen=now.covered and now.app != witness.screen.app)
                self._witnesses[digest] = replace(witness, screen=ended)
        self._start_epoch(self._open[1])
        self._open = None

    def _notice_changes(
        self, key: str, now: dict[int, frozenset[int]], counts: Counter[tuple[object, ...]]
    ) -> None:
        """Marks groups of look-alikes whose size changed: their order no longer identifies a member. A group
        absent from another screen has not changed, it is only out of sight; nor has one of equal size that only
        belongs to another heading now."""
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
