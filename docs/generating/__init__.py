"""Pages that are made from the code's own words, so that they say what it does. ``make docs``
writes them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from . import (
    absence,
    accessibility,
    clients,
    commands,
    drivers,
    faults,
    hooks,
    lab,
    llms,
    options,
    parity,
    session,
)

REFERENCE = Path(__file__).parent.parent / "reference"

PAGES: Mapping[Path, Callable[[], str]] = {
    clients.PAGE: clients.page,
    REFERENCE / "absence.md": absence.page,
    REFERENCE / "accessibility.md": accessibility.page,
    REFERENCE / "drivers.md": drivers.page,
    REFERENCE / "faults.md": faults.page,
    REFERENCE / "hooks.md": hooks.page,
    REFERENCE / "lab.md": lab.page,
    REFERENCE / "options.md": options.page,
    REFERENCE / "parity.md": parity.page,
    REFERENCE / "session.md": session.page,
    REFERENCE / "session-commands.md": commands.page,
    llms.FILE: llms.page,  # the last: it reads the others
}
"""Each file, and what makes the whole of its text."""


def write() -> None:
    """Writes every page."""
    for path, page in PAGES.items():
        path.write_text(page(), encoding="utf-8")
