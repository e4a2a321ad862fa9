"""A recording that may be sent away: nothing hidden is in it, and it still has its verdict."""

from __future__ import annotations

import base64
import gzip
import io
import re
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from pytest_replicant.cassettes import (
    FILE_NAME,
    Cassette,
    Hiding,
    Redacted,
    Redacting,
    archive_of,
    read_cassette,
)
from pytest_replicant.errors import UsageError
from pytest_replicant.kept_runs import newest_at

from .kept import showing, tape
from .taped_flows import Taped, replayed


def redacted(hiding: Hiding, known: Taped, cassette: Cassette | None = None) -> Redacted:
    return Redacting(hiding).redacted(cassette or known.cassette, known.blob)


def sent_away(tmp_path: Path, known: Taped, *found: Redacted) -> Taped:
    """The first one as whoever receives the archive has it."""
    (tmp_path / "sent.zip").write_bytes(archive_of(found))
    stored = newest_at(str(tmp_path / "sent.zip"), FILE_NAME)[0]
    cassette = stored.load()
    return replace(
        known, cassette=cassette, blobs={name: stored.blob(name) for name in cassette.blobs}
    )


def contents(archive: bytes) -> Iterator[str]:
    """All that is in an archive, unpacked, as it is and as readers of XML see it."""
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        for name in opened.namelist():
            data = opened.read(name)
            text = (gzip.decompress(data) if name.endswith(".gz") else data).decode(
                "utf-8", "replace"
            )
            yield from (name, text, unescape(text))


@pytest.mark.parametrize("name", ["failed", "everything", "iphone", "late"])
def test_the_verdict_is_the_same_and_the_hidden_text_is_nowhere(tmp_path: Path, name: str) -> None:
    known = tape(name)
    before = replayed(known, known.flow.steps)[0]
    found = redacted(Hiding(("Red mug", "Tapped"), (re.compile(r"Good things [a-z ]+"),)), known)
    other = sent_away(tmp_path, known, found)
    after = replayed(other, known.flow.steps)[0]
    assert (after.verdict, after.why, after.steps) == (before.verdict, before.why, before.steps)
    assert before.verdict in ("reproduced", "holds on the recording")
    for text in contents(archive_of([found])):
        assert "red mug" not in text.lower()
        assert "Good things" not in text
    assert found.named == ()
    assert (found.hidden > 0) is (name != "late")


def test_a_text_that_the_test_names_is_said_and_no_pass_comes_of_it(tmp_path: Path) -> None:
    known = tape("everything")
    found = redacted(Hiding(("Welcome",)), known)
    assert len(found.named) == 1
    assert found.named[0].startswith('expect_visible text="')
    assert "Welcome" not in found.named[0]
    other = sent_away(tmp_path, known, found)
    assert replayed(other, known.flow.steps)[0].verdict == "beyond the recording"


def test_one_text_has_one_stand_in_in_all_of_an_archive(tmp_path: Path) -> None:
    redacting = Redacting(Hiding(("Red mug",)))
    stand_ins: list[set[str]] = []
    archive = []
    for name in ("everything", "failed"):
        found = redacting.redacted(tape(name).cassette, tape(name).blob)
        archive.append(found)
        changed = {
            after
            for old, new in zip(tape(name).cassette.blobs, found.cassette.blobs, strict=False)
            if new.endswith(".xml.gz")
            for before, after in zip(
                re.findall(r'text="([^"]*)"', tape(name).blobs[old].decode()),
                re.findall(r'text="([^"]*)"', gzip.decompress(found.blobs[new]).decode()),
                strict=True,
            )
            if before == "Red mug"
        }
        stand_ins.append(changed)
    assert len(stand_ins[0]) == 1
    assert stand_ins[0] == stand_ins[1]
    assert re.fullmatch("[A-Z][a-z]{2} [a-z]{3}", next(iter(stand_ins[0])))
    (tmp_path / "a.zip").write_bytes(archive_of(archive))
    stored = newest_at(str(tmp_path / "a.zip"), FILE_NAME)
    assert [one.load().header.nodeid for one in stored] == [
        tape("everything").flow.name,
        tape("failed").flow.name,
    ]
    assert all(re.fullmatch(r"\d-[0-9a-f]{8}", one.path.parent.name) for one in stored)


def test_mail_addresses_that_the_test_does_not_name_are_hidden() -> None:
    known = tape("passed")
    cassette, blob = showing(
        known, {"Good things for the house": "bob@example.org", "Blue mug": "GOOD café & co"}
    )
    found = Redacting(Hiding(("good café",))).redacted(cassette, blob)
    texts = list(contents(archive_of([found])))
    assert not any("bob@" in text or "café" in text for text in texts)
    assert any("ada@example.com" in text for text in texts)
    kept = Redacting(Hiding(keep_texts=True)).redacted(cassette, blob)
    assert any("bob@example.org" in text for text in contents(archive_of([kept])))


