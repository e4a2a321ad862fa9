"""The app under test, before the first test: its package is found and read, once for all workers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ..stash import APP, OPTIONS

if TYPE_CHECKING:
    import pytest

    from ..apps import AppPackage


def prepare_app(config: pytest.Config) -> None:
    """From here on ``Options.app`` is the app's id. Raises ``UsageError``."""
    package = _package(config, config.stash[OPTIONS].app)
    if package is not None:
        config.stash[APP] = package
        config.stash[OPTIONS] = replace(config.stash[OPTIONS], app=package.id)


def _package(config: pytest.Config, given: str | None) -> AppPackage | None:
    """None for an id. The option is seen from where pytest was started, the ini key from the ini file's folder."""
    if given is None:
        return None
    from ..apps import find_file, is_path, read_package

    option = config.getoption("--replicant-app") is not None
    folder = config.invocation_params.dir if option else config.rootpath
    return read_package(find_file(given, folder)) if is_path(given, folder) else None


def told_app(package: AppPackage) -> str:
    """For the head of a run."""
    name = package.path.name
    what = " ".join(filter(None, (package.label or package.id, package.version)))
    told = f"app under test: {what}, {name}"
    if package.platform == "android":
        return told
    by_cable = f"xcrun devicectl device install app --device UDID {name}, or ideviceinstaller install {name}"
    how = f"xcrun simctl install booted {name}" if package.path.suffix.lower() == ".app" else by_cable
    return f"{told}; WebDriverAgent installs nothing, so that you do: {how}"
