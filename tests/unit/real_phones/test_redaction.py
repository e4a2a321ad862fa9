"""A redacted capture shows no text of the phone, in no spelling, and makes the same phone as
before."""

from __future__ import annotations

import base64
import gzip
import json
import re
import unicodedata
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote
from xml.sax.saxutils import quoteattr

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pytest_replicant.drivers import DeviceInfo
from pytest_replicant.errors import SnapshotError
from pytest_replicant.model import Node, Rect
from pytest_replicant.real_phones import (
    Capture,
    CapturedScreen,
    ProofRow,
    Reached,
    facts_of,
    learn,
    read_capture,
    redacted,
    refused_in,
)
from pytest_replicant.snapshots import Dump, read_hierarchy
from tests.properties.dumps import BY_HAND, captures
from tests.properties.effort import examples
from tests.properties.wild import NASTY

from .captured import write_capture

SHOP, LAB = "dev.replicant.shop", "dev.replicant.lab"
SERIAL, ACCOUNT = "R5CT30XYZQW", "quillfeather@example.org"
PLANTED = (
    "Quillfeather",
    "Ærøskøbing",
    "Наталья",
    "山田太郎さん",
    "شهرزاد",
    "4915112345678",
    "x8fj2kq9",
)
"""One is a name, one is Latin but not ASCII; others are Cyrillic, Japanese and Arabic, a number, a
password."""
ALL = " ".join(PLANTED)
NODE = ('<node index="0" text={text} resource-id="com.acme:id/row" class="android.widget.TextView"'
        ' package="com.acme" content-desc={desc} hint={hint} tooltip={more} pane-title={more} '
        'checked="false"'
        ' enabled="true" bounds="[0,4][1080,2176]" />')  # fmt: skip
GALAXY = {"sdk": "34", "brand": "samsung", "serialno": SERIAL}
ANDROID = DeviceInfo(SERIAL, "android", "SM-S911B", "14", 1080, 2340, 3.0, GALAXY)
OWNED = {"name": f"iPhone of {PLANTED[0]}", "locale": "en_US"}
IPHONE = DeviceInfo("", "ios", "iPhone", "17.5", 1179, 2556, 3.0, OWNED)


def in_xml(*texts: str, noise: str = "") -> bytes:
    nodes = [
        NODE.format(text=quoteattr(text), desc=quoteattr(text), hint='""', more='""')
        for text in texts
    ]
    return f"<hierarchy>{noise}{''.join(nodes)}</hierarchy>".encode()


def on_screen(hierarchy: bytes, **more: Any) -> CapturedScreen:
    seen = CapturedScreen(
        "page", "com.acme", "com.acme.Main", "portrait", False, Reached("launch"), hierarchy
    )
    return replace(seen, **more)


def of_android(*texts: str, **more: Any) -> Capture:
    return replace(Capture({"command": "a test"}, ANDROID, (on_screen(in_xml(*texts)),)), **more)


def dump_of(capture: Capture, screen: int = 0) -> Dump:
    return read_hierarchy(capture.screens[screen].hierarchy, capture.device.platform)


def spellings(text: str) -> Iterator[bytes]:
    """How a text may be written."""
    yield text.encode()
    yield json.dumps(text)[1:-1].encode()
    yield "".join(f"&#{ord(sign)};" for sign in text).encode()
    yield "".join(f"&#x{ord(sign):x};" for sign in text).encode()
    yield quote(text, safe="").encode()
    yield "".join(f"%{byte:02X}" for byte in text.encode()).encode()
    yield base64.b64encode(text.encode()).rstrip(b"=")
    yield base64.urlsafe_b64encode(text.encode()).rstrip(b"=")


def shown_in(capture: Capture, texts: Sequence[str], folder: Path) -> list[str]:
    """Those of the texts that are in the file, whatever their spelling; and the file can be
    read."""
    write_capture(folder / "a.zip", capture)
    read_capture(folder / "a.zip")
    with zipfile.ZipFile(folder / "a.zip") as archive:
        packed = {name: archive.read(name) for name in archive.namelist()}
    written = b"\n".join(
        gzip.decompress(data) if name.endswith("gz") else data for name, data in packed.items()
    )
    written = written.lower()
    return [text for text in texts if any(each.lower() in written for each in spellings(text))]


def shape(dump: Dump) -> list[tuple[Any, ...]]:
    """All that is no text of it, and which texts are the same."""

    def texts(node: Node) -> tuple[Any, ...]:
        all_of = (node.text, node.description, node.hint, node.value or "", node.pane_title)
        return tuple(text and all_of.index(text) for text in all_of)

    return [
        (node.parent, node.class_name, node.package, node.bounds, node.states, node.clickable,
         node.checkable,
         node.visible, node.window, node.adjustable, texts(node))
        for node in dump.nodes
    ]  # fmt: skip


