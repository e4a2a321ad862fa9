"""The phones of one test process: opened when first asked for, kept warm, lent to one user at a time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from ..errors import DeviceBusy, DeviceError, DeviceNotFound, is_told
from .uri import is_virtual

if TYPE_CHECKING:
    from ..drivers.base import Driver

__tracebackhide__ = is_told


class Opened(Protocol):
    """A phone that is ready: its driver, and how to let go of it."""

    @property
    def driver(self) -> Driver: ...

    def close(self) -> None: ...


Opener = Callable[[str], Opened]


@dataclass
class _Place:
    uri: str
    opened: Opened
    lent: bool = False


@dataclass
class WarmPhones:
    """``uris`` are the phones of the run. A virtual one may be had any number of times, others once each."""

    uris: tuple[str, ...]
    open: Opener
    _places: list[_Place] = field(default_factory=list)

    def take(self, uri: str | None = None, platform: str | None = None) -> Opened:
        """A phone for one user. Raises ``DeviceBusy`` where every phone that would do is lent out."""
        wanted = (uri,) if uri is not None else self.uris
        for place in self._places:
            if not place.lent and place.uri in wanted and _fits(place.opened, platform):
                place.lent = True
                return place.opened
        taken = {place.uri for place in self._places}
        for candidate in wanted:
            if candidate not in taken or is_virtual(candidate):
                opened = self.open(candidate)
                self._places.append(_Place(candidate, opened, lent=True))
                if _fits(opened, platform):
                    return opened
                self.give_back(opened)
        raise _none_left(wanted, platform, self._places)

    def give_back(self, opened: Opened) -> None:
        for place in self._places:
            if place.opened is opened:
                place.lent = False

    def drop(self, opened: Opened) -> None:
        """Closes a phone that is in trouble; the next user gets a new connection."""
        self._places = [place for place in self._places if place.opened is not opened]
        opened.close()

    def close(self) -> None:
        """Lets go of every phone, whatever one of them says."""
        places, self._places = self._places, []
        trouble: DeviceError | None = None
        for place in places:
            try:
                place.opened.close()
            except DeviceError as error:
                trouble = error
        if trouble is not None:
            raise trouble


def _fits(opened: Opened, platform: str | None) -> bool:
    return platform is None or opened.driver.info.platform == platform


def _none_left(wanted: tuple[str, ...], platform: str | None, places: list[_Place]) -> DeviceError:
    lent = [place.uri for place in places if place.lent]
    kind = f" {platform}" if platform else ""
    if not any(uri in wanted for uri in lent):
        return DeviceNotFound(
            f"no{kind} phone among {', '.join(wanted)}. Next: name one with --replicant-device, "
            "or new_mobile(uri)",
            device=", ".join(wanted),
        )
    return DeviceBusy(
        f"this run has no further{kind} phone: {', '.join(lent)} in use by this test. Next: repeat "
        "--replicant-device with another phone, or use virtual, of which there are as many as asked for",
        device=", ".join(lent),
    )
