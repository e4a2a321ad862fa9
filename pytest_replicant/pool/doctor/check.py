"""One check, run within its time; it never raises, and what hangs is left behind."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from ..fitness.finding import Finding, failed

Look = Callable[[], "Iterable[Finding]"]


@dataclass(frozen=True)
class Check:
    """``look`` may take ``seconds``."""

    name: str
    seconds: float
    look: Look


@dataclass(frozen=True)
class Subject:
    """The computer or a phone. Its checks are asked for one by one: one may hang on what the last found."""

    group: str
    checks: Callable[[], Iterator[Check]]


def bounded(check: Check) -> list[Finding]:
    """What the check found; a failure where it raised, or did not end in time."""
    found: list[Finding] = []

    def run() -> None:
        try:
            found.extend(check.look())
        except Exception as error:  # whatever it is: it is told, and the next check is made
            found.append(failed(check.name, error))

    thread = threading.Thread(target=run, name=f"replicant-doctor-{check.name}", daemon=True)
    thread.start()
    thread.join(check.seconds)
    if thread.is_alive():
        return [Finding("fail", check.name, f"no answer within {check.seconds:g} s", "look whether it hangs")]
    return found


def examine(subjects: Iterable[Subject], seconds: float) -> Iterator[list[Finding]]:
    """The findings of each, in order; all are looked at side by side. One that is not done when ``seconds`` have
    passed is told with what it came to until then."""
    running = [_Examination(subject) for subject in subjects]
    for each in running:
        each.start()
    for each in running:
        yield each.findings(seconds)


class _Examination(threading.Thread):
    def __init__(self, subject: Subject) -> None:
        super().__init__(name=f"replicant-doctor-{subject.group}", daemon=True)
        self._subject = subject
        self._found: list[Finding] = []

    def run(self) -> None:
        try:
            for check in self._subject.checks():
                self._found.extend(bounded(check))
        except Exception as error:  # the list of checks itself
            self._found.append(failed("checks", error))

    def findings(self, seconds: float) -> list[Finding]:
        self.join(seconds)
        found = list(self._found)
        if self.is_alive():
            found.append(Finding("fail", "checks", f"not done within {seconds:g} s", "look whether it hangs"))
        return [replace(finding, group=self._subject.group) for finding in found]
