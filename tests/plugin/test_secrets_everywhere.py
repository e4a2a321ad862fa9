"""A secret and a private number in every place a test has for text: no file of the run holds
either."""

from __future__ import annotations

import base64
import gzip
import html
import io
import re
import urllib.parse
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import Run, run_record

pytestmark = [pytest.mark.slow, pytest.mark.thorough]
PICTURES = True  # some tests here look at them

# Names that are random, times and hashes: now and then one of these holds the card's first digits.
BY_CHANCE = re.compile(
    r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{16,}|\d{8}-\d{6}-[0-9a-f]{6}"
)
SECRET = 'hunter2 & <b>"q"'
CARD = "4111 1111 1111 1234"
REPORTS = (
    "--replicant-output=out",
    "--alluredir=allure",
    "--html=report.html",
    "--junitxml=junit.xml",
)
INI = "replicant_redact =\n    \\b4111(?: ?\\d{4}){3}\\b\n    \\bIBAN \\w+\n"

SOURCE = '''
import logging
import pytest
from pytest_replicant import Secret

SECRET = "".join(["hunter", '2 & <b>"q"'])
CARD = "4111 1111 " + "1111 1234"
WORD = "hunt" + "er2"
ADDRESS = f"https://ada:{WORD}@shop.example/?access_token={WORD}"

@pytest.fixture
def late(mobile):
    yield
    raise RuntimeError("late " + CARD + SECRET)

def sign_in(mobile):
    mobile.launch("dev.replicant.shop").expect_screen("Sign in")
    mobile.fill(text="Email", value=Secret(SECRET))

@pytest.mark.parametrize("name", [SECRET, CARD])
def test_fails(mobile, name):
    """Pays with 4111 1111 1111 1234."""
    sign_in(mobile)
    mobile.fill(text="Email", value=CARD)
    print("printed", SECRET, CARD, ADDRESS, "password=" + WORD)
    logging.getLogger().warning("logged %s %s %s", SECRET, CARD, ADDRESS)
    mobile.attach("note " + SECRET + CARD, "text " + SECRET + CARD)
    mobile.attach("json", '{"k": "' + CARD + '", "token": "' + WORD + '"}', "application/json")
    mobile.attach("page", "<p title='" + CARD + "'>" + SECRET + "</p>", "text/html")
    with mobile.step("Pay with " + SECRET + CARD + " at " + ADDRESS):
        mobile.tap(text="Remember me")
        mobile.soft.expect_visible(text="shown " + SECRET + CARD)
    mobile.shell("log -t app '" + CARD + "'")
    mobile.shell("log -t app 'SignIn(name=ada, password=" + WORD + ")'")
    with pytest.raises(Exception):
        mobile.open_url(ADDRESS)
    with pytest.raises(Exception):
        mobile.wait_for(text="never " + CARD, timeout=0.1)
    with pytest.raises(Exception):
        mobile.open_url("https://shop.example/" + CARD + "?" + SECRET)
    assert SECRET + CARD == "other"

def test_breaks_late(mobile, late):
    sign_in(mobile)

def test_passes(mobile):
    sign_in(mobile)
    mobile.fill(text="Email", value=CARD).expect_state(text=CARD)

def test_without_a_phone():
    password = Secret(SECRET)
    raise ValueError("no account " + password.value, {CARD: CARD, "secret": WORD}, ADDRESS)
'''


@pytest.mark.parametrize("workers", ["0", "2"])
def test_no_file_of_the_run_holds_them(run: Run, pytester: pytest.Pytester, workers: str) -> None:
    result = run(SOURCE, *REPORTS, "-n", workers, "-rA", "-l", ini=INI)
    result.assert_outcomes(failed=3, passed=2, errors=1)
    files = [
        path
        for path in pytester.path.rglob("*")
        if path.is_file() and _is_report(path, pytester.path)
    ]
    assert {path.name for path in files} >= {
        "trace.zip",
        "trace.json",
        "run.json",
        "junit.xml",
        "report.html",
    }
    assert [place for path in files for place in found_in(path.name, _without_ids(path))] == []
    names = [BY_CHANCE.sub("", path.relative_to(pytester.path).as_posix()) for path in files]
    assert [path for path in names for name in ("hunter2", "4111") if name in path] == []
    assert list(found_in("the terminal", OWN_ID.sub(b"", result.stdout.str().encode()))) == []
    assert (pytester.path / "junit.xml").read_text("utf-8").count("<testcase ") >= 4
    assert len(run_record(pytester.path)["tests"]) == 4


def test_tests_that_differ_in_a_secret_alone_stay_two(run: Run, pytester: pytest.Pytester) -> None:
    source = """
    import pytest
    from pytest_replicant import Secret

    @pytest.mark.parametrize("password", ["correct horse", "battery staple", "IBAN DE01", "IBAN DE02"])
    def test_it(mobile, password):
        mobile.launch("dev.replicant.shop").expect_screen("Sign in")
        mobile.fill(text="Password", value=Secret(password))
    """
    run(source, *REPORTS, ini=INI).assert_outcomes(passed=4)
    ids = {row["nodeid"] for row in run_record(pytester.path)["tests"]}
    assert len(ids) == 4
    assert not any(word in nodeid for word in ("horse", "staple", "DE0") for nodeid in ids)
    names = re.findall(
        r'<testcase [^>]*?\bname="(.*?)"', (pytester.path / "junit.xml").read_text("utf-8")
    )
    assert len(set(names)) == 4
    assert not any("DE0" in name for name in names)


def found_in(name: str, data: bytes) -> Iterator[str]:
    """Where the data tells one of the two, however it is wrapped."""
    for text in _readings(data):
        if "hunter2" in text or re.search(r"4111\s*1111\s*1111\s*1234", text):
            yield name
            return
    if data.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for entry in archive.namelist():
                yield from found_in(f"{name}!{entry}", archive.read(entry))
    if data.startswith(b"\x1f\x8b"):
        yield from found_in(f"{name}!gzip", gzip.decompress(data))
    for match in re.finditer(rb'"(?:parts|data)":"(e[A-Za-z0-9+/]{20,}=*)"', data):
        yield from found_in(f"{name}!packed", zlib.decompress(base64.b64decode(match[1])))
    for match in re.finditer(rb"data:(?!image/)[\w/+.;=-]*?base64,([A-Za-z0-9+/=]+)", data):
        yield from found_in(f"{name}!data", base64.b64decode(match[1]))


def _readings(data: bytes) -> Iterator[str]:
    plain = data.decode("utf-8", errors="replace")
    yield plain
    yield re.sub(r"\\u([0-9a-fA-F]{4})", lambda match: chr(int(match[1], 16)), html.unescape(plain))
    yield urllib.parse.unquote_plus(html.unescape(plain))
    yield data.decode("utf-16", errors="replace")


OWN_ID = re.compile(rb"test_fails\[hunter.*?\]")
"""The id of a test as pytest makes and prints it: a documented limit."""


def _without_ids(path: Path) -> bytes:
    """A file; of one that another plugin writes, without the ids that pytest gives it."""
    data = path.read_bytes()
    return OWN_ID.sub(b"", data) if path.name in ("junit.xml", "report.html") else data


def _is_report(path: Path, root: Path) -> bool:
    """Not what pytester keeps, nor the ids of tests that pytest itself keeps."""
    return path.relative_to(root).parts[0] in (
        "out",
        "allure",
        "report.html",
        "junit.xml",
        "assets",
    ) or (".pytest_cache/d/" in path.as_posix())
