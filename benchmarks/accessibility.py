"""What the rules of accessibility find on real screens, and how much of that is right.

``python -m benchmarks accessibility`` needs real captures (see ``captures``). Rules were tuned on the half that
``split_of`` names, by repository. Of the other half, ``accessibility_judged.tsv`` has verdicts on a sample of the
findings, each reached by looking at the hierarchy around it, and at the picture where there is one:
``--list RULE`` prints what is to be judged. Contrast is measured on colours that are known.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import sha1
from pathlib import Path
from typing import Any, Literal

from lxml import etree
from PIL import Image, ImageDraw

from pytest_replicant.accessibility import RULES, Audit, Finding, findings
from pytest_replicant.errors import SnapshotError
from pytest_replicant.model import Node, Rect, descendants
from pytest_replicant.snapshots import Snapshot
from pytest_replicant.testing import Latency
from pytest_replicant.virtual import App, Column, IconButton, RunningApp, Screen, Text, VirtualPhone, draw_screen
from pytest_replicant.vision import contrast_in, drawn_texts, has_ocr, opened, ratio_of

from .captures import captures, needed_corpus, rows_in, split_of
from .table import Table, percent

JUDGED = Path(__file__).with_name("accessibility_judged.tsv")
COMMAND = "python -m benchmarks accessibility"
LEAST_JUDGED, LEAST_RIGHT = 30, 0.95
MOST_OF_ONE = 40  # findings of one repository in the sample of a rule
MOST_SAMPLED = 110

# Dots per dp of the usual phones with so many pixels across, the fewest of them: what is too small by these is too
# small by all others. A dump does not say, and a tablet, a television or a car has other ones.
_FEWEST = {480: 1.5, 540: 1.5, 720: 2.0, 1080: 2.625, 1440: 3.5}
_EXPLAINED = """Findings on every capture that is a screen, and on those with pictures for the rules that need one.
Judged: of apps kept apart, by hand, one at a time, by the author of the rules. A first look at these apps changed
five rules, and their page says how. The
last 35 verdicts on touch-target came after that, and all are right. Sizes are judged by the fewest dots per dp
that a phone of that width usually has. A rule fails tests by default where at least 30 findings were judged and
95 % of them are right."""

Verdict = Literal["right", "wrong"]


@dataclass(frozen=True)
class Screenful:
    """One screen of the corpus with its picture, None for most. ``source`` is the digest of its bytes."""

    name: str
    repository: str
    snapshot: Snapshot
    picture: bytes | None = None
    source: str = ""

    @property
    def density(self) -> float | None:
        if self.snapshot.platform == "ios":
            return 1.0  # these dumps are in points
        width, height = self.snapshot.size
        return _FEWEST.get(width) if height >= 1.5 * width else None

    @property
    def audit(self) -> Audit:
        texts = drawn_texts(self.picture) if self.picture is not None and has_ocr() else None
        return findings(self.snapshot, density=self.density, picture=self.picture, texts=texts, crops=False)


def every_screen() -> Iterator[Screenful]:
    """Every file of the corpus that is a screen, look-alikes too."""
    folder = needed_corpus()
    for line in rows_in(folder / "INDEX.tsv"):
        path = folder / line["path"]
        if path.suffix not in (".xml", ".uix", ".json") or not path.is_file():
            continue
        try:
            snapshot = Snapshot.parse(path.read_bytes())
        except SnapshotError:
            continue
        yield Screenful(line["path"], line["source_repo"], snapshot)


def pictured() -> Iterator[Screenful]:
    """The screens that were photographed with their hierarchy."""
    folder = needed_corpus()
    for path in sorted((folder / "screens").glob("*/*")):
        if path.suffix not in (".png", ".jpg"):
            continue
        source = next(
            (one for one in (path.with_suffix(".xml"), path.with_suffix(".json")) if one.is_file()), None
        )
        if source is not None:
            data, picture = source.read_bytes(), path.read_bytes()
            size = opened(picture).size
            snapshot = Snapshot.parse(_droidbot(data) if source.suffix == ".json" else data, size=size)
            name = source.relative_to(folder).as_posix()
            repository = path.parent.name.replace("__", "/", 1)
            yield Screenful(name, repository, snapshot, picture, sha1(data).hexdigest())


def _droidbot(data: bytes) -> str:
    """The hierarchy of DroidBot's state file as a phone prints it."""
    views = json.loads(data)["views"]

    def element(at: int) -> etree._Element:
        view = views[at]
        (left, top), (right, bottom) = view["bounds"]
        node = etree.Element("node", {"bounds": f"[{left},{top}][{right},{bottom}]", "class": view["class"]})
        for name, key in _DROIDBOT.items():
            node.set(name, str(view[key]).lower() if isinstance(view[key], bool) else view[key] or "")
        node.extend(element(child) for child in view["children"])
        return node

    root = etree.Element("hierarchy", rotation="0")
    root.extend(element(at) for at, view in enumerate(views) if view["parent"] == -1 and view["visible"])
    return etree.tostring(root, encoding="unicode")


