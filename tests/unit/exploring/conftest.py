from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from .desks import PROCESS, Desk


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.chdir(tmp_path)  # a project of its own, as no file says that it is in another
    monkeypatch.delenv("REPLICANT_SESSION", raising=False)
    (tmp_path / "process.py").write_text(PROCESS, encoding="utf-8")
    desk = Desk(tmp_path)
    yield desk
    desk.clean_up()
