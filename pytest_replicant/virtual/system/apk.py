"""Reads who an APK is: from a binary ``AndroidManifest.xml``, or from a bundle of this project's own.

Such a bundle is a zip with ``replicant-app.json``: ``{"package": "dev.example.app", "label": "Example",
"version_name": "1.2", "version_code": 12, "activity": ".Main", "permissions": [...], "instrumentation":
[...]}``, where only ``package`` is needed.
"""

from __future__ import annotations

import io
import json
import re
import zipfile
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, replace

from .binary_xml import XmlElement, read_binary_xml

BUNDLE = "replicant-app.json"
LARGEST_MANIFEST = 4_000_000  # bytes; an archive may claim any size for what it holds
_DAMAGE = (ValueError, LookupError, TypeError, AttributeError, RuntimeError, EOFError, OSError, zlib.error)
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
    instrumentation: tuple[str, ...] = ()
    native: tuple[str, ...] = ()  # the processors that its native code is for; none where it has no such code


def read_apk(data: bytes, source: str) -> Manifest:
    """Raises ``InstallFailed`` for a file that is no APK; its message names ``source``."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = archive.namelist()
            if BUNDLE in names:
                manifest = _from_bundle(_member(archive, BUNDLE))
            elif "AndroidManifest.xml" in names:
                manifest = _from_elements(read_binary_xml(_member(archive, "AndroidManifest.xml")))
            else:
                raise ValueError("no AndroidManifest.xml in it")
            manifest = replace(manifest, native=_processors(names))
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


def _processors(names: Iterable[str]) -> tuple[str, ...]:
    """Of ``lib/arm64-v8a/libshop.so``: the ABI that it is built for."""
    return tuple(sorted({found[1] for name in names if (found := _NATIVE.fullmatch(name))}))


def _member(archive: zipfile.ZipFile, name: str) -> bytes:
    with archive.open(name) as member:
        content = member.read(LARGEST_MANIFEST + 1)
    if len(content) > LARGEST_MANIFEST:
        raise ValueError(f"{name} is larger than {LARGEST_MANIFEST} bytes")
    return content


def _from_bundle(content: bytes) -> Manifest:
    given = json.loads(content)
    package = str(given["package"])
    return Manifest(
        package=package,
        label=str(given.get("label", "")),
        version_name=str(given.get("version_name", "1.0")),
        version_code=int(given.get("version_code", 1)),
        activity=_full_name(package, str(given.get("activity", ""))),
        permissions=tuple(str(name) for name in given.get("permissions", ())),
        instrumentation=tuple(str(name) for name in given.get("instrumentation", ())),
    )


def _from_elements(elements: list[XmlElement]) -> Manifest:
    manifest = next((element for element in elements if element.path == ("manifest",)), None)
    if manifest is None:
        raise ValueError("no manifest element")
    package = manifest.attributes["package"]

    def named(name: str) -> list[XmlElement]:
        return [element for element in elements if element.path[-1] == name]

    sdk = next((element.attributes for element in named("uses-sdk")), {})
    application = next((element.attributes for element in named("application")), {})
    min_sdk = _number(sdk.get("minSdkVersion"), 1)
    return Manifest(
        package=package,
        label=_literal(application.get("label", "")),
        version_name=_literal(manifest.attributes.get("versionName", "")),
        version_code=_number(manifest.attributes.get("versionCode"), 0),
        activity=_full_name(package, _main_activity(elements)),
        permissions=tuple(each.attributes.get("name", "") for each in named("uses-permission")),
        min_sdk=min_sdk,
        target_sdk=_number(sdk.get("targetSdkVersion"), min_sdk),
        instrumentation=tuple(
            _full_name(package, each.attributes.get("name", "")) for each in named("instrumentation")
        ),
    )


def _main_activity(elements: list[XmlElement]) -> str:
    current = ""
    for element in elements:
        if element.path[-1] in ("activity", "activity-alias"):
            current = element.attributes.get("name", "")
        elif element.path[-1] == "category":
            launches = element.attributes.get("name") == "android.intent.category.LAUNCHER"
            if launches and len(element.path) > 2 and element.path[-3].startswith("activity"):
                return current
    return ""


def _full_name(package: str, name: str) -> str:
    if name.startswith("."):
        return package + name
    return f"{package}.{name}" if name and "." not in name else name


def _literal(text: str) -> str:
    """ "" for a reference: resources are not read."""
    return "" if text.startswith("@0x") else text


def _number(text: str | None, default: int) -> int:
    return int(text) if text is not None and text.isdecimal() else default
