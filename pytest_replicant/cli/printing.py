"""What a command prints."""

from __future__ import annotations

import sys

from ..errors import UsageError


def print_text(text: str) -> None:
    """What the terminal's encoding does not have is escaped; a reader that has gone is noticed here."""
    if sys.stdout is None:
        raise UsageError("standard output is closed")
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="backslashreplace")
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()
