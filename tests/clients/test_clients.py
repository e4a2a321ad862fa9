"""What the page on outside clients says is what was asked of them, and nothing else."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from docs.generating import clients

from .running import HERE, Client, Row, Talk, Unavailable, Watched, installed, judged, phone_of, run
from .scenarios import CLIENTS, absent, away, cleared

RECORD = json.loads(clients.RECORD.read_text(encoding="utf-8"))
OF_PYTHON = [client for client in CLIENTS if client.source == "pip"]


def test_the_record_is_of_these_calls_and_no_others() -> None:
    rows = {
        client.name: [(row.call, bool(row.cannot)) for row in client.rows] for client in CLIENTS
    }
    recorded = {
        name: [(row["call"], row["verdict"] == "cannot") for row in one.get("rows", [])]
        for name, one in RECORD["clients"].items()
    }
    assert recorded == rows, "run `make clients`"
    every = [row for client in CLIENTS for row in client.rows]
    assert [
        row.call for row in every if len({bool(row.cannot), bool(row.error), not row.holds}) > 1
    ] == []


def test_the_page_has_no_place_of_a_computer() -> None:
    text = clients.page()
    assert re.findall(r"/(?:tmp|home|root|work|usr|opt)/|https?://(?!127\.0\.0\.1)\S+", text) == []


def test_what_is_broken_or_missing_is_on_the_page() -> None:
    changed = json.loads(json.dumps(RECORD))
    changed["clients"]["adb"] = {"unavailable": "no | adb"}
    changed["clients"]["Mobly"]["rows"][0] |= {"verdict": "broken", "reason": "it\nsaid | so"}
    page = clients.render(changed)
    assert "| adb | not run: no \\| adb | Debian | | | | |" in page
    assert ")[0]).serial` **broken**: it said \\| so\n" in page
    assert re.search(r"\| \[Mobly\]\(#mobly\) \|.*\| 1 \|$", page, re.MULTILINE)


HOLDS, CANNOT = Row("x", lambda _, said: said == "y"), Row("x", cannot="Java", error="no Java")


@pytest.mark.parametrize(
    ("row", "good", "said", "verdict", "reason"),
    [
        (HOLDS, True, "y", "works", ""),
        (HOLDS, True, "z", "broken", "not what the phone has; the answer was z"),
        (HOLDS, False, "y", "broken", "y"),
        (Row("x"), True, "", "broken", "not what the phone has; the answer was "),
        (CANNOT, False, "Error: no Java", "cannot", "Java"),
        (CANNOT, False, "Error: no route", "broken", "Error: no route"),
        (CANNOT, True, "None", "broken", "None"),
    ],
)
def test_a_call_is_judged(row: Row, good: bool, said: str, verdict: str, reason: str) -> None:
    result = judged(row, good, said, Watched())
    assert (result.verdict, result.reason) == (verdict, reason)


def test_a_client_that_ends_has_answered_nothing(tmp_path: Path) -> None:
    with Talk([sys.executable, str(HERE / "child.py"), "python"], tmp_path, {}) as talk:
        assert talk.ask("x = 'one'\nprint(x)") == (True, "None")
        assert talk.ask("x + 'two'") == (True, "'onetwo'")
        assert talk.ask("y") == (False, "NameError: name 'y' is not defined")
        assert talk.ask("import os; os._exit(1)") == (False, "the client's process ended")
        assert talk.ask("x") == (False, "the client's process ended")


def test_a_line_of_a_shell(tmp_path: Path) -> None:
    command = [sys.executable, str(HERE / "child.py"), "shell"]
    with Talk(command, tmp_path, {"PATH": "/usr/bin:/bin", "X": "5"}) as talk:
        assert talk.ask("echo $X") == (True, "5\n")
        assert talk.ask("echo out; echo no >&2; exit 3") == (
            False,
            "RuntimeError: exit code 3: out\nno",
        )


def test_a_package_that_is_nowhere_is_unavailable(tmp_path: Path) -> None:
    with pytest.raises(Unavailable):
        installed(Client("x", "no-such-package-of-debian", "apt", "", ()), tmp_path)


@pytest.mark.thorough
@pytest.mark.parametrize("client", OF_PYTHON, ids=lambda each: each.name)
def test_clients_of_python_do_what_the_page_says(client: Client, tmp_path: Path) -> None:
    try:
        version, results = run(client, tmp_path)
    except Unavailable as reason:
        pytest.skip(f"{client.package}: {reason}")
    found = [(row.call, row.verdict, row.reason) for row in results]
    recorded = [
        (row["call"], row["verdict"], row["reason"])
        for row in RECORD["clients"][client.name]["rows"]
    ]
    assert found == recorded, f"with {client.name} {version}"


def test_on_a_phone_that_was_not_touched_no_row_holds() -> None:
    """So that none passes of itself, apart from those that undo what one before them did."""
    with phone_of(CLIENTS[0]) as (phone, _):
        phone.files.write("/sdcard/Download/x.txt", b"")
        rows = [row for each in CLIENTS for row in each.rows if row.holds and row.holds(phone, "")]
    assert {row.holds for row in rows} == {away, absent, cleared}
