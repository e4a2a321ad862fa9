"""Real captures to measure with: where they are, which are screens, and on which of them rules may
be tuned.

The captures are public dumps of other people's apps; they are not part of this project.
``REPLICANT_CORPUS`` names their folder, else ``../shared/corpus`` beside the checkout; without it
nothing can be measured.
"""

from __future__ import annotations

import csv
import os
import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from hashlib import sha1
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from lxml import etree

from pytest_replicant.errors import SnapshotError
from pytest_replicant.snapshots import Snapshot

from .table import Unmeasurable
from .tree import Tree, class_of, words_of

if TYPE_CHECKING:
    from collections.abc import Iterator

Split = Literal["tune", "test"]
SPLITS: tuple[Split, ...] = ("test", "tune")

CHECKOUT = Path(__file__).resolve().parent.parent
NO_CORPUS = "no captures: set REPLICANT_CORPUS to their folder"

# Rules and thresholds were tuned while looking at the other owners' captures only, so what is
# measured on these says how refs do on apps nobody looked at. By repository, as captures of one app
# are alike; fixed before tuning.
TEST_OWNERS = frozenset(
    {
        "gpaneda",
        "feymanpaper",
        "Kqramazov",
        "crifan",
        "gezihua123",
        "Goddiewayne",
        "Matth33w",
        "delwaqtyapp",
    }
)
_KINDS = frozenset(
    {"android", "appium", "appium-malformed", "ios", "ios-fragment", "screen-dump", "sequence-xml"}
)
_NUMBER = re.compile(r"\d+([.,:/]\d+)*")
_NEARLY = 0.9  # of the nodes of two screens


@dataclass(frozen=True)
class Capture:
    """One screen. ``name`` is its path in the corpus; ``tree`` is what mutations copy and
    change."""

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


def needed_corpus() -> Path:
    """Raises ``Unmeasurable`` where there is none."""
    folder = corpus()
    if folder is None:
        raise Unmeasurable(NO_CORPUS)
    return folder


def rows_in(path: Path, skip: int = 0) -> Iterator[dict[str, str]]:
    """The rows of a tab-separated file by the names of its columns, which stand below so many lines
    of prose."""
    lines = path.read_text(encoding="utf-8").split("\n")
    return csv.DictReader(lines[skip:], delimiter="\t", quoting=csv.QUOTE_NONE)


def split_of(repository: str) -> Split:
    return "test" if repository.partition("/")[0] in TEST_OWNERS else "tune"


def captures(split: Split, most: int | None = None) -> tuple[list[Capture], Counter[str]]:
    """The screens of one split and a count of what was left out and why. ``most`` is how many a
    repository may give, chosen by the digest of their bytes: the same ones every time. Identical
    files count once, and so do screens of a repository that show nearly the same."""
    left_out: Counter[str] = Counter()
    found: list[Capture] = []
    given: dict[str, list[Counter[object]]] = defaultdict(list)
    for _, name, repository, kind, data in sorted(_files(split, left_out)):
        if most is not None and len(given[repository]) >= most:
            left_out["beyond the cap"] += 1
            continue
        tree = _screen(data, left_out)
        if tree is None:
            continue
        shown = _shown(tree)
        if any(
            (shown & other).total() >= _NEARLY * (shown | other).total()
            for other in given[repository]
        ):
            left_out["nearly equal to another"] += 1
            continue
        given[repository].append(shown)
        found.append(Capture(name, repository, kind, split, data, tree))
    return sorted(found, key=lambda capture: capture.name), left_out


def _shown(tree: Tree) -> Counter[object]:
    """Class, id, depth and words of each node; numbers and clocks are all alike."""
    return Counter(
        (class_of(node), node.get("resource-id", ""), sum(1 for _ in node.iterancestors()),
         *(_NUMBER.sub("#", text) for text in words_of(node).values()))
        for node in tree.nodes()
    )  # fmt: skip


def _files(split: Split, left_out: Counter[str]) -> Iterator[tuple[str, str, str, str, bytes]]:
    seen: set[str] = set()
    tuned_on = _apps("tune") if split == "test" else set()
    for name, repository, kind, app, data in _listed(split):
        if kind not in _KINDS:
            continue
        if app in tuned_on:
            left_out["of an app to tune on"] += 1
            continue
        digest = sha1(data).hexdigest()
        if digest in seen:
            left_out["identical to another"] += 1
            continue
        seen.add(digest)
        yield digest, name, repository, kind, data


def _listed(split: Split) -> Iterator[tuple[str, str, str, str, bytes]]:
    """Name, repository, kind, app ("" where unknown) and bytes of every file."""
    folder = needed_corpus()
    for line in _index(folder, split):
        path = folder / line["path"]
        if path.is_file():
            app = line.get("app_package") or ""
            yield line["path"], line["source_repo"], line["kind"], app, path.read_bytes()


def _index(folder: Path, split: Split) -> Iterator[dict[str, str]]:
    return (
        line for line in rows_in(folder / "INDEX.tsv") if split_of(line["source_repo"]) == split
    )


def _apps(split: Split) -> set[str]:
    """The apps of its screens, as far as they are known."""
    lines = _index(needed_corpus(), split)
    return {app for line in lines if line["kind"] in _KINDS and (app := line.get("app_package"))}


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
    for name, _, kind, _, data in _listed(split):
        if kind == "sequence-xml":
            folders.setdefault(name.rpartition("/")[0], []).append((name, data))
    return [Run(name, tuple(sorted(screens))) for name, screens in sorted(folders.items())]
