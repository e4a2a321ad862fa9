"""What the running lab knows beyond its single screens."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ...app_kit import RunningApp


@dataclass
class LabState:
    """``events`` is what really happened, in order: what an exhibit shows may be late, wrong, or
    nothing at all. ``stored`` is kept on the phone; the orders are there."""

    stored: dict[str, Any] = field(default_factory=dict)
    events: list[str] = field(default_factory=list)


Lab = RunningApp[LabState]
"""The running lab, as every screen is given it."""


def witness(app: Lab, event: str) -> None:
    """Remembers that something happened, and writes it to the phone's log."""
    app.state.events.append(event)
    app.log(event)
