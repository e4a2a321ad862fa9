"""Readers of APKs, .ipa files and .app folders, by the package's own manifest.

An APK is read by apk-info, which follows Android's own way of reading it, in a limited process of its own: a
manifest that is made to hurt ends that process, and not the run.
"""

from __future__ import annotations

import json
import plistlib
import re
import subprocess
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from xml.parsers.expat import ExpatError

from ..drivers import ONE_INSTEAD, SEVERAL
from ..errors import UsageError
from .package import AppPackage, number, plain_line, sha256_of


def read_package(path: Path) -> AppPackage:
    """Reads the facts of an app. Raises ``UsageError`` for any other file, naming its kind."""
    kind = path.suffix.lower()
    if kind in SEVERAL:
        raise UsageError(f"{path}: a {kind} {ONE_INSTEAD}")
    if kind == ".apk":
        return read_apk(path, sha256_of(path))
    if kind in (".ipa", ".app"):
        return read_ios(path, sha256_of(path))
    raise UsageError(f"{path}: the app under test is an .apk, an .ipa, or the .app folder of a simulator's app")


_PARTS = {"AndroidManifest.xml": 4 << 20, "resources.arsc": 256 << 20}
"""What facts are in, and how many bytes each may have."""

SECONDS = 30.0
_MEMORY = 4 << 30
_CLASS = re.compile(r"[\w$]+(\.[\w$]+)*", re.ASCII)
_NATIVE = r"lib/([\w-]{1,20})/[^/]+\.so"


def read_apk(path: Path, sha256: str) -> AppPackage:
    """Raises ``UsageError`` unless it is an APK that a phone could take by itself."""
    with opened(path, "an APK") as archive:
        names = archive.namelist()
        if "AndroidManifest.xml" not in names:
            raise UsageError(f"{path}: it is no APK: no AndroidManifest.xml is in it")
        parts = {name: member(archive, name, limit) for name, limit in _PARTS.items() if name in names}
    abis = sorted({found[1] for name in names if (found := re.fullmatch(_NATIVE, name, re.ASCII))})
    with tempfile.TemporaryDirectory(prefix="replicant-apk-") as folder:
        small = Path(folder, "parts.apk")  # what facts are in, of whatever size the package is
        with zipfile.ZipFile(small, "w") as archive:
            for name, content in parts.items():
                archive.writestr(name, content)
        said = _asked(path, small)
    return _package(path, sha256, said, tuple(abis))


def _asked(path: Path, small: Path) -> dict[str, Any]:
    begin = "import json, sys; sys.path[:] = json.loads(sys.argv[1]); from {} import main; main()"
    command = [sys.executable, "-I", "-c", begin.format(__name__), json.dumps(sys.path), str(small)]
    try:
        ended = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        raise UsageError(f"{path}: its manifest was not read in {SECONDS:g} s; is the file damaged?") from None
    said: Any = None
    with suppress(ValueError):
        said = json.loads(ended.stdout)
    if not isinstance(said, dict):
        last = plain_line(ended.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2], 300)
        raise UsageError(f"{path}: its manifest cannot be read; is the file damaged? What went wrong: {last}")
    if "trouble" in said:
        raise UsageError(f"{path}: {plain_line(said['trouble'], 300)}")
    return said


def _package(path: Path, sha256: str, said: dict[str, Any], abis: tuple[str, ...]) -> AppPackage:
    name = str(said["id"] or "")
    if not re.fullmatch(r"[A-Za-z]\w*(\.[A-Za-z]\w*)+", name, re.ASCII):
        raise UsageError(f"{path}: its manifest gives it the name {plain_line(name)!r}, which no app can have")
    if said["split"]:
        raise UsageError(
            f"{path}: it is one part of {name}, which was split into several packages. Next: give a universal "
            "APK, such as bundletool makes with --mode=universal"
        )
    activity = _full_name(name, str(said["activity"] or ""))
    return AppPackage(
        path=path,
        platform="android",
        id=name,
        label=plain_line(said["label"]),
        version_name=plain_line(said["version_name"]),
        version_code=plain_line(said["version_code"]),
        min_api=number(said["min_api"]),
        target_api=number(said["target_api"]),
        abis=abis,
        main_activity=activity if _CLASS.fullmatch(activity) else "",
        permissions=tuple(sorted(each for each in said["permissions"] if _CLASS.fullmatch(each))),
        sha256=sha256,
    )


def _full_name(package: str, activity: str) -> str:
    return f"{package}.{activity.removeprefix('.')}" if activity and activity.rfind(".") < 1 else activity


def main() -> None:
    """In the process of its own: the path of an APK in, its facts as JSON out."""
    with suppress(ImportError):  # Windows has no such limits
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    print(json.dumps(_facts(sys.argv[2])))  # noqa: T201


