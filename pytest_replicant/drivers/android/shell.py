"""Commands on the phone."""

from __future__ import annotations

from collections.abc import Sequence

from ..base import ShellOutput
from .role import Role


class AndroidShell(Role):
    def shell(self, command: str | Sequence[str], timeout: float) -> ShellOutput:
        ended = self._link.run(command, timeout)
        return ShellOutput(ended.text, ended.error_text, ended.exit_code)
