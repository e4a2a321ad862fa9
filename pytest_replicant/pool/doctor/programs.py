"""Programs of other makers on this computer: where they are, and what they call their version."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

SECONDS = 5.0


def sdk_folders(environment: Mapping[str, str] = os.environ) -> list[Path]:
    """Where the Android SDK is said to be."""
    said = (environment.get(name) for name in ("ANDROID_HOME", "ANDROID_SDK_ROOT"))
    return [Path(name) for name in dict.fromkeys(said) if name]


def find_all(program: str, inside: str, environment: Mapping[str, str] = os.environ) -> list[str]:
    """Every one that a command may start: first that of the PATH, then those of the SDK's folder ``inside``."""
    folders = [
        *environment.get("PATH", "").split(os.pathsep),
        *(str(sdk / inside) for sdk in sdk_folders(environment)),
    ]
    places = (shutil.which(program, path=folder) for folder in folders if folder)
    return list(dict.fromkeys(os.path.realpath(place) for place in places if place))


def said_by(*command: str) -> str:
    """Its output. Raises ``OSError`` where it does not start, ``TimeoutError`` where it does not end."""
    try:
        ended = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise TimeoutError(f"{command[0]} did not end within {SECONDS:g} s") from None
    return ended.stdout.decode("utf-8", "replace")
