"""The methods of the on-device uiautomator2 server, called as its clients call them, on a phone with one app."""

from __future__ import annotations

import asyncio
import base64
import io

import pytest
from PIL import Image

from pytest_replicant.virtual import Latency, VirtualPhone

from .uiautomator2_client import FORM, PACKAGE, Client, run, selector

HOSTILE = 'it\'s "quoted" a & b <c> (d) $abc 100% %s \\ 日本語 😀'
NOT_FOUND = "androidx.test.uiautomator.UiObjectNotFoundException"


@pytest.fixture
def client() -> Client:
    phone = VirtualPhone([FORM], latency=Latency.from_knobs({"latency": "0"}))
    phone.start_app(PACKAGE)
    return Client(phone)


# --- the envelope -----------------------------------------------------------------------------------------
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


def test_an_answer_carries_the_id_of_its_request(client: Client) -> None:
    assert client.raw(b'{"id": "a", "method": "ping"}') == {"jsonrpc": "2.0", "id": "a", "result": "pong"}
    assert client.raw(b'{"method": "ping"}') is None
    both = client.raw(b'[{"id": 1, "method": "ping"}, {"method": "ping"}, {"id": 2, "method": "nope"}]')
    assert [each["id"] for each in both] == [1, 2]


def test_a_missing_object_is_named_as_clients_look_for_it(client: Client) -> None:
    error = client.error("objInfo", selector(text="Nowhere"))
    assert (error["message"], error["data"]) == (NOT_FOUND, "UiSelector[TEXT=Nowhere]")
    assert client.error("getText", "obj99")["message"] == NOT_FOUND


def test_an_error_of_the_phone_is_reported_and_the_server_goes_on(client: Client) -> None:
    error = client.error("takeScreenshot", "/sdcard", 1, 80)
    assert error["code"] == -32001
    assert client.call("ping") == "pong"


# --- looking ----------------------------------------------------------------------------------------------


def test_object_info_reports_what_is_there(client: Client) -> None:
    info = client.call("objInfo", selector(text="Tap"))
    assert info["resourceName"] == f"{PACKAGE}:id/tap"
    assert info["className"] == "android.widget.Button"
    assert info["packageName"] == PACKAGE
    assert info["clickable"] is True
    assert info["visibleBounds"] == info["bounds"]
    assert client.call("count", selector(className="android.widget.Button")) == 3
    assert client.call("count", selector(className="android.widget.Button", instance=2)) == 1
    assert client.call("count", selector(className="android.widget.Button", instance=3)) == 0
    assert len(client.call("objInfoOfAllInstances", selector(className="android.widget.Button"))) == 3


def test_a_dump_is_the_hierarchy_and_changes_with_the_screen(client: Client) -> None:
    first = client.call("dumpWindowHierarchy", False, 50)
    assert first.startswith(
        "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>\r\n<hierarchy rotation=\"0\">"
    )
    assert 'text="Tap"' in first
    assert client.call("dumpWindowHierarchy", False, 50) == first
    client.call("click", *client.centre(text="Tap"))
    assert "1 taps" in client.call("dumpWindowHierarchy", False, 50)
    assert client.phone.pace.calls["dump"] == 3


def test_a_dump_may_be_cut_short_thinned_out_or_of_one_window(client: Client) -> None:
    whole = client.call("dumpWindowHierarchy", False)
    cut = client.call("dumpWindowHierarchy", False, 2)
    thin = client.call("dumpWindowHierarchy", True, 50)
    one = client.call("dumpWindowHierarchy", False, 50, True)
    assert cut.count("<node") < thin.count("<node") < whole.count("<node")
    assert one.count("<node") <= whole.count("<node")
    assert 'text="Tap"' not in cut
    assert 'text="Tap"' in thin


@pytest.mark.slow
def test_a_screenshot_is_a_jpeg_of_the_size_asked_for(client: Client) -> None:
    def size(scale: float) -> tuple[int, int]:
        encoded = client.call("takeScreenshot", scale, 80)
        image = Image.open(io.BytesIO(base64.b64decode(encoded)))
        assert image.format == "JPEG"
        return image.size

    assert size(1) == (1080, 2400)
    assert size(0.5) == (540, 1200)
    assert client.call("takeScreenshot", "/sdcard/shot.jpg", 0.5, 50) == "/sdcard/shot.jpg"
    assert client.phone.files.read("/sdcard/shot.jpg").startswith(b"\xff\xd8")
    assert "IllegalArgumentException" in client.error("takeScreenshot", 0, 80)["message"]


