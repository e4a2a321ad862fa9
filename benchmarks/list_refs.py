"""Do refs land on another row of a list whose rows begin with a rank, a time, a flag, and the like?

The app is the witness: it records which item is tapped. A finger taps each element as its ref is printed; then the
list changes, and the ref is used.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, get_args

from pytest_replicant.drivers import Platform
from pytest_replicant.errors import ActionFailed
from pytest_replicant.model import Element, Point
from pytest_replicant.session import DeviceSession
from pytest_replicant.testing import VirtualDevice, virtual_device
from pytest_replicant.virtual import (
    App,
    Button,
    CheckBox,
    Column,
    EditText,
    IconButton,
    RecyclerList,
    Row,
    RunningApp,
    Screen,
    Text,
    Widget,
)

from .table import Table, percent

USES = 2000
_ROWS = 6  # of a list, or twice as many: then some are out of sight, and cut at the edge
_EACH = 12  # refs of one list that are used

# Both halves of names, what a row says of its item, and what goes before: times, dates, prices.
_LANGUAGES = {
    "en": ("Anna|Ben|Carla|David|Emma|Frank", " Miller| Stone| Reed| Baker| Young| Hale", "New|Read|On the way",
           "10:20|9:05|Yesterday|5 min ago", "3 May|Monday|12/05", "$ 23.95|USD 5.00|$8"),
    "de": ("Jürgen|Änne|Bernd|Ute|Klaus|Heike", " Müller| Groß| Schröder| Weiß| Jäger| Koch",
           "Neu|Gelesen|Unterwegs", "10:20|9.05 Uhr|Gestern|vor 5 Min.",
           "3. Mai|Montag|12.05.", "23,95 €|EUR 5,00|8 €"),
    "ja": ("佐藤|鈴木|高橋|田中|伊藤|渡辺", "花子|太郎|一郎|美咲|健太|陽子", "新着|既読|配送中",
           "10:20|午後3時|昨日|5分前", "5月3日|月曜日|12/05", "￥1,200|800円|￥500"),
    "ar": ("عمر|نور|ليلى|سامي|هدى|كريم", " فارس| منصور| حداد| نجار| صالح| كنعان", "جديد|مقروء|في الطريق",
           "١٠:٢٠|9:05|أمس|قبل ٥ دقائق", "٣ مايو|الاثنين|12/05", "٢٣ ر.س|5.00 د.إ|٨ ر.س"),
}  # fmt: skip
_PLACES = {"state": 2, "time": 3, "date": 4, "currency": 5}  # in a language
RANK = "#"
_SIGNS = {"rank": RANK, "symbol": "▂▄|▂▄▆|●|★|⚠️", "flag": "🇩🇪|🇯🇵|🇸🇦|🇬🇧|🇧🇷", "badge": "|1|2|99+"}
KINDS = (*_SIGNS, *_PLACES, "number", "no name")


@dataclass(frozen=True)
class Item:
    """``words`` are those of its row, from the left; a rank stands for the place."""

    key: int
    words: tuple[str, ...]


@dataclass
class Making:
    """New items of one kind of list, no two with the same name."""

    kind: str
    chance: Random
    language: str
    made: int = 0

    def items(self, count: int) -> list[Item]:
        return [self._item() for _ in range(count)]

    def _item(self) -> Item:
        firsts, lasts, said, *_ = (texts.split("|") for texts in _LANGUAGES[self.language])
        last, first = divmod(self.made, len(firsts))
        self.made += 1
        number = str(self.chance.randrange(100, 1000))
        if self.kind == "number":  # alike but for numbers
            return Item(self.made, (f"{firsts[0]} {self.made}", f"{number} €"))
        if self.kind == "no name":
            return Item(self.made, (str(self.made), f"{number}.{self.made:02}"))
        return Item(self.made, (self.mark(), firsts[first] + lasts[last], self.chance.choice([*said, number])))

    def mark(self) -> str:
        place = _PLACES.get(self.kind)
        marks = _SIGNS[self.kind] if place is None else _LANGUAGES[self.language][place]
        return self.chance.choice(marks.split("|"))

    def changed(self, items: list[Item], change: str) -> list[Item]:
        at = self.chance.randrange(len(items) - 2)
        if change == "sort":
            return self.chance.sample(items, len(items))
        if change == "insert":
            return [*items[:at], *self.items(2), *items[at:]]
        if change == "remove":
            return [*items[:at], *items[at + 2 :]]
        if change == "refill":
            return self.items(len(items))
        return [self._refreshed(item) for item in items]

    def _refreshed(self, item: Item) -> Item:
        """The item with its name, and perhaps another mark, or something else to say."""
        if len(item.words) < 3 or self.chance.random() < 0.5:
            return item
        mark, name, said = item.words
        return replace(item, words=self.chance.choice([(self.mark(), name, said), (mark, name, "…")]))


CHANGES = ("sort", "insert", "remove", "refill", "refresh")
SHAPES = ("row", "controls", "row with controls", "row with field")
Opened = RunningApp[dict[str, Any]]


class Things(Screen[dict[str, Any]]):
    title = "Things"

    def opened(self, app: Opened) -> None:
        app.state["opened"][:] = [app]

    def build(self, app: Opened) -> Widget:
        rows = [self.row(app.state, number, item) for number, item in enumerate(app.state.get("items", ()))]
        return RecyclerList(rows, weight=1)

    def row(self, state: dict[str, Any], number: int, item: Item) -> Widget:
        def touched(*_: object) -> None:
            state["touched"] = item.key

        def named(name: str) -> str:
            return name if state["ids"] else ""

        shape, rank = state["shape"], str(number + 1)
        mark, *others = [rank if word == RANK else word for word in item.words]
        said = [Text(word, id=named(f"said_{place}"), size=12, width=80) for place, word in enumerate(others)]
        parts: list[Widget] = [Text(mark, id=named("mark"), size=12, width=48), *said]
        if state["lines"]:
            parts = [Column(parts, width="wrap", weight=1)]
        if "controls" in shape:
            parts += [
                Button("Open", id=named("details"), on_click=touched),
                CheckBox(id=named("check"), on_change=touched),
                IconButton(icon="more", id=named("more"), on_click=touched),
            ]
        if "field" in shape:
            parts.append(EditText("Note", id=named("note"), width=64))
        clicked = touched if "row" in shape else None
        return Row(parts, id=named("thing"), key=str(item.key), min_height=72, on_click=clicked)


@dataclass
class Tally:
    """``counts`` of uses. ``findings`` are those that touched another item, which differs in more than numbers."""

    counts: Counter[str] = field(default_factory=Counter)
    findings: list[str] = field(default_factory=list)


def walk(kind: str, platform: Platform, uses: int, broken: Callable[[DeviceSession], object] = id) -> Tally:
    """Uses so many refs of lists of one kind. ``broken`` may break the session, to prove that the app sees it."""
    tally, chance = Tally(), Random(f"{kind} on {platform}")
    opened: list[Opened] = []
    app = App(package="dev.replicant.things", label="Things", state=lambda _: {"opened": opened}, start=Things)
    settings = {"action_timeout": 0.0, "window": 0.0, "quiet": 0.0, "screenshots": False, "recover": None}
    with virtual_device(app, platform=platform) as device:
        while tally.counts["uses"] < uses:
            with device.session(**settings) as session:
                broken(session)
                for change in chance.sample(CHANGES, len(CHANGES)):
                    shape = {"ids": chance.random() < 0.5, "lines": chance.random() < 0.5}
                    opened[0].state.update(shape, shape=chance.choice(SHAPES))
                    making = Making(kind, chance, chance.choice([*_LANGUAGES]))
                    _Use(session, device, opened[0], making, tally).of(change)
    return tally


@dataclass
class _Use:
    """Refs of one list, printed before it changes and used after."""

    session: DeviceSession
    device: VirtualDevice
    app: Opened
    making: Making
    tally: Tally

    def of(self, change: str) -> None:
        chance = self.making.chance
        before = self.making.items(chance.choice((1, 2)) * _ROWS)
        self._show(before)
        if len(before) > _ROWS and chance.random() < 0.5:
            self.device.driver.swipe(Point(300, 1500), Point(300, chance.randint(600, 1350)), 0.3)
        printed = self.session.snapshot()
        within = [one for one in printed.elements if one.center.y < printed.size[1]]
        elements = [one for one in within if not (one.states.editable or one.states.scrollable)]
        meant = {one: self._touched_by(one.center) for one in chance.sample(elements, len(elements))[:_EACH]}
        after = self.making.changed(before, change)
        self._show(after)
        if chance.random() < 0.5:
            self.session.snapshot()  # a look in between prints refs too
        words = [_words(items) for items in (before, after)]
        for element, key in meant.items():
            if key is not None:
                self._use(element, key, words, change)

    def _use(self, element: Element, key: int, words: Sequence[dict[int, tuple[str, ...]]], change: str) -> None:
        found = self._touched_by(element.ref)
        was, now = words[0][key], words[1].get(key)
        touched = was if found is None else words[1][found]
        ended = "refused" if found is None else "kept" if found == key else "alike"
        if ended == "alike" and _unnumbered(touched) != _unnumbered(was):
            ended = "another"
            self.tally.findings.append(f"{change}: {element.describe()}, {was}: {touched} was touched")
        unchanged = was == now and Counter(words[1].values())[was] == 1
        self.tally.counts.update(["uses", ended, *([f"{ended} though unchanged"] if unchanged else ())])

    def _show(self, items: list[Item]) -> None:
        self.app.state["items"] = items
        self.app.hide_keyboard()
        self.app.changed()
        self.device.clock.sleep(1)  # what was read before is no longer of now

    def _touched_by(self, target: Point | str) -> int | None:
        """The key of the item that a finger at a point, or the session by a ref, has touched."""
        self.app.state["touched"] = None
        if isinstance(target, Point):
            self.device.driver.tap(target)
        else:
            with suppress(ActionFailed):
                self.session.tap(target)
        touched: int | None = self.app.state["touched"]
        return touched


def _words(items: list[Item]) -> dict[int, tuple[str, ...]]:
    """What each row says, by item."""
    return {
        item.key: tuple(str(place) if word == RANK else word for word in item.words)
        for place, item in enumerate(items, start=1)
    }


def _unnumbered(words: Sequence[str]) -> list[str]:
    return [re.sub(r"\d+", "", word) for word in words]


def measure() -> Table:
    with ProcessPoolExecutor(2) as pool:
        walks = {(kind, on): pool.submit(walk, kind, on, USES) for kind in KINDS for on in get_args(Platform)}
        rows = [(*which, *_figures(walked.result())) for which, walked in walks.items()]
    columns = ("rows begin with", "platform", "uses", "of another row", "kept", "refused", "kept of the unchanged")
    return Table("list_refs", "Refs of lists", "python -m benchmarks list_refs", columns, tuple(rows), _NOTE)


_NOTE = (
    "Rows, controls in them and passive texts, in four languages, with ids and without, after the list was "
    "sorted, filled with others, or items came, went or changed. Unchanged: the item is in the list, in sight or "
    "not, and alone says what it said. Rows that differ in numbers alone are not another row."
)


def _figures(tally: Tally) -> tuple[object, ...]:
    counts = tally.counts
    kept, refused = (counts[f"{ended} though unchanged"] for ended in ("kept", "refused"))
    return *(counts[name] for name in ("uses", "another", "kept", "refused")), percent(kept, kept + refused, 2)
