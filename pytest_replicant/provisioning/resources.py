"""Accounts and other resources of a run: their pool, the commands that make and remove them, and their names in
the report."""

from __future__ import annotations

import os
import shlex
import tempfile
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO

import pytest

from ..apps import ProcessTree
from ..clock import Clock, SystemClock, come_true
from ..errors import ResourceUnavailable, UsageError
from ..model import MASK, names_a_credential, one_line, without_values
from ..pool import ResourcePool
from ..stash import OPTIONS, REPLAYED_RESOURCES, RESOURCES, SECRETS, SESSIONS, note_wait

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
        options.resources, run, options.lease_timeout, str(config.rootpath), current_test, secrets.add
    )
    config.stash[RESOURCES] = pool
    config.add_cleanup(lambda: close_resources(pool))  # where an interrupt ends this fixture's teardown
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
    """Names the resources in use in the traces of the test so far, and adds ``waited`` seconds to its waits."""
    pool = item.config.stash.get(RESOURCES, None)
    note_wait(item, waited)
    if pool is not None and pool.held:
        for entry in item.stash.get(SESSIONS, []):
            names = ", ".join(map(str, pool.held))
            entry.recorder.device = {**entry.recorder.device, "resources": names}


def run_command(
    words: Sequence[str], folder: Path, timeout: float, clock: Clock, redact: Callable[[str], str] = str
) -> str:
    """The standard output of a command, run in that folder without a shell.

    Raises ``UsageError`` if there is no such program. Raises ``ResourceUnavailable`` where it fails, takes
    longer than ``timeout`` seconds, or writes too much: all that it started is ended then."""
    shown = one_line(redact(shlex.join(_without_credentials(words))))
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:

        def written() -> int:
            return sum(os.fstat(file.fileno()).st_size for file in (output, errors))

        try:
            tree = ProcessTree([*words], output.fileno(), clock, folder, errors.fileno())
        except OSError as error:
            raise UsageError(
                f"{shown}: {error.strerror or error}. Next: correct the command in replicant_resources; it runs "
                f"in {folder}, without a shell"
            ) from None
        with tree:
            ended = come_true(
                clock, lambda: tree.exit_code() is not None or written() > MOST_OUTPUT, timeout, _INTERVAL
            )
        if tree.exit_code() is None:
            tree.end()
        if not ended or written() > MOST_OUTPUT:
            what = f"wrote more than {MOST_OUTPUT} bytes" if ended else f"took longer than {timeout:g} s"
            raise ResourceUnavailable(f"{shown} {what}, and was ended")
        if tree.exit_code():
            said = one_line(redact(without_values(_last_line(errors) or "it said nothing")))
            raise ResourceUnavailable(f"{shown} ended with exit code {tree.exit_code()}: {said}")
        return _text(output)


def _without_credentials(words: Sequence[str]) -> Iterator[str]:
    """As in ``--token=VALUE`` and ``--token VALUE``."""
    follows = False
    for word in words:
        name, equals, _ = word.partition("=")
        credential = " " not in name and names_a_credential(name)
        yield MASK if follows else f"{name}={MASK}" if credential and equals else without_values(word)
        follows = credential and not equals and name.startswith("-")


def _last_line(file: IO[bytes]) -> str:
    return next((line for line in reversed(_text(file).splitlines()) if line.strip()), "")


def _text(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read(MOST_OUTPUT).decode("utf-8", "replace")
