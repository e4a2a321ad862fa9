"""What can be broken in the bank, by kind of fault."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from pytest_replicant.virtual import RunningApp, Screen, Text, Widget
from pytest_replicant.virtual.app_kit import Card

from . import bank_app
from .bank_app import (
    Accounts,
    AccountScreen,
    BankState,
    Cards,
    Entry,
    NewPayee,
    Payees,
    Receipt,
    Settings,
    Transfer,
)

Patch = pytest.MonkeyPatch


# --- swapped rows -----------------------------------------------------------------------------------------


def balances_swapped(patch: Patch) -> None:
    right = Accounts.balances

    def swapped(self: Accounts, app: Any) -> list[int]:
        first, second, *rest = right(self, app)
        return [second, first, *rest]

    patch.setattr(Accounts, "balances", swapped)


def entries_swapped(patch: Patch) -> None:
    right = AccountScreen.entries

    def swapped(self: AccountScreen) -> list[Entry]:
        first, second, *rest = right(self)
        return [Entry(first.what, second.pence), Entry(second.what, first.pence), *rest]

    patch.setattr(AccountScreen, "entries", swapped)


def receipt_swapped(patch: Patch) -> None:
    right = Receipt.lines

    def swapped(self: Receipt, sent: Any) -> list[tuple[str, str]]:
        first, second, third = right(self, sent)
        return [(first[0], third[1]), second, (third[0], first[1])]

    patch.setattr(Receipt, "lines", swapped)


# --- stale data -------------------------------------------------------------------------------------------


def account_stale(patch: Patch) -> None:
    """What was sent is not in the account."""

    def send(self: BankState, account: Any) -> None:
        self.sent, self.form = self.form, bank_app.Form()

    patch.setattr(BankState, "send", send)


def payees_stale(patch: Patch) -> None:
    patch.setattr(BankState, "add_payee", lambda self: None)


def name_stale(patch: Patch) -> None:
    patch.setattr(BankState, "rename", lambda self, account, name: None)


# --- wrong value ------------------------------------------------------------------------------------------


def number_wrong(patch: Patch) -> None:
    patch.setattr(AccountScreen, "number", lambda self: "2041 7741")


def limit_wrong(patch: Patch) -> None:
    patch.setattr(Cards, "shown_limit", lambda self, limit: limit * 10)


# --- refused without a word -------------------------------------------------------------------------------


def _refuses(patch: Patch, owner: type[Any], method: str, request: str) -> None:
    """The request fails, which only the log says."""

    def refused(self: Any, app: RunningApp[Any], *_: Any) -> None:
        app.log(f"{request}: 409 Conflict", level="E", tag="BankApi")

    patch.setattr(owner, method, refused)


def transfer_refused(patch: Patch) -> None:
    _refuses(patch, Transfer, "send", "POST /transfers")


def payee_refused(patch: Patch) -> None:
    _refuses(patch, NewPayee, "store", "POST /payees")


def freeze_refused(patch: Patch) -> None:
    _refuses(patch, Cards, "freeze", "PUT /cards/4417")


def limit_refused(patch: Patch) -> None:
    _refuses(patch, Cards, "set_limit", "PUT /limits")


# --- disabled after an edit -------------------------------------------------------------------------------


def review_disabled(patch: Patch) -> None:
    patch.setattr(Transfer, "is_open", lambda self, form: not form.amount)


def save_disabled(patch: Patch) -> None:
    patch.setattr(NewPayee, "is_open", lambda self, app: not app.state.new_number)


def limit_disabled(patch: Patch) -> None:
    once = Cards.limits

    def limits(self: Cards, app: Any) -> list[Widget]:
        made = once(self, app)
        for button in made[1].parts() if app.state.limit != 3 else ():
            button.enabled = False
        return made

    patch.setattr(Cards, "limits", limits)


# --- another screen ---------------------------------------------------------------------------------------


def cards_open_payees(patch: Patch) -> None:
    patch.setattr(Accounts, "cards", lambda self: Payees())


def settings_open_cards(patch: Patch) -> None:
    patch.setattr(Accounts, "settings", lambda self: Cards())


def transfer_opens_payee(patch: Patch) -> None:
    patch.setattr(AccountScreen, "transfer", lambda self: NewPayee())


# --- removed section --------------------------------------------------------------------------------------


def history_removed(patch: Patch) -> None:
    patch.setattr(AccountScreen, "history", lambda self: [])


def limits_removed(patch: Patch) -> None:
    patch.setattr(Cards, "limits", lambda self, app: [])


def languages_removed(patch: Patch) -> None:
    patch.setattr(Settings, "languages", lambda self, app: [])


# --- right input refused ----------------------------------------------------------------------------------


def pence_refused(patch: Patch) -> None:
    patch.setattr(Transfer, "accepts", lambda self, form: form.is_right and form.pence % 100 == 0)


def number_refused(patch: Patch) -> None:
    patch.setattr(NewPayee, "accepts", lambda self, app: len(app.state.new_number) == 9)


# --- covered control --------------------------------------------------------------------------------------


def _notice(top: int) -> Callable[[Any], list[Widget]]:
    """A banner of the app's own, so many dp below the toolbar."""

    def notices(self: Any) -> list[Widget]:
        text = Text("New: pay with your watch")
        return [Card([text], id="banner", margin=(0, top, 0, 0), height=96, width="fill", on_click=lambda: None)]

    return notices


