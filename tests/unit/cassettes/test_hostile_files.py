"""A cassette may be anybody's: it is refused with the place, or it is replayed, and nothing else
happens."""

from __future__ import annotations

import gzip
import json
import random
import re
import zipfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from pytest_replicant.cassettes import (
    FILE_NAME,
    Cassette,
    CassetteDriver,
    Entry,
    Replay,
    cassette_json,
    read_cassette,
    steps_of,
)
from pytest_replicant.errors import ReplayEnded, ReplicantError, UsageError
from pytest_replicant.kept_runs import newest_at
from pytest_replicant.model import Redactor

from .kept import PASSWORD, Kept, document, keep, packed, tape

Document = dict[str, Any]
NAMES = ("everything", "iphone")


def entry(made: Document, method: str) -> list[Any]:
    return next(one for one in made["entries"] if one[1] == method)


def answered(method: str, answer: object) -> Callable[[Document], None]:
    return lambda made: entry(made, method).__setitem__(5, answer)


def sent(method: str, args: object) -> Callable[[Document], None]:
    return lambda made: entry(made, method).__setitem__(4, args)


def at(place: int, value: object, method: str = "tap") -> Callable[[Document], None]:
    return lambda made: entry(made, method).__setitem__(place, value)


def put(*path: str | int, value: object) -> Callable[[Document], None]:
    def change(made: Document) -> None:
        inner: Any = made
        for name in path[:-1]:
            inner = inner[name]
        inner[path[-1]] = value

    return change


NESTED: Any = "deep"
for _ in range(20):
    NESTED = [NESTED]

