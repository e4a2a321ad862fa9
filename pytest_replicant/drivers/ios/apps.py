"""Apps: starting, stopping, links, the app in front, and the system's own dialogs."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ...errors import Unsupported, UsageError
from ...model import AnyMapping, Selector, Strings, come_true
from ..base import AppInFront, AppStatus, PermissionAnswer, SystemDialogs
from .answers import Refused, gist
from .link import BUNDLE_ID, FOREGROUND, SPRINGBOARD, SYSTEM_APPS, Link
from .screen import Role, Screen

# English first, in which simulators and test phones mostly are; then German, French, Spanish,
# Italian, Portuguese, Dutch, Polish, Japanese, Chinese, Korean.
_LABELS: Mapping[PermissionAnswer, Strings] = {
    "allow": (
        "Allow While Using App",
        "Allow Full Access",
        "Allow Access to All Photos",
        "Allow",
        "OK",
        "Allow Paste",
        "Change to Always Allow",
        "Beim Verwenden der App erlauben",
        "Erlauben",
        "Lorsque l’app est active",
        "Autoriser",
        "Permitir al usarse la app",
        "Permitir",
        "Mentre usi l’app",
        "Consenti",
        "Permitir Durante o Uso do App",
        "Bij gebruik van app",
        "Sta toe",
        "Podczas używania aplikacji",
        "Pozwalaj",
        "Appの使用中は許可",
        "許可",
        "使用App时允许",
        "允许",
        "앱을 사용하는 동안 허용",
        "허용",
    ),
    "allow_once": (
        "Allow Once",
        "Einmal erlauben",
        "Autoriser une fois",
        "Permitir una vez",
        "Consenti una volta",
        "Permitir Uma Vez",
        "Sta eenmaal toe",
        "Pozwól raz",
        "1度だけ許可",
        "允许一次",
        "한 번 허용",
    ),
    "deny": (
        "Don’t Allow",
        "Don't Allow",
        "Ask App Not to Track",
        "Don’t Allow Paste",
        "Keep Only While Using",
        "Nicht erlauben",
        "Ne pas autoriser",
        "Refuser",
        "No permitir",
        "Non consentire",
        "Não Permitir",
        "Sta niet toe",
        "Nie pozwalaj",
        "許可しない",
        "不允许",
        "허용 안 함",
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


# How SpringBoard asks before it opens a link of an app's own scheme, "Open in “Shop”?", by its two
# buttons, in the languages of the labels above, and more.
LINK_BUTTONS = """
Cancel Open
Abbrechen Öffnen
Annuler Ouvrir
Cancelar Abrir
Annulla Apri
Annuleer Open
Anuluj Otwórz
Avbryt Öppna
Annuller Åbn
Avbryt Åpne
Kumoa Avaa
Zrušit Otevřít
Отменить Открыть
Скасувати Відкрити
Vazgeç Aç
キャンセル 開く
取消 打开
取消 打開
취소 열기
إلغاء فتح
ביטול פתח
Hủy Mở
Batal Buka
ยกเลิก เปิด
"""
_UNASKED = ("http", "https")  # what a universal link leads into is the system's business
QUESTION_SECONDS = 1.0  # it comes within a screen change
_QUESTION_LOOK = 0.2  # seconds between two looks, each of which asks SpringBoard
START_SECONDS = 60.0  # the cold start of a large app; WebDriverAgent waits for it
_STATUS: Mapping[int, AppStatus] = {2: "background", 3: "background", FOREGROUND: "foreground"}
# How iOS says that it knows no such app, in the words of FrontBoard, LaunchServices and XCTest.
_NOT_INSTALLED = re.compile(
    r"unknown to FrontBoard|not installed|NotFound|"
    r"FBSOpenApplicationServiceErrorDomain[\" ]+Code=4\b"
    r"|(?:find|locate) (?:the )?(?:app|bundle)|No such (?:app|bundle)",
    re.IGNORECASE,
)
_UNOPENED = r"cannot be opened|can.?t be opened|failed to open|could not open|not open"


class IosApps(Role):
    def __init__(self, link: Link, screen: Screen) -> None:
        super().__init__(link, screen)
        self._asked: set[str] = (
            set()
        )  # schemes of links that SpringBoard was looked at for, once they were opened

    def launch(self, app: str, activity: str | None, args: Sequence[str]) -> None:
        """Starts an app. ``args`` are the process's arguments. They reach a new process only, so
        that an app that runs is refused with them; stop it first. WebDriverAgent cannot list apps:
        near names are not known."""
        checked_name(app)
        if activity is not None:
            raise Unsupported(
                f"launch {app} with activity={activity!r} on {self._link.name}: an iPhone's app "
                "has no activities; open_url leads into one, and so do arguments, args=(...). "
                "Nothing was started.",
                capability="CURRENT_ACTIVITY",
                device=self._link.name,
            )
        if self.app_status(app) == "stopped":
            body = {
                "bundleId": app,
                "arguments": list(args),
                "environment": {},
                "shouldWaitForQuiescence": False,
            }
            self._app_call("launch", "wda/apps/launch", body)
        elif args:
            raise UsageError(
                f"launch {app} on {self._link.name}: it runs, and arguments reach only a process "
                "that starts. Nothing was done. Stop it first."
            )
        else:
            self._app_call("launch", "wda/apps/activate", {"bundleId": app})
        self._link.follow(app)

    def stop(self, app: str) -> None:
        """Ends an app. Raises ``UsageError`` if WebDriverAgent reports it as not installed; most do
        not."""
        self._app_call("stop", "wda/apps/terminate", {"bundleId": checked_name(app)})

    def app_in_front(self) -> AppInFront:
        """App in front: SpringBoard while a dialog of the system is up, and on the home screen."""
        bundle = self._link.active_app()
        if bundle == SPRINGBOARD and self._link.looked_past_banner():
            bundle = self._link.active_app()
        self._link.follow(bundle)
        return AppInFront(bundle)

    def app_status(self, app: str) -> AppStatus:
        try:
            return _STATUS.get(self._link.state_of(checked_name(app)), "stopped")
        except Refused as refused:
            if _NOT_INSTALLED.search(refused.said):
                return "stopped"
            raise

    def open_url(self, url: str, app: str | None) -> None:
        """Opens a URL. ``app`` needs iOS 16.4. SpringBoard's question whether a link of an app's
        own scheme may be opened is answered with yes. Raises ``UsageError`` if no app, or not this
        one, opens it."""
        body, by_whom = {"url": url}, "no app on the phone opens it"
        if app:
            body["bundleId"] = checked_name(app)
            by_whom = f"{app} does not open it"
        try:
            self._link.post("url", body, seconds=START_SECONDS)
        except Refused as refused:
            if _NOT_INSTALLED.search(refused.said) and app:
                raise self._not_installed("open_url", app, refused) from None
            if (
                not re.search(_UNOPENED, refused.said, re.IGNORECASE)
                and refused.error != "invalid argument"
            ):
                raise
            lines = refused.said.strip().splitlines() or [refused.error]
            raise UsageError(
                f"open_url {url!r} on {self._link.name}: {by_whom}: {lines[0][:300]}"
            ) from None
        scheme = url.partition(":")[0].lower()
        if scheme not in _UNASKED:
            patience = 0.0 if scheme in self._asked else QUESTION_SECONDS
            come_true(self._link.clock, self._link_was_allowed, patience, _QUESTION_LOOK)
            self._asked.add(scheme)

    def _link_was_allowed(self) -> bool:
        """Whether SpringBoard asked, and was answered: by its two buttons, in whichever
        language."""
        self._link.respect_alerts(True)
        buttons = self._link.alert_buttons()
        asked = next(
            (pair for pair in LINK_BUTTONS.splitlines() if {*pair.split()} == {*buttons}), ""
        )
        if asked:
            self._link.follow(self._link.active_app())  # only its session shows what lies over it
        if not asked or self._link.active_app() != SPRINGBOARD:
            return False
        self._link.post("alert/accept", {"name": asked.split()[1]})
        return True

    def _app_call(self, verb: str, path: str, body: AnyMapping) -> None:
        try:
            self._link.post(path, body, seconds=START_SECONDS)
        except Refused as refused:
            if _NOT_INSTALLED.search(refused.said):
                raise self._not_installed(verb, str(body["bundleId"]), refused) from None
            raise

    def _not_installed(self, verb: str, app: str, refused: Refused) -> UsageError:
        return UsageError(
            f"{verb} {app} on {self._link.name}: it is not installed. WebDriverAgent cannot list "
            "the apps that are; check the bundle id (`ideviceinstaller list`, or `xcrun simctl "
            f"listapps booted`). iOS says: {gist(refused.said) or refused.error}"
        )


def checked_name(app: str) -> str:
    """Bundle id. Raises ``UsageError`` for a name that can be none. Pure."""
    if not isinstance(app, str) or not BUNDLE_ID.fullmatch(app):
        raise UsageError(
            f'{app!r} is no bundle id; one looks like "com.example.shop". Nothing was done.'
        )
    return app
