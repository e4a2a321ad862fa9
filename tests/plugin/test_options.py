from __future__ import annotations

from pathlib import Path

import pytest

from pytest_replicant import UsageError
from pytest_replicant.options import read
from pytest_replicant.pool import read_uri
from tests.conftest import Run

pytestmark = pytest.mark.slow

PASSING = """
def test_pass(mobile):
    mobile.launch("dev.replicant.shop").expect_screen("Sign in")
"""


def traces(folder: Path, name: str = "trace.json") -> list[Path]:
    return sorted(folder.glob(f"*/*/{name}"))


def test_a_uri_that_a_driver_may_know_is_left_to_it(run: Run, pytester: pytest.Pytester) -> None:
    """The driver comes with a conftest that is read only when its folder is collected."""
    folder = pytester.mkdir("below")
    deeper = folder / "deeper"
    deeper.mkdir()
    (deeper / "test_farm.py").write_text(PASSING)
    (deeper / "conftest.py").write_text(
        "from pytest_replicant.pool import open_device\n"
        "def pytest_replicant_driver(uri, config):\n"
        "    return open_device('virtual?latency=0').driver if uri == 'farm:7' else None\n"
    )
    run(PASSING, "--replicant-device=farm:7").assert_outcomes(passed=2)


def test_no_adb_server_is_told_not_started(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", "1")
    result = run(PASSING, "--replicant-device=android")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*DeviceNotFound*adb start-server*"])


def test_a_launched_app_is_reset_or_left(run: Run) -> None:
    source = """
    def test_one(mobile):
        mobile.launch("dev.replicant.shop").expect_screen("Sign in")

    def test_two(mobile):
        assert (mobile.current_app.app == "dev.replicant.shop") is {left}
    """
    run(source.format(left=False), ini="replicant_reset = stop\n").assert_outcomes(passed=2)
    run(source.format(left=True), ini="replicant_reset = none\n").assert_outcomes(passed=2)


WRONG = {
    "--replicant-device=avd:": "name the Android virtual device",
    "--replicant-device=avd:a?speed=1": "no knob 'speed'",
    "--replicant-device=avd:a?timeout=x": "seconds",
    "--replicant-debug=always": "replicant.debug = always: give one of on, ci.",
    "replicant_reset = maybe": "replicant_reset = maybe: give one of stop, clear, none",
    "replicant_trace = always": "replicant_trace = always: give one of on, off, retain-on-failure.",
    "replicant_screenshot = "
    "yes": "replicant_screenshot = yes: give one of on, off, only-on-failure.",
    "replicant_recovery = "
    "maybe": "replicant_recovery = maybe: give one of allow, off, report, fail.",
    "replicant_max_artifacts_mb = "
    "much": "replicant_max_artifacts_mb = much: give megabytes, or 0 for no bound",
    "replicant_max_artifacts_mb = -1": "replicant_max_artifacts_mb = -1: give megabytes",
    "replicant_redact =\n  ok\n  (": r"replicant_redact: \(: not a regular expression: missing \)",
    "replicant_redact = x*": r"replicant_redact: x\*: it matches the empty text",
}


@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_value_says_what_to_write(pytester: pytest.Pytester, wrong: str) -> None:
    option = wrong.startswith("--")
    pytester.makeini("[pytest]\n" if option else f"[pytest]\n{wrong}\n")
    with pytest.raises(UsageError, match=WRONG[wrong]):
        read(pytester.parseconfig(*[wrong] * option))


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("--replicant-device=virtul", "device 'virtul'*virtual*"),
        (
            "--replicant-device=ios:8100",
            "device 'ios:8100'*Did you mean ios:http://127.0.0.1:8100[?]*",
        ),
        (
            "--replicant-device=virtual:1000000",
            "*1000000 virtual phones cannot be had; give a number from 1 to 64.",
        ),
        (
            "-oreplicant_expect_timeuot=1",
            "replicant_expect_timeuot: *Did you mean replicant_expect_timeout?",
        ),
    ],
)
def test_what_is_wrong_ends_the_run_before_any_test(run: Run, wrong: str, said: str) -> None:
    result = run(PASSING, wrong)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert "passed" not in result.stdout.str()
    result.stderr.fnmatch_lines([f"ERROR: replicant: {said}"])


@pytest.mark.parametrize("key", ["replicant_device", "replicant_devices"])
def test_both_words_for_phones_are_right(pytester: pytest.Pytester, key: str) -> None:
    pytester.makeini(f"[pytest]\n{key} = virtual:ios\n")
    assert read(pytester.parseconfig()).devices == (read_uri("virtual:ios"),)


@pytest.mark.parametrize(
    ("devices", "expected"),
    [
        (["avd:Pixel_6"], ((), ("Pixel_6",), "", 300)),
        (
            ["avd:a?snapshot=clean&timeout=5", "android", "avd:b"],
            (("android",), ("a", "b"), "clean", 5),
        ),
        ([], (("virtual",), (), "", 300)),
    ],
)
def test_emulators_among_the_phones(
    pytester: pytest.Pytester, devices: list[str], expected: object
) -> None:
    found = read(pytester.parseconfig(*(f"--replicant-device={uri}" for uri in devices)))
    assert (
        tuple(map(str, found.devices)),
        found.avds,
        found.avd_snapshot,
        found.avd_timeout,
    ) == expected


def test_the_header_names_the_phones_and_their_make_and_another_plugins_key_is_left_to_it(
    run: Run, pytester: pytest.Pytester
) -> None:
    pytester.makeconftest("def pytest_addoption(parser): parser.addini('replicant_farm', '')")
    device = "virtual:2?profile=pixel&latency=0"
    result = run(
        PASSING, f"--replicant-device={device}", "--collect-only", ini="replicant_farm = here\n"
    )
    result.stdout.fnmatch_lines(
        [
            f"replicant: {device} (another phone: --replicant-device=*",
            "replicant: profile pixel: Google Pixel*",
        ]
    )
