"""``replicant heal``: a patch of locators that no longer find their element, to review and apply by
hand."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .. import test_code
from ..errors import UsageError
from ..model.printable import counted, few, printable
from .process import argument, code_of, command, flag, not_read, print_json

SCHEMA = "replicant.heal/1"
_MOST_TESTS = 3
_WIDEST = 300


@command(
    "heal",
    "propose a patch of locators that no longer find their element",
    "Takes each action of a report that did not find its target, finds that element of the last "
    "pass again on the failing screen, and prints a patch for git apply that changes the locator's "
    "keywords and nothing else. It applies nothing, and never changes an expectation. The last "
    "pass is looked for in the runs next to REPORT, or in --older. Exit codes: 0 no action failed "
    "to find its target, 1 proposals or refusals, 2 usage, 3 as 0, but not all could be read.",
    argument("report", "REPORT", "the folder of a run, of a test or of all runs, or a .zip"),
    argument("--older", "REPORT", "a report in which the tests passed"),
    argument("--root", "DIR", "where the tests were run (default: here)", type=Path),
    flag("--json", f"one JSON object, {SCHEMA}"),
)
def run(arguments: argparse.Namespace) -> int:
    """Prints the patch. Raises ``UsageError``."""
    found = test_code.heal(arguments.report, arguments.older, arguments.root)
    if arguments.json:
        print_json(to_dict(found))
    else:
        # which git apply passes over
        head = "".join(f"# {line}".rstrip() + "\n" for line in _lines(found))
        if sys.stdout is None:
            raise UsageError("standard output is closed")
        sys.stdout.flush()  # bytes as they are: line ends in a patch are those of the files
        sys.stdout.buffer.write(head.encode("utf-8", "backslashreplace") + found.patch)
        sys.stdout.buffer.flush()
    return code_of(found.healed or found.refused, found.troubles)


# --- for people -----------------------------------------------------------------------------------


def _lines(found: test_code.Healing) -> Iterator[str]:
    changed = counted(len(found.healed), "locator")
    head = f"{found.report}: {changed} to change, {len(found.refused)} left as they are"
    yield printable(f"replicant heal {head}", _WIDEST)
    for one in found.healed:
        yield from _change(one)
    for refused in found.refused:
        yield ""
        refusal, failed = refused.refusal, refused.failed
        place = f"{failed.source or failed.test} {failed.locator}"
        yield printable(f"left ({refusal.code}): {place}", _WIDEST)
        yield printable(f"  {refusal.why}.", _WIDEST)
        yield printable(f"  Next: {refusal.next}.", _WIDEST)
        yield printable(f"  failed: {failed.test}")
    if found.others:
        others = counted(found.others, "test")
        yield ""
        yield f"{others} failed by something else: replicant triage says by what"
    if found.troubles:
        yield ""
        yield from not_read(found.troubles)
    if found.healed:
        confirms = "a device confirms it, no recording."
        yield ""
        yield f"Next: review it, git apply it, and run the tests: {confirms}"


def _change(one: test_code.Healed) -> Iterator[str]:
    """One locator that changes, why, and the tests that failed by it."""
    yield ""
    named = f" {one.name} =" if one.name else ""
    yield printable(f"{one.file}:{one.line}{named} {one.before} -> {one.after}", _WIDEST)
    for evidence in dict.fromkeys(text for _, text in one.evidence):
        yield printable(f"  {evidence}", _WIDEST)
    yield printable(f"  {one.proof}", _WIDEST)
    tests = list(dict.fromkeys(failed.test for failed, _ in one.evidence))
    yield from (f"  failed: {printable(line)}" for line in few(tests, _MOST_TESTS))


# --- for programs ---------------------------------------------------------------------------------


def to_dict(found: test_code.Healing) -> dict[str, Any]:
    """``patch`` is text; bytes of a file that are no UTF-8 were refused before."""
    return {
        "schema": SCHEMA,
        "report": found.report,
        "healed": [
            {
                "file": one.file,
                "line": one.line,
                "name": one.name,
                "before": str(one.before),
                "after": str(one.after),
                "proof": one.proof,
                "failures": [
                    {"test": failed.test, "source": failed.source, "evidence": evidence}
                    for failed, evidence in one.evidence
                ],
            }
            for one in found.healed
        ],
        "refused": [
            {
                "code": one.refusal.code,
                "why": one.refusal.why,
                "next": one.refusal.next,
                "locator": one.failed.locator,
                "source": one.failed.source,
                "test": one.failed.test,
            }
            for one in found.refused
        ],
        "others": found.others,
        "patch": found.patch.decode("utf-8"),
        "troubles": list(found.troubles),
    }
