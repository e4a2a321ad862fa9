"""The files of ``doctor --prove --save`` and ``record``: shown before they are written, whole or
not at all, and read by ``snapshot`` and ``virtual from-capture``."""

from __future__ import annotations

import errno
import io
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from pytest_replicant.cli import FINE, TROUBLE, USAGE, main
from pytest_replicant.errors import DeviceOffline
from pytest_replicant.real_phones import Recording, read_capture
from tests.conftest import Capture

SHOP = "dev.replicant.shop"
PHONE, IPHONE = "virtual?latency=0", "virtual:ios?latency=0"
TYPED = "zebra-orchid-9431"
RECORD = [sys.executable, "-m", "pytest_replicant.cli", "record", PHONE]
ROOT = Path(__file__).parents[3]


@pytest.fixture(autouse=True)
def empty_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", "1")


def record(
    monkeypatch: pytest.MonkeyPatch, lines: list[str], *options: str, uri: str = PHONE
) -> int:
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    return main(["record", uri, *options])


def test_a_full_disk(capsys: Capture, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("os.replace", full)
    assert record(monkeypatch, [f"open {SHOP}", "done"]) == TROUBLE
    assert (
        "recording.zip was not written: No space left on device. Next: make room"
        in capsys.readouterr().out
    )
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (["--prove", "--save", "phone.txt"], "has to end in .zip"),
        (["--prove", "--save", "no/such/folder/phone.zip"], "no/such/folder is no folder"),
        (["--prove", "--save", "folder.zip"], "--save folder.zip: it is a folder"),
        (["--prove", "--with-texts"], "goes with --save"),
        (
            ["--prove", "--save", "p.zip", "--device", "virtual"],
            "--save takes one phone, and there are 2",
        ),
        (["--save", "phone.zip"], "--save goes with --prove"),
        (["--with-texts"], "--with-texts goes with --prove"),
    ],
)
def test_usage(given: list[str], why: str, capsys: Capture) -> None:
    Path("folder.zip").mkdir()
    assert main(["doctor", *given, "--device", IPHONE]) == USAGE
    assert why in capsys.readouterr().err


def test_a_recording(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    lines = [
        f"open {SHOP}",
        "look",
        "",
        "shout",
        "tap z999",
        f"type k020 {TYPED}",
        "done",
        "tap k020",
    ]
    assert record(monkeypatch, lines) == FINE

    said = capsys.readouterr().out
    assert '[k020] EditText "Email"' in said
    assert "replicant: 'shout' is no step." in said
    assert "FAILED STALE_REFERENCE, nothing sent" in said
    assert "Not seen: a list that can be scrolled" in said
    capture = read_capture(Path("recording.zip"))
    assert len(capture.screens) == 2
    assert TYPED not in str(capture)
    assert all(SHOP in each.app for each in capture.screens)

    assert record(monkeypatch, ["done"]) == USAGE
    assert "recording.zip is there already" in capsys.readouterr().err
    assert main(["virtual", "from-capture", "recording.zip"]) == FINE
    assert "recording.json: Virtual Phone, Android 14, 2 screens" in capsys.readouterr().out


def test_the_time_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    read, write = os.pipe()
    os.write(write, f"open {SHOP}\n".encode())
    with os.fdopen(read) as endless:
        monkeypatch.setattr(sys, "stdin", endless)
        assert main(["record", PHONE, "--minutes", "0.02"]) == FINE
        os.close(write)
    assert len(read_capture(Path("recording.zip")).screens) == 1


@pytest.mark.parametrize(
    "words",
    [
        *(["record", PHONE, "--minutes", minutes] for minutes in ("0", "nan", "many", "121")),
        ["inspect", SHOP, "--idle", "1441"],
    ],
)
def test_minutes(words: list[str], capsys: Capture) -> None:
    assert main(words) == USAGE
    assert "is no number of minutes" in capsys.readouterr().err


def test_ctrl_c_keeps_what_was_seen(tmp_path: Path) -> None:
    process = subprocess.Popen(
        RECORD, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"},
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(f"open {SHOP}\n")
    process.stdin.flush()
    for line in process.stdout:
        if line.startswith("screen-01"):
            break
    process.send_signal(signal.SIGINT)
    said, complaint = process.communicate(timeout=30)
    assert (process.returncode, complaint) == (FINE, "")
    assert "saved recording.zip" in said
    assert len(read_capture(tmp_path / "recording.zip").screens) == 1


@pytest.mark.parametrize("screens", [0, 1])
def test_a_phone_that_is_lost(
    screens: int, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    looked = Recording.look

    def look(recording: Recording) -> str:
        if len(recording.collector.screens) == screens:
            raise DeviceOffline("the cable is out", device="virtual-1")
        return looked(recording)

    monkeypatch.setattr(Recording, "look", look)
    assert record(monkeypatch, [f"open {SHOP}", "", "", ""]) == TROUBLE
    said = capsys.readouterr().out
    assert "The phone was lost: the cable is out" in said
    assert ("No screen was seen" in said) is not Path("recording.zip").exists() is bool(screens)
