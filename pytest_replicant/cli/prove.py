"""``replicant doctor --prove``: whether the drivers keep their contract on the phones that are attached."""

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
from typing import TYPE_CHECKING, Any, TextIO

from ..drivers import device_name, system_name
from ..errors import ReplicantError
from ..exploring.process.records import in_columns
from ..reporting.printable import counted, few, printable
from .process import FINDING, FINE, INTERRUPTED, TROUBLE, on_signals, print_json, print_text, width_of, wrapped
from .saving import Saving, made_by

if TYPE_CHECKING:
    from ..pool import DeviceUri
    from ..proving import Collector, Proof, ProofRow

SCHEMA = "replicant.proof/1"
VERDICTS = ("holds", "broken", "not offered", "not reached")
PUT_BACK_SECONDS, LEAVE_SECONDS = 60.0, 3.0
_STOPPING = b"\nreplicant: stopping, and putting the phone back as it was. Ctrl-C again ends at once.\n"
_NAMES = 20  # characters of the longest name of a clause
_REASON_LINES = 30


@dataclass
class Run:
    """The proof of one phone, in a thread of its own. ``error`` says why there could be none."""

    proof: Proof
    collector: Collector | None = None
    error: str = ""
    saved: str = ""
    _coming: SimpleQueue[ProofRow | None] = field(default_factory=SimpleQueue)

    def start(self) -> None:
        self.thread = threading.Thread(target=self._run, name=f"replicant-proof-{self.proof.uri}", daemon=True)
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

    def rows(self) -> Iterator[ProofRow]:
        """Each as soon as there is one; they end when the phone has been put back."""
        while (row := self._coming.get()) is not None:
            yield row

    @property
    def unfinished(self) -> str:
        """Why, "" for a proof that came to its end."""
        return self.error or self.proof.ended

    def count(self, verdict: str) -> int:
        return sum(row.verdict == verdict for row in self.proof.rows)

    def to_dict(self) -> dict[str, Any]:
        proof = self.proof
        return {
            "uri": proof.uri,
            "device": proof.facts,
            "verdict": verdict([self]),
            "ended": self.unfinished,
            "left": proof.left,
            "seconds": round(proof.seconds, 1),
            **({} if self.collector is None else {"saved": self.saved}),
            "clauses": [asdict(row) for row in proof.rows],
        }


def verdict(runs: Sequence[Run]) -> str:
    if any(run.count("broken") for run in runs):
        return "broken"
    return "not finished" if any(run.unfinished for run in runs) else "holds"


def prove(arguments: argparse.Namespace) -> int:
    """Proves the phones side by side, and prints each verdict as soon as it is there. Raises ``UsageError``."""
    saving = Saving.of(arguments)
    runs, page = _runs(arguments, saving), ProofPage(width_of(sys.stdout))
    with _going_on(runs):
        for run in runs:
            for text in page.of_phone(run):
                if not arguments.json:
                    print_text(text)
    if saving is not None:
        _save(runs, saving, sys.stderr if arguments.json else sys.stdout)
    if arguments.json:
        document = {"schema": SCHEMA, "verdict": verdict(runs), "phones": [run.to_dict() for run in runs]}
        print_json(document)
    else:
        print_text(page.summary(runs))
    if any(run.proof.interrupted for run in runs):
        return INTERRUPTED
    return {"broken": FINDING, "not finished": TROUBLE}.get(verdict(runs), FINE)


def _save(runs: Sequence[Run], saving: Saving, stream: TextIO) -> None:
    """One file for each phone that was opened, however its proof ended. One that cannot be written leaves its
    proof unfinished."""
    opened = [(run, run.collector) for run in runs if run.collector is not None and run.proof.facts]
    taken: set[Path] = set()
    for run, collector in opened:
        capture = collector.capture(made_by("replicant doctor --prove"), run.proof.rows)
        path = saving.file_of(capture, taken, len(opened) > 1)
        taken.add(path)
        unsaved = saving.write(capture, collector.private, path, stream)
        run.saved = "" if unsaved else str(path)
        run.error = run.error or unsaved
        print_text("", stream)


