"""The phones of one test process: opened when first asked for, kept warm, lent to one user at a time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, get_args

from ..drivers.base import Platform
from ..errors import DeviceBusy, DeviceError, DeviceNotFound, UsageError, is_told
from .uri import is_virtual, platform_of
from .wda_url import told_uri

if TYPE_CHECKING:
    from ..drivers.base import Driver

__tracebackhide__ = is_told


class Opened(Protocol):
    """A phone that is ready: its driver, and how to let go of it."""

    @property
    def driver(self) -> Driver: ...

    def close(self) -> None: ...


Opener = Callable[[str, "float | None"], Opened]
"""(URI, seconds until the phone must be ready, None for the run's own) to the phone."""


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

    def take(self, uri: str | None = None, platform: str | None = None, timeout: float | None = None) -> Opened:
        """The first phone that is free, in the order of the URIs, those of which a phone is lent last. What was
        opened before makes no difference: which of two platforms a test gets hangs on no other test.

        One that another run holds is passed over; one that is not there, or does not answer, raises its
        ``DeviceError``.

        Raises ``UsageError`` for a platform that is none, ``DeviceNotFound`` where no phone is of it, and
        ``DeviceBusy`` where every phone that would do is in use.
        """
        _check_platform(platform)
        wanted = (uri,) if uri is not None else self.uris
        held: list[DeviceBusy] = []
        for candidate in sorted(dict.fromkeys(wanted), key=self._lends):
            try:
                opened = self._free(candidate, platform) or self._opened(candidate, platform, timeout)
            except DeviceBusy as busy:
                held.append(busy)
                continue
            if opened is not None:
                return opened
        lent = [each.uri for each in self._places if each.uri in wanted and _fits(each.opened, platform)]
        raise _none_left(wanted, platform, lent, held)

    def _lends(self, uri: str) -> bool:
        return any(place.lent for place in self._places if place.uri == uri)

    def _free(self, uri: str, platform: str | None) -> Opened | None:
        """One that is warm and lent to nobody."""
        for place in self._places:
            if not place.lent and place.uri == uri and _fits(place.opened, platform):
                place.lent = True
                return place.opened
        return None

    def _opened(self, uri: str, platform: str | None, timeout: float | None) -> Opened | None:
        """One that may still be opened, and is not known to be of another platform."""
        taken = any(place.uri == uri for place in self._places)
        if platform not in (None, platform_of(uri) or platform) or (taken and not is_virtual(uri)):
            return None
        opened = self.open(uri, timeout)
        self._places.append(_Place(uri, opened, lent=True))
        if _fits(opened, platform):
            return opened
        self.give_back(opened)
        return None

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


def _check_platform(platform: str | None) -> None:
    known = get_args(Platform)
    if platform is not None and platform not in known:
        raise UsageError(f"platform={platform!r} is none; there are: {', '.join(known)}")


def _none_left(
    wanted: tuple[str, ...], platform: str | None, lent: list[str], held: list[DeviceBusy]
) -> DeviceError:
    """``lent`` are in use by this very test, ``held`` says of each other phone who has it."""
    kind, virtual = (f" {platform}" if platform else ""), ("virtual:ios" if platform == "ios" else "virtual")
    if not lent and not held:
        return DeviceNotFound(
            f"no{kind} phone among {', '.join(map(told_uri, wanted))}. Next: name one with --replicant-device, "
            f'or new_mobile(uri), such as new_mobile("{virtual}")',
            device=", ".join(map(told_uri, wanted)),
        )
    if len(held) == 1 and not lent:
        return held[0]
    in_use = [*(f"{uri} is in use by this test" for uri in lent), *(str(busy).partition(". ")[0] for busy in held)]
    return DeviceBusy(
        f"this run has no further{kind} phone. Next: repeat --replicant-device with another phone, or use "
        f"{virtual}, of which there are as many as asked for. In use:\n"
        + "\n".join(f"  {line}" for line in in_use),
        device=", ".join([*lent, *(busy.device for busy in held)]),
    )
