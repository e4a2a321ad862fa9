"""``replicant doctor``: checks of this computer (Python and its libraries, adb, emulator, Allure,
disk) and of the phones that a run names, from the cable or port to the screen. Each is bounded in
time."""

from __future__ import annotations

import importlib
import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from ..errors import (
    DeviceBusy,
    DeviceError,
    DeviceNotFound,
    DeviceOffline,
    ProtocolError,
    UsageError,
    how_to_install,
    version_of,
)
from .attached import LIST_SECONDS, choose_phone, list_phones, server_address
from .leases import Lease
from .open import SCHEMES, open_device, read_uri
from .quarantine import lease_folder
from .readiness import FULL_CHECKS, FULL_QUESTION, Finding, Status, failed, parts_of
from .uri import DeviceUri, Kind

if TYPE_CHECKING:
    from ..drivers import Link


Look = Callable[[], "Iterable[Finding]"]


@dataclass(frozen=True)
class Check:
    """``look`` may take ``seconds``."""

    name: str
    seconds: float
    look: Look


@dataclass(frozen=True)
class Subject:
    """The computer or a phone. Its checks are asked for one by one: one may hang on what the last
    found."""

    group: str
    checks: Callable[[], Iterable[Check]]


def bounded(check: Check) -> list[Finding]:
    """What the check found; a failure where it raised, or did not end in time."""
    return _started(check.name, check.look)(check.seconds, "no answer")


def examine(subjects: Iterable[Subject], seconds: float) -> Iterator[list[Finding]]:
    """The findings of each, in order; all are examined side by side. One that is not done when
    ``seconds`` have passed is reported with its findings so far."""

    def every(subject: Subject) -> Iterator[Finding]:
        for check in subject.checks():
            yield from bounded(check)

    running = [(each.group, _started("checks", partial(every, each))) for each in subjects]
    for group, found in running:
        yield [replace(finding, group=group) for finding in found(seconds, "not done")]


def _started(name: str, look: Look) -> Callable[[float, str], list[Finding]]:
    """Looks, in a thread. The function waits for so many seconds, and returns the findings until
    then: an error, or being late, is one of that name."""
    found: list[Finding] = []

    def run() -> None:
        try:
            for finding in look():
                found.append(finding)
        except Exception as error:
            found.append(failed(name, error))

    def ended(seconds: float, late: str) -> list[Finding]:
        thread.join(seconds)
        if not thread.is_alive():
            return found
        missed = f"{late} within {seconds:g} s"
        return [*found, Finding("fail", name, missed, "look whether it hangs")]

    thread = threading.Thread(target=run, name=f"replicant-doctor-{name}", daemon=True)
    thread.start()
    return ended


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


def python() -> Iterator[Finding]:
    text = f"{'.'.join(map(str, sys.version_info[:3]))} at {sys.executable}"
    if OLDEST <= sys.version_info[:2] <= NEWEST:
        yield Finding("ok", "Python", text)
        return
    known = f"{OLDEST[0]}.{OLDEST[1]} to {NEWEST[0]}.{NEWEST[1]}"
    yield Finding(
        "warn",
        "Python",
        f"{text}; this plugin is tested with {known}",
        f"use one of Python {known}",
    )


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
                warnings.simplefilter(
                    "ignore"
                )  # some have escape sequences that Python complains about
                importlib.import_module(module)
        except Exception as error:  # a broken library may raise anything
            found = f"does not load: {type(error).__name__}: {error}"
            step = f"{sys.executable} -m pip install --force-reinstall {name}"
            yield Finding("fail", name, found, step)
        else:
            loaded.append(f"{name} {version_of(name)}".strip())
    if loaded:
        yield Finding("ok", "libraries", ", ".join(loaded))
    else:
        yield Finding("fail", "libraries", "none loads")


ASK_SECONDS = 5.0


