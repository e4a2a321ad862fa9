"""Clauses about packages and permissions."""

from __future__ import annotations

import tempfile
from functools import partial
from pathlib import Path

from ...drivers import Capability
from ...errors import UsageError
from .apps import ABSENT
from .clause import Clause, Installable, Scene, must, refuses


def _knows_what_is_installed(scene: Scene) -> None:
    must(scene.driver.installed(scene.app), f"{scene.app} is not installed")
    must(not scene.driver.installed(ABSENT), f"{ABSENT} is installed")


def _what_is_no_package(scene: Scene) -> None:
    with tempfile.TemporaryDirectory() as folder:
        text = Path(folder) / "notes.apk"
        text.write_text("no package")
        for path in (text, Path(folder), Path(folder) / "missing.apk"):
            error = refuses(partial(scene.driver.install, path), UsageError, f"installing {path.name}")
            must(path.name in str(error), f"the error does not name {path.name}: {error}")


def _uninstalling_what_is_not_there(scene: Scene) -> None:
    error = refuses(lambda: scene.driver.uninstall(ABSENT), UsageError, "uninstalling what is not installed")
    must(ABSENT in str(error), f"the error does not name {ABSENT}: {error}")


def _comes_and_goes(scene: Scene) -> None:
    package = _package(scene)
    must(not scene.driver.installed(package.app), f"{package.app} is on the phone already")
    scene.driver.install(package.path)
    must(scene.driver.installed(package.app), f"{package.app} is not there after install")
    scene.driver.install(str(package.path))  # an update
    scene.driver.uninstall(package.app)
    must(not scene.driver.installed(package.app), f"{package.app} is still there after uninstall")


def _permissions_are_set(scene: Scene) -> None:
    package = _package(scene)
    scene.driver.install(package.path)
    try:
        before = dict(scene.driver.permissions(package.app))
        for granted in (True, False, True):
            scene.driver.set_permission(package.app, package.permission, granted)
            now = scene.driver.permissions(package.app)
            must(granted in now.values(), f"after set_permission({granted}) the permissions are {dict(now)}")
            for name in now:  # by the platform's own names, too
                scene.driver.set_permission(package.app, name, granted)
            now = scene.driver.permissions(package.app)
            must(set(now.values()) == {granted}, f"after set_permission({granted}) of each: {dict(now)}")
        scene.driver.restore_settings()
        after = dict(scene.driver.permissions(package.app))
        must(after == before, f"restore_settings left {after}, and there was {before}")
    finally:
        scene.driver.uninstall(package.app)


def _permissions_that_are_none(scene: Scene) -> None:
    for name in ("no such permission", "", "$(reboot)"):
        refuses(
            partial(scene.driver.set_permission, scene.app, name, True),
            UsageError,
            f"permission {name!r}",
        )
    refuses(lambda: scene.driver.set_permission(ABSENT, "camera", True), UsageError, "a permission of no app")


def _package(scene: Scene) -> Installable:
    if scene.installable is None:
        raise AssertionError("there is no package to install")
    return scene.installable


INSTALLING = (
    Clause("installed", "a driver knows what is installed", _knows_what_is_installed, Capability.INSTALL),
    Clause("install-nothing", "what is no package is a UsageError", _what_is_no_package, Capability.INSTALL),
    Clause(
        "uninstall-absent",
        "uninstalling what is not there is one",
        _uninstalling_what_is_not_there,
        Capability.INSTALL,
    ),
    Clause(
        "install",
        "install puts an app there, uninstall removes it",
        _comes_and_goes,
        Capability.INSTALL,
        needs_package=True,
    ),
    Clause(
        "permissions",
        "permissions are set, read and put back",
        _permissions_are_set,
        Capability.INSTALL | Capability.PERMISSIONS,
        needs_package=True,
    ),
    Clause(
        "permission-unknown",
        "a permission that is none is a UsageError",
        _permissions_that_are_none,
        Capability.PERMISSIONS,
    ),
)
