"""A pytest plugin, ``-p tests.shared_clock``: the virtual phones of a run and their sessions share
one clock, on which no wait takes time. The tests themselves stay as they are."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any

import pytest

from pytest_replicant.drivers import Driver
from pytest_replicant.pool import DeviceUri, installed_apps, read_uri
from pytest_replicant.testing import SharedClock, virtual_device
from pytest_replicant.virtual import App, Faults, Latency, VirtualPhone, profile_of


class OneClock:
    """Registered late, so that its fixture comes before the one of the plugin."""

    def __init__(self) -> None:
        self.clock = SharedClock()
        self.phones: list[VirtualPhone] = []
        self._phones = ExitStack()

    def apps(self, asked: DeviceUri) -> Sequence[App[Any]]:
        """What is installed on a phone of this URI."""
        return installed_apps(asked)

    def pytest_replicant_driver(self, uri: str) -> Driver | None:
        asked = read_uri(uri)
        if asked.scheme != "virtual":
            return None
        knobs = {
            name: values[-1] for name, values in asked.knobs.items() if name not in ("app", "apps")
        }
        profile = profile_of(asked.platform or "android", knobs)
        device = self._phones.enter_context(
            virtual_device(
                *self.apps(asked),
                clock=self.clock,
                profile=profile,
                latency=Latency.from_knobs(knobs, profile.latency),
                faults=Faults.from_knobs(knobs),
                start=False,
            )
        )
        device.phone.settings.put(
            "global", "stay_on_while_plugged_in", "0"
        )  # what runs see to by themselves
        self.phones.append(device.phone)
        return device.driver

    @pytest.fixture(scope="session")
    @classmethod
    def mobile_session_args(cls, pytestconfig: pytest.Config) -> dict[str, Any]:
        plugins = pytestconfig.pluginmanager.get_plugins()
        return {"clock": next(one.clock for one in plugins if isinstance(one, cls))}

    def pytest_unconfigure(self) -> None:
        self._phones.close()


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(OneClock(), "shared-clock")
