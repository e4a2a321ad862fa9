"""The actions of a test on an app and its phone, one file a kind."""

from __future__ import annotations

from .apps import AppActions
from .controls import ControlActions
from .device import DeviceActions
from .gestures import GestureActions


class Actions(AppActions, GestureActions, ControlActions, DeviceActions):
    """The actions of a ``DeviceSession``; each returns an ``Expectation``."""
