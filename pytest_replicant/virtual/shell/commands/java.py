"""app_process: runs a Java program that the phone was given, to its end or until it is killed."""

from __future__ import annotations

import asyncio

from ...task_group import end
from ..call import Call, CommandFailed
from ..registry import table

KILLED = 137  # 128 and the number of SIGKILL


async def _app_process(call: Call) -> int:
    """``CLASSPATH=JAR app_process [options] / MAIN.CLASS ARGUMENTS``."""
    words = list(call.words)
    jars = call.state.variables.get("CLASSPATH", "")
    while words and words[0].startswith("-"):
        option = words.pop(0)
        if option.startswith("-Djava.class.path="):
            jars = option.partition("=")[2]
    if len(words) < 2:
        raise CommandFailed("Error: no class name or --zygote supplied.", 10)
    while len(words) > 2 and words[1].startswith("--"):
        words.pop(1)
    main, arguments = words[1], words[2:]
    program = call.phone.programs.get(main)
    missing = [
        jar for jar in jars.split(":") if jar and not call.phone.files.exists(call.path(jar))
    ]
    if program is None or missing or not jars:
        call.phone.log.append("E", "AndroidRuntime", f"ClassNotFoundException: {main}", 4242)
        zips = ", ".join(f"zip file {jar!r}" for jar in jars.split(":") if jar)
        raise CommandFailed(
            f"Error finding class '{main}'\njava.lang.ClassNotFoundException: {main}\n"
            f'Caused by: java.lang.ClassNotFoundException: Didn\'t find class "{main}" on path: '
            f"DexPathList[[{zips}]]\nAborted",
            134,
        )
    running = asyncio.ensure_future(program(call.phone, arguments, call.channels))
    loop = asyncio.get_running_loop()

    def kill() -> None:
        loop.call_soon_threadsafe(running.cancel)

    call.phone.running_programs[main] = kill
    try:
        await asyncio.wait({running})
    finally:
        if call.phone.running_programs.get(main) is kill:
            del call.phone.running_programs[main]
        await end(running)
    if running.cancelled():
        raise CommandFailed("Killed", KILLED)
    return running.result()


COMMANDS = table(
    "shell", app_process=_app_process, app_process32=_app_process, app_process64=_app_process
)
