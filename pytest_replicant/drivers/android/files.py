"""Files on the phone."""

from __future__ import annotations

import io
from pathlib import Path

from ...errors import UsageError
from .role import Role

_LONGEST = 1024 - len(",33188")  # bytes; adbd takes no longer name, and its kind and rights are behind it


class AndroidFiles(Role):
    def push_file(self, local: str | Path | bytes, remote: str) -> None:
        """Readable and writable for its owner, readable for the rest."""
        _checked_path(remote)
        if remote.endswith("/"):
            raise UsageError(f"push_file to {remote!r}: that is a folder; give the file's whole path.")
        if isinstance(local, bytes):
            content = local
        else:
            try:
                content = Path(local).read_bytes()
            except OSError as error:
                message = f"push_file {local}: it cannot be read: {error.strerror}. Nothing was sent."
                raise UsageError(message) from None
        self._link.push(io.BytesIO(content), remote)

    def pull_file(self, remote: str) -> bytes:
        return self._link.pull(_checked_path(remote))


def _checked_path(remote: str) -> str:
    if not remote.startswith("/") or "\0" in remote:
        raise UsageError(f'{remote!r} is no whole path on a phone; give one such as "/sdcard/Download/a.txt".')
    try:
        size = len(remote.encode())
    except UnicodeEncodeError:
        raise UsageError(f"{remote!r}: a path cannot hold half a character.") from None
    if size > _LONGEST:
        raise UsageError(f"a path of {size} bytes; a phone takes at most {_LONGEST}: {remote[:80]!r}…")
    return remote
