"""The flows that an agent is asked to record: goals in words.

A goal names things as a person would; its data are drawn at random at run time. ``truth`` reads the
app's own state afterwards, and so knows whether the agent did what it was asked to.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

SHOP, LAB = "dev.replicant.shop", "dev.replicant.lab"
BANK = "dev.replicant.bank"
SECRETS = {"SHOP_PASSWORD": "correct horse", "OTHER_PASSWORD": "battery staple"}


Words = dict[str, str]
Truth = Callable[[Any, Mapping[str, str]], bool]
"""Of an app's state and the words."""


@dataclass(frozen=True)
class Flow:
    """``numbers`` are those that "{number}" may be; ``allow`` are words that the user lets the
    guard pass."""

    name: str
    app: str
    goal: str
    truth: Truth
    numbers: Sequence[int] = (0,)
    allow: tuple[str, ...] = ()


# --- words ----------------------------------------------------------------------------------------

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_IN = 'sign in with the email "{email}" and the password $SHOP_PASSWORD'
_PRODUCTS = (
    "Blue mug",
    "Red mug",
    "Oak tray",
    "Glass bowl",
    "Green teapot",
    "Linen cushion",
    "Desk lamp",
)
_CHOICES: Mapping[str, Sequence[str]] = {
    "far": (
        "Milk jug",
        "Serving spoon",
        "Frying pan",
        "Recipe book",
    ),  # the first screens do not show it
    "way": ("Express", "Pick up"),
    "country": ("Denmark", "France", "Germany", "Ireland", "Norway", "Spain", "Sweden"),
    "size": ("Medium", "Large", "Extra large"),
    "span": ("Day", "Month"),
    "account": ("Everyday", "Savings", "Holiday"),
}


def word(rng: Random, letters: int = 7) -> str:
    return "".join(rng.choice(_LETTERS) for _ in range(letters))


def words_for(flow: Flow, rng: Random) -> Words:
    """What may stand in braces in its goal."""
    product, second = rng.sample(_PRODUCTS, 2)
    return {
        **{name: rng.choice(choices) for name, choices in _CHOICES.items()}, "product": product,
        "second": second, "noun": rng.choice(product.split()), "email": f"{word(rng)}@example.com",
        "payee": word(rng).capitalize(), "reference": word(rng, 5),
        "amount": str(rng.randint(10, 250)),
        "account_number": str(rng.randint(10_000_000, 99_999_999)),
        "number": str(rng.choice(flow.numbers)),
    }  # fmt: skip


# --- truths ---------------------------------------------------------------------------------------


def in_cart(state: Any, *names: str) -> bool:
    return sorted(product.name for product, _ in state.cart) == sorted(names)


def event(text: str) -> Truth:
    return lambda state, words: text.format(**words) in state.events


# --- the flows ------------------------------------------------------------------------------------

FLOWS: tuple[Flow, ...] = (
    Flow("sign in", SHOP, _IN, lambda s, w: s.email == w["email"]),
    Flow(
        "wrong password", SHOP,
        'sign in with the email "{email}" and the password $OTHER_PASSWORD, see wrong email or '
        'password',
        lambda s, w: s.form.failed,
    ),
    Flow(
        "order", SHOP,
        f'{_IN}, add "{{product}}" to the cart, open the cart, see the total, check out, see the '
        'total, '
        "place the order, see the order number",
        lambda s, w: s.orders == 1 and not s.cart, allow=("pay",),
    ),
    Flow(
        "two products, one removed", SHOP,
        f'{_IN}, add "{{product}}" to the cart, add "{{second}}" to the cart, open the cart, '
        'remove "{product}", see the total',
        lambda s, w: in_cart(s, w["second"]), allow=("delete",),
    ),
    Flow(
        "search", SHOP, f'{_IN}, search for "{{noun}}", see "{{product}}"',
        lambda s, w: s.search == w["noun"],
    ),
    Flow(
        "product page", SHOP,
        f'{_IN}, open "{{product}}", add it to the cart, open the cart, see "{{product}}"',
        lambda s, w: in_cart(s, w["product"]),
    ),
    Flow(
        "settings", SHOP,
        f"{_IN}, open the settings, turn on dark mode, set the volume to {{number}}, go back",
        lambda s, w: s.dark and s.volume == int(w["number"]), (0, 3, 5, 11, 15),
    ),
    Flow("sign out", SHOP, f"{_IN}, open the settings, sign out", lambda s, w: s.email == ""),
    Flow(
        "reset password", SHOP,
        'forgot password, type "{email}" into the email, send the reset link, see the inbox',
        lambda s, w: s.reset_sent, allow=("send",),
    ),
    Flow(
        "a way of delivery", SHOP,
        f'{_IN}, add "{{product}}" to the cart, open the cart, check out, choose "{{way}}" for '
        'shipping, '
        "see the total",
        lambda s, w: s.order.shipping.name == w["way"],
    ),
    Flow(
        "a country", SHOP,
        f'{_IN}, add "{{product}}" to the cart, open the cart, check out, choose "{{country}}" for '
        'the country',
        lambda s, w: s.order.destination == w["country"],
    ),
    Flow(
        "far down", SHOP, f'{_IN}, add "{{far}}" to the cart',
        lambda s, w: in_cart(s, w["far"]),
    ),
    Flow(
        "quantity", SHOP,
        f'{_IN}, add "{{product}}" to the cart, open the cart, press "+" 2 times, see the total',
        lambda s, w: s.cart.count == 3,
    ),
    Flow(
        "counter", LAB, 'open "Counter", press tap {number} times',
        lambda s, w: s.events[-1] == f"tap {w['number']}", (2, 3, 4),
    ),
    Flow("dropdown", LAB, 'open "Dropdown", choose "{size}" for the size', event("size {size}")),
    Flow("segments", LAB, 'open "Segmented control", choose "{span}" for the span',
         event("span {span}")),
    Flow(
        "stepper", LAB, 'open "Stepper", press "+" {number} times',
        lambda s, w: s.events[-1] == f"stepper set to {2 + int(w['number'])}", (1, 2, 3),
    ),
    Flow(
        "slider", LAB, 'open "Slider with steps", set the price to {number}', lambda s,
        w: s.events[-1] == f"stepped-slider set to {w['number']}", (10, 20, 30, 50, 60, 70, 80, 90),
    ),
    Flow(
        "an order", LAB, 'open "Place order", place the order, see the orders',
        event("order 1 placed"), allow=("pay",),
    ),
    Flow("late content", LAB, 'open "Late content", see the parcel, see friday', lambda s,
         w: s.events == []),
    Flow("a message that vanishes", LAB, 'open "Message that vanishes", save, see saves',
         event("saved 1")),
    Flow(
        "transfer", BANK,
        'open "{account}", transfer, type "{payee}" into the payee, type "{amount}" into the '
        'amount, type "{reference}" into the reference, review, send, see "{payee}" next to "To", '
        'see "£{amount}.00" next to "Amount", done, see "-£{amount}.00" next to "{payee}"',
        lambda s, w: any(one.entries[0].what == w["payee"] for one in s.accounts),
        allow=("send", "pay"),
    ),
    Flow("freeze", BANK, "open the cards, turn on frozen, see the card is", lambda s, w: s.frozen),
    Flow(
        "new payee", BANK,
        'open the payees, add a payee, type "{payee}" into the name, type "{account_number}" into '
        'the number, save the payee, see "{payee}", see payees',
        lambda s, w: w["payee"] in s.payees,
    ),
)  # fmt: skip
