"""What a command on the phone came to, beyond what it printed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ...logs import hints, parse

if TYPE_CHECKING:
    from ...drivers import ShellOutput


def told_output(command: str | Sequence[str], output: ShellOutput) -> ShellOutput:
    """With hints where it failed, and else with what it printed as values."""
    told = hints(command, output.stdout, output.stderr, output.exit_code)
    failed = output.exit_code != 0 or bool(told)
    return replace(output, hints=told, parsed=None if failed else parse(command, output.stdout))
