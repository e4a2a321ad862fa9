"""Which cassettes of old runs go, and the blobs that only they used.

Only files in run folders of ours are named here: those whose ``run.json`` says so. A link is never followed. Pages
and traces stay, with all that they show.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from ..cassettes import FILE_NAME, read_cassette
from ..errors import UsageError
from ..model import UNSOUND
from .reports import LARGEST, RUN, TRACE, content_of
from .run import record_of

_WITHOUT = "passed over"


@dataclass(frozen=True)
class Kept:
    """A cassette: ``blobs`` are the files that it uses, None if that cannot be read."""

    file: Path
    size: int
    failed: bool
    blobs: frozenset[str] | None


@dataclass(frozen=True)
class RunFolder:
    """A run of ours. ``began`` is in seconds since 1970. ``freed_by`` are the blobs that only cassettes use, with
    their sizes; ``why_blobs_stay`` says why none is known to be needless, "" if they are known."""

    path: Path
    began: float
    cassettes: Sequence[Kept]
    freed_by: Mapping[str, int]
    why_blobs_stay: str


@dataclass
class Plan:
    """``cassettes`` go first, then ``blobs``: nothing that is left lacks a part at any time. ``notes`` say what
    was passed over."""

    cassettes: list[Path] = field(default_factory=list)
    blobs: list[Path] = field(default_factory=list)
    freed: int = 0
    left: int = 0
    runs: set[Path] = field(default_factory=set)
    notes: list[str] = field(default_factory=list)

    def take(self, run: RunFolder, one: Kept, uses: Counter[str]) -> None:
        """A cassette, with the blobs that no other one of its run uses."""
        self.runs.add(run.path)
        self.cassettes.append(one.file)
        freed = one.size
        for name in one.blobs or ():
            uses[name] -= 1
            if not uses[name] and name in run.freed_by:
                self.blobs.append(run.path / "blobs" / name)
                freed += run.freed_by[name]
        self.freed += freed
        self.left -= freed


def plan_of(
    reports: Iterable[Path],
    *,
    keep: int | None = None,
    before: float | None = None,
    max_bytes: int | None = None,
) -> Plan:
    """What goes: the cassettes of all but the newest ``keep`` runs, those of runs that began ``before``, or the
    oldest ones until the rest takes no more than ``max_bytes``, those of failures last. Raises ``UsageError`` for
    a folder without a run of ours."""
    notes: list[str] = []
    runs = sorted(_runs(reports, notes), key=lambda run: (run.began, run.path))
    order = [(run, one) for run in runs for one in run.cassettes]
    if max_bytes is not None:
        order.sort(key=lambda pair: pair[1].failed)  # the oldest first, as before
    old = set(map(id, runs[: max(len(runs) - keep, 0)])) if keep is not None else set()
    uses = {id(run): Counter(name for one in run.cassettes for name in one.blobs or ()) for run in runs}
    left = sum(one.size for _, one in order) + sum(sum(run.freed_by.values()) for run in runs)
    plan = Plan(left=left, notes=notes)
    for run, one in order:
        goes = id(run) in old or (before is not None and run.began < before)
        if goes or (max_bytes is not None and plan.left > max_bytes):
            plan.take(run, one, uses[id(run)])
    for run in runs:
        if run.why_blobs_stay:
            plan.notes.append(f"{run.path}: its blobs stay, as {run.why_blobs_stay}")
    return plan


def carry_out(plan: Plan) -> None:
    """Deletes. Raises ``OSError`` for what cannot be."""
    for path in (*plan.cassettes, *plan.blobs):
        with suppress(FileNotFoundError):
            path.unlink()


def _runs(reports: Iterable[Path], notes: list[str]) -> Iterator[RunFolder]:
    seen: set[Path] = set()
    for report in reports:
        if not report.is_dir():
            raise UsageError(f"{report}: there is no such folder. Next: name replicant-report, or a run's folder")
        folders = [report] if _has_cassettes(report) else _folders(report, notes)
        found = [run for one in folders if _has_cassettes(one) if (run := _run_at(one, notes)) is not None]
        if not found and not any((one / RUN).is_file() for one in (report, *folders)):
            raise UsageError(f"{report}: no run of ours is in it, and nothing was deleted")
        for run in found:
            place = run.path.resolve()
            if place not in seen:
                seen.add(place)
                yield run


def _has_cassettes(folder: Path) -> bool:
    return any(folder.glob(f"*/{FILE_NAME}"))


def _folders(folder: Path, notes: list[str]) -> list[Path]:
    found = sorted(one for one in folder.iterdir() if one.is_dir())
    notes += [f"{one}: a link, {_WITHOUT}" for one in found if one.is_symlink()]
    return [one for one in found if not one.is_symlink()]


def _run_at(folder: Path, notes: list[str]) -> RunFolder | None:
    """None for a folder that is not a run of ours that has ended."""
    file = folder / RUN
    if _size(file) is None:
        notes.append(f"{folder}: no run.json, as of a run that is under way or was ended, {_WITHOUT}")
        return None
    try:
        run = record_of(content_of(file))
        began = datetime.fromisoformat(run.started_at.replace("Z", "+00:00")).timestamp()
    except (OSError, ValueError, OverflowError) as error:
        notes.append(f"{folder}: its run.json is not read ({error}), {_WITHOUT}")
        return None
    cassettes = list(_cassettes(folder, notes))
    return RunFolder(folder, began, cassettes, *_freed_by(folder, cassettes))


def _freed_by(folder: Path, cassettes: Sequence[Kept]) -> tuple[dict[str, int], str]:
    shown: set[bytes] = set()  # the digests that its pages and traces name
    for path in (folder / RUN, folder / "index.html", *folder.glob(f"*/{TRACE}")):
        size = _size(path)
        if size is not None and size <= LARGEST:
            shown.update(re.findall(rb"[0-9a-f]{32}", path.read_bytes()))
        elif path.name != "index.html":
            return {}, f"{path} cannot be read"
    for one in cassettes:
        if one.blobs is None:
            return {}, "one of its cassettes cannot be read"
        if not (one.file.parent / TRACE).is_file():
            return {}, f"{one.file.parent} has no trace.json"
    blobs = folder / "blobs"
    if blobs.is_symlink():
        return {}, ""
    used = {name for one in cassettes for name in one.blobs or () if name[:32].encode() not in shown}
    return {name: size for name in used if (size := _size(blobs / name)) is not None}, ""


def _cassettes(folder: Path, notes: list[str]) -> Iterator[Kept]:
    for file in sorted(folder.glob(f"*/{FILE_NAME}")):
        size = _size(file)
        if size is None or file.parent.is_symlink():
            notes.append(f"{file}: a link or no file, {_WITHOUT}")
            continue
        try:
            cassette = read_cassette(content_of(file))
        except (OSError, ValueError):
            yield Kept(file, size, False, None)
        else:
            failed = bool(cassette.header.failures) or cassette.header.outcome in UNSOUND
            yield Kept(file, size, failed, frozenset(cassette.blobs))


def _size(path: Path) -> int | None:
    """Of a file; None for anything else, a link too."""
    try:
        return path.stat().st_size if path.is_file() and not path.is_symlink() else None
    except OSError:
        return None


def lines_of(plan: Plan, *, dry: bool) -> Sequence[str]:
    """What a plan frees, and what was passed over, in lines."""
    verb = "would free" if dry else "freed"
    if not plan.cassettes:
        return [f"{verb} nothing: the cassettes take {_megabytes(plan.left)}", *plan.notes]
    counts = f"{len(plan.cassettes)} cassettes and {len(plan.blobs)} blobs of {len(plan.runs)} runs"
    left = f"{_megabytes(plan.left)} of cassettes {'would be' if dry else 'are'} left"
    return [f"{verb} {_megabytes(plan.freed)}: {counts}; {left}", *plan.notes]


def _megabytes(size: int) -> str:
    return f"{size / 1_000_000:.1f} MB"
