"""``replicant doctor``: why nothing works, and what to do next."""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..errors import UsageError
from ..pool import Finding, Status, Subject
from ..reporting.printable import counted, printable
from . import saving
from .process import (
    FINDING,
    FINE,
    WIDEST,
    Commands,
    command,
    device,
    flag,
    given,
    number_up_to,
    print_json,
    print_text,
    width_of,
    wrapped,
)

SCHEMA = "replicant.doctor/1"
EXTRAS = ("contacts", "dialler")
OPEN_SECONDS = 60.0
SPARE_SECONDS = 60.0  # for all else that is asked of a phone
_COLOURS: dict[Status, str] = {"ok": "32", "warn": "33", "fail": "31", "skip": "2"}


def add_to(commands: Commands) -> None:
    parser = command(
        commands,
        "doctor",
        run,
        "check this computer and its phones, and say what to do next",
        "Checks this computer, and each phone as a test would use it. Starts no adb server, and uses "
        "no phone that a test run holds. Without --device: the phones of replicant_devices in the project's "
        "configuration, else every phone that is attached, and a virtual one. "
        "Exit codes: 0 fine, warnings too; 1 something fails, 2 usage, 3 the result could not be printed.",
    )
    device(parser, "a phone, as pytest names it; once for each", several=True)
    flag(parser, "--json", f"one JSON object, {SCHEMA}")
    parser.add_argument(
        "--timeout",
        type=number_up_to(3600, "number of seconds from 1 to 3600"),
        default=OPEN_SECONDS,
        metavar="S",
        help="seconds until a phone must be ready",
    )
    proof = parser.add_argument_group("whether the drivers keep their contract", "replicant.proof/1 with --json")
    flag(
        proof,
        "--prove",
        "run the contract of drivers and a tour through the settings app, on each attached phone; nothing is "
        "left changed. Exit codes: 1 something is broken, 3 not finished, 130 Ctrl-C",
    )
    for stop in EXTRAS:
        flag(proof, f"--{stop}", f"with --prove: look at the {stop} too")
    saving.add_to(proof, "with --prove: ")


def run(arguments: argparse.Namespace) -> int:
    """Prints the findings of each group as soon as they are there. Raises ``UsageError``."""
    from ..pool import verdict

    if arguments.prove:
        from .prove import prove

        return prove(arguments)
    if option := given(arguments, *EXTRAS, "save", "with_texts"):
        raise UsageError(f"{option[0]} goes with --prove")
    found: list[Finding] = []
    plain = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
    coloured = not plain and sys.stdout is not None and sys.stdout.isatty()
    page = None if arguments.json else Page(width_of(sys.stdout), coloured)
    for findings in _groups(arguments):
        found += findings
        if page is not None:
            print_text(page.group(findings))
    if page is None:
        checks = [finding.to_dict() for finding in found]
        print_json({"schema": SCHEMA, "verdict": verdict(found), "checks": checks})
    else:
        print_text(page.summary(found))
    return FINDING if verdict(found) == "fail" else FINE


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


@dataclass(frozen=True)
class Page:
    """``width`` in characters."""

    width: int = WIDEST
    coloured: bool = False

    def group(self, findings: Sequence[Finding]) -> str:
        """All of one computer or phone."""
        column = max(len(finding.name) for finding in findings)
        lines = [self._coloured("1", printable(findings[0].group))]
        for finding in findings:
            lines += self._lines(finding, column)
        return "\n".join(lines) + "\n"

    def _lines(self, finding: Finding, column: int) -> list[str]:
        name = printable(finding.name)
        start = f"  {finding.status:<4}  {name:<{column}}  "
        indent = " " * (len(start) if len(start) <= self.width // 3 else 8)
        lines = wrapped(finding.found, self.width, start, indent)
        lines[0] = lines[0].replace(finding.status, self._coloured(_COLOURS[finding.status], finding.status), 1)
        if finding.next:
            lines += wrapped(f"Next: {finding.next}", self.width, indent, indent)
        return lines

    def summary(self, findings: Sequence[Finding]) -> str:
        count = Counter(finding.status for finding in findings)
        if count["fail"]:
            counts = f"{counted(count['fail'], 'check')} failed, {counted(count['warn'], 'warning')}."
            return self._coloured(_COLOURS["fail"], f"{counts} Begin with the first that failed.")
        if count["warn"]:
            return self._coloured(_COLOURS["warn"], f"Fine, with {counted(count['warn'], 'warning')}.")
        return self._coloured(_COLOURS["ok"], "Fine.")

    def _coloured(self, code: str, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.coloured else text
