"""The package of the app under test: the file that is meant, its facts and digest, its installation
on a phone; and the readers of APKs, .ipa files and .app folders, by the package's own manifest.

An APK is read by apk-info, which follows Android's own way of reading it, in a limited process of
its own: a manifest that is made to hurt ends that process, and not the run.
"""

from __future__ import annotations

import hashlib
import json
import os
import plistlib
import re
import subprocess
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.parsers.expat import ExpatError

from ...drivers import ONE_INSTEAD, SEVERAL, Capability, Driver, Platform
from ...errors import UsageError
from ...model import Strings, shortened


@dataclass(frozen=True)
class AppPackage:
    """``path`` is the file, or the folder of an app for the simulator. ``version_name`` is what
    people see, ``version_code`` what counts up: Android's ``versionCode``, an iPhone's
    ``CFBundleVersion``. ``min_api`` and ``target_api`` are Android's API levels, on iOS the first
    number of the version; 0 if it does not say.

    ``abis`` are the processors that its native code is for, none if it has none. ``permissions``
    are by the platform's names. ``sha256`` is of the file; of a folder, of all that is in it.
    """

    path: Path
    platform: Platform
    id: str
    label: str = ""
    version_name: str = ""
    version_code: str = ""
    min_api: int = 0
    target_api: int = 0
    abis: Strings = ()
    main_activity: str = ""
    permissions: Strings = ()
    sha256: str = ""

    @property
    def version(self) -> str:
        """Such as ``1.4 (37)``."""
        code = f"({self.version_code})" if self.version_code else ""
        return f"{self.version_name} {code}".strip()

    @property
    def facts(self) -> dict[str, str]:
        """The package in reports: no path, which is of one computer."""
        return {
            "app": self.id,
            "app version": self.version,
            "app package": f"{self.path.name}, sha256 {self.sha256[:12]}",
        }


def plain_line(text: object, limit: int = 100) -> str:
    """Text out of a package, on one line, printable."""
    words = "".join(
        letter if letter.isprintable() else " " for letter in str(text or "")[: limit * 4]
    )
    return " ".join(words.split())[:limit]


def number(text: object) -> int:
    """The number that it begins with, 0 for none."""
    digits = str(text or "").strip().partition(".")[0]
    return int(digits) if digits.isascii() and digits.isdecimal() and len(digits) <= 9 else 0


_MOST_FILES = 100_000  # of a folder; what was meant by a larger one is no app
_CHUNK = 1 << 20


def sha256_of(path: Path) -> str:
    """Raises ``UsageError`` for what cannot be read."""
    digest = hashlib.sha256()
    try:
        if not path.is_dir():
            _add_file(digest, path)
            return digest.hexdigest()
        for inside in _files(path):
            digest.update(os.fsencode(f"{inside.relative_to(path).as_posix()}\0"))
            if inside.is_symlink():
                digest.update(os.fsencode(os.readlink(inside)))
            else:
                _add_file(digest, inside)
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror or error}") from None
    return digest.hexdigest()


def _files(folder: Path) -> Iterator[Path]:
    """In order; links are not followed."""
    seen = 0
    for place, folders, names in os.walk(folder):
        folders.sort()
        links = [name for name in folders if Path(place, name).is_symlink()]
        for name in sorted([*names, *links]):
            seen += 1
            if seen > _MOST_FILES:
                raise UsageError(f"{folder} holds more than {_MOST_FILES} files: it is no app")
            yield Path(place, name)


def _add_file(digest: hashlib._Hash, path: Path) -> None:
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)


HASH_SECONDS = 60.0  # a large package on a slow phone
ASK_SECONDS = 20.0


def ensure_installed(driver: Driver, package: AppPackage) -> bool:
    """Installs it unless the phone has it, and says whether it did. A package for another platform,
    or for a phone that installs nothing, is left to the user.

    Raises ``UsageError`` for a package that this phone cannot take, ``DeviceError`` if the phone is
    in trouble.
    """
    if driver.info.platform != package.platform or Capability.INSTALL not in driver.capabilities:
        return False
    if (
        Capability.SHELL in driver.capabilities
        and installed_build(driver, package.id) == package.sha256
    ):
        return False  # by its bytes: so that another build is noticed, whichever way it came there
    _check_fits(driver, package)
    if sha256_of(package.path) != package.sha256:
        raise UsageError(
            f"{package.path} was changed since this run began; nothing was installed. Run it again"
        )
    driver.install(package.path)
    return True


def installed_build(driver: Driver, app: str) -> str:
    """The sha256 of the package that the phone keeps of an app, several with commas where it is
    split; "" if it does not say. Raises ``DeviceError``."""
    listed = driver.shell(["pm", "path", app], ASK_SECONDS).stdout
    places = sorted(re.findall(r"^package:(.*\S)", listed, re.MULTILINE))
    if not places:
        return ""
    said = driver.shell(["sha256sum", *places], HASH_SECONDS).stdout
    found = re.findall(r"^[ \t]*(\S+)", said, re.MULTILINE)
    return ",".join(found) if len(found) == len(places) else ""


