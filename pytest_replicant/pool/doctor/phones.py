"""Which phones are looked at, and by which checks."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from ...errors import DeviceError, UsageError
from ..attached import LIST_SECONDS, list_phones, server_address
from ..fitness.finding import Finding
from ..uri import is_virtual, parse_uri
from ..wda_url import told_uri
from .android_phone import android_phone
from .check import Check, Subject
from .iphone import iphone
from .virtual_phone import virtual_phone

_OWN = ("android", "adb", "ios")


def phones(uris: Sequence[str], open_seconds: float) -> list[Subject]:
    """One for each phone that is named; ``android`` is every phone that is attached."""
    each = (uri for given in uris for uri in (attached() or [given] if given.strip() == "android" else [given]))
    return [_phone(uri, open_seconds) for uri in dict.fromkeys(each)]


def attached() -> list[str]:
    """Every phone that the adb server knows, in whatever state. None where no server answers: the check of the
    server tells that."""
    with suppress(DeviceError, UsageError):
        return [f"android:{phone.serial}" for phone in list_phones(*server_address(), LIST_SECONDS)]
    return []


def _phone(text: str, open_seconds: float) -> Subject:
    if is_virtual(text):
        return virtual_phone(text, open_seconds)
    try:
        uri = parse_uri(text)
    except UsageError as error:
        return _foreign(text, error)
    if uri.url is not None:
        return iphone(uri, uri.url, open_seconds)
    return android_phone(uri, open_seconds)


def _foreign(text: str, error: UsageError) -> Subject:
    """A driver of the project's own may know it, which only a test run loads. What begins as ours do is rather one
    of ours that is written wrong."""
    found = Finding(
        "skip", "driver", "no URI of this plugin's own: only a test run loads the driver that knows it"
    )
    if text.strip().partition(":")[0] in _OWN:
        advice = "correct it, unless a driver of the project's own knows it"
        found = Finding("warn", "driver", str(error), advice)
    return Subject(told_uri(text), lambda: iter([Check("driver", 1.0, lambda: [found])]))
