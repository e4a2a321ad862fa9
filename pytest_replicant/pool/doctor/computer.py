"""Checks of this computer: Python and its libraries, adb, emulator, Allure, and disk for leases and reports."""

from __future__ import annotations

import importlib
import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

from ...errors import DeviceError, UsageError, how_to_install, version_of
from ..android_state import size_text
from ..attached import server_address
from ..findings import Check, Finding, Subject, failed
from ..quarantine import lease_folder

GROUP = "computer"
_SECONDS = 15.0
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
    "regex": "regex",
    "msgspec": "msgspec",
    "filelock": "filelock",
    "psutil": "psutil",
    "shtab": "shtab",
    "allure-pytest": "allure_commons",
}
"""Distribution to the module that shows whether it loads."""
_US = "pytest-replicant"


def python(version: tuple[int, int] = sys.version_info[:2]) -> Iterator[Finding]:
    text = f"{'.'.join(map(str, sys.version_info[:3]))} at {sys.executable}"
    if OLDEST <= version <= NEWEST:
        yield Finding("ok", "Python", text)
        return
    known = f"{OLDEST[0]}.{OLDEST[1]} to {NEWEST[0]}.{NEWEST[1]}"
    yield Finding("warn", "Python", f"{text}; this plugin is tested with {known}", f"use one of Python {known}")


def plugin() -> Iterator[Finding]:
    """Whether pytest finds it by itself."""
    points = importlib.metadata.entry_points(group="pytest11")
    version = version_of(_US)
    if any(point.value == "pytest_replicant.plugin" for point in points):
        yield Finding("ok", _US, version)
        return
    found = f"{version or 'not installed'}: pytest does not find the plugin by itself"
    step = f"{how_to_install(pip=f'{sys.executable} -m pip')}; or pytest -p pytest_replicant.plugin"
    yield Finding("fail", _US, found, step)


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
            loaded.append(f"{name} {version_of(name)}".strip())
    yield Finding("ok", "libraries", ", ".join(loaded)) if loaded else Finding("fail", "libraries", "none loads")


def parallel() -> Iterator[Finding]:
    version = version_of("pytest-xdist")
    if version:
        yield Finding("ok", "pytest-xdist", version)
        return
    found = "not installed; only needed for several workers (-n)"
    yield Finding("skip", "pytest-xdist", found, f"{sys.executable} -m pip install pytest-xdist")


ASK_SECONDS = 5.0


def adb(environment: Mapping[str, str] = os.environ) -> Iterator[Finding]:
    """The command, then the server: where their versions differ, the command ends the server."""
    yield from variables(environment)
    try:
        host, port = server_address(environment)
    except UsageError as error:
        yield failed("adb server", error)
        return
    server = _server(host, port)
    for binary in find_all("adb", "platform-tools", environment) or [""]:
        yield _binary(binary, server if isinstance(server, int) else None)
    yield (
        server
        if isinstance(server, Finding)
        else Finding("ok", "adb server", f"version {server} answers at {host}:{port}")
    )


def variables(environment: Mapping[str, str]) -> Iterator[Finding]:
    names = ("ANDROID_ADB_SERVER_ADDRESS", "ANDROID_ADB_SERVER_HOST", "ANDROID_ADB_SERVER_PORT", "ANDROID_SERIAL")
    said = [f"{name}={environment[name]}" for name in names if environment.get(name)]
    if said:
        note = "; ANDROID_SERIAL is for the adb command, here --replicant-device says which phone"
        yield Finding("ok", "variables", ", ".join(said) + (note if "ANDROID_SERIAL=" in said[-1] else ""))


def _server(host: str, port: int) -> int | Finding:
    """Its version."""
    from ...drivers import server_version
    from ...errors import DeviceOffline

    try:
        return server_version(host, port, ASK_SECONDS)
    except DeviceOffline:
        found = f"none listens at {host}:{port}; only needed for Android phones that are attached"
        how = "adb start-server, once adb is there; or ANDROID_ADB_SERVER_PORT names another"
        return Finding("warn", "adb server", found, how)
    except (DeviceError, ValueError):
        found = f"what listens at {host}:{port} does not answer as an adb server does"
        return Finding(
            "fail", "adb server", found, f"look what uses port {port}; ANDROID_ADB_SERVER_PORT names another"
        )


def _binary(binary: str, server: int | None) -> Finding:
    """``--version`` starts no server, unlike most that adb can be asked."""
    if not binary:
        found = "no adb command found; phones are reached without one, and it starts the adb server"
        return Finding("warn", "adb command", found, "install Android's platform-tools, or set ANDROID_HOME")
    try:
        said = said_by(binary, "--version")
    except (OSError, TimeoutError) as error:
        return Finding(
            "warn", "adb command", f"{binary} does not run: {error}", "install Android's platform-tools again"
        )
    version, build = (
        re.search(r"Android Debug Bridge version 1\.0\.(\d+)", said),
        re.search(r"^Version (\S+)$", said, re.MULTILINE),
    )
    if version is None:
        return Finding("warn", "adb command", f"{binary} does not tell its version", "is it Android's own adb?")
    text = f"{binary}, version {version[1]}" + (f" ({build[1]})" if build else "")
    if server is None or int(version[1]) == server:
        return Finding("ok", "adb command", text)
    return Finding(
        "warn",
        "adb command",
        f"{text}, but the running server's is {server}: the next adb command ends that server, and every phone in "
        "use is lost",
        "use one adb on this computer: that of the server, or this one after `adb kill-server`",
    )


