"""Toasts: the server on the phone hears them announced, and keeps the last."""

from __future__ import annotations

from .role import Role


class AndroidToasts(Role):
    def last_toast(self) -> str | None:
        text = self._link.read("getLastToast")
        return str(text) if text else None

    def clear_toasts(self) -> None:
        self._link.read("clearLastToast")
