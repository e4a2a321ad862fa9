"""``replicant``: the script's entry. The commands of a kept session take a light way, as there are many of them.

``replicant open APP --device URI -s NAME`` starts a process that keeps the phone; ``do``, ``look`` and their like
are handed to it. All else is the command line of ``pytest_replicant.cli``.

Exit codes of the light way: 0 fine, 1 a failed step or check, 2 usage, 3 the phone or the session has gone; 130
after Ctrl-C.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False  # as type checkers read it; the module typing would double the cost of this one
if TYPE_CHECKING:
    from collections.abc import Sequence

    from .exploring.process.records import Record

VERBS = frozenset(
    ("open", "look", "do", "expect", "rewind", "note", "evidence", "save", "run", "last", "sessions", "close")
)
PROGRAM = ("-m", "pytest_replicant.exploring.process")
_HELP = frozenset(("-h", "--help"))


def main(argv: Sequence[str] | None = None, program: Sequence[str] = PROGRAM) -> int:
    """Runs one command and returns its exit code. ``program`` is what Python is given to start a session."""
    words = list(sys.argv[1:] if argv is None else argv)
    own, name = _without_name(words)
    asks_help = not _HELP.isdisjoint(own[: own.index("--")] if "--" in own else own)
    if not own or own[0] not in VERBS or asks_help:
        from .cli import main as command_line

        return command_line(own if own and own[0] in VERBS else words)
    return _run(own, name, program)


def _without_name(words: Sequence[str]) -> tuple[list[str], str | None]:
    """The words without ``-s NAME``, before or after the verb, and the name; "" where there is none behind it."""
    own: list[str] = []
    name: str | None = None
    rest = iter(words)
    for word in rest:
        if word == "--":
            own += [word, *rest]
        elif word in ("-s", "--session"):
            name = next(rest, "")
        elif word.startswith("--session="):
            name = word.partition("=")[2]
        else:
            own.append(word)
    return own, name


def _run(words: list[str], name: str | None, program: Sequence[str]) -> int:
    from .exploring.process.asking import GONE, INTERRUPTED, Refusal, say

    try:
        return _dispatch(words, name, program)
    except Refusal as refusal:
        say(f"replicant: {refusal}", error=True)
        return refusal.code
    except KeyboardInterrupt:
        if words[0] in ("open", "sessions"):
            say("replicant: interrupted; a session that was opening goes on. Next: replicant sessions", error=True)
        else:
            of = f" -s {name}" if name else ""
            say(f"replicant: interrupted; the step goes on. Next: replicant last{of}", error=True)
        return INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # Python flushes once more at its end, and would complain
        return GONE
    except OSError as error:  # a full disk, most likely
        say(f"replicant: {error}", error=True)
        return GONE


def _dispatch(words: list[str], name: str | None, program: Sequence[str]) -> int:
    from .exploring.process import records
    from .exploring.process.asking import Refusal, ask

    if name is None:
        name = os.environ.get("REPLICANT_SESSION") or None
    if name is not None and not records.is_name(name):
        raise Refusal(
            f"no name of a session: {records.printable(name)!r}. Next: name it with at most "
            f"{records.LONGEST_NAME} letters, digits, '.', '_' and '-', as in -s shop"
        )
    folder = records.sessions_folder()
    try:
        if words[0] == "open":
            from .exploring.process.starting import open_session

            return open_session(folder, name or "", words, program)
        there = records.check_folder(folder)
        if words[0] == "sessions" or words[:2] == ["close", "--all"]:
            from .exploring.process.listing import close_all, list_sessions

            return (list_sessions if words[0] == "sessions" else close_all)(folder if there else "", words)
        return ask(folder, _chosen(folder if there else "", name), words)
    except (PermissionError, NotADirectoryError) as error:
        raise Refusal(records.unusable(folder, error)) from None


def _chosen(folder: str, name: str | None) -> Record:
    """The record of the session: that of the name, else the only one of this project. Raises ``Refusal``."""
    from .exploring.process import records
    from .exploring.process.asking import Refusal, gone

    left = records.names(folder) if folder else []
    living = records.living(folder)
    if name is None:
        name = _of_this_project(folder, left, living)
    if name not in left:
        others = f" Open: {', '.join(living)}." if living else ""
        raise Refusal(f"no session {name} is open.{others} Next: replicant open APP --device URI -s {name}")
    if name not in living:
        raise gone(folder, name)
    try:
        record = records.read(folder, name)
    except ValueError as error:
        raise Refusal(
            f"the record of session {name} cannot be used: {error}. Next: end its process, then open it again "
            "with this version"
        ) from None
    if record is None:
        raise Refusal(f"session {name} is still opening, or closing. Next: try again; see 'replicant sessions'")
    return record


def _of_this_project(folder: str, left: Sequence[str], living: Sequence[str]) -> str:
    """The name of its only session, living if one is. Raises ``Refusal``."""
    from .exploring.process import records
    from .exploring.process.asking import Refusal, working_folder

    project = records.project_of(working_folder())
    projects = {each: records.project_of_session(folder, each) for each in left}
    own = [each for each in left if projects[each] == project]
    alive = [each for each in own if each in living]
    if len(alive) > 1:
        raise Refusal(
            f"several sessions are open: {', '.join(alive)}. Next: name one, as in -s {alive[0]}, or set "
            "REPLICANT_SESSION"
        )
    unknown = [each for each in living if not projects[each]]  # still opening, or damaged
    for each in (*alive, *own, *unknown):
        return each
    others = f" in this project. Open in others: {', '.join(living)}" if living else ""
    reach = f", or -s {living[0]} for another's" if living else ""
    ended = records.last_end(folder, project)
    raise Refusal(f"no session is open{others}. Next: replicant open APP --device URI{reach}.{ended}")


if __name__ == "__main__":
    sys.exit(main())