def adb() -> Iterator[Finding]:
    """The command, then the server: where their versions differ, the command ends the server."""
    try:
        host, port = server_address()
    except UsageError as error:
        yield failed("adb server", error)
        return
    from ..drivers import server_version

    version = None
    try:
        version = server_version(host, port, ASK_SECONDS)
        server = Finding("ok", "adb server", f"version {version} answers at {host}:{port}")
    except DeviceOffline:
        found = f"none listens at {host}:{port}; only needed for Android phones that are attached"
        how = "adb start-server, once adb is there; or ANDROID_ADB_SERVER_PORT names another"
        server = Finding("warn", "adb server", found, how)
    except (DeviceError, ValueError):
        found = f"what listens at {host}:{port} does not answer as an adb server does"
        how = f"look what uses port {port}; ANDROID_ADB_SERVER_PORT names another"
        server = Finding("fail", "adb server", found, how)
    for binary in _adbs() or [""]:
        yield _binary(binary, version)
    yield server


def _binary(binary: str, server: int | None) -> Finding:
    """``--version`` starts no server, unlike most that adb can be asked."""
    if not binary:
        found = "no adb command found; phones are reached without one, and it starts the adb server"
        return Finding(
            "warn", "adb command", found, "install Android's platform-tools, or set ANDROID_HOME"
        )
    try:
        said = said_by(binary, "--version")
    except (OSError, TimeoutError) as error:
        return Finding(
            "warn",
            "adb command",
            f"{binary} does not run: {error}",
            "install Android's platform-tools again",
        )
    version, build = (
        re.search(r"Android Debug Bridge version 1\.0\.(\d+)", said),
        re.search(r"^Version (\S+)$", said, re.MULTILINE),
    )
    if version is None:
        return Finding(
            "warn", "adb command", f"{binary} does not tell its version", "is it Android's own adb?"
        )
    text = f"{binary}, version {version[1]}" + (f" ({build[1]})" if build else "")
    if server is None or int(version[1]) == server:
        return Finding("ok", "adb command", text)
    return Finding(
        "warn",
        "adb command",
        f"{text}, but the running server's is {server}: the next adb command ends that server, and "
        "every phone in use is lost",
        "use one adb on this computer: that of the server, or this one after `adb kill-server`",
    )


def emulator() -> Iterator[Finding]:
    from .apps.emulator import find_emulator, known_avds

    try:
        binary = find_emulator()
    except UsageError:
        found = "no emulator command found; only needed for avd:NAME"
        yield Finding(
            "skip", "emulator", found, "install the Android SDK's emulator, or set ANDROID_HOME"
        )
        return
    if names := ", ".join(known_avds()):
        yield Finding("ok", "emulator", f"{binary}; virtual devices: {names}")
    else:
        found = f"{binary}, without any virtual device"
        yield Finding("skip", "emulator", found, "avdmanager create avd")


def allure() -> Iterator[Finding]:
    place = shutil.which("allure")
    if place:
        yield Finding("ok", "Allure", f"{place} shows what --alluredir wrote")
        return
    found = "no allure command found; only needed to look at what --alluredir wrote"
    yield Finding("skip", "Allure", found, "npm install -g allure")


def browser() -> Iterator[Finding]:
    yield Finding("ok", "Chromium", "not needed: reports are plain HTML files for any browser")


def leases() -> Iterator[Finding]:
    """A phone is used by one test at a time, in any process."""
    folder = lease_folder()  # its error says what to do
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        found = f"{folder} cannot be written: {error.strerror or error}"
        how = f"make it yours: chmod u+rwx {folder}; or name another by TMPDIR"
        yield Finding("fail", "leases", found, how)
        return
    yield Finding("ok", "leases", f"kept in {folder}")


PROGRAM_SECONDS = 5.0


def _adbs() -> list[str]:
    """Every adb that a command may start: first those of the PATH, then those of the SDK."""
    named = filter(None, map(os.environ.get, ("ANDROID_HOME", "ANDROID_SDK_ROOT")))
    folders = [
        *os.environ.get("PATH", "").split(os.pathsep),
        *(f"{sdk}/platform-tools" for sdk in named),
    ]
    places = (shutil.which("adb", path=folder) for folder in folders if folder)
    return list(dict.fromkeys(os.path.realpath(place) for place in places if place))


def said_by(*command: str) -> str:
    """Its output. Raises ``OSError`` if it does not start, ``TimeoutError`` if it does not end."""
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


def computer() -> Subject:
    """The checks of this computer."""
    checks = (
        Check("Python", _SECONDS, python),
        Check("pytest-replicant", _SECONDS, plugin),
        Check("libraries", 2 * _SECONDS, libraries),
        Check("adb", 2 * _SECONDS, adb),
        Check("emulator", _SECONDS, emulator),
        Check("Allure", _SECONDS, allure),
        Check("Chromium", _SECONDS, browser),
        Check("leases", _SECONDS, leases),
    )
    return Subject(GROUP, lambda: checks)


