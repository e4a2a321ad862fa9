"""The cart: its products, and how many of each."""

from __future__ import annotations

from ...app_kit import Button, Card, Column, Image, RecyclerList, Row, Screen, Text, Widget, stepper
from . import routes
from .cart import MOST
from .looks import PILL
from .products import Product, pounds
from .routes import Shop
from .state import ShopState


class CartScreen(Screen[ShopState]):
    activity = routes.CART
    title = "Cart"
    up = True

    def build(self, app: Shop) -> Widget:
        cart = app.state.cart
        empty = Column(
            children=[
                Image(picture="basket", width=120, height=120, radius=60, gravity="center"),
                Text(
                    "Your cart is empty",
                    id="empty",
                    size=18,
                    muted=True,
                    gravity="center",
                    margin=(0, 16),
                ),
            ],
            weight=1,
            spread="center",
            visible=not cart,
        )
        lines = [cart_line(app, product, quantity) for product, quantity in cart]
        return Column(
            children=[
                empty,
                RecyclerList(
                    children=lines, id="lines", weight=1, padding=(0, 6), visible=bool(cart)
                ),
                self.total_row(app),
            ],
            height="fill",
        )

    def total_row(self, app: Shop) -> Widget:
        cart = app.state.cart
        return Row(
            children=[
                Text(f"Total {pounds(cart.pence)}", id="total", size=20, bold=True, weight=1),
                Button(
                    "Check out",
                    id="check_out",
                    radius=PILL,
                    padding=(28, 8),
                    enabled=bool(cart),
                    on_click=lambda: app.go(routes.screen_at(app, routes.CHECKOUT)),
                ),
            ],
            background=app.theme.surface,
            elevation=8,
            padding=(16, 12),
        )


def cart_line(app: Shop, product: Product, quantity: int) -> Widget:
    """One product: what it is above, how many below."""
    cart = app.state.cart
    amount = stepper(quantity, lambda wanted: cart.change(product, wanted), low=1, high=MOST)
    amount.width, amount.weight = "wrap", 0
    above = Row(
        children=[
            Image(
                picture=product.picture, foreground=product.colour, width=56, height=56, radius=8
            ),
            Column(
                children=[
                    Text(product.name, id="product_name", bold=True, lines=1),
                    Text(
                        product.price, id="product_price", size=14, muted=True, margin=(0, 4, 0, 0)
                    ),
                ],
                weight=1,
                margin=(16, 0, 0, 0),
            ),
        ]
    )
    below = Row(
        children=[
            amount,
            Row(weight=1, class_name=""),
            Button("Remove", id="remove", flat=True, on_click=lambda: remove(app, product)),
        ],
        margin=(0, 4, 0, 0),
    )
    return Card(children=[above, below], key=product.key, padding=(12, 8), margin=(12, 5))


def remove(app: Shop, product: Product) -> None:
    app.state.cart.remove(product)
    app.log(f"removed {product.key} from cart")
