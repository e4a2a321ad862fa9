"""Command line and ini, registered in one place and read once into a frozen ``Options``.

Every key is registered whether a phone is used or not: under pytest's strict mode an unknown one is an error.
"""

from __future__ import annotations

from ._choices import Animations, AppPermissions, Ci, Finding, Requeue, Reset, Screenshots, Shard, Traces
from ._declared import register
from ._options import Options, read

__all__ = [
    "Animations",
    "AppPermissions",
    "Ci",
    "Finding",
    "Options",
    "Requeue",
    "Reset",
    "Screenshots",
    "Shard",
    "Traces",
    "read",
    "register",
]
