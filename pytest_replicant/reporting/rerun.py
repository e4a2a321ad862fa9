"""The command that runs a test again, from the folder in which pytest was started."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..pool import DeviceUri, kind_of_phone
from .printable import printable, seen_from

if TYPE_CHECKING:
    import pytest

    from ..model import Redactor

LONGEST = 400
"""Characters of a node id that a command names; of one that is longer, all parameters are run."""


def rerun_command(config: pytest.Config, nodeid: str, redactor: Redactor, parameters: str = "") -> str:
    """``pytest 'tests/test_cart.py::test_total[a b]'``; "" where no command can be shown. ``parameters`` is the
    part of the id in brackets: where it has a secret, or what no terminal shows as it is, all of them are run."""
    file, separator, names = nodeid.partition("::")
    path = config.rootpath / file
    whole = f"{seen_from(path, config.invocation_params.dir) or path.as_posix()}{separator}{names}"
    for each in (whole, whole.removesuffix(f"[{parameters}]")):
        if len(each) <= LONGEST and each == printable(each, LONGEST) == redactor.text(each):
            return f"pytest {shlex.quote(f'./{each}' if each.startswith('-') else each)}"
    return ""


def runs_all_parameters(command: str, nodeid: str) -> bool:
    """Whether the command runs the test with all its parameters, though one of them failed."""
    return nodeid.endswith("]") and bool(command) and "]'" not in command


def with_phones(
    command: str, given: Sequence[str], phone: str, *, matrix: bool = False, further: Sequence[str] = ()
) -> str:
    """The command with the phone of the test, as the user named it: ``given`` are the phones of the command line,
    none where they are the project's own. Under ``matrix`` the id of a test depends on all of them. ``further``
    are other words of that command line."""
    named = given if matrix or len(given) < 2 else _those_of(phone, given)
    words = [f"--replicant-device={DeviceUri(each, 'custom').masked}" for each in named]
    words += ["--replicant-matrix"] if matrix and given else []
    return " ".join([command, *map(shlex.quote, (*words, *further))]) if command else ""


def _those_of(phone: str, given: Sequence[str]) -> Sequence[str]:
    """The longest name that the phone's own begins with, else all of them."""
    fitting = [each for each in given if kind_of_phone(phone).startswith(each.partition("?")[0])]
    return sorted(fitting, key=len)[-1:] or given
