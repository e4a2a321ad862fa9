from __future__ import annotations

import io
import json
import zipfile

import pytest

from pytest_replicant.virtual.system.apk import InstallFailed, read_apk
from pytest_replicant.virtual.system.packages import Packages
from tests.apks import manifest


def archive(**members: bytes) -> bytes:
    output = io.BytesIO()
    with zipfile.ZipFile(output, "w") as zipped:
        for name, content in members.items():
            zipped.writestr(name, content)
    return output.getvalue()


def bundle(**facts: object) -> bytes:
    return archive(**{"replicant-app.json": json.dumps(facts).encode()})


def test_a_binary_manifest_is_read() -> None:
    content = manifest(label="Exämple", permissions=("CAMERA",))
    found = read_apk(archive(**{"AndroidManifest.xml": content, "classes.dex": b""}), "x.apk")
    assert (found.package, found.version_code, found.version_name) == (
        "dev.replicant.shop",
        37,
        "1.4",
    )
    assert (found.label, found.activity) == ("Exämple", "dev.replicant.shop.MainActivity")
    assert (found.permissions, found.target_sdk) == (("android.permission.CAMERA",), 34)


def test_a_bundle_is_installed_and_updated() -> None:
    moments = iter((100.0, 200.0))
    packages = Packages(now=lambda: next(moments))
    first = packages.install(
        bundle(package="dev.a.b", activity=".Main", permissions=["p.X"], version_code=1)
    )
    packages.grant("dev.a.b", "p.X")
    second = packages.install(bundle(package="dev.a.b", version_code=2))
    assert (second.version_code, second.activity, second.granted) == (
        2,
        "dev.a.b.Main",
        frozenset(("p.X",)),
    )
    assert (second.installed_at, second.updated_at) == (100.0, 200.0)
    assert (second.user_id, second.path) == (first.user_id, first.path)
    assert packages.names() == ["dev.a.b"]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "INSTALL_PARSE_FAILED_NOT_APK"),
        (b"not a zip", "INSTALL_PARSE_FAILED_NOT_APK"),
        (archive(other=b"x"), "INSTALL_PARSE_FAILED_UNEXPECTED_EXCEPTION"),
        (
            archive(**{"AndroidManifest.xml": b"<manifest/>"}),
            "INSTALL_PARSE_FAILED_UNEXPECTED_EXCEPTION",
        ),
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
