"""``replicant completion``: what a shell completes after ``replicant``, as a script of that
shell."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator

from .process import command, option, print_text

SHELLS = ("bash", "zsh", "fish")


@command(
    "completion",
    "print what completes commands, options and files in your shell",
    "Prints a script for your shell. bash: replicant completion bash > "
    "~/.local/share/bash-completion/completions/replicant. zsh: replicant completion zsh > "
    '"${fpath[1]}/_replicant". fish: replicant completion fish > '
    "~/.config/fish/completions/replicant.fish. "
    "Exit codes: 0 fine, 2 usage, 3 it could not be printed.",
    option("shell", choices=SHELLS),
)
def run(arguments: argparse.Namespace) -> int:
    """Prints the script."""
    import shtab

    for action in _actions(arguments.parser):
        if re.search(r"FILE|FOLDER|DIR|PATH|REPORT|ZIP", str(action.metavar)):
            action.complete = shtab.FILE  # type: ignore[attr-defined]  # as shtab asks for it
    print_text(shtab.complete(arguments.parser, arguments.shell))
    return 0


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """Those of its commands too."""
    for action in parser._actions:
        yield action
        if isinstance(action, argparse._SubParsersAction):
            for each in action.choices.values():
                yield from _actions(each)
