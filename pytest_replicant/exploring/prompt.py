"""A prompt on an open session, in a terminal: commands, and steps as they are."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress

from ..errors import UsageError
from ..test_code import WORDS
from .commands import OpenSession
from .process.protocol import message_of, say
from .process.turns import Answer, Request
from .table import COMMANDS

GOES_ON = frozenset({"close", "continue", "c", "done", "exit", "quit", "q"})
HELP = (
    'A step: tap m987, fill k020 some text, or the call as in a test: tap(text="Sign '
    'in").expect_screen(...).\n'
    "look, expect 3a, note TITLE, evidence logs, save: the steps so far become code. continue "
    "goes on."
)


def run_prompt(
    session: OpenSession, read: Callable[[], str | None], show: Callable[[str], object]
) -> None:
    """Obeys lines until one goes on, or there are no more: ``read`` gives None then."""
    while (line := read()) is not None:
        word = line.strip()
        if not word:
            continue
        if word in GOES_ON:
            return
        if word in ("help", "?"):
            show(HELP)
            continue
        answer = answered(session, line)
        show("\n".join(filter(None, (answer.out.rstrip(), answer.err.rstrip()))))
        if answer.ends:
            return


def answered(session: OpenSession, line: str) -> Answer:
    """The answer to a line: a command by its name, else steps. An error is an answer too, and ends
    no test."""
    word, _, rest = line.strip().partition(" ")
    argv = [word]
    try:
        if word not in [one.name for one in COMMANDS if one.of_session]:
            argv = ["do", "--", line.strip()]
        elif word not in ("do", "expect", "note"):
            argv = _words_of(line)
        elif word == "expect" and "(" not in rest:
            argv += rest.split()
        elif rest.strip():
            argv.append(rest)
        return session.handle(Request.from_message(message_of(argv)))
    except UsageError as error:
        return Answer(err=f"replicant: {error}", code=2)
    except Exception as error:
        said = f"{type(error).__name__}: {session.hidden(str(error))}"
        return Answer(err=f"replicant: {said}", code=3)


def _words_of(line: str) -> list[str]:
    try:
        return shlex.split(line)
    except ValueError as error:
        raise UsageError(f"{line!r}: {error}") from None


@contextmanager
def terminal(session: OpenSession) -> Iterator[Callable[[], str | None]]:
    """Reads lines of the terminal, completed by the screen, with a history of its own."""

    def read() -> str | None:
        try:
            return input("replicant> ")
        except EOFError:
            say("\n")
            return None

    with ExitStack() as then:
        with suppress(ImportError):  # Windows
            import readline

            then.callback(readline.set_completer, readline.get_completer())
            then.callback(readline.set_completer_delims, readline.get_completer_delims())
            found: list[str] = []

            def complete(text: str, state: int) -> str | None:
                if state == 0:
                    found[:] = completions(session, readline.get_line_buffer(), text)
                return found[state] if state < len(found) else None

            readline.set_completer(complete)
            readline.set_completer_delims(" \t\n")
            readline.parse_and_bind("tab: complete")
        yield read


def completions(session: OpenSession, line: str, word: str) -> list[str]:
    """What may stand in place of ``word`` at the end of a line: a command or step, a ref with what
    it is."""
    explorer, known = session.explorer, list[str]()
    if line.strip() == word.strip():
        known = [f"{one.name} " for one in COMMANDS if one.of_session]
        known += ["continue ", *(f"{one} " for one in WORDS)]
    elif explorer.screens:
        if line.startswith("expect "):
            known += explorer.proposed
        known += [one.ref for one in explorer.screens[-1].elements]
    return [one for one in known if one.startswith(word)]