_DROIDBOT = {
    "package": "package", "resource-id": "resource_id", "text": "text", "content-desc": "content_description",
    "clickable": "clickable", "long-clickable": "long_clickable", "checkable": "checkable", "checked": "checked",
    "enabled": "enabled", "focusable": "focusable", "focused": "focused", "scrollable": "scrollable",
    "selected": "selected", "password": "is_password",
}  # fmt: skip


@dataclass(frozen=True)
class Sampled:
    """A finding that is to be judged, with its screen."""

    screen: Screenful
    finding: Finding

    @property
    def key(self) -> tuple[str, str, int]:
        return self.screen.name, self.finding.rule, self.finding.node

    @property
    def digest(self) -> str:
        return sha1("\t".join(map(str, self.key)).encode()).hexdigest()


@cache
def apart() -> tuple[Sampled, ...]:
    """All findings on the screens that no rule was tuned on, nearly equal screens once; in the order in which they
    are judged, which is that of their digests."""
    photographed = [one for one in pictured() if split_of(one.repository) == "test"]
    pictures = {one.source for one in photographed}
    screens = [
        Screenful(one.name, one.repository, Snapshot.parse(one.data), None, sha1(one.data).hexdigest())
        for one in captures("test")[0]
    ]
    screens = [*(one for one in screens if one.source not in pictures), *photographed]
    found = [Sampled(screen, finding) for screen in screens for finding in screen.audit.findings]
    return tuple(sorted(found, key=lambda one: one.digest))


def sample(rule: str) -> list[Sampled]:
    """The findings of one rule that are judged: no more than a few of one repository."""
    given: Counter[str] = Counter()
    found = []
    for one in apart():
        if one.finding.rule == rule and given[one.screen.repository] < MOST_OF_ONE:
            given[one.screen.repository] += 1
            found.append(one)
    return found[:MOST_SAMPLED]


def verdicts() -> dict[tuple[str, str, int], Verdict]:
    """By capture, rule and node."""
    rows = rows_in(JUDGED, skip=1)  # who judged them and how
    return {(row["capture"], row["rule"], int(row["node"])): _verdict(row["verdict"]) for row in rows}


def _verdict(word: str) -> Verdict:
    if word not in ("right", "wrong"):
        raise ValueError(f"{JUDGED.name}: {word!r} is no verdict")
    return "right" if word == "right" else "wrong"


def scores() -> dict[str, tuple[int, int]]:
    """Of each rule: how many findings were judged, and how many of these are right. A verdict on what is found no
    more counts for nothing."""
    judged, known = defaultdict(list), verdicts()
    for one in apart():
        if one.key in known:
            judged[one.finding.rule].append(known[one.key])
    return {rule: (len(found), found.count("right")) for rule, found in judged.items()}


def earns_to_fail(judged: int, right: int) -> bool:
    return judged >= LEAST_JUDGED and right >= LEAST_RIGHT * judged


