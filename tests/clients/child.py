"""Runs in a client's own environment: reads calls as lines of JSON, and answers each with a line.

``child.py python`` evaluates Python, which may await; ``child.py shell`` runs a line of a shell.
"""

from __future__ import annotations

import ast
import asyncio
import inspect
import json
import os
import signal
import subprocess
import sys
import threading
import time

LONGEST = 60  # seconds that a line of a shell may take
NAMES: dict[str, object] = {"__name__": "__client__"}


def evaluated(code: str, loop: asyncio.AbstractEventLoop) -> str:
    try:
        parsed = compile(code, "call", "eval", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    except SyntaxError:
        parsed = compile(code, "call", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    value = eval(parsed, NAMES)
    return repr(loop.run_until_complete(value) if inspect.iscoroutine(value) else value)


def ran(line: str) -> str:
    done = subprocess.run(
        line,
        check=False,
        shell=True,
        capture_output=True,
        timeout=LONGEST,
        stdin=subprocess.DEVNULL,
    )
    said = (done.stdout + done.stderr).decode("utf-8", "replace")
    if done.returncode:
        raise RuntimeError(f"exit code {done.returncode}: {said.strip()}")
    return said


def end_with(parent: int) -> None:
    """Whatever a call is at: a killed parent leaves nothing of this session behind."""
    while os.getppid() == parent:
        time.sleep(0.2)
    os.killpg(0, signal.SIGKILL)


def main() -> None:
    threading.Thread(target=end_with, args=(os.getppid(),), daemon=True).start()
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # whatever a client prints
    loop = asyncio.new_event_loop()
    for asked in sys.stdin:
        code = json.loads(asked)
        try:
            said = {"value": ran(code) if sys.argv[1] == "shell" else evaluated(code, loop)}
        except BaseException as error:
            said = {"error": f"{type(error).__name__}: {error}"}
        print(
            json.dumps({key: text[:100_000] for key, text in said.items()}),
            file=answers,
            flush=True,
        )


main()
