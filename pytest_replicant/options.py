"""Command line and ini, registered in one place and read once into a frozen ``Options``.

Every key is registered whether a phone is used or not: under pytest's strict mode an unknown one is an error.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, cast, get_args

import pytest

from .errors import UsageError
from .model.recovery import PermissionPrompts, RecoveryMode
from .model.redact_pattern import compiled

Finding = Literal["ignore", "warn", "fail"]
Screenshots = Literal["on", "off", "only-on-failure"]
Traces = Literal["on", "off", "retain-on-failure"]
Reset = Literal["none", "stop", "clear"]
Ci = Literal["auto", "off"]

_FINDINGS = ("ignore", "warn", "fail")
_TRACES = get_args(Traces)
_SCREENSHOTS = get_args(Screenshots)
_RECOVERIES = ("off", "report", "allow", "fail")

_INI: dict[str, tuple[str, str]] = {
    "replicant_action_timeout": ("5", "seconds until an action's target must be actionable"),
    "replicant_expect_timeout": ("5", "seconds until a check must hold"),
    "replicant_device_timeout": ("60", "seconds until a phone must be ready"),
    "replicant_stabilize_window": ("1.0", "seconds within which two reads of the screen should agree"),
    "replicant_stabilize_interval": ("0.15", "seconds from one read's request to the next"),
    "replicant_stabilize_quiet": ("0.3", "seconds for which a screen that shows no change is watched"),
    "replicant_app": ("", "the app that launch() starts when it is given none"),
    "replicant_unverified": ("warn", "a test that ends on an action nobody checked: ignore, warn or fail"),
    "replicant_vacuous": ("warn", "a check that already held before its action: ignore, warn or fail"),
    "replicant_crash": ("fail", "a crash of an app that the test launched: fail, warn or ignore"),
    "replicant_permission_prompts": (
        "deny",
        "how recovery answers a permission prompt that is in the way: deny, allow or leave",
    ),
    "replicant_ci": ("auto", "tell a CI system that is found about the run, in its own words: auto or off"),
    "replicant_reset": ("stop", "what happens to launched apps after a test: none, stop or clear"),
    "replicant_output": ("replicant-report", "where traces and reports go; --replicant-output wins"),
    "replicant_trace": ("on", "traces are kept: on, off or retain-on-failure; --replicant-trace wins"),
    "replicant_screenshot": ("on", "pictures are kept: on, off or only-on-failure; --replicant-screenshot wins"),
    "replicant_recovery": ("allow", "off, report, allow or fail; --replicant-recovery wins"),
    "replicant_max_artifacts_mb": ("2048", "megabytes that the files of one run may take; 0 is no bound"),
}


@dataclass(frozen=True)
class Options:
    """What the user asked for. Durations are seconds."""

    devices: tuple[str, ...]
    output: Path
    trace: Traces
    screenshot: Screenshots
    app: str | None
    action_timeout: float
    expect_timeout: float
    device_timeout: float
    stabilize_window: float
    stabilize_interval: float
    stabilize_quiet: float
    unverified: Finding
    vacuous: Finding
    crash: Finding
    recovery: RecoveryMode
    permission_prompts: PermissionPrompts
    reset: Reset
    ci: Ci
    redact: tuple[re.Pattern[str], ...] = ()
    max_artifacts_mb: float = 2048
    baseline: Path | None = None


def register(parser: pytest.Parser) -> None:
    """Declares every option and ini key."""
    _register_options(parser.getgroup("replicant", "mobile tests (pytest-replicant)"))
    parser.addini("replicant_devices", "phones, one URI a line; --replicant-device wins", type="linelist")
    parser.addini(
        "replicant_redact",
        "regular expressions, one a line: what they match is in no report, as if it were a Secret",
        type="linelist",
    )
    for name, (default, text) in _INI.items():
        parser.addini(name, text, default=default)


def _register_options(group: pytest.OptionGroup) -> None:
    group.addoption(
        "--replicant-device",
        action="append",
        metavar="URI",
        default=None,
        help="which phone: virtual (default), android, android:SERIAL, adb://HOST:PORT/SERIAL; virtual:ios; "
        "ios:URL with the URL of an iPhone's WebDriverAgent, such as ios:http://127.0.0.1:8100; "
        "repeat it for tests that use several",
    )
    group.addoption(
        "--replicant-output",
        metavar="DIR",
        default=None,
        help="where traces and reports go (default: replicant-report)",
    )
    group.addoption(
        "--replicant-trace",
        choices=_TRACES,
        default=None,
        help="keep the trace of every test, of none, or of those that fail or were recovered (default: on)",
    )
    group.addoption(
        "--replicant-screenshot",
        choices=_SCREENSHOTS,
        default=None,
        help="keep screenshots of every test, of none, or of those that fail or were recovered (default: on)",
    )
    group.addoption(
        "--replicant-recovery",
        choices=_RECOVERIES,
        default=None,
        help="what becomes of a failure that a policy can mend: it stands (off), stands and the trace says what "
        "would have been done (report), the test goes on and ends as recovered (allow), or goes on and fails all "
        "the same (fail); default: allow",
    )
    group.addoption(
        "--replicant-baseline",
        metavar="DIR",
        default=None,
        help="reports of earlier runs, such as a downloaded artifact: a failure is compared with the last pass of "
        "its test in there (default: with the pass that pytest's cache holds)",
    )


def read(config: pytest.Config) -> Options:
    """Raises ``UsageError`` that names the key and what it takes."""
    devices = config.getoption("--replicant-device") or config.getini("replicant_devices") or ["virtual"]
    return Options(
        devices=tuple(devices),
        output=Path(config.rootpath, _given(config, "output")),
        trace=cast("Traces", _chosen(config, "trace", _TRACES)),
        screenshot=cast("Screenshots", _chosen(config, "screenshot", _SCREENSHOTS)),
        app=str(config.getini("replicant_app")) or None,
        action_timeout=_seconds(config, "replicant_action_timeout"),
        expect_timeout=_seconds(config, "replicant_expect_timeout"),
        device_timeout=_seconds(config, "replicant_device_timeout"),
        stabilize_window=_seconds(config, "replicant_stabilize_window"),
        stabilize_interval=_seconds(config, "replicant_stabilize_interval"),
        stabilize_quiet=_seconds(config, "replicant_stabilize_quiet"),
        unverified=cast("Finding", _choice(config, "replicant_unverified", _FINDINGS)),
        vacuous=cast("Finding", _choice(config, "replicant_vacuous", _FINDINGS)),
        crash=cast("Finding", _choice(config, "replicant_crash", _FINDINGS)),
        recovery=cast("RecoveryMode", _chosen(config, "recovery", _RECOVERIES)),
        permission_prompts=cast(
            "PermissionPrompts", _choice(config, "replicant_permission_prompts", ("deny", "allow", "leave"))
        ),
        reset=cast("Reset", _choice(config, "replicant_reset", ("none", "stop", "clear"))),
        ci=cast("Ci", _choice(config, "replicant_ci", ("auto", "off"))),
        redact=tuple(_patterns(config)),
        max_artifacts_mb=_megabytes(config, "replicant_max_artifacts_mb"),
        baseline=_baseline(config),
    )


def _baseline(config: pytest.Config) -> Path | None:
    """That it is missing is told where a pass would have been looked for: the first run of all has none."""
    given: str | None = config.getoption("--replicant-baseline")
    return Path(config.rootpath, given) if given else None


def _given(config: pytest.Config, name: str) -> str:
    """The option, or the ini key of the same name where the option was not given."""
    option: str | None = config.getoption(f"--replicant-{name}")
    return option if option is not None else str(config.getini(f"replicant_{name}"))


def _chosen(config: pytest.Config, name: str, allowed: tuple[str, ...]) -> str:
    given = config.getoption(f"--replicant-{name}")
    return given if given is not None else _choice(config, f"replicant_{name}", allowed)


def _patterns(config: pytest.Config) -> Iterator[re.Pattern[str]]:
    for source in config.getini("replicant_redact"):
        try:
            yield compiled(source)
        except ValueError as error:
            raise UsageError(f"replicant_redact: {source}: {error}") from None


def _megabytes(config: pytest.Config, name: str) -> float:
    text = str(config.getini(name))
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < math.inf:
        raise UsageError(f"{name} = {text}: give megabytes, or 0 for no bound")
    return value


def _seconds(config: pytest.Config, name: str) -> float:
    text = str(config.getini(name))
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 3600:
        raise UsageError(f"{name} = {text}: give seconds from 0 to 3600")
    return value


def _choice(config: pytest.Config, name: str, allowed: tuple[str, ...]) -> str:
    value = str(config.getini(name))
    if value not in allowed:
        raise UsageError(f"{name} = {value}: give one of {', '.join(allowed)}")
    return value