def _check_fits(driver: Driver, package: AppPackage) -> None:
    """Before megabytes are sent. What the phone does not say is for its installer to judge."""
    info = driver.info
    level = str(info.extra.get("sdk", ""))
    if level.isdecimal() and int(level) < package.min_api:
        raise UsageError(
            f"{package.path.name} needs API level {package.min_api}, and {info.serial} "
            f"({info.model}) has {level}. Nothing was installed. Next: a newer phone, such as by "
            f'@pytest.mark.replicant(api=">={package.min_api}"), or a lower minSdk'
        )
    if not package.abis or Capability.SHELL not in driver.capabilities:
        return
    said = driver.shell(["getprop", "ro.product.cpu.abilist"], ASK_SECONDS).stdout
    runs = [name.strip() for name in said.split(",") if name.strip()]
    if runs and not {*runs} & {*package.abis}:
        raise UsageError(
            f"{package.path.name} holds native code for {', '.join(package.abis)} alone, and "
            f"{info.serial} ({info.model}) runs {', '.join(runs)}. Nothing was installed. Next: "
            f"build it for {runs[0]} as well"
        )


_FILES = (".apk", ".ipa", *SEVERAL)
_PATTERN = "*?["
_NO_ID = " '\""
_AT_ONCE = 10.0
"""Seconds within which files of one build are written: neither of two such is newer than the
other."""


def is_path(given: str, folder: Path) -> bool:
    """An id such as ``com.example.app`` ends as an app's folder does: that is one only if it is
    there. No id has a space or a quote in it."""
    if given.lower().endswith(_FILES) or {*given} & {"/", os.sep, *_PATTERN, *_NO_ID}:
        return True
    return given.lower().endswith(".app") and (folder / given).is_dir()


def find_file(given: str, folder: Path) -> Path:
    """The file that is meant, seen from ``folder``; of several that a pattern matches the newest
    one. Raises ``UsageError`` if there is none, or if none is newer than all others."""
    try:
        meant = Path(given).expanduser()
        path = folder / meant
        if path.exists():
            return _checked(path, given)
        is_pattern = not {*given}.isdisjoint(_PATTERN)
        found = [*_matches(folder, meant)] if is_pattern else None
    except (
        OSError,
        RuntimeError,
        ValueError,
    ) as error:  # a name too long, no such user's home, no such pattern
        why = getattr(error, "strerror", None) or error
        raise UsageError(
            f"--replicant-app={shortened(given, 200)}: {why}. Next: correct the path"
        ) from None
    if found is None:
        raise UsageError(
            f"--replicant-app={given}: there is no such file: {path}.{_near(path)} {_ADVICE}"
        )
    if not found:
        raise UsageError(f"--replicant-app={given}: no file matches, seen from {folder}. {_ADVICE}")
    return _checked(_newest(found, given), given)


def _matches(folder: Path, pattern: Path) -> Iterator[Path]:
    """Only what was given is a pattern, not the folder's own name. Links to folders are not
    followed by ``**``: in a ring of them it would have no end. Hidden files are left out unless
    they are asked for."""
    base = Path(pattern.anchor) if pattern.is_absolute() else folder
    inside = pattern.relative_to(base) if pattern.is_absolute() else pattern
    with_hidden = any(map(_is_hidden, inside.parts))
    for path in base.glob(str(inside)):
        if with_hidden or not any(map(_is_hidden, path.parts[len(base.parts) :])):
            yield path


def _is_hidden(name: str) -> bool:
    return name.startswith(".") and name not in (".", "..")


_ADVICE = "Next: build it (--replicant-build does so before each run), or correct the path"


def _near(path: Path) -> str:
    """Files of its kind that are there instead."""
    if path.name[-1:] in ("'", '"'):
        return " The quotes are part of that name: an ini file needs none."
    try:
        others = sorted(each.name for each in path.parent.iterdir() if each.suffix == path.suffix)
    except OSError:
        return f" Nor is there {path.parent}."
    return f" In that folder: {', '.join(others[:5])}." if others else ""


def _newest(found: list[Path], given: str) -> Path:
    times = dict.fromkeys(found, 0.0)
    for path in found:
        with suppress(OSError):
            times[path] = path.stat().st_mtime
    latest = max(times.values())
    newest = sorted(path for path in found if times[path] > latest - _AT_ONCE)
    if len(newest) == 1:
        return newest[0]
    listed = "\n".join(f"  {path}" for path in newest[:20])
    more = f"\n  and {len(newest) - 20} more" if len(newest) > 20 else ""
    raise UsageError(
        f"--replicant-app={given}: {len(newest)} files match, none of which is newer than the "
        f"others. Next: name one:\n{listed}{more}"
    )