def banner_on_account(patch: Patch) -> None:
    patch.setattr(AccountScreen, "notices", _notice(110))


def banner_on_payee(patch: Patch) -> None:
    patch.setattr(NewPayee, "notices", _notice(110))


# --- not responding ---------------------------------------------------------------------------------------


def _hangs(patch: Patch, screen: type[Screen[Any]]) -> None:
    once = screen.opened

    def opened(self: Screen[Any], app: RunningApp[Any]) -> None:
        once(self, app)
        app.hang(30_000)

    patch.setattr(screen, "opened", opened)


def cards_hang(patch: Patch) -> None:
    _hangs(patch, Cards)


def transfer_hangs(patch: Patch) -> None:
    _hangs(patch, Transfer)


def settings_hang(patch: Patch) -> None:
    _hangs(patch, Settings)


# --- another language -------------------------------------------------------------------------------------

_WELSH = {
    "Frozen": "Wedi rhewi",
    "Card is frozen": "Mae'r cerdyn wedi rhewi",
    "Card is in use": "Mae'r cerdyn yn gweithio",
    "Daily limit": "Terfyn dyddiol",
    "At most": "Hyd at",
    "a day": "y dydd",
    "Messages": "Negeseuon",
    "Payment alerts": "Rhybuddion talu",
    "Alerts are on": "Mae rhybuddion ymlaen",
    "Alerts are off": "Mae rhybuddion i ffwrdd",
    "Language of the app": "Iaith yr ap",
    "Language": "Iaith",
    "Add payee": "Ychwanegu",
    "You have": "Mae gennych",
    "payees": "o bobl",
}


def _in_welsh(patch: Patch, screen: type[Screen[Any]]) -> None:
    """What the screen says, though not its title, is in the other language."""
    once = screen.build

    def build(self: Screen[Any], app: RunningApp[Any]) -> Widget:
        made = once(self, app)
        _translate(made)
        return made

    patch.setattr(screen, "build", build)


def _translate(widget: Widget) -> None:
    for name in ("text", "hint", "description"):
        said = getattr(widget, name, "") or ""
        for word, welsh in _WELSH.items():
            said = said.replace(word, welsh)
        if said:
            setattr(widget, name, said)
    for part in widget.parts():
        _translate(part)


def cards_in_welsh(patch: Patch) -> None:
    _in_welsh(patch, Cards)


def settings_in_welsh(patch: Patch) -> None:
    _in_welsh(patch, Settings)


def payees_in_welsh(patch: Patch) -> None:
    _in_welsh(patch, Payees)


# --- wrong count ------------------------------------------------------------------------------------------


def accounts_miscounted(patch: Patch) -> None:
    patch.setattr(Accounts, "count", lambda self, app: len(app.state.accounts) - 1)


def payees_miscounted(patch: Patch) -> None:
    patch.setattr(Payees, "count", lambda self, names: len(names) - 1)


KINDS: Mapping[str, tuple[Callable[[Patch], None], ...]] = {
    "swapped rows": (balances_swapped, entries_swapped, receipt_swapped),
    "stale data": (account_stale, payees_stale, name_stale),
    "wrong value": (number_wrong, limit_wrong),
    "refused without a word": (transfer_refused, payee_refused, freeze_refused, limit_refused),
    "disabled after an edit": (review_disabled, save_disabled, limit_disabled),
    "another screen": (cards_open_payees, settings_open_cards, transfer_opens_payee),
    "removed section": (history_removed, limits_removed, languages_removed),
    "right input refused": (pence_refused, number_refused),
    "covered control": (banner_on_account, banner_on_payee),
    "not responding": (cards_hang, transfer_hangs, settings_hang),
    "another language": (cards_in_welsh, settings_in_welsh, payees_in_welsh),
    "wrong count": (accounts_miscounted, payees_miscounted),
}