def _facts(path: str) -> dict[str, Any]:
    try:
        from apk_info import APK, APKError
    except ImportError as error:
        return {
            "trouble": f"reading an APK needs the library apk-info, which is not here ({error}). Next: "
            "pip install apk-info; or give the id of the app, and install it yourself"
        }
    try:
        apk = APK(path)
    except (APKError, ValueError) as error:
        return {"trouble": f"its manifest cannot be read; is the file damaged? {error}"}
    activities = apk.get_main_activities()
    return {
        "id": apk.get_package_name(),
        "label": apk.get_application_label(),
        "version_name": apk.get_version_name(),
        "version_code": apk.get_version_code(),
        "min_api": apk.get_min_sdk_version(),
        "target_api": apk.get_target_sdk_version(),
        "activity": activities[0] if activities else "",
        "permissions": sorted({*apk.get_permissions(), *apk.get_permissions_sdk23()}),
        "split": apk.get_attribute_value("manifest", "split"),
    }


LARGEST_PLIST = 4 << 20
_PLIST_DAMAGE = (ValueError, LookupError, TypeError, OverflowError, RecursionError, ExpatError, AttributeError)


def read_ios(path: Path, sha256: str) -> AppPackage:
    """Raises ``UsageError`` unless it is an app."""
    facts = _plist_facts(path, _from_folder(path) if path.is_dir() else _from_ipa(path))
    bundle = str(facts.get("CFBundleIdentifier", ""))
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9.-]*", bundle, re.ASCII):
        raise UsageError(f"{path}: its Info.plist gives it the id {plain_line(bundle)!r}, which no app can have")
    return AppPackage(
        path=path,
        platform="ios",
        id=bundle,
        label=plain_line(facts.get("CFBundleDisplayName") or facts.get("CFBundleName")),
        version_name=plain_line(facts.get("CFBundleShortVersionString")),
        version_code=plain_line(facts.get("CFBundleVersion")),
        min_api=number(facts.get("MinimumOSVersion")),
        target_api=number(facts.get("DTPlatformVersion")),
        permissions=tuple(sorted(key for key in map(plain_line, facts) if key.endswith("UsageDescription"))),
        sha256=sha256,
    )


def _plist_facts(path: Path, content: bytes) -> Mapping[str, Any]:
    try:
        facts = plistlib.loads(content)
    except _PLIST_DAMAGE as error:
        raise UsageError(f"{path}: its Info.plist cannot be read: {plain_line(error)}") from None
    if not isinstance(facts, dict):
        raise UsageError(f"{path}: its Info.plist cannot be read: it holds no names and values")
    return facts


def _from_ipa(path: Path) -> bytes:
    with opened(path, "an .ipa") as archive:
        found = [name for name in archive.namelist() if re.fullmatch(r"Payload/[^/]+\.app/Info\.plist", name)]
        if len(found) != 1:
            raise UsageError(f"{path}: it is no app: it holds Payload/*.app/Info.plist {len(found)} times")
        return member(archive, found[0], LARGEST_PLIST)


def _from_folder(path: Path) -> bytes:
    plist = path / "Info.plist"
    try:
        with plist.open("rb") as file:
            content = file.read(LARGEST_PLIST + 1)
    except FileNotFoundError:
        raise UsageError(f"{path}: it is no app: no Info.plist is in it") from None
    except OSError as error:
        raise UsageError(f"{plist} cannot be read: {error.strerror or error}") from None
    if len(content) > LARGEST_PLIST:
        raise UsageError(f"{plist} is larger than {LARGEST_PLIST >> 20} MB: no real one is")
    return content


_MOST_ENTRIES = 500_000
_BAD_ZIP = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    ValueError,
    LookupError,
    NotImplementedError,
    RuntimeError,
)


@contextmanager
def opened(path: Path, kind: str) -> Iterator[zipfile.ZipFile]:
    """``kind`` is what it should be, for messages. Raises ``UsageError`` for any other file, and for
    damage inside."""
    try:
        with zipfile.ZipFile(path) as archive:
            if len(archive.namelist()) > _MOST_ENTRIES:
                raise UsageError(
                    f"{path}: it claims more than {_MOST_ENTRIES} files: it is not {kind} of any real app"
                )
            yield archive
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror or error}") from None
    except _BAD_ZIP as error:
        raise UsageError(f"{path}: it is {kind} by name, but no such zip file: {error}") from None


def member(archive: zipfile.ZipFile, name: str, limit: int) -> bytes:
    """Of whichever size it claims. Raises ``UsageError`` beyond ``limit`` bytes."""
    with archive.open(name) as file:
        content = file.read(limit + 1)
    if len(content) > limit:
        raise UsageError(f"{archive.filename}: its {name} is larger than {limit >> 20} MB: no real one is")
    return content
