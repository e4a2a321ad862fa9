"""The methods of the on-device uiautomator2 server, called as its clients call them, on a phone
with one app."""

from __future__ import annotations

import asyncio

import pytest

from pytest_replicant.virtual import Latency

from .notes_phone import APP, make_phone
from .uiautomator2_client import Client, run, selector

HOSTILE = 'it\'s "quoted" a & b <c> (d) $abc 100% %s \\ 日本語 😀'
NOT_FOUND = "androidx.test.uiautomator.UiObjectNotFoundException"


@pytest.fixture
def client() -> Client:
    phone = make_phone()
    phone.start_app(APP)
    return Client(phone)


# --- the envelope ---------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"", -32700),
        (b"{", -32700),
        (b"\xff\xfe", -32700),
        (b"[" * 100_000, -32700),
        (b"[]", -32600),
        (b"7", -32600),
        (b'{"method": 7}', -32600),
        (b'{"id": 1, "method": "makeToast", "params": ["x", 1]}', -32601),
        (b'{"id": 1, "method": "__init__"}', -32601),
        (b'{"id": 1, "method": "click", "params": [1]}', -32602),
        (b'{"id": 1, "method": "click", "params": [1, null]}', -32602),
        (b'{"id": 1, "method": "click", "params": [true, 1]}', -32602),
        (b'{"id": 1, "method": "click", "params": [NaN, 1]}', -32602),
        (b'{"id": 1, "method": "click", "params": [1e300, 1]}', -32602),
        (b'{"id": 1, "method": "click", "params": {"x": 1, "y": 1}}', -32602),
        (b'{"id": 1, "method": "exist", "params": [{"mask": 1, "tint": 1}]}', -32602),
    ],
)
def test_a_bad_request_has_the_code_of_its_kind(client: Client, body: bytes, code: int) -> None:
    error = client.raw(body)["error"]
    assert error["code"] == code
    assert isinstance(error["data"], str)


def test_a_missing_object_is_named_as_clients_look_for_it(client: Client) -> None:
    error = client.error("objInfo", selector(text="Nowhere"))
    assert (error["message"], error["data"]) == (NOT_FOUND, "UiSelector[TEXT=Nowhere]")
    assert client.error("getText", "obj99")["message"] == NOT_FOUND


# --- looking --------------------------------------------------------------------------------------


def test_a_dump_may_be_cut_short_thinned_out_or_of_one_window(client: Client) -> None:
    whole = client.call("dumpWindowHierarchy", False)
    cut = client.call("dumpWindowHierarchy", False, 2)
    thin = client.call("dumpWindowHierarchy", True, 50)
    one = client.call("dumpWindowHierarchy", False, 50, True)
    assert cut.count("<node") < thin.count("<node") < whole.count("<node")
    assert one.count("<node") <= whole.count("<node")
    assert 'text="Count"' not in cut
    assert 'text="Count"' in thin


def test_selectors_see_the_window_that_has_the_focus(client: Client) -> None:
    client.call("click", selector(text="Ask"))
    assert client.call("exist", selector(text="OK"))
    assert not client.call("exist", selector(text="Count"))
    assert 'text="Count"' not in client.call("dumpWindowHierarchy", False, 50)
    client.call("click", selector(text="Cancel"))
    assert client.call("exist", selector(text="Count"))


# --- touching -------------------------------------------------------------------------------------
def test_clicks_of_all_sorts_reach_the_app(client: Client) -> None:
    x, y = client.centre(text="Count")
    assert client.call("click", x + 0.7, y) is True
    assert client.call("click", selector(text="Count")) is True
    assert client.taps() == "2 taps"
    assert client.call("click", x, y, 600) is True
    assert client.call("longClick", selector(text="Count")) is True
    assert client.taps() == "2 taps"
    assert client.call("exist", selector(text="2 holds"))
    assert client.call("click", -5, 10) is False
    assert client.call("click", 10, 5000) is False


def test_a_finger_down_and_up_again_is_a_click(client: Client) -> None:
    x, y = client.centre(text="Count")
    assert client.call("injectInputEvent", 0, x, y, 0) is True
    assert client.taps() == "0 taps"
    assert client.call("injectInputEvent", 2, x + 3.5, y, 0) is True
    assert client.call("injectInputEvent", 1, x, y, 0) is True
    assert client.taps() == "1 taps"
    assert client.call("injectInputEvent", 1, x, y, 0) is False


