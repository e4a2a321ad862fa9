"""Apps: starting, stopping, links, the app in front, and the system's own dialogs."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ...errors import Unsupported, UsageError
from ...model import Selector
from ..base import AppInFront, AppStatus, PermissionAnswer, SystemDialogs
from .answers import Refused, gist
from .link import SYSTEM_APPS
from .screen import Role

# English first, in which simulators and test phones mostly are; then German, French, Spanish, Italian, Portuguese,
# Dutch, Polish, Japanese, Chinese, Korean.
_LABELS: Mapping[PermissionAnswer, tuple[str, ...]] = {
    "allow": (
        *("Allow While Using App", "Allow Full Access", "Allow Access to All Photos", "Allow", "OK"),
        *("Beim Verwenden der App erlauben", "Erlauben", "Lorsque l’app est active", "Autoriser"),
        *("Permitir al usarse la app", "Permitir", "Mentre usi l’app", "Consenti"),
        *("Permitir Durante o Uso do App", "Bij gebruik van app", "Sta toe", "Podczas używania aplikacji"),
        *("Pozwalaj", "Appの使用中は許可", "許可", "使用App时允许", "允许", "앱을 사용하는 동안 허용", "허용"),
    ),
    "allow_once": (
        *("Allow Once", "Einmal erlauben", "Autoriser une fois", "Permitir una vez", "Consenti una volta"),
        *("Permitir Uma Vez", "Sta eenmaal toe", "Pozwól raz", "1度だけ許可", "允许一次", "한 번 허용"),
    ),
    "deny": (
        *("Don’t Allow", "Don't Allow", "Nicht erlauben", "Ne pas autoriser", "Refuser", "No permitir"),
        *("Non consentire", "Não Permitir", "Sta niet toe", "Nie pozwalaj", "許可しない", "不允许", "허용 안 함"),
    ),
}
IOS_DIALOGS = SystemDialogs(
    permission_packages=SYSTEM_APPS,
    permission_buttons={
        answer: tuple(Selector(text=label, class_name="Button") for label in labels)
        for answer, labels in _LABELS.items()
    },
    packages=SYSTEM_APPS,
    from_home_screen=True,
)


START_SECONDS = 60.0  # the cold start of a large app; WebDriverAgent waits for it
_BUNDLE_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_STATUS: Mapping[int, AppStatus] = {2: "background", 3: "background", 4: "foreground"}
# How iOS says that it knows no such app, in the words of FrontBoard, LaunchServices and XCTest.
_NOT_INSTALLED = re.compile(
    r"unknown to FrontBoard|not installed|NotFound|FBSOpenApplicationServiceErrorDomain[\" ]+Code=4\b"
    r"|(?:find|locate) (?:the )?(?:app|bundle)|No such (?:app|bundle)",
    re.IGNORECASE,
)
_UNOPENED = re.compile(r"cannot be opened|can.?t be opened|failed to open|could not open|not open", re.IGNORECASE)


class IosApps(Role):
    def launch(self, app: str, activity: str | None, args: Sequence[str]) -> None:
        """Starts an app. ``args`` are the process's arguments. They reach a new process only, so that an app that
        runs is refused with them; stop it first. WebDriverAgent cannot list apps: near names are not known."""
        checked_name(app)
        if activity is not None:
            raise Unsupported(
                f"launch {app} with activity={activity!r} on {self._link.name}: an iPhone's app has no "
                "activities; open_url leads into one, and so do arguments, args=(...). Nothing was started.",
                capability="CURRENT_ACTIVITY",
                device=self._link.name,
            )
        if self.app_status(app) == "stopped":
            body = {"bundleId": app, "arguments": list(args), "environment": {}, "shouldWaitForQuiescence": False}
            self._app_call("launch", "wda/apps/launch", body)
        elif args:
            raise UsageError(
                f"launch {app} on {self._link.name}: it runs, and arguments reach only a process that starts. "
                "Nothing was done. Stop it first."
            )
        else:
            self._app_call("launch", "wda/apps/activate", {"bundleId": app})
        self._link.follow(app)

    def stop(self, app: str) -> None:
        """Ends an app. Raises ``UsageError`` where WebDriverAgent reports it as not installed; most do not."""
        self._app_call("stop", "wda/apps/terminate", {"bundleId": checked_name(app)})

    def app_in_front(self) -> AppInFront:
        """App in front: SpringBoard while a dialog of the system is up, and on the home screen."""
        said = self._link.get("wda/activeAppInfo")
        bundle = said.get("bundleId") if isinstance(said, dict) else None
        if not isinstance(bundle, str) or not bundle:
            raise self._link.unexpected("app_in_front", said)
        self._link.follow(bundle)
        return AppInFront(bundle)

    def app_status(self, app: str) -> AppStatus:
        try:
            said = self._link.query("wda/apps/state", {"bundleId": checked_name(app)})
        except Refused as refused:
            if _NOT_INSTALLED.search(refused.said):
                return "stopped"
            raise
        if not isinstance(said, int):
            raise self._link.unexpected("app_status", said)
        return _STATUS.get(said, "stopped")

    def open_url(self, url: str, app: str | None) -> None:
        """Opens a URL. ``app`` needs iOS 16.4. Raises ``UsageError`` where no app, or not this one, opens it."""
        body = {"url": url, "bundleId": checked_name(app)} if app else {"url": url}
        try:
            self._link.post("url", body, seconds=START_SECONDS)
        except Refused as refused:
            by_whom = f"{app} does not open it" if app else "no app on the phone opens it"
            if _NOT_INSTALLED.search(refused.said) and app:
                raise self._not_installed("open_url", app, refused) from None
            if not _UNOPENED.search(refused.said) and refused.error != "invalid argument":
                raise
            lines = refused.said.strip().splitlines() or [refused.error]
            raise UsageError(f"open_url {url!r} on {self._link.name}: {by_whom}: {lines[0][:300]}") from None

    def _app_call(self, verb: str, path: str, body: Mapping[str, Any]) -> None:
        try:
            self._link.post(path, body, seconds=START_SECONDS)
        except Refused as refused:
            if _NOT_INSTALLED.search(refused.said):
                raise self._not_installed(verb, str(body["bundleId"]), refused) from None
            raise

    def _not_installed(self, verb: str, app: str, refused: Refused) -> UsageError:
        return UsageError(
            f"{verb} {app} on {self._link.name}: it is not installed. WebDriverAgent cannot list the apps that "
            "are; check the bundle id (`ideviceinstaller list`, or `xcrun simctl listapps booted`). iOS says: "
            f"{gist(refused.said) or refused.error}"
        )


def checked_name(app: str) -> str:
    """Bundle id. Raises ``UsageError`` for a name that can be none. Pure."""
    if not isinstance(app, str) or not _BUNDLE_ID.fullmatch(app):
        raise UsageError(f'{app!r} is no bundle id; one looks like "com.example.shop". Nothing was done.')
    return app
