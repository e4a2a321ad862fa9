"""Where the suite gets its data: over HTTP while it is recorded, by chance, from the calendar."""

from __future__ import annotations

import json
import random
import time
import uuid
from collections.abc import Iterator
from datetime import date
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.request import urlopen

import pytest

from pytest_replicant import Mobile, Screen, Secret, by, mobile_state, recorded

SHOP = "dev.replicant.shop"
CHANCE = random.Random(time.time_ns())
OFFLINE = "http://127.0.0.1:9"
"""Where the server was, as far as a replay knows."""


class Accounts(BaseHTTPRequestHandler):
    """Answers each request with another account."""

    def do_GET(self) -> None:
        body = json.dumps(
            {"name": CHANCE.choice(("ada", "grace", "joan")) + uuid.uuid4().hex[:6]}
        ).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing of it belongs into the output of a test."""


def ask(server: str) -> str:
    with urlopen(f"{server}/accounts", timeout=5) as answer:
        return str(json.load(answer)["name"])


def sign_in(mobile: Mobile, name: str = "ada") -> None:
    mobile.launch(SHOP).expect_screen("Sign in")
    mobile.fill(text="Email", value=f"{name}@example.com")
    mobile.fill(text="Password", value=Secret("correct horse"))
    mobile.tap(text="Sign in").expect_screen("Catalogue")


# --- data -----------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def server(request: pytest.FixtureRequest) -> Iterator[str]:
    """There is one only while the suite is recorded."""
    if any(uri.startswith("cassette:") for uri in request.config.getoption("--replicant-device")):
        yield OFFLINE
        return
    with ThreadingHTTPServer(("127.0.0.1", 0), Accounts) as running:
        Thread(target=running.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{running.server_port}"
        running.shutdown()


@pytest.fixture
@recorded
def account(server: str) -> str:
    return ask(server)


@pytest.fixture
def unrecorded_account(server: str) -> str:
    return ask(server)


@pytest.fixture
@recorded
def order_number() -> uuid.UUID:
    return uuid.uuid4()


@pytest.fixture
@recorded
def person() -> dict[str, Any]:
    """As Faker would make one."""
    first = CHANCE.choice(("Ada", "Grace", "Joan", "Barbara"))
    born = date.fromordinal(CHANCE.randint(700_000, 730_000))
    return {"email": f"{first.lower()}.{CHANCE.randrange(10**6)}@example.com", "born": born}


@pytest.fixture(scope="session")
@recorded
def tenant() -> str:
    return f"tenant-{CHANCE.randrange(10**9)}"


# --- phones ---------------------------------------------------------------------------------------


@mobile_state(proof=Screen("Catalogue"))
def signed_in(mobile: Mobile) -> None:
    sign_in(mobile)


@mobile_state(proof=Screen("Cart", has=["Red mug"]))
def one_mug(signed_in: Mobile) -> None:
    signed_in.tap(text="Add", row_with=by(text="Red mug"))
    signed_in.tap(text_contains="Cart,").expect_screen("Cart")


@pytest.fixture(scope="module")
def shop(module_mobile: Mobile) -> Iterator[Mobile]:
    sign_in(module_mobile)
    yield module_mobile
    module_mobile.expect_app("foreground")


@pytest.fixture(scope="session")
def settings(session_mobile: Mobile, tenant: str) -> Mobile:
    sign_in(session_mobile, tenant)
    session_mobile.tap(description="Settings").expect_screen("Settings")
    return session_mobile


@pytest.fixture
def tidy(mobile: Mobile) -> Iterator[Mobile]:
    """Leaves by the settings, which prove who was signed in."""
    sign_in(mobile)
    yield mobile
    mobile.tap(description="Settings").expect_screen("Settings")
    mobile.tap(text="Sign out").expect_screen("Sign in")


@pytest.fixture
def strict(mobile: Mobile) -> Iterator[Mobile]:
    """Its teardown fails."""
    sign_in(mobile)
    yield mobile
    mobile.expect_visible(text="Cart, 1 item")


@pytest.fixture
def broken(mobile: Mobile) -> Mobile:
    """Its set-up fails."""
    mobile.launch(SHOP).expect_screen("Catalogue")
    return mobile
