"""Installing, uninstalling, and what is installed."""

from __future__ import annotations

import re
import uuid
import zipfile
from collections.abc import Mapping
from pathlib import Path

from ...errors import DeviceError, ProtocolError, UsageError
from .package_files import ONE_INSTEAD, SEVERAL
from .packages import checked_name, not_installed
from .role import Role
from .sync import FULL

LIST_SECONDS = 30.0
INSTALL_SECONDS = 180.0  # the phone compiles what it installs
_FAILURE = re.compile(r"Failure \[(?P<code>[A-Z_]+)(?:: (?P<why>.*?))?\]|^(?P<error>Error: .*)", re.MULTILINE)
_PHONES_TROUBLE = ("STORAGE", "INTERNAL_ERROR", "USER_RESTRICTED", "ABORTED", "VERIFICATION", "MEDIA_UNAVAILABLE")
_ADVICE: Mapping[str, str] = {
    "INSTALL_FAILED_UPDATE_INCOMPATIBLE": "It is installed with another signature: uninstall it first.",
    "INSTALL_FAILED_VERSION_DOWNGRADE": "A newer version is installed: uninstall it first.",
    "INSTALL_FAILED_OLDER_SDK": "The phone's Android is older than the app allows.",
    "INSTALL_FAILED_NO_MATCHING_ABIS": "It holds no native code for this phone's processor, which "
    "`adb shell getprop ro.product.cpu.abi` names. Next: build it for that, or for all.",
    "INSTALL_FAILED_INSUFFICIENT_STORAGE": FULL,
    "INSTALL_FAILED_MISSING_SPLIT": "It is one part of a split package; build a universal APK.",
    "INSTALL_FAILED_USER_RESTRICTED": "Allow 'Install via USB' in the phone's developer options.",
}


class AndroidPackages(Role):
    def installed(self, app: str) -> bool:
        return self._link.run(["pm", "path", checked_name(app)]).text.startswith("package:")

    def install(self, path: str | Path) -> None:
        """An APK. It is pushed under a name of its own, and removed again whatever becomes of it."""
        local = _checked_apk(Path(path))
        remote = f"/data/local/tmp/replicant-{uuid.uuid4().hex}.apk"
        try:
            with local.open("rb") as file:
                self._link.push(file, remote, f"install {local.name}")
            said = self._link.run(["pm", "install", "-r", "-t", remote], INSTALL_SECONDS).words
        finally:
            self._remove_file(remote)
        if "Success" not in said.splitlines():
            raise self._install_refused(f"install {local.name}", said)

    def uninstall(self, app: str) -> None:
        checked_name(app)
        said = self._link.run(["pm", "uninstall", app], LIST_SECONDS).words
        if "Success" in said.splitlines():
            return
        self._must_be_installed(app)
        if "DELETE_FAILED_INTERNAL_ERROR" in said:  # all that Android says of an app of its own
            raise UsageError(
                f"uninstall {app} on {self._link.serial}: the phone keeps it, as it does "
                "an app of the system. Nothing was removed."
            )
        raise self._install_refused(f"uninstall {app}", said)

    def _remove_file(self, remote: str) -> None:
        try:
            self._link.run(["rm", "-f", remote])
        except DeviceError:
            return  # the phone is gone; what it is told of that is the install's own error

    def _install_refused(self, doing: str, said: str) -> DeviceError | UsageError:
        found = _FAILURE.search(said)
        code = (found["code"] or "") if found else ""
        why = (found["why"] or found["error"] or "") if found else said[:300]
        message = (
            f"{doing} on {self._link.serial}: the phone refused: {': '.join(filter(None, (code, why[:300])))}."
        )
        message = f"{message} {_ADVICE.get(code, '')}".rstrip()
        if code and not any(word in code for word in _PHONES_TROUBLE):
            return UsageError(message)
        error = ProtocolError(message, exchange=said[:2000], device=self._link.serial)
        error.mendable = False  # it answered, and would answer so again
        return error

    def _must_be_installed(self, app: str) -> None:
        if not self.installed(app):
            raise self._not_installed(app)

    def _not_installed(self, app: str) -> UsageError:
        listed = self._link.run(["pm", "list", "packages"], LIST_SECONDS).text
        return not_installed(app, self._link.serial, listed)


def _checked_apk(path: Path) -> Path:
    """Raises ``UsageError`` for what can be no APK, before the phone is asked."""
    if not path.is_file():
        what = "is a folder" if path.is_dir() else "does not exist"
        raise UsageError(f"install {path}: it {what}; give the path of an APK. Nothing was installed.")
    try:
        is_archive = zipfile.is_zipfile(path)
    except OSError as error:
        raise UsageError(f"install {path}: it cannot be read: {error}. Nothing was installed.") from None
    if not is_archive:
        raise UsageError(f"install {path}: it is no APK, nor any other zip file. Nothing was installed.")
    if path.suffix.lower() in SEVERAL:
        raise UsageError(f"install {path}: a {path.suffix} {ONE_INSTEAD}. Nothing was installed.")
    return path
