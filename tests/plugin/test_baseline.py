"""A failing test says where it parted from its last pass: that of the cache, or of a folder."""

from __future__ import annotations

import gzip
import json
import shutil
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from pytest_replicant.cli import main
from pytest_replicant.reporting import trace_schema
from tests.conftest import Capture, Run

from .test_options import traces

pytestmark = [pytest.mark.slow, pytest.mark.thorough]

SOURCE = """
import os
import pytest
from pytest_replicant import Secret

BAD = os.environ.get("MODE") == "bad"

def sign_in(mobile, password):
    mobile.launch("dev.replicant.shop").expect_screen("Sign in")
    mobile.fill(text="Email", value="ada@example.com")
    mobile.fill(text="Password", value=Secret(password))
    mobile.tap(text="Sign in").expect_screen("Catalogue")

def test_password(mobile):
    sign_in(mobile, "wrong horse" if BAD else "correct horse")

def test_survey(mobile):
    mobile.open_url(f"lab://survey?tap={1 if BAD else 0}&delay=10")
    mobile.tap(text="Continue").expect_visible(text_contains="Step 2")

def test_plain(mobile):
    mobile.launch("dev.replicant.shop").expect_screen("Sign in")
    assert not BAD, "what the server said"

@pytest.fixture
def data():
    if BAD:
        raise RuntimeError("no data")

def test_setup(mobile, data):
    mobile.launch("dev.replicant.shop").expect_screen("Sign in")

def test_crash(mobile):
    mobile.open_url("lab://crash").expect_screen("Crash on tap")
    if BAD:
        mobile.tap(text="Weigh")
    mobile.expect_screen("Crash on tap")
"""
OPTIONS = ("--replicant-recovery=off", "--replicant-output=out")


@pytest.fixture
def twice(run: Run, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Runs the same tests when all is well, and when it is not; the sentences of the second run, by
    test."""

    def both(
        source: str, *options: str, then: tuple[str, ...] = (), now: tuple[str, ...] = ()
    ) -> dict[str, str]:
        monkeypatch.setenv("MODE", "good")
        run(source, *OPTIONS, *options, *then)
        before = set(traces(pytester.path / "out"))
        monkeypatch.setenv("MODE", "bad")
        run(source, *OPTIONS, *options, *now)
        told = {}
        for path in set(traces(pytester.path / "out")) - before:
            document = json.loads(path.read_text("utf-8"))
            jsonschema.validate(document, trace_schema())
            divergence = document["divergence"]
            told[document["test"]["nodeid"].partition("::")[2]] = (
                divergence["sentence"] if divergence else ""
            )
        return told

    return both


def rows(folder: Path) -> dict[str, str]:
    """The sentence of each row of the newest run."""
    newest = max(folder.glob("*/run.json"), key=lambda path: path.stat().st_mtime_ns)
    tests = json.loads(newest.read_text("utf-8"))["tests"]
    return {row["nodeid"].partition("::")[2]: row["divergence"] for row in tests}


def test_the_cache_holds_what_a_failure_is_compared_with(
    twice: Any, pytester: pytest.Pytester, capsys: Capture
) -> None:
    told = twice(SOURCE)
    assert (
        'the last pass went on to "Catalogue", this run stayed on "Sign in"'
        in told["test_password"]
    )
    assert '"Wrong email or password"' in told["test_password"]
    assert "log: W Shop: sign-in refused" in told["test_password"]
    assert (
        'this run reached the dialog "How are we doing?" over a screen of dev.replicant.lab'
        in told["test_survey"]
    )
    assert told["test_plain"].startswith(
        "Same steps and screens as the last pass, all 2: AssertionError: what the"
    )
    assert told["test_setup"].startswith(
        "No step was done, where the last pass did 2: RuntimeError: no data"
    )
    assert 'tap text="Weigh"' in told["test_crash"]
    assert "dev.replicant.lab died: NullPointerException" in told["test_crash"]
    assert rows(pytester.path / "out") == told
    assert main(["triage", str(pytester.path / "out")]) == 1
    assert told["test_password"] in capsys.readouterr().out


def test_a_folder_is_asked_for_and_used_by_every_worker(
    twice: Any, pytester: pytest.Pytester
) -> None:
    pytest.importorskip("xdist")
    folder = ("--replicant-baseline=out",)
    told = twice(
        SOURCE, "-k", "plain or password", then=("-p", "no:cacheprovider"), now=("-n", "2", *folder)
    )
    assert told["test_plain"].startswith("Same steps")
    assert told["test_password"].startswith("Diverged at step 5 of 6")


def test_a_folder_without_a_pass_is_told_in_the_rows_too(
    twice: Any, pytester: pytest.Pytester
) -> None:
    told = twice(
        SOURCE, "-k", "plain", then=("-p", "no:cacheprovider"), now=("--replicant-baseline=none",)
    )
    assert (
        told["test_plain"]
        == f"No earlier pass of this test is at hand: {pytester.path / 'none'} is no folder."
    )
    assert rows(pytester.path / "out") == told


def test_the_cache_holds_no_secret_and_one_pass_a_test(
    run: Run, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MODE", "good")
    for _ in range(2):
        run(SOURCE, *OPTIONS, "-k", "password or plain", "--replicant-trace=retain-on-failure")
    kept = list((pytester.path / ".pytest_cache" / "d" / "replicant").iterdir())
    assert len(kept) == 2
    assert all(b"correct horse" not in gzip.decompress(path.read_bytes()) for path in kept)
    assert any(b"ada@example.com" in gzip.decompress(path.read_bytes()) for path in kept)


def test_a_failure_is_never_kept_as_a_pass(run: Run, pytester: pytest.Pytester) -> None:
    run(
        """
    import pytest

    @pytest.fixture
    def late():
        yield
        raise RuntimeError("teardown")

    def test_teardown(mobile, late):
        mobile.launch("dev.replicant.shop").expect_screen("Sign in")

    def test_fails(mobile):
        mobile.launch("dev.replicant.shop").expect_screen("Nowhere")

    def test_traceless(mobile):
        mobile.launch("dev.replicant.shop").expect_screen("Sign in")
    """,
        "--replicant-output=out",
    )
    kept = list((pytester.path / ".pytest_cache" / "d" / "replicant").iterdir())
    assert len(kept) == 1
    shutil.rmtree(kept[0].parent)
    run("def test_x(mobile):\n    mobile.launch('dev.replicant.shop')\n", "--replicant-trace=off")
    assert not kept[0].parent.exists()
