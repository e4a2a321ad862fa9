"""``replicant inspect`` without a browser: who is answered, what acts, and what the page is
given."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pytest_replicant.drivers import Driver
from pytest_replicant.errors import DeviceOffline
from pytest_replicant.exploring import (
    MOST_BYTES,
    TOKEN_HEADER,
    InspectorServer,
    LiveSource,
    Refusal,
)
from pytest_replicant.model import ManualClock, Point, Rect, SystemClock
from pytest_replicant.session import Guard

from .inspected import Inspected, inspected, ref_of, served
from .sessions import SECRETS, SHOP, SIGN_IN

pytestmark = pytest.mark.ci  # servers of their own

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def looked_at(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Inspected]:
    """For tests that change nothing."""
    with inspected(tmp_path_factory.mktemp("project")) as found:
        yield found


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Inspected]:
    with inspected(tmp_path) as found:
        yield found


# --- who is answered


@pytest.mark.parametrize("path", ["", "page.js", "state", "picture/1"])
def test_each_request_needs_the_token(looked_at: Inspected, path: str) -> None:
    assert looked_at.send("GET", path).status == 200
    for wrong in ("", "x" * 32, looked_at.server.token[:-1], "%00", ".."):
        refused = looked_at.send("GET", path, token=wrong)
        assert refused.status == 403
        assert "token" in refused.data["error"]
        assert looked_at.server.token.encode() not in refused.body


@pytest.mark.parametrize("host", ["127.0.0.1:1", "127.0.0.1:{port}.evil.example"])
def test_a_name_that_was_rebound_is_refused(looked_at: Inspected, host: str) -> None:
    assert (
        looked_at.send("GET", "state", Host=host.format(port=looked_at.server.server_port)).status
        == 403
    )
    assert (
        looked_at.send("GET", "state", Host=f"localhost:{looked_at.server.server_port}").status
        == 200
    )


@pytest.mark.parametrize("origin", ["null", "http://127.0.0.1:1", "https://127.0.0.1:{port}"])
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_another_origin_is_refused(looked_at: Inspected, origin: str, method: str) -> None:
    path = "state" if method == "GET" else "do"
    body = None if method == "GET" else {"command": "do", "values": {"steps": ["home()"]}}
    answer = looked_at.send(
        method, path, body, Origin=origin.format(port=looked_at.server.server_port)
    )
    assert answer.status == 403
    assert looked_at.state()["count"] == 0
    own = f"http://127.0.0.1:{looked_at.server.server_port}"
    assert looked_at.send("GET", "state", Origin=own).status == 200


@pytest.mark.parametrize(
    "path",
    ["../server.py", "%2e%2e/server.py", "assets/page.js", "picture/../state", "page.js/",
     "picture/99"],
)  # fmt: skip
def test_no_path_leads_elsewhere(looked_at: Inspected, path: str) -> None:
    answer = looked_at.send("GET", path)
    assert answer.status == 404
    assert json.loads(answer.body).keys() == {"error"}


@pytest.mark.parametrize("path", ["do", "end"])
def test_what_is_read_never_acts(looked_at: Inspected, path: str) -> None:
    asked = '?command=do&values={"steps":["home()"]}'
    assert looked_at.send("GET", path + asked).status == 405
    assert looked_at.state()["count"] == 0  # and it goes on


ASKED: dict[str, Any] = {"command": "do", "values": {"steps": ["home()"]}}


@pytest.mark.parametrize(
    ("headers", "body", "status"),
    [
        ({TOKEN_HEADER: "x" * 32}, ASKED, 403),
        ({"Content-Type": "text/plain"}, ASKED, 415),
        ({}, [ASKED], 400),
        ({}, "[" * 60_000, 400),
        ({}, {"command": "do", "values": {"steps": "home()"}}, 400),
        ({}, {"command": "close", "values": {}}, 400),
        ({}, {**ASKED, "secrets": {"A": 1}}, 400),
        ({"Content-Length": str(MOST_BYTES + 1)}, "", 413),
        ({"Content-Length": "-1"}, "", 413),
    ],
)  # fmt: skip
def test_what_is_no_request_of_the_page_does_nothing(
    looked_at: Inspected, headers: dict[str, str], body: object, status: int
) -> None:
    answer = looked_at.send("POST", "do", body, **headers)
    assert answer.status == status
    assert answer.data["error"]
    assert looked_at.state()["count"] == 0


def test_nothing_of_an_app_can_run_and_nothing_is_kept(looked_at: Inspected) -> None:
    for path in ("", "state", "picture/1"):
        headers = looked_at.send("GET", path).headers
        policy = headers["Content-Security-Policy"]
        assert policy.startswith("default-src 'none'; script-src 'self'; ")
        assert "unsafe" not in policy
        assert headers["Cache-Control"] == "no-store"
        assert headers["X-Content-Type-Options"] == "nosniff"
    page = looked_at.send("GET", "").body.decode()
    assert not re.search(r"<script(?! src=\"page\.js\" defer>)|<style|\son\w+=|https?://", page)
    script = looked_at.send("GET", "page.js").body.decode()
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|DOMParser", script
    )


# --- a phone


def test_the_screen_with_a_rectangle_and_a_line_for_each_element(looked_at: Inspected) -> None:
    screen = looked_at.state()["screen"]
    assert screen["size"] == [1080, 2400]
    assert screen["lines"][0]["text"] == "Sign in  (dev.replicant.shop)"
    listed = [line["ref"] for line in screen["lines"] if "ref" in line]
    assert sorted(listed) == sorted(screen["elements"])
    button = ref_of({"screen": screen}, "Forgot password?")
    assert {"depth": 0, "ref": button, "text": 'Button "Forgot password?"'} in screen["lines"]
    marked = looked_at.send("GET", f"marked/{screen['id']}")
    assert marked.body[:4] == b"\x89PNG"
    picture = looked_at.send("GET", f"picture/{screen['id']}")
    assert picture.body != marked.body
    assert (picture.headers["Content-Type"], picture.body[:4]) == ("image/png", b"\x89PNG")


def test_an_element_has_its_locators_facts_and_the_checks_that_fit_it(looked_at: Inspected) -> None:
    state = looked_at.state()
    id, box = state["screen"]["id"], ref_of(state, "Remember me")
    found = looked_at.state(f"element/{id}/{box}")
    assert found["action"]["code"] == 'by(resource_id="remember_me")'
    assert found["check"]["code"] == 'by(text="Remember me")'
    assert ["Id", "dev.replicant.shop:id/remember_me"] in found["facts"]
    assert [one["label"] for one in found["checks"]] == [
        "visible",
        'text is "Remember me"',
        "not checked",
        "enabled",
    ]
    password = looked_at.state(f"element/{id}/{ref_of(state, 'Password')}")
    assert (password["field"], password["password"]) == (True, True)
    title = looked_at.state(f"element/{id}/{state['screen']['lines'][0]['ref']}")
    assert title["action"] is None
    assert title["checks"] == [{"label": "screen is Sign in", "step": 'expect_screen("Sign in")'}]


def test_an_element_that_is_not_there(looked_at: Inspected) -> None:
    for path in ("element/1/z999", "element/77/k020"):
        answer = looked_at.send("GET", path)
        assert answer.status == 400
        assert "Next: choose an element" in answer.data["error"]


def test_steps_change_the_screen_and_the_test_grows(shop: Inspected) -> None:
    first = shop.do(SIGN_IN[0])
    assert first["text"].startswith("1 ok\nSign in: 1 changed")
    ref = ref_of(first["state"], "Password")
    second = shop.do(f'fill("{ref}", env="SHOP_PASSWORD")', secrets=SECRETS)
    filled = shop.state(f"element/{second['state']['screen']['id']}/{ref}")
    assert [one["label"] for one in filled["checks"]] == [
        "visible",
        "focused",
        "enabled",
    ]  # and not its value
    third = shop.do(SIGN_IN[2])
    assert third["state"]["screen"]["title"] == "Catalogue"
    assert third["state"]["code"].endswith(
        '    mobile.launch("dev.replicant.shop")\n'
        '    mobile.fill(text="Email", value="ada@example.com")\n'
        '    mobile.fill(text="Password", value=Secret(os.environ["SHOP_PASSWORD"]))\n'
        '    mobile.tap(text="Sign in")\n'
    )
    assert "Unverified: 1, 2, 3." in third["state"]["said"]
    assert SECRETS["SHOP_PASSWORD"] not in json.dumps([first, second, third])


def test_a_secret_comes_from_the_environment_or_the_step_is_refused(
    shop: Inspected, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SHOP_PASSWORD", raising=False)
    refused = shop.do(SIGN_IN[1])
    assert refused["code"] == 2
    assert "$SHOP_PASSWORD is not set" in refused["text"]
    monkeypatch.setenv("SHOP_PASSWORD", "correct horse")
    assert shop.do(SIGN_IN[1])["code"] == 0


def test_a_proposed_check_is_recorded_and_a_step_taken_back(shop: Inspected) -> None:
    state = shop.do(*SIGN_IN, secrets=SECRETS)["state"]
    ids = [one["id"] for one in state["proposed"]]
    assert state["proposed"][0]["code"] == 'expect_screen("Catalogue")'
    recorded = shop.command("expect", {"checks": [ids[0]]})
    assert recorded["text"] == f"{ids[0]} recorded: holds, was false before step 3"
    assert 'tap(text="Sign in").expect_screen("Catalogue")' in recorded["state"]["code"]
    assert [one["id"] for one in recorded["state"]["proposed"]] == ids[1:]
    state = shop.command("rewind", {"number": 2})["state"]
    assert (state["count"], state["screen"]["title"]) == (2, "Sign in")
    assert 'tap(text="Sign in")' not in state["code"]


def test_each_check_that_is_offered_holds_and_a_failed_step_advises_the_next(
    shop: Inspected,
) -> None:
    state = shop.do(SIGN_IN[0])["state"]
    offered = [
        check["step"]
        for ref in state["screen"]["elements"]
        for check in shop.state(f"element/{state['screen']['id']}/{ref}")["checks"]
    ]
    assert 'expect_state("k020", value="ada@example.com")' in offered
    answer = shop.command("expect", {"checks": offered})
    assert (answer["code"], len(answer["text"].splitlines())) == (0, len(offered))
    failed = shop.do('tap(text="sign in", timeout=0)')
    assert failed["code"] == 1
    assert failed["next"].startswith('tap(text="Sign in"')
    assert "Next:" not in failed["text"]


def test_what_the_guard_refuses_is_allowed_by_its_word(tmp_path: Path) -> None:
    with inspected(tmp_path, guard=Guard.of(["on"], {SHOP})) as shop:
        shop.do("home()")
        refused = shop.do("tap_at(540, 420)")
        assert (refused["code"], refused["allow"], refused["step"]) == (
            1,
            ["other apps"],
            "tap_at(540, 420)",
        )
        again = shop.do(refused["step"], allow=refused["allow"])
        assert again["allow"] == ["other apps", "tap_at"]
        assert "GUARDED" not in shop.do(again["step"], allow=again["allow"])["text"]


def test_a_change_that_no_one_asked_for_is_noticed(shop: Inspected) -> None:
    before = shop.state()["screen"]["id"]
    assert shop.state(f"poll?seen={before}") == {"same": True}
    assert shop.typed is not None
    driver = shop.typed.explorer.session._context.driver
    point = _center(shop, "Forgot password?")
    driver.tap(point)
    changed = shop.state(f"poll?seen={before}")
    assert changed["screen"]["id"] != before
    assert changed["count"] == 0


def _center(shop: Inspected, label: str) -> Point:
    state = shop.state()
    return Rect(*state["screen"]["elements"][ref_of(state, label)]["bounds"]).center


def test_a_phone_that_is_gone_is_said_and_found_again(
    shop: Inspected, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(self: Driver) -> bytes:
        raise DeviceOffline("virtual-1 is offline. Next: look at its cable")

    assert shop.typed is not None
    before = shop.state()["screen"]["id"]
    driver = shop.typed.explorer.session._context.driver
    with monkeypatch.context() as patch:
        patch.setattr(type(driver), "screenshot", gone)
        assert (
            shop.state(f"poll?seen={before}")["trouble"]
            == "virtual-1 is offline. Next: look at its cable"
        )
        assert shop.state(f"poll?seen={before}") == {"same": True}  # said once
    assert shop.state(f"poll?seen={before}")["trouble"] == ""


# --- the test


def test_the_test_is_saved_below_the_folder_and_nowhere_else(
    shop: Inspected, tmp_path: Path
) -> None:
    code = shop.do(SIGN_IN[0])["state"]["code"]
    place = "tests/test_order.py::test_inspected"
    saved = shop.command("save", {"place": place, "run": False})
    assert saved["text"].startswith("written, +")
    assert (tmp_path / "tests" / "test_order.py").read_text() == code
    assert shop.typed is not None
    assert not shop.typed.session.unsaved()
    shop.do("home()")
    assert len(shop.typed.session.unsaved()) == 1  # the farewell prints both
    for elsewhere in (
        "../test_it.py::test_it",
        "/tmp/test_it.py::test_it",
        "tests/../../test_it.py::test_it",
    ):
        reply = shop.send("POST", "do", {"command": "save", "values": {"place": elsewhere}})
        assert reply.status == 400
        assert "is outside of" in reply.data["error"]
    assert not (tmp_path.parent / "test_it.py").exists()


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("evidence", {"what": "screenshot", "output": "x.png"}),
        ("save", {"place": ""}),
        ("run", {"place": "tests/test_it.py::test_it"}),
        ("do", {"steps": ["home()"], "elsewhere": 1}),
    ],
)
def test_the_page_may_not_ask_for_everything(
    looked_at: Inspected, tmp_path: Path, name: str, values: dict[str, Any]
) -> None:
    reply = looked_at.send("POST", "do", {"command": name, "values": values})
    assert reply.status == 400
    assert looked_at.state()["count"] == 0
    assert not (tmp_path / "x.png").exists()


# --- the end


def test_it_ends_when_it_is_not_used_and_a_look_is_no_use(looked_at: Inspected) -> None:
    clock = ManualClock()
    assert looked_at.typed is not None
    server = InspectorServer(looked_at.source, clock, 60)
    page, ended = Inspected(server, looked_at.source), []
    waiting = threading.Thread(target=lambda: ended.append(server.wait(lambda: True)))
    waiting.start()
    clock.advance(40)
    assert page.send("POST", "do", {"command": "note", "values": {"title": "used"}}).status == 200
    clock.advance(40)
    page.state()
    page.state("poll?seen=1")
    assert waiting.is_alive()
    clock.advance(30)
    waiting.join(10)
    assert ended == [True]
    server.close()


def test_it_ends_with_its_page(looked_at: Inspected) -> None:
    server = InspectorServer(looked_at.source, SystemClock(), 60)
    assert Inspected(server, looked_at.source).send("POST", "end", {}).data == {"ended": True}
    assert not server.wait(lambda: True)
    server.close()


def test_a_session_that_has_gone_is_said(tmp_path: Path) -> None:
    def ask(argv: object, **given: object) -> dict[str, Any]:
        raise Refusal("the process of session s1 has gone", 3)

    with served(LiveSource(ask, tmp_path)) as page:
        for reply in (page.send("GET", "state"), page.send("POST", "do", ASKED)):
            assert (reply.status, reply.data["ended"]) == (410, True)
            assert (
                reply.data["error"]
                == "the process of session s1 has gone. Next: replicant inspect APP"
            )
