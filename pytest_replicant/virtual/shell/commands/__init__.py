"""Every command of the phone's shell, one file per theme."""

from __future__ import annotations

from ..call import Call, CommandFailed
from ..registry import Command, table
from . import (
    activity,
    builtins,
    dumpsys,
    files,
    hardware,
    input,
    java,
    listing,
    locking,
    logcat,
    packages,
    printing,
    processes,
    screen,
    services,
    settings,
    text,
)

_THEMES = (
    builtins.COMMANDS,
    printing.COMMANDS,
    files.COMMANDS,
    listing.COMMANDS,
    locking.COMMANDS,
    text.COMMANDS,
    processes.COMMANDS,
    settings.COMMANDS,
    input.COMMANDS,
    screen.COMMANDS,
    activity.COMMANDS,
    packages.COMMANDS,
    dumpsys.COMMANDS,
    logcat.COMMANDS,
    services.COMMANDS,
    java.COMMANDS,
    hardware.COMMANDS,
)


async def _which(call: Call) -> int:
    """Where a command is, which is always the same place."""
    names = [word for word in call.words if not word.startswith("-")]
    if not names:
        raise CommandFailed(f"{call.name}: Needs 1 argument")
    for name in names:
        if name in COMMANDS:
            await call.line(f"/system/bin/{name}")
    return int(any(name not in COMMANDS for name in names))


COMMANDS: dict[str, Command] = {
    **{name: command for theme in _THEMES for name, command in theme.items()},
    **table("free", which=_which),
}
