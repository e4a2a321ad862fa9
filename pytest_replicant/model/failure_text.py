"""The text of a failure: its parts as lines, for a terminal, for a page, and for an agent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from .parts import MOST_ADVICE, Hide, Line, Proposals, spans, written

if TYPE_CHECKING:
    from .failure import Failure

NEXT_TO_IT = 3
"""Lines of an outline above and below the element that was meant: its row, and what names that."""
SHORT_SCREEN = 12
"""Lines of an outline that is shown whole: its part would be hardly shorter."""
LONGEST_SCREEN = 12_000
"""Characters: some hundreds of lines. The trace has more."""


def text_for_terminal(failure: Failure) -> str:
    """The whole message of an error: every part, the screen, and what to open."""
    return _joined([text_for_page(failure), failure.page])


def text_for_page(failure: Failure, hide: Hide = str) -> str:
    """The same for a report, which has itself for what to open, and shows no secret."""
    text = _joined([*_parts(failure), *_screen(failure)], hide)
    return text if failure.redactor is None else failure.redactor.text(text)


def lines_for_agent(failure: Failure) -> tuple[str, ...]:
    """The parts without code, proposals and screen, which an agent is given as fields."""
    parts = [*_head(failure, code=False), *_more(failure), *failure.changed]
    return tuple(line for line in map(written, parts) if line)


def opening(failure: Failure) -> str:
    """The first line: the code, and what was asked and observed, or the call."""
    return written(next(_head(failure, code=failure.check is None)))


def headline(failure: Failure) -> str:
    """What was asked and what was observed, in one line."""
    asked = f"{failure.asked}: " if failure.asked else ""
    return f"{asked}{written(failure.observed)}"


def screen_text(snapshot: Any) -> str:
    """The outline for a message; of a screen that is very large, its upper levels, and how much was left out."""
    outline: str = snapshot.outline()
    if len(outline) > LONGEST_SCREEN:
        outline = snapshot.outline(max_chars=LONGEST_SCREEN)
    return outline


def advice_text(advice: Proposals) -> str:
    """The line of what to do next; "" for nothing."""
    if not advice:
        return ""
    said = ", or ".join(map(str, advice[:MOST_ADVICE]))
    return f"Next: {said}" if said.endswith((".", "?")) else f"Next: {said}."


def _parts(failure: Failure) -> Iterator[Line]:
    yield from _head(failure, code=failure.check is None)
    yield from _more(failure)
    yield advice_text(failure.advice)
    yield from failure.changed
    yield from failure.tried


def _screen(failure: Failure) -> Sequence[Line]:
    """The screen that it shows: if the answer is known, that and its neighbours."""
    if failure.screen or failure.snapshot is None:
        return failure.screen
    answer = failure.answer.locator if failure.answer is not None else None
    lines = screen_text(failure.snapshot).splitlines()
    refs = [f"[{one.ref}]" for one in failure.snapshot.match_labels(answer)] if answer is not None else []
    near = [at for at, line in enumerate(lines) if any(ref in line for ref in refs)]
    if not near or len(lines) <= SHORT_SCREEN:
        return lines
    first, end = max(near[0] - NEXT_TO_IT, 1), min(near[-1] + NEXT_TO_IT + 1, len(lines))
    rest = f"… {len(lines) - 1 - (end - first)} further lines"
    return [lines[0], *lines[first:end], rest]


def _head(failure: Failure, *, code: bool) -> Iterator[Line]:
    """The code with the call, or with what was asked; what the app said meanwhile comes right below."""
    if failure.error is not None:
        yield str(failure.error) or type(failure.error).__name__
        return
    asked = f"{failure.asked}: " if failure.asked else ""
    said = (asked, *spans(failure.observed))
    first, *rest = [(failure.call,), (failure.waited,), said] if failure.call else [said]
    yield (f"{failure.code}  " if code else "", *first)
    yield from failure.meanwhile
    yield from rest


def _more(failure: Failure) -> Iterator[Line]:
    yield from failure.details
    yield from failure.nearest
    if failure.undecided is not None:
        yield advice_text(failure.undecided.decides)


def _joined(lines: list[Line], hide: Hide = str) -> str:
    return "\n".join(text for line in lines if (text := written(line, hide)))
