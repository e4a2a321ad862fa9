"""Setup of a run, once, before the first test and before any worker: build, emulators, app, shared
phones.

``--replicant-build`` is the command that builds the app: its progress is shown on the terminal, and
its failure. ``avd:NAME`` are emulators that are booted, used by the run, and stopped at its end.
"""

from __future__ import annotations

import re
import signal
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePath, PureWindowsPath
from typing import TYPE_CHECKING

import pytest

from ... import pool
from ...errors import DeviceBusy, DeviceError, UsageError
from ...model import SystemClock, one_line
from ..stash import APP, BUILT, OPTIONS, RUN_ID, SECRETS

if TYPE_CHECKING:
    from ...logs import BuildError
    from ...options.options import Options
    from ...pool import AppPackage, BootGate, BuildResult, DeviceUri, Emulator, Lease


def prepare_app(config: pytest.Config) -> None:
    """From here on ``Options.app`` is the app's id. A path of the option is relative to the folder
    where pytest was started, one of the ini key to the ini file's. Raises ``UsageError``."""
    given, folder = config.stash[OPTIONS].app, config.rootpath
    if config.getoption("--replicant-app") is not None:
        folder = config.invocation_params.dir
    if given is not None and pool.is_path(given, folder):
        package = pool.read_package(pool.find_file(given, folder))
        config.stash[APP] = package
        config.stash[OPTIONS] = replace(config.stash[OPTIONS], app=package.id)


def app_line(package: AppPackage) -> str:
    """For the head of a run."""
    name = package.path.name
    what = " ".join(filter(None, (package.label or package.id, package.version)))
    line = f"app under test: {what}, {name}"
    if package.platform == "android":
        return line
    how = (
        f"xcrun devicectl device install app --device UDID {name}, or ideviceinstaller install "
        f"{name}"
    )
    if package.path.suffix.lower() == ".app":
        how = f"xcrun simctl install booted {name}"
    return f"{line}; WebDriverAgent installs nothing, so that you do: {how}"


def share_phones(config: pytest.Config) -> None:
    """Starts them where there will be workers; without, the one process opens its own when a test
    asks."""
    if not config.pluginmanager.hasplugin("dsession"):
        return
    options = config.stash[OPTIONS]
    kinds = dict.fromkeys(options.devices)
    for uri in kinds:
        if uri.is_virtual and "apps" in uri.checked().knobs:
            pool.installed_apps(
                uri
            )  # so that an error in them is reported once, and not by each test
    for uri in kinds:
        if uri.count:
            close, uris = serve_phones(uri)
            config.add_cleanup(close)
            options = replace(options, shared_phones=(*options.shared_phones, (uri.text, uris)))
    config.stash[OPTIONS] = options


def serve_phones(uri: DeviceUri) -> tuple[Callable[[], None], tuple[str, ...]]:
    """Starts virtual phones that other processes can reach: what stops them, and the URI of
    each."""
    from ...virtual import start_server

    phones = [pool.virtual_phone(each) for each in uri.members]
    iphones = uri.platform == "ios"
    server = start_server(*phones, server=not iphones, wda=iphones)
    if iphones:
        return server.close, tuple(
            f"ios:http://{server.host}:{port}" for port in server.wda_ports.values()
        )
    return server.close, tuple(
        f"adb://{server.host}:{server.port}/{serial}" for serial in server.serials
    )


Report = Callable[[str], None]

LOG = "build.log"
BUILD_SECONDS = (
    7200.0  # a build that hangs must end some time; `timeout 600 ./gradlew ...` ends it earlier
)


def build_app(config: pytest.Config) -> None:
    """Raises ``UsageError`` if the build fails: tests of an app that was not built would prove
    nothing."""
    options, redactor = config.stash[OPTIONS], config.stash[SECRETS]
    if options.build is None:
        return
    report = _terminal(config)
    report(f"building: {one_line(redactor.text(options.build))}")
    log = options.output / config.stash[RUN_ID] / LOG
    try:
        result = pool.run_build(
            options.build,
            config.rootpath,
            BUILD_SECONDS,
            BuildProgress(report).show,
            log,
            SystemClock(),
            redactor.text,
        )
    except OSError as error:
        raise UsageError(f"the build could not be started: {redactor.text(str(error))}") from None
    if not result.succeeded:
        raise UsageError(
            failure_text(result, config.rootpath, config.invocation_params.dir, BUILD_SECONDS)
        )
    took = duration(result.seconds)
    config.stash[BUILT] = f"{took}: {result.command}"
    text = f"built in {took}"
    if result.summary.verdict == "failed":
        text += ", though its output ends with BUILD FAILED: does a pipe hide its exit code?"
    report(text)


