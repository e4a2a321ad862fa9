"""The pools of a run. Of phones: the preparation of each one that is opened (fit for tests, its
settings, the app on it), and its reset after a test: nothing that the test started or set reaches
the next one. Of accounts and other resources: the commands that make and remove them, and their
names in the report.
"""

from __future__ import annotations

import os
import re
import shlex
import tempfile
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import IO, Any, Protocol, cast, runtime_checkable

import pytest

from ...drivers import Capability, Driver, phone_name
from ...errors import ResourceUnavailable, UsageError
from ...model import (
    MASK,
    Clock,
    SystemClock,
    come_true,
    names_a_credential,
    one_line,
    without_values,
)
from ...options.options import Options, Reset
from ...pool import (
    AppPackage,
    Console,
    DevicePool,
    DeviceUri,
    OpenDevice,
    Opened,
    ProcessTree,
    Quarantine,
    ResourcePool,
    console_port,
    ensure_installed,
    is_this_computer,
    make_ready,
    open_device,
    read_uri,
    snapshot_name,
)
from ..stash import (
    APP,
    OPTIONS,
    REPLAYED_PHONES,
    REPLAYED_RESOURCES,
    RESOURCES,
    RUN_ID,
    SECRETS,
    SESSIONS,
    note_wait,
)


def _shared(given: str, uris: Sequence[str]) -> tuple[DeviceUri, ...]:
    """The phones that were opened for one URI of the options, each as the member that it is."""
    members = read_uri(given).members
    return tuple(replace(read_uri(own), alias=one) for own, one in zip(uris, members, strict=True))


def phones_of(config: pytest.Config) -> DevicePool:
    """The pool of a run; no phone is opened yet."""
    if REPLAYED_PHONES in config.stash:
        return config.stash[REPLAYED_PHONES]
    options = config.stash[OPTIONS]
    platforms = {uri.platform for uri in options.devices}
    app = (
        options.app if len(platforms) == 1 else None
    )  # an app has another id on the other platform
    preparation = PhonePreparation(config.stash.get(APP, None), options.prepare, app)

    numbers = _numbers(config)
    shared = {given: _shared(given, uris) for given, uris in options.shared_phones}

    def seconds(timeout: float | None) -> float:
        return options.device_timeout if timeout is None else timeout

    def open_phone(uri: DeviceUri, timeout: float | None) -> Opened:
        driver: Driver | None = config.hook.pytest_replicant_driver(uri=uri.text, config=config)
        if driver is None:
            named = uri.numbered(next(numbers)) if uri.is_virtual and uri.is_unlimited else uri
            return open_device(named, timeout=seconds(timeout))
        opened = OpenDevice(driver)
        opened.on_close(driver.close)
        return opened

    def prepare_phone(opened: Opened, timeout: float | None) -> None:
        device = cast("OpenDevice", opened)
        preparation.prepare(device, seconds(timeout) if device.address[0] else None)

    return DevicePool(
        options.devices,
        open_phone,
        options.lease_timeout,
        prepare_phone,
        shared,
        quarantined=Quarantine(config.stash[RUN_ID]),
    )


def _numbers(config: pytest.Config) -> Iterator[int]:
    """For virtual phones that have none: no two in a run have one. Each worker leaves out those of
    the others."""
    given: Mapping[str, Any] = getattr(config, "workerinput", {})
    worker = re.sub(
        r"\D", "", str(given.get("workerid", ""))
    )  # of "gw1"; an id may be the user's own
    counted = max((uri.count or 0 for uri in config.stash[OPTIONS].devices), default=0)
    return count(counted + int(worker or 0) + 1, given.get("workercount", 1))


@runtime_checkable
class KeepsGranted(Protocol):
    """A driver that grants an app all its permissions, and again whenever its data are cleared."""

    def keep_granted(self, app: str) -> None: ...


