"""Real captures to measure with: where they are, which are screens, and on which of them rules may be tuned.

The captures are public dumps of other people's apps; they are not part of this project. ``REPLICANT_CORPUS`` names
their folder, else ``../shared/corpus`` beside the checkout; without it nothing can be measured. What users sent,
the files of ``replicant record`` and ``doctor --prove --save``, is apart from them, and no rule is tuned on it: in
``captures/``, or where ``REPLICANT_CAPTURES`` says.
"""

from __future__ import annotations

import csv
import os
from collections import Counter
from dataclasses import dataclass
from hashlib import sha1
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from lxml import etree

from pytest_replicant.captures import read_capture
from pytest_replicant.errors import SnapshotError
from pytest_replicant.snapshots import Snapshot

from .tree import Tree

if TYPE_CHECKING:
    from collections.abc import Iterator

Split = Literal["tune", "test", "contributed"]
SPLITS: tuple[Split, ...] = ("test", "tune")  # of the corpus

CHECKOUT = Path(__file__).resolve().parent.parent
NO_CORPUS = "no captures: set REPLICANT_CORPUS to their folder"

# Rules and thresholds were tuned while looking at the other owners' captures only, so what is measured on these
# says how refs do on apps nobody looked at. By repository, as captures of one app are alike; fixed before tuning.
TEST_OWNERS = frozenset(
    {"gpaneda", "feymanpaper", "Kqramazov", "crifan", "gezihua123", "Goddiewayne", "Matth33w", "delwaqtyapp"}
)
_KINDS = frozenset({"android", "appium", "appium-malformed", "ios", "ios-fragment", "screen-dump", "sequence-xml"})


@dataclass(frozen=True)
class Capture:
    """One screen. ``name`` is its path in the corpus; ``tree`` is what mutations copy and change."""

    name: str
    repository: str
    kind: str
    split: Split
    data: bytes
    tree: Tree


def corpus() -> Path | None:
    """The folder of captures, None where there is none."""
    folder = Path(os.environ.get("REPLICANT_CORPUS") or CHECKOUT.parent / "shared" / "corpus")
    return folder if (folder / "INDEX.tsv").is_file() else None


def split_of(repository: str) -> Split:
    return "test" if repository.partition("/")[0] in TEST_OWNERS else "tune"


def captures(split: Split, most: int | None = None) -> tuple[list[Capture], Counter[str]]:
    """The screens of one split and a count of what was left out and why. ``most`` is how many a repository may
    give, chosen by the digest of their bytes: the same ones every time. Identical files count once."""
    left_out: Counter[str] = Counter()
    found: list[Capture] = []
    given: Counter[str] = Counter()
    for _, name, repository, kind, data in sorted(_files(split, left_out)):
        if most is not None and given[repository] >= most:
            left_out["beyond the cap"] += 1
            continue
        tree = _screen(data, left_out)
        if tree is not None:
            given[repository] += 1
            found.append(Capture(name, repository, kind, split, data, tree))
    return sorted(found, key=lambda capture: capture.name), left_out


def _files(split: Split, left_out: Counter[str]) -> Iterator[tuple[str, str, str, str, bytes]]:
    seen: set[str] = set()
    for name, repository, kind, data in _listed(split):
        if kind not in _KINDS:
            continue
        digest = sha1(data).hexdigest()
        if digest in seen:
            left_out["identical to another"] += 1
            continue
        seen.add(digest)
        yield digest, name, repository, kind, data


def _listed(split: Split) -> Iterator[tuple[str, str, str, bytes]]:
    """Name, repository, kind and bytes of every file."""
    if split == "contributed":
        yield from _contributed(Path(os.environ.get("REPLICANT_CAPTURES") or CHECKOUT / "captures"))
        return
    folder = corpus()
    if folder is None:
        raise FileNotFoundError(NO_CORPUS)
    with (folder / "INDEX.tsv").open(encoding="utf-8", newline="") as index:
        for line in csv.DictReader(index, delimiter="\t", quoting=csv.QUOTE_NONE):
            path = folder / line["path"]
            if split_of(line["source_repo"]) == split and path.is_file():
                yield line["path"], line["source_repo"], line["kind"], path.read_bytes()


def _contributed(folder: Path) -> Iterator[tuple[str, str, str, bytes]]:
    """Each file is a repository, and a run of its screens in their order."""
    for path in sorted(folder.glob("*.zip")):
        for number, screen in enumerate(read_capture(path).screens):
            source = next(
                (data for form, data in screen.forms.items() if form in ("uiautomator2", "wda-xml")), None
            )
            if source is not None:
                yield f"{path.stem}/{number:03}-{screen.name}", f"captures/{path.stem}", "sequence-xml", source


def _screen(data: bytes, left_out: Counter[str]) -> Tree | None:
    """None for what is no screen, and for what the parser repairs but cannot be changed as XML."""
    try:
        snapshot = Snapshot.parse(data)
    except SnapshotError:
        left_out["no screen"] += 1
        return None
    try:
        tree = Tree.read(data)
    except etree.XMLSyntaxError:
        left_out["damaged XML"] += 1
        return None
    if len(tree.nodes()) != len(snapshot.nodes):
        left_out["nodes cannot be decided apart"] += 1
        return None
    if not snapshot.elements:
        left_out["no elements"] += 1
        return None
    return tree


@dataclass(frozen=True)
class Run:
    """Screens in the order in which they were recorded: name and bytes of each."""

    name: str
    screens: tuple[tuple[str, bytes], ...]


def runs(split: Split) -> list[Run]:
    """The recorded runs, one a folder; only the files that ``INDEX.tsv`` names as screens."""
    folders: dict[str, list[tuple[str, bytes]]] = {}
    for name, _, kind, data in _listed(split):
        if kind == "sequence-xml":
            folders.setdefault(name.rpartition("/")[0], []).append((name, data))
    return [Run(name, tuple(sorted(screens))) for name, screens in sorted(folders.items())]