def test_swipes_scroll_and_say_whether_they_were_on_the_screen(client: Client) -> None:
    x, y = client.centre(resourceId=f"{APP}:id/rows")
    assert client.call("swipe", x, y, x, y - 500, 20) is True
    assert not client.call("exist", selector(text="Row 0"))
    assert client.call("swipePoints", [x, y, x, y + 300, x, y + 600], 20) is True
    assert client.call("exist", selector(text="Row 0"))
    assert client.call("swipe", selector(resourceId=f"{APP}:id/rows"), "up", 1.0, 20) is True
    assert not client.call("exist", selector(text="Row 0"))
    assert client.call("swipePoints", [x], 20) is False


def test_scrolling_says_whether_anything_moved(client: Client) -> None:
    rows = selector(scrollable=True)
    assert client.call("scrollForward", rows, True, 55) is True
    assert client.call("scrollBackward", rows, True, 55) is True
    assert client.call("scrollToEnd", rows, True, 500, 55) is True
    assert client.call("exist", selector(text="Row 39"))
    assert client.call("scrollForward", rows, True, 55) is False
    assert client.call("flingToBeginning", rows, True, 500) is True
    assert client.call("exist", selector(text="Row 0"))
    assert client.error("scrollForward", selector(text="none"), True, 55)["message"] == NOT_FOUND


def test_scroll_to_brings_into_view_or_says_no(client: Client) -> None:
    rows = selector(scrollable=True)
    assert client.call("scrollTo", rows, selector(text="Row 35"), True) is True
    assert client.call("exist", selector(text="Row 35"))
    assert client.call("scrollTo", rows, selector(text="Row 2"), True) is True
    assert client.call("scrollTo", rows, selector(text="Row 99"), True) is False


def test_a_child_found_by_its_text_has_a_name(client: Client) -> None:
    rows, row = selector(scrollable=True), selector(className="android.widget.LinearLayout")
    name = client.call("childByText", rows, row, "Row 2")
    assert client.call("objInfo", name)["childCount"] == 1
    assert client.error("childByText", rows, row, "Row 38", False)["message"] == NOT_FOUND
    far = client.call("childByText", rows, row, "Row 38", True)
    assert client.call("objInfo", far)["childCount"] == 1


# --- text -----------------------------------------------------------------------------------------


def test_the_clipboard_is_pasted_where_the_focus_is(client: Client) -> None:
    client.call("setClipboard", None, HOSTILE)
    assert client.call("getClipboard") == HOSTILE
    client.call("pasteClipboard")  # by keys, so without a word where nothing has the focus
    client.call("clearInputText")
    assert client.call("getText", selector(resourceId=f"{APP}:id/note")) == "Note"
    client.call("click", selector(resourceId=f"{APP}:id/note"))
    client.call("pasteClipboard")
    assert client.call("getText", selector(focused=True)) == HOSTILE
    client.call("clearInputText")
    assert client.call("getText", selector(focused=True)) != HOSTILE


# --- waiting --------------------------------------------------------------------------------------
def test_a_wait_ends_with_the_change_it_waits_for_and_blocks_no_one(client: Client) -> None:
    async def both() -> tuple[bool, bool]:
        loop = asyncio.get_running_loop()
        coming = asyncio.ensure_future(
            client.calling("waitForExists", selector(text="1 taps"), 15_000)
        )
        going = asyncio.ensure_future(
            client.calling("waitUntilGone", selector(text="0 taps"), 15_000)
        )
        await client.calling("ping")
        assert not coming.done()
        began = loop.time()
        await client.calling("click", selector(text="Count"))
        results = await coming, await going
        assert loop.time() - began < 5
        return results

    assert run(both()) == (True, True)


def test_a_wait_in_vain_says_so_when_its_time_is_up(client: Client) -> None:
    assert client.call("waitForExists", selector(text="Nowhere"), 30) is False
    assert client.call("waitForExists", selector(text="Nowhere"), -1) is False
    assert client.call("waitUntilGone", selector(text="Count"), 30) is False
    assert client.call("waitForExists", selector(text="Count"), 0) is True


# --- the phone as a whole -------------------------------------------------------------------------


def test_a_phone_at_leisure_takes_its_time_once_a_call() -> None:
    phone = make_phone(Latency.from_knobs({"latency": "0", "gesture_ms": "1"}))
    client = Client(phone)
    client.call("click", 5, 5)
    assert (phone.pace.calls["gesture"], phone.pace.waited_ms) == (1, 101)
    client.call("exist", selector(text="Count"))
    assert (phone.pace.calls["rpc"], phone.pace.waited_ms) == (1, 101)
