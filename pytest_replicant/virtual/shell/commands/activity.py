"""am and monkey: starting and stopping apps, broadcasts, instrumentation."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from ...streams import in_thread
from ..call import Call, CommandFailed
from ..registry import table
from . import adb_keyboards
from .intent import (
    HOME,
    LAUNCHER,
    MAIN,
    Intent,
    answering,
    read_component,
    read_intent,
    short_component,
)

_NOTHING_TO_RUN = 252  # monkey's exit code where no activity matches


async def _start(call: Call) -> int:
    intent = read_intent(call.words[1:])
    if not intent.component and HOME in intent.categories:
        await call.phone.pace.take("launch")
        await call.line(f"Starting: {intent}")
        await in_thread(call.phone.press_key, "HOME")
        return 0
    package, activity = _target(call, intent)
    await call.phone.pace.take("launch")
    if "-S" in intent.options:
        await call.line(f"Stopping: {package}")
        await in_thread(call.phone.stop_app, package)
    running = package in await in_thread(call.phone.processes)
    in_front = await in_thread(call.phone.foreground) == (
        package,
        activity or _main_activity(call, package),
    )
    await call.line(f"Starting: {intent}")
    try:
        await in_thread(call.phone.start_app, package, activity or None, intent.data or None)
    except LookupError as error:
        raise CommandFailed(_wording(error), 1) from None
    if in_front and not intent.data:
        await call.error(
            "Warning: Activity not started, its current task has been brought to the front"
            if intent.action == MAIN
            else "Warning: Activity not started, intent has been delivered to currently running "
            "top-most instance."
        )
    if "-W" in intent.options:
        ms = call.phone.latency.screen_change_ms
        await call.phone.pace.sleep(ms / 1000)
        await call.out(
            _waited(
                await in_thread(call.phone.foreground),
                ms + call.phone.latency.launch_ms,
                warm=running,
            )
        )
    return 0


def _main_activity(call: Call, package: str) -> str:
    found = call.phone.packages.get(package)
    return found.activity if found else ""


def _wording(error: LookupError) -> str:
    message = str(error.args[0]) if error.args else str(error)
    return message if message.startswith("Error") else f"Error type 3\nError: {message}"


def _target(call: Call, intent: Intent) -> tuple[str, str]:
    """Package and class; raises ``CommandFailed`` if nothing can be meant."""
    if intent.component:
        return intent.component
    found = answering(intent, call.phone.packages.installed())
    if not found:
        raise CommandFailed(
            f"Starting: {intent}\nError: Activity not started, unable to resolve {intent}", 1
        )
    return found[0]


def _waited(front: tuple[str, str], ms: int, *, warm: bool) -> str:
    return (
        f"Status: ok\nLaunchState: {'HOT' if warm else 'COLD'}\n"
        f"Activity: {short_component(*front)}\nTotalTime: {ms}\nWaitTime: {ms + 2}\nComplete\n"
    )


async def _stop(call: Call) -> int:
    """``force-stop`` and ``stop-app``; nothing is said of a package that is not there."""
    names = call.words[3:] if call.words[1:2] == ["--user"] else call.words[1:]
    if not names:
        raise CommandFailed('Error: Argument expected after "force-stop"', 255)
    await call.phone.pace.take("shell")
    await in_thread(call.phone.stop_app, names[0])
    return 0


async def _broadcast(call: Call) -> int:
    intent = read_intent(call.words[1:])
    await call.phone.pace.take("shell")
    await call.line(f"Broadcasting: {intent}")
    typed = await in_thread(adb_keyboards.answer, call.phone, intent)
    if typed is None:
        typed = await in_thread(call.phone.send_broadcast, intent.action, intent.extras)
    code, data = typed
    await call.line(f"Broadcast completed: result={code}" + (f', data="{data}"' if data else ""))
    return 0


async def _instrument(call: Call) -> int:
    """No app of a virtual phone brings instrumentation."""
    package, runner = read_component(call.words[-1])
    await call.phone.pace.take("shell")
    await call.out(
        f"INSTRUMENTATION_STATUS: Error=Unable to find instrumentation info for: "
        f"ComponentInfo{{{package}/{runner}}}\n"
        "INSTRUMENTATION_STATUS: id=ActivityManagerService\nINSTRUMENTATION_STATUS_CODE: -1\n"
    )
    raise CommandFailed(
        f"android.util.AndroidException: INSTRUMENTATION_FAILED: {call.words[-1]}", 1
    )


async def _service(call: Call) -> int:
    intent = read_intent(call.words[1:])
    await call.phone.pace.take("shell")
    verb = "Stopping" if call.words[0].startswith("stop") else "Starting"
    await call.line(f"{verb} service: {intent}")
    raise CommandFailed("Error: Not found; no service started.", 1)


async def _current_user(call: Call) -> int:
    await call.phone.pace.take("shell")
    await call.line("0")
    return 0


_AM: dict[str, Callable[[Call], Awaitable[int]]] = {
    "start": _start,
    "start-activity": _start,
    "force-stop": _stop,
    "stop-app": _stop,
    "broadcast": _broadcast,
    "instrument": _instrument,
    "get-current-user": _current_user,
    **dict.fromkeys(("startservice", "start-service", "start-foreground-service"), _service),
    **dict.fromkeys(("stopservice", "stop-service"), _service),
}


async def _am(call: Call) -> int:
    command = _AM.get(call.words[0]) if call.words else None
    if command is None:
        unknown = f"Unknown command: {call.words[0]}\n" if call.words else ""
        raise CommandFailed(
            f"{unknown}Activity manager (activity) commands: {' '.join(sorted(_AM))}", 255
        )
    return await command(call)


async def _monkey(call: Call) -> int:
    """Starts the package; random events beyond the first are refused: they would test nothing."""
    package, categories, count = _monkey_words(call)
    for word in call.words:
        await call.line(f"  bash arg: {word}")
    await call.phone.pace.take("launch")
    found = call.phone.packages.get(package)
    if found is None or not found.activity or (categories and LAUNCHER not in categories):
        raise CommandFailed("** No activities found to run, monkey aborted.", _NOTHING_TO_RUN)
    if count > 1:
        raise CommandFailed("** The virtual phone's monkey starts apps only: ask for 1 event.", 1)
    if count:
        await in_thread(call.phone.start_app, package)
    await call.out(
        f"Events injected: {count}\n"
        "## Network stats: elapsed time=12ms (0ms mobile, 0ms wifi, 12ms not connected)\n"
    )
    return 0


def _monkey_words(call: Call) -> tuple[str, list[str], int]:
    package, categories, count = "", [], 0
    words = list(call.words)
    while words:
        word = words.pop(0)
        if word == "-p" and words:
            package = words.pop(0)
        elif word == "-c" and words:
            categories.append(words.pop(0))
        elif word.isdecimal():
            count = int(word)
    return package, categories, count


COMMANDS = table("own", am=_am, monkey=_monkey)
