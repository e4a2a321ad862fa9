"""``replicant replay``: recorded tests again, on what their phones showed then."""

from __future__ import annotations

import argparse
import os
import tempfile
from pathlib import Path
from typing import Any

from .process import FINDING, FINE, INTERRUPTED, TROUBLE, USAGE, argument, command, flag, option

_OFF = ("diverged", "beyond the recording")
_QUIET = ("-W", "ignore:Module already imported:pytest.PytestAssertRewriteWarning")
"""This command has loaded the plugin before pytest does."""
_PYTEST = {1: FINDING, 2: INTERRUPTED, 3: TROUBLE, 4: USAGE, 5: USAGE}
"""How pytest's own exit codes are reported where no test was replayed, or the run itself broke."""


@command(
    "replay",
    "run recorded tests again, on what their phones showed then, with no phone",
    "Runs the present code of tests on a report's recordings. A recorded failure should be "
    "reproduced, unless its test was changed; anything else should hold. Exit codes: 0 each test "
    "ended so, 1 another verdict, 2 usage, 3 a test diverged or went beyond the recording.",
    argument(
        "report",
        "REPORT[::TEST]",
        "folder of a report, of a run or of a test, or a zip of one; TEST is a test's id or its "
        "end, such as tests/test_cart.py::test_add or test_add",
    ),
    option(
        "--expect",
        choices=("reproduced", "holds"),
        help="the verdict that counts as success, for every test",
    ),
    argument("--attempt", "N", "of a test that was rerun, which attempt; 0 is the first", type=int),
    flag("--allow-network", "let fixtures reach the network"),
    argument(
        "behind",
        "-- ARGUMENT",
        "for pytest: replay R -- --pdb -x",
        nargs="*",
        default=argparse.SUPPRESS,
    ),
)
def run(arguments: argparse.Namespace) -> int:
    """Raises ``UsageError`` if the report has no such test."""
    import pytest

    from ..kept_runs import chosen

    place = arguments.report.partition("::")[0]
    found, _ = chosen(arguments.report)
    nodeids = list(dict.fromkeys(cassette.header.nodeid for _, cassette in found))
    query = "&".join(
        [
            *([f"expect={arguments.expect}"] if arguments.expect else []),
            *([f"attempt={arguments.attempt}"] if arguments.attempt is not None else []),
            *(["network=allow"] if arguments.allow_network else []),
        ]
    )
    seen = _Verdicts()
    with tempfile.TemporaryDirectory(prefix="replicant-") as folder:
        file = Path(folder) / "tests.txt"  # more of them than a command line holds
        file.write_text("\n".join(map(_from_here, nodeids)) + "\n", encoding="utf-8")
        named = f"--replicant-replay={place}{'?' if query else ''}{query}"
        code = pytest.main([named, f"@{file}", *_QUIET, *arguments.behind], plugins=[seen])
    return exit_code(int(code), seen.ended)


def _from_here(nodeid: str) -> str:
    """The id of a test as pytest takes it in this folder, which may lie below the project's."""
    path, separator, names = nodeid.partition("::")
    for above in (Path.cwd(), *Path.cwd().parents):
        if (above / path).exists():
            return f"{os.path.relpath(above / path)}{separator}{names}"
    return nodeid


class _Verdicts:
    def __init__(self) -> None:
        self.ended: list[dict[str, Any]] = []

    def pytest_runtest_logreport(self, report: Any) -> None:
        from ..reporting.attempts.attempt import VERDICT

        if (ended := getattr(report, VERDICT, None)) is not None:
            self.ended.append(ended)


def exit_code(code: int, ended: list[dict[str, Any]]) -> int:
    """``code`` is pytest's own, ``ended`` how the tests did."""
    if code not in (0, 1) or not ended:
        return _PYTEST.get(code, USAGE if not ended else FINE)
    others = [one["verdict"] for one in ended if one["verdict"] != one["wanted"]]
    if any(verdict in _OFF for verdict in others):
        return TROUBLE
    return FINDING if others or code else FINE
