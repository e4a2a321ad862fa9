"""Python, pytest and the libraries that this plugin is built on."""

from __future__ import annotations

import importlib
import importlib.metadata
import sys
import warnings
from collections.abc import Iterator

from ..fitness.finding import Finding

OLDEST, NEWEST = (3, 10), (3, 13)
LIBRARIES = {
    "pytest": "pytest",
    "pluggy": "pluggy",
    "adbutils": "adbutils",
    "uiautomator2": "uiautomator2",
    "facebook-wda": "wda",
    "lxml": "lxml.etree",
    "xxhash": "xxhash",
    "pillow": "PIL.Image",
    "filelock": "filelock",
    "allure-pytest": "allure_commons",
}
"""What is installed, and what of it is loaded."""
_US = "pytest-replicant"


def python(version: tuple[int, int] = sys.version_info[:2]) -> Iterator[Finding]:
    told = f"{'.'.join(map(str, sys.version_info[:3]))} at {sys.executable}"
    if OLDEST <= version <= NEWEST:
        yield Finding("ok", "Python", told)
        return
    known = f"{OLDEST[0]}.{OLDEST[1]} to {NEWEST[0]}.{NEWEST[1]}"
    yield Finding("warn", "Python", f"{told}; this plugin is tested with {known}", f"use one of Python {known}")


def plugin() -> Iterator[Finding]:
    """Whether pytest finds it by itself."""
    points = importlib.metadata.entry_points(group="pytest11")
    version = _version(_US)
    if any(point.value == "pytest_replicant.plugin" for point in points):
        yield Finding("ok", _US, version)
        return
    found = f"{version or 'not installed'}: pytest does not find the plugin by itself"
    yield Finding(
        "fail", _US, found, f"{sys.executable} -m pip install {_US}; or pytest -p pytest_replicant.plugin"
    )


def libraries() -> Iterator[Finding]:
    """A library that is there may still not load, such as one built for another Python."""
    loaded = []
    for name, module in LIBRARIES.items():
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # some have escape sequences that Python complains about
                importlib.import_module(module)
        except Exception as error:  # a broken library may raise anything
            found = f"does not load: {type(error).__name__}: {error}"
            yield Finding("fail", name, found, f"{sys.executable} -m pip install --force-reinstall {name}")
        else:
            loaded.append(f"{name} {_version(name)}".strip())
    yield Finding("ok", "libraries", ", ".join(loaded)) if loaded else Finding("fail", "libraries", "none loads")


def parallel() -> Iterator[Finding]:
    version = _version("pytest-xdist")
    if version:
        yield Finding("ok", "pytest-xdist", version)
        return
    found = "not installed; only needed for several workers (-n)"
    yield Finding("skip", "pytest-xdist", found, f"{sys.executable} -m pip install pytest-xdist")


def _version(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return ""
