"""``dev.replicant.shop``, the demo: sign in, look around, fill the cart, order."""

from __future__ import annotations

from ...app_kit import App
from . import links, routes
from .cart_screen import CartScreen
from .catalogue import Catalogue
from .checkout import Checkout, OrderPlaced
from .looks import theme_of
from .product import ProductScreen
from .settings import Settings
from .sign_in import ResetPassword, SignIn
from .state import ShopState

PACKAGE = "dev.replicant.shop"


def shop() -> App[ShopState]:
    """A fresh declaration, for one phone."""
    return App(
        package=PACKAGE,
        label="Shop",
        state=ShopState,
        start=SignIn,
        screens={
            routes.SIGN_IN: SignIn,
            routes.RESET_PASSWORD: ResetPassword,
            routes.CATALOGUE: Catalogue,
            routes.PRODUCT: ProductScreen,
            routes.CART: CartScreen,
            routes.CHECKOUT: Checkout,
            routes.ORDER_PLACED: OrderPlaced,
            routes.SETTINGS: Settings,
        },
        url_prefixes=(links.PREFIX,),
        links=links.screen_for,
        theme=theme_of,
        icon_color="#2f5d50",
    )


__all__ = ["PACKAGE", "shop"]
