"""The phone of each test: ``--replicant-matrix``, the requirements of its marker, and ``-n
auto``."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import pytest

from ...errors import UsageError
from ...options import options
from ...options.marks import read_marks
from ..stash import OPTIONS, note_wait

if TYPE_CHECKING:
    from ...pool import DevicePool, DeviceRequirements, DeviceUri, Opened


FIXTURE = "_mobile_kind"
"""The fixture by which ``mobile_device`` gets the kind of its phone."""
LONGEST = 60
FixtureScope = Literal["session", "module", "class", "function"]
WIDER_SCOPES: tuple[Literal["session", "module", "class"], ...] = ("session", "module", "class")
"""Scopes by which tests may share a phone, the widest first; each has its fixture, such as
``module_mobile``."""


class Matrix:
    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        # Emulators that were booted for the run are among them only now.
        options = metafunc.config.stash[OPTIONS]
        if options.matrix and FIXTURE in metafunc.fixturenames:
            kinds = list(dict.fromkeys(options.devices))
            scope: FixtureScope = "function"  # pytest groups tests that share a phone by it
            for wider in reversed(WIDER_SCOPES):
                if f"{wider}_mobile" in metafunc.fixturenames:
                    scope = wider
            metafunc.parametrize(FIXTURE, kinds, indirect=True, ids=kind_ids(kinds), scope=scope)


def kind_ids(kinds: Sequence[DeviceUri]) -> list[str]:
    """Readable, safe in a file's name, without secrets, and no two alike. Knobs are in it only if
    they part two kinds apart."""
    short = [_safe(kind.masked.partition("?")[0]) for kind in kinds]
    long = [_safe(kind.masked) for kind in kinds]
    chosen = [
        one if short.count(one) == 1 else other for one, other in zip(short, long, strict=True)
    ]
    return [
        f"{each}.{chosen[:place].count(each) + 1}" if chosen.count(each) > 1 else each
        for place, each in enumerate(chosen)
    ]


def _safe(text: str) -> str:
    return re.sub(r"[^A-Za-z0-9._]+", "-", text)[:LONGEST].strip("-.") or "phone"


def acquire_for_test(
    phones: DevicePool,
    item: pytest.Item,
    kind: DeviceUri | None = None,
    marked: pytest.Item | pytest.Collector | None = None,
    timeout: float | None = None,
) -> Opened:
    """One of that kind, of any where it is None. Skips a test that no phone of the run can serve.
    ``marked`` is the class or module whose markers count, where it shares the phone. ``timeout`` is
    in seconds, None for that of the run."""
    from ...pool import NoMatchingDevice

    wanted = requirements_of(item if marked is None else marked)
    try:
        return phones.acquire(kind, timeout=timeout, wanted=wanted)
    except NoMatchingDevice as none:
        raise pytest.skip.Exception(none.reason, _use_item_location=True) from None
    finally:
        note_wait(item, phones.last_wait)


def acquire_further(
    phones: DevicePool,
    item: pytest.Item,
    uri: str | None,
    platform: str | None,
    timeout: float | None,
) -> Opened:
    """The one that the test names, by its URI or platform, is had or is an error; else as its
    marker says. Raises ``UsageError`` where the run has none of that platform."""
    if uri is None and platform is None:
        return acquire_for_test(phones, item, timeout=timeout)
    from ...pool import NoMatchingDevice

    requirements_of(item)  # a wrong marker is an error here as well
    try:
        return phones.acquire(uri, platform, timeout)
    except NoMatchingDevice as none:
        raise UsageError(str(none)) from None
    finally:
        note_wait(item, phones.last_wait)


def requirements_of(item: pytest.Item | pytest.Collector) -> DeviceRequirements:
    """Raises ``UsageError`` that names the marker."""
    from ...pool import DeviceRequirements

    marks = read_marks(item)
    try:
        return DeviceRequirements(marks.platform, marks.api, marks.needs)
    except UsageError as error:
        raise UsageError(f"marker replicant: {error}") from None


LOOK_SECONDS = 5.0  # at each attached phone, at all of them side by side


def workers_for(config: pytest.Config) -> int | None:
    """Workers for ``-n auto``; None if phones are unlimited, or the user gave a number. It runs
    before the options of the run are kept, so they are read here; errors in them are reported
    later."""
    if os.environ.get("PYTEST_XDIST_AUTO_NUM_WORKERS"):
        return None
    try:
        asked = options.read(config)
    except UsageError:
        return 1
    kinds = dict.fromkeys(asked.devices)
    if any(kind.is_unlimited for kind in kinds):
        return None
    phones = {phone for kind in kinds for phone in kind.expand()[0]}
    phones -= _unfit(
        sorted((phone for phone in phones - {*kinds} if not phone.is_virtual), key=str)
    )
    return max(len(phones) + len(asked.avds), 1)


def _unfit(attached: Sequence[DeviceUri]) -> set[DeviceUri]:
    """Attached phones, not named one by one, on which no test can begin, such as a locked one."""
    if not attached:
        return set()
    from concurrent.futures import ThreadPoolExecutor

    from ...pool import server_address, why_unfit

    with ThreadPoolExecutor(len(attached)) as looks:
        reasons = looks.map(
            lambda phone: why_unfit(*server_address(), phone.serial, LOOK_SECONDS), attached
        )
        return {phone for phone, why in zip(attached, reasons, strict=True) if why}