def measure() -> list[Table]:
    score = scores()
    found: dict[str, Counter[str]] = {name: Counter() for name in RULES}
    seconds, nodes, screens = 0.0, 0, Counter[str]()
    for screen in every_screen():
        began = time.process_time()
        audit = screen.audit
        seconds, nodes = seconds + time.process_time() - began, nodes + len(screen.snapshot.nodes)
        _count(screen, audit, found, screens)
    for screen in pictured():
        _count(screen, screen.audit, found, screens, pictures=True)
    rows = tuple(_row(name, found[name], screens, score.get(name, (0, 0))) for name in RULES)
    columns = ("rule", "screens", "findings", "screens with one", "judged", "right", "share", "fails tests")
    cost = f"{_EXPLAINED} The hierarchy's rules took {1e6 * seconds / max(nodes, 1):.0f} µs a node."
    table = Table("accessibility", "Accessibility rules", COMMAND, columns, rows, cost.replace("\n", " "))
    return [table, _contrast()]


def _count(
    screen: Screenful,
    audit: Audit,
    found: dict[str, Counter[str]],
    screens: Counter[str],
    *,
    pictures: bool = False,
) -> None:
    for name in audit.ran:
        if (RULES[name].needs in ("picture", "ocr")) == pictures:
            screens[name] += 1
            here = sum(one.rule == name for one in audit.findings)
            found[name].update(findings=here, screens=here > 0)


def _row(name: str, found: Counter[str], screens: Counter[str], score: tuple[int, int]) -> tuple[object, ...]:
    judged, right = score
    fails = "yes" if RULES[name].fails else "no"
    share = percent(right, judged) if judged else ""
    return name, screens[name], found["findings"], found["screens"], judged, right, share, fails


# --- contrast of colours that are known ----------------------------------------------------------------------

_GROUNDS = ("#ffffff", "#f7f5fa", "#000000", "#121212", "#ffd54f", "#1565c0", "#2e7d32")
_INKS = ("#000000", "#212121", "#757575", "#949494", "#b5b5b5", "#ffffff", "#c62828", "#1565c0", "#ef9a9a")
_SIZES = (12, 14, 16, 22)  # sp
_LEAST_PLANTED = 1.25  # less cannot be seen at all
_NEAR = 0.05  # of the true ratio
State = dict[str, Any]


def _shade(colour: str) -> tuple[int, int, int]:
    red, green, blue = bytes.fromhex(colour[1:])
    return red, green, blue


def _planted() -> list[tuple[str, str]]:
    pairs = [(ink, ground) for ground in _GROUNDS for ink in _INKS]
    return [pair for pair in pairs if ratio_of(*map(_shade, pair)) >= _LEAST_PLANTED]


def _rendered(kind: str, ink: str, ground: str) -> list[float | None]:
    """The ratios measured on a screen that the virtual phone draws, one for each text, or for each icon."""

    class Page(Screen[State]):
        title = "Contrast"

        def build(self, app: RunningApp[State]) -> Column:
            if kind == "texts":
                parts: list[Any] = [
                    Text(f"Delivered by Friday {size}", id="it", size=size, foreground=ink) for size in _SIZES
                ]
            else:
                parts = [IconButton(icon=icon, id="it", foreground=ink) for icon in ("search", "trash", "home")]
            return Column(children=parts, background=ground, height="fill", padding=(16, 16))

    app: App[State] = App(package="dev.replicant.trial", label="Trial", state=dict, start=Page)
    phone = VirtualPhone([app], latency=Latency(*[0] * 8), clock=lambda: 100.0)
    phone.settings.put("global", "stay_on_while_plugged_in", "7")
    phone.start_app(app.package)
    windows = phone.windows()
    image = draw_screen(windows, phone.size)
    nodes = [node for window in windows for node in window.root.walk() if node.resource_id.endswith(":id/it")]
    measured = [contrast_in(image, node.bounds) for node in nodes]
    return [one.ratio if one is not None else None for one in measured]


