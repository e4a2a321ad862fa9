"""The answers: for each fault of the bank the shortest text by which a reader knows what is wrong, written from
the fault, not from a report. Each expression of a fault must be found in what was read of one failure."""

from __future__ import annotations

import re
from collections.abc import Mapping

_NEAR = ".{0,28}"
_FAR = "[^.]{0,90}"
_END = r" (?!\[|- \[)\S"
"""After an element: the outline ends there."""
_WATCH = '"New: pay with your watch"'


def _removed(last: str, first: str) -> tuple[str, ...]:
    """A section: the outline ends with the element before it, or a difference names its first element."""
    return (rf'\] {last}{_END}|[Ww]ithout{_FAR}"{first}|- \[\w+\] (?:\w+ )?"{first}|text="{first}"{_FAR}absent',)


def _disabled(label: str) -> tuple[str, ...]:
    return (rf'"{label}"{_NEAR}disabled|disabled{_NEAR}"{label}"',)


def _opens(wanted: str, shown: str) -> tuple[str, ...]:
    """The screen that was to come, and the one that came."""
    return (
        rf'{wanted}"? on [\w:-]+: {shown}\b|"{shown}"{_NEAR}(?:not|instead of|expected) "{wanted}"'
        rf'|[Ee]xpected:? "?{wanted}"?{_NEAR}(?:[Oo]bserved|saw):? "?{shown}\b',
    )


def _hangs(name: str) -> tuple[str, ...]:
    return (
        r"has drawn nothing|[Nn]ot [Rr]espond|isn.t responding|\bANR\b",
        rf'expect_screen "?{name}|{name}Activity|tap[^.]{{0,30}}"{name}"',
    )


def _covered(*labels: str) -> tuple[str, ...]:
    over = "cover|over|in the way"
    return (rf"(?:{over})[^.]{{0,40}}{_WATCH}|{_WATCH}[^.]{{0,30}}(?:{over})", rf'"(?:{"|".join(labels)})"')


WITNESSES: Mapping[str, tuple[str, ...]] = {
    "balances_swapped": (rf"Everyday{_NEAR}£8,000\.00|Savings{_NEAR}£1,250\.00",),
    "entries_swapped": (
        rf"Rent{_NEAR}£2,100\.00|Wages{_NEAR}-£650\.00|Interest{_NEAR}£200\.00|Top-up{_NEAR}£12\.50",
    ),
    "receipt_swapped": (rf'\bTo\b"?{_NEAR}(?:Tickets|Bin 7)|Reference"{_NEAR}"(?:Eva Lind|City Council)"',),
    "account_stale": (r"£1,200\.00|£1,000\.00|-£19\.99", r"£1,250\.00"),
    "payees_stale": ("Anna Falk|You have 4 payees", "You have 3 payees"),
    "name_stale": (
        "Household|Cornwall",
        r'\[\w+\] (?:\w+ )?"(?:Everyday|Holiday)|"(?:Everyday|Holiday)[^"]*", not "(?:Household|Cornwall)"',
    ),
    "number_wrong": ("2041 7733|2041 7758", "2041 7741"),
    "limit_wrong": ("£(?:300|500|100) a day", "£(?:3000|5000|1000) a day"),
    "transfer_refused": ("POST /transfers: 409",),
    "payee_refused": ("POST /payees: 409",),
    "freeze_refused": ("PUT /cards/4417: 409",),
    "limit_refused": ("PUT /limits: 409",),
    "review_disabled": _disabled("Review"),
    "save_disabled": _disabled("Save payee"),
    "limit_disabled": (r'"[+−]"(?:: it)? is disabled',),
    "cards_open_payees": _opens("Cards", "Payees"),
    "settings_open_cards": _opens("Settings", "Cards"),
    "transfer_opens_payee": _opens("Transfer", "New payee"),
    "history_removed": _removed('Button "Rename"', "History"),
    "limits_removed": _removed('"Card is (?:in use|frozen)"', "Daily limit"),
    "languages_removed": _removed(r'"Alerts are \w+"', "Language"),
    "pence_refused": ("Check payee and amount",),
    "number_refused": ("The number has eight digits",),
    "banner_on_account": _covered("Transfer", "Rename"),
    "banner_on_payee": _covered("Save payee"),
    "cards_hang": _hangs("Cards"),
    "transfer_hangs": _hangs("Transfer"),
    "settings_hang": _hangs("Settings"),
    "cards_in_welsh": ("Wedi rhewi|Mae'r cerdyn|Terfyn dyddiol|Hyd at",),
    "settings_in_welsh": ("Negeseuon|Rhybuddion talu|Iaith",),
    "payees_in_welsh": ("Mae gennych|Ychwanegu",),
    "accounts_miscounted": ("3 accounts", "2 accounts"),
    "payees_miscounted": ("(?=.*You have 4 )(?=.*You have 3 )|(?=.*You have 3 )(?=.*You have 2 )",),
}


def knows(fault: str, text: str) -> bool:
    """Whether who read the text, in one line, knows that it is this fault."""
    return all(re.search(one, text) for one in WITNESSES[fault])
