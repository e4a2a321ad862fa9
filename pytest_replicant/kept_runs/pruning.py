"""Which cassettes of old runs go, and the blobs that only they used.

Only files in run folders of ours are named here: those whose ``run.json`` says so. A link is never
followed. Pages and traces stay, with all that they show.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from pathlib import Path

from ..cassettes import FILE_NAME
from ..errors import UsageError
from .attempt import TRACE
from .reports import LARGEST, RUN, content_of
from .run import record_of

_WITHOUT = "passed over"


@dataclass(frozen=True)
class Plan:
    """``cassettes`` of as many ``runs`` go first, then ``blobs``: nothing that is left lacks a part
    at any time. ``freed`` are their bytes; ``notes`` say what was passed over."""

    cassettes: Sequence[Path]
    blobs: Sequence[Path]
    runs: int
    freed: int
    notes: Sequence[str]


def plan_of(reports: Iterable[Path], *, keep: int | None = None, before: float = 0.0) -> Plan:
    """What goes: the cassettes of all but the newest ``keep`` runs, or those of runs that began
    ``before``, in seconds since 1970. Raises ``UsageError`` for a folder without a run of ours."""
    notes: list[str] = []
    runs = sorted(_runs(reports, notes))
    if keep is None:
        old = [folder for began, folder in runs if began < before]
    else:
        old = [folder for _, folder in runs[: max(len(runs) - keep, 0)]]
    cassettes: list[Path] = []
    blobs: list[Path] = []
    for folder in old:
        for file in sorted(folder.glob(f"*/{FILE_NAME}")):
            if _is_file(file) and not file.parent.is_symlink():
                cassettes.append(file)
            else:
                notes.append(f"{file}: a link or no file, {_WITHOUT}")
        blobs += _needless(folder, notes)
    freed = sum(path.stat().st_size for path in (*cassettes, *blobs))
    return Plan(cassettes, blobs, len(old), freed, notes)


def carry_out(plan: Plan) -> None:
    """Deletes. Raises ``OSError`` for what cannot be."""
    for path in (*plan.cassettes, *plan.blobs):
        with suppress(FileNotFoundError):
            path.unlink()


def _runs(reports: Iterable[Path], notes: list[str]) -> Iterator[tuple[float, Path]]:
    """When each began, and its folder."""
    seen: set[Path] = set()
    for report in reports:
        if not report.is_dir():
            raise UsageError(
                f"{report}: there is no such folder. Next: name replicant-report, or a run's folder"
            )
        folders = [report] if _has_cassettes(report) else _folders(report, notes)
        if not any((one / RUN).is_file() for one in (report, *folders)):
            raise UsageError(f"{report}: no run of ours is in it, and nothing was deleted")
        for folder in filter(_has_cassettes, folders):
            began = _began(folder, notes)
            if began is not None and folder.resolve() not in seen:
                seen.add(folder.resolve())
                yield began, folder


def _has_cassettes(folder: Path) -> bool:
    return any(folder.glob(f"*/{FILE_NAME}"))


def _folders(folder: Path, notes: list[str]) -> list[Path]:
    found = sorted(one for one in folder.iterdir() if one.is_dir())
    notes += [f"{one}: a link, {_WITHOUT}" for one in found if one.is_symlink()]
    return [one for one in found if not one.is_symlink()]


def _began(folder: Path, notes: list[str]) -> float | None:
    """None for a folder that is not a run of ours that has ended."""
    if not _is_file(folder / RUN):
        notes.append(
            f"{folder}: no run.json, as of a run that is under way or was ended, {_WITHOUT}"
        )
        return None
    try:
        run = record_of(content_of(folder / RUN))
        return datetime.fromisoformat(run.started_at.replace("Z", "+00:00")).timestamp()
    except (OSError, ValueError, OverflowError) as error:
        notes.append(f"{folder}: its run.json is not read ({error}), {_WITHOUT}")
        return None


def _needless(folder: Path, notes: list[str]) -> list[Path]:
    """The blobs that no page, trace or other document of the run names."""
    inner = chain(folder.glob("*"), folder.glob("*/*"))
    documents = [path for path in inner if path.suffix in (".json", ".html")]
    documents += [one.with_name(TRACE) for one in folder.glob(f"*/{FILE_NAME}")]
    named: set[str] = set()
    for path in documents:
        if not _is_file(path) or path.stat().st_size > LARGEST:
            notes.append(f"{folder}: its blobs stay, as {path} cannot be read")
            return []
        named.update(map(bytes.decode, re.findall(rb"[0-9a-f]{32}", path.read_bytes())))
    blobs = folder / "blobs"
    found = [] if blobs.is_symlink() else sorted(filter(_is_file, blobs.glob("*")))
    return [path for path in found if path.name[:32] not in named]


def _is_file(path: Path) -> bool:
    """No link, and nothing else."""
    return path.is_file() and not path.is_symlink()


def lines_of(plan: Plan, *, dry: bool) -> Sequence[str]:
    """What a plan frees, and what was passed over, in lines."""
    verb = "would free" if dry else "freed"
    counts = f"{len(plan.cassettes)} cassettes and {len(plan.blobs)} blobs of {plan.runs} runs"
    freed = f"{plan.freed / 1_000_000:.1f} MB: {counts}" if plan.cassettes else "nothing"
    return [f"{verb} {freed}", *plan.notes]
