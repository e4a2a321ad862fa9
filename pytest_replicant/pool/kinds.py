"""From what the user gave to the phones that are meant: ``android`` is every attached one, ``virtual:3`` three."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from ..drivers import Platform
from ..errors import DeviceError, UsageError
from .attached import complaint, list_phones, server_address
from .uri import DeviceUri, parse_uri
from .wda_url import told_uri


@dataclass(frozen=True)
class Meant:
    """The phones of one given URI, each by a URI of its own. ``passed_over`` are attached ones that cannot be
    used, and why not."""

    uris: tuple[str, ...]
    passed_over: tuple[str, ...] = field(default=())


def expand(given: str) -> Meant:
    """What cannot be told now is left as it was given: opening it says what is wrong, and what only a hook knows
    is the hook's."""
    try:
        uri = parse_uri(given)
        if uri.kind == "attached" and not uri.serial:
            return _attached(given)
    except (UsageError, DeviceError):
        return Meant((given,))
    return Meant((given,)) if uri.count is None else Meant(tuple(named(uri, uri.count)))


def _attached(given: str) -> Meant:
    phones = list_phones(*server_address())
    usable = tuple(f"android:{phone.serial}" for phone in phones if phone.usable)
    if not usable:
        return Meant((given,))
    return Meant(usable, tuple(f"{phone.serial} {complaint(phone)}" for phone in phones if not phone.usable))


def named(uri: DeviceUri, count: int) -> list[str]:
    """One URI for each of several virtual phones, which differ in their serials."""
    query = uri.text.partition("?")[2]
    knobs = f"{query}&" if query else ""
    return [
        f"virtual:{uri.platform}?{knobs}serial={serial}"
        for serial in (serial_of(uri.platform, number) for number in range(1, count + 1))
    ]


def names_of(shared: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    """For each phone that workers share, the URI that tells it; where it is reached is so in this run alone."""
    return {
        uri: name for given, uris in shared.items() for uri, name in zip(uris, expand(given).uris, strict=True)
    }


def serial_of(platform: Platform, number: int) -> str:
    return f"virtual-iphone-{number}" if platform == "ios" else f"virtual-{number}"


def shown(uri: str) -> str:
    """A phone as a line tells it: a virtual one by its serial, if it has one of its own."""
    serial = re.search(r"^virtual.*[?&]serial=([^&]+)", uri)
    return serial[1] if serial else told_uri(uri)


def lease_name(uri: str) -> str | None:
    """What the phone of that URI is leased as; None for those that need no lease, or whose lease is not ours."""
    try:
        parsed = parse_uri(uri)
        if parsed.kind == "virtual" or (parsed.kind == "attached" and not parsed.serial):
            return None
        if parsed.url is not None:
            return f"ios:{parsed.url.place}"
        host, port = (parsed.host, parsed.port) if parsed.kind == "remote" else server_address()
    except UsageError:
        return None
    return f"adb://{host}:{port}/{parsed.serial}"
