"""The page on proving a phone, followed in an empty folder with a virtual phone behind a real adb
server."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from pytest_replicant.virtual import PhoneServer, VirtualPhone
from tests.faults.phone_state import differences, state_of

from .private_adb import Adb

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "how-to" / "prove-your-phone.md"
TEST = """
def test_settings(mobile):
    mobile.launch("com.android.settings").expect_app("foreground", "com.android.settings")
"""
SET_UP = ("pip install", "adb start-server")  # which are done


def commands() -> list[str]:
    blocks = re.findall(r"```console\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    lines = [line.removeprefix("$ ") for block in blocks for line in block.splitlines()]
    return [line for line in lines if not line.startswith(SET_UP)]


def followed(line: str, folder: Path, adb: Adb) -> subprocess.CompletedProcess[str]:
    program, *words = shlex.split(line)
    module = {"replicant": "pytest_replicant.cli", "pytest": "pytest"}[program]
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "HOME": str(folder / "home"),
        "ANDROID_ADB_SERVER_PORT": str(adb.port),
        "ANDROID_ADB_SERVER_ADDRESS": "127.0.0.1",
    }
    typed = "open dev.replicant.shop\nlook\ndone\n"
    return subprocess.run(
        [sys.executable, "-m", module, *words],
        check=False,
        cwd=folder,
        env=environment,
        input=typed if "record" in words else "",
        capture_output=True,
        text=True,
        timeout=120,
    )


@pytest.mark.ci
@pytest.mark.thorough
def test_the_page_can_be_followed(
    through_adbd: Adb, phone: VirtualPhone, server: PhoneServer, tmp_path: Path
) -> None:
    folder = tmp_path / "empty"
    (folder / "home").mkdir(parents=True)
    before = state_of(phone)
    lines = commands()
    assert [line.split()[1] for line in lines if line.startswith("replicant")] == [
        "doctor", "doctor", "snapshot", "snapshot", "virtual", "record",
    ]  # fmt: skip
    for line in lines:
        if line.startswith("pytest"):
            (folder / "test_settings.py").write_text(TEST)
        done = followed(line, folder, through_adbd)
        assert done.returncode == 0, f"{line}\n{done.stdout}\n{done.stderr}"
        if "--prove" in line:
            assert differences(before, state_of(phone)) == []

    names = {path.name for path in folder.iterdir()} - {"home", "test_settings.py"}
    assert {"phone.zip", "phone.json", "app.zip"} <= names
    with zipfile.ZipFile(folder / "phone.zip") as archive:
        whole = b"".join(map(archive.read, archive.namelist()))
    assert phone.profile.serial.encode() not in whole
