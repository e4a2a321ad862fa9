"""How iOS's own dialogs look. Data.

They are alerts of SpringBoard's, the home screen, and their buttons have no identifiers: they are told by their
labels, in Apple's wording, which changes with the language. An app that crashed is gone without a word, and
nothing says that one does not answer.
"""

from __future__ import annotations

from collections.abc import Mapping

from ...model import Selector
from ..base import PermissionAnswer, SystemDialogs

SPRINGBOARD = "com.apple.springboard"
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
_PACKAGES = frozenset({SPRINGBOARD})

SYSTEM_DIALOGS = SystemDialogs(
    permission_packages=_PACKAGES,
    permission_buttons={
        answer: tuple(Selector(text=label, class_name="Button") for label in labels)
        for answer, labels in _LABELS.items()
    },
    packages=_PACKAGES,
    from_home_screen=True,
)
