"""The contributed files: their index, what is refused, and what it says of a phone and in README."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from docs.generating import proofs
from pytest_replicant.captures import (
    Capture,
    CapturedScreen,
    KnownProof,
    ProofRow,
    Reached,
    known_proofs,
    proofs_of,
    write_capture,
)
from pytest_replicant.errors import UsageError
from pytest_replicant.pool import Finding, phones
from pytest_replicant.pool.findings import bounded
from pytest_replicant.testing import virtual_device

ROWS = tuple(
    ProofRow(name, "it does", verdict)  # type: ignore[arg-type]
    for name, verdict in (("tap", "holds"), ("scroll", "broken"), ("type", "not offered"), ("back", "holds"))
)
PIXEL = Capture(
    {"command": "replicant doctor --prove", "date": "2026-11-20", "pytest-replicant": "0.1.0", "commit": "a" * 40},
    {"platform": "android", "model": "Virtual Phone", "os_version": "14", "extra": {"brand": "google"}},
    proof=ROWS,
    redacted={"texts": True, "pictures": True},
)


def known(folder: Path, capture: Capture = PIXEL, name: str = "pixel-7.zip") -> tuple[KnownProof, ...]:
    write_capture(folder / name, capture)
    (folder / "index.json").write_text(proofs.index_of(folder))
    return known_proofs(folder / "index.json")


def test_the_index_says_what_came_of_a_proof(tmp_path: Path) -> None:
    (found,) = known(tmp_path)
    assert (found.file, found.model, found.brand) == ("pixel-7.zip", "Virtual Phone", "google")
    assert str(found) == "2 clauses hold, broken: scroll, on 2026-11-20 by 0.1.0 at aaaaaaaaaa"


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"made": {"phone": "virtual"}}, "is of a virtual phone"),
        ({"redacted": {"texts": False}}, "are not redacted"),
        ({"redacted": {}}, "are not redacted"),
        (
            {
                "screens": (
                    CapturedScreen("a", "", "", "portrait", False, Reached("tap"), {}, b"\x89PNG\r\n\x1a\n"),
                )
            },
            "has pictures",
        ),
    ],
)
def test_what_is_not_taken(change: dict[str, object], why: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=why):
        known(tmp_path, replace(PIXEL, **change))  # type: ignore[arg-type]


def test_a_name_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is named by a-z"):
        known(tmp_path, name="My Phone.zip")


@pytest.mark.parametrize(
    "text", ["", "[]", "{", '{"schema": "another", "proofs": []}', "../../captures/index.json"]
)
def test_a_damaged_index_knows_nothing(text: str, tmp_path: Path) -> None:
    (tmp_path / "index.json").write_text(text)
    assert known_proofs(tmp_path / "index.json") == ()
    assert known_proofs(tmp_path / "none.json") == ()


def test_the_doctor_says_whether_the_model_is_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with virtual_device() as device:
        monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", str(device.server.port))
        (subject,) = phones(["android"], 30.0)

        def said() -> Finding:
            return next(each for check in subject.checks() for each in bounded(check) if each.name == "proof")

        assert said().found.startswith("none of a Virtual Phone is known here; `replicant doctor --prove --save")
        known(tmp_path)
        monkeypatch.setattr("pytest_replicant.captures.known.INDEX", tmp_path / "index.json")
        assert said().found == (
            "Virtual Phone with version 14: 2 clauses hold, broken: scroll, on 2026-11-20 by 0.1.0 at aaaaaaaaaa "
            "(captures/pixel-7.zip)"
        )
        assert proofs_of({"platform": "ios", "model": "Virtual Phone"}) == []


def test_a_row_names_its_files(tmp_path: Path) -> None:
    lines = proofs.table(known(tmp_path)).splitlines()
    (pixel,) = [line for line in lines if "Google Pixel" in line]
    assert "[Virtual Phone, Android 14](captures/pixel-7.zip): 2 clauses hold, broken: scroll" in pixel
    others = [line for line in lines[2:] if line != pixel]
    assert all("| no file yet |" in line for line in others)


def test_a_phone_of_no_row_has_one_of_its_own(tmp_path: Path) -> None:
    odd = replace(PIXEL, device={**PIXEL.device, "model": "Odd | <b>", "extra": {"brand": "odd"}})
    assert proofs.table(known(tmp_path, odd)).splitlines()[-1].startswith("| Odd  b, Android 14 | |")


def test_the_index_of_the_project_is_that_of_its_files() -> None:
    assert json.loads(proofs.INDEX.read_text()) == json.loads(proofs.index_of(proofs.FOLDER))
