"""Output that breaks off, or was made to be slow to read."""

from __future__ import annotations

import pytest

from pytest_replicant.logs import plain

from .builds import JAVA, read


@pytest.mark.parametrize("cut", range(0, len(JAVA), 40))
def test_output_that_breaks_off_is_read_as_far_as_it_goes(cut: int) -> None:
    assert len([error for error in read(JAVA[:cut]).errors if error.file]) <= 3


def test_a_line_is_shown_without_colours() -> None:
    assert (
        plain("\x1b[1m> Task :app:x\x1b[0m \x1b]8;;http://a\x07FAILED\x1b]8;;\x07\r\n") == "> Task :app:x FAILED"
    )


@pytest.mark.parametrize(
    "piece",
    [
        *("a : b\n", "e: " + "x:1:" * 50 + "\n", ":1" * 2000 + " error\n", "> Task " + "a" * 5000 + "\n"),
        *("* What went wrong:\n" + "> x\n" * 40, "\x1b[" * 500 + "\n", "+ \n", "Line 1: \n^ x\n", "\0\ufffd\n"),
        *("Type " * 1000 + "\n", "sh: " * 1000 + " error\n", ".x" * 2000 + "error: \n", "Error generating " * 200),
        "e: " + "Error generating class file (compiled from [" * 100 + "\n",
        *("e: " + "/a.b: (1, " * 500 + "\n", "a.xml:1:1-" * 500 + " Error:\n", "Plugin [id: " * 500 + "\n"),
    ],
)
def test_hostile_output_takes_time_in_proportion(piece: str) -> None:
    """Twice as much does not take four times as long; what would be quadratic takes minutes here."""
    assert read(piece * (50_000 // len(piece))).verdict == "unknown"
