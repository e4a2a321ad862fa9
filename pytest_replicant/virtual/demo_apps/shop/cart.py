"""``Cart``: what somebody means to buy."""

from __future__ import annotations

from collections.abc import Iterator

from .products import Product

MOST = 99  # of one product


class Cart:
    """Products in the order in which they were first added, each with a quantity from 1 to 99."""

    def __init__(self) -> None:
        self._quantities: dict[Product, int] = {}

    def __iter__(self) -> Iterator[tuple[Product, int]]:
        return iter(list(self._quantities.items()))

    def __bool__(self) -> bool:
        return bool(self._quantities)

    def add(self, product: Product) -> None:
        self.change(product, self.quantity(product) + 1)

    def change(self, product: Product, quantity: int) -> None:
        """Below 1 nothing happens: taking a product out is a choice of its own."""
        if quantity >= 1:
            self._quantities[product] = min(quantity, MOST)

    def remove(self, product: Product) -> None:
        self._quantities.pop(product, None)

    def clear(self) -> None:
        self._quantities.clear()

    def quantity(self, product: Product) -> int:
        return self._quantities.get(product, 0)

    @property
    def count(self) -> int:
        """Items, not products: two blue mugs are two."""
        return sum(self._quantities.values())

    @property
    def pence(self) -> int:
        return sum(product.pence * quantity for product, quantity in self)

    @property
    def label(self) -> str:
        """ "Cart, 1 item", as the button says it."""
        return f"Cart, {self.count} item" + ("" if self.count == 1 else "s")
