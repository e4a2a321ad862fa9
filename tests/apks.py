"""Packages as build tools make them: an APK with a manifest in Android's binary XML, an .ipa, an
.app folder."""

from __future__ import annotations

import plistlib
import struct
import zipfile
from pathlib import Path
from typing import Any

_ANDROID = "http://schemas.android.com/apk/res/android"
_IDS = {  # of the attributes, as the platform numbers them
    "label": 0x01010001, "name": 0x01010003, "minSdkVersion": 0x0101020C, "versionCode": 0x0101021B,
    "versionName": 0x0101021C, "targetSdkVersion": 0x01010270,
}  # fmt: skip
_NOTHING = 0xFFFFFFFF
_STRING, _INTEGER = 3, 0x10

Element = tuple[str, dict[str, "str | int"], list[Any]]
"""Tag, attributes, children."""


def manifest(
    package: str = "dev.replicant.shop",
    *,
    label: str = "Replicant Shop",
    version_name: str = "1.4",
    version_code: int = 37,
    min_sdk: int = 24,
    target_sdk: int = 34,
    activity: str = ".MainActivity",
    permissions: tuple[str, ...] = (),
    split: str = "",
) -> bytes:
    launcher: list[Element] = [
        ("action", {"name": "android.intent.action.MAIN"}, []),
        ("category", {"name": "android.intent.category.LAUNCHER"}, []),
    ]
    activities: list[Element] = [
        ("activity", {"name": activity}, [("intent-filter", {}, launcher)])
    ]
    root: Element = (
        "manifest",
        {
            "versionCode": version_code,
            "versionName": version_name,
            "package": package,
            **({"split": split} if split else {}),
        },
        [
            ("uses-sdk", {"minSdkVersion": min_sdk, "targetSdkVersion": target_sdk}, []),
            *(
                ("uses-permission", {"name": f"android.permission.{name}"}, [])
                for name in permissions
            ),
            ("application", {"label": label}, activities if activity else []),
        ],
    )
    return binary_xml(root)


def apk(folder: Path, name: str = "shop.apk", *, abis: tuple[str, ...] = (), **facts: Any) -> Path:
    """``facts`` are those of ``manifest``."""
    path = folder / name
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("AndroidManifest.xml", manifest(**facts))
        archive.writestr("classes.dex", b"dex\n035\0")
        for abi in abis:
            archive.writestr(f"lib/{abi}/libshop.so", b"\x7fELF")
    return path


def info_plist(**facts: Any) -> bytes:
    return plistlib.dumps(
        {
            "CFBundleIdentifier": "dev.replicant.shop",
            "CFBundleName": "Shop",
            "CFBundleShortVersionString": "2.1",
            "CFBundleVersion": "2.1.7",
            "MinimumOSVersion": "15.4",
            "DTPlatformVersion": "17.2",
            "NSCameraUsageDescription": "to scan codes",
            **facts,
        }
    )


def ipa(folder: Path, name: str = "shop.ipa", **facts: Any) -> Path:
    path = folder / name
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("Payload/Shop.app/Info.plist", info_plist(**facts))
        archive.writestr("Payload/Shop.app/Frameworks/More.app/Info.plist", b"of somebody else")
    return path


def app_folder(folder: Path, name: str = "Shop.app", **facts: Any) -> Path:
    path = folder / name
    (path / "en.lproj").mkdir(parents=True)
    (path / "Info.plist").write_bytes(info_plist(**facts))
    (path / "en.lproj" / "Words.strings").write_bytes(b"words")
    return path


def binary_xml(root: Element) -> bytes:
    strings = [*_IDS]  # the map of numbers goes by place in the pool
    body = _namespace(0x100, strings) + _element(root, strings) + _namespace(0x101, strings)
    numbers = struct.pack(f"<{len(_IDS)}I", *_IDS.values())
    known = struct.pack("<HHI", 0x180, 8, 8 + len(numbers)) + numbers
    whole = _pool(strings) + known + body
    return struct.pack("<HHI", 3, 8, 8 + len(whole)) + whole


def _index(text: str, strings: list[str]) -> int:
    if text not in strings:
        strings.append(text)
    return strings.index(text)


def _namespace(kind: int, strings: list[str]) -> bytes:
    prefix, uri = _index("android", strings), _index(_ANDROID, strings)
    return struct.pack("<HHIIIII", kind, 16, 24, 1, _NOTHING, prefix, uri)


def _element(element: Element, strings: list[str]) -> bytes:
    tag, attributes, children = element
    packed = b"".join(_attribute(name, value, strings) for name, value in attributes.items())
    name = _index(tag, strings)
    head = struct.pack("<HHIIIIIHHHHHH", 0x102, 16, 36 + len(packed), 1, _NOTHING, _NOTHING, name,
                       20, 20, len(attributes), 0, 0, 0)  # fmt: skip
    inside = b"".join(_element(child, strings) for child in children)
    return (
        head + packed + inside + struct.pack("<HHIIIII", 0x103, 16, 24, 1, _NOTHING, _NOTHING, name)
    )


def _attribute(name: str, value: str | int, strings: list[str]) -> bytes:
    space = _index(_ANDROID, strings) if name in _IDS else _NOTHING
    key = _index(name, strings)
    if isinstance(value, str):
        number = raw = _index(value, strings)
        kind = _STRING
    else:
        number, raw, kind = value, _NOTHING, _INTEGER
    return struct.pack("<IIIHBBI", space, key, raw, 8, 0, kind, number)


def _pool(strings: list[str]) -> bytes:
    texts, offsets = b"", []
    for text in strings:
        offsets.append(len(texts))
        texts += struct.pack("<H", len(text)) + text.encode("utf-16-le") + b"\0\0"
    texts += b"\0" * (-len(texts) % 4)
    start = 28 + 4 * len(strings)
    head = struct.pack("<HHIIIIII", 1, 28, start + len(texts), len(strings), 0, 0, start, 0)
    return head + struct.pack(f"<{len(offsets)}I", *offsets) + texts
