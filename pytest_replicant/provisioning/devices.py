"""The pool of a run, and the preparation of each phone it opens: fit for tests, the app on it, animations off."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Collection
from contextlib import ExitStack, suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Protocol, cast, runtime_checkable

import pytest

from ..drivers import Capability, traits_of
from ..errors import DeviceError, UsageError
from ..pool import ANIMATIONS, Opened, Quarantine
from ..stash import APP, OPTIONS, RUN_ID

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..apps import AppPackage
    from ..drivers import Driver
    from ..pool import DevicePool, DeviceUri


def phones_of(config: pytest.Config) -> DevicePool:
    """The pool of a run; no phone is opened yet."""
    from ..pool import DevicePool, read_uri

    options = config.stash[OPTIONS]
    preparation = PhonePreparation(config.stash.get(APP, None), options.prepare)

    shared = {given: tuple(map(_known_as, uris, read_uri(given).members)) for given, uris in options.shared_phones}

    def seconds(timeout: float | None) -> float:
        return options.device_timeout if timeout is None else timeout

    def open_phone(uri: DeviceUri, timeout: float | None) -> Opened:
        from ..pool import open_device

        driver: Driver | None = config.hook.pytest_replicant_driver(uri=uri.text, config=config)
        if driver is not None:
            return _Foreign(driver)
        return open_device(uri, timeout=seconds(timeout))

    def prepare_phone(opened: Opened, timeout: float | None) -> None:
        if not isinstance(opened, _Foreign):
            make_fit(opened, seconds(timeout))
        preparation.prepare(cast("Closing", opened))

    return DevicePool(
        options.devices,
        open_phone,
        options.lease_timeout,
        prepare_phone,
        shared,
        quarantined=Quarantine(config.stash[RUN_ID]),
    )


def _known_as(own: str, known: DeviceUri) -> DeviceUri:
    """The URI of a shared phone, which reports call by the one that the run was given."""
    from ..pool import read_uri

    return replace(read_uri(own), alias=known)


class _Foreign:
    """A driver from a hook, as the pool holds phones."""

    def __init__(self, driver: Driver) -> None:
        self._driver = driver
        self._closing = ExitStack()
        self._closing.callback(driver.close)

    @property
    def driver(self) -> Driver:
        return self._driver

    def on_close(self, closer: Callable[[], object]) -> None:
        self._closing.callback(closer)

    def close(self) -> None:
        self._closing.close()


class Closing(Opened, Protocol):
    """A phone that calls more functions when it is closed."""

    def on_close(self, closer: Callable[[], object]) -> None: ...


@runtime_checkable
class KeepsGranted(Protocol):
    """A driver that grants an app all its permissions, and again whenever its data are cleared."""

    def keep_granted(self, app: str) -> None: ...


class PhonePreparation:
    """For one process. ``changes`` are those of ``replicant_prepare``. A package that a phone refused once is not
    sent to it again."""

    def __init__(self, package: AppPackage | None, changes: Collection[str]) -> None:
        self._package = package
        self._grants = "permissions" in changes
        self._still = "animations" in changes
        self._refused: dict[str, UsageError] = {}

    def prepare(self, opened: Closing) -> None:
        """Raises ``UsageError`` for a package that the phone cannot take, ``DeviceError`` where the phone is in
        trouble; the phone is closed then."""
        try:
            self._install(opened.driver)
            if self._still and _has_settings(opened.driver):
                _without_animations(opened)
        except BaseException:
            opened.close()
            raise

    def _install(self, driver: Driver) -> None:
        package, uri = self._package, driver.uri
        if package is None:
            return
        from ..apps import ensure_installed

        if uri in self._refused:
            raise self._refused[uri]
        try:
            ensure_installed(driver, package)
        except UsageError as error:
            self._refused[uri] = error
            raise
        if self._grants and driver.info.platform == package.platform and isinstance(driver, KeepsGranted):
            driver.keep_granted(package.id)


def _has_settings(driver: Driver) -> bool:
    return traits_of(driver).android_commands and Capability.SHELL in driver.capabilities


def _without_animations(opened: Closing) -> None:
    before = turn_off(opened.driver)
    if before:
        opened.on_close(partial(_left_as_it_was, partial(put_back, opened.driver, before)))


def _left_as_it_was(put_back: Callable[[], object]) -> None:
    with suppress(DeviceError):  # a phone that is gone keeps it, and what it was, until it is used again
        put_back()


def make_fit(opened: Opened, timeout: float) -> None:
    """Warns of what may trouble the tests. Raises ``DeviceError`` for a phone that cannot be tested on; it is
    closed then."""
    from ..pool import make_ready

    try:
        findings = make_ready(opened.driver, timeout)
        for finding in findings:
            warnings.warn(pytest.PytestWarning(f"{opened.driver.uri}: {finding}"), stacklevel=2)
    except BaseException:  # Ctrl-C included: nothing may be left leased
        opened.close()
        raise


KEPT = "/data/local/tmp/replicant-animations"
SECONDS = 20.0
BACK_SECONDS = 5.0
"""For a phone that may not answer any more."""

_VALUE = re.compile(r"\d{1,3}(\.\d{1,6})?", re.ASCII)
_READ_SCALES = "; ".join(f"settings get global {name}" for name in ANIMATIONS)
_OFF = "; ".join(f"settings put global {name} 0" for name in ANIMATIONS)
_KEEP = f"{{ {_READ_SCALES}; }} > {KEPT}.new && mv {KEPT}.new {KEPT}"
_WHOLE = f'[ "$(grep -c "" {KEPT} 2>/dev/null)" = {len(ANIMATIONS)} ]'
TURN_OFF = f"{_WHOLE} || {{ {_KEEP}; }}; cat {KEPT} && {_WHOLE} && {{ {_OFF}; }}"
"""In one command: values that a killed run has kept are the real ones. With a line too few or too many they cannot
be matched: the file is written again, and where that is no better, animations stay on."""


def turn_off(driver: Driver) -> tuple[str, ...]:
    """The scales before; empty where the phone cannot keep them, and so nothing was changed."""
    said = driver.shell(TURN_OFF, SECONDS).stdout.splitlines()
    return tuple(line.strip() for line in said) if len(said) == len(ANIMATIONS) else ()


def put_back(driver: Driver, before: Sequence[str]) -> None:
    """A scale that was not set, or cannot be read, is the phone's own default again."""
    driver.shell(" && ".join([*map(_put, ANIMATIONS, before), f"rm -f {KEPT}"]), BACK_SECONDS)


def _put(name: str, value: str) -> str:
    return f"settings put global {name} {value}" if _VALUE.fullmatch(value) else f"settings delete global {name}"
