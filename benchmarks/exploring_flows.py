"""The flows that an agent is asked to record: goals in words, with words drawn from what the apps print.

A goal names things as a person would; its data are drawn at random at run time. ``truth`` reads the app's own
state afterwards, and so knows whether the agent did what it was asked to.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, Protocol

SHOP, LAB = "dev.replicant.shop", "dev.replicant.lab"
BANK = "dev.replicant.bank"
SECRETS = {"SHOP_PASSWORD": "correct horse", "OTHER_PASSWORD": "battery staple"}


class Labels(Protocol):
    """Reads words off a screen: the first group of ``pattern`` in each label there, of what is not chosen already.
    ``under`` keeps those alone that follow the text with these words, as long as they are alike."""

    def __call__(self, goal: str, pattern: str = "(.+)", under: str = "") -> list[str]: ...


Words = dict[str, str]
Draw = Callable[[Labels, Random], Words]
Truth = Callable[[Any, Mapping[str, str]], bool]
"""Of an app's state and the words."""


@dataclass(frozen=True)
class Flow:
    """``allow`` are words that the user lets the guard pass."""

    name: str
    app: str
    goal: str
    truth: Truth
    draw: Draw = lambda labels, rng: {}
    allow: tuple[str, ...] = ()


# --- words ---------------------------------------------------------------------------------------------------

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_IN = 'sign in with the email "{email}" and the password $SHOP_PASSWORD'
_PRICED = r"(.+?) £[\d.]+"


def word(rng: Random, letters: int = 7) -> str:
    return "".join(rng.choice(_LETTERS) for _ in range(letters))


def an_email(labels: Labels, rng: Random) -> Words:
    return {"email": f"{word(rng)}@example.com"}


def products(labels: Labels, rng: Random) -> Words:
    """Two that are on the first screen."""
    mine = an_email(labels, rng)
    first, second = rng.sample(labels(_IN.format(**mine), _PRICED), 2)
    return {**mine, "product": first, "second": second, "noun": rng.choice(first.split())}


def far_product(labels: Labels, rng: Random) -> Words:
    """One that the first screens do not show."""
    mine = an_email(labels, rng)
    return {**mine, "product": rng.choice(labels(f"{_IN}, scroll down 3 times".format(**mine), _PRICED))}


def delivery(labels: Labels, rng: Random) -> Words:
    mine = products(labels, rng)
    there = f'{_IN}, add "{{product}}" to the cart, open the cart, check out'.format(**mine)
    return {**mine, "way": rng.choice(labels(there, under="shipping"))}


def country(labels: Labels, rng: Random) -> Words:
    mine = products(labels, rng)
    there = f'{_IN}, add "{{product}}" to the cart, open the cart, check out, open the country'.format(**mine)
    return {**mine, "country": rng.choice(labels(there, "([A-Z][a-z]+)"))}


def a_size(labels: Labels, rng: Random) -> Words:
    return {"size": rng.choice(labels('open "Dropdown", open the size', "([A-Z][a-z ]+)"))}


def a_span(labels: Labels, rng: Random) -> Words:
    return {"span": rng.choice(labels('open "Segmented control"', under="span"))}


def a_number(low: int, high: int, step: int = 1, *but: int) -> Draw:
    choices = [one for one in range(low, high + 1, step) if one not in but]
    return lambda labels, rng: {"number": str(rng.choice(choices))}


def an_account(labels: Labels, rng: Random) -> Words:
    account = rng.choice(labels("", r"(\w+) £[\d,.]+"))
    return {
        "account": account, "payee": word(rng).capitalize(), "amount": f"{rng.randint(10, 250)}",
        "reference": word(rng, 5), "name": word(rng).capitalize(),
        "number": str(rng.randint(10_000_000, 99_999_999)),
    }  # fmt: skip


# --- truths --------------------------------------------------------------------------------------------------


def in_cart(state: Any, *names: str) -> bool:
    return sorted(product.name for product, _ in state.cart) == sorted(names)


def event(text: str) -> Truth:
    return lambda state, words: text.format(**words) in state.events


# --- the flows -----------------------------------------------------------------------------------------------

