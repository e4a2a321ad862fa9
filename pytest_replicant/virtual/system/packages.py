"""The package manager's books: ``Packages()``, empty; the one who builds the phone adds its
apps."""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from .apk import InstallFailed, Manifest, read_apk

FIRST_USER_ID = 10_100


@dataclass(frozen=True)
class Package:
    """One installed package. ``activity`` is the full class name of what the launcher starts, ""
    for none; times are seconds since 1970."""

    name: str
    label: str = ""
    version_name: str = "1.0"
    version_code: int = 1
    activity: str = ""
    path: str = ""
    installed_at: float = 0.0
    updated_at: float = 0.0
    requested: tuple[str, ...] = ()
    granted: frozenset[str] = frozenset()
    one_time: frozenset[str] = frozenset()  # granted until the process ends
    user_set: frozenset[str] = frozenset()  # refused by the user, once
    user_fixed: frozenset[str] = frozenset()  # refused again, for good
    system: bool = False
    min_sdk: int = 24
    target_sdk: int = 34
    user_id: int = 0
    url_prefixes: tuple[str, ...] = ()  # of the links that it opens
    answers: tuple[
        tuple[str, str], ...
    ] = ()  # an action, maybe with a category, and the activity that answers it

    @property
    def signature(self) -> str:
        """Eight hex digits that stand for the signing certificate."""
        return hashlib.sha256(self.name.encode()).hexdigest()[:8]

    def component(self, activity: str) -> str:
        """``package/activity`` in Android's short form."""
        short = activity.removeprefix(self.name)
        return f"{self.name}/{short if short.startswith('.') else activity}"


class Packages:
    """Installed packages by name. Thread-safe."""

    def __init__(self, *, now: Callable[[], float] = time.time) -> None:
        self._lock = threading.RLock()
        self._now = now
        self._packages: dict[str, Package] = {}
        self._next_user_id = FIRST_USER_ID

    def add(self, package: Package) -> Package:
        """Installs without an APK; an entry of the same name is updated. Missing path, times and
        user id are filled in."""
        with self._lock:
            old = self._packages.get(package.name)
            now = self._now()
            home = "/system/app" if package.system else "/data/app"
            token = hashlib.sha256(package.name.encode()).hexdigest()[:16]
            filled = replace(
                package,
                label=package.label or package.name,
                path=package.path or f"{home}/~~{token}==/{package.name}-{token[::-1]}==/base.apk",
                installed_at=old.installed_at if old else package.installed_at or now,
                updated_at=now if old else package.updated_at or package.installed_at or now,
                user_id=old.user_id if old else package.user_id or self._take_user_id(),
                granted=package.granted | (old.granted if old else frozenset()),
                one_time=old.one_time if old else package.one_time,
                user_set=old.user_set if old else package.user_set,
                user_fixed=old.user_fixed if old else package.user_fixed,
            )
            self._packages[package.name] = filled
            return filled

    def get(self, name: str) -> Package | None:
        with self._lock:
            return self._packages.get(name)

    def installed(self) -> list[Package]:
        """All, by name."""
        with self._lock:
            return [self._packages[name] for name in sorted(self._packages)]

    def names(self) -> list[str]:
        return [package.name for package in self.installed()]

    def install(
        self,
        data: bytes,
        source: str = "base.apk",
        abi: str = "",
        *,
        oldest_target: int = 0,
    ) -> Package:
        """Installs an APK's bytes; ``source`` is the path that messages name. An app that the phone
        has already keeps its main activity where the APK names none. Native code has to be for
        ``abi``, where that is given. Raises ``InstallFailed``."""
        manifest = read_apk(data, source)
        if abi and manifest.native and abi not in manifest.native:
            raise InstallFailed(
                "INSTALL_FAILED_NO_MATCHING_ABIS", "Failed to extract native libraries, res=-113"
            )
        if manifest.target_sdk < oldest_target:
            why = (
                f"App package must target at least SDK version {oldest_target}, but found "
                f"{manifest.target_sdk}"
            )
            raise InstallFailed("INSTALL_FAILED_DEPRECATED_SDK_VERSION", why)
        with self._lock:
            old = self._packages.get(manifest.package)
            return self.add(_from_manifest(manifest, old))

    def uninstall(self, name: str) -> bool:
        """False if it is not installed, or belongs to the system."""
        with self._lock:
            package = self._packages.get(name)
            if package is None or package.system:
                return False
            del self._packages[name]
            return True

    def grant(self, name: str, permission: str, *, one_time: bool = False) -> None:
        """Raises ``LookupError`` if the package is not installed."""
        gone, given = _without(permission), frozenset((permission,))

        def change(package: Package) -> Package:
            package = gone(package)
            once = package.one_time | given if one_time else package.one_time
            return replace(package, granted=package.granted | given, one_time=once)

        self._change(name, change)

    def revoke(self, name: str, permission: str) -> None:
        """Raises ``LookupError`` if the package is not installed."""
        self._change(name, _without(permission))

    def refuse(self, name: str, permission: str, *, for_good: bool) -> None:
        """The user did not allow it. Raises ``LookupError`` as above."""
        given = frozenset((permission,))

        def change(package: Package) -> Package:
            return replace(
                package,
                granted=package.granted - given,
                user_set=package.user_set | given,
                user_fixed=package.user_fixed | given if for_good else package.user_fixed,
            )

        self._change(name, change)

    def end_one_time(self, name: str) -> None:
        """Takes back what was granted for one time; nothing if the package is not installed."""
        with self._lock:
            if name in self._packages:
                self._change(
                    name,
                    lambda package: replace(
                        package, granted=package.granted - package.one_time, one_time=frozenset()
                    ),
                )

    def revoke_all(self, name: str) -> None:
        """Takes back every run-time permission."""
        self._change(name, _without_any)

    def _change(self, name: str, change: Callable[[Package], Package]) -> None:
        with self._lock:
            package = self._packages.get(name)
            if package is None:
                raise LookupError(f"Unknown package: {name}")
            self._packages[name] = change(package)

    def _take_user_id(self) -> int:
        self._next_user_id += 1
        return self._next_user_id - 1


def _without(permission: str) -> Callable[[Package], Package]:
    """Resets the permission, as if it had never been asked for."""
    given = frozenset((permission,))
    return lambda package: replace(
        package,
        granted=package.granted - given,
        one_time=package.one_time - given,
        user_set=package.user_set - given,
        user_fixed=package.user_fixed - given,
    )


def _without_any(package: Package) -> Package:
    nothing: frozenset[str] = frozenset()
    return replace(package, granted=nothing, one_time=nothing, user_set=nothing, user_fixed=nothing)


def _from_manifest(manifest: Manifest, old: Package | None) -> Package:
    return Package(
        name=manifest.package,
        label=manifest.label or (old.label if old else ""),
        version_name=manifest.version_name,
        version_code=manifest.version_code,
        activity=manifest.activity or (old.activity if old else ""),
        path=old.path if old else "",
        requested=manifest.permissions,
        min_sdk=manifest.min_sdk,
        target_sdk=manifest.target_sdk,
        system=old.system if old else False,
        url_prefixes=old.url_prefixes if old else (),
        answers=old.answers if old else (),
    )
