"""What changes or starts a shell: export, cd, exit, exec, eval, sh, su, toybox, nohup …"""

from __future__ import annotations

import re

from ..call import OPTIONS, BadUsage, Call, CommandFailed, LoopLeft, ShellExit, short_options
from ..registry import table

_ASSIGNMENT = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)=(.*)", re.DOTALL)


async def _export(call: Call) -> int:
    for word in call.words:
        assigned = _ASSIGNMENT.fullmatch(word)
        if assigned:
            call.state.variables[assigned.group(1)] = assigned.group(2)
    return 0


async def _cd(call: Call) -> int:
    target = call.words[0] if call.words else "/"
    folder = call.phone.files.normalise(call.path(target))
    if not call.phone.files.exists(folder) or not call.phone.files.stat(folder).is_dir:
        raise CommandFailed(f"/system/bin/sh: cd: {folder}: No such file or directory", 2)
    call.state.folder = folder
    call.state.variables["PWD"] = folder
    return 0


async def _pwd(call: Call) -> int:
    await call.line(call.state.folder)
    return 0


async def _exit(call: Call) -> int:
    word = call.words[0] if call.words else str(call.state.status)
    raise ShellExit(int(word) & 0xFF if word.isdecimal() else 1)


async def _exec(call: Call) -> int:
    if call.words:
        raise ShellExit(await call.spawn(call.words, call.channels))
    return 0


async def _set(call: Call) -> int:
    """``set -e`` and ``set +e``; other words end the shell, as one unknown to it does."""
    flags = call.state.variables.get("-", "")
    for word in call.words:
        if word not in ("-e", "+e"):
            await call.error(f"/system/bin/sh: set: {word}: not known to the virtual phone's shell")
            raise ShellExit(1)
        flags = flags.replace("e", "") + ("e" if word == "-e" else "")
    call.state.variables["-"] = flags
    return 0


async def _leave_loop(call: Call) -> int:
    """``break`` and ``continue``."""
    if call.words:
        raise CommandFailed(f"/system/bin/sh: {call.name}: {call.words[0]}: bad option")
    if not call.state.loops:
        raise CommandFailed(f"/system/bin/sh: {call.name}: can't {call.name}", 0)
    raise LoopLeft(again=call.name == "continue")


async def _sh(call: Call) -> int:
    """``sh [-e] -c LINE``, ``sh FILE``, or a script on standard input."""
    options, words = short_options(call.words, "le", "c")
    if words[1:] or (words and "c" in options):
        raise CommandFailed(
            "/system/bin/sh: a script's arguments are not known to the virtual phone's shell"
        )
    line = options.get("c") or (await call.load(words[0] if words else "-")).decode(
        "utf-8", "surrogateescape"
    )
    kept = dict(call.state.variables)
    try:
        call.state.variables["-"] = OPTIONS + ("e" if "e" in options else "")
        return await call.subshell(line, call.channels)
    finally:
        call.state.variables.clear()
        call.state.variables.update(kept)


async def _prefix(call: Call) -> int:
    """``nohup X``, ``setsid X``, ``toybox X``."""
    if not call.words:
        raise BadUsage("Needs 1 argument")
    return await call.spawn(call.words, call.channels)


async def _sleep(call: Call) -> int:
    if not call.words:
        raise BadUsage("Needs 1 argument")
    await call.phone.pace.sleep(sum(seconds(word) for word in call.words))
    return 0


def seconds(word: str) -> float:
    """``1.5``, ``2s``, ``3m``, ``1h``. Raises ``CommandFailed``."""
    found = re.fullmatch(r"(\d+(?:\.\d*)?|\.\d+)([smhd]?)", word)
    if not found:
        raise CommandFailed(f"sleep: not integer: {word}")
    return float(found.group(1)) * {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400}[found.group(2)]


async def _true(call: Call) -> int:
    return 0


async def _false(call: Call) -> int:
    return 1


COMMANDS = {
    **table(
        "free",
        export=_export,
        cd=_cd,
        pwd=_pwd,
        exit_=_exit,
        set_=_set,
        break_=_leave_loop,
        continue_=_leave_loop,
        sleep=_sleep,
    ),
    **table("free", true=_true, false=_false),
    **table("through", exec_=_exec, sh=_sh, toybox=_prefix, nohup=_prefix, setsid=_prefix),
}
COMMANDS[":"] = COMMANDS["true"]