EVERY = 10.0
"""Seconds from one line to the next."""

_LONGEST_TASK = 60


@dataclass
class BuildProgress:
    """A line in a while; none under ``-q``, nor where pytest has no terminal reporter."""

    report: Report
    _shown_at: float = 0.0

    def show(self, elapsed: float, task: str) -> None:
        if elapsed - self._shown_at >= EVERY:
            self._shown_at = elapsed
            minutes, seconds = divmod(int(elapsed), 60)
            doing = one_line(task, _LONGEST_TASK)
            self.report(f"building {minutes}:{seconds:02} {doing}".rstrip())


def duration(seconds: float) -> str:
    """``"42 s"``, ``"1 min 15 s"``."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


MOST_ERRORS = 5
_LONGEST = 300
_NOT_FOUND = (127, 9009)
_NOT_EXECUTABLE = 126
_EXECUTABLE = "make it executable: chmod +x, and git update-index --chmod=+x"

_ADVICE = (
    (
        "sdk",
        "SDK location not found|sdk.dir",
        "set ANDROID_HOME to the Android SDK, or sdk.dir in local.properties",
    ),
    ("sdk", "licen[cs]e", "accept the licences of the SDK: sdkmanager --licenses"),
    ("sdk", "", "install the missing part of the Android SDK with sdkmanager"),
    (
        "jvm",
        "heap|OutOfMemory|Metaspace|GC overhead",
        "give Gradle more memory: org.gradle.jvmargs",
    ),
    ("jvm", "daemon", "the Gradle daemon died, often for want of memory: org.gradle.jvmargs"),
    ("jvm", "", "set JAVA_HOME to a JDK that this version of Gradle can use"),
    ("command", "Permission denied", _EXECUTABLE),
    (
        "dependency",
        "",
        "check the name, the repositories and the network; Gradle's --offline is no help",
    ),
)


def failure_text(result: BuildResult, root: Path, seen_from: Path, timeout: float) -> str:
    """``root`` is where the build ran; files are named as seen from there. ``seen_from`` is where
    the reader is."""
    errors = result.summary.errors
    lines = [_headline(result, timeout)]
    lines += [f"  {_error_text(error, root)}" for error in errors[:MOST_ERRORS]]
    more = result.summary.error_count - len(errors[:MOST_ERRORS])
    if more > 0:
        lines.append(f"  and {more} more error{'' if more == 1 else 's'}")
    if not errors or result.exit_code is None:
        lines.append("  its last lines:" if result.last_lines else "  it printed nothing")
        lines += [f"  | {_plain(line)}" for line in result.last_lines]
    log = result.log
    if log.is_file():
        if log.is_relative_to(seen_from):
            log = log.relative_to(seen_from)
        lines.append(f"  full log: {log}")
    if result.log_trouble:
        lines.append(f"  not all of the log was kept: {_plain(result.log_trouble)}")
    lines.append(f"  next: {_next_step(result, root)}")
    return "\n".join(lines)


def _headline(result: BuildResult, timeout: float) -> str:
    command, late = one_line(result.command), result.exit_code is None
    task = one_line((result.task if late else result.summary.task) or "")
    place = f", in {task}" if task else ""
    if result.exit_code is None:
        return f"the build took longer than {duration(timeout)} and was stopped{place}: {command}"
    return (
        f"the build failed: {command}\n  {_exit(result.exit_code)} after "
        f"{duration(result.seconds)}{place}"
    )


def _exit(code: int) -> str:
    if code in _NOT_FOUND:
        return f"exit code {code} (a command was not found)"
    if code == _NOT_EXECUTABLE:
        return f"exit code {code} (a command cannot be executed)"
    if code >= 0:
        return f"exit code {code}"
    with suppress(ValueError):
        return f"ended by {signal.Signals(-code).name}"
    return f"ended by signal {-code}"


def _error_text(error: BuildError, root: Path) -> str:
    message = _plain(error.message)
    if error.file is None:
        return f"{error.kind}: {message}"
    numbers = [str(number) for number in (error.line, error.column) if number is not None]
    return f"{':'.join((_plain(as_in(error.file, root)), *numbers))}: {message}"


def as_in(file: str, root: Path) -> str:
    """A path as seen from the folder where the build ran; another one as it is."""
    path = PureWindowsPath(file) if "\\" in file else PurePath(file)
    for base in (root, root.resolve()):
        if not isinstance(path, PureWindowsPath) or isinstance(base, PureWindowsPath):
            try:
                return path.relative_to(base).as_posix()
            except ValueError:
                continue
    return path.as_posix()


def _next_step(result: BuildResult, root: Path) -> str:
    if result.exit_code is None:
        return "see what it waited for"
    for error in result.summary.errors[:1]:
        for kind, pattern, advice in _ADVICE:
            if error.kind == kind and re.search(pattern, error.message):
                return advice
    if result.exit_code in _NOT_FOUND:
        return f"check the command; it ran in {root}"
    if result.exit_code == _NOT_EXECUTABLE:
        return _EXECUTABLE
    if result.summary.errors:
        return "fix this and run pytest again; no test has run"
    look = "read the log, or run" if result.log.is_file() else "run"
    return f"{look} the command yourself in {root}; no test has run"


def _plain(text: str) -> str:
    """On one line, and nothing that a CI system would obey."""
    return one_line(text, _LONGEST).replace("##[", "## [")


_LEASE_POLL = 0.5
_SILENT_SECONDS = 15.0  # after which an emulator that makes no progress is reported again


def boot_emulators(config: pytest.Config) -> None:
    """The run's phones are then the emulators, added to the other phones that were named."""
    options = config.stash[OPTIONS]
    if not options.avds:
        return
    serials = _Emulators(config, options).boot()
    devices = [*options.devices, *(pool.read_uri(f"android:{serial}") for serial in serials)]
    config.stash[OPTIONS] = replace(options, devices=tuple(dict.fromkeys(devices)), avds=())


