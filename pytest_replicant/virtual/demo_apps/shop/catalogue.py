"""Everything there is to buy."""

from __future__ import annotations

from collections.abc import Sequence

from ...app_kit import (
    Button,
    Card,
    Column,
    EditText,
    IconButton,
    Image,
    RecyclerList,
    Row,
    Screen,
    Text,
    Widget,
)
from . import routes
from .looks import PILL
from .product import ProductScreen, add_to_cart
from .products import Product
from .routes import Shop
from .state import ShopState


class Catalogue(Screen[ShopState]):
    activity = routes.CATALOGUE
    title = "Catalogue"

    def actions(self, app: Shop) -> Sequence[Widget]:
        return [
            IconButton(
                icon="settings",
                description="Settings",
                foreground=app.theme.on_primary,
                on_click=lambda: app.go(routes.screen_at(app, routes.SETTINGS)),
            )
        ]

    def build(self, app: Shop) -> Widget:
        state = app.state
        found = state.found
        return Column(
            children=[
                Text(
                    f"Welcome, {state.first_name}" if state.first_name else "Welcome",
                    id="welcome",
                    size=20,
                    bold=True,
                    lines=1,
                    margin=(16, 16, 16, 4),
                ),
                self.search_row(app),
                Text(
                    "No products found", id="empty", visible=not found, muted=True, margin=(16, 24)
                ),
                RecyclerList(
                    children=[product_row(app, product) for product in found],
                    id="products",
                    weight=1,
                    visible=bool(found),
                ),
            ],
            height="fill",
        )

    def search_row(self, app: Shop) -> Widget:
        state = app.state
        return Row(
            children=[
                EditText(
                    "Search products",
                    id="search",
                    shape="field_search",
                    radius=PILL,
                    text=state.search,
                    weight=1,
                    height=48,
                    padding=(48, 10),
                    on_change=lambda text: setattr(state, "search", text),
                    on_done=app.hide_keyboard,
                ),
                Button(
                    state.cart.label,
                    id="cart",
                    shape="icon:cart",
                    radius=PILL,
                    margin=(8, 0, 0, 0),
                    padding=(28, 8),
                    on_click=lambda: app.go(routes.screen_at(app, routes.CART)),
                ),
            ],
            padding=(12, 8),
        )


def product_row(app: Shop, product: Product) -> Widget:
    """A card to tap on, with a button of its own."""
    return Card(
        children=[
            Image(
                picture=product.picture, foreground=product.colour, width=64, height=64, radius=8
            ),
            Column(
                children=[
                    Text(product.name, id="product_name", bold=True, lines=1),
                    Text(
                        product.price, id="product_price", size=14, muted=True, margin=(0, 4, 0, 0)
                    ),
                ],
                weight=1,
                margin=(16, 0, 8, 0),
            ),
            Button(
                "Add",
                id="add",
                flat=True,
                shape="button_tonal",
                radius=PILL,
                on_click=lambda: add_to_cart(app, product),
            ),
        ],
        key=product.key,
        direction="row",
        align="center",
        padding=(12, 10),
        margin=(12, 5),
        on_click=lambda: app.go(ProductScreen(product)),
    )
