"""``replicant doctor --prove``: what it prints of each phone, what it returns, and how it is ended
early."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pytest_replicant.cli import FINDING, FINE, INTERRUPTED, TROUBLE, USAGE, main
from pytest_replicant.real_phones import read_capture
from tests.conftest import Capture

HONEST = "virtual:ios?latency=0"
# each read shows the screen before, as does one that is turned
PLANTED = "virtual?latency=0&stale_dump=1"


@pytest.fixture(autouse=True)
def no_adb_server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", "1")


@pytest.mark.thorough
def test_phones_side_by_side(capsys: Capture) -> None:
    assert main(["doctor", "--prove", "--device", PLANTED, "--device", HONEST]) == FINDING

    lines = capsys.readouterr().out.splitlines()
    start = lines.index(f"{PLANTED}: Virtual Phone, Android 14")
    other = lines.index(f"{HONEST}: iPhone, iOS 17.5")
    verdicts = [
        line.split()[0] for line in lines[start:other] if line.startswith("  ") and line[2] != " "
    ]
    assert verdicts.count("broken") == 1
    assert any("the hierarchy reaches to" in line for line in lines[start:other])
    assert (
        sum(line.startswith((f"{PLANTED}: holds: ", f"{HONEST}: holds: ")) for line in lines) == 2
    )
    table = next(place for place, line in enumerate(lines) if line.startswith("model "))
    rows = [line.split() for line in lines[table + 1 : table + 3]]
    assert [(row[0], row[-3]) for row in rows] == [("Virtual", "1"), ("iPhone", "0")]
    assert lines[table + 3] == "broken on Virtual Phone: rotate-screen"
    assert lines[table + 4].startswith("1 clause is broken, ")


@pytest.mark.thorough
def test_one_object_and_one_file_for_others(capsys: Capture, tmp_path: Path) -> None:
    saving = ["--save", "phone.zip", "--device", "virtual?latency=0"]
    assert main(["doctor", "--prove", "--contacts", "--json", *saving]) == FINE

    printed = capsys.readouterr()
    written, complete = printed.err.split("saved phone.zip, ")
    assert written.startswith(
        "writing phone.zip: Virtual Phone, Android 14, 6 screens, texts redacted\n"
    )
    assert "Look into it before you send it" in complete
    assert [each.name for each in tmp_path.iterdir()] == ["phone.zip"]
    capture = read_capture(tmp_path / "phone.zip")
    assert capture.made["phone"] == "virtual"
    assert b"Display" not in b"".join(each.hierarchy for each in capture.screens)
    (latency,) = (facts["latency"] for facts in capture.facts.values() if "latency" in facts)
    assert {"dump_ms", "screenshot_ms", "shell_ms"} < set(latency)
    said = json.loads(printed.out)
    (proven,) = said["phones"]
    assert (said["schema"], said["verdict"]) == ("replicant.proof/1", "holds")
    assert (proven["uri"], proven["verdict"], proven["left"]) == ("virtual?latency=0", "holds", [])
    assert proven["saved"] == "phone.zip"
    assert [row.name for row in capture.proof] == [row["name"] for row in proven["clauses"]]
    assert proven["device"]["model"] == "Virtual Phone"
    clauses = {row["name"]: row for row in proven["clauses"]}
    assert list(clauses["tour-contacts"]) == ["name", "claim", "verdict", "ms", "reason"]
    assert clauses["tour-contacts"]["verdict"] == "holds"
    assert "tour-dialler" not in clauses


def test_a_phone_that_cannot_be_had(capsys: Capture) -> None:
    absent = "ios:http://127.0.0.1:1"
    assert main(["doctor", "--prove", "--json", "--timeout", "2", "--device", absent]) == TROUBLE

    (said,) = json.loads(capsys.readouterr().out)["phones"]
    assert (said["verdict"], said["clauses"]) == ("not finished", [])
    assert "WebDriverAgent" in said["ended"]


@pytest.mark.parametrize(
    "given",
    [
        ["--prove", "--device", "virtual:0"],
        ["--prove", "--device", "andriod"],
        ["--contacts"],
        ["--prove", "--nothing"],
    ],
)
def test_usage(given: list[str], capsys: Capture) -> None:
    assert main(["doctor", *given]) == USAGE
    assert capsys.readouterr().err


def test_no_phone_is_attached(capsys: Capture) -> None:
    """A virtual one that the project's tests run on is none to be proven."""
    Path("pytest.ini").write_text("[pytest]\nreplicant_device = virtual\n")
    assert main(["doctor", "--prove"]) == TROUBLE
    assert "android: not proven. Not finished: no adb server" in capsys.readouterr().out


@contextmanager
def proof(*given: str) -> Iterator[subprocess.Popen[str]]:
    command = [
        sys.executable,
        "-m",
        "pytest_replicant.cli",
        "doctor",
        "--prove",
        "--device",
        *given,
    ]
    environment = {
        **os.environ,
        "PYTHONPATH": str(Path(__file__).parents[3]),
        "PYTHONUNBUFFERED": "1",
    }
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        yield process


def test_ctrl_c_ends_it_with_what_was_found() -> None:
    with proof("virtual?latency=0&rpc_ms=50") as process:
        assert process.stdout is not None
        while "holds" not in process.stdout.readline():
            pass
        for _ in range(
            2
        ):  # as of `timeout`, which signals the process and its group: it is asked once
            process.send_signal(signal.SIGINT)
        out, said = process.communicate(timeout=30)

    assert process.returncode == INTERRUPTED
    assert said.strip().startswith("replicant: stopping, and putting the phone back")
    joined = " ".join(out.split())
    assert "Not finished: it was stopped. The phone is as it was." in joined
    assert "1 proof not finished." in joined