class _Emulators:
    """The emulators of one run. Each is registered for the end of the run in the moment it is
    started or leased."""

    def __init__(self, config: pytest.Config, options: Options) -> None:
        self._config = config
        self._options = options
        self._clock = SystemClock()
        self._report = _terminal(config)
        self._mine: list[Emulator] = []
        self._folder = options.output / config.stash[RUN_ID]

    def boot(self) -> list[str]:
        """Starts all, then waits for all; the serials, in the order of the names."""
        avds, snapshot = self._options.avds, self._options.avd_snapshot
        if len({*avds}) < len(avds):
            raise UsageError(f"avd:{', avd:'.join(avds)}: one AVD is one phone; name each once")
        if snapshot:
            pool.snapshot_name(snapshot)
        host, port = pool.server_address()
        if not pool.is_this_computer(host):
            raise UsageError(
                "avd:NAME: an emulator is started on this computer and known to its adb server "
                f"alone, and ANDROID_ADB_SERVER_ADDRESS names {host}. Next: start it there, and "
                "--replicant-device=android:SERIAL"
            )
        pool.list_phones(host, port)  # raises where none listens, before anything is started
        binary = pool.find_emulator()
        known = pool.known_avds()
        for avd in avds:
            pool.check_avd(avd, known)
        leases = self._leases()
        phones = pool.list_phones(host, port)
        running = pool.running_avds(host, port, phones)
        gates = {}
        for avd in avds:
            alive: Callable[[], object] = bool
            serial = running.get(avd, "")
            if serial:
                leases[avd].release()
                self._report(f"{avd} runs already as {serial}: used as it is, and left running")
            else:
                emulator = self._started(binary, avd, [phone.serial for phone in phones])
                serial, alive = emulator.serial, emulator.check_alive
            gates[serial] = pool.BootGate(
                f"{avd} ({serial})", pool.AdbBooting(host, port, serial), alive
            )
        pool.pass_gates(
            list(gates.values()),
            self._options.avd_timeout,
            self._clock,
            _Progress(self._report).show,
        )
        self._check_snapshots()
        return list(gates)

    def _leases(self) -> dict[str, Lease]:
        """An AVD that another run of ours has started will be stopped by it: it is waited for. In
        one order, so that two runs never wait for each other."""
        leases, seconds = {}, self._options.lease_timeout
        for avd in sorted(self._options.avds):
            lease = leases[avd] = pool.Lease(f"avd:{pool.avd_home() / avd}")
            deadline, reported = self._clock.now() + seconds, False
            while not lease.held:
                try:
                    self._config.add_cleanup(lease.acquire().release)
                except DeviceBusy as busy:
                    if self._clock.now() >= deadline:
                        raise DeviceBusy(
                            f"avd:{avd}: another run has started this AVD and will stop it, and "
                            f"did not end within replicant_lease_timeout = {seconds:g} s "
                            f"({busy.what}). Next: one AVD a run",
                            device=avd,
                        ) from None
                    if not reported:
                        self._report(f"{busy.what}: waiting for the end of that run")
                        reported = True
                    self._clock.sleep(_LEASE_POLL)
        return leases

    def _started(self, binary: Path, avd: str, known: Sequence[str]) -> Emulator:
        wish = pool.Wish(avd, self._options.avd_snapshot, pool.has_display())
        port = pool.choose_port(pool.lease_folder(), known)
        with pool.interrupt_held():
            emulator = pool.start_emulator(
                binary, wish, port, self._folder / f"emulator-{avd}.log", self._clock
            )
            self._config.add_cleanup(emulator.stop)
        self._report(f"{avd} starts as {emulator.serial}, log: {emulator.log}")
        self._mine.append(emulator)
        return emulator

    def _check_snapshots(self) -> None:
        """An emulator that has no such snapshot boots cold, without a word that anyone would
        read."""
        wanted = self._options.avd_snapshot
        for emulator in self._mine if wanted else ():
            found = emulator.console.ask("avd snapshot list").split()
            if wanted not in found:
                raise UsageError(
                    f"avd:{emulator.wish.avd}?snapshot={wanted}: it has no snapshot of that name, "
                    f"and so it booted cold. Next: `emulator -avd {emulator.wish.avd}`, and once "
                    f"it is as tests should find it `adb emu avd snapshot save {wanted}`. Its "
                    f"list:\n  {' '.join(found) or '(empty)'}"
                )


