"""``python -m benchmarks``: runs every benchmark, prints its table, and writes
``docs/benchmarks.md``."""

from __future__ import annotations

import argparse
import json
import platform
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from . import (
    advice,
    cassettes,
    exploring,
    grouping,
    heal,
    house,
    parallel,
    refs,
    report_cost,
    snapshot_speed,
    startup,
    titles,
    verified_step,
    walks,
)
from .table import Table, Unmeasurable

if TYPE_CHECKING:
    from collections.abc import Callable

BENCHMARKS: dict[str, Callable[[], Table | list[Table]]] = {
    "house": house.measure,
    "walks": walks.measure,
    "startup": startup.measure,
    "verified_step": verified_step.measure,
    "report_cost": report_cost.measure,
    "parallel": parallel.measure,
    "refs": refs.measure,
    "titles": titles.measure,
    "advice": advice.measure,
    "heal": heal.measure,
    "exploring": exploring.measure,
    "cassettes": cassettes.measure,
    "snapshot_speed": snapshot_speed.measure,
    "grouping": grouping.measure,
}
# benchmarks that take options where they run alone
OPTIONS = {
    "refs": refs.alone,
    "heal": heal.alone,
    "exploring": exploring.alone,
}
DOCS = Path(__file__).parent.parent / "docs" / "benchmarks.md"
RESULTS = Path(__file__).parent / "results"

PREFACE = """# Figures

Made by `make bench`. Ratios and counts are what matters; times depend on the machine. The command above a table
also prints how it was measured, and the tables that it sums up.
"""


def main() -> int:
    name, *options = sys.argv[1:] or [""]
    if options and name in OPTIONS and options[0].startswith("-"):
        for table in OPTIONS[name](options):
            print(table.markdown())
        return 0
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "names", nargs="*", metavar="name", help=f"which: {', '.join(BENCHMARKS)} (default: all)"
    )
    chosen = parser.parse_args().names or list(BENCHMARKS)
    unknown = [name for name in chosen if name not in BENCHMARKS]
    if unknown:
        parser.error(f"no benchmark {', '.join(unknown)}; there are: {', '.join(BENCHMARKS)}")
    tables, missing = _measured(chosen)
    for table in tables:
        print(table.markdown())
    _write(tables)
    for line in missing:
        print(f"{line}; docs/ stays as it is")
    if set(chosen) == set(BENCHMARKS) and not missing:
        machine = f"Python {platform.python_version()}, {platform.system()} {platform.machine()}."
        shown = [table.for_page() for table in tables if not table.detail]
        DOCS.write_text("\n".join([PREFACE, machine, "", *shown]), encoding="utf-8")
        print(f"written: {DOCS}")
    return 0


def _measured(names: list[str]) -> tuple[list[Table], list[str]]:
    """The tables, and what could not be measured and why."""
    tables: list[Table] = []
    missing: list[str] = []
    for name in names:
        try:
            measured = BENCHMARKS[name]()
        except Unmeasurable as reason:
            missing.append(f"{name} was not measured: {reason}")
            continue
        tables += measured if isinstance(measured, list) else [measured]
    return tables, missing


def _write(tables: list[Table]) -> None:
    RESULTS.mkdir(exist_ok=True)
    for table in tables:
        path = RESULTS / f"{table.name}.json"
        path.write_text(json.dumps(table.to_dict(), indent=2) + "\n", encoding="utf-8")


sys.exit(main())
