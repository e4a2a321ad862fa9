"""Checkout: delivery, payment and confirmation."""

from __future__ import annotations

from ...app_kit import (
    Button,
    Card,
    Column,
    Dialog,
    DialogButton,
    IconButton,
    RadioGroup,
    Row,
    Screen,
    Scroll,
    SeekBar,
    Spinner,
    Text,
    Widget,
)
from . import routes
from .looks import PILL, caption
from .order import COUNTRIES, MOST_TIP, SHIPPING
from .products import pounds
from .routes import Shop
from .state import ShopState


class OrderPlaced(Screen[ShopState]):
    activity = routes.ORDER_PLACED
    title = "Order placed"

    def build(self, app: Shop) -> Widget:
        theme = app.theme
        return Column(
            children=[
                IconButton(
                    icon="check",
                    class_name="android.widget.ImageView",
                    width=96,
                    height=96,
                    radius=48,
                    background=theme.primary,
                    foreground=theme.on_primary,
                ),
                Text(
                    f"Order number {app.state.order_number}",
                    id="order_number",
                    size=20,
                    bold=True,
                    margin=(0, 24, 0, 8),
                ),
                Text("Thank you. We have sent you the bill by email.", muted=True, align="center"),
                Button(
                    "Continue shopping",
                    id="continue_shopping",
                    radius=PILL,
                    padding=(28, 8),
                    margin=(0, 24, 0, 64),
                    on_click=lambda: self.go_on(app),
                ),
            ],
            height="fill",
            spread="center",
            align="center",
            padding=(24, 0),
        )

    def back(self, app: Shop) -> bool:
        self.go_on(app)
        return True

    def go_on(self, app: Shop) -> None:
        app.reset_to(routes.screen_at(app, routes.CATALOGUE))


SMALL_DP = 700  # on a lower screen the button stands below what scrolls


class Checkout(Screen[ShopState]):
    activity = routes.CHECKOUT
    title = "Checkout"
    up = True

    def build(self, app: Shop) -> Widget:
        order, place = app.state.order, self.place_button(app)
        small = app.screen_dp[1] < SMALL_DP
        page = Scroll(
            children=[
                *self.shipping(app),
                Text(f"Tip: £{order.tip}", id="tip_value", margin=(0, 16, 0, 0)),
                SeekBar(
                    id="tip",
                    description="Tip",
                    value=order.tip,
                    high=MOST_TIP,
                    on_change=lambda value: setattr(order, "tip", value),
                ),
                caption("Deliver to"),
                Spinner(
                    COUNTRIES,
                    id="country",
                    description="Country",
                    height=56,
                    chosen=order.country,
                    on_change=lambda index: setattr(order, "country", index),
                ),
                self.bill(app),
                *(() if small else (place,)),
            ],
            padding=(16, 0),
            weight=1 if small else 0,
        )
        return Column(children=[page, place], height="fill") if small else page

    def place_button(self, app: Shop) -> Button:
        return Button(
            "Place order",
            id="place_order",
            width="fill",
            radius=PILL,
            margin=(0, 8, 0, 16),
            enabled=bool(app.state.cart),
            on_click=lambda: app.show(self.confirmation(app)),
        )

    def shipping(self, app: Shop) -> list[Widget]:
        order = app.state.order
        return [
            caption("Shipping"),
            RadioGroup(
                options=[way.name for way in SHIPPING],
                ids=["standard", "express", "pick_up"],
                id="shipping",
                chosen=order.way,
                on_change=lambda index: setattr(order, "way", index),
            ),
            Text(
                order.shipping.note, id="shipping_note", size=14, muted=True, margin=(40, 0, 0, 0)
            ),
        ]

    def bill(self, app: Shop) -> Widget:
        order, cart = app.state.order, app.state.cart
        return Card(
            children=[
                amount("Items", cart.pence),
                amount("Delivery", order.shipping.pence),
                amount("For the team", order.tip * 100),
                Text(
                    f"Total {pounds(order.pence(cart))}",
                    id="order_total",
                    size=20,
                    bold=True,
                    margin=(0, 8),
                ),
            ],
            margin=(0, 12),
        )

    def confirmation(self, app: Shop) -> Dialog:
        order = app.state.order
        price = pounds(order.pence(app.state.cart))
        return Dialog(
            "Place order?",
            f"You pay {price}. {order.delivery}.",
            [DialogButton("Place order", lambda: self.place(app)), DialogButton("Cancel")],
        )

    def place(self, app: Shop) -> None:
        number = app.state.place_order()
        app.log(f"order {number} placed")
        app.toast("Order placed")
        app.reset_to(routes.screen_at(app, routes.ORDER_PLACED))


def amount(label: str, pence: int) -> Widget:
    """A line of the bill."""
    return Row(
        children=[Text(label, size=14, muted=True, weight=1), Text(pounds(pence), size=14)],
        margin=(0, 3),
    )
