"""A capture may be anyone's: whatever its zip holds, it is read or refused in words, and nothing is
written."""

from __future__ import annotations

import gzip
import json
import os
import zipfile
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_replicant.cli import main
from pytest_replicant.drivers import DeviceInfo
from pytest_replicant.errors import UsageError
from pytest_replicant.model import Rect
from pytest_replicant.real_phones import (
    Capture,
    CapturedScreen,
    ProofRow,
    Reached,
    learn,
    read_capture,
    write_profile,
)
from pytest_replicant.virtual import make_named
from tests.properties.effort import examples

from .captured import write_capture

APP, ENTRY = "com.android.settings", "cassette.json.gz"
NODE = (
    '<node class="android.view.View" package="com.android.settings" bounds="[0,0][9,9]" '
    'text="{}" />'
)
XML = f"<hierarchy>{NODE.format('Display')}</hierarchy>".encode()
DEVICE = DeviceInfo("", "android", "SM", "14", 1080, 2340, 3.0, {"sdk": "34", "nested": {"a": [1]}})
SCREEN = CapturedScreen(
    "settings", APP, f"{APP}.Settings", "portrait", False, Reached("launch"), XML
)
PAGE = replace(
    SCREEN,
    name="page",
    reached=Reached("tap", "settings", Rect(0, 0, 9, 9)),
    at=20_000,
)
CAPTURE = Capture(
    {"command": "a test"}, DEVICE, (SCREEN, PAGE),
    {"medians of 3 calls": {"latency": {"dump_ms": 100}}},
    (ProofRow("tap", "a tap arrives", "holds", 7),), {"cutout": "not asked"},
)  # fmt: skip


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def written(capture: Capture = CAPTURE) -> dict[str, bytes]:
    write_capture(Path("a.zip"), capture)
    with zipfile.ZipFile("a.zip") as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def zipped(contents: dict[str, bytes]) -> Path:
    with zipfile.ZipFile("a.zip", "w") as archive:
        for name, content in contents.items():
            archive.writestr(name, content)
    return Path("a.zip")


def refused() -> str:
    with pytest.raises(UsageError) as error:
        read_capture(Path("a.zip"))
    said = str(error.value)
    assert len(said) < 600
    assert said.isprintable()
    return said


def test_what_is_written_is_read() -> None:
    written()
    assert read_capture(Path("a.zip")) == CAPTURE


def test_its_cassette_says_how_the_proof_ended(capsys: pytest.CaptureFixture[str]) -> None:
    write_capture(
        Path("a.zip"), replace(CAPTURE, proof=(ProofRow("tap", "a tap arrives", "broken"),))
    )
    assert main(["cassette", "show", "a.zip"]) == 0
    shown = capsys.readouterr().out
    assert "ended     failed\n" in shown
    assert "launch settings" in shown


def document(*path: str | int, value: Any) -> dict[str, bytes]:
    contents = written()
    whole = json.loads(gzip.decompress(contents[ENTRY]))
    inner = whole
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = value
    return {**contents, ENTRY: gzip.compress(json.dumps(whole).encode())}


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        (("schema",), "replicant.cassette/9", "it is replicant.cassette/9, of a newer version"),
        (("phones", 0, "info", "height"), 10**9, "height: 1000000000 is not a number"),
        (("phones",), [], "phone"), (("entries", 3, 5), "upside-down", "orientation"),
        (("entries", 1, 4), ["launch", "nowhere"],
         "values.ways: it is not said how nowhere was reached"),
        (("entries", 5, 5), {"blob": 7}, "no such blob"),
        (("values", "ways", "page", "bounds"), [0, 0, 1], ".bounds: no Rect"),
        (("values", "facts"), [], "values.facts: Expected `object`"),
        (("values",), {"user": 1}, "is no capture, but the recording of a test"),
    ],
)  # fmt: skip
def test_a_field_that_is_wrong_is_named(path: tuple[str | int, ...], value: Any, said: str) -> None:
    zipped(document(*path, value=value))
    assert said in refused()


def test_a_name_that_is_no_name_is_in_no_profile() -> None:
    write_capture(
        Path("a.zip"), replace(CAPTURE, screens=(replace(SCREEN, name="../../etc/passwd"),))
    )
    assert main(["virtual", "from-capture", "a.zip"]) == 0
    assert json.loads(Path("a.json").read_text())["screens"] == []


def nested(depth: int) -> bytes:
    inside = NODE.format("").replace(" />", ">")
    return f"<hierarchy>{inside * depth}{'</node>' * depth}</hierarchy>".encode()


DOCTYPE = b'<?xml version="1.0"?><!DOCTYPE x SYSTEM "file:///etc/passwd">'


@pytest.mark.parametrize(
    "source", [DOCTYPE + XML, nested(400), nested(8_000), XML[:-20], b"{"], ids=range(5)
)
def test_a_hierarchy_that_no_phone_prints_is_no_screen_of_the_phone(source: bytes) -> None:
    write_capture(
        Path("a.zip"), replace(CAPTURE, screens=(replace(SCREEN, hierarchy=source), PAGE))
    )
    learned = learn(read_capture(Path("a.zip")))
    assert "screen settings" in learned.unknown
    assert [screen.name for screen in learned.screens] == ["page"]


def test_the_command_says_so_and_writes_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    zipped({"evil.json": b"{}"})
    assert main(["virtual", "from-capture", "a.zip"]) == 2
    assert "is no capture" in capsys.readouterr().err
    assert main(["virtual", "from-capture", "none.zip"]) == 2
    assert "No such file" in capsys.readouterr().err
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
@examples(30)
@given(
    st.lists(
        st.tuples(st.integers(0, 4000), st.binary(min_size=1, max_size=6)), min_size=1, max_size=4
    )
)
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
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=3)
    ),
    max_leaves=6,
)


@pytest.mark.slow
@examples(30)
@given(st.data(), anything)
def test_any_value_anywhere_in_the_document(data: st.DataObject, value: Any) -> None:
    whole = json.loads(gzip.decompress(written()[ENTRY]))
    steps: list[str | int] = []
    inner = whole
    while isinstance(inner, (dict, list)) and inner and (not steps or data.draw(st.integers(0, 4))):
        step = data.draw(
            st.sampled_from(sorted(inner) if isinstance(inner, dict) else list(range(len(inner))))
        )
        steps.append(step)
        inner = inner[step]
    survives(zipped(document(*steps, value=value)).read_bytes())
