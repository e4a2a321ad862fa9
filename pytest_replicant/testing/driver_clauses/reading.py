"""Clauses about toasts, logs and commands."""

from __future__ import annotations

import time

from ...drivers import Capability
from ...errors import DeviceTimeout
from .clause import Clause, Scene, must, refuses

_WORDS = ["it's", "a  b", "$HOME", "*", "", "日本語", "x;y"]
_LONGER_THAN_ASKED = 3.0  # seconds, generously


def _cleared_toasts_are_gone(scene: Scene) -> None:
    scene.driver.clear_toasts()
    toast = scene.driver.last_toast()
    must(toast is None, f"a toast after clear_toasts: {toast!r}")


def _logs_are_lines(scene: Scene) -> None:
    lines = scene.driver.logs()
    must(isinstance(lines, list) and len(lines) > 0, "the log is empty")
    must(all(isinstance(line, str) and "\n" not in line for line in lines), "an entry is no single line")


def _a_mark_is_where_a_log_begins(scene: Scene) -> None:
    scene.front()
    whole = scene.driver.logs()
    mark = scene.driver.log_mark()
    fresh = scene.driver.logs(mark)
    must(len(fresh) < len(whole), f"{len(fresh)} lines since now, {len(whole)} in all")
    must(len(scene.driver.logs()) >= len(fresh), "the whole log is shorter than its end")


def _commands_end_with_a_code(scene: Scene) -> None:
    ended = scene.driver.shell("echo out; echo err >&2; exit 7", 10.0)
    must(ended.stdout == "out\n", f"standard output is {ended.stdout!r}")
    must(ended.stderr == "err\n", f"standard error is {ended.stderr!r}")
    must(ended.exit_code == 7, f"the exit code is {ended.exit_code}")


def _words_arrive_as_they_are(scene: Scene) -> None:
    for word in _WORDS:
        ended = scene.driver.shell(["printf", "%s|", word, "end"], 10.0)
        must(ended.stdout == f"{word}|end|", f"{word!r} arrived as {ended.stdout!r}")


def _a_command_that_does_not_end(scene: Scene) -> None:
    began = time.monotonic()
    refuses(lambda: scene.driver.shell(["sleep", "30"], 0.2), DeviceTimeout, "a command that does not end")
    spent = time.monotonic() - began
    must(spent < _LONGER_THAN_ASKED, f"a limit of 0.2 s took {spent:.1f} s")


READING = (
    Clause("toasts", "clear_toasts forgets the last toast", _cleared_toasts_are_gone, Capability.TOASTS),
    Clause("logs", "logs are lines of text", _logs_are_lines, Capability.LOGS),
    Clause(
        "log-mark", "a log since now is without what was before", _a_mark_is_where_a_log_begins, Capability.LOGS
    ),
    Clause("shell", "a command has two outputs and an exit code", _commands_end_with_a_code, Capability.SHELL),
    Clause("shell-words", "a list of words arrives word by word", _words_arrive_as_they_are, Capability.SHELL),
    Clause("shell-limit", "a command that does not end is left", _a_command_that_does_not_end, Capability.SHELL),
)
