"""What is done with a phone that was opened for the run, before a test gets it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from ..drivers import Capability
from ..errors import DeviceError, UsageError
from ..pool import Opened

if TYPE_CHECKING:
    from ..apps import AppPackage
    from ..drivers import Driver
    from ..options import Animations, AppPermissions


class Closing(Opened, Protocol):
    """A phone that does something more when it is let go of."""

    def on_close(self, closer: Callable[[], object]) -> None: ...


@runtime_checkable
class KeepsGranted(Protocol):
    """A driver that grants all that an app asks for, and again whenever its data are cleared."""

    def keep_granted(self, app: str) -> None: ...


class PhonePreparation:
    """For one process. A package that a phone refused once is not sent to it again."""

    def __init__(self, package: AppPackage | None, permissions: AppPermissions, animations: Animations) -> None:
        self._package = package
        self._grants = permissions == "grant"
        self._still = animations == "off"
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
    return driver.info.platform == "android" and Capability.SHELL in driver.capabilities


def _without_animations(opened: Closing) -> None:
    from .animations import put_back, turn_off

    before = turn_off(opened.driver)
    if before:
        opened.on_close(partial(_left_as_it_was, partial(put_back, opened.driver, before)))


def _left_as_it_was(put_back: Callable[[], object]) -> None:
    with suppress(DeviceError):  # a phone that is gone keeps it, and what it was, until it is used again
        put_back()
