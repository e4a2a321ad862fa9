"""``replicant skill``: a page for coding agents on how to explore an app and save a test."""

from __future__ import annotations

import argparse
from pathlib import Path

from .process import Commands, command, print_text

PAGE = Path(__file__).parents[1] / "exploring" / "skill.md"


def add_to(commands: Commands) -> None:
    command(
        commands,
        "skill",
        run,
        "print a page for coding agents: how to explore an app, and save a test",
        "Prints a page for coding agents, in the form that folders of skills use: "
        "replicant skill > SKILL.md. Exit codes: 0 fine, 3 it could not be printed.",
    )


def run(arguments: argparse.Namespace) -> int:
    """Prints the page."""
    print_text(PAGE.read_text(encoding="utf-8").rstrip("\n"))
    return 0