def test_selectors_see_the_window_that_has_the_focus(client: Client) -> None:
    client.call("click", selector(text="Ask"))
    assert client.call("exist", selector(text="OK"))
    assert not client.call("exist", selector(text="Tap"))
    assert 'text="Tap"' not in client.call("dumpWindowHierarchy", False, 50)
    client.call("click", selector(text="Cancel"))
    assert client.call("exist", selector(text="Tap"))


# --- touching ---------------------------------------------------------------------------------------------
def test_clicks_of_all_sorts_reach_the_app(client: Client) -> None:
    x, y = client.centre(text="Tap")
    assert client.call("click", x + 0.7, y) is True
    assert client.call("click", selector(text="Tap")) is True
    assert client.call("click", selector(text="Tap"), "tl") is True
    assert client.taps() == "3 taps, 0 long"
    assert client.call("click", x, y, 600) is True
    assert client.call("longClick", selector(text="Tap")) is True
    assert client.taps() == "3 taps, 2 long"
    assert client.call("click", -5, 10) is False
    assert client.call("click", 10, 5000) is False


def test_a_finger_down_and_up_again_is_a_click(client: Client) -> None:
    x, y = client.centre(text="Tap")
    assert client.call("injectInputEvent", 0, x, y, 0) is True
    assert client.taps() == "0 taps, 0 long"
    assert client.call("injectInputEvent", 2, x + 3.5, y, 0) is True
    assert client.call("injectInputEvent", 1, x, y, 0) is True
    assert client.taps() == "1 taps, 0 long"
    assert client.call("injectInputEvent", 1, x, y, 0) is False


def test_a_finger_that_moves_scrolls(client: Client) -> None:
    x, y = client.centre(resourceId=f"{PACKAGE}:id/rows")
    client.call("injectInputEvent", 0, x, y, 0)
    client.call("injectInputEvent", 2, x, y - 200, 0)
    client.call("injectInputEvent", 1, x, y - 500, 0)
    assert not client.call("exist", selector(text="Row 0"))


def test_swipes_scroll_and_say_whether_they_were_on_the_screen(client: Client) -> None:
    x, y = client.centre(resourceId=f"{PACKAGE}:id/rows")
    assert client.call("swipe", x, y, x, y - 500, 20) is True
    assert not client.call("exist", selector(text="Row 0"))
    assert client.call("swipePoints", [x, y, x, y + 300, x, y + 600], 20) is True
    assert client.call("exist", selector(text="Row 0"))
    assert client.call("swipe", selector(resourceId=f"{PACKAGE}:id/rows"), "up", 20) is True
    assert not client.call("exist", selector(text="Row 0"))
    assert client.call("swipePoints", [x], 20) is False


@pytest.mark.parametrize("method", ["drag", "swipe"])
def test_a_gesture_from_outside_the_screen_is_false(client: Client, method: str) -> None:
    assert client.call(method, -10, -10, 100, 100, 5) is False


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
    assert client.call("exist", name)
    inner = client.call("getChild", name, selector(className="android.widget.TextView"))
    assert client.call("getText", inner) == "Row 2"
    assert client.error("childByText", rows, row, "Row 38", False)["message"] == NOT_FOUND
    far = client.call("childByText", rows, row, "Row 38", True)
    assert client.call("objInfo", far)["childCount"] == 1
    assert {name, inner, far} <= set(client.call("getUiObjects"))
    client.call("removeUiObject", name)
    assert client.error("exist", name)["message"] == NOT_FOUND


def test_pinching_needs_the_object(client: Client) -> None:
    assert client.call("pinchIn", selector(text="Tap"), 100, 50) is True
    assert client.error("pinchOut", selector(text="none"), 100, 50)["message"] == NOT_FOUND


# --- text -------------------------------------------------------------------------------------------------
def test_text_is_set_read_and_cleared_exactly(client: Client) -> None:
    field = selector(resourceId=f"{PACKAGE}:id/name")
    assert client.call("setText", field, HOSTILE) is True
    assert client.call("getText", field) == HOSTILE
    client.call("clearTextField", field)
    assert HOSTILE not in client.call("getText", field)
    assert client.call("objInfo", field)["focused"] is True
    assert client.call("setText", selector(text="Tap"), "x") is False
    assert client.taps() == "0 taps, 0 long"


