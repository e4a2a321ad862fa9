from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from .desks import PROCESS, Desk


@pytest.fixture
def desk(monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    folder = Path(tempfile.mkdtemp(dir="/tmp", prefix="rep-"))  # short: a socket's path may not be long
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.chdir(folder)  # a project of its own, as no file says that it is in another
    monkeypatch.delenv("REPLICANT_SESSION", raising=False)
    (folder / "process.py").write_text(PROCESS, encoding="utf-8")
    desk = Desk(folder)
    yield desk
    desk.clean_up()
    shutil.rmtree(folder)