def words_of(capture: Capture) -> list[str]:
    return [word for node in dump_of(capture).nodes for word in node.text.split()]


def test_a_screen_and_the_proof_say_the_same() -> None:
    row = ProofRow(
        "tap", "a tap arrives", "broken", 7, '[k427] Button "Ada" [disabled]\n(keyboard open)'
    )
    after = redacted(of_android("Ada", proof=(row,)))
    assert (
        after.proof[0].reason == f'[k427] Button "{words_of(after)[0]}" [disabled]\n(keyboard open)'
    )


# --- planted --------------------------------------------------------------------------------------
PRINTED = {
    "getprop": f"[ro.product.device]: [dm1q]\n[net.hostname]: [{ALL}]\n[ro.serialno]: [{SERIAL}]",
    "settings list secure": f"bluetooth_name={ALL}\nssid={PLANTED[6]}",
    "settings get secure autofill_service": "a.b/.C",
    "settings get secure default_input_method": ALL,
    "settings get global device_name": ALL,
    "dumpsys window": f"mCurrentFocus=Window{{1a u0 {ALL}}} {ACCOUNT} 00:1a:2b:3c:4d:5e",
    "pm list": base64.b64encode(ALL.encode()).decode(),
}


def everywhere() -> Capture:
    """A capture of an Android phone whose every field has the texts in it."""
    given = {name: quoteattr(f"{name} {ALL}") for name in ("text", "desc", "hint", "more")}
    others = f"<?xml version='1.0'?><?replicant {ALL}?><!-- {ALL} -->"
    coded = "".join(f"&#{ord(sign)};" for sign in ALL)
    also = NODE.format(**dict.fromkeys(given, f'"{coded}"'))
    xml = f"{others}<hierarchy>{ALL}{NODE.format(**given)}{also}</hierarchy> {ALL}".encode()
    damaged = f'<hierarchy><node text="{ALL}'.encode()
    screen = on_screen(xml)
    said = f'Error: "{ALL}" was shown, not {ALL}; {quote(ALL)}'
    return Capture(
        {"command": f"prove android:{SERIAL} for {ACCOUNT}", "folder": f"/home/{PLANTED[0]}/x"},
        replace(ANDROID,
                extra={"sdk": "34", "serialno": SERIAL, "nested": {"owner": [ALL, ACCOUNT]}}),
        (screen, on_screen(damaged, name="damaged", activity=f"com.acme.{SERIAL}")),
        facts_of(ANDROID, PRINTED, refused_in(f"requires INJECT_EVENTS of {ALL}"), {}).facts,
        (
            ProofRow("tap", "a tap arrives", "broken", 1,
                     f"Error: {said}\n{ALL}  (a.b)\n[k427] Button {ALL}"),
            ProofRow("type", "it types", "broken", 1,
                     base64.b64encode(PLANTED[0].encode()).decode()),
        ),
        {"verifier": said},
    )  # fmt: skip


def test_nothing_planted_is_left_on_android(tmp_path: Path) -> None:
    before = everywhere()
    after = redacted(before, (SERIAL, ACCOUNT))
    assert shown_in(before, (*PLANTED, SERIAL, ACCOUNT, "quillfeather"), tmp_path) != []
    assert shown_in(after, (*PLANTED, SERIAL, ACCOUNT, "quillfeather", "00:1a:2b"), tmp_path) == []
    assert [each.name for each in after.screens] == ["page"]
    assert "cannot be read" in after.unknown["screen damaged"]
    assert learn(after).facts["getprop"] == {"device": "dm1q"}
    assert learn(after).facts["settings"] == {"autofill": "a.b/.C"}
    assert learn(after).facts["what the phone refused"] == {"injects": False}
    node = dump_of(after).nodes[0]
    assert (node.resource_id, node.class_name, node.bounds) == (
        "com.acme:id/row",
        "TextView",
        Rect(0, 4, 1080, 2176),
    )


def elements(**given: Any) -> dict[str, Any]:
    return {"rect": {"x": 0, "y": 0, "width": 9, "height": 9}, "frame": "{{0, 0}, {9.5, 9}}",
            "isEnabled": "1",
            "isVisible": "1", "traits": "Button, NotEnabled", **given}  # fmt: skip