def test_logs_outputs_and_pictures_are_left_out_unless_a_step_names_them() -> None:
    known = tape("everything")
    found = redacted(Hiding(), known)
    assert found.left_out["command output"] == 1
    assert found.left_out["picture"] == 1
    shell = next(one for one in found.cassette.entries if one.method == "shell")
    assert (shell.answer["stdout"], shell.answer["exit_code"]) == ("", 0)
    logs = [one for one in found.cassette.entries if one.method == "logs"]
    read = [gzip.decompress(found.blobs[found.cassette.blobs[one.answer["blob"]]]) for one in logs]
    assert any(b"signed in" in text for text in read)  # of expect_log
    picture = next(data for name, data in found.blobs.items() if name.endswith(".png"))
    with Image.open(io.BytesIO(picture)) as image:
        assert image.size == (1080, 2400)
        assert image.convert("RGB").getcolors() == [(1080 * 2400, (128, 128, 128))]
    kept = redacted(Hiding(keep_texts=True), known)
    assert "command output" not in kept.left_out
    shell = next(one for one in kept.cassette.entries if one.method == "shell")
    assert shell.answer["stdout"].strip() == "Ada Lovelace"


def test_what_was_read_for_the_report_alone_is_left_out() -> None:
    known = tape("everything")
    last = known.cassette.entries[-1].end
    logs = next(one for one in known.cassette.entries if one.method == "logs")
    phase = known.cassette.entries[0]._replace(args=("report",), asked=last, nows=())
    longer = replace(
        known.cassette, entries=(*known.cassette.entries, phase, logs._replace(asked=last))
    )
    found = redacted(Hiding(), known, longer)
    name = found.cassette.blobs[found.cassette.entries[-1].answer["blob"]]
    assert gzip.decompress(found.blobs[name]) == b""
    assert found.left_out["log"] == 1


def edited(cassette: Cassette, **header: Any) -> Cassette:
    return replace(cassette, header=replace(cassette.header, **header))


def test_all_other_texts_are_looked_at_too() -> None:
    known = tape("failed")
    held = base64.b64encode(b"a Zanzibar token").decode()
    cassette = edited(
        known.cassette,
        nodeid="test_shop.py::test_zanzibar",
        facts={"revision": "ZANZIBAR"},
        settings={"app": "com.zanzibar"},
        failures=(
            replace(known.cassette.header.failures[0], message="no Zanzibar", step="tap zanzibar"),
        ),
    )
    info = replace(known.cassette.phones[0].info, serial="R58M123", extra={"serialno": "R58M123"})
    phone = replace(known.cassette.phones[0], uri="android:zanzibar1", info=info)
    gone = {
        "error": {
            "type": "DeviceOffline",
            "message": "zanzibar R58M123",
            "exchange": "GET /zanzibar",
        }
    }
    broken = cassette.entries[-1]._replace(
        method="tap", args=([1, 2], "%20Zanzibar%20"), answer=gone
    )
    cassette = replace(
        cassette,
        phones=(phone,),
        entries=(*cassette.entries, broken),
        fixtures={"zanzibar of x": ()},
        values={"city": ["Zanzibar", {"zanzibar": 1}], "raw": {"~": "bytes", "of": held}},
    )
    found = redacted(Hiding(("Zanzibar",)), known, cassette)
    assert found.named_itself
    texts = list(contents(archive_of([found])))
    assert not any("zanzibar" in text.lower() or "R58M123" in text for text in texts)
    assert "GET /" not in "".join(texts)
    raw = base64.b64decode(found.cassette.values["raw"]["of"])
    assert raw.startswith(b"a ")
    assert raw.endswith(b" token")
    assert len(raw) == len(b"a Zanzibar token")
    city = found.cassette.values["city"][0]
    assert found.cassette.header.failures[0].message == f"no {city}"
    assert (
        read_cassette(gzip.compress(zipped(archive_of([found]), "cassette.json.gz")))
        == found.cassette
    )


def zipped(archive: bytes, name: str) -> bytes:
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        return gzip.decompress(opened.read(name))


def test_a_secret_that_would_still_be_there_stops_it() -> None:
    with pytest.raises(
        UsageError, match="a secret would still be in the phones, and nothing was written"
    ):
        redacted(Hiding(("android",)), tape("passed"))  # its platform, which a replay needs


@pytest.mark.parametrize("secret", ["", "ab "])
def test_a_secret_of_few_letters_is_a_wrong_use(secret: str) -> None:
    with pytest.raises(UsageError, match="are a part of too many words"):
        Hiding((secret,))
