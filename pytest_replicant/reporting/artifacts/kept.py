"""A report never costs a test its result: what goes wrong while one is written is told, not raised."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress


@contextmanager
def kept(problems: list[str], what: str) -> Iterator[None]:
    """Runs its body; an exception of any kind ends it and becomes a line in ``problems``."""
    try:
        yield
    except Exception as error:
        detail = ""
        with suppress(Exception):  # it may be an object of the test's that cannot say what is wrong
            detail = str(error).partition("\n")[0]
        problems.append(f"{what}: {type(error).__name__}{': ' if detail else ''}{detail}; the result stands")
