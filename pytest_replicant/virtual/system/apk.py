"""Reads who an APK is: from a binary ``AndroidManifest.xml``, or from a bundle of this project's own.

Such a bundle is a zip with ``replicant-app.json``: ``{"package": "dev.example.app", "label": "Example",
"version_name": "1.2", "version_code": 12, "activity": ".Main", "permissions": [...], "instrumentation":
[...]}``, where only ``package`` is needed.
"""

from __future__ import annotations

import io
import json
import re
import struct
import zipfile
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, replace

_XML, _STRINGS, _START, _END = 0x0003, 0x0001, 0x0102, 0x0103
_UTF8 = 0x100
_TYPE_REFERENCE, _TYPE_STRING, _TYPE_BOOLEAN = 0x01, 0x03, 0x12
_NOTHING = 0xFFFFFFFF


@dataclass(frozen=True)
class XmlElement:
    """``path`` is the names from the root down to this element; attributes are without namespaces, numbers
    as decimal text, references to resources as ``@0x7f0a0001``."""

    path: tuple[str, ...]
    attributes: dict[str, str]


def read_binary_xml(data: bytes) -> list[XmlElement]:
    """The elements in document order. Raises ``ValueError`` for anything that is not binary XML."""
    try:
        return _elements(data)
    except (struct.error, IndexError) as error:
        raise ValueError(f"binary XML ends or points outside itself: {error}") from None


def _elements(data: bytes) -> list[XmlElement]:
    kind, header, total = struct.unpack_from("<HHI", data, 0)
    if kind != _XML:
        raise ValueError(f"binary XML starts with chunk type {kind:#06x}, not {_XML:#06x}")
    strings: _StringPool | None = None
    open_names: list[str] = []
    found: list[XmlElement] = []
    at = header
    while at + 8 <= min(total, len(data)):
        kind, header, size = struct.unpack_from("<HHI", data, at)
        if size < 8 or at + size > len(data):
            raise ValueError(f"chunk at {at} claims {size} bytes")
        chunk = data[at : at + size]
        if kind == _STRINGS:
            strings = _StringPool(chunk, header)
        elif kind == _START and strings:
            name, attributes = _start_element(chunk, header, strings)
            open_names.append(name)
            found.append(XmlElement(tuple(open_names), attributes))
        elif kind == _END and open_names:
            open_names.pop()
        at += size
    return found


class _StringPool:
    """Reads a string when it is asked for: damaged pools may claim any number of long ones."""

    def __init__(self, chunk: bytes, header: int) -> None:
        count, _, flags, self._start, _ = struct.unpack_from("<IIIII", chunk, 8)
        if count > len(chunk) // 4:
            raise ValueError(f"pool claims {count} strings in {len(chunk)} bytes")
        self._offsets = struct.unpack_from(f"<{count}I", chunk, header)
        self._chunk = chunk
        self._read = _utf8_string if flags & _UTF8 else _utf16_string

    def __getitem__(self, number: int) -> str:
        return self._read(self._chunk, self._start + self._offsets[number])


def _utf8_string(chunk: bytes, at: int) -> str:
    _, at = _length(chunk, at, 1)  # in UTF-16 units first, in bytes second
    size, at = _length(chunk, at, 1)
    return chunk[at : at + size].decode("utf-8", "replace")


def _utf16_string(chunk: bytes, at: int) -> str:
    size, at = _length(chunk, at, 2)
    return chunk[at : at + size * 2].decode("utf-16-le", "replace")


def _length(chunk: bytes, at: int, width: int) -> tuple[int, int]:
    """A length of one or two units, the high bit of the first telling which; and where it ends."""
    high = 0x80 if width == 1 else 0x8000
    first = int.from_bytes(chunk[at : at + width], "little")
    if not first & high:
        return first, at + width
    second = int.from_bytes(chunk[at + width : at + 2 * width], "little")
    return (first & (high - 1)) << (8 * width) | second, at + 2 * width


def _start_element(chunk: bytes, header: int, strings: _StringPool) -> tuple[str, dict[str, str]]:
    _, name, start, size, count = struct.unpack_from("<IIHHH", chunk, header)
    if size < 20:
        raise ValueError(f"an attribute of {size} bytes")
    attributes = {}
    for index in range(count):
        at = header + start + index * size
        _, key, raw, _, kind, value = struct.unpack_from("<IIIHxBI", chunk, at)
        attributes[strings[key]] = _value(raw, kind, value, strings)
    return strings[name], attributes


def _value(raw: int, kind: int, value: int, strings: _StringPool) -> str:
    if raw != _NOTHING:
        return strings[raw]
    if kind == _TYPE_STRING:
        return strings[value]
    if kind == _TYPE_REFERENCE:
        return f"@{value:#x}"
    if kind == _TYPE_BOOLEAN:
        return "true" if value else "false"
    return str(value)


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
