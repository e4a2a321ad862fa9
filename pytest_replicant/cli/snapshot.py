"""``replicant snapshot``: the outline of a saved dump, or of what a phone shows now."""

from __future__ import annotations

import argparse
import json
import signal
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING

from .. import pool
from .. import real_phones as proving
from ..drivers import device_name
from ..errors import SnapshotError, TargetError, UsageError
from ..model import AnyMapping, text_for_terminal
from ..model.printable import counted, printable
from .process import (
    FINDING,
    FINE,
    argument,
    command,
    device,
    end_as_ctrl_c,
    flag,
    given,
    number_up_to,
    on_signals,
    print_text,
)

if TYPE_CHECKING:
    from ..model import Selector
    from ..snapshots import Purpose, Snapshot

WIDEST = 100


@command(
    "snapshot",
    "print the outline of a screen, saved or live",
    "Prints the outline of a saved hierarchy, as XML or JSON, or of the screen that a phone "
    "shows now; with --selectors, what to write into a test in place of its refs. Of a .zip "
    "that doctor --prove --save or record wrote, prints the names of its screens, or the one "
    "that is named. Exit codes: 0 fine, 1 no screen in the bytes or no match for --within, 2 "
    "usage, 3 device trouble.",
    argument("file", "FILE", "the saved hierarchy; - reads standard input", nargs="?"),
    argument("screen", "SCREEN", "of a .zip: the screen's name in it", nargs="?"),
    device("a phone in place of a file; 'virtual' and 'virtual:ios' need none"),
    flag("--bounds", "where each element lies, in pixels"),
    flag("--offscreen", "list offscreen elements, without refs"),
    flag("--full", "fold nothing; list offscreen and covered ones too"),
    argument(
        "--depth",
        "N",
        "so many levels; the rest is counted",
        type=number_up_to(inf, "whole number from 1", 1, int),
    ),
    argument("--within", "REF_OR_TEXT", "only that element and its content"),
    argument(
        "--max-chars",
        "N",
        "leave out the deepest parts first",
        type=number_up_to(inf, "whole number from 1", 1, int),
    ),
    flag("--selectors", "what to write into a test for each element, as Python"),
    flag("--json", "one JSON object with everything instead"),
)
def run(arguments: argparse.Namespace) -> int:
    """Prints one screen. Raises ``UsageError`` and ``DeviceError``."""
    _check(arguments)
    try:
        if arguments.file is None:
            snapshot = _of_device(arguments.device)
        elif not arguments.file.endswith(".zip"):
            snapshot = _of_file(arguments.file)
        elif arguments.screen is None:
            print_text("\n".join(_screens(Path(arguments.file))))
            return FINE
        else:
            snapshot = _of_capture(Path(arguments.file), arguments.screen)
        text = _text(snapshot, _within(snapshot, arguments.within), arguments)
    except (SnapshotError, TargetError) as finding:
        sys.stderr.write(f"replicant: {_message(finding)}\n")
        return FINDING
    print_text(text)
    return FINE


def _check(arguments: argparse.Namespace) -> None:
    file, screen = arguments.file, arguments.screen
    is_capture = str(file).endswith(".zip")
    if file is None and arguments.device is None:
        raise UsageError(
            "snapshot needs a FILE (- for standard input) or --device URI, such as virtual"
        )
    if file is not None and arguments.device is not None:
        raise UsageError("snapshot takes a FILE or --device, not both")
    if screen is not None and not is_capture:
        raise UsageError(f"{file} is no .zip, which alone has screens to name: {screen!r}")
    if arguments.within is not None and not arguments.within.strip():
        raise UsageError("--within takes a ref or a label, and this is empty")
    shaping = given(arguments, "bounds", "offscreen", "full", "depth", "max_chars")
    other = given(arguments, "json", "selectors")
    if other and shaping:
        raise UsageError(
            f"{shaping[0]} shapes the outline; {other[0]} has everything, or --within a part"
        )
    if arguments.selectors and screen is None and is_capture:
        raise UsageError(
            f"--selectors is about one screen: {file} SCREEN; without it, its names are listed"
        )


def _of_file(name: str) -> Snapshot:
    from ..snapshots import Snapshot

    if name == "-" and sys.stdin is None:
        raise UsageError("cannot read '-': standard input is closed")
    try:
        source = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a null character in the name
        reason = getattr(error, "strerror", None) or error
        is_phone = pool.read_uri(name).kind != "custom"
        hint = f". A phone is named by --device={name}" if is_phone else ""
        raise UsageError(f"cannot read {pool.read_uri(name).masked!r}: {reason}{hint}") from None
    return Snapshot.parse(source)


