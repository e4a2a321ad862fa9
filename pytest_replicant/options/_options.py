"""What the user asked for, read once into a frozen ``Options``."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest

from ..errors import UsageError
from ..model import compiled
from ._choices import (
    ANIMATIONS,
    APP_PERMISSIONS,
    CI,
    FINDINGS,
    PROMPTS,
    RECOVERIES,
    REQUEUES,
    RESETS,
    SCREENSHOTS,
    TRACES,
)

if TYPE_CHECKING:
    from ..model import PermissionPrompts, RecoveryMode
    from ._choices import Animations, AppPermissions, Ci, Finding, Requeue, Reset, Screenshots, Shard, Traces


@dataclass(frozen=True)
class Options:
    """What the user asked for. Durations are seconds.

    ``devices`` are as they were given until the run begins; then they are what its controller made of them, the
    same in each worker. ``app`` is an id or the path of a package. ``avds`` are emulators to boot.
    ``shared_phones`` are virtual ones that the controller has started for its workers: what was given, and one URI
    for each of them.
    """

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
    matrix: bool = False
    shard: Shard | None = None
    lease_timeout: float = 600
    requeue: Requeue = "on"
    animations: Animations = "off"
    app_permissions: AppPermissions = "grant"
    build: str | None = None
    build_timeout: float = 1800
    avds: tuple[str, ...] = ()
    avd_snapshot: str = ""
    avd_timeout: float = 300
    shared_phones: tuple[tuple[str, tuple[str, ...]], ...] = ()


def read(config: pytest.Config) -> Options:
    """Raises ``UsageError`` that names the key and what it takes."""
    devices = config.getoption("--replicant-device") or config.getini("replicant_devices") or ["virtual"]
    return Options(
        devices=tuple(devices),
        output=Path(config.rootpath, _given(config, "output")),
        trace=cast("Traces", _chosen(config, "trace", TRACES)),
        screenshot=cast("Screenshots", _chosen(config, "screenshot", SCREENSHOTS)),
        app=_given(config, "app") or None,
        action_timeout=_seconds(config, "replicant_action_timeout"),
        expect_timeout=_seconds(config, "replicant_expect_timeout"),
        device_timeout=_seconds(config, "replicant_device_timeout"),
        stabilize_window=_seconds(config, "replicant_stabilize_window"),
        stabilize_interval=_seconds(config, "replicant_stabilize_interval"),
        stabilize_quiet=_seconds(config, "replicant_stabilize_quiet"),
        unverified=cast("Finding", _choice(config, "replicant_unverified", FINDINGS)),
        vacuous=cast("Finding", _choice(config, "replicant_vacuous", FINDINGS)),
        crash=cast("Finding", _choice(config, "replicant_crash", FINDINGS)),
        recovery=cast("RecoveryMode", _chosen(config, "recovery", RECOVERIES)),
        permission_prompts=cast("PermissionPrompts", _choice(config, "replicant_permission_prompts", PROMPTS)),
        reset=cast("Reset", _choice(config, "replicant_reset", RESETS)),
        ci=cast("Ci", _choice(config, "replicant_ci", CI)),
        redact=tuple(_patterns(config)),
        max_artifacts_mb=_megabytes(config, "replicant_max_artifacts_mb"),
        baseline=_baseline(config),
        matrix=bool(config.getoption("--replicant-matrix")),
        shard=_shard(config),
        lease_timeout=_seconds(config, "replicant_lease_timeout"),
        requeue=cast("Requeue", _choice(config, "replicant_requeue", REQUEUES)),
        animations=cast("Animations", _choice(config, "replicant_animations", ANIMATIONS)),
        app_permissions=cast("AppPermissions", _choice(config, "replicant_app_permissions", APP_PERMISSIONS)),
        build=_given(config, "build").strip() or None,  # a variable of the CI system that is empty
        build_timeout=_seconds(config, "replicant_build_timeout"),
        avds=tuple(config.getoption("--replicant-avd") or ()),
        avd_snapshot=str(config.getini("replicant_avd_snapshot")),
        avd_timeout=_seconds(config, "replicant_avd_timeout"),
    )


def _shard(config: pytest.Config) -> Shard | None:
    given: str | None = config.getoption("--replicant-shard")
    if given is None:
        return None
    found = re.fullmatch(r"(\d{1,4})/(\d{1,4})", given)
    if found is None or not 1 <= int(found[1]) <= int(found[2]):
        raise UsageError(f"--replicant-shard={given}: give the part and how many there are, such as 2/3")
    return int(found[1]), int(found[2])


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
