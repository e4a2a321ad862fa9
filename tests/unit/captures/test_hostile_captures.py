"""A capture may be anyone's: whatever its zip holds, it is read or refused in words, and nothing is written."""

from __future__ import annotations

import json
import os
import struct
import zipfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_replicant.captures import (
    Capture,
    CapturedScreen,
    ProofRow,
    Reached,
    learn,
    read_capture,
    write_capture,
    write_profile,
)
from pytest_replicant.cli import main
from pytest_replicant.errors import UsageError
from pytest_replicant.model import Rect
from pytest_replicant.virtual import make_named
from tests.properties.effort import examples

APP, ENTRY = "com.android.settings", "capture.json"
NODE = '<node class="android.view.View" package="com.android.settings" bounds="[0,0][9,9]" text="{}" />'
XML = f"<hierarchy>{NODE.format('Display')}</hierarchy>".encode()
TREE = {"type": "Application", "label": "x", "rect": {"x": 0, "y": 0, "width": 9, "height": 9}}
DEVICE: dict[str, Any] = {"platform": "android", "model": "SM", "os_version": "14", "width": 1080, "height": 2340,
                          "density": 3.0, "extra": {"sdk": "34", "nested": {"a": [1]}}}  # fmt: skip
SCREEN = CapturedScreen("settings", APP, f"{APP}.Settings", "portrait", False, Reached("launch"),
                        {"uiautomator2": XML})  # fmt: skip
CAPTURE = Capture(
    {"command": "a test"}, DEVICE, (SCREEN, replace(SCREEN, name="page",
                                            reached=Reached("tap", "settings", Rect(0, 0, 9, 9)))),
    {"medians of 3 calls": {"latency": {"dump_ms": 100}}},
    (ProofRow("tap", "a tap arrives", "holds", 7),), {"texts": True}, {"cutout": "not asked"},
)  # fmt: skip


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def written(capture: Capture = CAPTURE) -> dict[str, bytes]:
    write_capture(Path("a.zip"), capture)
    with zipfile.ZipFile("a.zip") as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def zipped(contents: dict[str, bytes] | list[tuple[Any, bytes]], kind: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile("a.zip", "w", kind) as archive:
        for name, content in contents.items() if isinstance(contents, dict) else contents:
            archive.writestr(name, content)
    return Path("a.zip")


def refused(path: Path = Path("a.zip")) -> str:
    with pytest.raises(UsageError) as error:
        read_capture(path)
    said = str(error.value)
    assert said.startswith(f"{path}: ")
    assert len(said) < 600
    assert said.isprintable()
    return said


def test_what_is_written_is_read() -> None:
    written()
    assert read_capture(Path("a.zip")) == CAPTURE


def document(*path: str | int, value: Any) -> dict[str, bytes]:
    contents = written()
    whole = json.loads(contents["capture.json"])
    inner = whole
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = value
    return {**contents, "capture.json": json.dumps(whole).encode()}


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        (("schema",), "replicant.capture/1", "schema: 'replicant.capture/1' is not one of 'replicant.capture/2'"),
        (("screens",), {}, "screens: an object is not a list"),
        (("screens", 0, "name"), "../../etc/passwd", "screens[0].name: '../../etc/passwd' is not of the form"),
        (("screens", 0, "name"), "A", "screens[0].name: 'A' is not"),
        (("screens", 1, "name"), "settings", "screens[1].name: settings is there twice"),
        (("screens", 0, "app"), "a b;reboot", "screens[0].app"),
        (("screens", 0, "keyboard"), 1, "screens[0].keyboard: 1 is not true or false"),
        (("screens", 0, "orientation"), "upside-down", "screens[0].orientation: 'upside-down' is not one of"),
        (("screens", 0, "forms"), {"uiautomator3": ""}, "screens[0].forms: 'uiautomator3' is not one of"),
        (("screens", 0, "forms"), [], "screens[0].forms: a list is not an object"),
        (("screens", 0, "forms", "uiautomator2"), 1, "screens[0].forms.uiautomator2: 1 is not a text"),
        (("screens", 0, "reached", "means"), "magic", "screens[0].reached.means: 'magic' is not one of"),
        (("screens", 1, "reached", "bounds"), [0, 0, 10**400, 1], "capture.json"),
        (("screens", 1, "reached", "bounds"), [0, 0, 1], "reached.bounds: a list is not a list of 4"),
        (("screens", 1, "reached", "source"), "nowhere", "reached.source: there is no screen 'nowhere'"),
        (("screens", 0, "activity"), "x\ny", "screens[0].activity"),
        (("device", "platform"), "symbian", "device.platform: 'symbian' is not one of 'android', 'ios'"),
        (("device",), {}, "device.platform is missing"),
        (("device", "width"), "1080", "device.width: '1080' is not a whole number"),
        (("device", "height"), 10**9, "device.height: 1000000000 is not a number from 1 to 20000"),
        (("device", "density"), -1, "device.density: -1.0 is not a number from 1 to 20"),
        (("device", "extra"), {"a": {"b": {"c": {"d": {"e": {"f": {"g": 1}}}}}}}, "more than 6 levels"),
        (("facts",), [], "facts: a list is not an object"),
        (("facts", "medians of 3 calls"), 1, "1 is not an object"),
        (("facts", "x"), {"cutout": "\udc80"}, "half of a character"),
        (("proof", 0, "verdict"), "fine", "proof[0].verdict: 'fine' is not one of"),
        (("redacted", "texts"), "yes", "redacted.texts"),
        (("extra",), 1, "there is no field 'extra'"),
    ],
)  # fmt: skip
def test_a_field_that_is_wrong_is_named(path: tuple[str | int, ...], value: Any, said: str) -> None:
    zipped(document(*path, value=value))
    assert said in refused()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"[" * 200_000, "is nested too deeply"),
        (b'{"a":' * 200_000, "is nested too deeply"),
        (b'{"schema": NaN}', "NaN is no number of JSON"),
        (b'{"schema": -Infinity}', "Infinity is no number of JSON"),
        (b'{"schema": 1, "schema": 2}', "'schema' is there twice"),
        (b'{"schema": "\xff"}', "is not UTF-8"),
        (b"\xff\xfe{\0}\0", "is not UTF-8"),
        (b"1" * 10_000, "is no JSON"),
        (b"", "is no JSON"),
        (b"[]", "a list is not an object"),
        (b"{}", "schema is missing"),
    ],
    ids=range(11),
)
def test_a_document_that_is_none(content: bytes, said: str) -> None:
    zipped({**written(), "capture.json": content})
    assert said in refused()
    assert "capture.json: " in refused()


