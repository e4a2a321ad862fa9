"""Do refs land on another row of a list whose rows begin with a rank, a time, a flag, and the like?

``python -m benchmarks list_refs`` uses 2,000 refs of each kind of list on each platform; ``--uses 100`` fewer,
``--show 20`` prints the ones that went wrong. The app is the witness: it records which item was tapped, before the
list changes and after, and what was tapped for a ref is compared with what stood there as the ref was printed.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
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
_ROWS = 6  # of a list; all of them are in sight, or most
_EACH = 12  # uses of one list before and after one change
_CHANGES = 8  # of one list in one session

# First and second half of a name, what a row says of its item, and what goes before: times, dates, prices.
_LANGUAGES = {
    "en": ("Anna Ben Carla David Emma Frank Grace", "Miller Stone Reed Baker Young Hale", "New|Read|On the way",
           "10:20|9:05|Yesterday|5 min ago", "3 May|Monday|12/05", "$ 23.95|USD 5.00|$8"),
    "de": ("Jürgen Änne Bernd Ute Klaus Heike", "Müller Groß Schröder Weiß Jäger Koch", "Neu|Gelesen|Unterwegs",
           "10:20|9.05 Uhr|Gestern|vor 5 Min.", "3. Mai|Montag|12.05.", "23,95 €|EUR 5,00|8 €"),
    "ja": ("佐藤 鈴木 高橋 田中 伊藤 渡辺", "花子 太郎 一郎 美咲 健太 陽子", "新着|既読|配送中",
           "10:20|午後3時|昨日|5分前", "5月3日|月曜日|12/05", "￥1,200|800円|￥500"),
    "ar": ("عمر نور ليلى سامي هدى كريم", " فارس| كريم| منصور| حداد| نجار| صالح", "جديد|مقروء|في الطريق",
           "١٠:٢٠|9:05|أمس|قبل ٥ دقائق", "٣ مايو|الاثنين|12/05", "٢٣ ر.س|5.00 د.إ|٨ ر.س"),
}  # fmt: skip
_SIGNS = {"symbol": "▂▄|▂▄▆|●|★|⚠️", "flag": "🇩🇪|🇯🇵|🇸🇦|🇬🇧|🇧🇷", "picture": "🍎|🚗|🏠|⚽"}
_PLACES = {"time": 3, "date": 4, "currency": 5}  # in a language
RANK = "#"
KINDS = ("rank", *_PLACES, *_SIGNS, "badge", "state", "mail", "number", "no name")


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
    language: str = ""
    _made: int = 0
    _names: list[str] = field(default_factory=list)

    def item(self) -> Item:
        chance, texts = self.chance, _LANGUAGES[self.language]
        if not self._names:
            apart = " " if self.language in ("en", "de") else ""
            lasts = texts[1].split("|" if "|" in texts[1] else None)
            self._names = [f"{one}{apart}{two}" for one in texts[0].split() for two in lasts] + [f"{two}{apart}{one}" for one in texts[0].split() for two in lasts]
            chance.shuffle(self._names)
        self._made += 1
        name, said = self._names.pop(), chance.choice(texts[2].split("|"))
        number = str(chance.randrange(100, 1000))
        words: tuple[str, ...] = (self.mark(), name, chance.choice((said, number)))
        if self.kind == "mail":
            words = self.mark(), chance.choice(texts[0].split()[:3]), name
        if self.kind == "number":  # alike but for numbers
            words = f"{texts[0].split()[0]} {self._made}", f"{number} €"
        if self.kind == "no name":
            words = str(self._made), f"{number}.{self._made:02}"
        return Item(self._made, tuple(filter(None, words)))

    def mark(self) -> str:
        if self.kind == "rank":
            return RANK
        if self.kind == "badge":
            return self.chance.choice(("", "1", "2", "99+"))
        place = {**_PLACES, "state": 2, "mail": 3}.get(self.kind)
        marks = _SIGNS.get(self.kind, "") if place is None else _LANGUAGES[self.language][place]
        return self.chance.choice(marks.split("|"))

    def items(self, count: int) -> list[Item]:
        return [self.item() for _ in range(count)]


def _sort(items: list[Item], making: Making) -> list[Item]:
    return making.chance.sample(items, len(items))


def _insert(items: list[Item], making: Making) -> list[Item]:
    at = making.chance.randrange(len(items))
    return [*items[:at], *making.items(making.chance.randint(1, 3)), *items[at:]]


def _remove(items: list[Item], making: Making) -> list[Item]:
    gone = making.chance.sample(items, making.chance.randint(1, 3))
    return [item for item in items if item not in gone]


def _refill(items: list[Item], making: Making) -> list[Item]:
    return making.items(len(items))


def _replace(items: list[Item], making: Making) -> list[Item]:
    other = making.item()
    return [other if item is making.chance.choice(items) else item for item in items]


def _refresh(items: list[Item], making: Making) -> list[Item]:
    """The first or last label of each row may be another one, its name stays."""
    if making.kind in ("number", "no name", "rank"):
        return items
    said = [making.item().words[-1] for _ in range(3)]
    return [_refreshed(item, said, making) for item in items]


def _refreshed(item: Item, said: Sequence[str], making: Making) -> Item:
    if making.chance.random() < 0.5:
        return item
    mark = making.mark()
    if mark and len(item.words) == 3 and making.chance.random() < 0.5:
        return replace(item, words=(mark, *item.words[1:]))
    return replace(item, words=(*item.words[:-1], making.chance.choice(said)))


CHANGES: dict[str, Callable[[list[Item], Making], list[Item]]] = {
    "sort": _sort, "insert": _insert, "remove": _remove, "refill": _refill, "replace": _replace,
    "refresh": _refresh,
}  # fmt: skip
SHAPES = ("row", "controls", "row with controls", "row with field")
Opened = RunningApp[dict[str, Any]]


class Things(Screen[dict[str, Any]]):
    title = "Things"

    def opened(self, app: Opened) -> None:
        app.state["opened"][:] = [app]

    def build(self, app: Opened) -> Widget:
        rows = [self.row(app.state, number, item) for number, item in enumerate(app.state.get("items", ()))]
        return RecyclerList(rows, weight=1, id="things")

    def row(self, state: dict[str, Any], number: int, item: Item) -> Widget:
        def touched(what: str) -> Callable[..., None]:
            return lambda *_: state.update(touched=(item.key, what))

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
                Button("Open", id=named("details"), on_click=touched("details")),
                CheckBox(id=named("check"), on_change=touched("check")),
                IconButton(icon="more", id=named("more"), on_click=touched("more")),
            ]
        if "field" in shape:
            parts.append(EditText("Note", id=named("note"), width=64))
        clicked = touched("row") if "row" in shape else None
        return Row(parts, id=named("thing"), key=str(item.key), min_height=72, on_click=clicked)


@dataclass
class Tally:
    """``counts`` of uses; ``findings`` are those that touched another item."""

    counts: Counter[str] = field(default_factory=Counter)
    findings: list[str] = field(default_factory=list)
    cases: list[str] = field(default_factory=list)


def walk(kind: str, platform: Platform, uses: int, broken: Callable[[DeviceSession], object] = id) -> Tally:
    """Uses so many refs of lists of one kind. ``broken`` may break the session, to prove that the witness sees it."""
    tally, chance = Tally(), Random(f"{kind} on {platform}")
    opened: list[Opened] = []
    app = App(package="dev.replicant.things", label="Things", state=lambda _: {"opened": opened}, start=Things)
    with virtual_device(app, platform=platform) as device:
        while tally.counts["uses"] < uses:
            with device.session(**_SETTINGS) as session:
                broken(session)
                for change in chance.sample([*CHANGES], len(CHANGES)):
                    making = Making(kind, chance, chance.choice([*_LANGUAGES]))
                    opened[0].state.update(ids=chance.random() < 0.5, shape=chance.choice(SHAPES), lines=chance.random() < 0.5)
                    _use(session, device, opened[0], change, making, tally)
    return tally


_SETTINGS = {"action_timeout": 0.0, "screenshots": False, "recover": None, "window": 0.0, "quiet": 0.0}


def _use(
    session: DeviceSession, device: VirtualDevice, app: Opened, change: str, making: Making, tally: Tally
) -> None:
    """Prints a list, changes it, and uses some of the refs."""
    state, chance = app.state, making.chance
    before = making.items(_ROWS if chance.random() < 0.5 else 2 * _ROWS)
    _show(app, before, device)
    if len(before) > _ROWS and chance.random() < 0.5:
        device.driver.swipe(Point(300, 1500), Point(300, 1500 - chance.randint(150, 900)), 0.3)
        device.clock.sleep(1)
    printed = session.snapshot()
    meant: dict[str, tuple[Element, object]] = {}
    for element in chance.sample(printed.elements, len(printed.elements)):
        state["touched"] = None
        if len(meant) < _EACH and not element.states.editable and not element.resource_id.endswith("things"):
            device.driver.tap(element.center)
            if state["touched"]:
                meant[element.ref] = element, state["touched"]
    after = CHANGES[change](before, making)
    _show(app, after, device)
    if chance.random() < 0.5:
        session.snapshot()  # a look in between prints refs too
    shown = [_shown(items) for items in (before, after)]
    for ref, (element, truth) in meant.items():
        state["touched"] = None
        try:
            session.tap(ref)
        except ActionFailed as error:
            state["touched"], why = None, str(error)
        else:
            why = str(session.snapshot())
        key = truth[0]
        words = [one.get(key) for one in shown]
        ended = "kept" if state["touched"] and state["touched"][0] == key else "another" if state["touched"] else "refused"
        same = words[0] == words[1] and Counter(shown[1].values())[words[1]] == 1
        tally.counts.update(["uses", ended, *([f"{ended} of the same"] if same else ()), f"{ended} {change}"])
        tally.cases.append(f"{ended} {'same' if same else 'changed' if words[1] else 'gone'} {making.kind} {making.language} {change}  {state['shape']} {state['ids']}: {element.describe()} of {words[0]} {truth} -> {state['touched']} {words[1]}\n{why}")


def _show(app: Opened, items: list[Item], device: VirtualDevice) -> None:
    app.state["items"] = items
    app.hide_keyboard()
    app.changed()
    device.clock.sleep(1)  # what was read before is no longer of now


def _shown(items: list[Item]) -> dict[int, tuple[str, ...]]:
    """The words of each row, by item."""
    return {
        item.key: tuple(str(place) if word == RANK else word for word in item.words)
        for place, item in enumerate(items, start=1)
    }


def main():
    import sys
    kinds = sys.argv[1].split(",") if len(sys.argv) > 1 and sys.argv[1] else KINDS
    uses = int(sys.argv[2])
    show = sys.argv[3] if len(sys.argv) > 3 else ""
    n = int(sys.argv[4]) if len(sys.argv) > 4 else 10
    total = Counter()
    for kind in kinds:
        for platform in get_args(Platform):
            t = walk(kind, platform, uses)
            c = t.counts
            total += c
            print(f"{kind:10} {platform:8} uses {c['uses']} another {c['another']} kept {c['kept']} refused {c['refused']}; same: kept {c['kept of the same']} refused {c['refused of the same']} another {c['another of the same']}", {ch: (c[f'kept {ch}'], c[f'refused {ch}'], c[f'another {ch}']) for ch in CHANGES}, flush=True)
            if show:
                cases = [x for x in t.cases if x.startswith(show)]
                for x in cases[:: max(len(cases)//n,1)][:n]:
                    print("   ", x.replace("\n", "\n        ")[:1800])
    c = total
    same = c['kept of the same'] + c['refused of the same'] + c['another of the same']
    print(f"TOTAL uses {c['uses']} another {c['another']} kept {c['kept']} refused {c['refused']}; same: kept {c['kept of the same']/same:.4f} {c['kept of the same']} refused {c['refused of the same']} another {c['another of the same']}", {ch: (c[f'kept {ch}'], c[f'refused {ch}'], c[f'another {ch}']) for ch in CHANGES})

if __name__ == "__main__":
    main()
