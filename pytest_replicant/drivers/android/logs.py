"""The phone's log."""

from __future__ import annotations

from ...errors import ProtocolError, is_told
from .role import Role

__tracebackhide__ = is_told

LOG_SECONDS = 30.0  # a full buffer is some megabytes


class AndroidLogs(Role):
    def logs(self) -> list[str]:
        """As ``logcat -v threadtime`` prints it, oldest first, without the lines that only name a buffer."""
        ended = self._link.run(["logcat", "-d", "-v", "threadtime"], LOG_SECONDS)
        if ended.exit_code != 0:
            raise ProtocolError(
                f"logcat on {self._link.serial} ended with {ended.exit_code}: {ended.words[:300]}",
                exchange=ended.words,
                device=self._link.serial,
            )
        lines = ended.text.split("\n")  # not splitlines: a message may hold other line separators
        return [line.rstrip("\r") for line in lines if line.strip() and not line.startswith("--------- ")]