def nested(depth: int) -> bytes:
    inside = NODE.format("").replace(" />", ">")
    return f"<hierarchy>{inside * depth}{'</node>' * depth}</hierarchy>".encode()


@pytest.mark.parametrize(
    "source",
    [
        b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "b">]>' + XML,
        b'<?xml version="1.0"?><!DOCTYPE x SYSTEM "file:///etc/passwd">' + XML,
        nested(400),
        nested(8_000),
        XML[:-20],
    ],
    ids=range(5),
)
def test_a_hierarchy_that_no_phone_prints_is_no_screen_of_the_phone(source: bytes) -> None:
    zipped(document("screens", 0, "forms", "uiautomator2", value=source.decode()))
    learned = learn(read_capture(Path("a.zip")))
    assert "screen settings" in learned.unknown
    assert [screen.name for screen in learned.screens] == ["page"]


def tree(depth: int) -> bytes:
    part = json.dumps(TREE)[:-1]
    return (f'{part}, "children": [' * depth + json.dumps(TREE) + "]}" * depth).encode()


@pytest.mark.parametrize("content", [tree(20_000), tree(350), b"{"], ids=range(3))
def test_nor_is_a_tree_that_no_iphone_prints(content: bytes) -> None:
    screen = replace(SCREEN, forms={"wda-json": content}, picture=None)
    written(Capture({}, {**DEVICE, "platform": "ios"}, (screen,)))
    assert "screen settings" in learn(read_capture(Path("a.zip"))).unknown


def test_of_all_entries_one_is_read() -> None:
    """Pictures are for people, and whatever else is there stays there."""
    others = ["/etc/cron.d/x", "../x", "screens/../../x", "screens\\x.xml", "screens/settings.png", "x" * 9999]
    zipped({**written(), **dict.fromkeys(others, b"x")})
    assert read_capture(Path("a.zip")) == CAPTURE
    assert os.listdir() == ["a.zip"]
    zipped({"README.txt": b"x"})
    assert "is no capture: it has no capture.json" in refused()


@pytest.mark.parametrize("kind", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_other_compressions(kind: int) -> None:
    zipped(written(), kind)
    assert "is compressed by method" in refused()


def patched(at: bytes, offset: int, value: bytes, *, last: bool = False) -> None:
    """The zip with some bytes of a record changed, which begins with ``at``."""
    data = bytearray(Path("a.zip").read_bytes())
    begin = data.rfind(at) if last else data.find(at)
    data[begin + offset : begin + offset + len(value)] = value
    Path("a.zip").write_bytes(data)


LOCAL, CENTRAL, END = b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda: patched(CENTRAL, 8, b"\1\0"), "is encrypted"),
        (lambda: patched(CENTRAL, 10, struct.pack("<H", 99)), "is compressed by method 99"),
        (lambda: patched(CENTRAL, 16, b"\0\0\0\0"), "is damaged"),  # the check sum
        (lambda: patched(LOCAL, 26, b"\xff\xff"), "is damaged"),
        (lambda: patched(LOCAL, 30, b"X"), "is damaged"),  # another name than in the list
        (lambda: patched(CENTRAL, 42, b"\xff\xff\xff\x7f"), "is damaged"),
        (lambda: patched(END, 8, b"\xff\xff\xff\xff"), "65535 entries, and 2000 are allowed"),
        (lambda: patched(END, 12, b"\xff\xff\xff\x7f"), "entries, and 2000 are allowed"),
        (lambda: patched(END, 16, b"\xff\xff\xff\x7f"), "cannot be read"),
        (lambda: patched(END, 20, b"\1\0"), "is no zip file that ends as one"),
        (lambda: Path("a.zip").write_bytes(Path("a.zip").read_bytes()[:-5]), "is no zip file that ends as one"),
        (lambda: Path("a.zip").write_bytes(Path("a.zip").read_bytes() + b"x"), "is no zip file that ends as one"),
        (lambda: Path("a.zip").write_bytes(Path("a.zip").read_bytes()[200:]), "cannot be read"),
        (lambda: Path("a.zip").write_bytes(b"PK"), "is no zip file"),
        (lambda: Path("a.zip").write_bytes(b""), "is no zip file"),
        (lambda: os.truncate("a.zip", 64_000_001), "64000001 bytes, and 64000000 are allowed"),
        (lambda: os.remove("a.zip"), "No such file"),
        (lambda: Path("a.zip").rename("b.zip").rename("c.zip"), "No such file"),
    ],
    ids=range(18),
)
def test_a_zip_that_is_damaged_or_made_to_harm(change: Callable[[], object], said: str) -> None:
    written()
    change()
    assert said in refused()


