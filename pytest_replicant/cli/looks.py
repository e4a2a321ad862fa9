"""``replicant looks accept``: the pictures of a report become what tests compare with, as a change
to review."""

from __future__ import annotations

import argparse
import re
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from .. import vision
from ..errors import SnapshotError, UsageError
from ..model import LOOK, LOOK_NAME
from ..model.printable import counted, printable
from .process import argument, code_of, command, flag, option, print_text

if TYPE_CHECKING:
    from ..kept_runs import Look, RecordedAttempt

_LARGEST = 64_000_000  # bytes of one picture
_NEITHER = ("failed", "not compared")


class _Refused(ValueError):
    """It is not written, for this reason."""


@dataclass(frozen=True)
class _Offer:
    """The newest check of one picture in a report. ``folder`` is that of its test."""

    attempt: RecordedAttempt
    folder: Path
    looks: Look
    wanted: bool


@command(
    "looks",
    "take the pictures of a report as what tests compare with",
    "accept takes the pictures of each check of looks that failed or was not compared, and "
    "writes them next to the test files, to be reviewed and committed. REPORT is a folder, "
    "such as an artifact of CI that was unzipped. Exit codes: 0 all were written, or there "
    "were none, 1 some were refused, 2 usage, 3 a part of the report could not be read.",
    option("action", choices=["accept"]),
    argument("report", "REPORT", "the folder of a test, of a run or of all runs", type=Path),
    argument("--test", "NODEID", "only of this test"),
    argument("--root", "DIR", "pytest's rootdir (default: here)", type=Path, default=Path()),
    flag("--dry-run", "print what would be written, write nothing"),
)
def run(arguments: argparse.Namespace) -> int:
    """Writes the pictures and prints each. Raises ``UsageError`` and ``OSError``."""
    from ..kept_runs.whole_file import write_whole

    if not arguments.report.is_dir():
        raise UsageError(
            f"{str(arguments.report)!r} is no folder. Next: unzip the artifact, and name its folder"
        )
    would, done = ("would write", "to write") if arguments.dry_run else ("written", "written")
    troubles: list[str] = []
    offers = [
        one
        for one in _newest(arguments.report, troubles)
        if one.wanted and arguments.test in (None, one.attempt.nodeid)
    ]
    refused, taken = 0, set()
    for offer in offers:
        try:
            target, png = _checked(offer, arguments.root)
            _refuse_two(offer, png, offers)
        except _Refused as why:
            refused += 1
            print_text(printable(f"refused: {offer.looks.path}: {why} ({offer.attempt.nodeid})"))
            continue
        if target in taken:
            continue
        taken.add(target)
        was = "again" if target.exists() else "new"
        if not arguments.dry_run:
            write_whole(target, png)
        print_text(printable(f"{would} ({was}): {target.as_posix()}"))
    for line in troubles:
        print_text(printable(f"not read: {line}"))
    print_text(f"{counted(len(taken), 'picture')} {done}, {refused} refused")
    if taken and not arguments.dry_run:
        print_text("Next: look at them (git diff), and commit those that are as they should be")
    return code_of(refused, troubles)


def _newest(report: Path, troubles: list[str]) -> list[_Offer]:
    """Of each picture what the newest attempt in the report says, in the order of their paths."""
    from ..kept_runs import TRACE, attempts_of, files_below, stored_at

    found: dict[tuple[str, str, str], _Offer] = {}
    for trace in files_below(report, (TRACE,), troubles):
        for attempt in attempts_of([stored_at(trace.parent)], troubles):
            for step in attempt.steps:
                looks = step.looks
                if not looks:
                    continue
                key = (attempt.nodeid, looks.name, looks.look)
                if key not in found or found[key].attempt.started_at <= attempt.started_at:
                    wanted = step.result in _NEITHER and looks.actual is not None
                    found[key] = _Offer(attempt, trace.parent, looks, wanted)
    return sorted(found.values(), key=lambda one: one.looks.path)


def _checked(offer: _Offer, root: Path) -> tuple[Path, bytes]:
    """Where the picture goes, and the picture. Raises ``_Refused``: a report may be anybody's."""
    name, look = offer.looks.name, offer.looks.look
    if not LOOK_NAME.fullmatch(name) or not LOOK.fullmatch(look):
        raise _Refused("its name, or the name of the look, is none that a test writes")
    file = PurePosixPath(offer.attempt.nodeid.partition("::")[0])
    is_odd = ".." in file.parts or not {"\\", ":"}.isdisjoint(str(file))
    if is_odd or file.is_absolute() or not file.name:
        raise _Refused("the test is not below the folder of the project")
    place = file.parent / "looks" / file.stem / name / f"{look}.png"
    if str(place) != offer.looks.path:
        raise _Refused("the report names another place than where the test file keeps its pictures")
    target, inside = root / place, root.resolve()
    if not (root / file).is_file():
        raise _Refused(
            f"there is no {file} here. Next: run this where pytest was run, or give --root"
        )
    if target.is_symlink() or not target.resolve().is_relative_to(inside):
        raise _Refused("it lies outside of the project")
    return target, _picture(offer)


def _refuse_two(offer: _Offer, png: bytes, offers: list[_Offer]) -> None:
    """Raises ``_Refused`` if another test has another picture for the same file."""

    others = [one for one in offers if one is not offer and one.looks.path == offer.looks.path]
    if not others:
        return
    own = vision.read_kept(png)
    for other in others:
        theirs = vision.read_kept(_picture(other))
        masks = [mask.box for mask in (*own.masks, *theirs.masks)]
        if not vision.compare_pictures(own.image, theirs.image, masks=masks).same:
            raise _Refused(
                f"{other.attempt.nodeid} has another picture for it. Next: give each a name of its "
                "own, or take one by --test"
            )


def _picture(offer: _Offer) -> bytes:
    """The picture, written again from its pixels and masks. Raises ``_Refused``."""

    place, paths = offer.looks.actual, offer.attempt.attachments
    path = paths[place] if place is not None and 0 <= place < len(paths) else ""
    if not re.fullmatch(r"attachments/[\w-]+\.png", path):
        raise _Refused("its picture was not stored")
    source = offer.folder / path
    if source.is_symlink() or not source.is_file() or source.stat().st_size > _LARGEST:
        raise _Refused("its picture is not in the report")
    try:
        kept = vision.read_kept(source.read_bytes())
    except SnapshotError as error:
        raise _Refused(str(error)) from None
    return vision.kept_png(kept.image, kept.masks)
