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

_HELP = frozenset(("-h", "--help"))


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code."""
    from .exploring.process.records import taken_out
    from .exploring.table import BY_NAME

    words = list(sys.argv[1:] if argv is None else argv)
    own, name = taken_out(words, "-s", "--session")
    asks_help = not _HELP.isdisjoint(own[: own.index("--")] if "--" in own else own)
    if not own or own[0] not in BY_NAME or asks_help:
        from .cli import main as command_line

        return command_line(own if own and own[0] in BY_NAME else words)
    return _run(own, name)


def _run(words: list[str], name: str | None) -> int:
    from .exploring.process.protocol import GONE, INTERRUPTED, Refusal, say

    try:
        return _dispatch(words, name)
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


def _dispatch(words: list[str], name: str | None) -> int:
    from .exploring.process import records
    from .exploring.process.protocol import Refusal, ask, check_name, chosen

    if name is None:
        name = os.environ.get("REPLICANT_SESSION") or None
    if name is not None:
        check_name(name)
    folder = records.sessions_folder()
    try:
        if words[0] == "open":
            from .exploring.process.starting import open_session

            return open_session(folder, name or "", words)
        there = records.check_folder(folder)
        if words[0] == "sessions" or words[:2] == ["close", "--all"]:
            from .exploring.process.listing import close_all, list_sessions

            return (list_sessions if words[0] == "sessions" else close_all)(folder if there else "", words)
        return ask(folder, chosen(folder if there else "", name), words)
    except (PermissionError, NotADirectoryError) as error:
        raise Refusal(records.unusable(folder, error)) from None


if __name__ == "__main__":
    sys.exit(main())
