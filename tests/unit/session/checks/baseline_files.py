"""The files of a test in which baselines are kept, in a folder."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from pytest_replicant.session import BaselineKind


@dataclass
class BaselineFiles:
    """``updating``: this run writes."""

    root: Path
    updating: bool = False
    proposed: dict[Path, Callable[[bytes | None], bytes]] = field(default_factory=dict)

    def folder(self, kind: BaselineKind) -> Path:
        return self.root / kind / "test_form"

    def shown(self, path: Path) -> str:
        return path.relative_to(self.root).as_posix()

    def updates(self, kind: BaselineKind) -> bool:
        return self.updating

    def propose(self, path: Path, make: Callable[[bytes | None], bytes]) -> None:
        self.proposed[path] = make

    def write(self) -> list[Path]:
        for path, make in self.proposed.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(make(path.read_bytes() if path.is_file() else None))
        written, self.updating = list(self.proposed), False
        self.proposed.clear()
        return written
