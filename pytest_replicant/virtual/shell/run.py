"""Carries out a command line: expansions, redirections, pipelines, exit codes."""

from __future__ import annotations

import asyncio
import contextlib
import posixpath
from collections.abc import Awaitable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from ..jobs import finished
from .call import BadUsage, Call, CommandFailed, LoopLeft, ShellExit, ShellState, encoded, save
from .channels import Channels, Pipe, Sink, bytes_source, no_input, no_output
from .expand import Capture, expand_pattern, expand_text, expand_word, matches
from .parse import parse
from .registry import Command
from .syntax import (
    Case,
    Compound,
    For,
    Group,
    Pipeline,
    Redirect,
    Script,
    ShellSyntaxError,
    Simple,
    Step,
    While,
    Word,
    holds_output,
)
from .syntax import Command as CommandNode

if TYPE_CHECKING:
    from ..device.phone import VirtualPhone


_SERVICES = {
    "am": "activity",
    "appops": "appops",
    "content": "content",
    "ime": "input_method",
    "input": "input",
    "monkey": "activity",
    "pm": "package",
    "settings": "settings",
    "svc": "power",
    "wm": "window",
}
_PROGRAMS = ("app_process", "app_process32", "app_process64", "uiautomator")
NO_SERVICE = 20  # the exit code of `cmd` for a service that is not there


def check_services(call: Call) -> None:
    """Raises ``CommandFailed`` if the command needs a service that does not run yet."""
    if call.phone.boot.completed:
        return
    service = _SERVICES.get(call.name) or (
        call.words[0] if call.name in ("cmd", "dumpsys") and call.words else ""
    )
    if call.name == "dumpsys" and service:
        raise CommandFailed(f"Can't find service: {service}", 0)
    if service:
        raise CommandFailed(f"cmd: Can't find service: {service}", NO_SERVICE)
    if call.name in _PROGRAMS:
        raise CommandFailed(
            "java.lang.NullPointerException: Attempt to invoke interface method "
            "'android.os.IBinder android.app.IUiAutomationConnection.asBinder()' on a null object "
            "reference\nAborted",
            134,
        )


SHELL = "/system/bin/sh"
NOT_FOUND, BROKEN_PIPE, TOO_DEEP = 127, 141, 50


