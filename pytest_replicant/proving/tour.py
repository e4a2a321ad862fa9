"""The tour: a short way through a phone's own apps, on which nothing is changed."""

from __future__ import annotations

from collections.abc import Callable

from ..captures import Reached

Seen = Callable[[str, Reached], None]
"""Called at every stop of the tour, once the screen stands still: its name, such as "settings", and the way."""
