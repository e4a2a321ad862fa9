"""ps, pidof, kill, id, whoami, uname, date, uptime, which."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass

from ...streams import in_thread
from ..call import Call, CommandFailed, short_options
from ..registry import table

_ROOT, _SYSTEM, _SHELL = 0, 1000, 2000
_OWNERS = {"init": _ROOT, "zygote64": _ROOT, "adbd": _SHELL}  # of processes that are no package
_SHELL_PID = 32_001  # of `sh`, and the next of what it runs


@dataclass(frozen=True)
class _Process:
    user: str
    uid: int
    pid: int
    parent: int
    name: str

    def value(self, name: str) -> str:
        values = {
            "USER": self.user,
            "UID": str(self.uid),
            "PID": str(self.pid),
            "PPID": str(self.parent),
            "VSZ": str(12_000_000 + self.pid),
            "RSS": str(120_000 + self.pid),
            "WCHAN": "0",
            "ADDR": "0",
            "S": "S",
            "NAME": self.name,
        }
        return values.get(name, "?")


def _processes(call: Call) -> list[_Process]:
    running = call.phone.processes()
    zygote = running.get("zygote64", 1)
    found = _own(call)
    for name, pid in running.items():
        package = call.phone.packages.get(name)
        owner = package.user_id if package else _OWNERS.get(name, _SYSTEM)
        parent = 0 if pid == 1 else zygote if name not in _OWNERS else 1
        found.append(_Process(_user(owner), owner, pid, parent, name))
    return sorted(found, key=lambda process: process.pid)


def _own(call: Call) -> list[_Process]:
    """The shell, what it runs, and what it and others have running in the background."""
    jobs = list(call.phone.jobs.running.values())
    return [
        _Process("shell", _SHELL, _SHELL_PID, call.phone.processes().get("adbd", 1), "sh"),
        _Process("shell", _SHELL, _SHELL_PID + 1, _SHELL_PID, call.name),
        *(_Process("shell", _SHELL, job.pid, _SHELL_PID, job.name) for job in jobs),
    ]


def _user(uid: int) -> str:
    names = {_ROOT: "root", _SYSTEM: "system", _SHELL: "shell"}
    return f"u0_a{uid - 10_000}" if uid >= 10_000 else names.get(uid, "nobody")


async def _ps(call: Call) -> int:
    options, _ = short_options(call.words, "Aew", "op")
    processes = await in_thread(_processes if set(options) & set("Aep") else _own, call)
    if "p" in options:
        processes = [each for each in processes if str(each.pid) in options["p"].split(",")]
    if "o" in options:
        rows = _columns(processes, re.split(r"[,\s]+", options["o"].upper()))
    else:
        rows = _columns(
            processes, ["USER", "PID", "PPID", "VSZ", "RSS", "WCHAN", "ADDR", "S", "NAME"]
        )
    await call.out("".join(f"{row}\n" for row in rows))
    return 0


def _columns(processes: list[_Process], names: list[str]) -> list[str]:
    headed = [(word.partition("=")[0], word.partition("=")[2]) for word in names]
    rows = [
        [title if "=" in word else name for word, (name, title) in zip(names, headed, strict=True)]
    ]
    rows += [[process.value(name) for name, _ in headed] for process in processes]
    if not any(rows[0]):
        rows.pop(0)
    widths = [max((len(row[index]) for row in rows), default=0) for index in range(len(names))]
    return [
        " ".join(value.rjust(width) for value, width in zip(row[:-1], widths, strict=False))
        + (" " if len(row) > 1 else "")
        + row[-1]
        for row in rows
    ]


async def _pidof(call: Call) -> int:
    _, names = short_options(call.words, "sxl", "o")
    found = [str(each.pid) for each in await in_thread(_processes, call) if each.name in names]
    if not found:
        return 1
    await call.line(" ".join(found))
    return 0


async def _pgrep(call: Call) -> int:
    options, names = short_options(call.words, "flxnoav")
    hits = [
        each
        for each in await in_thread(_processes, call)
        if names and re.search(names[0], each.name)
    ]
    for each in hits:
        await call.line(f"{each.pid} {each.name}" if "l" in options else str(each.pid))
    return int(not hits)


async def _kill(call: Call) -> int:
    """An app can be killed, whose package is stopped, and what runs in the background."""
    words = [word for word in call.words if not re.fullmatch(r"-(\d+|[A-Z]+)", word)]
    status = 0
    for word in words:
        if not word.isdecimal():
            raise CommandFailed(f"kill: bad process '{word}'")
        hit = next(
            (each for each in await in_thread(_processes, call) if each.pid == int(word)), None
        )
        if hit is None:
            await call.error(f"kill: {word}: No such process")
            status = 1
        elif hit.pid in call.phone.jobs.running:
            if "-0" not in call.words:
                await call.phone.jobs.running[hit.pid].kill()
        elif hit.uid < 10_000:
            await call.error(f"kill: {word}: Operation not permitted")
            status = 1
        elif "-0" not in call.words:
            await in_thread(call.phone.stop_app, hit.name)
    return status


async def _killall(call: Call) -> int:
    for name in short_options(call.words, "qilv", "s")[1]:
        jobs = [job for job in call.phone.jobs.running.values() if job.name == name]
        for job in jobs:
            await job.kill()
        if jobs:
            continue
        if name not in await in_thread(call.phone.processes):
            raise CommandFailed(f"killall: {name}: No such process")
        await in_thread(call.phone.stop_app, name)
    return 0


async def _id(call: Call) -> int:
    if call.name == "whoami" or "-un" in call.words:
        await call.line("shell")
    elif "-u" in call.words:
        await call.line("2000")
    else:
        await call.line("uid=2000(shell) gid=2000(shell) groups=2000(shell),1004(input),3003(inet)")
    return 0


async def _date(call: Call) -> int:
    """In UTC, the phone's time zone; setting the clock is refused."""
    words = [word for word in call.words if word != "-u"]
    moment = call.phone.log.now()  # the log's stamps are compared with it
    if words and not words[0].startswith("+"):
        raise CommandFailed("date: cannot set date: Operation not permitted")
    pattern = words[0][1:] if words else "%a %b %e %H:%M:%S UTC %Y"
    pattern = pattern.replace("%s", str(int(moment))).replace("%N", f"{int(moment % 1 * 1e9):09d}")
    await call.line(time.strftime(pattern, time.gmtime(moment)))
    return 0


COMMANDS = {
    **table(
        "free",
        ps=_ps,
        pidof=_pidof,
        pgrep=_pgrep,
        kill=_kill,
        killall=_killall,
        id_=_id,
        whoami=_id,
    ),
    **table("free", date=_date),
}
