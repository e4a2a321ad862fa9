"""Setup of a run, once, before the first test and before any worker: build, emulators, app, shared phones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from ..errors import DeviceError, UsageError
from ..stash import APP, OPTIONS

if TYPE_CHECKING:
    from ..apps import AppPackage
    from ..pool import DeviceUri


def build_app(config: pytest.Config) -> None:
    if config.stash[OPTIONS].build is not None:
        from .app_build import build

        build(config)


def boot_emulators(config: pytest.Config) -> None:
    if config.stash[OPTIONS].avds:
        from .emulators import boot

        boot(config)


def prepare_app(config: pytest.Config) -> None:
    """From here on ``Options.app`` is the app's id. Raises ``UsageError``."""
    package = _package(config, config.stash[OPTIONS].app)
    if package is not None:
        config.stash[APP] = package
        config.stash[OPTIONS] = replace(config.stash[OPTIONS], app=package.id)


def _package(config: pytest.Config, given: str | None) -> AppPackage | None:
    """The package; None for an id. A path of the option is relative to the folder where pytest was started, one of
    the ini key to the ini file's."""
    if given is None:
        return None
    from ..apps import find_file, is_path, read_package

    option = config.getoption("--replicant-app") is not None
    folder = config.invocation_params.dir if option else config.rootpath
    return read_package(find_file(given, folder)) if is_path(given, folder) else None


def app_line(package: AppPackage) -> str:
    """For the head of a run."""
    name = package.path.name
    what = " ".join(filter(None, (package.label or package.id, package.version)))
    line = f"app under test: {what}, {name}"
    if package.platform == "android":
        return line
    by_cable = f"xcrun devicectl device install app --device UDID {name}, or ideviceinstaller install {name}"
    how = f"xcrun simctl install booted {name}" if package.path.suffix.lower() == ".app" else by_cable
    return f"{line}; WebDriverAgent installs nothing, so that you do: {how}"


def share_phones(config: pytest.Config) -> None:
    """Starts them where there will be workers; without, the one process opens its own when a test asks."""
    if not config.pluginmanager.hasplugin("dsession"):
        return
    from ..pool import installed_apps

    options = config.stash[OPTIONS]
    for uri in options.devices:
        if uri.is_virtual and "apps" in uri.checked().knobs:
            installed_apps(uri)  # so that an error in them is reported once, and not by each test
    several = [uri for uri in dict.fromkeys(options.devices) if uri.count]
    for uri in several:
        close, uris = serve_phones(uri)
        config.add_cleanup(close)
        options = replace(options, shared_phones=(*options.shared_phones, (uri.text, uris)))
    config.stash[OPTIONS] = options


def serve_phones(uri: DeviceUri) -> tuple[Callable[[], None], tuple[str, ...]]:
    """Starts virtual phones that other processes can reach: what stops them, and the URI of each."""
    from ..pool import virtual_phone
    from ..virtual import start_server

    phones = [virtual_phone(each) for each in uri.members]
    iphones = uri.platform == "ios"
    server = start_server(*phones, server=not iphones, wda=iphones)
    if iphones:
        return server.close, tuple(f"ios:http://{server.host}:{port}" for port in server.wda_ports.values())
    return server.close, tuple(f"adb://{server.host}:{server.port}/{serial}" for serial in server.serials)


Step = Callable[[pytest.Config], None]
"""Puts what it found into ``config.stash[OPTIONS]``, and what undoes it into ``config.add_cleanup``."""

STEPS: tuple[Step, ...] = (build_app, boot_emulators, prepare_app, share_phones)
_LISTING = ("collectonly", "setupplan", "showfixtures", "show_fixtures_per_test", "cacheshow")
"""Options with which pytest begins a session and runs no test."""


class RunSetup:
    """Registered on the controller, or on the only process."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionstart(self, session: pytest.Session) -> None:
        """Workers are started by a later hook. Where tests or fixtures are only listed, nothing is prepared."""
        if any(getattr(session.config.option, name, None) for name in _LISTING):
            return
        if session.config.stash[OPTIONS].replay:  # no phone needs an app
            return
        for step in STEPS:
            try:
                step(session.config)
            except (UsageError, DeviceError) as error:
                raise pytest.UsageError(f"replicant: {error}") from None