@dataclass
class _Progress:
    """A line for each step on the way, and one in a while if nothing moves."""

    report: Report
    _reported: dict[str, tuple[str, float]] = field(default_factory=dict)

    def show(self, gates: Sequence[BootGate], elapsed: float) -> None:
        for gate in gates:
            standing, since = self._reported.get(gate.name, ("", 0.0))
            if gate.standing != standing:
                self.report(f"{gate.name}: {gate.standing}, {elapsed:.0f} s")
            elif not gate.open and elapsed - since >= _SILENT_SECONDS:
                self.report(f"{gate.name}: {gate.standing}, {elapsed:.0f} s; {gate.last_seen}")
            else:
                continue
            self._reported[gate.name] = gate.standing, elapsed


def _terminal(config: pytest.Config) -> Report:
    """Prints a line of the run; nothing under ``-q``, nor where pytest has no terminal."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")

    def report(line: str) -> None:
        if reporter is not None and config.option.verbose >= 0:
            reporter.ensure_newline()
            reporter.write_line(f"replicant: {line}")
            reporter.flush()

    return report


Step = Callable[[pytest.Config], None]
"""Puts what it found into ``config.stash[OPTIONS]``, and what undoes it into
``config.add_cleanup``."""

STEPS: tuple[Step, ...] = (build_app, boot_emulators, prepare_app, share_phones)
_LISTING = ("collectonly", "setupplan", "showfixtures", "show_fixtures_per_test", "cacheshow")
"""Options with which pytest begins a session and runs no test."""


class RunSetup:
    """Registered on the controller, or on the only process."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionstart(self, session: pytest.Session) -> None:
        """Workers are started by a later hook. Where tests or fixtures are only listed, nothing is
        prepared."""
        if any(getattr(session.config.option, name, None) for name in _LISTING):
            return
        if session.config.stash[OPTIONS].replay:  # no phone needs an app
            return
        for step in STEPS:
            try:
                step(session.config)
            except (UsageError, DeviceError) as error:
                raise pytest.UsageError(f"replicant: {error}") from None
