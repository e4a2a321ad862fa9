"""The data of an app, kept for later runs: copied by ``run-as``, in a file that only its user may read."""

from __future__ import annotations

import hashlib
import json
import os
import re
import secrets
import shlex
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from ..drivers import Capability, Driver, ShellOutput, phone_name
from ..errors import DeviceError, ProtocolError, UsageError
from .package import ASK_SECONDS, installed_build

COPY_SECONDS = 120.0
_NOT_KEPT = ("cache", "code_cache", "lib")
_OPEN = 0o077  # rights of others than the user


def state_folder() -> Path:
    """The user's folder for what programs keep, on this computer alone."""
    named = os.environ.get("XDG_STATE_HOME") or os.environ.get("LOCALAPPDATA")
    return Path(named or os.path.expanduser("~/.local/state")) / "pytest-replicant"


def why_not_copied(driver: Driver, app: str) -> str:
    """Why ``run-as`` does not give the data of this app; "" where it does. Raises ``DeviceError``."""
    needed = Capability.SHELL | Capability.FILES
    if driver.info.platform != "android" or needed not in driver.capabilities:
        return "it is no Android phone with a shell"
    said = driver.shell(["run-as", app, "ls"], ASK_SECONDS)
    return "" if said.exit_code == 0 else _first_line(said)


def _first_line(said: ShellOutput) -> str:
    return (said.stderr or said.stdout).strip().partition("\n")[0] or f"exit code {said.exit_code}"


@dataclass(frozen=True)
class KeptData:
    """One file: a line of JSON with the app, its build and a digest of the rest, which is the data as a tar."""

    path: Path

    @classmethod
    def of(cls, *names: str) -> KeptData:
        """What belongs to these names together; the file need not exist."""
        return cls(state_folder() / f"{hashlib.sha256(chr(0).join(names).encode()).hexdigest()[:32]}.tar")

    def save(self, driver: Driver, app: str) -> None:
        """Copies the data of an app that was stopped. Raises ``UsageError`` where ``run-as`` does not give it, and
        ``DeviceError`` where the phone is in trouble."""
        if why := why_not_copied(driver, app):
            raise UsageError(
                f"keep=True copies the data of {app} by run-as, for which it must be a debuggable Android build; "
                f"on {phone_name(driver)}: {why}. Next: leave keep= out, or test a debug build"
            )
        with _folder_on(driver) as folder:
            names = _names(driver, app)
            if names:
                _run(driver, f"{_as(app, 'tar', '-cf', '-', *names)} > {folder}/data")
            content = driver.pull_file(f"{folder}/data") if names else b""
        build = _build(driver, app)
        facts = {"app": app, "build": build, "digest": hashlib.sha256(content).hexdigest()}
        self._write(json.dumps(facts).encode() + b"\n" + content)

    def restore(self, driver: Driver) -> str:
        """Gives the data to the app, which is stopped, in place of what it has, and returns its id. "" where none
        is kept for the build that is installed, or the file is damaged; then it is deleted. Raises ``UsageError``
        where no file can be kept, and ``DeviceError``."""
        self._make_folder()
        head, _, content = self._read().partition(b"\n")
        with suppress(ValueError, KeyError, TypeError):
            facts = json.loads(head)
            app, build = str(facts["app"]), facts["build"]
            whole = facts["digest"] == hashlib.sha256(content).hexdigest()
            if whole and build and build == _build(driver, app) and not why_not_copied(driver, app):
                driver.stop(app)
                try:
                    self._give(driver, app, content)
                    return app
                except ProtocolError:  # the phone cannot unpack it
                    self.forget()
                    self._give(driver, app, b"")
        self.forget()
        return ""

    def _give(self, driver: Driver, app: str, content: bytes) -> None:
        if names := _names(driver, app):
            _run(driver, _as(app, "rm", "-rf", *names))
        if content:
            with _folder_on(driver) as folder:
                driver.push_file(content, f"{folder}/data")
                _run(driver, f"{_as(app, 'tar', '-xf', '-')} < {folder}/data")

    def forget(self) -> None:
        """Deletes the file, where there is one."""
        with suppress(OSError):
            self.path.unlink(missing_ok=True)

    def _read(self) -> bytes:
        """Nothing of a file that others may read or write, or that cannot be read."""
        try:
            if os.name == "posix" and self.path.stat().st_mode & _OPEN:
                return b""
            return self.path.read_bytes()
        except OSError:
            return b""

    def _make_folder(self) -> None:
        folder = self.path.parent
        try:
            if not folder.is_absolute():
                raise NotADirectoryError("it is no absolute path")
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not os.access(folder, os.W_OK | os.X_OK):
                raise PermissionError("it is not writable")
        except OSError as error:
            raise _cannot_keep(folder, error) from None

    def _write(self, content: bytes) -> None:
        self._make_folder()
        written = self.path.with_suffix(f".{os.getpid()}")
        try:
            written.unlink(missing_ok=True)  # of a killed process with that number
            with open(os.open(written, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
                file.write(content)
            written.replace(self.path)
        except OSError as error:
            raise _cannot_keep(self.path.parent, error) from None
        finally:
            with suppress(OSError):
                written.unlink(missing_ok=True)


def _cannot_keep(folder: Path, error: OSError) -> UsageError:
    return UsageError(
        f"keep=True: no data can be kept in {folder}: {error.strerror or error}. Next: set XDG_STATE_HOME to the "
        "absolute path of a folder that is yours to write, or leave keep= out"
    )


def _build(driver: Driver, app: str) -> str:
    """The build that the phone has, by its bytes, or by its version where the phone does not give these."""
    said = driver.shell(["dumpsys", "package", app], ASK_SECONDS).stdout
    return installed_build(driver, app) or " ".join(re.findall(r"\bversion(?:Code|Name)=\S+", said)[:2])


def _names(driver: Driver, app: str) -> list[str]:
    listed = _run(driver, _as(app, "ls", "-A")).stdout.splitlines()
    return [f"./{name}" for name in listed if name and name not in _NOT_KEPT]


def _as(app: str, *words: str) -> str:
    return shlex.join(["run-as", app, *words])


def _run(driver: Driver, line: str) -> ShellOutput:
    said = driver.shell(line, COPY_SECONDS)
    if said.exit_code:
        why = f"the data of an app could not be copied: {_first_line(said)}"
        raise ProtocolError(why, exchange=line, device=driver.uri)
    return said


@contextmanager
def _folder_on(driver: Driver) -> Iterator[str]:
    """A folder on the phone that no app may look into; it is removed."""
    folder = f"/data/local/tmp/replicant-{secrets.token_hex(8)}"
    _run(driver, f"mkdir -m 700 {folder}")
    try:
        yield folder
    finally:
        with suppress(DeviceError):
            _run(driver, f"rm -rf {folder}")