def _screens(path: Path) -> Iterator[str]:
    """Name of each screen of a capture, what it is, and how it was reached."""

    capture = proving.read_capture(path)
    device = printable(device_name(vars(capture.device)))
    yield f"{path}: {device}, {counted(len(capture.screens), 'screen')}"
    widest = max((len(each.name) for each in capture.screens), default=0)
    for each in capture.screens:
        source = f" from {printable(each.reached.source)}" if each.reached.source else ""
        try:
            screen = capture.snapshot_of(each)
            called = f"{screen.screen or screen.app}, {counted(len(screen.elements), 'element')}"
        except SnapshotError:
            called = "cannot be read"
        yield (
            f"  {printable(each.name):<{widest}}  {printable(called)}, by "
            f"{each.reached.means}{source}"
        )


def _of_capture(path: Path, name: str) -> Snapshot:
    capture = proving.read_capture(path)
    found = next((each for each in capture.screens if each.name == name), None)
    if not found:
        names = printable(", ".join(each.name for each in capture.screens))
        raise UsageError(f"{path} has no screen {name!r}. There are: {names or 'none'}.")
    return capture.snapshot_of(found)


def _of_device(uri: str) -> Snapshot:
    """The screen once it stands still. A virtual phone was started for this alone: it shows its
    launcher, or the one app that its URI names."""

    from ..session import build_session
    from ..snapshots import Snapshot

    asked = pool.parse_uri(uri)
    apps = pool.installed_apps(asked) if {"app", "apps"} & asked.knobs.keys() else []
    with on_signals(end_as_ctrl_c, signal.SIGTERM), pool.open_device(uri) as opened:
        driver = opened.driver
        session, recorder = build_session(driver, screenshots=False)
        try:
            if len(apps) == 1:
                session.launch(apps[0].package)
            else:
                session.snapshot()
        finally:
            recorder.close()
        source, front, phone = driver.dump_hierarchy(), driver.app_in_front(), driver.info
        scale = driver.traits.scale(phone)
    snapshot = Snapshot.parse(source, phone.platform, scale=scale)
    if front.app != snapshot.app:  # the focus has moved on, or lies elsewhere
        return snapshot
    return Snapshot.parse(source, phone.platform, activity=front.activity, scale=scale)


def _within(snapshot: Snapshot, wanted: str | None) -> str | Selector | None:
    """A ref, bare or in the brackets of the outline, else a label: "a100" may be either."""
    from ..model import by, is_ref

    if wanted is None:
        return None
    ref = wanted[1:-1] if wanted[:1] == "[" and wanted[-1:] == "]" else wanted
    shown = any(element.ref == ref for element in snapshot.printed)
    if shown or (is_ref(ref) and not snapshot.find_all(text=wanted)):
        return ref
    return by(text=wanted)


def _message(finding: SnapshotError | TargetError) -> str:
    """The message, with advice for a command line in place of that for a test."""
    if not isinstance(finding, TargetError) or not finding.parts.advice:
        return str(finding)
    advice = finding.parts.advice
    if finding.code == "AMBIGUOUS_TARGET":
        advice = (f"--within {finding.candidates[0].ref}, or another of these refs",)
    elif not finding.candidates:
        advice = ("without --within, the outline shows what there is",)
    return text_for_terminal(replace(finding.parts, advice=advice))


def _text(snapshot: Snapshot, within: str | Selector | None, arguments: argparse.Namespace) -> str:
    if not (arguments.json or arguments.selectors):
        return snapshot.outline(
            bounds=arguments.bounds,
            offscreen=arguments.offscreen,
            full=arguments.full,
            depth=arguments.depth,
            within=within,
            max_chars=arguments.max_chars,
        )
    everything = snapshot.to_dict(within=within)
    if arguments.selectors:
        for row in everything["elements"]:
            purposes: list[Purpose] = ["action", "check"]
            if snapshot.element(row["ref"]) in snapshot.headings:
                del purposes[0]  # a heading is there to be checked
            row["selectors"] = found = {}
            for purpose in purposes:
                one = snapshot.selector(row["ref"], purpose=purpose)
                warnings = list(one.warnings)
                found[purpose] = {
                    "code": one.code, "unique": bool(one.unique_on), "warnings": warnings,
                }  # fmt: skip
    if arguments.json:
        return json.dumps(everything, indent=2)
    return "\n".join(_as_python(snapshot, everything["elements"]))


def _as_python(snapshot: Snapshot, rows: Sequence[AnyMapping]) -> Iterator[str]:
    """Lines to paste into a test: each element as a comment, and what to write for it."""
    yield f"# {printable(snapshot.outline(depth=1).partition(chr(10))[0], WIDEST - 2)}"
    for row in rows:
        yield f"\n# {printable(snapshot.element(row['ref']).describe(), WIDEST - 2)}"
        found: Mapping[str, AnyMapping] = row["selectors"]
        same = len({each["code"] for each in found.values()}) == 1
        for purpose, each in found.items():
            line = each["code"] if same else f"{each['code']}  # {purpose}"
            yield line if each["unique"] else f"# {line}"
            for warning in each["warnings"]:
                yield f"#   {printable(warning)}"
            if same:
                break
