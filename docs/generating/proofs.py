"""``captures/index.json``, of the files in that folder, and what README says of them."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import NamedTuple

from pytest_replicant.captures import SCHEMA_OF_PROOFS, Capture, KnownProof, known_proofs, read_capture
from pytest_replicant.errors import UsageError
from pytest_replicant.reporting.printable import device_name

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "captures"
INDEX = FOLDER / "index.json"
README = ROOT / "README.md"
_BLOCK = re.compile(r"(?<=<!-- phones -->\n).*?(?=<!-- end -->)", re.DOTALL)


class Phone(NamedTuple):
    """A row: what the phone is, what stands in for it here, and what of it is unproven; and which proofs are of
    it, by platform, brand and version of the system."""

    name: str
    virtual: str
    unproven: str
    platform: str = "android"
    brand: str = "(?!)"
    version: str = ""


PHONES = (
    Phone("Google Pixel, Android 14 and 15", "`profile=pixel`", "", brand="google", version="1[45]"),
    Phone("tablet with a taskbar", "`profile=tablet`", ""),
    Phone(
        "Samsung, One UI 6", "`profile=one-ui`",
        "whether an Edge handle is among the windows; Auto Blocker keeps adb out", brand="samsung", version="14",
    ),
    Phone(
        "Xiaomi, HyperOS", "`profile=hyperos`, `hyperos-cn`",
        "fails until *USB debugging (Security settings)* is on, and says so", brand="xiaomi|redmi|poco",
    ),
    Phone(
        "Huawei, Oppo, vivo", "their questions for permissions, as data", "all else",
        brand="huawei|honor|oppo|realme|oneplus|vivo",
    ),
    Phone("Google's emulator, Android 14", "`profile=emulator`", "the emulator's program was never run"),
    Phone(
        "Android 7", "`profile=android-7`", "a hint and a typed text are one; Android 6 and older", brand="",
        version="7",
    ),
    Phone("foldable, second display", "`folded=on`, `displays=2`", "which display a maker calls the first"),
    Phone(
        "iPhone, iPad, iOS 17", "`virtual:ios?profile=iphone`, `ipad`, from WebDriverAgent's source",
        "no WebDriverAgent of Appium's ever answered", "ios", "",
    ),
)  # fmt: skip


def index() -> str:
    return index_of(FOLDER)


def index_of(folder: Path) -> str:
    """The text of the index of a folder's files. Raises ``UsageError`` for one that cannot be contributed."""
    proofs = [_known(path) for path in sorted(folder.glob("*.zip"))]
    return json.dumps({"schema": SCHEMA_OF_PROOFS, "proofs": [asdict(each) for each in proofs]}, indent=1) + "\n"


def _known(path: Path) -> KnownProof:
    capture = read_capture(path)
    if not re.fullmatch(r"[a-z0-9][a-z0-9.-]*\.zip", path.name):
        raise UsageError(
            f"{path}: a contributed file is named by a-z, 0-9 and '-', such as pixel-7-android-14.zip"
        )
    if capture.made.get("phone") == "virtual":
        raise UsageError(f"{path}: it is of a virtual phone, and proves nothing of a real one")
    if not capture.redacted.get("texts"):
        raise UsageError(f"{path}: its texts are not redacted; save it without --with-texts")
    if any(screen.picture for screen in capture.screens):
        raise UsageError(f"{path}: it has pictures, which show all that was on the screen")
    return KnownProof(
        path.name, hashlib.sha256(path.read_bytes()).hexdigest(), capture.platform, _fact(capture, "brand"),
        _fact(capture, "model"), _fact(capture, "os_version"), capture.made.get("date", ""),
        capture.made.get("pytest-replicant", ""), capture.made.get("commit", ""), _count(capture, "holds"),
        _count(capture, "not offered"), tuple(row.name for row in capture.proof if row.verdict == "broken"),
    )  # fmt: skip


def _fact(capture: Capture, name: str) -> str:
    extra = capture.device.get("extra")
    return str({**(extra if isinstance(extra, Mapping) else {}), **capture.device}.get(name) or "")


def _count(capture: Capture, verdict: str) -> int:
    return sum(row.verdict == verdict for row in capture.proof)


def readme() -> str:
    """README with the table of the proofs that there are."""
    text, count = _BLOCK.subn(lambda _: table(known_proofs(INDEX)), README.read_text(encoding="utf-8"))
    assert count == 1, "README has no place for the table"
    return text


def table(proofs: Sequence[KnownProof]) -> str:
    lines = ["| phone | virtual phone | proven on hardware by | unproven, or known to fail |", "|---|---|---|---|"]
    left = list(proofs)
    for phone in PHONES:
        mine = [each for each in proofs if _is_of(each, phone)]
        left = [each for each in left if each not in mine]
        lines.append(f"| {phone.name} | {phone.virtual} | {_cell(mine)} | {phone.unproven} |")
    lines += [f"| {_words(each)} | | {_cell([each])} | |" for each in left]
    return "\n".join(lines) + "\n"


def _is_of(proof: KnownProof, phone: Phone) -> bool:
    brand = re.fullmatch(f"(?:{phone.brand or '.*'})", proof.brand, re.IGNORECASE)
    version = re.match(rf"(?:{phone.version or '.*'})(?![0-9])", proof.os_version)
    return proof.platform == phone.platform and bool(brand and version)


def _cell(proofs: Sequence[KnownProof]) -> str:
    return "<br>".join(f"[{_words(each)}](captures/{each.file}): {each}" for each in proofs) or "no file yet"


def _words(proof: KnownProof) -> str:
    return re.sub(r"[^\w ,.()+-]", "", device_name(asdict(proof)))
