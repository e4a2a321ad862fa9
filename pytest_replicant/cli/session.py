"""The help of a kept session's commands, which the script ``replicant`` itself hands to the
session's process; the page on them for coding agents, ``replicant skill``; and ``replicant mcp``,
for agents that do not use the command line."""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path
from typing import NoReturn

from ..errors import UsageError, how_to_install
from ..exploring.given import add_arguments
from ..exploring.table import COMMANDS, JSON
from .process import Command, Commands, command, option, print_text

PAGE = Path(__file__).parents[1] / "exploring" / "skill.md"


def add_to(commands: Commands) -> None:
    named = option(
        "-s",
        "--session",
        metavar="NAME",
        help="which session (default: $REPLICANT_SESSION, else that of this project)",
    )
    for one in COMMANDS:
        arguments = partial(add_arguments, arguments=(*one.arguments, JSON))
        its = Command(one.name, one.help, f"Session: {one.help}.", (arguments, named), run)
        its.add_to(
            commands
        ).epilog = "Exit codes: 0 fine, 1 a failed step or check, 2 usage, 3 the phone."
    for its in (_print_page, _serve):
        its.add_to(commands)


def run(arguments: argparse.Namespace) -> NoReturn:
    """Raises ``UsageError``: the light way was not taken."""
    raise UsageError(
        "the commands of a session are run by replicant, or by python -m pytest_replicant.client"
    )


@command(
    "skill",
    "print a page for coding agents: how to explore an app, and save a test",
    "Prints a page for coding agents, in the form that folders of skills use: "
    "replicant skill > SKILL.md. Exit codes: 0 fine, 3 it could not be printed.",
)
def _print_page(arguments: argparse.Namespace) -> int:
    """Prints the page."""
    print_text(PAGE.read_text(encoding="utf-8").rstrip("\n"))
    return 0


@command(
    "mcp",
    "serve the commands of a session to an agent, over MCP",
    "Serves open, look, do, expect, save and the other commands of a session as tools of the "
    "Model Context Protocol, on standard input and output. Start it in the project's folder, "
    "where paths begin. Secrets are read from its environment, where a step says env=NAME. It "
    "ends once the client closes standard input, and every phone is released. For its library, "
    f"{how_to_install('mcp')}. Exit codes: 0 fine, 2 usage, 3 a phone was not released.",
)
def _serve(arguments: argparse.Namespace) -> int:
    """Returns the exit code. Raises ``UsageError`` if the extra is not installed."""
    from ..exploring.mcp import serve

    return serve()
