"""Reads who an APK is: from its manifest, by apk-info, or from a bundle of this project's own.

Such a bundle is a zip with ``replicant-app.json``: ``{"package": "dev.example.app", "label":
"Example", "version_name": "1.2", "version_code": 12, "activity": ".Main", "permissions": [...]}``,
where only ``package`` is needed.
"""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from . import apk_facts

BUNDLE = "replicant-app.json"
_PARTS = ("AndroidManifest.xml", "resources.arsc")  # what facts are in
SECONDS = 30.0
LARGEST_PART = 64 << 20  # bytes; an archive may claim any size for what it holds
_DAMAGE = (
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    RuntimeError,
    EOFError,
    OSError,
    zlib.error,
    subprocess.SubprocessError,
)
_NATIVE = re.compile(r"lib/([^/]+)/[^/]+\.so")
_PACKAGE = re.compile(r"[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z][A-Za-z0-9_]*)+")


class InstallFailed(Exception):
    """``str()`` is what Android prints: ``Failure [INSTALL_…: why]``."""

    def __init__(self, code: str, why: str) -> None:
        super().__init__(f"Failure [{code}: {why}]")
        self.code = code
        self.why = why


@dataclass(frozen=True)
class Manifest:
    """What an APK says about itself."""

    package: str
    label: str = ""
    version_name: str = "1.0"
    version_code: int = 1
    activity: str = ""
    permissions: tuple[str, ...] = ()
    min_sdk: int = 24
    target_sdk: int = 34
    native: tuple[
        str, ...
    ] = ()  # the processors that its native code is for; none where it has no such code


def read_apk(data: bytes, source: str) -> Manifest:
    """Raises ``InstallFailed`` for a file that is no APK; its message names ``source``."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = archive.namelist()
            content = _part(archive, BUNDLE) if BUNDLE in names else _manifest(archive, names)
            # of lib/arm64-v8a/libshop.so the ABI that it is built for
            native = {found[1] for name in names if (found := _NATIVE.fullmatch(name))}
            manifest = replace(_read(content), native=tuple(sorted(native)))
    except zipfile.BadZipFile:
        raise InstallFailed("INSTALL_PARSE_FAILED_NOT_APK", f"Failed to parse {source}") from None
    except _DAMAGE as error:
        raise InstallFailed(
            "INSTALL_PARSE_FAILED_UNEXPECTED_EXCEPTION", f"Failed to parse {source}: {error}"
        ) from None
    if not _PACKAGE.fullmatch(manifest.package):
        raise InstallFailed(
            "INSTALL_PARSE_FAILED_BAD_PACKAGE_NAME", f"Invalid manifest package: {manifest.package}"
        )
    return manifest


def _part(archive: zipfile.ZipFile, name: str) -> bytes:
    with archive.open(name) as member:
        content = member.read(LARGEST_PART + 1)
    if len(content) > LARGEST_PART:
        raise ValueError(f"{name} is larger than {LARGEST_PART} bytes")
    return content


def _read(content: bytes) -> Manifest:
    given = json.loads(content)
    package, facts = str(given["package"]), Manifest("")
    return Manifest(
        package=package,
        label=str(given.get("label", "")),
        version_name=str(given.get("version_name", facts.version_name)),
        version_code=int(given.get("version_code", facts.version_code)),
        activity=_full_name(package, str(given.get("activity", ""))),
        permissions=tuple(str(name) for name in given.get("permissions", ())),
        min_sdk=int(given.get("min_sdk", facts.min_sdk)),
        target_sdk=int(given.get("target_sdk", facts.target_sdk)),
    )


def _manifest(archive: zipfile.ZipFile, names: Sequence[str]) -> bytes:
    """The facts in the manifest, as JSON."""
    if _PARTS[0] not in names:
        raise ValueError(f"no {_PARTS[0]} in it")
    with tempfile.TemporaryDirectory(prefix="replicant-apk-") as folder:
        small = Path(folder, "parts.apk")
        with zipfile.ZipFile(small, "w") as parts:
            for name in {*_PARTS} & {*names}:
                parts.writestr(name, _part(archive, name))
        program = [sys.executable, "-I", apk_facts.__file__, str(small)]
        ended = subprocess.run(
            program, stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS, check=False
        )
    if ended.returncode:
        raise ValueError(ended.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2])
    return ended.stdout


def _full_name(package: str, name: str) -> str:
    if name.startswith("."):
        return package + name
    return f"{package}.{name}" if name and "." not in name else name
