"""What ``replicant doctor --prove --save`` and ``replicant record`` write: it is shown first, then
written."""

from __future__ import annotations

import os
import platform
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import TextIO

from .. import real_phones as proving
from ..drivers import device_name
from ..errors import UsageError, version_of
from ..model.printable import counted, printable
from .process import Option, argument, flag, print_text


@dataclass(frozen=True)
class Saving:
    """Where to, and whether texts are kept as they are."""

    path: Path
    texts: bool = False

    @classmethod
    def of(cls, path: Path, texts: bool) -> Saving:
        """Raises ``UsageError`` for a file that cannot be written."""
        if path.suffix != ".zip":
            raise UsageError(f"--save {path}: the file's name has to end in .zip")
        if path.is_dir():
            raise UsageError(f"--save {path}: it is a folder")
        if not (path.parent.is_dir() and os.access(path.parent, os.W_OK | os.X_OK)):
            raise UsageError(
                f"--save {path}: {path.parent} is no folder that a file could be written to"
            )
        return cls(path, texts)

    def write(self, capture: proving.Capture, private: Collection[str], stream: TextIO) -> str:
        """Prints what goes into the file, then writes it. The result says why there is none, "" for
        one."""
        from ..cassettes import archive_of
        from ..kept_runs.whole_file import write_whole

        path, texts = self.path, "texts as they are"
        try:
            if not self.texts:
                texts, capture = "texts redacted", proving.redacted(capture, private)
            phone = printable(device_name(vars(capture.device)))
            screens = counted(len(capture.screens), "screen")
            print_text(f"writing {path}: {phone}, {screens}, {texts}", stream)
            data = archive_of([proving.taped(capture)], proving.README)
            write_whole(Path(os.path.realpath(path)), data)
            saved = f"saved {path}, {len(data) / 1000:.1f} kB"
            look = f"Look into it before you send it: replicant cassette show {path}"
            print_text(f"{saved}. {look}", stream)
        except OSError as error:
            why = f"{path} was not written: {error.strerror}"
            print_text(f"{why}. Next: make room, or save it elsewhere, and run it again.", stream)
            return why
        return ""


def options(when: str = "") -> list[Option]:
    """``when`` begins the help of each, such as "with --prove: "."""
    file = f"{when}write what the phone showed and said to this file, redacted"
    return [
        argument("--save", "FILE.zip", file, type=Path),
        flag("--with-texts", f"{when}in the file, texts as they are, not redacted"),
    ]


def made_by(command: str) -> dict[str, str]:
    """By which command and versions, and when."""

    versions = {name: version for name in proving.LIBRARIES if (version := version_of(name))}
    now = datetime.now(timezone.utc).strftime("%Y-%m-%d")
    return {"command": command, "date": now, **versions, "python": platform.python_version()}
