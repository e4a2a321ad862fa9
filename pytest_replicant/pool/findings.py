"""Findings of checks, and checks run within their time: they never raise, and one that hangs is left behind."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Literal

from ..errors import DeviceError, ReplicantError

Status = Literal["ok", "warn", "fail", "skip"]


class PhoneUnfit(DeviceError):
    """The phone answers, and no test can begin on it until a person has acted on it."""


@dataclass(frozen=True)
class Finding:
    """Result of a check. ``found`` is the observation, ``next`` the next step: an exact command or setting, ""
    if nothing has to be done. ``group`` is the computer or the phone it is about."""

    status: Status
    name: str
    found: str
    next: str = ""
    group: str = ""

    def to_dict(self) -> dict[str, str]:
        said = asdict(self)
        return {key: said[key] for key in ("group", "name", "status", "found", "next")}

    def __str__(self) -> str:
        """As a sentence of an error."""
        return f"{self.found}. Next: {self.next}" if self.next else self.found


def verdict(findings: Iterable[Finding]) -> Status:
    """The worst of them; what was skipped says nothing."""
    seen = {finding.status for finding in findings}
    worst: tuple[Status, ...] = ("fail", "warn")
    return next((status for status in worst if status in seen), "ok")


def unfit(findings: Iterable[Finding]) -> str:
    """Why a phone is of no use now, "" if nothing was found against it."""
    return "; ".join(finding.found for finding in findings if finding.status == "fail")


def failed(name: str, error: Exception) -> Finding:
    """An error as a finding. Ours say what happened and then what to do; any other gives its type and message."""
    if isinstance(error, ReplicantError):
        return Finding("fail", name, error.what or type(error).__name__, error.advice)
    words = str(error).strip()
    text = f"{type(error).__name__}: {words}" if words else type(error).__name__
    return Finding("fail", name, text, "run it again; if it stays so, report it with these words")


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
    thread, found = _started(check.name, check.name, check.look)
    thread.join(check.seconds)
    if thread.is_alive():
        return [Finding("fail", check.name, f"no answer within {check.seconds:g} s", "look whether it hangs")]
    return found


def examine(subjects: Iterable[Subject], seconds: float) -> Iterator[list[Finding]]:
    """The findings of each, in order; all are examined side by side. One that is not done when ``seconds`` have
    passed is reported with its findings so far."""

    def every(subject: Subject) -> Iterator[Finding]:
        for check in subject.checks():
            yield from bounded(check)

    running = [(each.group, *_started(each.group, "checks", partial(every, each))) for each in subjects]
    for group, thread, so_far in running:
        thread.join(seconds)
        found = list(so_far)
        if thread.is_alive():
            found.append(Finding("fail", "checks", f"not done within {seconds:g} s", "look whether it hangs"))
        yield [replace(finding, group=group) for finding in found]


def _started(what: str, name: str, look: Look) -> tuple[threading.Thread, list[Finding]]:
    """A thread that looks, and its findings so far. Any error is a finding of that name."""
    found: list[Finding] = []

    def run() -> None:
        try:
            for finding in look():
                found.append(finding)
        except Exception as error:
            found.append(failed(name, error))

    thread = threading.Thread(target=run, name=f"replicant-doctor-{what}", daemon=True)
    thread.start()
    return thread, found
