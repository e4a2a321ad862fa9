"""What can be broken in the bank: three or so of each kind of fault."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from pytest_replicant.virtual import RunningApp, Screen, Text, Widget
from pytest_replicant.virtual.app_kit import Card

from .bank_app import (
    Accounts,
    AccountScreen,
    BankState,
    Cards,
    Entry,
    Form,
    NewPayee,
    Payees,
    Receipt,
    Transfer,
)

Patch = pytest.MonkeyPatch
Fault = Callable[[Patch], None]
"""Breaks an app until the patch is undone."""


def instead(owner: type[Any], method: str, other: Callable[..., Any]) -> Fault:
    """The method does that instead."""
    return lambda patch: patch.setattr(owner, method, other)


def changed(owner: type[Any], method: str, change: Callable[[Any], Any]) -> Fault:
    """What the method returns is changed."""
    right = getattr(owner, method)
    return instead(owner, method, lambda *given: change(right(*given)))


def refused(owner: type[Any], method: str, request: str) -> Fault:
    """The request fails, which only the log says."""

    def fail(self: Any, app: RunningApp[Any], *_: Any) -> None:
        app.log(f"{request}: 409 Conflict", level="E", tag="BankApi")

    return instead(owner, method, fail)


def covered(owner: type[Any]) -> Fault:
    """A banner of the app's own lies over the page, below the toolbar."""

    def notices(self: Any) -> list[Widget]:
        text = Text("New: pay with your watch")
        margin = (0, 110, 0, 0)
        return [
            Card([text], id="banner", margin=margin, height=96, width="fill", on_click=lambda: None)
        ]

    return instead(owner, "notices", notices)


def hangs(screen: type[Screen[Any]]) -> Fault:
    """The app does not respond for half a minute once the screen is open."""
    once = screen.opened

    def opened(self: Screen[Any], app: RunningApp[Any]) -> None:
        once(self, app)
        app.hang(30_000)

    return instead(screen, "opened", opened)


_WELSH = {
    "Frozen": "Wedi rhewi",
    "Card is frozen": "Mae'r cerdyn wedi rhewi",
    "Card is in use": "Mae'r cerdyn yn gweithio",
    "Daily limit": "Terfyn dyddiol",
    "At most": "Hyd at",
    "a day": "y dydd",
    "Add payee": "Ychwanegu",
    "You have": "Mae gennych",
    "payees": "o bobl",
}


def _in_welsh(widget: Widget) -> Widget:
    """What the screen says, though not its title, is in the other language."""
    for name in ("text", "hint", "description"):
        said = getattr(widget, name, "") or ""
        for word, welsh in _WELSH.items():
            said = said.replace(word, welsh)
        if said:
            setattr(widget, name, said)
    for part in widget.parts():
        _in_welsh(part)
    return widget


def _entries_swapped(entries: list[Entry]) -> list[Entry]:
    first, second, *rest = entries
    return [Entry(first.what, second.pence), Entry(second.what, first.pence), *rest]


def _receipt_swapped(lines: list[tuple[str, str]]) -> list[tuple[str, str]]:
    first, second, third = lines
    return [(first[0], third[1]), second, (third[0], first[1])]


def _nothing_sent(self: BankState, account: Any) -> None:
    """What was sent is not in the account."""
    self.sent, self.form = self.form, Form()


def _limit_disabled(patch: Patch) -> None:
    once = Cards.limits

    def limits(self: Cards, app: Any) -> list[Widget]:
        made = once(self, app)
        if app.state.limit != 3:
            for button in made[1].parts():
                button.enabled = False
        return made

    patch.setattr(Cards, "limits", limits)


FAULTS: Mapping[str, Fault] = {
    # swapped rows
    "balances_swapped": changed(
        Accounts, "balances", lambda pence: [pence[1], pence[0], *pence[2:]]
    ),
    "entries_swapped": changed(AccountScreen, "entries", _entries_swapped),
    "receipt_swapped": changed(Receipt, "lines", _receipt_swapped),
    # stale data
    "account_stale": instead(BankState, "send", _nothing_sent),
    "payees_stale": instead(BankState, "add_payee", lambda self: None),
    # wrong value
    "number_wrong": changed(AccountScreen, "number", lambda number: "2041 7741"),
    "limit_wrong": changed(Cards, "shown_limit", lambda limit: limit * 10),
    # refused without a word
    "transfer_refused": refused(Transfer, "send", "POST /transfers"),
    "payee_refused": refused(NewPayee, "store", "POST /payees"),
    "freeze_refused": refused(Cards, "freeze", "PUT /cards/4417"),
    "limit_refused": refused(Cards, "set_limit", "PUT /limits"),
    # disabled after an edit
    "review_disabled": instead(Transfer, "is_open", lambda self, form: not form.amount),
    "save_disabled": instead(NewPayee, "is_open", lambda self, app: not app.state.new_number),
    "limit_disabled": _limit_disabled,
    # another screen
    "cards_open_payees": changed(Accounts, "cards", lambda screen: Payees()),
    "transfer_opens_payee": changed(AccountScreen, "transfer", lambda screen: NewPayee()),
    # removed section
    "history_removed": changed(AccountScreen, "history", lambda section: []),
    "limits_removed": changed(Cards, "limits", lambda section: []),
    # right input refused
    "pence_refused": instead(
        Transfer, "accepts", lambda self, form: form.is_right and form.pence % 100 == 0
    ),
    "number_refused": instead(
        NewPayee, "accepts", lambda self, app: len(app.state.new_number) == 9
    ),
    # covered control
    "banner_on_account": covered(AccountScreen),
    "banner_on_payee": covered(NewPayee),
    # not responding
    "cards_hang": hangs(Cards),
    "transfer_hangs": hangs(Transfer),
    # another language
    "cards_in_welsh": changed(Cards, "build", _in_welsh),
    "payees_in_welsh": changed(Payees, "build", _in_welsh),
    # wrong count
    "accounts_miscounted": changed(Accounts, "count", lambda count: count - 1),
    "payees_miscounted": changed(Payees, "count", lambda count: count - 1),
}
