"""What the user wrote: without a run of pytest, the ``replicant_...`` keys of a project's own
configuration file and its ``pythonpath``; and the words of the command line."""

from __future__ import annotations

import os
import shlex
import sys
from argparse import ArgumentParser
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..pytest_private import config_keys

if TYPE_CHECKING:
    import pytest

_FILES = (
    "pytest.toml",
    ".pytest.toml",
    "pytest.ini",
    ".pytest.ini",
    "pyproject.toml",
    "tox.ini",
    "setup.cfg",
)


def project_ini(folder: Path) -> dict[str, list[str]]:
    """The keys of the nearest configuration of pytest, in ``folder`` or above it, each as its
    lines. Empty if there is none, or where it cannot be read: pytest itself reports that best."""
    keys = nearest_configuration(folder)[1]
    return {key: _lines(value) for key, value in keys.items() if key.startswith("replicant_")}


def import_as_tests_do(folder: Path) -> None:
    """Puts the folders of ``pythonpath`` of that configuration before all others, and its own
    folder last."""
    place, keys = nearest_configuration(folder)
    value = keys.get("pythonpath", [])
    with suppress(ValueError):  # a quote without its end, which pytest reports
        words = value if isinstance(value, list) else shlex.split(str(value))
        paths = [str(place / path) for path in words]
        sys.path[:0] = [path for path in paths if path not in sys.path]
    if keys and str(place) not in sys.path:
        sys.path.append(str(place))


def nearest_configuration(folder: Path) -> tuple[Path, Mapping[str, Any]]:
    """Where the configuration of pytest is, in ``folder`` or above it, and its keys."""
    for place in (folder, *folder.parents):
        for name in _FILES:
            if (keys := config_keys(place / name)) is not None:
                return place, keys
    return folder, {}


def _lines(value: object) -> list[str]:
    lines = value if isinstance(value, list) else str(value).splitlines()
    return [text for line in lines if (text := str(line).strip())]


def given_on_the_command_line(config: pytest.Config, flag: str) -> list[str]:
    """What an option that may be repeated was given on the command line, else in PYTEST_ADDOPTS:
    those replace what ``addopts`` says, as they do for every other option."""
    parser = ArgumentParser(add_help=False, allow_abbrev=False, fromfile_prefix_chars="@")
    parser.add_argument(flag, action="append", default=[], dest="given")
    environment = shlex.split(os.environ.get("PYTEST_ADDOPTS", ""))
    for words in (map(str, config.invocation_params.args), environment):
        given: list[str] = parser.parse_known_args([*words])[0].given
        if given:
            return given
    return []
