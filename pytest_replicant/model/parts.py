"""The parts of what a failure says, as values. Text is made of them where someone reads it, and nowhere else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import ClassVar

from .aliases import AnyMapping
from .quoting import one_line, quoted
from .selector import Selector

MOST_ADVICE = 2
"""Proposals that one failure makes: a reader tries the first, and seldom a third."""


@dataclass(frozen=True)
class AppText:
    """Text that an app, a phone or a tool chose: hostile, and perhaps secret. It prints as one line in quotes, or,
    if it is ``bare``, as one line without."""

    text: str
    bare: bool = False

    def __str__(self) -> str:
        return one_line(self.text) if self.bare else quoted(self.text)


Line = str | AppText | tuple[str | AppText, ...]
"""One line: words of ours, text of an app, or both in turn."""


Hide = Callable[[str], str]
"""What replaces the secrets in a text."""


def spans(line: Line) -> tuple[str | AppText, ...]:
    """Its words and texts, one after the other."""
    return line if isinstance(line, tuple) else (line,)


def written(line: Line, hide: Hide = str) -> str:
    """The line as a person reads it, each text of an app hidden on its own."""
    return "".join(
        str(replace(one, text=hide(one.text))) if isinstance(one, AppText) else one for one in spans(line)
    )


@dataclass(frozen=True)
class Advice:
    """One proposal that was judged: a ``call`` that a test can make, or a ``locator`` whose keywords go into the
    call that failed, ``instead`` of one that it has. ``rest`` follows it as it stands: ``, if it is further on``.
    No full stop ends it. Advice that is neither call nor locator is a sentence, a plain string."""

    call: str = ""
    locator: Selector | None = None
    rest: str = ""
    instead: bool = False

    def __str__(self) -> str:
        said = (self.call if self.locator is None else self.locator.describe()) + self.rest
        return f"Did you mean {said}?" if self.instead else said


Proposals = tuple[Advice | str, ...]
"""What to do next, the best first; ``MOST_ADVICE`` at most are shown."""


@dataclass(frozen=True)
class Explanation:
    """What says more of a failure: ``lines`` of what came near, or lies in the way, and what to do next."""

    lines: tuple[Line, ...] = ()
    advice: Proposals = ()

    def __bool__(self) -> bool:
        return bool(self.lines or self.advice)


NOTHING_MORE = Explanation()


@dataclass(frozen=True)
class Undecided:
    """The verdict that is neither yes nor no: ``why``, a clause, and what would decide it. It is never a pass.
    ``but`` is what follows ``while`` that is so: of what lies under an open dialog."""

    why: Line
    more: Explanation = NOTHING_MORE
    known: AnyMapping = field(default_factory=dict, compare=False)
    but: str = ""
    held: ClassVar[bool] = False
    final: ClassVar[bool] = False
    excused: ClassVar[bool] = False
    problem: ClassVar[str] = "undecided"
    snapshot: ClassVar[None] = None

    @property
    def decides(self) -> Proposals:
        """What would decide it."""
        return self.more.advice

    @property
    def observed(self) -> Line:
        why = written(self.why)
        return f"cannot be decided while {why}: {self.but}" if self.but else f"cannot be decided: {why}"

    @property
    def facts(self) -> AnyMapping:
        """What was observed by name, for the trace."""
        return {"undecided": written(self.why), **self.known}
