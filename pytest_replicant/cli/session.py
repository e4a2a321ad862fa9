"""The help of a kept session's commands; the script ``replicant`` itself hands them to the session's process."""

from __future__ import annotations

import argparse
from typing import NoReturn

from ..errors import UsageError
from .process import Commands

_EPILOG = "Exit codes: 0 fine, 1 a failed step or check, 2 usage, 3 the phone."
_WHICH = "which session (default: $REPLICANT_SESSION, else that of this project)"


def add_to(commands: Commands) -> None:
    from ..exploring.given import add_arguments
    from ..exploring.table import COMMANDS, JSON

    for one in COMMANDS:
        parser = commands.add_parser(one.name, help=one.help, description=f"Session: {one.help}.", epilog=_EPILOG)
        add_arguments(parser, (*one.arguments, JSON))
        parser.add_argument("-s", "--session", metavar="NAME", help=_WHICH)
        parser.set_defaults(perform=run)


def run(arguments: argparse.Namespace) -> NoReturn:
    """Raises ``UsageError``: the light way was not taken."""
    raise UsageError("the commands of a session are run by replicant, or by python -m pytest_replicant.client")