STATE_SECONDS = 15.0
WDA_SECONDS = 10.0
_GRACE = 2.0  # time for a check with a limit of its own to report that
_WHERE = (
    "name the port of WebDriverAgent, such as ios:http://127.0.0.1:8100; `iproxy 8100 8100` "
    "forwards it"
)


def phones(uris: Sequence[str], open_seconds: float) -> list[Subject]:
    """One subject for each phone; ``android`` is every phone that is attached."""
    texts: dict[str, None] = {}
    for given in uris:
        texts.update(dict.fromkeys((given.strip() == "android" and attached_phones()) or [given]))
    return [
        Subject(uri.masked, partial(_CHECKS[uri.kind], uri, open_seconds))
        for uri in map(read_uri, texts)
    ]


def attached_phones() -> list[str]:
    """Every phone that the adb server knows, in any state. None if no server answers: the check of
    the server reports that."""
    with suppress(DeviceError, UsageError):
        return [f"android:{phone.serial}" for phone in list_phones(*server_address(), LIST_SECONDS)]
    return []


def _custom(uri: DeviceUri, open_seconds: float) -> Iterator[Check]:
    """A driver of the project's own may know it, which only a test run loads. A URI with a scheme
    of ours is more likely misspelt."""
    if uri.is_virtual:
        yield from _virtual(uri, open_seconds)
        return
    text = "no URI of this plugin's own: only a test run loads the driver that knows it"
    found = Finding("skip", "driver", text)
    if any(uri.scheme == scheme.name for scheme in SCHEMES):
        advice = "correct it, unless a driver of the project's own knows it"
        found = Finding("warn", "driver", str(uri.error), advice)
    yield Check("driver", 1.0, lambda: [found])


def _virtual(uri: DeviceUri, open_seconds: float) -> Iterator[Check]:
    """Whether a virtual phone starts on this computer, and answers; the first, where the URI asks
    for several."""

    one = uri.members[0] if uri.count else uri

    def look() -> Iterator[Finding]:
        for finding in _opened(one, open_seconds, "screen"):
            if finding.name != "lease":
                yield finding

    yield Check("screen", open_seconds + _GRACE, look)


def _android(uri: DeviceUri, seconds: float) -> Iterator[Check]:
    """From its cable to the server that reads its screen: the later checks only if the earlier ones
    let them."""
    serial, state = "", dict[str, Status]()

    def server() -> tuple[str, int]:
        return (uri.host, uri.port) if uri.kind == "remote" else server_address()

    def connection() -> Iterator[Finding]:
        """Each way to have no such phone has an error of its own."""
        nonlocal serial
        host, port = server()
        try:
            phones = list_phones(host, port, LIST_SECONDS)
            serial = choose_phone(phones, uri.serial, f"the adb server at {host}:{port}").serial
        except (DeviceNotFound, DeviceOffline) as error:
            yield failed("connection", error)
            return
        yield Finding("ok", "connection", f"authorised and online at {host}:{port}")

    def state_of_it() -> Iterator[Finding]:
        from ..drivers import ask

        said = parts_of(ask(*server(), serial, FULL_QUESTION, STATE_SECONDS))
        for check in FULL_CHECKS:
            if (finding := check(said)) is not None:
                state[finding.name] = finding.status
                yield finding

    yield Check("connection", LIST_SECONDS + _GRACE, connection)
    if serial:
        yield Check("state", STATE_SECONDS + _GRACE, state_of_it)
    if state.get("boot", "fail") != "fail":
        dark = state.get("screen") == "warn"
        look = partial(_opened, uri, seconds, "uiautomator2", dark=dark)
        yield Check("uiautomator2", seconds + _GRACE, look)