IDS = ("send_reset_link", "BackButton", "com.apple.settings.general", "email")
TREE = elements(type="Application", label="Shop", name="Shop", bundleId="com.acme", children=[
    *(elements(type="Button", label=text, name=text, rawIdentifier=text,
               value=text) for text in PLANTED),
    elements(type="TextField", placeholderValue=ALL, value=ALL, label="", title=ALL,
             **{ALL: [ALL, {"a b": ALL}]}),
    elements(type="NavigationBar", name=PLANTED[0]),
    *(elements(type="Button", label=ALL, name=text, rawIdentifier=text) for text in IDS),
    elements(type="Switch", label=ALL, value="1"),
    elements(type="Slider", label=ALL, value=4915112345678),
    elements(type="Keyboard",
             children=[elements(type="Button", name="Go", label=ALL), elements(name=ALL)]),
])  # fmt: skip


def test_nothing_planted_is_left_on_an_iphone(tmp_path: Path) -> None:
    source = json.dumps({"value": TREE, "sessionId": PLANTED[6]}).encode()
    before = Capture({}, IPHONE, (on_screen(source, keyboard=True),))
    after = redacted(before)
    assert shown_in(after, PLANTED, tmp_path) == []
    assert shape(dump_of(before)) == shape(dump_of(after))
    ids = [given.get("rawIdentifier") or given.get("name") for given in dump_of(after).attributes]
    assert {*IDS, "Go"} <= {*ids}
    assert learn(after).screens[0].enter == "Go"
    assert after.device.extra["locale"] == "en_US"


def test_what_is_personal_in_an_id_is_another() -> None:
    xml = (
        in_xml("x")
        .replace(b"id/row", b"id/row_r5ct30xyzqw")
        .replace(b"com.acme", b"com.r5ct30xyzqw")
    )
    before = of_android(screens=(on_screen(xml, app="com.r5ct30xyzqw", activity="a.R5CT30XYZQW"),))
    after = redacted(before, (SERIAL,))
    node = dump_of(after).nodes[0]
    assert node.package == after.screens[0].app
    assert node.package.startswith("com.")
    assert node.resource_id == f"{node.package}:id/row_{node.package[4:]}"
    assert after.screens[0].activity.lower() == f"a.{node.package[4:]}"
    assert len(learn(after).screens) == 1


NAMES = ("com.acme:id/row", "android.view.View$1", "row_42-b", ".Main")
NO_NAMES = (
    "row_ada@x.org", "call_49151123456", "/home/ada/x", "192.168.0.17", "fe80::1",
    "3c:22:fb:0a:11:5e", "Ada L",
)  # fmt: skip


@pytest.mark.parametrize("name", [*NAMES, *NO_NAMES])
def test_what_has_the_form_of_a_name_stays(name: str) -> None:
    xml = in_xml("x").replace(b"com.acme:id/row", name.encode())
    other = dump_of(redacted(of_android(screens=(on_screen(xml),)))).nodes[0].resource_id
    assert (other == name) == (name in NAMES)
    words, others = (re.findall(r"[^\W_]+", text) for text in (name, other))
    assert len(words) == len(others)
    assert name in NAMES or not any(map(str.__eq__, words, others))


# --- one word for one word ------------------------------------------------------------------------
def test_words_keep_their_form() -> None:
    before = of_android("Ada ADA ada 4711 Öl 👩‍👩‍👧 אבג e\u0301te\u0301 4:05, (x)!", "ada’s 4711")
    after = words_of(redacted(before))
    name, capitals, small, number, oil, family, hebrew, summer, clock, other, whose, again = after
    assert (name.upper(), name.lower(), name[0].isupper()) == (capitals, small, True)
    assert number == again
    assert number.isdecimal()
    assert "4711" not in number
    assert (len(oil), oil[0].isupper(), family) == (2, True, "👩‍👩‍👧")
    assert all("\u05d0" <= sign <= "\u05f2" for sign in hebrew)
    assert summer.replace("\u0301", "").isalpha()
    assert summer.count("\u0301") == 2
    assert (clock[1], clock[-1], other[0] + other[2:], whose[:4]) == (":", ",", "()!", f"{small}’")


def test_every_digit_and_letter_is_another_each_time() -> None:
    text = [*"0123456789abcdefghijklmnopqrstuvwxyz"]
    first, second = (words_of(redacted(of_android(" ".join(text)))) for _ in range(2))
    assert sorted(first) == sorted(second) == text
    assert first != second
    assert not any(map(str.__eq__, first, text))


TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cn"]), max_size=30)