def _checked(path: Path, given: str) -> Path:
    """A folder is an app only by its name, and no other package is a folder."""
    if path.is_dir() and path.suffix.lower() != ".app":
        what = (
            "a package is a file"
            if path.suffix.lower() in _FILES
            else "give the package in it, or */*.apk"
        )
        raise UsageError(f"--replicant-app={given}: {path} is a folder; {what}")
    if not path.is_dir() and not path.is_file():  # a pipe would be waited for
        raise UsageError(
            f"--replicant-app={given}: {path} is no file that could be read twice. {_ADVICE}"
        )
    return path


def read_package(path: Path) -> AppPackage:
    """Reads the facts of an app. Raises ``UsageError`` for any other file, naming its kind."""
    kind = path.suffix.lower()
    if kind in SEVERAL:
        raise UsageError(f"{path}: a {kind} {ONE_INSTEAD}")
    if kind == ".apk":
        return read_apk(path, sha256_of(path))
    if kind in (".ipa", ".app"):
        return read_ios(path, sha256_of(path))
    raise UsageError(
        f"{path}: the app under test is an .apk, an .ipa, or the .app folder of a simulator's app"
    )


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
        parts = {
            name: member(archive, name, limit) for name, limit in _PARTS.items() if name in names
        }
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
        raise UsageError(
            f"{path}: its manifest was not read in {SECONDS:g} s; is the file damaged?"
        ) from None
    said: Any = None
    with suppress(ValueError):
        said = json.loads(ended.stdout)
    if not isinstance(said, dict):
        last = plain_line(ended.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2], 300)
        raise UsageError(
            f"{path}: its manifest cannot be read; is the file damaged? What went wrong: {last}"
        )
    if "trouble" in said:
        raise UsageError(f"{path}: {plain_line(said['trouble'], 300)}")
    return said


def _package(path: Path, sha256: str, said: dict[str, Any], abis: tuple[str, ...]) -> AppPackage:
    name = str(said["id"] or "")
    if not re.fullmatch(r"[A-Za-z]\w*(\.[A-Za-z]\w*)+", name, re.ASCII):
        raise UsageError(
            f"{path}: its manifest gives it the name {plain_line(name)!r}, which no app can have"
        )
    if said["split"]:
        raise UsageError(
            f"{path}: it is one part of {name}, which was split into several packages. Next: give "
            "a universal APK, such as bundletool makes with --mode=universal"
        )
    activity = str(said["activity"] or "")
    if activity and activity.rfind(".") < 1:
        activity = f"{name}.{activity.removeprefix('.')}"
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
            "trouble": f"reading an APK needs the library apk-info, which is not here ({error}). "
            "Next: pip install apk-info; or give the id of the app, and install it yourself"
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
_PLIST_DAMAGE = (
    ValueError,
    LookupError,
    TypeError,
    OverflowError,
    RecursionError,
    ExpatError,
    AttributeError,
)


def read_ios(path: Path, sha256: str) -> AppPackage:
    """Raises ``UsageError`` unless it is an app."""
    try:
        facts = plistlib.loads(_from_folder(path) if path.is_dir() else _from_ipa(path))
    except _PLIST_DAMAGE as error:
        raise UsageError(f"{path}: its Info.plist cannot be read: {plain_line(error)}") from None
    if not isinstance(facts, dict):
        raise UsageError(f"{path}: its Info.plist cannot be read: it holds no names and values")
    bundle = str(facts.get("CFBundleIdentifier", ""))
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9.-]*", bundle, re.ASCII):
        raise UsageError(
            f"{path}: its Info.plist gives it the id {plain_line(bundle)!r}, which no app can have"
        )
    return AppPackage(
        path=path,
        platform="ios",
        id=bundle,
        label=plain_line(facts.get("CFBundleDisplayName") or facts.get("CFBundleName")),
        version_name=plain_line(facts.get("CFBundleShortVersionString")),
        version_code=plain_line(facts.get("CFBundleVersion")),
        min_api=number(facts.get("MinimumOSVersion")),
        target_api=number(facts.get("DTPlatformVersion")),
        permissions=tuple(
            sorted(key for key in map(plain_line, facts) if key.endswith("UsageDescription"))
        ),
        sha256=sha256,
    )


def _from_ipa(path: Path) -> bytes:
    with opened(path, "an .ipa") as archive:
        found = [
            name
            for name in archive.namelist()
            if re.fullmatch(r"Payload/[^/]+\.app/Info\.plist", name)
        ]
        if len(found) != 1:
            raise UsageError(
                f"{path}: it is no app: it holds Payload/*.app/Info.plist {len(found)} times"
            )
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
    """``kind`` is what it should be, for messages. Raises ``UsageError`` for any other file, and
    for damage inside."""
    try:
        with zipfile.ZipFile(path) as archive:
            if len(archive.namelist()) > _MOST_ENTRIES:
                raise UsageError(
                    f"{path}: it claims more than {_MOST_ENTRIES} files: it is not {kind} of any "
                    "real app"
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
        raise UsageError(
            f"{archive.filename}: its {name} is larger than {limit >> 20} MB: no real one is"
        )
    return content