_MOST = 8


def emulator(environment: Mapping[str, str] = os.environ) -> Iterator[Finding]:
    binaries = find_all("emulator", "emulator", environment)
    names = avds(environment)
    text = ", ".join(names[:_MOST]) + (f" and {len(names) - _MOST} more" if len(names) > _MOST else "")
    if not binaries:
        found = "no emulator command found; only needed for avd:NAME"
        yield Finding("skip", "emulator", found, "install the Android SDK's emulator, or set ANDROID_HOME")
    elif not names:
        yield Finding("skip", "emulator", f"{binaries[0]}, without any virtual device", "avdmanager create avd")
    else:
        yield Finding("ok", "emulator", f"{binaries[0]}; virtual devices: {text}")


def avds(environment: Mapping[str, str]) -> list[str]:
    """Their names, as the emulator finds them."""
    home = environment.get("ANDROID_USER_HOME") or str(Path(environment.get("HOME") or Path.home()) / ".android")
    folder = Path(environment.get("ANDROID_AVD_HOME") or Path(home) / "avd")
    try:
        return sorted(path.stem for path in folder.glob("*.ini"))
    except OSError:
        return []


def allure(environment: Mapping[str, str] = os.environ) -> Iterator[Finding]:
    place = shutil.which("allure", path=environment.get("PATH", ""))
    if place:
        yield Finding("ok", "Allure", f"{place} shows what --alluredir wrote")
        return
    found = "no allure command found; only needed to look at what --alluredir wrote"
    yield Finding("skip", "Allure", found, "npm install -g allure")


def browser() -> Iterator[Finding]:
    yield Finding("ok", "Chromium", "not needed: reports are plain HTML files for any browser")


LOW_KIB, FULL_KIB = 2 * 1024**2, 100 * 1024


def leases() -> Iterator[Finding]:
    """A phone is used by one test at a time, in any process."""
    folder = lease_folder()  # its error says what to do
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        found = f"{folder} cannot be written: {error.strerror or error}"
        yield Finding("fail", "leases", found, f"make it yours: chmod u+rwx {folder}; or name another by TMPDIR")
        return
    yield Finding("ok", "leases", f"kept in {folder}")


def report_folder(folder: Path) -> Iterator[Finding]:
    """Disk for the report, in the nearest folder that is there."""
    there = next(path for path in (folder.absolute(), *folder.absolute().parents) if path.exists())
    if not os.access(there, os.W_OK):
        found = f"{there} cannot be written"
        yield Finding("fail", "report", found, "--replicant-output=DIR, or replicant_output, names another folder")
        return
    free = shutil.disk_usage(there).free // 1024
    text = f"{size_text(free)} free for {folder}"
    if free >= LOW_KIB:
        yield Finding("ok", "report", text)
    elif free >= FULL_KIB:
        yield Finding("warn", "report", text, "make room, or bound a run by replicant_max_artifacts_mb")
    else:
        yield Finding("fail", "report", text, "make room, or name another disk by --replicant-output=DIR")


PROGRAM_SECONDS = 5.0


def find_all(program: str, inside: str, environment: Mapping[str, str] = os.environ) -> list[str]:
    """Every one that a command may start: first that of the PATH, then those of the SDK's folder ``inside``."""
    named = filter(None, (environment.get(name) for name in ("ANDROID_HOME", "ANDROID_SDK_ROOT")))
    folders = [*environment.get("PATH", "").split(os.pathsep), *(str(Path(sdk, inside)) for sdk in named)]
    places = (shutil.which(program, path=folder) for folder in folders if folder)
    return list(dict.fromkeys(os.path.realpath(place) for place in places if place))


def said_by(*command: str) -> str:
    """Its output. Raises ``OSError`` where it does not start, ``TimeoutError`` where it does not end."""
    try:
        ended = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=PROGRAM_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise TimeoutError(f"{command[0]} did not end within {PROGRAM_SECONDS:g} s") from None
    return ended.stdout.decode("utf-8", "replace")


def computer(report: Path) -> Subject:
    """The checks of this computer. ``report`` is the folder of a run's report."""
    checks = (
        Check("Python", _SECONDS, python),
        Check("pytest-replicant", _SECONDS, plugin),
        Check("libraries", 2 * _SECONDS, libraries),
        Check("pytest-xdist", _SECONDS, parallel),
        Check("adb", 2 * _SECONDS, adb),
        Check("emulator", _SECONDS, emulator),
        Check("Allure", _SECONDS, allure),
        Check("Chromium", _SECONDS, browser),
        Check("leases", _SECONDS, leases),
        Check("report", _SECONDS, partial(report_folder, report)),
    )
    return Subject(GROUP, lambda: iter(checks))
