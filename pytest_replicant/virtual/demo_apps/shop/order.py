"""``Order``: the delivery of the cart's content to its buyer."""

from __future__ import annotations

from dataclasses import dataclass

from .cart import Cart


@dataclass(frozen=True, slots=True)
class Shipping:
    """A way to get the order, with its price."""

    name: str
    pence: int
    note: str


SHIPPING = (
    Shipping("Standard", 350, "At your door in 3 to 5 days"),
    Shipping("Express", 790, "At your door tomorrow by noon"),
    Shipping("Pick up", 0, "Ready in two hours, at the shop in Hove"),
)
COUNTRIES = (
    "United Kingdom",
    "Denmark",
    "France",
    "Germany",
    "Ireland",
    "Netherlands",
    "Norway",
    "Spain",
    "Sweden",
)
MOST_TIP = 30


@dataclass
class Order:
    """``way`` and ``country`` are places in ``SHIPPING`` and ``COUNTRIES``; ``tip`` is 0 to 30
    pounds."""

    way: int = 0
    tip: int = 0
    country: int = 0

    @property
    def shipping(self) -> Shipping:
        return SHIPPING[self.way]

    @property
    def destination(self) -> str:
        return COUNTRIES[self.country]

    @property
    def delivery(self) -> str:
        """How and where to, in words."""
        if self.shipping.name == "Pick up":
            return "Pick up from the shop in Hove"
        return f"{self.shipping.name} shipping to {self.destination}"

    def pence(self, cart: Cart) -> int:
        """What there is to pay in all."""
        return cart.pence + self.shipping.pence + self.tip * 100