REFUSED: dict[str, tuple[Callable[[Document], None], str]] = {
    "another schema": (put("schema", value="replicant.cassette/9"), "replicant.cassette/9"),
    "a path as a blob": (put("blobs", 0, value="../../etc/passwd"), "blobs[0]: "),
    "no phase first": (
        lambda made: made["entries"].__delitem__(slice(0, 2)),
        "the first one is no phase",
    ),
    "an unknown method": (at(1, "format_disk"), "'format_disk' is no call"),
    "a phone that is not there": (at(0, 7), "no phone of this cassette"),
    "time that goes back": (at(2, 0), "time goes back"),
    "too large a number": (at(2, 10**400), "time goes back"),
    "a mark without a text": (sent("#step", ["action", 7]), "#step[1]: Expected `str`"),
    "no point": (sent("tap", ["here"]), "no point of a screen"),
    "a blob that is not there": (answered("dump_hierarchy", {"blob": 999}), "no such blob"),
    "a log as a screen": (answered("logs", {"blob": 0}), "is no blob of its kind"),
    "an error without words": (
        answered("tap", {"error": {"type": "DeviceError"}}),
        "a type and a message",
    ),
    "an end of nothing": (
        answered("app_in_front", {"ended": None, "app": "a"}),
        "nothing of it ended",
    ),
    "a secret without end": (
        put("header", "secrets", value=[10**9]),
        "header.secrets[0]: Expected `int` ",
    ),
    "secrets without end": (
        put("header", "secrets", value=[10_000] * 500),
        "more than 4000000 characters",
    ),
    "masks without end": (
        lambda made: made.update(
            masks={"0": [0] * 1000}, header={**made["header"], "secrets": [10_000]}
        ),
        "characters are hidden",
    ),
    "a mask of no secret": (put("masks", value={"0": [12]}), "no secret of this cassette"),
    "a mask of no blob": (put("masks", value={"99999": [0]}), "the place of no blob"),
    "a time-out that is a text": (
        put("header", "settings", value={"action_timeout": "5"}),
        "header.settings.action_timeout: Expected `float`",
    ),
    "a phone of no size": (put("phones", 0, "info", "width", value=0), "phones[0].info.width"),
    "a phone of another kind": (
        put("phones", 0, "info", "platform", value="windows"),
        "phones[0].info.platform: ",
    ),
    "an ability of no phone": (
        put("phones", 0, "capabilities", value=["FLY"]),
        "'FLY' is not one of",
    ),
    "a broken expression": (
        put("phones", 0, "dialogs", "wait_buttons", value=[{"text": {"pattern": "(", "flags": 0}}]),
        "phones[0].dialogs",
    ),
    "a selector of no field": (
        put("phones", 0, "dialogs", "wait_buttons", value=[{"colour": "red"}]),
        ".dialogs",
    ),
    "data of no kind": (
        put("values", value={"user": {"~": "file", "of": "/etc/passwd"}}),
        "no recorded value",
    ),
    "more than JSON": (put("header", "facts", value={"a": float("nan")}), "is no JSON"),
    "levels without end": (sent("tap", NESTED), "levels"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_no_session_makes_is_refused_with_the_place(name: str) -> None:
    change, reason = REFUSED[name]
    made = document("everything")
    change(made)
    with pytest.raises(ValueError, match=re.escape(reason)):
        read_cassette(packed(made))


def test_what_a_session_makes_is_read() -> None:
    """Else none of the others would prove anything."""
    for name in (*NAMES, "failed", "late"):
        assert read_cassette(packed(document(name))) == tape(name).cassette


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "no JSON"),
        (b"hello", "not packed"),
        (gzip.compress(b'{"schema": "replicant.cassette/1"}')[:-12], "not packed"),
        (gzip.compress(b'{"values": ' + b'{"a":' * 200_000), "nested too deeply"),
        (gzip.compress(b"\xff\xfe"), "is no JSON"),
        (gzip.compress(b"[]"), "Expected `object`, got `array`"),
    ],
    ids=range(6),  # gzip writes the time
)
def test_what_is_no_document_is_refused(data: bytes, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        read_cassette(data)


def test_a_file_that_swells_is_not_unpacked_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pytest_replicant.cassettes.files.LARGEST", 1_000_000)
    with pytest.raises(ValueError, match="more than 1 MB"):
        read_cassette(gzip.compress(b" " * 1_100_000, 1))


# --- a few hundred ways ---------------------------------------------------------------------------
VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2**53, 10**30, 0.5, -1e300, "", "x", "•••", "../etc/passwd",
    "a\x00b\u202e", "x" * 5_000, [], {}, [[]], [1, 2], {"blob": 0}, {"blob": -1}, {"error": {}},
    {"looks": None}, {"hidden": True}, {"ended": None, "returned": None},
    {"error": {"type": "DeviceError", "message": "gone"}},
    {"error": {"type": "KeyboardInterrupt", "message": ""}},
    {"error": {"type": "Unsupported", "message": "no"}},
)  # fmt: skip


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every place of a document: what holds it, and its key there."""
    keys = (
        list(value)
        if isinstance(value, dict)
        else range(len(value))
        if isinstance(value, list)
        else ()
    )
    for key in keys:
        yield value, key
        yield from places(value[key])


def mutated(made: Document, chance: random.Random) -> None:
    """Changes one place, or up to three."""
    for _ in range(chance.choice((1, 1, 2, 3))):
        known = list(places(made))
        # Half of them outside of the entries, which are nearly all of a document.
        few = [pair for pair in known if pair[0] is not made["entries"] and chance.random() < 0.1]
        holder, key = chance.choice(few or known)
        kind = chance.randrange(6)
        if kind == 0:
            del holder[key]
        elif kind == 1 and isinstance(holder, list):
            holder.insert(key, holder[chance.randrange(len(holder))])
        elif kind == 2:
            other, its = chance.choice(known)
            holder[key] = json.loads(json.dumps(other[its]))
        elif kind == 3 and isinstance(holder[key], (int, float)):
            holder[key] += chance.choice((-1, 1, 1_000_000))
        else:
            holder[key] = chance.choice(VALUES)
        if not made.get("entries") or not isinstance(made["entries"], list):
            return


def drive(cassette: Cassette, blobs: Callable[[str], bytes]) -> None:
    """Asks for all that was recorded, as a session does. Only our errors may come of it."""
    replay = Replay(cassette, blobs, Redactor())
    with suppress(ReplayEnded):
        for _ in cassette.phones:
            phone = CassetteDriver(replay, replay.next_phone())
            assert phone.info.platform in ("android", "ios")
        for one in cassette.entries:
            replay.now()
            if one.method == "#phase":
                replay.phase(one.args[0])
            elif one.method == "#step":
                replay.step(*one.args)
            else:
                with suppress(ReplicantError):
                    replay.call(one.phone, one.method, asked(replay, one), None)
            replay.sleep(0.01)
        replay.check_used("the test")
        for key in cassette.fixtures:
            replay.enter(key)
            replay.leave()
    for step in steps_of(cassette):
        step.to_dict()
    cassette_json(cassette, Redactor())


def asked(replay: Replay, entry: Entry) -> tuple[Any, ...]:
    """The arguments as a session asks with them, and what stands for a secret where one was
    typed."""
    typed = entry.args[0] if entry.args else None
    replay.hides = isinstance(typed, dict) and "hidden" in typed
    return (replay.secret(PASSWORD),) if replay.hides else entry.args


MORE = [pytest.param(seed, marks=pytest.mark.thorough) for seed in range(2, 80)]


@pytest.mark.parametrize("seed", [*range(2), *MORE])
def test_what_is_accepted_is_replayed_however_it_was_changed(seed: int) -> None:
    chance = random.Random(seed)
    refused = accepted = 0
    for _ in range(40):
        name = chance.choice(NAMES)
        made = document(name)
        mutated(made, chance)
        try:
            cassette = read_cassette(packed(made))
        except ValueError:
            refused += 1
        else:
            drive(cassette, lambda blob, name=name: tape(name).blobs.get(blob, b"<hierarchy/>"))  # type: ignore[misc]
            accepted += 1
    assert refused > 5
    assert accepted  # else nothing was replayed


# --- folders and archives -------------------------------------------------------------------------
def test_a_blob_is_read_from_its_folder_alone(tmp_path: Path) -> None:
    run = keep(tmp_path, Kept(tape("passed")))
    (tmp_path / "secret.txt").write_text("mine")
    stored = newest_at(str(run), FILE_NAME)[0]
    for name in (
        "../../secret.txt",
        "/etc/passwd",
        "..",
        "",
        f"{'a' * 32}.xml.gz\0",
        f"../{'a' * 32}.xml.gz",
    ):
        with pytest.raises(ValueError, match="names no blob"):
            stored.blob(name)
    name = stored.load().blobs[0]
    assert stored.blob(name) == tape("passed").blobs[name]
    (run / "blobs" / name).write_bytes(gzip.compress(b"another screen"))
    with pytest.raises(ValueError, match="is not what it was"):
        stored.blob(name)


def test_an_archive_of_anyone_is_read_and_never_unpacked(tmp_path: Path) -> None:
    data, blobs = packed(document("passed")), tape("passed").blobs
    made = tmp_path / "in" / "a.zip"
    made.parent.mkdir()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("../../out/t-00000000/cassette.json.gz", data)
        archive.writestr("/abs/t-00000000/cassette.json.gz", data)
        for name, content in blobs.items():
            archive.writestr(
                f"../../out/blobs/{name}",
                content if name[-1] == "g" else gzip.compress(content, mtime=0),
            )
    found = newest_at(str(made), FILE_NAME)
    assert len(found) == 2
    nodeids = {one.load().header.nodeid for one in found}
    assert nodeids == {"test_shop.py::test_signs_in"}
    inside = next(one for one in found if ".." in one.path.parts)
    name = next(iter(blobs))
    assert inside.blob(name) == blobs[name]
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["a.zip", "in"]


@pytest.mark.parametrize(
    ("method", "data", "reason"),
    [
        (zipfile.ZIP_DEFLATED, b"\0" * 2_000_000, "larger than 1 MB"),
        (zipfile.ZIP_BZIP2, b"hello", "method 12"),
        (zipfile.ZIP_STORED, b"hello", "not packed"),
    ],
)
def test_a_damaged_entry_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, method: int, data: bytes, reason: str
) -> None:
    monkeypatch.setattr("pytest_replicant.cassettes.files.LARGEST", 1_000_000)
    with zipfile.ZipFile(tmp_path / "a.zip", "w", method) as archive:
        archive.writestr("t/cassette.json.gz", data)
    (stored,) = newest_at(str(tmp_path / "a.zip"), FILE_NAME)
    with pytest.raises(ValueError, match=reason):
        stored.load()


@pytest.mark.parametrize("data", [b"", b"PK\x05\x06" + b"\xff" * 18, b"hello" * 1000])
def test_what_is_no_archive_is_a_wrong_use(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a.zip").write_bytes(data)
    with pytest.raises(UsageError, match="no archive that could be read"):
        newest_at(str(tmp_path / "a.zip"), FILE_NAME)
