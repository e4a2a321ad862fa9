"""``replicant doctor``: why nothing works, and what to do next; with ``--prove`` whether the
drivers keep their contract on the phones that are attached."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from queue import SimpleQueue
from typing import Any, TextIO

from .. import pool
from .. import real_phones as proving
from ..drivers import device_name, system_name
from ..errors import ReplicantError, UsageError
from ..exploring.process.records import in_columns
from ..model import grouped
from ..model.printable import counted, few, printable
from ..pool import Finding
from . import saving
from .process import (
    FINDING,
    FINE,
    INTERRUPTED,
    TROUBLE,
    argument,
    command,
    device,
    flag,
    given,
    number_up_to,
    on_one_line,
    on_signals,
    print_json,
    print_text,
)

SCHEMA = "replicant.doctor/1"
EXTRAS = ("contacts", "dialler")
OPEN_SECONDS = 60.0
SPARE_SECONDS = 60.0  # for all else that is asked of a phone
PROOF_SCHEMA = "replicant.proof/1"
VERDICTS = ("holds", "broken", "not offered", "not reached")
PUT_BACK_SECONDS, LEAVE_SECONDS = 60.0, 3.0
_STOPPING = (
    b"\nreplicant: stopping, and putting the phone back as it was. Ctrl-C again ends at once.\n"
)
_NAMES = 20  # characters of the longest name of a clause
_REASON_LINES = 30


def _add_proof(parser: argparse._ActionsContainer) -> None:
    proof = parser.add_argument_group(
        "whether the drivers keep their contract", "replicant.proof/1 with --json"
    )
    flag(
        "--prove",
        "run the contract of drivers and a tour through the settings app, on each attached phone; "
        "nothing is left changed. Exit codes: 1 something is broken, 3 not finished, 130 Ctrl-C",
    )(proof)
    for stop in EXTRAS:
        flag(f"--{stop}", f"with --prove: look at the {stop} too")(proof)
    for add in saving.options("with --prove: "):
        add(proof)


@command(
    "doctor",
    "check this computer and its phones, and say what to do next",
    "Checks this computer, and each phone as a test would use it. Starts no adb server, and uses "
    "no phone that a test run holds. Without --device: the phones of replicant_devices in the "
    "project's configuration, else every phone that is attached, and a virtual one. Exit codes: 0 "
    "fine, warnings too; 1 something fails, 2 usage, 3 the result could not be printed.",
    device("a phone, as pytest names it; once for each", several=True),
    flag("--json", f"one JSON object, {SCHEMA}"),
    argument(
        "--timeout",
        "S",
        "seconds until a phone must be ready",
        type=number_up_to(3600, "number of seconds from 1 to 3600"),
        default=OPEN_SECONDS,
    ),
    _add_proof,
)
def run(arguments: argparse.Namespace) -> int:
    """Prints the findings of each group as soon as they are there. Raises ``UsageError``."""

    if arguments.prove:
        return _prove(arguments)
    if option := given(arguments, *EXTRAS, "save", "with_texts"):
        raise UsageError(f"{option[0]} goes with --prove")
    found: list[Finding] = []
    for findings in _groups(arguments):
        found += findings
        if not arguments.json:
            print_text("\n".join([*group_lines(findings), ""]))
    judged = pool.verdict(found)
    if arguments.json:
        checks = [finding.to_dict() for finding in found]
        print_json({"schema": SCHEMA, "verdict": judged, "checks": checks})
    else:
        print_text(_judged(found))
    return FINDING if judged == "fail" else FINE


def _groups(arguments: argparse.Namespace) -> Iterator[list[Finding]]:
    """The computer first: what a phone lacks may be its fault. Then the phones, side by side."""
    from ..options.ini_file import project_ini

    ini = project_ini(Path.cwd())
    for uri in arguments.device or []:
        pool.parse_uri(uri)
    uris = (
        arguments.device
        or ini.get("replicant_device")
        or ini.get("replicant_devices")
        or [*pool.attached_phones(), "virtual"]
    )
    limit = arguments.timeout + SPARE_SECONDS
    for group in ([pool.computer()], pool.phones(uris, arguments.timeout)):
        yield from filter(None, pool.examine(group, limit))


def group_lines(findings: Sequence[Finding]) -> Iterator[str]:
    """All of one computer or phone."""
    column = max(len(finding.name) for finding in findings)
    yield printable(findings[0].group)
    for finding in findings:
        start = f"  {finding.status:<4}  {printable(finding.name):<{column}}  "
        yield start + on_one_line(finding.found)
        if finding.next:
            yield f"{' ' * len(start)}Next: {on_one_line(finding.next)}"


def _judged(findings: Sequence[Finding]) -> str:
    count = Counter(finding.status for finding in findings)
    warnings = counted(count["warn"], "warning")
    if count["fail"]:
        failed = counted(count["fail"], "check")
        return f"{failed} failed, {warnings}. Begin with the first that failed."
    return f"Fine, with {warnings}." if count["warn"] else "Fine."


# --- --prove --------------------------------------------------------------------------------------


@dataclass
class _Run:
    """The proof of one phone, in a thread of its own. ``error`` says why there could be none."""

    proof: proving.Proof
    collector: proving.Collector | None = None
    error: str = ""
    saved: str = ""
    _coming: SimpleQueue[proving.ProofRow | None] = field(default_factory=SimpleQueue)

    def start(self) -> None:
        self.thread = threading.Thread(
            target=self._run, name=f"replicant-proof-{self.proof.uri}", daemon=True
        )
        self.thread.start()

    def _run(self) -> None:
        try:
            for row in self.proof.run():
                self._coming.put(row)
        except ReplicantError as error:
            self.error = str(error)
        except Exception as error:
            self.error = f"{type(error).__name__}: {error}. Next: report it, with these words."
        finally:
            self._coming.put(None)

    def rows(self) -> Iterator[proving.ProofRow]:
        """Each as soon as there is one; they end when the phone has been put back."""
        return iter(self._coming.get, None)

    @property
    def unfinished(self) -> str:
        """Why, "" for a proof that came to its end."""
        return self.error or self.proof.ended

    def count(self, verdict: str) -> int:
        return sum(row.verdict == verdict for row in self.proof.rows)

    def to_dict(self) -> dict[str, Any]:
        proof = self.proof
        facts = {
            "uri": proof.uri,
            "device": proof.facts,
            "verdict": _proven([self]),
            "ended": self.unfinished,
            "left": proof.left,
            "seconds": round(proof.seconds, 1),
        }
        if self.collector:
            facts["saved"] = self.saved
        return {**facts, "clauses": [asdict(row) for row in proof.rows]}


def _proven(runs: Sequence[_Run]) -> str:
    if any(run.count("broken") for run in runs):
        return "broken"
    return "not finished" if any(run.unfinished for run in runs) else "holds"


def _prove(arguments: argparse.Namespace) -> int:
    """Proves the phones side by side, and prints each verdict as soon as it is there. Raises
    ``UsageError``."""
    kept = None
    if arguments.save is not None:
        kept = saving.Saving.of(arguments.save, arguments.with_texts)
    elif arguments.with_texts:
        raise UsageError("--with-texts goes with --save FILE")
    runs = _runs(arguments, kept)
    if kept and len(runs) > 1:
        raise UsageError(
            f"--save takes one phone, and there are {len(runs)}. Next: --device {runs[0].proof.uri}"
        )
    with _going_on(runs):
        for run in runs:
            for text in _of_phone(run):
                if not arguments.json:
                    print_text(text)
    if kept:
        _save(runs[0], kept, sys.stderr if arguments.json else sys.stdout)
    proven = _proven(runs)
    if arguments.json:
        phones = [run.to_dict() for run in runs]
        print_json({"schema": PROOF_SCHEMA, "verdict": proven, "phones": phones})
    else:
        print_text(_summary(runs))
    if any(run.proof.interrupted for run in runs):
        return INTERRUPTED
    return {"broken": FINDING, "not finished": TROUBLE}.get(proven, FINE)


def _save(run: _Run, kept: saving.Saving, stream: TextIO) -> None:
    """The file of a phone that was opened, however its proof ended. One that cannot be written
    leaves its proof unfinished."""
    if not run.collector or not run.proof.facts:
        return
    capture = run.collector.capture(saving.made_by("replicant doctor --prove"), run.proof.rows)
    unsaved = kept.write(capture, run.collector.private, stream)
    run.saved = "" if unsaved else str(kept.path)
    run.error = run.error or unsaved
    print_text("", stream)


def _runs(arguments: argparse.Namespace, kept: saving.Saving | None) -> list[_Run]:
    """One for each phone, attached ones in any state: its opening says why it cannot be used."""
    from ..options.ini_file import project_ini

    ini = project_ini(Path.cwd())
    uris = [pool.parse_uri(uri) for uri in arguments.device or ()]
    if not uris:
        known = (*ini.get("replicant_device", ()), *ini.get("replicant_devices", ()))
        uris = [uri for uri in map(pool.read_uri, known) if not uri.is_virtual]
    uris = uris or [pool.parse_uri("android")]
    extras = [stop for stop in EXTRAS if getattr(arguments, stop)]
    runs = []
    for phone in dict.fromkeys(phone for uri in uris for phone in _members(uri)):
        collector = proving.Collector() if kept else None
        proof = proving.Proof(phone, extras, collector, timeout=arguments.timeout)
        runs.append(_Run(proof, collector))
    return runs


def _members(uri: pool.DeviceUri) -> Sequence[pool.DeviceUri]:
    if uri.kind == "attached" and not uri.serial:
        return [pool.read_uri(phone) for phone in pool.attached_phones()] or [uri]
    return uri.members if uri.count else [uri]


@contextmanager
def _going_on(runs: Sequence[_Run]) -> Iterator[None]:
    """Starts the proofs. However they end, phones are put back, unless it is asked for twice."""
    asked = 0

    def stop() -> None:
        nonlocal asked
        asked += 1
        for run in runs:
            run.proof.stop()
        if asked > 1:
            raise KeyboardInterrupt
        os.write(sys.__stderr__.fileno() if sys.__stderr__ else 2, _STOPPING)

    with on_signals(stop, signal.SIGINT, signal.SIGTERM):
        for run in runs:
            run.start()
        try:
            yield
        except BaseException:
            if not asked:  # the reader of our output has gone
                stop()
            for run in runs:
                run.thread.join(LEAVE_SECONDS if asked > 1 else PUT_BACK_SECONDS)
            raise


def _of_phone(run: _Run) -> Iterator[str]:
    """Its name, a few lines for each clause as soon as it is judged, and one line for all of
    them."""
    proof = run.proof
    for number, row in enumerate(run.rows()):
        if not number:  # its name is known since the phone was opened
            yield f"{printable(proof.uri)}: {printable(device_name(proof.facts))}"
        if row.verdict != "not reached":
            took = f"{row.ms / 1000:.1f} s"
            yield f"  {row.verdict:<11}  {took:>6}  {row.name:<{_NAMES}}  {row.claim}"
            for line in few(row.reason.splitlines(), _REASON_LINES, "line"):
                yield f"    {printable(line)}"
    counts = ", ".join(f"{each}: {run.count(each)}" for each in VERDICTS if run.count(each))
    text = f"{counts}, in {proof.seconds:.0f} s." if counts else "not proven."
    if run.unfinished:
        text += f" Not finished: {run.unfinished.rstrip('.')}."
    if proof.left:
        text += f" Not put back: {', '.join(proof.left)}. Next: connect and unlock the phone, "
        text += f"then `replicant doctor --device '{proof.uri}'`, which puts settings back."
    elif proof.ended:
        text += " The phone is as it was."
    yield on_one_line(f"{proof.uri}: {text}") + "\n"


def _summary(runs: Sequence[_Run]) -> str:
    """A table by model, the clauses that are broken on each, and what to do next."""
    models = grouped(
        ((str(run.proof.facts["model"]), system_name(run.proof.facts)), run)
        for run in runs
        if run.proof.facts
    )
    table: list[tuple[str, ...]] = [("model", "system", "phones", *VERDICTS)]
    lines: list[str] = []
    for (model, system), those in models.items():
        names: dict[str, list[str]] = grouped(
            (row.verdict, row.name) for run in those for row in run.proof.rows
        )
        counts = (str(len(names.get(each, []))) for each in VERDICTS)
        table.append((printable(model), printable(system), str(len(those)), *counts))
        if broken := dict.fromkeys(names.get("broken", [])):
            lines.append(on_one_line(f"broken on {model}: {', '.join(broken)}"))
    if models:
        lines = [*in_columns(table), *lines]
    return "\n".join([*lines, _last(runs)])


def _last(runs: Sequence[_Run]) -> str:
    broken = sum(run.count("broken") for run in runs)
    unfinished = sum(bool(run.unfinished) for run in runs)
    if broken:
        found = "is" if broken == 1 else "are"
        return (
            f"{counted(broken, 'clause')} {found} broken, each with its reason above. Next: run it "
            "again on that phone alone; where it stays so, report it with the file of --save "
            "FILE.zip."
        )
    return f"{counted(unfinished, 'proof')} not finished." if unfinished else "Nothing is broken."
