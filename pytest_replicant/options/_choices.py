"""The words that options take."""

from __future__ import annotations

from typing import Literal, get_args

Finding = Literal["ignore", "warn", "fail"]
Screenshots = Literal["on", "off", "only-on-failure"]
Traces = Literal["on", "off", "retain-on-failure"]
Reset = Literal["none", "stop", "clear", "snapshot"]
Ci = Literal["auto", "off"]
Animations = Literal["off", "keep"]
AppPermissions = Literal["grant", "ask"]
Requeue = Literal["on", "off"]
Shard = tuple[int, int]
"""``(2, 3)``: the second part of three."""

FINDINGS = get_args(Finding)
TRACES = get_args(Traces)
SCREENSHOTS = get_args(Screenshots)
RESETS = get_args(Reset)
CI = get_args(Ci)
ANIMATIONS = get_args(Animations)
APP_PERMISSIONS = get_args(AppPermissions)
REQUEUES = get_args(Requeue)
RECOVERIES = ("off", "report", "allow", "fail")
PROMPTS = ("deny", "allow", "leave")
