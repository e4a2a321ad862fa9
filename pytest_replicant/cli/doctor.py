"""``replicant doctor``: why nothing works, and what to do next."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from .printing import print_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..pool import Finding, Subject
    from .findings_page import Page

    Commands = argparse._SubParsersAction[argparse.ArgumentParser]

SCHEMA = "replicant.doctor/1"
OPEN_SECONDS = 60.0
SPARE_SECONDS = 60.0  # for all else that is asked of a phone
_FINE, _FINDING = 0, 1


def add_to(commands: Commands) -> None:
    parser = commands.add_parser(
        "doctor",
        help="check this computer and its phones, and say what to do next",
        description="Checks this computer, and each phone as a test would use it. Starts no adb server, and uses "
        "no phone that a test run holds. Without --device: the phones of replicant_devices in the project's "
        "configuration, else every phone that is attached, and a virtual one. "
        "Exit codes: 0 fine, warnings too; 1 something fails, 2 usage, 3 the result could not be printed.",
    )
    parser.add_argument(
        "--device", action="append", metavar="URI", help="a phone, as --replicant-device names it; once for each"
    )
    parser.add_argument("--json", action="store_true", help=f"one JSON object, {SCHEMA}")
    parser.add_argument(
        "--timeout", type=_seconds, default=OPEN_SECONDS, metavar="S", help="seconds until a phone must be ready"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Prints the findings of each group as soon as they are there. Raises ``UsageError``."""
    from ..pool import verdict

    found: list[Finding] = []
    page = None if arguments.json else _page()
    for findings in _groups(arguments):
        found += findings
        if page is not None:
            print_text(page.group(findings))
    if page is None:
        checks = [finding.to_dict() for finding in found]
        print_text(json.dumps({"schema": SCHEMA, "verdict": verdict(found), "checks": checks}, indent=2))
    else:
        print_text(page.summary(found))
    return _FINDING if verdict(found) == "fail" else _FINE


def _groups(arguments: argparse.Namespace) -> Iterator[list[Finding]]:
    """The computer first: what a phone lacks may be its fault. Then the phones, side by side."""
    from ..ini_file import project_ini
    from ..pool import computer, examine

    ini = project_ini(Path.cwd())
    subjects = _phones(arguments, ini)
    report = Path(next(iter(ini.get("replicant_output", [])), "replicant-report"))
    limit = arguments.timeout + SPARE_SECONDS
    for group in ([computer(report)], subjects):
        yield from (findings for findings in examine(group, limit) if findings)


def _phones(arguments: argparse.Namespace, ini: Mapping[str, list[str]]) -> list[Subject]:
    from ..pool import attached_phones, parse_uri, phones

    for uri in arguments.device or []:
        parse_uri(uri)
    uris = (
        arguments.device
        or ini.get("replicant_device")
        or ini.get("replicant_devices")
        or [*attached_phones(), "virtual"]
    )
    return phones(uris, arguments.timeout)


def _page() -> Page:
    from .findings_page import Page, width_of

    coloured = sys.stdout is not None and sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    return Page(width_of(sys.stdout), coloured and os.environ.get("TERM") != "dumb")


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= 3600:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of seconds from 1 to 3600")
    return seconds
