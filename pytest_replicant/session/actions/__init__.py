"""What a test can do to an app: one file a kind of action."""

from __future__ import annotations

from .apps import AppActions
from .collecting import CollectActions
from .controls import ControlActions
from .device import DeviceActions
from .scrolling import ScrollActions
from .text import TextActions
from .touch import TouchActions


class Actions(AppActions, TouchActions, ScrollActions, CollectActions, TextActions, ControlActions, DeviceActions):
    """The actions of a ``DeviceSession``; each returns an ``Expectation``."""
