"""WebDriverAgent, as it runs on an iPhone and plain facebook-wda drives it."""

from __future__ import annotations

from .server import WebDriverAgent

__all__ = ["WebDriverAgent"]
