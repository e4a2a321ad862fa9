"""A phone as one adb connection holds it, and what a service of it looks like."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..streams import Stream
from .reverse import Reverses

if TYPE_CHECKING:
    from ..device.phone import VirtualPhone

FEATURES = ("shell_v2", "cmd", "stat_v2", "fixed_push_mkdir", "abb_exec", "apex")

Service = Callable[[Stream], Awaitable[None]]
"""Serves one stream to its end; the one who opened the stream closes it."""


class ServiceRefused(Exception):
    """The phone opens no such stream; ``str()`` is the message for the client."""


@dataclass(frozen=True)
class Attachment:
    """``reverses`` belong to the connection."""

    phone: VirtualPhone
    reverses: Reverses
