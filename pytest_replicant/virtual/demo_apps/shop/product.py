"""One product, large."""

from __future__ import annotations

from collections.abc import Sequence

from ...app_kit import Button, IconButton, Image, Screen, Scroll, Text, Widget
from . import routes
from .looks import PILL
from .products import PRODUCTS, Product
from .routes import Shop
from .state import ShopState


class ProductScreen(Screen[ShopState]):
    """Of the first product if none is named, as when it is started from outside."""

    activity = routes.PRODUCT
    title = "Product"
    up = True

    def __init__(self, product: Product = PRODUCTS[0]) -> None:
        self.product = product

    def actions(self, app: Shop) -> Sequence[Widget]:
        return [
            IconButton(
                icon="cart",
                id="open_cart",
                description="Cart",
                foreground=app.theme.on_primary,
                on_click=lambda: app.go(routes.screen_at(app, routes.CART)),
            )
        ]

    def build(self, app: Shop) -> Widget:
        product = self.product
        return Scroll(
            children=[
                Image(
                    picture=product.picture,
                    foreground=product.colour,
                    description=f"Picture of {product.name}",
                    width="fill",
                    height=280,
                    radius=16,
                    margin=(0, 16),
                ),
                Text(product.name, id="product_name", size=24, bold=True),
                Text(
                    product.price,
                    id="product_price",
                    size=20,
                    foreground=app.theme.primary,
                    margin=(0, 4),
                ),
                Text(product.description, id="description", muted=True, margin=(0, 8, 0, 16)),
                Button(
                    "Add to cart",
                    id="add_to_cart",
                    width="fill",
                    radius=PILL,
                    on_click=lambda: add_to_cart(app, product),
                ),
            ],
            padding=(16, 0),
        )


def add_to_cart(app: Shop, product: Product) -> None:
    """Puts one more into the cart and says so."""
    app.state.cart.add(product)
    app.toast(f"Added {product.name} to cart")
    app.log(f"added {product.key} to cart, {app.state.cart.count} in it")