@dataclass
class PhonePreparation:
    """For one process. ``changes`` are those of ``replicant_prepare``. A package that a phone
    refused once is not sent to it again. An ``app`` without a package has to be installed
    already."""

    package: AppPackage | None
    changes: Collection[str]
    app: str | None = None
    _checked: set[str] = field(default_factory=set)
    _refused: dict[str, UsageError] = field(default_factory=dict)

    def prepare(self, opened: OpenDevice, timeout: float | None = None) -> None:
        """Warns of what may trouble the tests; with ``timeout``, it is made fit for them within so
        many seconds. Raises ``UsageError`` for a package that the phone cannot take and for an app
        that it does not have, ``DeviceError`` where the phone is in trouble; the phone is closed
        then."""
        try:
            for finding in make_ready(opened.driver, timeout) if timeout is not None else ():
                _warn(opened.driver, finding)
            if opened.driver.uri in self._refused:
                raise self._refused[opened.driver.uri]
            if trouble := opened.use_settings(self.changes):
                _warn(opened.driver, trouble)
            self._install(opened.driver)
        except BaseException:
            opened.close()
            raise

    def _install(self, driver: Driver) -> None:
        package, uri = self.package, driver.uri
        try:
            if package is None:
                self._check_app(driver)
                return
            ensure_installed(driver, package)
        except UsageError as error:
            self._refused[uri] = error
            raise
        grants = "permissions" in self.changes
        if grants and driver.info.platform == package.platform and isinstance(driver, KeepsGranted):
            driver.keep_granted(package.id)

    def _check_app(self, driver: Driver) -> None:
        """Once a phone: a test may uninstall the app. Tests that launch it by name would pass with
        any id."""
        app = self.app
        if (
            app is None
            or driver.uri in self._checked
            or Capability.INSTALL not in driver.capabilities
        ):
            return
        self._checked.add(driver.uri)
        if driver.installed(app):
            return
        try:
            driver.stop(app)  # nothing to stop: its error names the installed apps that come near
        except UsageError as error:
            raise UsageError(
                f"replicant_app: {error} Or give the path of its package: the run installs it."
            ) from None


def _warn(driver: Driver, finding: object) -> None:
    warnings.warn(pytest.PytestWarning(f"{phone_name(driver)}: {finding}"), stacklevel=3)


def check_reset(opened: Opened, marked: Reset | None, options: Options) -> None:
    """Before the test rather than after each: with what it leaves behind, the next one would prove
    less. Raises ``UsageError`` where the phone cannot be reset as it is ``marked``, or as the run
    asks for."""
    reset = marked or options.reset
    if reset == "snapshot":
        if not options.avd_snapshot:
            raise UsageError(
                "reset by snapshot: which one is not said. Next: "
                "--replicant-device=avd:NAME?snapshot=SNAPSHOT"
            )
        snapshot_name(options.avd_snapshot)
        _place(opened)
    if reset == "clear" and Capability.CLEAR_DATA not in opened.driver.capabilities:
        asked, instead = "replicant_reset = clear", "-o replicant_reset=stop for this run"
        if marked is not None:
            asked, instead = 'marker replicant(reset="clear")', 'reset="stop"'
        raise UsageError(
            f"{asked}: {phone_name(opened.driver)} cannot clear the data of an app. Next: "
            f"{instead}, and an app that begins afresh by a launch argument; or the marker "
            'needs=["clear_data"], which skips it here'
        )


def reset_phone(
    phones: DevicePool, opened: Opened, apps: Mapping[str, bool], reset: Reset, options: Options
) -> None:
    """``apps`` are those that the test launched, and the app under test, which may have been
    started in another way; False for one that it never named, which is stopped at most: its data
    may be the user's. An app that is not there any more needs nothing."""
    opened.driver.restore_settings()
    for app, named in apps.items():
        with suppress(UsageError):
            if reset == "clear" and named:
                opened.driver.clear_data(app)
            elif reset in ("stop", "clear"):
                opened.driver.stop(app)
    if reset == "snapshot":
        from ...pool import AdbBooting, BootGate, pass_gates

        # Everything that was installed, set and started since then is gone, the automation on the
        # phone included.
        host, port, console, serial = _place(opened)
        Console(console).load_snapshot(options.avd_snapshot)
        gate, setting = BootGate(serial, AdbBooting(host, port, serial)), "replicant_device_timeout"
        pass_gates([gate], options.device_timeout, SystemClock(), setting=setting)
        phones.drop(opened)  # the next test opens it again: nothing on it is as it was


def _place(opened: Opened) -> tuple[str, int, int, str]:
    """Host and port of its adb server, its console's port, its serial. Raises ``UsageError``."""
    serial = opened.driver.info.serial
    console = console_port(serial)
    host, port = cast("OpenDevice", opened).address
    if console is None or not is_this_computer(host):
        raise UsageError(
            f"reset by snapshot: {phone_name(opened.driver)} is no emulator of this computer, and "
            "only those have snapshots. Next: --replicant-device=avd:NAME, or another reset: "
            "none, stop or clear"
        )
    return host, port, console, serial