class Shell:
    """One shell and its state; ``depth`` counts the shells that it was started from."""

    def __init__(
        self,
        phone: VirtualPhone,
        commands: Mapping[str, Command],
        state: ShellState,
        depth: int = 0,
    ) -> None:
        self._phone = phone
        self._commands = commands
        self._state = state
        self._depth = depth
        self._captured = 0  # the status of the latest command substitution

    async def run_line(self, line: str, channels: Channels) -> int:
        """Never raises for what the line does; a line that cannot be read ends with 1 and a
        message."""
        try:
            return await self.run_script(parse(line), channels)
        except ShellSyntaxError as error:  # some is found out only once variables have their values
            await channels.write_error(encoded(f"{SHELL}: {error}\n"))
            return self._ended(1)

    async def run_script(self, script: Script, channels: Channels) -> int:
        """The status of the last step that ran."""
        steps = list(script.steps)
        while steps:
            ends = next(
                (at for at, step in enumerate(steps[1:], 1) if step.when == ";"), len(steps)
            )
            if steps[ends - 1].background:
                self._ended(self._begin_job(steps[:ends], channels))
                del steps[:ends]
                continue
            step = steps.pop(0)
            if step.when == ";" or (step.when == "&&") == (self._state.status == 0):
                judged = step.pipeline.negated or bool(steps and steps[0].when != ";")
                self._ended(await self._judged(self._pipeline(step.pipeline, channels), judged))
        return self._state.status

    async def _judged(self, running: Awaitable[int], judged: bool = True) -> int:
        """What fails here does not end the shell where ``judged``."""
        self._state.judged += judged
        try:
            return await running
        finally:
            self._state.judged -= judged

    async def _apart(self, running: Awaitable[int], channels: Channels) -> int:
        """What ends this shell ends no other one."""
        try:
            return await running
        except ShellExit as left:
            return left.code
        except LoopLeft:
            return 0
        except ShellSyntaxError as error:
            await channels.write_error(encoded(f"{SHELL}: {error}\n"))
            return 1

    async def run_words(self, words: Sequence[str], channels: Channels) -> int:
        """Runs one command whose arguments are data."""
        name = words[0]
        command = self._commands.get(name.rpartition("/")[2] if "/" in name else name)
        if command is None:
            await channels.write_error(encoded(f"{SHELL}: {name}: inaccessible or not found\n"))
            return NOT_FOUND
        takes = command.pace == "shell" or (command.pace == "free" and not self._state.paced)
        if command.pace != "through":
            self._state.paced = True
        if takes:
            await self._phone.pace.take("shell")
        call = Call(
            phone=self._phone,
            name=command.name,
            words=words[1:],
            channels=channels,
            state=self._state,
            spawn=self._spawn,
            subshell=self._subshell,
        )
        return await _guarded(command, call)

    def _begin_job(self, steps: Sequence[Step], channels: Channels) -> int:
        """The shell goes on at once; the job has no input."""
        own = replace(channels, source=no_input)
        shell = Shell(self._phone, self._commands, self._state.copy(), self._depth)

        text = steps[-1].background
        script = Script((*steps[:-1], replace(steps[-1], background="")))

        async def work() -> int:
            return await shell._apart(shell.run_script(script, own), own)

        job = self._phone.jobs.start(text, holds_output(script), work)
        self._state.jobs.append(job)
        self._state.variables["!"] = str(job.pid)
        return 0

    def _ended(self, status: int) -> int:
        self._state.status = status
        self._state.variables["?"] = str(status)
        return status

    async def _spawn(self, words: Sequence[str], channels: Channels) -> int:
        return await self._below(self._state).run_words(words, channels) if words else 0

    async def _subshell(self, line: str, channels: Channels) -> int:
        shell = self._below(self._state.copy())
        shell._state.judged = 0
        try:
            return await shell._apart(shell.run_line(line, channels), channels)
        finally:
            self._state.paced = self._state.paced or shell._state.paced

    def _below(self, state: ShellState) -> Shell:
        if self._depth >= TOO_DEEP:
            raise CommandFailed(f"{SHELL}: shells are nested too deeply")
        return Shell(self._phone, self._commands, state, self._depth + 1)

    async def _pipeline(self, pipeline: Pipeline, channels: Channels) -> int:
        if len(pipeline.commands) == 1:
            status = await self._command(pipeline.commands[0], channels)
        else:
            status = self._checked(await self._joined(pipeline.commands, channels))
        return int(status == 0) if pipeline.negated else status

    def _checked(self, status: int) -> int:
        """Raises ``ShellExit`` for a failure that ``set -e`` is for."""
        if status and self._state.ends_at_failure:
            raise ShellExit(status)
        return status

    async def _joined(self, commands: Sequence[CommandNode], channels: Channels) -> int:
        pipes = [Pipe() for _ in commands[1:]]
        ends: list[tuple[Pipe | None, Pipe | None]] = list(
            zip([None, *pipes], [*pipes, None], strict=True)
        )

        async def stage(command: CommandNode, before: Pipe | None, after: Pipe | None) -> int:
            own = replace(
                channels,
                source=before.read if before else channels.source,
                output=after.write if after else channels.output,
            )
            try:
                return await self._in_own_shell(command, own)
            finally:
                if before:
                    await before.abandon()
                if after:
                    await after.end()

        tasks = [
            asyncio.ensure_future(stage(command, before, after))
            for command, (before, after) in zip(commands, ends, strict=True)
        ]
        try:
            return (await asyncio.gather(*tasks))[-1]
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _in_own_shell(self, command: CommandNode, channels: Channels) -> int:
        shell = Shell(self._phone, self._commands, self._state.copy(), self._depth)
        try:
            return await shell._apart(shell._command(command, channels), channels)
        finally:
            self._state.paced = self._state.paced or shell._state.paced

    async def _command(self, command: CommandNode, channels: Channels) -> int:
        capture = self._capturing(channels)
        try:
            channels = await self._redirected(command.redirects, channels, capture)
        except OSError as error:
            await channels.write_error(
                encoded(f"{SHELL}: can't open {error.filename}: {error.strerror}\n")
            )
            return self._checked(1)
        if isinstance(command, Simple):
            return self._checked(await self._simple(command, channels, capture))
        if self._depth >= TOO_DEEP:
            return 1
        own_shell = isinstance(command, Group) and command.own_shell
        state = self._state.copy() if own_shell else self._state
        inner = Shell(self._phone, self._commands, state, self._depth + 1)
        if own_shell:
            return self._checked(await inner._apart(inner._compound(command, channels), channels))
        return await inner._compound(command, channels)

    async def _compound(self, command: Compound, channels: Channels) -> int:
        if isinstance(command, Group):
            return await self.run_script(command.script, channels)
        if isinstance(command, Case):
            return await self._case(command, channels)
        return await self._loop(command, channels)

    async def _case(self, command: Case, channels: Channels) -> int:
        word = await self._text(command.word, channels)
        for patterns, script in command.choices:
            for pattern in patterns:
                if matches(
                    word,
                    await expand_pattern(pattern, self._state.variables, self._capturing(channels)),
                ):
                    return await self.run_script(script, channels) if script.steps else 0
        return 0

    async def _loop(self, command: For | While, channels: Channels) -> int:
        """Lets others have their turn each time: a loop may have no end, and no command that
        waits."""
        status = 0
        words = command.words if isinstance(command, For) else ()
        values = iter(await self._expanded(words, self._capturing(channels)))
        self._state.loops += 1
        try:
            while await self._goes_on(command, values, channels):
                await asyncio.sleep(0)
                try:
                    status = await self.run_script(command.body, channels)
                except LoopLeft as left:
                    status = 0
                    if not left.again:
                        break
            return status
        finally:
            self._state.loops -= 1

    async def _goes_on(
        self, command: For | While, values: Iterator[str], channels: Channels
    ) -> bool:
        if isinstance(command, While):
            return await self._judged(self.run_script(command.condition, channels)) == 0
        value = next(values, None)
        if value is not None:
            self._state.variables[command.name] = value
        return value is not None

    async def _expanded(self, words: Sequence[Word], capture: Capture) -> list[str]:
        state = self._state
        return [
            each
            for word in words
            for each in await expand_word(
                word, state.variables, capture, self._phone.files, state.folder
            )
        ]

    async def _simple(self, command: Simple, channels: Channels, capture: Capture) -> int:
        self._captured = 0
        words = await self._expanded(command.words, capture)
        variables = self._state.variables
        assigned = {
            name: await expand_text(value, variables, capture)
            for name, value in command.assignments
        }
        if not words:
            variables.update(assigned)
            return self._captured
        before = {name: variables.get(name) for name in assigned}
        variables.update(assigned)
        try:
            return await self.run_words(words, channels)
        finally:
            for name, value in before.items():
                variables.pop(name, None)
                if value is not None:
                    variables[name] = value

    async def _text(self, word: Word, channels: Channels) -> str:
        return await expand_text(word, self._state.variables, self._capturing(channels))

    def _capturing(self, channels: Channels) -> Capture:
        return partial(self._capture, channels)

    async def _capture(self, channels: Channels, script: Script) -> str:
        """What a script prints; its status is that of a command which is nothing but
        assignments."""
        taken = bytearray()

        async def keep(data: bytes) -> None:
            taken.extend(data)

        started = len(self._state.jobs)
        self._captured = await self._in_own_shell(
            Group(script, True, ()), replace(channels, output=keep)
        )
        await finished(job.task for job in self._state.jobs[started:] if job.holds)
        return taken.decode("utf-8", "surrogateescape")

    async def _redirected(
        self, redirects: Sequence[Redirect], channels: Channels, capture: Capture
    ) -> Channels:
        for redirect in redirects:
            target = await expand_text(redirect.target, self._state.variables, capture)
            if redirect.operator == "<":
                channels = replace(channels, source=bytes_source(self._content(target)))
                continue
            sink = (
                _duplicate(target, channels)
                if redirect.operator == "&"
                else self._file_sink(target, channels, appending=redirect.operator == ">>")
            )
            if redirect.descriptor == 2:
                channels = replace(channels, error=sink)
            else:
                channels = replace(channels, output=sink)
        return channels

    def _content(self, name: str) -> bytes:
        return self._phone.files.read(posixpath.join(self._state.folder, name))

    def _file_sink(self, name: str, channels: Channels, *, appending: bool) -> Sink:
        if name == "/dev/null":
            return no_output
        if name in ("/dev/tty", "/dev/stdout"):
            return channels.output
        if name == "/dev/stderr":
            return channels.error
        files, path = self._phone.files, posixpath.join(self._state.folder, name)
        if not appending or not files.exists(path):
            save(files, path, b"")

        async def write(data: bytes) -> None:
            files.append(path, data)

        return write


def _duplicate(target: str, channels: Channels) -> Sink:
    if target == "1":
        return channels.output
    if target == "2":
        return channels.error
    return no_output


async def _guarded(command: Command, call: Call) -> int:
    """A command's failure is its own: exit 1 and a message, no matter what went wrong."""
    try:
        check_services(call)
        return await command.function(call)
    except CommandFailed as failure:
        message, code = str(failure), failure.code
        if isinstance(failure, BadUsage):
            message = f'{call.name}: {message} (see "{call.name} --help")'
    except (ShellExit, LoopLeft, ShellSyntaxError, asyncio.CancelledError):
        raise
    except BrokenPipeError:
        return BROKEN_PIPE
    except ConnectionError:
        raise
    except (asyncio.TimeoutError, TimeoutError):
        message, code = f"{call.name}: the phone did not answer in time", 1
    except OSError as error:
        message, code = f"{call.name}: {error.filename}: {error.strerror}", 1
    except Exception as error:  # a bug in a command or in an app must not end the connection
        message, code = f"{call.name}: {type(error).__name__}: {error}", 1
    if message:
        with contextlib.suppress(BrokenPipeError):
            await call.error(message)
    return code
