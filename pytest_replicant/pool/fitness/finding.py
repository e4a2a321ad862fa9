"""What a check of a phone or of this computer came to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Literal

from ...errors import DeviceError, ReplicantError

Status = Literal["ok", "warn", "fail", "skip"]


class PhoneUnfit(DeviceError):
    """The phone answers, and no test can begin on it until somebody has done something about it."""


@dataclass(frozen=True)
class Finding:
    """``found`` says what is there, ``next`` what to do about it: an exact command or setting, "" where nothing
    has to be done. ``group`` is the computer or the phone it is about."""

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
    """Why a phone is of no use now, "" where nothing was found against it."""
    return "; ".join(finding.found for finding in findings if finding.status == "fail")


def failed(name: str, error: Exception) -> Finding:
    """An error as a finding. Ours say what happened and then what to do; of any other, its kind and its words are
    what is known."""
    words = str(error).strip()
    if not isinstance(error, ReplicantError):
        told = f"{type(error).__name__}: {words}" if words else type(error).__name__
        return Finding("fail", name, told, "run it again; where it stays so, report it with these words")
    for mark in ("\nNext: ", ". Next: ", " Next: ", ". "):
        found, _, advice = words.partition(mark)
        if advice:
            return Finding("fail", name, found, advice)
    return Finding("fail", name, words or type(error).__name__)


def as_error(uri: str, finding: Finding) -> PhoneUnfit:
    """For a test run that cannot use the phone."""
    return PhoneUnfit(f"{uri} cannot be tested on: {finding}", device=uri)
