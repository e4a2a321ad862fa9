"""What holds for a part of a test."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from ..errors import UsageError, is_told
from ..model.trace import Attachment

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .step import Parts

__tracebackhide__ = is_told


class Scopes:
    """Groups of actions, and what is put beside them."""

    _parts: Parts

    @contextmanager
    def step(self, title: str) -> Iterator[None]:
        """Names a group of actions in every report."""
        self._parts.recorder.groups.append(title)
        try:
            yield
        finally:
            self._parts.recorder.groups.pop()

    def attach(self, name: str, data: bytes | str, media_type: str = "text/plain") -> None:
        """Puts a piece of evidence into every report."""
        if not isinstance(name, str) or not name:
            raise UsageError(f"attach({name!r}): the name is a string")
        if not isinstance(data, (bytes, str)):
            raise UsageError(f"attach({name!r}): the data is bytes or a string, not {type(data).__name__}")
        if not isinstance(media_type, str) or "/" not in media_type:
            raise UsageError(f'attach({name!r}): {media_type!r} is no media type such as "text/plain"')
        body = data.encode("utf-8", "backslashreplace") if isinstance(data, str) else data
        self._parts.recorder.attachments.append(Attachment(name, media_type, body))