def _on_gradient(ink: str, ground: str) -> list[float | None]:
    """The same of words on a ground that grows a little lighter or darker from left to right."""
    image = Image.new("RGB", (600, 80), ground)
    draw, shade = ImageDraw.Draw(image), _shade(ground)
    for x in range(600):
        by = (x - 300) * 10 // 600
        draw.line((x, 0, x, 79), fill=tuple(min(max(each + by, 0), 255) for each in shade))
    draw.text((40, 15), "Delivered by Friday", fill=ink, font_size=42)
    measured = contrast_in(image, Rect(0, 0, 600, 80))
    return [measured.ratio if measured is not None else None]


def _contrast() -> Table:
    rows = []
    kinds = {"texts": _rendered, "icons": _rendered, "words on a gradient": None}
    for kind, render in kinds.items():
        counts: Counter[str] = Counter()
        for ink, ground in _planted():
            truth = ratio_of(_shade(ink), _shade(ground))
            for ratio in render(kind, ink, ground) if render is not None else _on_gradient(ink, ground):
                counts["planted"] += 1
                counts["undecided"] += ratio is None
                if ratio is not None:
                    counts["near"] += abs(ratio - truth) <= _NEAR * truth
                    counts["false alarm"] += truth >= 4.5 > ratio
                    counts["defects"] += truth < 4.5
                    counts["found"] += truth < 4.5 and ratio < 4.5
        rows.append(
            (kind, counts["planted"], counts["near"], counts["undecided"], counts["defects"], counts["found"],
             counts["false alarm"])
        )  # fmt: skip
    columns = ("what", "planted", "within 5 %", "undecided", "below 4.5", "found", "false alarms")
    note = "Colours that are known, drawn by the virtual phone in four sizes of text, or as icons."
    return Table("contrast", "Contrast of planted colours", COMMAND, columns, tuple(rows), note)


# --- what is to be judged ------------------------------------------------------------------------------------


def alone(options: list[str]) -> list[Table]:
    """``--list RULE`` prints the sample of one rule, each with what lies around it and its verdict."""
    parser = argparse.ArgumentParser(prog=COMMAND)
    parser.add_argument("--list", choices=list(RULES), required=True, metavar="RULE")
    rule, known = parser.parse_args(options).list, verdicts()
    for one in sample(rule):
        nodes = one.screen.snapshot.nodes
        print(f"{one.screen.name}\t{rule}\t{one.finding.node}\t{known.get(one.key, '')}")
        print(f"  {one.screen.snapshot.size} {one.screen.snapshot.app}: {one.finding.message}")
        node = nodes[one.finding.node]
        for mark, near in _around(node, nodes):
            print(f"  {mark} {_shown(near)}")
    return []


def _around(node: Node, nodes: tuple[Node, ...]) -> Iterator[tuple[str, Node]]:
    """Three levels above it, itself, what it holds and what lies next to it, a few each."""
    above: list[Node] = []
    parent = node.parent
    while parent >= 0 and len(above) < 3:
        above.append(nodes[parent])
        parent = nodes[parent].parent
    yield from (("^", one) for one in reversed(above))
    yield ">", node
    yield from ((".", one) for one in descendants(nodes, node)[:5])
    siblings = [nodes[at] for at in nodes[node.parent].children if at != node.index] if node.parent >= 0 else []
    yield from (("~", one) for one in sorted(siblings, key=lambda one: abs(one.index - node.index))[:4])


def _shown(node: Node) -> str:
    states = node.states
    flags = {"c": node.clickable, "l": node.long_clickable, "k": node.checkable, "s": states.scrollable,
             "e": states.editable, "d": states.enabled is False, "v": not node.visible}  # fmt: skip
    said = f"{node.text[:40]!r} {node.description[:40]!r}"
    signs = "".join(sign for sign, is_set in flags.items() if is_set)
    name = f"{node.index} {node.class_name} {node.resource_id.rpartition('/')[2]}"
    return f"{name} {said} [{signs}] {tuple(node.bounds)}"
