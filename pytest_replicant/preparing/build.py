"""The first step before a run: the command that builds the app."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import UsageError
from ..stash import BUILT, OPTIONS, RUN_ID, SECRETS
from .build_progress import BuildProgress, duration

if TYPE_CHECKING:
    import pytest

    from ..apps import BuildResult

LOG = "build.log"


def build(config: pytest.Config) -> None:
    """Raises ``UsageError`` where the build fails: tests of an app that was not built would prove nothing."""
    options = config.stash[OPTIONS]
    if options.build is None:
        return
    from ..apps import run_build
    from ..clock import SystemClock

    redactor = config.stash[SECRETS]
    progress = BuildProgress(config, redactor.text(options.build))
    log = options.output / config.stash[RUN_ID] / LOG
    try:
        result = run_build(
            options.build,
            config.rootpath,
            options.build_timeout,
            progress.tell,
            log,
            SystemClock(),
            redactor.text,
        )
    except OSError as error:
        raise UsageError(f"the build could not be started: {redactor.text(str(error))}") from None
    finally:
        progress.end()
    if not result.succeeded:
        from .build_failure import told_failure

        raise UsageError(
            told_failure(result, config.rootpath, config.invocation_params.dir, options.build_timeout)
        )
    config.stash[BUILT] = f"{duration(result.seconds)}: {result.command}"
    progress.end(_told_success(result))


def _told_success(result: BuildResult) -> str:
    told = f"built in {duration(result.seconds)}"
    if result.summary.verdict == "failed":
        told += ", though its output ends with BUILD FAILED: does a pipe hide its exit code?"
    return told
