"""The first screen: who are you?"""

from __future__ import annotations

from ...app_kit import Button, CheckBox, EditText, Image, Screen, Scroll, Text, Widget
from . import routes
from .looks import PILL
from .routes import Shop
from .state import ShopState


class ResetPassword(Screen[ShopState]):
    activity = routes.RESET_PASSWORD
    title = "Reset password"
    up = True

    def build(self, app: Shop) -> Widget:
        state = app.state
        return Scroll(
            children=[
                Text(
                    "We will send you a link to choose a new one.",
                    muted=True,
                    margin=(0, 24, 0, 12),
                ),
                EditText(
                    "Email",
                    id="email",
                    input="email",
                    text=state.reset_email,
                    height=64,
                    on_change=lambda text: setattr(state, "reset_email", text),
                    on_done=lambda: self.send(app),
                ),
                Button(
                    "Send reset link",
                    id="send_reset_link",
                    width="fill",
                    radius=PILL,
                    margin=(0, 16),
                    enabled="@" in state.reset_email,
                    on_click=lambda: self.send(app),
                ),
                Text(
                    "Check your inbox",
                    id="status",
                    visible=state.reset_sent,
                    bold=True,
                    gravity="center",
                ),
            ],
            padding=(24, 0),
        )

    def opened(self, app: Shop) -> None:
        app.state.reset_email = app.state.form.email
        app.state.reset_sent = False

    def send(self, app: Shop) -> None:
        app.hide_keyboard()
        app.state.reset_sent = True
        app.log("reset link sent")


class SignIn(Screen[ShopState]):
    activity = routes.SIGN_IN
    title = "Sign in"

    def build(self, app: Shop) -> Widget:
        form = app.state.form
        return Scroll(
            children=[
                Image(
                    picture="mug",
                    width=88,
                    height=88,
                    radius=44,
                    gravity="center",
                    margin=(0, 24, 0, 8),
                ),
                Text(
                    "Good things for the house", muted=True, gravity="center", margin=(0, 0, 0, 16)
                ),
                *self.fields(app),
                CheckBox(
                    "Remember me",
                    id="remember_me",
                    checked=form.remember,
                    on_change=lambda on: setattr(form, "remember", on),
                ),
                Text(
                    "Wrong email or password",
                    id="error",
                    foreground=app.theme.error,
                    visible=form.failed,
                    margin=(8, 4),
                ),
                Button(
                    "Sign in",
                    id="sign_in",
                    width="fill",
                    radius=PILL,
                    margin=(0, 8),
                    on_click=lambda: self.submit(app),
                ),
                Button(
                    "Forgot password?",
                    id="forgot_password",
                    flat=True,
                    gravity="center",
                    on_click=lambda: app.go(routes.screen_at(app, routes.RESET_PASSWORD)),
                ),
            ],
            padding=(24, 0),
        )

    def fields(self, app: Shop) -> list[Widget]:
        form = app.state.form
        return [
            EditText(
                "Email",
                id="email",
                input="email",
                text=form.email,
                height=64,
                margin=(0, 4),
                on_change=lambda text: setattr(form, "email", text),
                on_done=lambda: app.focus("password"),
            ),
            EditText(
                "Password",
                id="password",
                input="password",
                text=form.password,
                height=64,
                margin=(0, 4),
                on_change=lambda text: setattr(form, "password", text),
                on_done=lambda: self.submit(app),
            ),
        ]

    def submit(self, app: Shop) -> None:
        if app.state.sign_in():
            app.log("signed in")
            app.reset_to(routes.screen_at(app, routes.CATALOGUE))
        else:
            app.log("sign-in refused", level="W")
