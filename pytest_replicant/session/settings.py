"""The numbers a session works by. Durations are seconds; the defaults are RFC 010's."""

from __future__ import annotations

from dataclasses import dataclass

from ..model.recovery import Allowance, PermissionPrompts, RecoveryMode


@dataclass(frozen=True)
class SessionSettings:
    """How long to wait, and for what.

    ``window`` bounds how long two reads may take to agree, ``interval`` is the time from one read's request
    to the next, ``fresh_for`` how old a read may be and still count. ``quiet`` is how long after a gesture a
    screen that shows no change is watched before it is believed to stand still. ``allow`` names what recovery may
    do in this test beyond what it always may; ``permission_prompts`` how it answers one that is in the way.
    """

    action_timeout: float = 5.0
    expect_timeout: float = 5.0
    window: float = 1.0
    interval: float = 0.15
    fresh_for: float = 0.5
    quiet: float = 0.3
    kept_snapshots: int = 64
    screenshots: bool = True
    trace: bool = True
    recovery: RecoveryMode = "allow"
    allow: frozenset[Allowance] = frozenset()
    permission_prompts: PermissionPrompts = "deny"
