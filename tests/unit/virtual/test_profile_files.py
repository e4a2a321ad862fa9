"""``virtual?profile=./FILE.json``: a phone out of a file, and what is said about a file that is
wrong."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_replicant.errors import UsageError
from pytest_replicant.pool import parse_uri
from pytest_replicant.virtual import VirtualPhone, make_named, profile_lines
from tests.properties.effort import examples

FACTS: list[dict[str, Any]] = [
    {
        "source": "wm size",
        "values": {"width": 1080, "height": 2340, "density": 480, "windows": ["edge"]},
    },
    {"source": "medians of 40 calls", "values": {"latency": {"dump_ms": 180}}},
    {"source": "guess", "values": {"locale": "de-DE"}},
]
NODE = {"kind": "android.view.View", "bounds": [0, 0, 9, 9]}
SCREEN: dict[str, Any] = {"name": "settings", "app": "com.android.settings", "windows": [[NODE]]}
DOCUMENT: dict[str, Any] = {
    "schema": "replicant.profile/1",
    "called": "Samsung SM-S911B, Android 14",
    "platform": "android",
    "facts": FACTS,
    "unknown": {"cutout": "not asked"},
}


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(document: object = DOCUMENT, name: str = "one-ui.json") -> str:
    text = document if isinstance(document, str) else json.dumps(document)
    Path(name).write_text(text, encoding="utf-8")
    return f"./{name}"


def changed(*path: str | int, value: Any) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(json.dumps({**DOCUMENT, "screens": [SCREEN]}))
    inner: Any = document
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = value
    return document


def test_a_phone_out_of_a_file() -> None:
    uri = parse_uri(f"virtual?profile={write()}&latency=0&dump_ms=7")
    phone = VirtualPhone.from_knobs(
        [], "android", {"profile": uri.knobs["profile"][0], "dump_ms": "7"}
    )
    assert (phone.profile.width, phone.profile.density, phone.profile.windows) == (
        1080,
        480,
        ("edge",),
    )
    assert phone.latency.dump_ms == 7
    assert (
        VirtualPhone.from_knobs([], "android", {"profile": "./one-ui.json"}).latency.dump_ms == 180
    )
    assert (
        VirtualPhone.from_knobs([], "android", {"profile": "one-ui.json"}).latency.gesture_ms == 40
    )


def test_the_header_names_guesses_and_what_is_not_known() -> None:
    name = write()
    assert list(profile_lines([name])) == [
        f"profile {name}: Samsung SM-S911B, Android 14; guesses: locale; not known: cutout"
    ]


def test_a_file_that_was_written_again_is_read_again() -> None:
    name = write()
    assert make_named(name).profile.width == 1080
    write(changed("facts", 0, "values", "width", value=1440))
    assert make_named(name).profile.width == 1440


WRONG = [
    (
        changed("facts", 0, "values", "density", value=50),
        "facts[0].values.density: Expected `int` >= 72",
    ),
    (
        changed("facts", 0, "values", "density", value="480"),
        "density: Expected `int | null`, got `str`",
    ),
    (
        changed("facts", 0, "values", "density", value=True),
        "density: Expected `int | null`, got `bool`",
    ),
    (
        changed("facts", 0, "values", "widht", value=9),
        "there is no field 'widht'. Did you mean width?",
    ),
    (changed("facts", 0, "values", "serial", value="x"), "there is no field 'serial'"),
    (
        changed("facts", 0, "values", "windows", value=["egde"]),
        "windows[0]: Invalid enum value 'egde'",
    ),
    (
        changed("facts", 0, "values", "keyboard", value="x; reboot"),
        "keyboard: Expected `str` matching regex",
    ),
    (
        changed("facts", 0, "values", "model", value="two\nlines"),
        "model: Expected `str` matching regex",
    ),
    (
        changed("facts", 1, "values", "latency", "dump_ms", value=-1),
        "dump_ms: Expected `int` >= 0",
    ),
    (changed("facts", 1, "values", "latency", "dmp_ms", value=1), "Did you mean dump_ms?"),
    (
        changed("facts", 2, "values", "width", value=1000),
        "facts[2].values.width: facts[0] has it already",
    ),
    (changed("facts", value={}), "facts: Expected `array`, got `object`"),
    (changed("platform", value="symbian"), "platform: Invalid enum value 'symbian'"),
    (
        changed("schema", value="replicant.profile/2"),
        "of a newer version. Next: install that. One is made by: replicant virtual",
    ),
    (changed("screens", 0, "name", value="../x"), "screens[0].name: Expected `str` matching regex"),
    (changed("screens", 0, "app", value="a/b"), "screens[0].app: Expected `str` matching regex"),
    (changed("screens", 0, "source", value="x"), "screens[0].source: there is no screen 'x'"),
    (changed("screens", value=[SCREEN, SCREEN]), "screens[1].name: settings is there twice"),
    (changed("screens", 0, "windows", 0, value=[]), "a window without a node"),
    (changed("screens", 0, "windows", 0, 0, "parent", value=0), "parent: 0 is not the place -1"),
    (
        changed("screens", 0, "windows", 0, value=[NODE, NODE]),
        "windows[0][1].parent: -1 is not the place of",
    ),
    (
        changed(
            "screens", 0, "windows", 0, value=[{**NODE, "parent": at - 1} for at in range(400)]
        ),
        "more than 300 levels",
    ),
    (changed("screens", 0, "windows", 0, 0, "bounds", value=[0, 0, 9]), "bounds: no Rect"),
    (
        changed("screens", 0, "windows", 0, 0, "bounds", value=[0, 0, 9, 10**30]),
        "four whole numbers of reasonable size",
    ),
    (changed("screens", 0, "windows", 0, 0, "text", value="\ud800"), "is no JSON"),
    (
        changed("screens", 0, "windows", 0, 0, "text", value="x" * 100_001),
        "text: Expected `str` of length",
    ),
    ('{"schema": NaN}', "is no JSON"),
    ("", "is no JSON"),
    ("{}", "no replicant.profile/1, but another tool's. One is made by: replicant virtual"),
]


@pytest.mark.parametrize(("document", "said"), WRONG, ids=[said[-30:] for _, said in WRONG])
def test_a_wrong_file_is_refused_as_a_wrong_name_is(document: object, said: str) -> None:
    uri = f"virtual:2?profile={write(document)}"
    with pytest.raises(UsageError) as refused:
        parse_uri(uri)
    assert said in str(refused.value)
    assert f"device {uri!r}: profile ./one-ui.json" in str(refused.value)
    assert len(str(refused.value)) < 600


def test_what_is_no_file_that_can_be_read() -> None:
    Path("folder.json").mkdir()
    Path("circle.json").symlink_to("circle.json")
    Path("bytes.json").write_bytes(b"{\xff}")
    with Path("large.json").open("wb") as file:
        file.truncate(64_000_001)
    os.mkfifo("pipe.json")
    for name, said in {
        "none.json": "there is no such file",
        "folder.json": "there is no such file",
        "pipe.json": "there is no such file",
        "a\0b.json": "null",
        "bytes.json": "is no JSON",
        "large.json": "64000001 bytes, and 64000000 are allowed",
        "circle.json": "ymlink|there is no such file",  # as the version of Python says
    }.items():
        with pytest.raises(UsageError, match=said):
            make_named(name, "android")


def test_a_file_of_the_other_platform() -> None:
    with pytest.raises(
        UsageError, match=r"is Samsung SM-S911B, Android 14: write virtual\?profile=./one-ui.json"
    ):
        parse_uri(f"virtual:ios?profile={write()}")
    with pytest.raises(UsageError, match=r"no profile 'nokia'.*or a file: \./NAME\.json"):
        parse_uri("virtual?profile=nokia")


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=6,
)
places = st.sampled_from(
    [
        ("facts",), ("facts", 0), ("facts", 0, "source"), ("facts", 0, "values"),
        ("facts", 0, "values", "width"), ("facts", 1, "values", "latency"), ("unknown",),
        ("screens",), ("screens", 0), ("screens", 0, "windows"), ("screens", 0, "windows", 0, 0),
        ("screens", 0, "windows", 0, 0, "bounds"), ("platform",), ("called",),
    ]
)  # fmt: skip


@pytest.mark.slow
@examples(60)
@given(places, json_values)
def test_any_value_anywhere_is_a_profile_or_a_usage_error(
    place: tuple[str | int, ...], value: object
) -> None:
    name = write(changed(*place, value=value))
    with suppress(UsageError):
        VirtualPhone.from_knobs([], "android", {"profile": name}).windows()