FLOWS: tuple[Flow, ...] = (
    Flow("sign in", SHOP, _IN, lambda s, w: s.email == w["email"], an_email),
    Flow(
        "wrong password", SHOP,
        'sign in with the email "{email}" and the password $OTHER_PASSWORD, see wrong email or password',
        lambda s, w: s.form.failed, an_email,
    ),
    Flow(
        "order", SHOP,
        f'{_IN}, add "{{product}}" to the cart, open the cart, see the total, check out, see the total, '
        "place the order, see the order number",
        lambda s, w: s.orders == 1 and not s.cart, products, ("pay",),
    ),
    Flow(
        "two products, one removed", SHOP,
        f'{_IN}, add "{{product}}" to the cart, add "{{second}}" to the cart, open the cart, '
        'remove "{product}", see the total',
        lambda s, w: in_cart(s, w["second"]), products, ("delete",),
    ),
    Flow(
        "search", SHOP, f'{_IN}, search for "{{noun}}", see "{{product}}"',
        lambda s, w: s.search == w["noun"], products,
    ),
    Flow(
        "product page", SHOP, f'{_IN}, open "{{product}}", add it to the cart, open the cart, see "{{product}}"',
        lambda s, w: in_cart(s, w["product"]), products,
    ),
    Flow(
        "settings", SHOP, f"{_IN}, open the settings, turn on dark mode, set the volume to {{number}}, go back",
        lambda s, w: s.dark and s.volume == int(w["number"]),
        lambda labels, rng: {**an_email(labels, rng), **a_number(0, 15, 1, 7)(labels, rng)},
    ),
    Flow("sign out", SHOP, f"{_IN}, open the settings, sign out", lambda s, w: s.email == "", an_email),
    Flow(
        "reset password", SHOP,
        'forgot password, type "{email}" into the email, send the reset link, see the inbox',
        lambda s, w: s.reset_sent, an_email, ("send",),
    ),
    Flow(
        "a way of delivery", SHOP,
        f'{_IN}, add "{{product}}" to the cart, open the cart, check out, choose "{{way}}" for shipping, '
        "see the total",
        lambda s, w: s.order.shipping.name == w["way"], delivery,
    ),
    Flow(
        "a country", SHOP,
        f'{_IN}, add "{{product}}" to the cart, open the cart, check out, choose "{{country}}" for the country',
        lambda s, w: s.order.destination == w["country"], country,
    ),
    Flow(
        "far down", SHOP, f'{_IN}, add "{{product}}" to the cart',
        lambda s, w: in_cart(s, w["product"]), far_product,
    ),
    Flow(
        "quantity", SHOP, f'{_IN}, add "{{product}}" to the cart, open the cart, press "+" 2 times, see the total',
        lambda s, w: s.cart.count == 3, products,
    ),
    Flow(
        "counter", LAB, 'open "Counter", press tap {number} times',
        lambda s, w: s.events[-1] == f"tap {w['number']}", a_number(2, 4),
    ),
    Flow("dropdown", LAB, 'open "Dropdown", choose "{size}" for the size', event("size {size}"), a_size),
    Flow("segments", LAB, 'open "Segmented control", choose "{span}" for the span', event("span {span}"), a_span),
    Flow(
        "stepper", LAB, 'open "Stepper", press "+" {number} times',
        lambda s, w: s.events[-1] == f"stepper set to {2 + int(w['number'])}", a_number(1, 3),
    ),
    Flow(
        "slider", LAB, 'open "Slider with steps", set the price to {number}',
        lambda s, w: s.events[-1] == f"stepped-slider set to {w['number']}", a_number(10, 90, 10, 40),
    ),
    Flow(
        "an order", LAB, 'open "Place order", place the order, see the orders', event("order 1 placed"),
        allow=("pay",),
    ),
    Flow("late content", LAB, 'open "Late content", see the parcel, see friday', lambda s, w: s.events == []),
    Flow("a message that vanishes", LAB, 'open "Message that vanishes", save, see saves', event("saved 1")),
    Flow(
        "transfer", BANK,
        'open "{account}", transfer, type "{payee}" into the payee, type "{amount}" into the amount, '
        'type "{reference}" into the reference, review, send, see "{payee}" next to "To", '
        'see "£{amount}.00" next to "Amount", done, see "-£{amount}.00" next to "{payee}"',
        lambda s, w: any(one.entries[0].what == w["payee"] for one in s.accounts), an_account, ("send", "pay"),
    ),
    Flow(
        "rename", BANK, 'open "{account}", rename, type "{name}" into the name, save the name, see "{name}"',
        lambda s, w: any(one.name == w["name"] for one in s.accounts), an_account,
    ),
    Flow("freeze", BANK, "open the cards, turn on frozen, see the card is", lambda s, w: s.frozen),
    Flow(
        "new payee", BANK,
        'open the payees, add a payee, type "{payee}" into the name, type "{number}" into the number, '
        'save the payee, see "{payee}", see payees',
        lambda s, w: w["payee"] in s.payees, an_account,
    ),
    Flow("alerts", BANK, "open the settings, turn on the payment alerts, see alerts are", lambda s, w: s.alerts),
)  # fmt: skip
