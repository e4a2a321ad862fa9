"""What a command is to the shell."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Literal

from .call import Call

CommandFunction = Callable[[Call], Awaitable[int]]
PaceKind = Literal["free", "shell", "own", "through"]


@dataclass(frozen=True)
class Command:
    """``pace``: "free" for what costs nothing beyond one "shell" for the whole line, "shell" for
    what costs that every time, "own" for what takes the phone's time itself (a gesture, a dump …),
    "through" for what only runs another command."""

    name: str
    function: CommandFunction
    pace: PaceKind = "shell"


def table(pace: PaceKind, **functions: CommandFunction) -> dict[str, Command]:
    """Commands by name; ``_`` at the end of a name is for Python's keywords and is dropped."""
    return {
        name.rstrip("_").replace("__", "-"): Command(name.rstrip("_"), function, pace)
        for name, function in functions.items()
    }
