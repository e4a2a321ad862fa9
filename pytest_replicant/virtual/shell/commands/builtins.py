"""What changes or starts a shell: export, cd, exit, exec, eval, sh, su, toybox, nohup …"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence

from ...jobs import finished
from ..call import BadUsage, Call, CommandFailed, LoopLeft, ShellExit, short_options
from ..expand import quoted
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


_LETTERS = {"errexit": "e", "nounset": "u", "xtrace": "x", "noglob": "f", "allexport": "a", "noclobber": "C"}
_KEPT = frozenset("bhikmnpUvV")  # letters that mean nothing to a shell of this kind


def _options(words: list[str], flags: str, who: str) -> tuple[str, bool]:
    """Takes options off ``words``; what ``$-`` says then, and whether ``--`` ended them."""
    while words and re.fullmatch(r"[-+].+", words[0]):
        word = words.pop(0)
        if word == "--":
            return flags, True
        letters = word[1:]
        if letters[-1] == "o" and words:
            name = words.pop(0)
            letters = letters[:-1] + _LETTERS.get(name, "k" if name in ("pipefail", "posix", "sh") else f"?{name}")
        for letter in letters:
            if letter not in _KEPT and letter not in _LETTERS.values() and not (letter == "c" and who == "sh"):
                shown = letters.partition("?")[2] or f"{word[0]}{letter}"
                raise CommandFailed(f"/system/bin/sh: {who}: {shown}: unknown option")
            flags = flags.replace(letter, "") + (letter if word[0] == "-" and letter not in _KEPT else "")
    return "".join(letter for letter in "aemCfuhUxc" if letter in flags), False


async def _set(call: Call) -> int:
    """``set -eux``, ``set +e``, ``set -o errexit``, ``set -- WORDS``; alone, the variables."""
    variables, words = call.state.variables, list(call.words)
    if not words:
        names = sorted(name for name in variables if name[0].isalpha() or name[0] == "_")
        await call.out("".join(f"{name}={quoted(variables[name])}\n" for name in names))
        return 0
    try:
        variables["-"], ended = _options(words, variables.get("-", ""), "set")
    except CommandFailed as failure:  # of a special builtin, so that the shell ends
        await call.error(str(failure))
        raise ShellExit(1) from None
    if words or ended:
        _give(variables, words)
    return 0


def _give(variables: dict[str, str], arguments: Sequence[str]) -> None:
    for name in [name for name in variables if name.isdecimal() and name != "0"]:
        del variables[name]
    variables.update({str(number): word for number, word in enumerate(arguments, 1)}, **{"#": str(len(arguments))})


async def _shift(call: Call) -> int:
    variables, word = call.state.variables, call.words[0] if call.words else "1"
    if not word.isdecimal():
        raise CommandFailed(f"/system/bin/sh: shift: {word}: bad number")
    count, given = int(word), int(variables.get("#", "0"))
    if count > given:
        await call.error("/system/bin/sh: shift: nothing to shift")
        raise ShellExit(1)
    _give(variables, [variables[str(number)] for number in range(count + 1, given + 1)])
    return 0


async def _leave_loop(call: Call) -> int:
    """``break [N]`` and ``continue [N]``."""
    word = call.words[0] if call.words else "1"
    if not word.isdecimal() or word == "0":
        raise CommandFailed(f"/system/bin/sh: {call.name}: {word}: bad option")
    if not call.state.loops:
        raise CommandFailed(f"/system/bin/sh: {call.name}: can't {call.name}", 0)
    raise LoopLeft(int(word), again=call.name == "continue")


async def _read(call: Call) -> int:
    """``read [-r] NAMES``: one line of standard input, split at blanks."""
    options, names = short_options(call.words, "r", "pu")
    line = b""
    while (letter := await call.channels.read(1)) not in (b"", b"\n"):
        line += letter
        if letter == b"\\" and "r" not in options:
            escaped = await call.channels.read(1)
            line = line[:-1] + (b"" if escaped == b"\n" else escaped)
    text = line.decode("utf-8", "surrogateescape").strip(" \t")
    names = names or ["REPLY"]
    values = text.split(None, len(names) - 1) if len(names) > 1 else [text]
    call.state.variables.update({name: (values + [""] * len(names))[at] for at, name in enumerate(names)})
    return int(letter == b"")


async def _sh(call: Call) -> int:
    """``sh [-eux] -c LINE [NAME ARGUMENTS]``, ``sh FILE``, or a script on standard input."""
    words, flags = [word for word in call.words if word != "-l"], "hU"
    if words and words[0].startswith("-"):
        flags, _ = _options(words, flags, "sh")
    line, variables = "", call.state.variables
    if "c" in flags:
        if not words:
            raise CommandFailed("/system/bin/sh: -c: requires argument")
        line = words.pop(0)
    else:
        line = (await call.load(words[0] if words else "-")).decode("utf-8", "surrogateescape")
    kept = dict(variables)
    try:
        variables["-"] = flags
        variables["0"] = words[0] if words else variables.get("0", "sh")
        _give(variables, words[1:])
        return await call.subshell(line, call.channels)
    finally:
        variables.clear()
        variables.update(kept)


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
        raise BadUsage("Needs 1 argument")
    return await call.spawn(call.words, call.channels)


async def _timeout(call: Call) -> int:
    if len(call.words) < 2:
        raise BadUsage("Needs 2 arguments")
    try:
        return await asyncio.wait_for(call.spawn(call.words[1:], call.channels), seconds(call.words[0]))
    except (asyncio.TimeoutError, TimeoutError):
        return 124


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
    **table(
        "free",
        export=_export,
        unset=_unset,
        cd=_cd,
        pwd=_pwd,
        exit_=_exit,
        set_=_set,
        shift=_shift,
        read=_read,
        break_=_leave_loop,
        continue_=_leave_loop,
        sleep=_sleep,
    ),
    **table("free", true=_true, false=_false, wait=_wait, jobs=_jobs, umask=_true, trap=_true, sync=_true),
    **table("through", exec_=_exec, eval_=_eval, sh=_sh, toybox=_toybox, toolbox=_toybox, env=_env),
    **table("through", nohup=_prefix, setsid=_prefix, command=_prefix, builtin=_prefix, time=_prefix),
    **table("through", timeout=_timeout),
}
COMMANDS[":"] = COMMANDS["true"]