def test_a_zip_of_64_bits() -> None:
    written()
    data = Path("a.zip").read_bytes()
    Path("a.zip").write_bytes(data[:-22] + b"PK\x06\x07" + bytes(16) + data[-22:])
    assert "64 bit" in refused()


def test_bombs() -> None:
    zipped({**written(), ENTRY: b" " * 128_000_001})
    assert "capture.json has more than 128000000 bytes" in refused()
    many = {f"screens/s{number}.png": b"" for number in range(2001)}
    zipped({**written(), **many})
    assert "entries, and 2000 are allowed" in refused()


def test_the_command_says_so_and_writes_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    zipped({"evil.json": b"{}"})
    assert main(["virtual", "from-capture", "a.zip"]) == 2
    assert "is no capture" in capsys.readouterr().err
    assert main(["virtual", "from-capture", "none.zip"]) == 2
    written()
    assert main(["virtual", "from-capture", "a.zip", "-o", "a.txt"]) == 2
    assert os.listdir() == ["a.zip"]
    assert main(["virtual", "from-capture", "a.zip"]) == 0
    printed = capsys.readouterr().out
    assert "a.json: SM, Android 14, 2 screens" in printed
    assert "cutout: not asked" in printed
    assert "pytest --replicant-device 'virtual?profile=./a.json'" in printed
    assert main(["virtual", "from-capture", "a.zip"]) == 2
    assert "a.json is there already" in capsys.readouterr().err
    assert main(["virtual", "from-capture", "a.zip", "-o", "a.json"]) == 0


def survives(data: bytes) -> None:
    """It is read or refused; a profile that is made of it can be played."""
    Path("a.zip").write_bytes(data)
    with suppress(UsageError):
        write_profile(Path("a.json"), learn(read_capture(Path("a.zip"))))
        make_named("a.json")
    assert set(os.listdir()) <= {"a.zip", "a.json"}


@pytest.mark.slow
@examples(80)
@given(st.lists(st.tuples(st.integers(0, 4000), st.binary(min_size=1, max_size=6)), min_size=1, max_size=4))
def test_any_bytes_in_a_zip(changes: list[tuple[int, bytes]]) -> None:
    written()
    data = bytearray(Path("a.zip").read_bytes())
    for place, content in changes:
        begin = place % len(data)
        data[begin : begin + len(content)] = content
    survives(bytes(data))


anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=9)
    | st.sampled_from(["settings", "x.y"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)


@pytest.mark.slow
@examples(80)
@given(st.data(), anything)
def test_any_value_anywhere_in_the_document(data: st.DataObject, value: Any) -> None:
    whole = json.loads(written()["capture.json"])
    steps: list[str | int] = []
    inner = whole
    while isinstance(inner, (dict, list)) and inner and (not steps or data.draw(st.integers(0, 4))):
        step = data.draw(st.sampled_from(sorted(inner) if isinstance(inner, dict) else list(range(len(inner)))))
        steps.append(step)
        inner = inner[step]
    survives(zipped(document(*steps, value=value)).read_bytes())


@pytest.mark.slow
@examples(60)
@given(
    st.lists(
        st.tuples(
            st.integers(0, 400),
            st.sampled_from(
                [
                    b"<",
                    b">",
                    b'"',
                    b"&#xd800;",
                    b"&#0;",
                    b"\xed\xa0\x80",
                    b"[99999999999999999999,",
                    b"-",
                    b"\0",
                    b"&amp;",
                    b"</node>",
                    b"<node ",
                    b"class",
                    b"EditText",
                    b"\xf0\x9f\x98\x80",
                    b"e999",
                ]
            ),
        ),
        min_size=1,
        max_size=5,
    )
)
def test_any_hierarchy(changes: list[tuple[int, bytes]]) -> None:
    source = bytearray(XML)
    for place, content in changes:
        source[place % len(source) : place % len(source)] = content
    text = bytes(source).decode("utf-8", "replace")
    survives(zipped(document("screens", 0, "forms", "uiautomator2", value=text)).read_bytes())
