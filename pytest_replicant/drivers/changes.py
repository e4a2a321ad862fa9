"""What was changed on the phone, and how to put it back. Pure."""

from __future__ import annotations

from collections.abc import Callable

from ..errors import DeviceError, UsageError


class Changes:
    """By name. The first change of each counts: what was there before it is what comes back."""

    def __init__(self) -> None:
        self._put_back: dict[str, Callable[[], object]] = {}

    def remember(self, name: str, put_back: Callable[[], object]) -> None:
        self._put_back.setdefault(name, put_back)

    def undo(self) -> None:
        """Last first. What cannot be put back now is tried by the next call, and its error raised once all the
        others have been; what is not there any more needs nothing."""
        errors: list[DeviceError] = []
        for name, put_back in reversed(list(self._put_back.items())):
            try:
                put_back()
            except UsageError:
                pass
            except DeviceError as error:
                errors.append(error)
                continue
            del self._put_back[name]
        if errors:
            raise errors[0]
