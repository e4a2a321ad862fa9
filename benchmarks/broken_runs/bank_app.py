"""``dev.replicant.bank``: accounts and what happened on them, transfers, cards, payees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from dataclasses import field as made_by
from typing import Any

from pytest_replicant.virtual import (
    App,
    Button,
    Column,
    Dialog,
    DialogButton,
    EditText,
    IconButton,
    RecyclerList,
    Row,
    RunningApp,
    Screen,
    Scroll,
    Stack,
    Switch,
    Text,
    Widget,
    stepper,
)
from pytest_replicant.virtual.app_kit import Card

PACKAGE = "dev.replicant.bank"


def pounds(pence: int) -> str:
    """``-2599`` is "-£25.99"."""
    return f"{'-' if pence < 0 else ''}£{abs(pence) // 100:,}.{abs(pence) % 100:02d}"


@dataclass
class Entry:
    """Money that came or, below zero, went."""

    what: str
    pence: int


@dataclass
class Account:
    name: str
    number: str
    pence: int
    entries: list[Entry]


@dataclass
class Form:
    """The transfer that is being written."""

    payee: str = ""
    amount: str = ""
    reference: str = ""

    @property
    def pence(self) -> int:
        """0 where it is no amount."""
        try:
            return round(float(self.amount) * 100)
        except ValueError:
            return 0

    @property
    def is_right(self) -> bool:
        return bool(self.payee.strip()) and self.pence > 0


def _accounts() -> list[Account]:
    return [
        Account(
            "Everyday", "2041 7733", 125_000, [Entry("Rent", -65_000), Entry("Wages", 210_000)]
        ),
        Account(
            "Savings", "2041 7741", 800_000, [Entry("Interest", 1_250), Entry("Top-up", 20_000)]
        ),
        Account("Holiday", "2041 7758", 31_050, [Entry("Ferry", -8_990), Entry("Hotel", -24_000)]),
    ]


@dataclass
class BankState:
    """``limit`` is in pounds a day. ``sent`` is the transfer that was sent last."""

    stored: dict[str, Any] = made_by(default_factory=dict)
    accounts: list[Account] = made_by(default_factory=_accounts)
    payees: list[str] = made_by(
        default_factory=lambda: ["Bristol Energy", "City Council", "Eva Lind"]
    )
    form: Form = made_by(default_factory=Form)
    new_payee: str = ""
    new_number: str = ""
    frozen: bool = False
    limit: int = 3
    sent: Form = made_by(default_factory=Form)

    @property
    def new_payee_is_right(self) -> bool:
        return (
            bool(self.new_payee.strip()) and self.new_number.isdigit() and len(self.new_number) == 8
        )

    def send(self, account: Account) -> None:
        account.pence -= self.form.pence
        account.entries.insert(0, Entry(self.form.payee, -self.form.pence))
        self.sent, self.form = self.form, Form()

    def add_payee(self) -> None:
        self.payees = sorted([*self.payees, self.new_payee.strip()])
        self.new_payee = self.new_number = ""


Bank = RunningApp[BankState]


def field(owner: Any, name: str, hint: str) -> EditText:
    """A field for an attribute of ``owner``, with the hint as its id."""
    key = hint.lower().replace(" ", "_")
    return EditText(
        hint, id=key, text=getattr(owner, name), on_change=lambda to: setattr(owner, name, to)
    )


class Accounts(Screen[BankState]):
    activity = ".AccountsActivity"
    title = "Accounts"

    def actions(self, app: Bank) -> Sequence[Widget]:
        return [
            IconButton(icon="star", description="Cards", on_click=lambda: app.go(self.cards())),
            IconButton(icon="person", description="Payees", on_click=lambda: app.go(self.payees())),
        ]

    def cards(self) -> Screen[BankState]:
        return Cards()

    def payees(self) -> Screen[BankState]:
        return Payees()

    def balances(self, app: Bank) -> list[int]:
        return [one.pence for one in app.state.accounts]

    def build(self, app: Bank) -> Widget:
        accounts, balances = app.state.accounts, self.balances(app)
        return Column(
            children=[
                Text(
                    f"{self.count(app)} accounts, {pounds(sum(balances))}",
                    id="summary",
                    margin=(16, 4),
                ),
                RecyclerList(
                    [self.row(app, *one) for one in zip(accounts, balances, strict=True)], weight=1
                ),
            ],
            height="fill",
        )

    def count(self, app: Bank) -> int:
        return len(app.state.accounts)

    def row(self, app: Bank, account: Account, pence: int) -> Widget:
        return Card(
            children=[Text(account.name, id="name", weight=1), Text(pounds(pence), id="balance")],
            direction="row",
            key=account.number,
            on_click=lambda: app.go(AccountScreen(account)),
        )


class Noticing(Screen[BankState]):
    up = True

    def notices(self) -> list[Widget]:
        """What lies over the page."""
        return []

    def under_notices(self, page: Widget) -> Widget:
        return Stack([page, *self.notices()], height="fill", width="fill")


class AccountScreen(Noticing):
    activity = ".AccountActivity"
    title = "Account"

    def __init__(self, account: Account) -> None:
        self.account = account

    def build(self, app: Bank) -> Widget:
        page = Column(
            children=[
                Text(self.account.name, id="name", size=22, margin=(16, 12, 16, 0)),
                Text(pounds(self.balance()), id="balance", size=28, margin=(16, 4)),
                Text(f"Account number {self.number()}", id="number", margin=(16, 4)),
                Row([self.transfer_button(app)], padding=(16, 8)),
                *self.history(),
            ],
            height="fill",
        )
        return self.under_notices(page)

    def balance(self) -> int:
        return self.account.pence

    def number(self) -> str:
        return self.account.number

    def transfer_button(self, app: Bank) -> Button:
        return Button("Transfer", id="transfer", on_click=lambda: app.go(self.transfer()))

    def transfer(self) -> Screen[BankState]:
        return Transfer(self.account)

    def entries(self) -> list[Entry]:
        return self.account.entries

    def history(self) -> list[Widget]:
        rows = [
            Card(
                [Text(one.what, weight=1), Text(pounds(one.pence))],
                direction="row",
                key=f"{one.what}{at}",
            )
            for at, one in enumerate(self.entries())
        ]
        return [Text("History", margin=(16, 8)), RecyclerList(rows, weight=1)]


class Transfer(Screen[BankState]):
    activity = ".TransferActivity"
    title = "Transfer"
    up = True

    def __init__(self, account: Account) -> None:
        self.account, self.refused = account, ""

    def opened(self, app: Bank) -> None:
        app.state.form = Form()

    def build(self, app: Bank) -> Widget:
        form = app.state.form
        return Scroll(
            [
                Text(f"From {self.account.name}", margin=(0, 8)),
                field(form, "payee", "Payee"),
                field(form, "amount", "Amount"),
                field(form, "reference", "Reference"),
                Text(self.refused, id="refused", visible=bool(self.refused)),
                Button(
                    "Review",
                    id="review",
                    enabled=self.is_open(form),
                    on_click=lambda: self.review(app),
                ),
            ],
            padding=(16, 12),
        )

    def is_open(self, form: Form) -> bool:
        return True

    def accepts(self, form: Form) -> bool:
        return form.is_right

    def review(self, app: Bank) -> None:
        app.hide_keyboard()
        form = app.state.form
        self.refused = "" if self.accepts(form) else "Check payee and amount"
        if not self.refused:
            buttons = [DialogButton("Send", lambda: self.send(app)), DialogButton("Not yet")]
            app.show(Dialog("Send money?", f"{pounds(form.pence)} to {form.payee}", buttons))

    def send(self, app: Bank) -> None:
        app.state.send(self.account)
        app.log("transfer sent")
        app.toast("Money sent")
        app.replace(Receipt())


class Receipt(Screen[BankState]):
    activity = ".ReceiptActivity"
    title = "Receipt"

    def lines(self, sent: Form) -> list[tuple[str, str]]:
        return [
            ("To", sent.payee),
            ("Amount", pounds(sent.pence)),
            ("Reference", sent.reference or "none"),
        ]

    def build(self, app: Bank) -> Widget:
        rows: list[Widget] = [
            Card([Text(name, weight=1), Text(value)], direction="row", key=name)
            for name, value in self.lines(app.state.sent)
        ]
        return Column(
            [*rows, Button("Done", id="done", margin=(16, 16), on_click=app.back)], height="fill"
        )


class Cards(Screen[BankState]):
    activity = ".CardsActivity"
    title = "Cards"
    up = True

    def build(self, app: Bank) -> Widget:
        return Scroll([*self.card(app), *self.limits(app)], padding=(16, 12))

    def card(self, app: Bank) -> list[Widget]:
        state = app.state
        return [
            Text("Debit card ending 4417", id="card"),
            Switch(
                "Frozen",
                id="frozen",
                width="fill",
                checked=state.frozen,
                on_change=lambda on: self.freeze(app, on),
            ),
            Text("Card is frozen" if state.frozen else "Card is in use", id="status"),
        ]

    def freeze(self, app: Bank, on: bool) -> None:
        app.state.frozen = on
        app.log(f"card frozen: {on}")

    def limits(self, app: Bank) -> list[Widget]:
        limit = app.state.limit
        return [
            Text("Daily limit", margin=(0, 16, 0, 4)),
            stepper(limit, lambda to: self.set_limit(app, to), low=1, high=9, id="limit"),
            Text(f"At most £{self.shown_limit(limit)}00 a day", id="limit_note"),
        ]

    def shown_limit(self, limit: int) -> int:
        return limit

    def set_limit(self, app: Bank, to: int) -> None:
        app.state.limit = to
        app.log(f"limit {to}00")


class Payees(Screen[BankState]):
    activity = ".PayeesActivity"
    title = "Payees"
    up = True

    def build(self, app: Bank) -> Widget:
        names = self.names(app)
        rows = [Card([Text(name)], key=name, on_click=lambda: None) for name in names]
        return Column(
            [
                Text(f"You have {self.count(names)} payees", id="count", margin=(16, 12)),
                RecyclerList(rows, weight=1),
                Button(
                    "Add payee",
                    id="add_payee",
                    margin=(16, 12),
                    on_click=lambda: app.go(NewPayee()),
                ),
            ],
            height="fill",
        )

    def names(self, app: Bank) -> list[str]:
        return app.state.payees

    def count(self, names: Sequence[str]) -> int:
        return len(names)


class NewPayee(Noticing):
    activity = ".NewPayeeActivity"
    title = "New payee"

    def __init__(self) -> None:
        self.refused = ""

    def build(self, app: Bank) -> Widget:
        state = app.state
        page = Scroll(
            [
                field(state, "new_payee", "Name"),
                field(state, "new_number", "Number"),
                Text(self.refused, id="refused", visible=bool(self.refused)),
                Button(
                    "Save payee",
                    id="save_payee",
                    enabled=self.is_open(app),
                    on_click=lambda: self.save(app),
                ),
            ],
            padding=(16, 12),
        )
        return self.under_notices(page)

    def is_open(self, app: Bank) -> bool:
        return True

    def accepts(self, app: Bank) -> bool:
        return app.state.new_payee_is_right

    def save(self, app: Bank) -> None:
        app.hide_keyboard()
        self.refused = "" if self.accepts(app) else "The number has eight digits"
        if not self.refused:
            self.store(app)

    def store(self, app: Bank) -> None:
        app.state.add_payee()
        app.log("payee added")
        app.toast("Payee saved")
        app.back()


def bank() -> App[BankState]:
    """A fresh declaration, for one phone."""
    return App(package=PACKAGE, label="Bank", state=BankState, start=Accounts)
