"""Everything the running app knows. Every start of the app makes a new one."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from .cart import Cart
from .order import Order
from .products import PRODUCTS, Product

PASSWORD = "correct horse"
FIRST_ORDER = 1001


@dataclass
class SignInForm:
    """The content of the fields; ``failed`` once the shop said no."""

    email: str = ""
    password: str = ""
    remember: bool = False
    failed: bool = False

    @property
    def is_right(self) -> bool:
        return "@" in self.email and self.password == PASSWORD


@dataclass
class ShopState:
    """``stored`` is kept on the phone: there is the address of somebody who asked to be remembered.
    ``volume`` is 0 to 15. ``orders`` counts those that were placed."""

    stored: dict[str, Any] = field(default_factory=dict)
    form: SignInForm = field(default_factory=SignInForm)
    email: str = ""
    reset_email: str = ""
    reset_sent: bool = False
    search: str = ""
    cart: Cart = field(default_factory=Cart)
    order: Order = field(default_factory=Order)
    orders: int = 0
    dark: bool = False
    volume: int = 7

    def __post_init__(self) -> None:
        self._empty_form()

    def _empty_form(self) -> None:
        email = str(self.stored.get("email", ""))
        self.form = SignInForm(email=email, remember=bool(email))

    @property
    def first_name(self) -> str:
        """From the address: "ada@example.com" is Ada."""
        return self.email.partition("@")[0].strip().capitalize()

    @property
    def found(self) -> list[Product]:
        """The products whose name holds the search text."""
        wanted = self.search.strip().casefold()
        return [product for product in PRODUCTS if wanted in product.name.casefold()]

    @property
    def order_number(self) -> int:
        """Of the order placed last."""
        return FIRST_ORDER + self.orders - 1

    def sign_in(self) -> bool:
        """Whether the shop lets them in."""
        self.form.failed = not self.form.is_right
        if self.form.failed:
            return False
        self.email = self.form.email.strip()
        if self.form.remember:
            self.stored["email"] = self.email
        else:
            self.stored.pop("email", None)
        self._empty_form()
        return True

    def sign_out(self) -> None:
        """Forgets who it was and what they wanted; how the app is set stays."""
        self._empty_form()
        self.email = self.search = ""
        self.cart.clear()
        self.order = Order()

    def place_order(self) -> int:
        """The order's number; the cart is empty afterwards."""
        self.orders += 1
        self.cart.clear()
        self.order = Order()
        return self.order_number
