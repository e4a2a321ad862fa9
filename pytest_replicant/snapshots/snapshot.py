"""``Snapshot``: one screen, as it was when it was read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING

from ..errors import TargetError, UsageError
from ..model import (
    NO_VERB,
    Anchor,
    AnyDict,
    Card,
    Element,
    Failure,
    Neighbours,
    Node,
    Picture,
    Rect,
    ScreenTraits,
    Selector,
    Verb,
    ancestors,
    public,
)
from .identity.elements import Draft, Memory, build, describe
from .identity.evidence import Here, neighbours
from .identity.locate import Located, locate
from .identity.refs import Surroundings
from .identity.screen_key import fingerprint_of, screen_key_of, traits_of
from .labels.labels import is_control, name_all
from .labels.loading import loading_signs
from .labels.rows import Labels
from .labels.titles import app_name, dialog_title, screen_title, short_activity
from .parsers.dump import Dump, Platform
from .parsers.hierarchy import read_hierarchy
from .query.dotted import Ask, Dotted, Word, words_of
from .query.match import (
    anchors,
    as_found,
    checked_ref,
    is_confined,
    match,
    meant,
    missing_anchors,
    selector_of,
)
from .query.search_index import SearchIndex
from .render.diff import SnapshotDiff, compare
from .render.outline import (
    FORMAT,
    OFFSCREEN,
    add_ends,
    check_limit,
    compose,
    element_rows,
    entries,
    hidden_lines,
    listed,
    part,
)
from .screen.layout import Layout, Unreported, lay_out, scrolls, uncovered, unreported
from .screen.reach import Cover, covers, visible_part
from .screen.windows import Past
from .suggest.fitting import narrowed
from .suggest.lookup import ambiguous, not_found, unknown_ref
from .suggest.proposal import Purpose, SelectorProposal, propose
from .text import mask_progress

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ..model import SelectorKeywords


Looks = Callable[["Snapshot"], "Mapping[int, Picture] | None"]
"""The pictures of a screen, by node; None until the next read has confirmed them."""


class Snapshot:
    """One screen. Times are milliseconds since the epoch, ``captured_at_ms`` from before the dump
    was requested; ``size`` is in pixels. ``title`` is what names the screen (see ``screen_title``),
    dialogs apart; ``dialog`` is the title of the dialog over the app's window, "" for one without
    and None if there is no dialog. Both head the outline, so the texts that show them are
    ``headings`` and not ``elements``: "Sign in" is the button. ``keyboard`` is the area of an open
    keyboard. ``cut`` is 0, or how many levels were read of a deeper screen. ``over`` is the app, in
    front all the same, that a window of the system lies over whose elements these are. ``shown``
    says of each node whether it is on the screen and not covered."""

    def __init__(
        self,
        reading: Dump,
        *,
        id: str = "s0",
        captured_at_ms: int = 0,
        received_at_ms: int = 0,
        activity: str = "",
        size: tuple[int, int] | None = None,
        memory: Memory | None = None,
        layout: Layout | None = None,
        dotted: Dotted | None = None,
        pictures: Looks | None = None,
    ) -> None:
        self.id = id
        self._pictures = pictures
        self.captured_at_ms, self.received_at_ms = captured_at_ms, received_at_ms
        self.activity = activity
        self.platform: Platform = reading.platform
        self.over = reading.over
        self._ends = reading.ends
        self.cut = reading.levels if self._ends else 0
        self._outline = ""  # whole, once it was asked for
        self._reading = reading
        self._dotted = dotted if reading.dotted else None
        if layout is None and memory is not None:
            layout = memory.layout = lay_out(reading, size, memory.past, memory.layout)
        self._layout = layout or lay_out(reading, size)
        self._hints = memory.hints if memory else {}
        self._labels = name_all(self._layout, reading.reports_hints, self._hints)
        self.nodes: tuple[Node, ...] = self._layout.nodes
        self.shown: Sequence[bool] = self._layout.shown  # of each node
        self.size, self.scale = self._layout.size, self._layout.scale  # scale: pixels a point
        self.keyboard: Rect | None = self._layout.stack.keyboard
        title, dialog = screen_title(self._layout), dialog_title(self._layout)
        self.title = title.text
        self.dialog = dialog.text if dialog else None
        # What was only read off the screen names it, and may scroll away: it decides nothing.
        self._decides = (
            "" if title.read else title.text,
            "" if dialog and dialog.read else self.dialog,
        )
        self.alone = self._layout.stack.alone  # a dialog, without the app's window under it
        self._around = Surroundings(self._labels, title.node)
        above = {title.node, dialog.node if dialog else -1}
        kept = memory if memory is not None else Memory()
        drafts, self._cards = describe(self._around, reading.reports_hints, kept)
        self._print(drafts, above, kept)
        if kept.has_ref_conflict(self._searched()):
            self._print(drafts, above, kept)
        self.revision = memory.revised(self.fingerprint) if memory is not None else 0

    def _print(self, drafts: Sequence[Draft], above: set[int], memory: Memory) -> None:
        """Gives every element its ref; ``above`` are the nodes that show the titles."""
        everything = build(drafts, self._around, self, self.id, memory)
        headings = [e for e in everything if e.index in above and not is_control(e.node)]
        self.headings: tuple[Element, ...] = tuple(headings)
        apart = {element.index for element in headings}
        self.elements: tuple[Element, ...] = tuple(e for e in everything if e.index not in apart)

    @classmethod
    def parse(
        cls,
        source: bytes | str,
        platform: Platform | None = None,
        *,
        id: str = "s0",
        captured_at_ms: int = 0,
        received_at_ms: int = 0,
        activity: str = "",
        size: tuple[int, int] | None = None,
        scale: float = 1.0,
        memory: Memory | None = None,
        ask: Ask | None = None,
        keyboard: str = "",
        pictures: Looks | None = None,
    ) -> Snapshot:
        """Parses a dump as a phone or tool printed it; ``platform`` None detects. ``activity`` as
        Android names it; ``size`` of the display in pixels, where the dump reaches less far;
        ``scale`` pixels a point, as on iOS; ``memory`` of earlier screens of one session; ``ask``
        asks the phone for texts in which the dump has dots, ``pictures`` gives what stands on a
        node without words; ``keyboard`` is the package of the phone's input method, without which
        it is known by names that many have. Raises ``SnapshotError`` for bytes that are no screen,
        or no screen of ``platform``."""
        read = memory.last_read.read if memory is not None else read_hierarchy
        reading = replace(read(source, platform, scale), keyboard=keyboard, attributes=())
        dotted = Dotted(reading.nodes, ask) if reading.dotted else None
        return cls(
            reading, id=id, captured_at_ms=captured_at_ms, received_at_ms=received_at_ms,
            activity=activity, size=size, memory=memory, dotted=dotted, pictures=pictures,
        )  # fmt: skip

    def __repr__(self) -> str:
        return (
            f"<Snapshot {self.id} {self.screen or self.app or self.platform!r}, "
            f"{len(self.elements)} elements>"
        )

    def __str__(self) -> str:
        return self.outline()

    # --- which screen -----------------------------------------------------------------------------
    @property
    def app(self) -> str:
        """Package of the window that the app itself fills, on iOS its bundle id; "" if that is not
        known."""
        return app_name(self._layout)

    @property
    def past(self) -> Past:
        """What the next screen is compared with: the window of the app, which is not that of a
        dialog."""
        stack = self._layout.stack
        own = [one.bounds for one in stack.others if one.number == stack.base]
        return Past(self.app, own[0]) if own and not self.alone else Past(self.app)

    @property
    def screen(self) -> str:
        """The name of the screen: its title, else the short name of its activity."""
        return self.title or short_activity(self.activity)

    @property
    def printed(self) -> tuple[Element, ...]:
        """What the outline shows: all elements, and the headings."""
        return (*self.elements, *self.headings)

    @cached_property
    def screen_key(self) -> str:
        """The digest of the screen itself: the same under scrolling and with other content."""
        return screen_key_of(self.traits, self.activity, self.dialog)

    @cached_property
    def traits(self) -> ScreenTraits:
        """The traits that identify the screen, to compare screens with partly equal traits."""
        return traits_of(self._layout, self.app, *self._decides, self.elements)

    @cached_property
    def fingerprint(self) -> str:
        """The digest of the visible content: the same when a clock ticks, different after a
        toggle."""
        return fingerprint_of(
            self.screen_key, (self.title, self.dialog or ""), self.elements, self.loading
        )

    @property
    def loading(self) -> bool:
        """Whether a spinner or a text shows that the screen is not finished."""
        return bool(self._loading)

    @cached_property
    def _loading(self) -> list[int]:
        return list(loading_signs(self._labels))

    def may_still_bring(self, selector: Selector) -> bool:
        """Whether a match may come as the screen goes on loading; not into a part in ``within``
        that is not."""
        return self.loading and not is_confined(
            self._search_index, selector, self._loading, named=True
        )

    def loads_in(self, part: Node) -> bool:
        """Whether a spinner or a text in this part shows that it is not finished."""
        return any(part.index <= sign < self._layout.ends[part.index] for sign in self._loading)

    def missing_anchors(self, selector: Selector) -> list[Selector]:
        """Returns what a selector is measured by and this screen does not show, each as
        ``within=...`` alone."""
        return missing_anchors(self._true_index(selector), selector)

    @property
    def keyboard_visible(self) -> bool:
        """Whether an open keyboard is in the dump; some dumps leave it out."""
        return self.keyboard is not None

    # --- looking for elements ---------------------------------------------------------------------
    @public
    def find(self, **selector: Unpack[SelectorKeywords]) -> Element:
        """Returns the one element that matches. Raises ``TargetError`` if none or several do."""
        wanted = selector_of("find", selector)
        return as_found(self.one(wanted), wanted, self.platform)

    @public
    def find_all(self, **selector: Unpack[SelectorKeywords]) -> list[Element]:
        """Returns every element that matches, in reading order; a folded label stands for its
        row."""
        wanted = selector_of("find_all", selector)
        return [as_found(one, wanted, self.platform) for one in self.every(wanted)]

    @public
    def ref(self, **selector: Unpack[SelectorKeywords]) -> str:
        """Returns the ref of the one element that matches. Raises ``TargetError``."""
        return self.one(selector_of("ref", selector)).ref

    @public
    def element(self, ref: str) -> Element:
        """Returns the element that the outline shows with this ref. Raises ``TargetError`` if none
        has it, and ``UsageError`` for a string that is no ref."""
        checked_ref("element", ref, call="find")
        found = self._by_ref.get(ref)
        if found is None:
            raise unknown_ref(ref, self.elements, self.outline())
        return found

    @public
    def every(self, selector: Selector) -> list[Element]:
        """Does ``find_all`` for a selector as a value."""
        return meant(self._true_index(selector), selector)

    @public
    def one(
        self, selector: Selector, *, before: Snapshot | None = None, verb: Verb = NO_VERB
    ) -> Element:
        """Does ``find`` for a selector as a value. On a cut screen a match is not known to be the
        only one. ``before`` is the screen before the last action: the error names first what that
        has added. A ``verb`` that sets a control or chooses an option passes over a text that only
        names it."""
        index = self._true_index(selector)
        found = narrowed(verb, meant(index, selector))
        beyond = "" if self.shows_all(selector) else self.limit
        if len(found) == 1 and not beyond:
            return found[0]
        if found:
            raise ambiguous(index, selector, found, self.outline(), beyond, verb)
        there = before.elements if before is not None else ()
        raise not_found(index, selector, self.outline(), beyond, there, verb)

    def shows_all(self, selector: Selector) -> bool:
        """Whether no other match can lie deeper than was read: all is there, or the part in
        ``within``."""
        return not self.cut or is_confined(self._search_index, selector, self._ends)

    @property
    def limit(self) -> str:
        """Clause that says where a cut screen ends, for messages; "" for a whole one."""
        return f"the phone gives no more than {self.cut} levels of this screen" if self.cut else ""

    def match(self, selector: Selector) -> list[Element]:
        """Returns every element that itself matches, in reading order, ``nth`` applied."""
        return match(self._true_index(selector), selector)

    def match_labels(self, selector: Selector) -> list[Element]:
        """Does ``match``, and adds the elements into which a matching label is folded, and the
        headings."""
        return match(self._true_index(selector), selector, folded=True)

    @property
    def asked(self) -> bool:
        """Whether the phone was asked for a text in which the dump has dots."""
        return self._dotted is not None and self._dotted.asked

    def as_shown(self, *words: Word) -> Snapshot:
        """This screen with the true texts, where the dump has dots in those that may decide about
        ``words``; itself if there are none. Its refs are those of this one. Raises
        ``UndecidableText``."""
        layout = self._true_layout(words)
        if layout is None:
            return self
        reading = replace(self._reading, nodes=layout.nodes, dotted=False)
        shown = Snapshot(reading, id=self.id, activity=self.activity, layout=layout)
        shown.elements, shown.headings = (
            tuple(replace(one, ref=self.at(one).ref) for one in each)
            for each in (shown.elements, shown.headings)
        )
        return shown

    @public
    def selector(
        self, ref: str, *, also: Sequence[Snapshot] = (), purpose: Purpose = "action"
    ) -> SelectorProposal:
        """Proposes a selector to write into a test in place of ``ref``, for an action on it or for
        a check of what it says, tried out on this snapshot and on ``also``."""
        return propose(self.element(ref), self._search_index, self, also, purpose)

    @public
    def locate(self, element: Element) -> Located:
        """Locates an element of another snapshot on this one, or explains why it cannot. On a cut
        screen what was not read is ``ambiguous``, not gone."""
        if not isinstance(element, Element):
            raise UsageError(
                f"locate({element!r}): give an Element; a ref is looked up with element(...)"
            )
        located = locate(element.as_printed, self._here)
        if located.verdict == "gone" and self.cut:
            return replace(
                located, verdict="ambiguous", reason=f"{self.limit}, and it may lie deeper"
            )
        return located

    @cached_property
    def unreported(self) -> Unreported | None:
        """What the app's window may show without reporting it; None on an ordinary screen."""
        return unreported(self._layout)

    @cached_property
    def beneath(self) -> Snapshot | None:
        """The snapshot with covered and offscreen elements listed too, to search among them; None
        if there are none."""
        layout = uncovered(self._layout)
        if layout is None:
            return None
        return Snapshot(
            self._reading, id=self.id, activity=self.activity, layout=layout, dotted=self._dotted
        )

    def reach(self, element: Element) -> tuple[Rect, list[Cover]]:
        """Returns the visible part of an element of this screen, or ``beneath`` it, and its
        obstructions."""
        return visible_part(self._layout, element.node), covers(self._layout, element.node)

    # --- showing ----------------------------------------------------------------------------------
    @public
    def outline(
        self,
        *,
        bounds: bool = False,
        offscreen: bool = False,
        full: bool = False,
        depth: int | None = None,
        within: str | Element | Selector | None = None,
        max_chars: int | None = None,
    ) -> str:
        """Renders the screen as text, one line an element; what says nothing to a reader, as icon
        fonts and rows of look-alikes without words do, is folded and counted.

        ``bounds`` adds each element's rectangle and folds none, ``offscreen`` lists what scrolling
        would show, and ``full`` that and all that is folded or covered. ``depth`` limits the levels
        and ``within`` shows one part: that element or container and its content. ``max_chars``
        omits the deepest levels first and counts the omitted lines; header, trailer and one such
        count always stay. Raises ``UsageError`` for limits below 1, and ``TargetError`` where
        ``within`` is missing or ambiguous."""
        check_limit("depth", depth)
        check_limit("max_chars", max_chars)
        limited = within is not None or depth is not None or max_chars is not None
        plain = not (limited or bounds or offscreen or full)
        if plain and self._outline:
            return self._outline
        start, end = self._span(within)
        hidden: dict[int, str] = {}
        unlisted: list[str] = []
        for index, text in self._hidden.items():
            if full or (offscreen and text.endswith(OFFSCREEN)):
                hidden[index] = text
            elif start <= index < end:
                unlisted.append(text)
        tree = entries(self._labels, self.elements, bounds=bounds, hidden=hidden)
        add_ends(tree, self._layout, self._ends, self.limit)
        if within is not None:
            tree = part(tree, start, end) or listed(self.headings, start, end)
        silent = None if within or self._hidden else self.unreported
        surface = silent is not None and not silent.labels
        text = compose(
            tree, self, unlisted, end - start, below=len(self._layout.stack.below),
            dotted=self._reading.dotted, surface=surface, full=full or bounds, depth=depth,
            max_chars=max_chars,
        )  # fmt: skip
        if plain:
            self._outline = text
        return text

    @public
    def to_dict(self, *, within: str | Element | Selector | None = None) -> AnyDict:
        """Returns everything the outline shows, ready for JSON; ``within`` as there. Unreported
        values are absent or None."""
        first, end = self._span(within)
        return {
            "format": FORMAT,
            "platform": self.platform,
            "app": self.app,
            "activity": self.activity,
            "screen": self.screen,
            "title": self.title,
            "dialog": self.dialog,
            "screen_key": self.screen_key,
            "fingerprint": self.fingerprint,
            "size": list(self.size),
            "loading": self.loading,
            "cut": self.cut,
            "keyboard": list(self.keyboard) if self.keyboard else None,
            "offscreen": sum(
                first <= i < end and text.endswith(OFFSCREEN) for i, text in self._hidden.items()
            ),
            "elements": element_rows(self.printed, self.nodes, first, end),
        }

    @public
    def diff(self, before: Snapshot | None, *, mask_volatile: bool = False) -> SnapshotDiff:
        """Compares ``before`` with this snapshot; against None everything is new. With
        ``mask_volatile``, texts that differ only in clocks, ages and percentages count as equal."""
        if before is not None and not isinstance(before, Snapshot):
            raise UsageError(
                f"diff({before!r}): give a Snapshot; by its id there is mobile.changes(since=...)"
            )
        return compare(before, self, mask=mask_progress if mask_volatile else None)

    def at(self, element: Element) -> Element:
        """Returns the element that stands for the same node: one of ``as_shown`` for one of this
        screen."""
        same = (one for one in self.printed if one.index == element.index)
        return next(same, element)

    # --- for elements -----------------------------------------------------------------------------
    def anchors_of(self, element: Element) -> tuple[Anchor, ...]:
        """Returns the anchors of an element: its position is measured from them."""
        return self._around.anchors(element.index)

    def neighbours_of(self, element: Element) -> Neighbours:
        """Returns the plainly identified elements next to an element of this screen in its pane."""
        return self._neighbours.get(element.identity, Neighbours())

    @cached_property
    def _neighbours(self) -> Mapping[int, Neighbours]:
        return neighbours(self.elements, self._around)

    def card_of(self, element: Element) -> Card | None:
        """Returns the card around an element that is in no row."""
        return None if element.row else self._cards.of(element.index)

    def _elements_around(self, part: Node) -> Iterator[Element]:
        """Yields the elements around a node, the nearest first."""
        known = self._search_index.element_at
        return (known[node.index] for node in ancestors(self.nodes, part) if node.index in known)

    def parent_of(self, element: Element) -> Element | None:
        """Returns the nearest addressable ancestor."""
        return next(self._elements_around(element.node), None)

    def scrollers_around(self, part: Node) -> Iterator[Element]:
        """Yields the elements that scroll around a node, the nearest first."""
        return (one for one in self._elements_around(part) if scrolls(one.node))

    def children_of(self, element: Element) -> tuple[Element, ...]:
        """Returns the addressable descendants with no addressable element in between."""
        known, ends = self._search_index.element_at, self._layout.ends
        found: list[Element] = []
        for index in self.inside(element):
            if index in known and not (found and index < ends[found[-1].index]):
                found.append(known[index])
        return tuple(found)

    def _searched(self) -> Here:
        """Returns the elements for ``locate``. Uncached: refs may be reassigned while the snapshot
        is built."""
        listed = {element.identity: element for element in self.elements}
        by_identity = listed | {heading.identity: heading for heading in self.headings}
        pictures = partial(self._pictures, self) if self._pictures is not None else None
        return Here(
            self.elements, listed.keys(), by_identity, self._around, lambda: self.traits, pictures
        )

    @cached_property
    def _here(self) -> Here:
        return self._searched()

    @cached_property
    def _by_ref(self) -> dict[str, Element]:
        return {element.ref: element for element in self.printed}

    @cached_property
    def _search_index(self) -> SearchIndex:
        return self._index(self._labels)

    def _true_index(self, selector: Selector) -> SearchIndex:
        """Returns the index to match a selector in: with the true texts of what may decide. Raises
        ``UndecidableText``."""
        layout = self._true_layout(words_of(selector))
        if layout is None:
            return self._search_index
        return self._index(name_all(layout, self._reading.reports_hints, self._hints))

    def _index(self, labels: Labels) -> SearchIndex:
        hints = self._reading.reports_hints
        return SearchIndex(labels, self.elements, self.headings, self._by_ref, hints)

    def _true_layout(self, words: Iterable[Word]) -> Layout | None:
        return None if self._dotted is None else self._dotted.true_layout(words, self._layout)

    def _span(self, within: str | Element | Selector | None) -> tuple[int, int]:
        """Returns the node span of a part, of the whole for None: an element, else the one plain
        container that matches. Raises ``TargetError``."""
        if within is None:
            return 0, len(self.nodes)
        if isinstance(within, str):
            index = self.element(within).node.index
        elif isinstance(within, Selector):
            index = self._container(within)
        elif isinstance(within, Element):
            index = self._again(within).node.index
        else:
            raise UsageError(f"within={within!r}: give a ref, an element or by(...)")
        return index, self._layout.ends[index]

    def inside(self, above: Node | Element) -> range:
        """The indexes of the nodes in a node or an element, at any depth."""
        return range(above.index + 1, self._layout.ends[above.index])

    def elements_in(self, above: Node | Element) -> list[Element]:
        """The elements in a node or an element, at any depth."""
        inside = self.inside(above)
        return [element for element in self.elements if element.index in inside]

    def below(self, above: Node | Element) -> Sequence[Node]:
        """The nodes in a node or an element, at any depth, in document order."""
        return self._layout.below(above.index)

    def part(self, part: str | Element | Selector) -> Node | None:
        """Returns the node of one element or one plain container; None for none and for several."""
        try:
            return self.nodes[self._span(part)[0]]
        except TargetError:
            return None

    def _container(self, selector: Selector) -> int:
        if not self.match(selector) and not self.match_labels(selector):
            plain = anchors(self._search_index, selector)
            if len(plain) == 1:
                return plain[0]
        return self.one(selector).node.index

    def _again(self, element: Element) -> Element:
        """Locates an element, perhaps of another snapshot, on this one."""
        located = self.locate(element)
        if located.element is None:
            stale = Failure(
                "STALE_REFERENCE",
                f"{located.verdict}, {located.reason}",
                located.nearest,
                asked=element.describe(),
            )
            raise TargetError(stale, outline=self.outline())
        return located.element

    @cached_property
    def _hidden(self) -> Mapping[int, str]:
        return hidden_lines(self._labels)