@given(st.lists(TEXTS, min_size=1, max_size=8))
@example([each for each in NASTY if each.isprintable()])
@example(["𝐁old a𝐁b 😀", "ſtraße STRASSE straße", "ΣΑΣ ςας σ", "İı Ii", "½ ² ①", "Ⓐⓓⓐ ⠁⠃", "1️⃣ ❤️"])
@examples(ci=20)
def test_any_texts(texts: list[str]) -> None:
    before = of_android(*texts)
    after = redacted(before)
    assert after.unknown == {}
    old, plain = ([node.text for node in dump_of(each).nodes] for each in (before, after))
    assert [len(text) for text in plain] == [len(text) for text in old]
    pairs = {*zip(old, plain, strict=True)}
    assert len(pairs) == len({*old}) == len({*plain})
    for one, other in pairs:
        signs = zip(one, other, strict=True)
        assert all(sign == new for sign, new in signs if unicodedata.category(sign)[0] in "MPZ")
        assert not one.isascii() or not any(
            a == b for a, b in zip(one.split(), other.split(), strict=True) if a.isalnum()
        )


# --- dumps as they come, and the net --------------------------------------------------------------
def redacted_dump(source: bytes) -> tuple[Dump, Capture]:
    dump = read_hierarchy(source, None)
    device = IPHONE if dump.platform == "ios" else ANDROID
    return dump, redacted(Capture({}, device, (on_screen(source),)))


@pytest.mark.parametrize("name", sorted({*BY_HAND} - {"utf-16"}))
def test_dumps_of_every_kind(name: str) -> None:
    dump, after = redacted_dump(BY_HAND[name])
    assert shape(dump) == shape(dump_of(after))


@pytest.mark.slow
def test_real_dumps() -> None:
    for path in captures()[::40]:
        with suppress(SnapshotError):
            dump, after = redacted_dump(path.read_bytes())
            assert shape(dump) == shape(dump_of(after)), path


@pytest.mark.parametrize("source", [
    b"", b'<hierarchy><node text="Quillfeather"', b'{"type": "Window"',
    b'<!DOCTYPE x [<!ENTITY y "Quillfeather">]><hierarchy><node text="&y;"/></hierarchy>',
])  # fmt: skip
@pytest.mark.parametrize("device", [ANDROID, IPHONE], ids=["android", "ios"])
def test_what_cannot_be_read_is_left_out_and_named(
    device: Any, source: bytes, tmp_path: Path
) -> None:
    other = on_screen(in_xml("a hierarchy redacted cannot"), name="other")
    after = redacted(Capture({}, device, (on_screen(source), other)))
    assert "cannot be read" in after.unknown["screen page"]
    assert shown_in(after, PLANTED[:1], tmp_path) == []


SPELLED: dict[str, Callable[[str], str]] = {
    "plain": str,
    "in a word": lambda text: f"x{text}x",
    "percent": lambda text: "".join(f"%{byte:02X}" for byte in text.encode()),
    "base64": lambda text: base64.b64encode(text.encode()).decode(),
    "base64 of more": lambda text: base64.b64encode(f"ab {text} cd".encode()).decode(),
    "JSON": lambda text: "".join(f"\\u{ord(sign):04x}" for sign in text),
    "XML": lambda text: "".join(f"&#{ord(sign)};" for sign in text),
}


@pytest.mark.parametrize("spelling", SPELLED)
def test_however_a_text_is_spelled_it_is_not_kept(spelling: str) -> None:
    """Also one that no screen showed: kept are the words of our own messages, where they are not
    quoted."""
    spelled = SPELLED[spelling]("Quillfeather")
    leak = f'the tap "changed nothing" on {spelled}, and nothing changed.'
    row = ProofRow("tap", "a tap arrives", "broken", 1, leak)
    after = redacted(of_android("Ada", proof=(row,), unknown={"cutout": leak}))
    for said in (after.proof[0].reason, after.unknown["cutout"]):
        assert said.startswith('the tap "')
        assert said.endswith(", and nothing changed.")
        assert "changed nothing" not in said
        assert spelled not in said


@pytest.mark.parametrize(
    ("shown", "said"),
    [
        ("Device Offline", "DeviceOffline: the phone is lost"),
        ("Button android widget TextView display enabled arrives", "the tap arrives never"),
        ("Keyboard", "on a phone in use, it would change the keyboard"),
    ],
)
def test_words_of_our_own_stand(shown: str, said: str) -> None:
    before = of_android(shown, proof=(ProofRow("tap", "a tap arrives", "broken", 1, said),))
    after = redacted(before)
    assert after.proof == before.proof
    assert dump_of(after).nodes[0].class_name == "TextView"
    assert learn(after).facts == learn(before).facts
    assert after.unknown == {}


def test_a_model_whose_name_is_a_number_keeps_it() -> None:
    before = of_android("Quillfeather", device=replace(ANDROID, model="22101316G"))
    assert redacted(before, ("R5CT30XYZQW",)).device.model == "22101316G"