def test_the_clipboard_is_pasted_where_the_focus_is(client: Client) -> None:
    client.call("setClipboard", None, HOSTILE)
    assert client.call("getClipboard") == HOSTILE
    client.call("pasteClipboard")  # by keys, so without a word where nothing has the focus
    client.call("clearInputText")
    assert client.call("getText", selector(resourceId=f"{PACKAGE}:id/name")) == "Name"
    client.call("click", selector(resourceId=f"{PACKAGE}:id/name"))
    client.call("pasteClipboard")
    assert client.call("getText", selector(focused=True)) == HOSTILE
    client.call("clearInputText")
    assert client.call("getText", selector(focused=True)) != HOSTILE


# --- waiting ----------------------------------------------------------------------------------------------
def test_a_wait_ends_with_the_change_it_waits_for_and_blocks_no_one(client: Client) -> None:
    async def both() -> tuple[bool, bool]:
        loop = asyncio.get_running_loop()
        coming = asyncio.ensure_future(client.calling("waitForExists", selector(text="1 taps, 0 long"), 15_000))
        going = asyncio.ensure_future(client.calling("waitUntilGone", selector(text="0 taps, 0 long"), 15_000))
        await client.calling("ping")
        assert not coming.done()
        began = loop.time()
        await client.calling("click", selector(text="Tap"))
        results = await coming, await going
        assert loop.time() - began < 5
        return results

    assert run(both()) == (True, True)


def test_a_wait_in_vain_says_so_when_its_time_is_up(client: Client) -> None:
    assert client.call("waitForExists", selector(text="Nowhere"), 30) is False
    assert client.call("waitForExists", selector(text="Nowhere"), -1) is False
    assert client.call("waitUntilGone", selector(text="Tap"), 30) is False
    assert client.call("waitForExists", selector(text="Tap"), 0) is True


def test_waiting_for_a_window_sees_the_dialog(client: Client) -> None:
    assert client.call("clickAndWaitForNewWindow", selector(text="Ask"), 5000) is True
    assert client.call("clickAndWaitForNewWindow", selector(textContains="undone"), 30) is False


# --- the phone as a whole ---------------------------------------------------------------------------------
def test_keys_are_known_by_the_client_s_names(client: Client) -> None:
    assert client.call("pressKey", "home") is True
    assert client.call("deviceInfo")["currentPackageName"] != PACKAGE
    assert client.call("pressKey", "any key") is False
    assert client.call("launchApp", PACKAGE) is True
    assert client.call("pressKeyCode", 3) is True
    assert client.call("pressKeyCode", 3, 1) is True
    assert client.call("launchApp", "not.installed") is False


def test_rotation_turns_the_screen(client: Client) -> None:
    client.call("setOrientation", "left")
    info = client.call("deviceInfo")
    assert (info["displayRotation"], info["displayWidth"], info["displayHeight"]) == (1, 2400, 1080)
    assert '<hierarchy rotation="1">' in client.call("dumpWindowHierarchy", False, 50)
    client.call("setOrientation", "natural")
    assert client.call("deviceInfo")["displayRotation"] == 0


def test_the_last_toast_is_kept_until_it_is_cleared(client: Client) -> None:
    assert client.call("getLastToast") is None
    client.call("click", selector(text="Toast"))
    assert client.call("getLastToast") == "Saved"
    client.call("clearLastToast")
    assert client.call("getLastToast") is None


def test_the_configurator_keeps_what_it_is_given(client: Client) -> None:
    assert client.call("setConfigurator", {"waitForIdleTimeout": 0})["waitForIdleTimeout"] == 0
    assert client.call("getConfigurator")["waitForIdleTimeout"] == 0
    assert client.error("setConfigurator", {"speed": 11})["code"] == -32602


def test_a_phone_at_leisure_takes_its_time_once_a_call() -> None:
    phone = VirtualPhone([FORM], latency=Latency.from_knobs({"latency": "0", "gesture_ms": "1"}))
    client = Client(phone)
    client.call("click", 5, 5)
    assert (phone.pace.calls["gesture"], phone.pace.waited_ms) == (1, 101)
    client.call("exist", selector(text="Tap"))
    assert (phone.pace.calls["rpc"], phone.pace.waited_ms) == (1, 101)
