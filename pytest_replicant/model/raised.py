"""The base of the errors of this package, and the one for a wrong call; ``errors`` has the others."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing_extensions import Self

    from .failure import Failure, FailureRecord


class Parted:
    """An error that keeps what it says in parts: a ``Failure``, or what happened in words of ours with ``advice``,
    what to do next. ``remarks`` are lines that were found out after it was raised. Text is made of them
    by ``str`` alone."""

    parts: Failure | None
    advice: str
    remarks: tuple[str, ...]
    _preface = ""
    recoverable = True

    def _say(self, said: Failure | str, advice: str = "") -> None:
        self.parts = None if isinstance(said, str) else said
        self._words = said if isinstance(said, str) else ""
        self.advice, self.remarks = advice, ()

    @property
    def what(self) -> str:
        """What happened, in one line: without advice, and without what came of it."""
        return self._preface + self._text(whole=False)

    def _text(self, *, whole: bool = True) -> str:
        if self.parts is None:
            return self._words
        from .failure_text import opening, text_for_terminal  # for a failure on a phone

        return text_for_terminal(self.parts) if whole else opening(self.parts)

    def preface(self, words: str) -> None:
        """Puts words before what it says."""
        self._preface = words + self._preface

    def advise(self, advice: str) -> None:
        """Says what to do next, if it does not say so itself."""
        self.advice = self.advice or advice

    def remark(self, line: str) -> None:
        """Adds a line to what it says, if there is any."""
        self.remarks += (line,) if line else ()

    def __str__(self) -> str:
        text = self._preface + self._text()
        if self.advice:
            text += f" Next: {self.advice}" if text.endswith((".", "?")) else f". Next: {self.advice}"
        return "\n".join([text, *self.remarks])


class ReplicantError(Parted, Exception):
    """Base of what this package raises, failed checks apart. ``failure`` holds its facts, as the trace has them,
    if a session raised it. ``what`` is what happened, and ``advice`` what to do next, "" for none of its own.
    ``recoverable``: another try may help, as a further read or a new connection."""

    __module__ = "pytest_replicant.errors"  # which has them all
    failure: FailureRecord | None = None

    def __init__(self, said: Failure | str = "", *, advice: str = "") -> None:
        super().__init__(said)
        self._say(said, advice)

    def give_up(self) -> Self:
        """The same error, from which nothing is to recover: what was done by then may not be done twice."""
        self.recoverable = False
        return self


def what_happened(error: object) -> str:
    """An error in one line: of ours without advice, of another its first line, or its type."""
    if isinstance(error, Parted):
        return error.what
    return str(error).partition("\n")[0] or type(error).__name__


class UsageError(ReplicantError):
    """The call, option or URI is wrong; nothing was done."""

    __module__ = "pytest_replicant.errors"
