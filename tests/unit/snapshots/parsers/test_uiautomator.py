"""Bytes to nodes, through the noise of the wild."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_replicant.errors import SnapshotError, UsageError
from pytest_replicant.snapshots import Snapshot, clean

from ..screens import SHOP, button, hierarchy, labels_of, node, screen

PLAIN = screen(button("OK"))


@pytest.mark.parametrize(
    "noisy",
    [
        PLAIN,
        "\ufeff" + PLAIN,
        "[tool] Found a phone\n" + PLAIN,
        "\r\n" + PLAIN,
        PLAIN + "\nUI hierchary dumped to: /dev/tty\n",
        PLAIN.replace("><", ">\r\n<"),
        PLAIN.partition("?>")[2],
        PLAIN.partition("<hierarchy")[0].replace('"', "'")
        + "<hierarchy"
        + PLAIN.partition("<hierarchy")[2],
    ],
)
def test_noise_around_the_hierarchy_does_not_matter(noisy: str) -> None:
    expected = Snapshot.parse(PLAIN).outline()
    assert Snapshot.parse(noisy).outline() == expected
    assert Snapshot.parse(noisy.encode()).outline() == expected


def test_a_utf_16_file_is_read() -> None:
    assert Snapshot.parse(PLAIN.encode("utf-16")).find(text="OK").class_name == "Button"


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("", "empty"),
        ("  \r\n", "empty"),
        ("ERROR: could not get idle state.", "never came to rest"),
        ("ERROR: null root node returned by UiTestAutomationBridge.", "no window to read"),
        ("Killed", "killed"),
        ("UI hierchary dumped to: /sdcard/window_dump.xml", "into a file on the phone"),
        ("adb: no devices/emulators found", "adb found no phone"),
        ("adb: more than one device/emulator", "name one by -s SERIAL"),
        ("error: device unauthorized.", "accepted this computer's key"),
        ("adb: device offline", "does not answer"),
        ("hello", "no hierarchy"),
        (PLAIN[: len(PLAIN) // 2], "cut off"),
        (hierarchy(), "no nodes"),
        ("<html><body/></html>", "web page"),
        ("<?xml version='1.0'?><html><node/></html>", "no Android hierarchy"),
        ('{"value": {"type": "Application"}}', "JSON"),
    ],
)
def test_what_is_no_screen_says_why(source: str, reason: str) -> None:
    with pytest.raises(SnapshotError, match=reason):
        Snapshot.parse(source)


@pytest.mark.parametrize(
    ("start", "reason"),
    [
        (b"\x1f\x8b\x08", "gzip: unpack it"),
        (b"PK\x03\x04", "zip archive: unpack it"),
        (b"\x89PNG\r\n", "a picture"),
        (b"\xff\xd8\xff\xe0", "a picture"),
    ],
)
def test_files_of_another_kind_are_named_and_not_quoted(start: bytes, reason: str) -> None:
    with pytest.raises(SnapshotError, match=reason) as caught:
        Snapshot.parse(start + bytes(range(256)))
    assert str(caught.value).isascii()


def test_a_path_is_wrong_usage(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"not a \w+Path; of a file give read_bytes"):
        Snapshot.parse(tmp_path)  # type: ignore[arg-type]


def test_a_contradicted_platform_is_an_error() -> None:
    with pytest.raises(SnapshotError, match="of android, not of ios"):
        Snapshot.parse(PLAIN, "ios")


def test_a_document_type_spelled_in_ascii_is_refused() -> None:
    body = '<!DOCTYPE x [<!ENTITY a "lol">]><hierarchy><node text="&a;"/></hierarchy>'
    hidden = body.replace("<", "+ADw-").replace("&", "+ACY-")
    assert hidden.encode().decode("utf-7") == body
    with pytest.raises(SnapshotError, match="document type"):
        Snapshot.parse(f'<?xml version="1.0" encoding="UTF-7"?>{hidden}'.encode())


def test_a_damaged_dump_leaves_nothing_for_the_next_one() -> None:
    with pytest.raises(SnapshotError):
        Snapshot.parse(PLAIN[: len(PLAIN) // 2])
    assert [node.parent for node in Snapshot.parse(PLAIN).nodes] == [-1, 0]


def test_many_threads_may_read_at_once() -> None:
    sources = [
        screen(*(button(f"{name} {n}", at=(0, n, 9, n + 1)) for n in range(60)))
        for name in "ABCDEFGH"
    ]
    expected = [Snapshot.parse(source).outline() for source in sources]
    with ThreadPoolExecutor(8) as threads:
        outlines = list(threads.map(lambda source: Snapshot.parse(source).outline(), sources * 8))
    assert outlines == expected * 8


def test_an_undeclared_entity_is_an_error() -> None:
    with pytest.raises(SnapshotError, match="damaged"):
        Snapshot.parse(screen("&b;"))


def test_deep_nesting_ends_in_an_error_not_in_a_crash() -> None:
    depth = 5000
    source = hierarchy('<node class="a.B" bounds="[0,0][9,9]">' * depth + "</node>" * depth)
    with pytest.raises(SnapshotError):
        Snapshot.parse(source)


EDITS = st.lists(
    st.tuples(st.integers(0, len(SHOP) - 1), st.binary(max_size=12), st.integers(0, 40)), max_size=6
)


@pytest.mark.slow
@given(EDITS)
@settings(deadline=None, max_examples=50)
def test_damaged_bytes_end_in_a_snapshot_or_a_snapshot_error(
    edits: list[tuple[int, bytes, int]],
) -> None:
    data = SHOP.encode()
    for place, inserted, dropped in edits:
        data = data[:place] + inserted + data[place + dropped :]
    try:
        snapshot = Snapshot.parse(data)
    except SnapshotError:
        return
    assert snapshot.outline()
    assert len({element.ref for element in snapshot.elements}) == len(snapshot.elements)


@pytest.mark.slow
@given(st.text())
@settings(deadline=None, max_examples=50)
def test_any_text_may_be_a_label(label: str) -> None:
    allowed = "".join(sign for sign in label if sign.isprintable())
    snapshot = Snapshot.parse(screen(node("TextView", at=(0, 0, 9, 9), text=allowed)))
    assert labels_of(snapshot.elements) in ([], [clean(allowed)])


def on_display(number: int, text: str, bounds: str) -> str:
    inside = (
        f'<node class="a.Button" text="{text}" clickable="true" display-id="{number}" '
        f'bounds="{bounds}"/>'
    )
    return f'<node class="a.Frame" display-id="{number}" bounds="{bounds}">{inside}</node>'


@pytest.mark.parametrize("first", [True, False])
def test_windows_of_other_displays_are_none_of_the_screen(first: bool) -> None:
    """A monitor is larger than the phone, and touches go to the phone."""
    windows = [
        on_display(0, "Sign in", "[0,0][1080,2400]"),
        on_display(2, "Files", "[0,0][1920,1080]"),
    ]
    snapshot = Snapshot.parse(hierarchy("".join(windows if first else reversed(windows))))
    alone = Snapshot.parse(hierarchy(windows[0]))
    assert labels_of(snapshot.elements) == ["Sign in"]
    assert snapshot.outline() == alone.outline()
    assert snapshot.find(text="Sign in").ref == alone.find(text="Sign in").ref
