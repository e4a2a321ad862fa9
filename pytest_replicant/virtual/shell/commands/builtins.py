"""What changes or starts a shell: export, cd, exit, exec, eval, sh, su, toybox, nohup …"""

from __future__ import annotations

import asyncio
import re

from ...jobs import finished
from ..call import Call, CommandFailed, ShellExit
from ..registry import table

_ASSIGNMENT = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)=(.*)", re.DOTALL)


async def _export(call: Call) -> int:
    for word in call.words:
        assigned = _ASSIGNMENT.fullmatch(word)
        if assigned:
            call.state.variables[assigned.group(1)] = assigned.group(2)
    return 0


async def _unset(call: Call) -> int:
    for word in call.words:
        call.state.variables.pop(word, None)
    return 0


async def _env(call: Call) -> int:
    rest = list(call.words)
    before = dict(call.state.variables)
    while rest and (assigned := _ASSIGNMENT.fullmatch(rest[0])):
        call.state.variables[assigned.group(1)] = assigned.group(2)
        rest.pop(0)
    if rest:
        try:
            return await call.spawn(rest, call.channels)
        finally:
            call.state.variables.clear()
            call.state.variables.update(before)
    for name, value in sorted(call.state.variables.items()):
        if name[0].isalpha():
            await call.line(f"{name}={value}")
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


async def _eval(call: Call) -> int:
    return await call.evaluate(" ".join(call.words), call.channels)


async def _sh(call: Call) -> int:
    """``sh -c LINE``, ``sh FILE``, or a script on standard input."""
    words = [word for word in call.words if word not in ("-e", "-x", "-l")]
    if words and words[0] == "-c":
        if len(words) < 2:
            raise CommandFailed("sh: -c: requires argument")
        line = words[1]
    else:
        line = (await call.load(words[0] if words else "-")).decode("utf-8", "surrogateescape")
    return await call.subshell(line, call.channels)


async def _su(call: Call) -> int:
    """``su [-] [USER] [-c] COMMAND``: everybody is allowed everything here."""
    words = list(call.words)
    while words and words[0] in ("-", "-l", "0", "root", "shell", "2000"):
        words.pop(0)
    if words and words[0] == "-c":
        return await call.subshell(" ".join(words[1:]), call.channels)
    return await call.spawn(words, call.channels) if words else 0


async def _toybox(call: Call) -> int:
    if not call.words:
        return 0
    if call.words[0] == "--version":
        await call.line("toybox 0.8.9-android")
        return 0
    return await call.spawn(call.words, call.channels)


async def _prefix(call: Call) -> int:
    """``nohup X``, ``setsid X``, ``command X``, ``builtin X``."""
    if not call.words:
        raise CommandFailed(f"{call.name}: Needs 1 argument")
    return await call.spawn(call.words, call.channels)


async def _timeout(call: Call) -> int:
    if len(call.words) < 2:
        raise CommandFailed("timeout: Needs 2 arguments")
    try:
        return await asyncio.wait_for(call.spawn(call.words[1:], call.channels), seconds(call.words[0]))
    except (asyncio.TimeoutError, TimeoutError):
        return 124


async def _sleep(call: Call) -> int:
    if not call.words:
        raise CommandFailed("sleep: Needs 1 argument")
    await call.phone.pace.sleep(sum(seconds(word) for word in call.words))
    return 0


def seconds(word: str) -> float:
    """``1.5``, ``2s``, ``3m``, ``1h``. Raises ``CommandFailed``."""
    found = re.fullmatch(r"(\d+(?:\.\d*)?|\.\d+)([smhd]?)", word)
    if not found:
        raise CommandFailed(f"sleep: not integer: {word}")
    return float(found.group(1)) * {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400}[found.group(2)]


async def _wait(call: Call) -> int:
    """``wait [PID…]``: the status of the last one."""
    known = {str(job.pid): job.task for job in call.state.jobs}
    if not call.words:
        await finished(known.values())
        return 0
    status = 0
    for word in call.words:
        task = known.get(word)
        await finished([task] if task else [])
        status = 127 if task is None else 143 if task.cancelled() else task.result()
    return status


async def _jobs(call: Call) -> int:
    running = [job for job in call.state.jobs if not job.task.done()]
    for number, job in enumerate(running, 1):
        sign = "+" if job is running[-1] else "-" if job is running[-2] else " "
        await call.line(f"[{number}] {sign} Running              {job.text}")
    return 0


async def _true(call: Call) -> int:
    return 0


async def _false(call: Call) -> int:
    return 1


COMMANDS = {
    **table("free", export=_export, unset=_unset, cd=_cd, pwd=_pwd, exit_=_exit, set_=_true, sleep=_sleep),
    **table("free", true=_true, false=_false, wait=_wait, jobs=_jobs, umask=_true, trap=_true, sync=_true),
    **table("through", exec_=_exec, eval_=_eval, sh=_sh, su=_su, toybox=_toybox, toolbox=_toybox, env=_env),
    **table("through", nohup=_prefix, setsid=_prefix, command=_prefix, builtin=_prefix, time=_prefix),
    **table("through", timeout=_timeout),
}
COMMANDS[":"] = COMMANDS["true"]
