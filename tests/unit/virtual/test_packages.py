from __future__ import annotations

import contextlib
import io
import json
import struct
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_replicant.virtual.system.apk import InstallFailed, read_apk
from pytest_replicant.virtual.system.packages import Packages


def archive(**members: bytes) -> bytes:
    output = io.BytesIO()
    with zipfile.ZipFile(output, "w") as zipped:
        for name, content in members.items():
            zipped.writestr(name, content)
    return output.getvalue()


def bundle(**facts: object) -> bytes:
    return archive(**{"replicant-app.json": json.dumps(facts).encode()})


def binary_xml(strings: list[str], elements: list[tuple[int, list[tuple[int, int, int]]]], *, utf8: bool) -> bytes:
    """Elements are (name, attributes), attributes (name, type, value), all by number; each nests in the last."""
    texts = b""
    offsets = []
    for text in strings:
        offsets.append(len(texts))
        if utf8:
            texts += bytes((len(text), len(text.encode()))) + text.encode() + b"\0"
        else:
            texts += struct.pack("<H", len(text)) + text.encode("utf-16-le") + b"\0\0"
    texts += b"\0" * (-len(texts) % 4)
    start = 28 + 4 * len(strings)
    pool = struct.pack("<HHIIIIII", 1, 28, start + len(texts), len(strings), 0, 0x100 * utf8, start, 0)
    body = pool + struct.pack(f"<{len(offsets)}I", *offsets) + texts
    for name, attributes in elements:
        packed = b"".join(
            struct.pack("<IIIHBBI", 0xFFFFFFFF, key, value if kind == 3 else 0xFFFFFFFF, 8, 0, kind, value)
            for key, kind, value in attributes
        )
        head = struct.pack("<HHIIIIIHHHHHH", 0x102, 16, 36 + len(packed), 1, 0xFFFFFFFF, 0xFFFFFFFF, name,
                           20, 20, len(attributes), 0, 0, 0)  # fmt: skip
        body += head + packed
    return struct.pack("<HHI", 3, 8, 8 + len(body)) + body


STRINGS = ["manifest", "package", "dev.example.app", "versionCode", "versionName", "2.0", "application", "label",
           "Exämple", "activity", "name", ".Main", "intent-filter", "category", "android.intent.category.LAUNCHER",
           "targetSdkVersion"]  # fmt: skip
ELEMENTS = [
    (0, [(1, 3, 2), (3, 0x10, 42), (4, 3, 5)]),
    (6, [(7, 3, 8)]),
    (9, [(10, 3, 11)]),
    (12, []),
    (13, [(10, 3, 14)]),
]


@pytest.mark.parametrize("utf8", [True, False])
def test_a_binary_manifest_is_read(utf8: bool) -> None:
    manifest = binary_xml(STRINGS, ELEMENTS, utf8=utf8)
    found = read_apk(archive(**{"AndroidManifest.xml": manifest, "classes.dex": b""}), "x.apk")
    assert (found.package, found.version_code, found.version_name) == ("dev.example.app", 42, "2.0")
    assert (found.label, found.activity) == ("Exämple", "dev.example.app.Main")


def test_a_bundle_is_installed_and_updated() -> None:
    moments = iter((100.0, 200.0))
    packages = Packages(now=lambda: next(moments))
    first = packages.install(bundle(package="dev.a.b", activity=".Main", permissions=["p.X"], version_code=1))
    packages.grant("dev.a.b", "p.X")
    second = packages.install(bundle(package="dev.a.b", version_code=2))
    assert (second.version_code, second.activity, second.granted) == (2, "dev.a.b.Main", frozenset(("p.X",)))
    assert (second.installed_at, second.updated_at) == (100.0, 200.0)
    assert (second.user_id, second.path) == (first.user_id, first.path)
    assert packages.names() == ["dev.a.b"]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "INSTALL_PARSE_FAILED_NOT_APK"),
        (b"not a zip", "INSTALL_PARSE_FAILED_NOT_APK"),
        (archive(other=b"x"), "INSTALL_PARSE_FAILED_UNEXPECTED_EXCEPTION"),
        (archive(**{"AndroidManifest.xml": b"<manifest/>"}), "INSTALL_PARSE_FAILED_UNEXPECTED_EXCEPTION"),
        (archive(**{"replicant-app.json": b"{"}), "INSTALL_PARSE_FAILED_UNEXPECTED_EXCEPTION"),
        (archive(**{"replicant-app.json": b"[]"}), "INSTALL_PARSE_FAILED_UNEXPECTED_EXCEPTION"),
        (bundle(label="x"), "INSTALL_PARSE_FAILED_UNEXPECTED_EXCEPTION"),
        (bundle(package="a b; rm"), "INSTALL_PARSE_FAILED_BAD_PACKAGE_NAME"),
        (bundle(package="../up"), "INSTALL_PARSE_FAILED_BAD_PACKAGE_NAME"),
    ],
)
def test_what_is_no_apk_is_refused_in_androids_words(data: bytes, code: str) -> None:
    packages = Packages()
    with pytest.raises(InstallFailed) as failed:
        packages.install(data, "/data/local/tmp/x.apk")
    assert str(failed.value).startswith(f"Failure [{code}: ")
    assert packages.names() == []


@pytest.mark.slow
@settings(deadline=None)
@given(st.data())
def test_a_damaged_manifest_is_refused_or_read_but_never_crashes(data: st.DataObject) -> None:
    manifest = bytearray(binary_xml(STRINGS, ELEMENTS, utf8=data.draw(st.booleans())))
    for _ in range(data.draw(st.integers(1, 8))):
        manifest[data.draw(st.integers(0, len(manifest) - 1))] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(manifest)))
    with contextlib.suppress(InstallFailed):
        read_apk(archive(**{"AndroidManifest.xml": bytes(manifest[:cut])}), "x.apk")
