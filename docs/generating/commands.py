"""``docs/reference/session-commands.md``, from the table that the command line and MCP are made
of."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_replicant.exploring.table import COMMANDS, Argument, Command
from pytest_replicant.model import TABLE

from .wording import cell

HEAD = """\
# Every command of a session

[Explore and save](../how-to/explore-and-save.md) says how they go together. All take `--json`, which prints one
object of the schema `replicant.session/1`, and `-s NAME`, which says which session. Exit codes: 0 fine, 1 a failed
step or check, 2 usage, 3 the phone.

| command | does |
|---|---|
"""
STEPS = """
## Steps

| kind | calls |
|---|---|
"""


def page() -> str:
    """The whole text."""
    rows = [f"| [`{one.name}`](#{one.name}) | {cell(one.help)} |" for one in COMMANDS]
    steps = [f"| {kind}s | {', '.join(_steps(kind))} |" for kind in ("action", "wait", "check")]
    parts = [HEAD + "\n".join(rows), *(_command(one) for one in COMMANDS), STEPS + "\n".join(steps)]
    return "\n".join(parts) + "\n"


def _steps(kind: str) -> Iterator[str]:
    return (f"`{one.name}`" for one in TABLE if one.kind == kind and one.words is not None)


def _command(one: Command) -> str:
    return "\n".join(["", f"## {one.name}", "", *_arguments(one)])


def _arguments(one: Command) -> Iterator[str]:
    if not one.arguments:
        yield "No arguments."
        return
    yield from ("| argument | |", "|---|---|")
    yield from (f"| `{_name(each)}` | {cell(each.help)} |" for each in one.arguments)


def _name(one: Argument) -> str:
    if one.positional:
        word = one.name.removesuffix("s").upper() + (" ..." if one.kind == "texts" else "")
        return word if one.required else f"[{word}]"
    value = {"flag": "", "number": " N"}.get(one.kind, " TEXT")
    return f"--{one.name.replace('_', '-')}{value}"
