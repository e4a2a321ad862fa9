"""Elements built from labelled nodes, and a session's memory of the refs that it printed."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import compress
from typing import NamedTuple, Protocol

from ...model import Element, Family, Picture, ScreenTraits, Strings, grouped, joined
from ..labels.labels import Held, held_by, hint_key
from ..labels.rows import Labels
from ..parsers.hierarchy import LastRead
from ..parsers.roles import meaning_of
from ..screen.layout import Layout, scrolls
from ..screen.windows import NOTHING, Past
from ..text import clean
from .cards import Cards
from .evidence import Here, called, names_in
from .locate import is_other
from .picture import became_another
from .refs import Identity, Likeness, Surroundings, identify, print_refs, tally
from .refs import digest as digest_of

_MOST_IN_CONTEXT = 4  # labels of a row that name its content


class Draft(NamedTuple):
    """An element before it is printed."""

    likeness: Likeness
    row: Row
    held: Held
    identity: Identity


def describe(
    around: Surroundings, reports_hints: bool, memory: Memory
) -> tuple[list[Draft], Cards]:
    """Describes the addressable elements in document order: controls, and labels that stand
    alone."""
    labels, nodes, named = around.labels, around.layout.nodes, around.labels.label
    free = [labels.owner[i] < 0 and label != "" for i, label in enumerate(labels.own)]
    shown = compress(range(len(nodes)), around.layout.shown)
    indexes = [i for i in shown if labels.controls[i] or free[i]]
    holds = [held_by(nodes[i], labels, reports_hints) for i in indexes]
    fields = _in_fields(indexes, holds, around.layout, memory)
    cards = memory.cards = Cards(around, *fields, memory.cards)
    outer = [labels.row_of(nodes[index]) for index in indexes]
    inner = [index for index in indexes if not named[index] and labels.rows[index] == index]
    rows = _rows({*outer, *inner}, around, cards)
    wordy = {index for index in inner if rows[index].words}  # only what it holds can name it
    row_of = [index if index in wordy else row for index, row in zip(indexes, outer, strict=True)]
    folded = labels.folded.items()
    joins = {index: parts for index, parts in folded if parts and named[index] == joined(parts)}
    names = _names(joins, around)
    found = [rows[row] for row in row_of]
    likenesses = [
        _likeness(index, labels, names.get(index, ""), row, held.value)
        for index, row, held in zip(indexes, found, holds, strict=True)
    ]
    return list(map(Draft, likenesses, found, holds, identify(likenesses, around))), cards


def build(
    drafts: Sequence[Draft], around: Surroundings, family: Family, snapshot_id: str, memory: Memory
) -> tuple[Element, ...]:
    """Builds the elements, each with its ref."""
    labels, stack = around.labels, around.layout.stack
    digests = [memory.printable_digest(draft.identity.digest) for draft in drafts]
    refs = print_refs(digests, memory.digests, memory.refs)
    found: list[Element] = []
    for (likeness, row, held, identity), digest, ref in zip(drafts, digests, refs, strict=True):
        node = labels.nodes[likeness.index]
        role = meaning_of(node)
        found.append(
            Element(
                ref=ref,
                identity=digest,
                fragile=identity.twins is not None,
                label=labels.label[node.index],
                named=likeness.name if likeness.name != likeness.label else "",
                node=node,
                snapshot_id=snapshot_id,
                context=likeness.context,
                row=row.words,
                apart=row.apart,
                value=held.value,
                value_range=held.range,
                semantic_role=role.name,
                supported_actions=role.actions,
                adjustable=role.adjustable,
                state_shape=role.shape,
                folded=tuple(labels.folded.get(node.index, ())),
                borrowed=labels.borrowed.get(node.index, ""),
                section=identity.section,
                ids=identity.ids,
                order=identity.order,
                twins=identity.twins,
                family=family,
            )
        )
    if len(stack.others) > 1:
        found.sort(key=lambda element: stack.place(element.node))
    return tuple(found)


class Row(NamedTuple):
    """The words of a row, its title first. ``apart`` are those that no other row has, its controls'
    too; ``context`` are the first ones as they stand."""

    words: Strings = ()
    apart: Strings = ()
    context: str = ""


def _rows(indexes: set[int], around: Surroundings, cards: Cards) -> dict[int, Row]:
    """Returns the words of each row, by its node. Where the labels that stand in a row do not tell
    it from others, those of its controls do, if no other row has them."""
    labels = around.labels
    rows = [row for row in indexes if row >= 0 and (around.listed[row] or cards.is_row(row))]
    found = {row: labels.of_row(row) for row in rows}
    touched = {row: labels.touched_in(row) for row in rows}
    says = {row: {*found[row], *touched[row]} for row in rows}
    outer = {row: says.get(labels.row_of(labels.nodes[row]), set()) for row in rows}
    said = tally(label for row in rows for label in says[row] - outer[row])
    kinds = {row: _kind_of_row(row, around) for row in rows}
    peers = tally(kinds.values())
    own: dict[int, list[str]] = {}
    for row, kind in kinds.items():
        tells = peers[kind] > 1 or not found[row]
        own[row] = [one for one in touched[row] if tells and said[one] == 1]
    titles = _names({row: (*words, *own[row]) for row, words in found.items()}, around)
    alike = tally(map(names_in, found.values()))
    described: defaultdict[int, Row] = defaultdict(Row)
    for row, words in found.items():
        names = names_in(words)
        more = () if names and alike[names] == 1 else own[row]
        as_they_stand = tuple(dict.fromkeys((*words, *more)))
        words = tuple(dict.fromkeys((titles[row], *as_they_stand))) if row in titles else ()
        apart = dict.fromkeys([*(one for one in words if said[one] == 1), *own[row]])
        context = " ".join(as_they_stand[:_MOST_IN_CONTEXT])
        described[row] = Row(words, tuple(apart), context)
    return described


def _names(words: Mapping[int, Sequence[str]], around: Surroundings) -> dict[int, str]:
    """Returns of the words of each row, by its node, the one that names it. Many rows begin with a
    rank, a time, a sign: it is the first one that is no such mark in most rows of as many words."""
    alike = grouped(
        ((_kind_of_row(index, around), len(said)), index) for index, said in words.items() if said
    )
    found: dict[int, str] = {}
    for rows in alike.values():
        columns = zip(*(words[row] for row in rows), strict=True)
        place = next((place for place, column in enumerate(columns) if _tells(column)), 0)
        for row in rows:
            named = names_in(words[row][place:]) or names_in(words[row])
            found[row] = named[0] if named else words[row][place]
    return found


def _kind_of_row(index: int, around: Surroundings) -> tuple[object, ...]:
    node = around.layout.nodes[index]
    return around.place(index), node.class_name, node.resource_id


def _tells(column: Sequence[str]) -> bool:
    """Whether most of the words are names that only one row has: "Yesterday" stands among times,
    and "Read" in many rows. Of two rows, both may have one name."""
    names, counts = names_in(column), tally(column)
    if len(names) == len(column) <= 2:
        return True
    return 2 * sum(counts[name] == 1 for name in names) > len(column)


def _in_fields(
    indexes: Iterable[int], holds: Iterable[Held], layout: Layout, memory: Memory
) -> tuple[dict[int, str], list[str]]:
    """Returns what fields hold that the app itself put there, as far as is known, and what any of
    them holds: what a field held while it had the keyboard was typed, and says nothing about whose
    field it is."""
    found: dict[int, str] = {}
    every: list[str] = []
    for index, held in zip(indexes, holds, strict=True):
        node = layout.nodes[index]
        if node.states.editable and isinstance(held.value, str):
            every.append(held.value)
            place = hint_key(node), held.value
            focused = node.states.focused
            if focused or (focused is None and layout.stack.keyboard):
                memory.typed.add(place)
            if place not in memory.typed:
                found[index] = held.value
    return found, every


def _likeness(index: int, labels: Labels, name: str, row: Row, held: object) -> Likeness:
    """Returns the lasting traits of an element. A drop-down named only by its choice has no name: a
    choice lasts no longer than typed text."""
    node, label = labels.nodes[index], labels.label[index]
    if label and label == held and meaning_of(node).name == "dropdown":
        label = name = ""
    name = name or label
    kind = node.class_name
    if not (name or node.resource_id) and scrolls(node):
        kind += " pane"
    title = row.words[0] if row.words else ""
    return Likeness(kind, node.resource_id, name, label, title, row.context, node.bounds, index)


class Screen(Protocol):
    """The part of a snapshot that a session remembers."""

    elements: tuple[Element, ...]
    headings: tuple[Element, ...]

    dialog: str | None

    @property
    def past(self) -> Past: ...

    @property
    def screen_key(self) -> str: ...

    @property
    def traits(self) -> ScreenTraits: ...


MOST_KEPT = 20_000
"""Elements that a session remembers, each about 2 kB."""


class Memory:
    """A session's memory of its screens. ``refs`` holds the printed string of each digest,
    ``digests`` the reverse. ``hints`` holds labels of fields from when they were empty: some
    Android versions hide them once something is typed. ``past`` is the screen before."""

    def __init__(self, upright: tuple[int, int] | None = None) -> None:
        self.past = Past(upright=upright)
        self.last_read = LastRead()
        self.layout: Layout | None = None  # of the screen that was read last
        self.cards: Cards | None = None  # likewise
        self.refs: dict[int, str] = {}
        self.digests: dict[str, int] = {}
        self.hints: dict[str, str] = {}
        self._revision = (0, "")  # how many different contents were read, and the last of these
        self.typed: set[tuple[str, str]] = (
            set()
        )  # by ``hint_key``: what fields held that had the keyboard
        self._witnesses: dict[int, Element] = {}
        self._fresh: set[int] = set()  # those that are on the last screen
        self._epochs: dict[
            int, int
        ] = {}  # by what was digested: how often it came to mean something else
        self._origins: dict[int, int] = {}  # what was digested, by the digest of a later epoch
        self._open: tuple[ScreenTraits, frozenset[int]] | None = (
            None  # a dialog, and the elements on it
        )
        self._groups: dict[
            int, tuple[str, frozenset[int]]
        ] = {}  # look-alikes: the screen they were seen on

    def revised(self, fingerprint: str) -> int:
        """The number of the content that was read now: one more if it is another than the last."""
        number, last = self._revision
        self._revision = (number + (fingerprint != last), fingerprint)
        return self._revision[0]

    def witness(self, ref: str) -> Element | None:
        """Returns the element for which a ref was last printed, without the rest of its screen."""
        return self._settled(self.digests.get(ref, -1))

    def _settled(self, digest: int) -> Element | None:
        """Returns a witness without its screen. Those of the last one keep it as long as they are
        seen on each: what stands around them is looked up only if one is used, or is gone."""
        witness = self._witnesses.get(digest)
        if witness is not None and witness.family is not None:
            witness = self._witnesses[digest] = witness.remembered(witness.family.traits)
        return witness

    def printable_digest(self, digest: int) -> int:
        """Returns the digest to print: another one where the printed element is known to be a
        different one."""
        epoch = self._epochs.get(digest)
        if epoch is None:
            return digest
        later = digest_of((str(digest), str(epoch)))
        self._origins[later] = digest
        return later

    def has_ref_conflict(self, here: Here) -> bool:
        """Whether an element of this screen bears the digest of a different element, so that refs
        must be printed again: the ref that a test took from an earlier outline must not come to
        mean another element."""
        if not self._witnesses:
            return False
        others: list[int] = []
        for element in here.elements:
            witness = self._witnesses.get(element.identity)
            if witness is not None and is_other(witness, element, here):
                others.append(element.identity)
        self._start_epoch(others)
        return bool(others)

    def learn(self, screen: Screen) -> None:
        """Remembers the elements and refs of a printed screen."""
        traits, past, before = screen.traits, screen.past, self.past
        self._close_dialog(traits)
        if past.window == NOTHING.window and past.app == before.app:
            past = before
        self.past = past._replace(upright=before.upright)
        printed = (*screen.elements, *screen.headings)
        fresh = {element.identity for element in printed}
        for digest in self._fresh - fresh:
            self._settled(digest)
        self._fresh = fresh
        for element in printed:
            known = self._witnesses.get(element.identity)
            if known is not None and known.picture is not None:
                element = replace(element, picture=known.picture)
            self._witnesses.pop(element.identity, None)  # the newest last
            self._witnesses[element.identity] = element
            self.refs[element.identity] = element.ref
            self.digests[element.ref] = element.identity
            # A caption or a hint that is reported will be there again; only what the text showed
            # will not.
            if element.states.editable and element.label and element.label == clean(element.text):
                self.hints[hint_key(element.node)] = element.label
        if screen.dialog is not None:
            self._open = (traits, frozenset(element.identity for element in screen.elements))
        groups = grouped((one.twins.group, one.identity) for one in printed if one.twins)
        now = {group: frozenset(members) for group, members in groups.items()}
        self._notice_changes(screen, now)
        if len(self._witnesses) > MOST_KEPT:
            self._forget(len(self._witnesses) - MOST_KEPT + MOST_KEPT // 8)

    def _forget(self, surplus: int) -> None:
        """Drops the elements that were printed longest ago, but for those of the screen. Their refs
        stay taken: no string comes to mean something else."""
        oldest = [digest for digest in self._witnesses if digest not in self._fresh][:surplus]
        for digest in oldest:
            del self._witnesses[digest]
        if self._open is not None:
            self._open = (self._open[0], self._open[1] & self._witnesses.keys())
        self._groups = {
            group: seen for group, seen in self._groups.items() if seen[1] <= self._witnesses.keys()
        }

    def was_dropped(self, ref: str) -> int:
        """Returns how many elements were kept where this ref was printed before all of them, else
        0."""
        dropped = ref in self.digests and self.digests[ref] not in self._witnesses
        return MOST_KEPT if dropped else 0

    def see(self, pictures: Mapping[int, Picture], *, handed: bool) -> bool:
        """Remembers what printed elements look like, by their identity. Returns whether refs must
        be printed again, as what looks otherwise is in their places now; of those ``handed`` out
        for both, a picture does not say which is meant."""
        moved: list[int] = []
        for digest in pictures.keys() & self._witnesses.keys():
            was, picture = self._witnesses[digest], pictures[digest]
            if not was.picture or not became_another(was.picture, picture):
                self._witnesses[digest] = replace(was, picture=picture)
                continue
            moved.append(digest)
            if handed:
                self._witnesses[digest] = replace(was, picture=None)
        self._start_epoch(moved)
        return bool(moved)

    def _close_dialog(self, now: ScreenTraits) -> None:
        """Ends the refs of the dialog that was open, once a read does not show it: one that opens
        later is another one, with any text."""
        if self._open is None or not self._open[0].differ_on_top(now):
            return
        for digest in self._open[1]:
            witness = self._settled(digest)
            if witness is not None and witness.screen is not None:
                unseen = now.covered and now.app != witness.screen.app
                ended = replace(witness.screen, closed=True, unseen=unseen)
                self._witnesses[digest] = replace(witness, screen=ended)
        self._start_epoch(self._open[1])
        self._open = None

    def _notice_changes(self, screen: Screen, now: dict[int, frozenset[int]]) -> None:
        """Marks groups of look-alikes whose size changed: their order no longer identifies a
        member. A group absent from another screen has not changed, it is only out of sight; nor has
        one of equal size that only belongs to another heading now."""
        key = screen.screen_key
        for group, (where, members) in self._groups.items():
            there = now.get(group, frozenset() if where == key else members)
            if len(there) == len(members):
                continue
            counts = Counter(map(called, screen.elements))
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
