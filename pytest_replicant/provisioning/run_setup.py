"""Setup of a run, once, before the first test and before any worker: build, emulators, app, shared phones.

``--replicant-build`` is the command that builds the app: its progress is shown on the terminal, and its failure.
"""

from __future__ import annotations

import re
import signal
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path, PurePath, PureWindowsPath
from typing import TYPE_CHECKING

import pytest

from ..clock import SystemClock
from ..errors import DeviceError, UsageError
from ..model import one_line, shortened
from ..stash import APP, BUILT, OPTIONS, RUN_ID, SECRETS

if TYPE_CHECKING:
    from ..apps import AppPackage, BuildResult
    from ..logs import BuildError
    from ..pool import DeviceUri


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


LOG = "build.log"
BUILD_SECONDS = 7200.0  # a build that hangs must end some time; `timeout 600 ./gradlew ...` ends it earlier


def build_app(config: pytest.Config) -> None:
    """Raises ``UsageError`` where the build fails: tests of an app that was not built would prove nothing."""
    options, redactor = config.stash[OPTIONS], config.stash[SECRETS]
    if options.build is None:
        return
    from ..apps import run_build

    progress = BuildProgress(config, redactor.text(options.build))
    log = options.output / config.stash[RUN_ID] / LOG
    try:
        result = run_build(
            options.build,
            config.rootpath,
            BUILD_SECONDS,
            progress.show,
            log,
            SystemClock(),
            redactor.text,
        )
    except OSError as error:
        raise UsageError(f"the build could not be started: {redactor.text(str(error))}") from None
    finally:
        progress.end()
    if not result.succeeded:
        raise UsageError(failure_text(result, config.rootpath, config.invocation_params.dir, BUILD_SECONDS))
    config.stash[BUILT] = f"{duration(result.seconds)}: {result.command}"
    progress.end(_success_text(result))


def _success_text(result: BuildResult) -> str:
    text = f"built in {duration(result.seconds)}"
    if result.summary.verdict == "failed":
        text += ", though its output ends with BUILD FAILED: does a pipe hide its exit code?"
    return text


EVERY = 10.0
"""Seconds from one line to the next if there is no terminal."""

_LIVE = 0.2
_LONGEST_TASK = 60


class BuildProgress:
    """Says nothing under ``-q``, nor where pytest has no terminal reporter."""

    def __init__(self, config: pytest.Config, command: str) -> None:
        self._config = config
        reporter = config.pluginmanager.getplugin("terminalreporter")
        self._terminal: pytest.TerminalReporter | None = reporter if config.option.verbose >= 0 else None
        self._live = self._terminal is not None and self._terminal.isatty
        self._shown_at = 0.0
        self._begun = False
        if not self._live:
            self._line(f"building: {one_line(command)}")

    def show(self, elapsed: float, task: str) -> None:
        if elapsed - self._shown_at < (_LIVE if self._live else EVERY):
            return
        self._shown_at = elapsed
        text = f"building {clock_face(elapsed)} {one_line(task, _LONGEST_TASK)}".rstrip()
        if self._live and self._terminal is not None:
            self._begun = True
            self._terminal.rewrite(
                shortened(text, max(self._config.get_terminal_writer().fullwidth - 2, 20)), erase=True
            )
            self._terminal.flush()
        else:
            self._line(text)

    def end(self, text: str = "") -> None:
        """The line that stays; without ``text`` nothing does."""
        if self._begun and self._terminal is not None:
            self._terminal.rewrite("", erase=True)
            self._terminal.rewrite("")
            self._begun = False
        if text:
            self._line(text)

    def _line(self, text: str) -> None:
        if self._terminal is not None:
            self._terminal.write_line(text)
            self._terminal.flush()


def clock_face(seconds: float) -> str:
    """``"0:42"``."""
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes}:{rest:02}"


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
    ("jvm", "heap|OutOfMemory|Metaspace|GC overhead", "give Gradle more memory: org.gradle.jvmargs"),
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
    """``root`` is where the build ran; files are named as seen from there. ``seen_from`` is where the reader
    is."""
    errors = result.summary.errors
    lines = [_headline(result, timeout)]
    lines += [f"  {_error_text(error, root)}" for error in errors[:MOST_ERRORS]]
    more = result.summary.error_count - len(errors[:MOST_ERRORS])
    if more > 0:
        lines.append(f"  and {more} more error{'' if more == 1 else 's'}")
    if not errors or result.exit_code is None:
        lines += ["  its last lines:"] if result.last_lines else ["  it printed nothing"]
        lines += [f"  | {_plain(line)}" for line in result.last_lines]
    lines += [f"  {line}" for line in (*_log_lines(result, seen_from), f"next: {_next_step(result, root)}")]
    return "\n".join(lines)


def _headline(result: BuildResult, timeout: float) -> str:
    command = one_line(result.command)
    task = result.summary.task
    if result.exit_code is None:
        doing = f", in {one_line(result.task)}" if result.task else ""
        return f"the build took longer than {duration(timeout)} and was stopped{doing}: {command}"
    place = f", in {one_line(task)}" if task else ""
    return f"the build failed: {command}\n  {_exit(result.exit_code)} after {duration(result.seconds)}{place}"


def _exit(code: int) -> str:
    if code in _NOT_FOUND:
        return f"exit code {code} (a command was not found)"
    if code == _NOT_EXECUTABLE:
        return f"exit code {code} (a command cannot be executed)"
    if code >= 0:
        return f"exit code {code}"
    try:
        return f"ended by {signal.Signals(-code).name}"
    except ValueError:
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


def _log_lines(result: BuildResult, seen_from: Path) -> Iterator[str]:
    if result.log.is_file():
        log = result.log
        yield f"full log: {log.relative_to(seen_from) if log.is_relative_to(seen_from) else log}"
    if result.log_trouble:
        yield f"not all of the log was kept: {_plain(result.log_trouble)}"


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
