"""Done."""

from __future__ import annotations

from ...app_kit import Button, Column, IconButton, Screen, Text, Widget
from . import routes
from .looks import PILL
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
