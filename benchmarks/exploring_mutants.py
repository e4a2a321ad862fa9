"""Faults for the apps: each is one that a release may bring, and that some saved test is there to find.

They are put into the apps' classes, and stay there: apply one in a process of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from pytest_replicant.virtual import Button, RunningApp, Widget
from pytest_replicant.virtual.demo_apps.lab.choosing import Segments
from pytest_replicant.virtual.demo_apps.lab.taps import Counter
from pytest_replicant.virtual.demo_apps.shop import catalogue, routes
from pytest_replicant.virtual.demo_apps.shop.cart import Cart
from pytest_replicant.virtual.demo_apps.shop.order import SHIPPING, Order
from pytest_replicant.virtual.demo_apps.shop.sign_in import SignIn
from pytest_replicant.virtual.demo_apps.shop.state import ShopState

from .broken_runs.bank_app import BankState, Cards, Form, Payees, Receipt
from .exploring_flows import BANK, LAB, LIBRARY, SHOP
from .first_user.library import BOOKS, Library, Loans


@dataclass(frozen=True)
class Mutant:
    """``apply`` changes the app for the rest of the process."""

    name: str
    app: str
    apply: Callable[[], object]


def _widgets(top: Widget) -> Iterator[Any]:
    yield top
    for child in getattr(top, "children", ()):
        yield from _widgets(child)


def _rebuilt(screen: Any, change: Callable[[Widget], object]) -> None:
    """Changes what the screen builds, each time."""
    build = screen.build

    def changed(self: Any, app: Any) -> Widget:
        page: Widget = build(self, app)
        for one in _widgets(page):
            change(one)
        return page

    screen.build = changed


def _renamed(old: str, new: str) -> Callable[[Any], None]:
    def change(one: Any) -> None:
        if getattr(one, "text", None) == old:
            one.text = new

    return change


def _relabel_sign_in() -> None:
    def change(one: Any) -> None:
        if isinstance(one, Button):
            _renamed("Sign in", "Log in")(one)

    _rebuilt(SignIn, change)


def _dead_add() -> None:
    setattr(catalogue, "add_to_cart", lambda app, product: None)  # noqa: B010  (no name that the module exports)


def _wrong_total() -> None:
    def pence(self: Cart) -> int:
        return sum(one.pence * count for one, count in self) + 100

    Cart.pence = property(pence)  # type: ignore[method-assign, assignment]


def _other_screen() -> None:
    at = routes.screen_at
    swapped = {routes.CHECKOUT: routes.SETTINGS}
    routes.screen_at = lambda app, activity: at(app, swapped.get(activity, activity))


def _no_toast() -> None:
    toast = RunningApp.toast
    RunningApp.toast = (  # type: ignore[method-assign]
        lambda self, text, **how: None if text.startswith("Added") else toast(self, text, **how)
    )


def _keeps_removed() -> None:
    Cart.remove = lambda self, product: None  # type: ignore[method-assign]


def _wrong_delivery() -> None:
    taken = {0: 1, 1: 2, 2: 0}
    Order.shipping = property(lambda self: SHIPPING[taken[self.way]])  # type: ignore[method-assign, assignment]


def _anyone() -> None:
    right = ShopState.sign_in

    def sign_in(self: ShopState) -> bool:
        self.form.password = "correct horse"
        return right(self)

    ShopState.sign_in = sign_in  # type: ignore[method-assign]


def _crash() -> None:
    def choose(self: Any, app: Any, index: int) -> None:
        raise RuntimeError("no such segment")

    Segments.choose = choose  # type: ignore[method-assign]


def _counts_twice() -> None:
    tap = Counter.tap

    def twice(self: Counter, app: Any) -> None:
        tap(self, app)
        tap(self, app)

    Counter.tap = twice  # type: ignore[method-assign]


def _renews_nothing() -> None:
    Loans.renew = lambda self, app, title: app.toast(f"Renewed {title}")  # type: ignore[method-assign]


def _search_titles_only() -> None:
    def found(self: Library) -> list[str]:
        return [one for one in BOOKS if self.search.lower() in one.lower()]

    Library.found = found  # type: ignore[method-assign]


def _lost_payee() -> None:
    first = BankState().payees
    Payees.names = lambda self, app: first  # type: ignore[method-assign]


def _swapped_receipt() -> None:
    lines = Receipt.lines

    def swapped(self: Receipt, sent: Form) -> list[tuple[str, str]]:
        (to, payee), (amount, pounds), *rest = lines(self, sent)
        return [(to, pounds), (amount, payee), *rest]

    Receipt.lines = swapped  # type: ignore[method-assign]


def _still_in_use() -> None:
    Cards.freeze = lambda self, app, on: app.log(f"card frozen: {on}")  # type: ignore[method-assign]


def _sends_less() -> None:
    send = BankState.send

    def less(self: BankState, account: Any) -> None:
        send(self, account)
        account.entries[0].pence //= 10

    BankState.send = less  # type: ignore[method-assign]


MUTANTS: tuple[Mutant, ...] = (
    Mutant("a button has another label", SHOP, _relabel_sign_in),
    Mutant("a button does nothing", SHOP, _dead_add),
    Mutant("a total is a pound too high", SHOP, _wrong_total),
    Mutant("a button leads to another screen", SHOP, _other_screen),
    Mutant("a toast is missing", SHOP, _no_toast),
    Mutant("what was removed stays", SHOP, _keeps_removed),
    Mutant("another way of delivery is taken", SHOP, _wrong_delivery),
    Mutant("any password will do", SHOP, _anyone),
    Mutant("the app crashes", LAB, _crash),
    Mutant("a tap counts twice", LAB, _counts_twice),
    Mutant("a toast says so, and nothing was done", LIBRARY, _renews_nothing),
    Mutant("a search finds too little", LIBRARY, _search_titles_only),
    Mutant("a row is missing", BANK, _lost_payee),
    Mutant("two values are swapped", BANK, _swapped_receipt),
    Mutant("a switch goes back", BANK, _still_in_use),
    Mutant("a wrong amount is kept", BANK, _sends_less),
)
