"""Packages that the virtual phone installs."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

from pytest_replicant.testing import Installable

CAMERA_APP = "dev.example.camera"


def package(folder: Path, name: str, *permissions: str) -> Path:
    """A bundle as the virtual phone knows it; ``permissions`` in Android's names."""
    path = folder / f"{name}.apk"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(
            "replicant-app.json", json.dumps({"package": name, "permissions": permissions})
        )
    return path


def camera_app(folder: Path) -> Installable:
    """Asks for the camera and for where the phone is, the latter in two permissions."""
    wanted = ("CAMERA", "ACCESS_FINE_LOCATION", "ACCESS_COARSE_LOCATION")
    path = package(folder, CAMERA_APP, *(f"android.permission.{name}" for name in wanted))
    return Installable(CAMERA_APP, path, "location")