def _runs(arguments: argparse.Namespace, saving: Saving | None) -> list[Run]:
    """One for each phone, attached ones in any state: its opening says why it cannot be used."""
    from ..ini_file import project_ini
    from ..pool import parse_uri, read_uri
    from ..proving import EXTRAS, Collector, Proof

    ini = project_ini(Path.cwd())
    uris = [parse_uri(uri) for uri in arguments.device or ()]
    if not uris:
        known = (*ini.get("replicant_device", ()), *ini.get("replicant_devices", ()))
        uris = [uri for uri in map(read_uri, known) if not uri.is_virtual] or [parse_uri("android")]
    phones = dict.fromkeys(phone for uri in uris for phone in _phones(uri))
    extras = [stop for stop in EXTRAS if getattr(arguments, stop)]
    runs = []
    for phone in phones:
        watcher = Collector() if saving is not None else None
        runs.append(Run(Proof(phone, extras=extras, watcher=watcher, timeout=arguments.timeout), watcher))
    return runs


def _phones(uri: DeviceUri) -> Sequence[DeviceUri]:
    from ..pool import attached_phones, read_uri

    if uri.kind == "attached" and not uri.serial:
        return [read_uri(phone) for phone in attached_phones()] or [uri]
    return uri.members if uri.count else [uri]


@contextmanager
def _going_on(runs: Sequence[Run]) -> Iterator[None]:
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


@dataclass(frozen=True)
class ProofPage:
    """``width`` in characters."""

    width: int

    def of_phone(self, run: Run) -> Iterator[str]:
        """Its name, a few lines for each clause as soon as it is judged, and one line for all of them."""
        named = False
        for row in run.rows():
            if not named:  # known since the phone was opened
                yield f"{printable(run.proof.uri)}: {printable(device_name(run.proof.facts))}"
                named = True
            if row.verdict != "not reached":
                yield self._clause(row)
        yield "\n".join(wrapped(f"{run.proof.uri}: {self._outcome(run)}", self.width, "", "  ")) + "\n"

    def _clause(self, row: ProofRow) -> str:
        took = f"{row.ms / 1000:.1f} s"
        start = f"  {row.verdict:<11}  {took:>6}  {row.name:<{_NAMES}}  "
        indent = " " * (len(start) if len(start) <= self.width // 2 else 4)
        lines = wrapped(row.claim, self.width, start, indent)
        for line in few(row.reason.splitlines(), _REASON_LINES, "line"):
            lines += wrapped(line, self.width, indent, indent)
        return "\n".join(lines)

    def _outcome(self, run: Run) -> str:
        proof = run.proof
        counts = ", ".join(f"{each}: {run.count(each)}" for each in VERDICTS if run.count(each))
        text = f"{counts}, in {proof.seconds:.0f} s." if counts else "not proven."
        if run.unfinished:
            text += f" Not finished: {run.unfinished.rstrip('.')}."
        if proof.left:
            text += f" Not put back: {', '.join(proof.left)}. Next: connect and unlock the phone, "
            text += f"then `replicant doctor --device '{proof.uri}'`, which puts settings back."
        elif proof.ended:
            text += " The phone is as it was."
        return text

    def summary(self, runs: Sequence[Run]) -> str:
        """A table by model, the clauses that are broken on each, and what to do next."""
        models: dict[tuple[str, str], list[Run]] = {}
        for run in runs:
            if run.proof.facts:
                models.setdefault((str(run.proof.facts["model"]), system_name(run.proof.facts)), []).append(run)
        rows: list[tuple[str, ...]] = [("model", "system", "phones", *VERDICTS)]
        for (model, system), those in models.items():
            counts = (str(sum(run.count(each) for run in those)) for each in VERDICTS)
            rows.append((printable(model), printable(system), str(len(those)), *counts))
        lines = in_columns(rows) if models else []
        for (model, _), those in models.items():
            broken = Counter(row.name for run in those for row in run.proof.rows if row.verdict == "broken")
            of = f" of {len(those)}"
            found = ", ".join(f"{name} ({count}{of})" if of != " of 1" else name for name, count in broken.items())
            if found:
                lines += wrapped(f"broken on {model}: {found}", self.width, "", "  ")
        return "\n".join([*lines, *wrapped(self._last(runs), self.width, "", "  ")])

    def _last(self, runs: Sequence[Run]) -> str:
        broken = sum(run.count("broken") for run in runs)
        unfinished = sum(bool(run.unfinished) for run in runs)
        if broken:
            found = (
                f"{counted(broken, 'clause')} {'is' if broken == 1 else 'are'} broken, each with its reason above."
            )
            return (
                f"{found} Next: run it again on that phone alone; where it stays so, report it with the file of "
                "--save FILE.zip."
            )
        return f"{counted(unfinished, 'proof')} not finished." if unfinished else "Nothing is broken."
