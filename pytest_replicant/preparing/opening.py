"""The phones of a run: how one is opened, by a driver of one's own or ours, and made ready for its first test."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from typing import TYPE_CHECKING, cast

from ..pool import Quarantine
from ..stash import APP, OPTIONS, RUN_ID
from .fitness import make_fit
from .phone import PhonePreparation

if TYPE_CHECKING:
    import pytest

    from ..drivers import Driver
    from ..pool import Opened, WarmPhones
    from .phone import Closing


def phones_of(config: pytest.Config) -> WarmPhones:
    """None is opened yet."""
    from ..pool import WarmPhones, names_of

    options = config.stash[OPTIONS]
    preparation = PhonePreparation(config.stash.get(APP, None), options.app_permissions, options.animations)

    shared = dict(options.shared_phones)
    names = names_of(shared)

    def seconds(timeout: float | None) -> float:
        return options.device_timeout if timeout is None else timeout

    def open_phone(uri: str, timeout: float | None) -> Opened:
        from ..pool import open_device

        driver: Driver | None = config.hook.pytest_replicant_driver(uri=uri, config=config)
        if driver is not None:
            return _Foreign(driver)
        return open_device(uri, timeout=seconds(timeout), name=names.get(uri, ""))

    def prepare_phone(opened: Opened, timeout: float | None) -> None:
        if not isinstance(opened, _Foreign):
            make_fit(opened, seconds(timeout))
        preparation.prepare(cast("Closing", opened))

    phones = WarmPhones(options.devices, open_phone, options.lease_timeout, prepare_phone, shared)
    phones.quarantined = Quarantine(config.stash[RUN_ID])
    return phones


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
