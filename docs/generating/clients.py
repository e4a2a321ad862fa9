"""``docs/reference/clients.md``, of what came of a run that ``clients.json`` keeps.

``python -m docs.generating clients``, or with names of clients for these alone, runs them again and
writes both.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from tests.clients.running import run_all
from tests.clients.scenarios import CLIENTS, ELSEWHERE

from .wording import anchor, cell

RECORD = Path(__file__).with_name("clients.json")
PAGE = Path(__file__).parent.parent / "reference" / "clients.md"
VERDICTS = ("works", "cannot", "broken")
SOURCES = {"pip": "PyPI", "npm": "npm", "apt": "Debian"}
PHONES = {"android": "Android phone", "ios": "iPhone"}

HEAD = """\
# Other people's clients on it

Each of these was installed unmodified, in an environment of its own. It then made calls on a fresh virtual phone:
those of `tests/clients/scenarios`. `make clients` makes this page. It ran on {when}, with Python {python}.

- *works*: the call had its effect, which was looked up in the phone or in the answer.
- *cannot*: it failed, as it was expected to, for the reason given.
- *broken*: anything else.

| client | version | from | drives | works | cannot | broken |
|---|---|---|---|---|---|---|
"""
NAMES = """\
The client adb goes through a real adb server on a port of its own, and the phone's adbd.
"""


def page() -> str:
    """The whole page."""
    return render(json.loads(RECORD.read_text(encoding="utf-8")))


def render(record: Mapping[str, Any]) -> str:
    """The page of that run."""
    found = record["clients"]
    lines, sections = [], []
    for client in CLIENTS:
        one = found[client.name]
        if "unavailable" in one:
            lines.append(
                f"| {client.name} | not run: {cell(one['unavailable'])} | {SOURCES[client.source]} "
                "| | | | |"
            )
            continue
        counts = [sum(row["verdict"] == verdict for row in one["rows"]) for verdict in VERDICTS]
        where = f"{SOURCES[client.source]}: `{client.package}`"
        counted = " | ".join(str(count) for count in counts)
        remarks = [row for row in one["rows"] if row["verdict"] != "works" or row["reason"]]
        name = (
            f"[{client.name}](#{anchor(client.name.replace(chr(39), ''))})"
            if remarks
            else client.name
        )
        lines.append(
            f"| {name} | {one['version']} | {where} | {PHONES[client.platform]} | {counted} |"
        )
        if remarks:
            sections.append(f"\n## {client.name}\n")
            sections += [f"- {_code(row['call'])} {_verdict(row)}" for row in remarks]
    head = HEAD.format(when=record["date"], python=record["python"])
    elsewhere = ["\n## Not run\n", *(f"- **{name}**: {why}." for name, why in ELSEWHERE.items())]
    return "\n".join([head + "\n".join(lines), "", NAMES.rstrip(), *sections, *elsewhere]) + "\n"


def _code(call: str) -> str:
    ticks = "``" if "`" in call else "`"
    return f"{ticks}{call}{ticks}"


def _verdict(row: Mapping[str, str]) -> str:
    why = f": {cell(row['reason'])}" if row["reason"] else ""
    return f"{'**broken**' if row['verdict'] == 'broken' else row['verdict']}{why}"


def run_again(words: Sequence[str]) -> None:
    """Runs the clients of these names, or all, and writes the record and the page."""
    parser = argparse.ArgumentParser(
        prog="python -m docs.generating clients", description="Runs outside clients."
    )
    parser.add_argument("names", nargs="*", metavar="CLIENT", help="which (default: all)")
    chosen = parser.parse_args(words).names
    unknown = set(chosen) - {client.name for client in CLIENTS}
    if unknown:
        parser.error(
            f"no {', '.join(sorted(unknown))}; there are: "
            f"{', '.join(each.name for each in CLIENTS)}"
        )
    found = run_all([client for client in CLIENTS if not chosen or client.name in chosen])
    kept = json.loads(RECORD.read_text(encoding="utf-8"))["clients"] if chosen else {}
    record = {
        "date": date.today().isoformat(),
        "python": platform.python_version(),
        "clients": {**kept, **found},
    }
    RECORD.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    for name, one in found.items():
        verdicts = [row["verdict"] for row in one.get("rows", ())]
        counts = ", ".join(f"{verdict} {verdicts.count(verdict)}" for verdict in VERDICTS)
        sys.stdout.write(f"{name} {one.get('version', one.get('unavailable'))}: {counts}\n")