def _iphone(uri: DeviceUri, seconds: float) -> Iterator[Check]:
    """Through its WebDriverAgent."""
    url, answers = uri.url, False
    assert url is not None

    def status() -> Iterator[Finding]:
        """Asked outside of any session: one that a test has is not ended by it."""
        from ..drivers import Link, Release, is_status

        nonlocal answers
        link = Link(url.text)
        try:
            with link.within(WDA_SECONDS):
                said = link.get_sessionless("status")
        except DeviceError as error:
            yield Finding("fail", "WebDriverAgent", error.detail or error.what, error.advice)
            return
        if not is_status(said):
            raise ProtocolError(f"what answers at {url.text} is no WebDriverAgent. Next: {_WHERE}")
        release, ios = Release.of(said), said["os"]["version"]
        if release.refusal:
            yield failed("WebDriverAgent", DeviceError(release.refusal))
            return
        answers = True
        version = f"version {release.reported}" if release.reported else "answers"
        yield Finding("ok", "WebDriverAgent", f"{version}, iOS {ios}")

    def in_session() -> Iterator[Finding]:
        """WebDriverAgent has one session, and a new one ends it: only if no other run holds the
        phone."""
        from ..drivers import Link

        lease = Lease(f"ios:{url.place}")
        try:
            lease.acquire()
        except DeviceBusy as busy:
            yield _held(busy)
            yield Finding("skip", "session", "not opened while another run uses the phone")
            return
        try:
            yield Finding("ok", "lease", "free")
            link = Link.connect(url.text, seconds)
            try:
                with link.within(seconds):
                    yield from _session(link)
            finally:
                link.close()
        finally:
            lease.release()

    yield Check("WebDriverAgent", WDA_SECONDS + _GRACE, status)
    if answers:
        yield Check("session", seconds + _GRACE, in_session)


def _session(link: Link) -> Iterator[Finding]:
    from ..drivers import Refused, read_facts, read_screen

    yield Finding("ok", "session", "opens")
    try:
        if link.get_sessionless("wda/locked") is True:
            how = "unlock it; Settings > Display > Auto-Lock > Never"
            yield Finding("fail", "lock", "the screen is locked", how)
        else:
            yield Finding("ok", "lock", "unlocked")
    except Refused:
        yield Finding("skip", "lock", "this WebDriverAgent is too old to say")
    try:
        text = " ".join(str(link.get("alert/text")).split())
        # A test run answers that of a permission, by ``replicant_permission_prompts``.
        found = f"one is in front: {text[:120]!r}"
        yield Finding("warn", "alert", found, "answer it on the phone")
    except Refused:
        yield Finding("ok", "alert", "none is in front")
    screen = read_screen(link)
    info = read_facts(link, screen)
    size = f"{info.width} x {info.height} pixels, {info.density:g} to a point"
    yield Finding("ok", "screen", f"{info.model}, {size}")


def _opened(uri: DeviceUri, seconds: float, name: str, *, dark: bool = False) -> Iterator[Finding]:
    """Opens the phone as a test would: leased, its server started, its screen read once; and closes
    it. Opens nothing that another run holds. A ``dark`` screen is not read, and left dark."""
    from .phone_settings import (
        put_back_left,
    )  # with the drivers: a command without a phone loads none

    began = time.monotonic()
    try:
        phone = open_device(uri, timeout=seconds)
    except DeviceBusy as busy:
        yield _held(busy)
        yield Finding("skip", name, "not looked at while another run uses the phone")
        return
    with phone:
        yield Finding("ok", "lease", "free")
        ready = time.monotonic() - began
        if left := ", ".join(put_back_left(phone.driver)):
            found = f"put back what a run that was killed had left changed: {left}"
            yield Finding("ok", "settings", found)
        text = f"ready in {ready:.1f} s"
        if dark:
            text += f"; held {phone.driver.orientation()}; its screen is off, so nothing was read"
        else:
            size = len(phone.driver.dump_hierarchy())
            took = time.monotonic() - began - ready
            text += f", then read the screen in {took:.1f} s ({size} bytes)"
    if name == "uiautomator2":
        text = f"{version_of(name)}: {text}"
    yield Finding("ok", name, text)


def _held(busy: DeviceBusy) -> Finding:
    """A phone that another run uses is no worse for it."""
    return Finding(
        "warn",
        "lease",
        busy.what,
        "wait for it: a test run does, as long as replicant_lease_timeout says",
    )


_CHECKS: Mapping[Kind, Callable[[DeviceUri, float], Iterable[Check]]] = {
    "virtual": _virtual,
    "attached": _android,
    "remote": _android,
    "wda": _iphone,
    "custom": _custom,
}
