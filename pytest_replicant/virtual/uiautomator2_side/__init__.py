"""The uiautomator2 server that runs on the phone, as the plain uiautomator2 client starts and calls
it."""

from __future__ import annotations

from .server import run_server

__all__ = ["run_server"]
