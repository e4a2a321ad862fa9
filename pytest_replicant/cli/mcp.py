"""``replicant mcp``: a server of the Model Context Protocol, for agents that do not use the command line."""

from __future__ import annotations

import argparse

from ..errors import how_to_install
from .process import Commands, command


def add_to(commands: Commands) -> None:
    command(
        commands,
        "mcp",
        run,
        "serve the commands of a session to an agent, over MCP",
        "Serves open, look, do, expect, save and the other commands of a session as tools of the "
        "Model Context Protocol, on standard input and output. Start it in the project's folder, where paths "
        "begin. Secrets are read from its environment, where a step says env=NAME. It ends once the client closes "
        f"standard input, and every phone is released. For its library, {how_to_install('mcp')}. "
        "Exit codes: 0 fine, 2 usage, 3 a phone was not released.",
    )


def run(arguments: argparse.Namespace) -> int:
    """Returns the exit code. Raises ``UsageError`` where the extra is not installed."""
    from ..exploring.mcp import serve

    return serve()
