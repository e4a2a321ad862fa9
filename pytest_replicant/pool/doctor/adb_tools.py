"""The adb command and the adb server. The server is asked; none is started, stopped or restarted."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping

from ...errors import DeviceError, UsageError
from ..attached import server_address
from ..fitness.finding import Finding, failed
from .programs import find_all, said_by

ASK_SECONDS = 5.0
_VERSION = re.compile(r"Android Debug Bridge version 1\.0\.(\d+)")
_BUILD = re.compile(r"^Version (\S+)$", re.MULTILINE)


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
        return Finding("warn", "adb server", found, "adb start-server; or ANDROID_ADB_SERVER_PORT names another")
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
            "warn", "adb command", f"{binary} does not run: {error}", "install Android's platform-tools anew"
        )
    version, build = _VERSION.search(said), _BUILD.search(said)
    if version is None:
        return Finding("warn", "adb command", f"{binary} does not tell its version", "is it Android's own adb?")
    told = f"{binary}, version {version[1]}" + (f" ({build[1]})" if build else "")
    if server is None or int(version[1]) == server:
        return Finding("ok", "adb command", told)
    return Finding(
        "warn",
        "adb command",
        f"{told}, but the running server's is {server}: the next adb command ends that server, and every phone in "
        "use is lost",
        "use one adb on this computer: that of the server, or this one after `adb kill-server`",
    )
