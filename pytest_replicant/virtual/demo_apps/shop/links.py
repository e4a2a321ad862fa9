"""Addresses that open the shop at a place: ``replicant-shop://cart``,
``replicant-shop://product/blue_mug``."""

from __future__ import annotations

from ...app_kit import Screen
from .cart_screen import CartScreen
from .catalogue import Catalogue
from .product import ProductScreen
from .products import PRODUCTS
from .state import ShopState

PREFIX = "replicant-shop://"


def screen_for(url: str) -> Screen[ShopState]:
    """The catalogue for every address that names no other place."""
    place, _, name = url.removeprefix(PREFIX).strip("/").partition("/")
    if place == "cart":
        return CartScreen()
    product = next((product for product in PRODUCTS if product.key == name), None)
    if place == "product" and product is not None:
        return ProductScreen(product)
    return Catalogue()