MOST_OUTPUT = 1_000_000
"""Bytes that a command may write."""
_INTERVAL = 0.02


def resources_of(config: pytest.Config) -> Iterator[ResourcePool]:
    """The pool of this process, and its end: what commands have made is removed, on Ctrl-C too."""
    if (replayed := config.stash.get(REPLAYED_RESOURCES, None)) is not None:
        yield replayed
        return
    options, secrets, clock = config.stash[OPTIONS], config.stash[SECRETS], SystemClock()

    def run(words: Sequence[str]) -> str:
        return run_command(words, config.rootpath, options.device_timeout, clock, secrets.text)

    pool = ResourcePool(
        options.resources,
        run,
        options.lease_timeout,
        str(config.rootpath),
        current_test,
        secrets.add,
    )
    config.stash[RESOURCES] = pool
    config.add_cleanup(
        lambda: close_resources(pool)
    )  # where an interrupt ends this fixture's teardown
    try:
        yield pool
    finally:
        close_resources(pool)


def close_resources(pool: ResourcePool) -> None:
    """Once, however often it is called."""
    try:
        pool.close()
    finally:
        left, pool.left = pool.left, []
        if left:
            warnings.warn(pytest.PytestWarning("\n".join(left)), stacklevel=2)


def current_test() -> str:
    """The worker and the test, as those who wait for its resources read it."""
    test = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" (")[0]
    return ", ".join(filter(None, (os.environ.get("PYTEST_XDIST_WORKER", ""), test)))


def note_resources(item: pytest.Item, waited: float = 0) -> None:
    """Names the resources in use in the traces of the test so far, and adds ``waited`` seconds to
    its waits."""
    pool = item.config.stash.get(RESOURCES, None)
    note_wait(item, waited)
    if pool is not None and pool.held:
        for entry in item.stash.get(SESSIONS, []):
            names = ", ".join(map(str, pool.held))
            entry.recorder.device = {**entry.recorder.device, "resources": names}


def run_command(
    words: Sequence[str],
    folder: Path,
    timeout: float,
    clock: Clock,
    redact: Callable[[str], str] = str,
) -> str:
    """The standard output of a command, run in that folder without a shell.

    Raises ``UsageError`` if there is no such program. Raises ``ResourceUnavailable`` if it fails,
    takes longer than ``timeout`` seconds, or writes too much: all that it started is ended then."""
    shown = one_line(redact(shlex.join(_without_credentials(words))))
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:

        def written() -> int:
            return sum(os.fstat(file.fileno()).st_size for file in (output, errors))

        try:
            tree = ProcessTree([*words], output.fileno(), clock, folder, errors.fileno())
        except OSError as error:
            raise UsageError(
                f"{shown}: {error.strerror or error}. Next: correct the command in "
                f"replicant_resources; it runs in {folder}, without a shell"
            ) from None
        with tree:
            ended = come_true(
                clock,
                lambda: tree.exit_code() is not None or written() > MOST_OUTPUT,
                timeout,
                _INTERVAL,
            )
        if tree.exit_code() is None:
            tree.end()
        if not ended or written() > MOST_OUTPUT:
            what = f"took longer than {timeout:g} s"
            if ended:
                what = f"wrote more than {MOST_OUTPUT} bytes"
            raise ResourceUnavailable(f"{shown} {what}, and was ended")
        if tree.exit_code():
            lines = ["it said nothing", *filter(str.strip, _text(errors).splitlines())]
            said = one_line(redact(without_values(lines[-1])))
            raise ResourceUnavailable(f"{shown} ended with exit code {tree.exit_code()}: {said}")
        return _text(output)


def _without_credentials(words: Sequence[str]) -> Iterator[str]:
    """As in ``--token=VALUE`` and ``--token VALUE``."""
    follows = False
    for word in words:
        name, equals, _ = word.partition("=")
        credential = " " not in name and names_a_credential(name)
        if follows:
            yield MASK
        elif credential and equals:
            yield f"{name}={MASK}"
        else:
            yield without_values(word)
        follows = credential and not equals and name.startswith("-")


def _text(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read(MOST_OUTPUT).decode("utf-8", "replace")
