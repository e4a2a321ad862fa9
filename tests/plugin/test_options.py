from __future__ import annotations

from pathlib import Path

import pytest

from pytest_replicant import UsageError
from pytest_replicant.options import read
from pytest_replicant.pool import read_uri
from tests.conftest import Run, trace_records

PICTURES = True  # some tests here look at them


pytestmark = pytest.mark.slow

PASSING = """
def test_pass(mobile):
    mobile.launch("dev.replicant.shop").expect_screen("Sign in")
"""
FAILING = PASSING.replace("Sign in", "Nowhere").replace("test_pass", "test_fail")


def traces(folder: Path, name: str = "trace.json") -> list[Path]:
    return sorted(folder.glob(f"*/*/{name}"))


def test_a_trace_is_written_for_every_test(run: Run, pytester: pytest.Pytester) -> None:
    run(PASSING, "--replicant-output=out").assert_outcomes(passed=1)
    (trace,) = trace_records(pytester.path)
    assert trace["schema"] == "replicant.trace/2"
    assert trace["test"]["outcome"] == "passed"
    assert [event["result"]["lifecycle_state"] for event in trace["events"] if event["result"]] == ["verified"]
    assert len(traces(pytester.path / "out", "trace.html")) == 1


@pytest.mark.thorough
@pytest.mark.parametrize(("mode", "expected"), [("on", 2), ("off", 0), ("retain-on-failure", 1)])
def test_trace_modes(run: Run, pytester: pytest.Pytester, mode: str, expected: int) -> None:
    run(PASSING + FAILING, f"--replicant-trace={mode}", "--replicant-output=out")
    assert len(traces(pytester.path / "out")) == expected


@pytest.mark.thorough
@pytest.mark.parametrize(("mode", "expected"), [("on", 2), ("off", 0), ("only-on-failure", 1)])
def test_screenshot_modes(run: Run, pytester: pytest.Pytester, mode: str, expected: int) -> None:
    run(PASSING + FAILING, f"--replicant-screenshot={mode}", "--replicant-output=out")
    screens = [one["snapshots"] for one in trace_records(pytester.path)]
    assert sum(any(one["screenshot"] for one in each.values()) for each in screens) == expected


@pytest.mark.parametrize(
    ("uri", "told"),
    [
        ("virtul", "virtual"),
        pytest.param("virtual?latenzy=3", "latency", marks=pytest.mark.thorough),
        pytest.param("adb://nowhere", "adb://HOST:PORT/SERIAL", marks=pytest.mark.thorough),
        ("ios:8100", "Did you mean ios:http://127.0.0.1:8100[?]"),
    ],
)
def test_a_wrong_uri_says_what_to_write_before_any_test(run: Run, uri: str, told: str) -> None:
    result = run(PASSING + FAILING, f"--replicant-device={uri}")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert result.parseoutcomes() == {}
    result.stderr.fnmatch_lines([f"ERROR: replicant: device '{uri}'*{told}*"])


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("uri", "told"), [("virtual?latency=fast", "milliseconds"), ("virtual?app=dev.nobody", "dev.replicant.shop")]
)
def test_a_wrong_knob_says_what_to_write(run: Run, uri: str, told: str) -> None:
    result = run(PASSING, f"--replicant-device={uri}")
    assert result.parseoutcomes().get("errors") == 1
    result.stdout.fnmatch_lines([f"*UsageError*{told}*"])


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


def test_a_wrong_uri_is_no_matter_where_nothing_runs(run: Run) -> None:
    assert run(PASSING, "--replicant-device=virtul", "--collect-only").ret == 0


def test_no_adb_server_is_told_not_started(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", "1")
    result = run(PASSING, "--replicant-device=android")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["*DeviceNotFound*adb start-server*"])


def test_a_wrong_ini_value_names_the_key(run: Run) -> None:
    result = run(PASSING, ini="replicant_reset = maybe\n")
    result.stderr.fnmatch_lines(["*replicant_reset = maybe: give one of stop, clear, none*"])
    result = run(PASSING, "--replicant-debug=always")
    result.stderr.fnmatch_lines(["*replicant?debug = always: give one of on, ci."])


NOTHING = "def test_nothing(): ..."


@pytest.mark.parametrize("how", ["ini", "-o"])
def test_a_misspelt_key_is_an_error_that_names_the_nearest(pytester: pytest.Pytester, how: str) -> None:
    pytester.makepyfile(NOTHING)
    pytester.makeini("[pytest]\n" + ("replicant_expect_timeuot = 1\n" if how == "ini" else ""))
    given = ("-o", "replicant_expect_timeuot=1") if how == "-o" else ()
    result = pytester.runpytest_inprocess("-q", *given)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    said = "replicant_expect_timeuot: no loaded plugin has such an ini key. Did you mean replicant_expect_timeout?"
    result.stderr.fnmatch_lines([f"ERROR: replicant: {said}"])


@pytest.mark.parametrize("key", ["replicant_device", "replicant_devices"])
def test_both_words_for_phones_are_right(pytester: pytest.Pytester, key: str) -> None:
    pytester.makeini(f"[pytest]\n{key} = virtual:ios\n")
    assert read(pytester.parseconfig()).devices == (read_uri("virtual:ios"),)


def test_a_key_of_another_plugin_is_left_to_it(pytester: pytest.Pytester) -> None:
    pytester.makeconftest("def pytest_addoption(parser): parser.addini('replicant_farm', '')")
    pytester.makepyfile(NOTHING)
    pytester.makeini("[pytest]\nreplicant_farm = here\n")
    pytester.runpytest_inprocess("-q").assert_outcomes(passed=1)


@pytest.mark.parametrize(
    ("devices", "phones", "avds", "snapshot", "seconds"),
    [
        (["avd:Pixel_6"], (), ("Pixel_6",), "", 300),
        (["avd:a?snapshot=clean&timeout=5", "android", "avd:b"], ("android",), ("a", "b"), "clean", 5),
        ([], ("virtual",), (), "", 300),
    ],
)
def test_emulators_among_the_phones(
    pytester: pytest.Pytester,
    devices: list[str],
    phones: tuple[str, ...],
    avds: tuple[str, ...],
    snapshot: str,
    seconds: float,
) -> None:
    found = read(pytester.parseconfig(*(f"--replicant-device={uri}" for uri in devices)))
    assert (tuple(map(str, found.devices)), found.avds, found.avd_snapshot, found.avd_timeout) == (
        phones,
        avds,
        snapshot,
        seconds,
    )


@pytest.mark.parametrize(
    ("uri", "said"),
    [
        ("avd:", "name the Android virtual device"),
        ("avd:a?speed=1", "no knob 'speed'"),
        ("avd:a?timeout=x", "seconds"),
    ],
)
def test_an_emulator_that_is_written_wrong(pytester: pytest.Pytester, uri: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        read(pytester.parseconfig(f"--replicant-device={uri}"))


def test_the_header_says_which_make_a_virtual_phone_is(run: Run) -> None:
    header = run(PASSING, "--replicant-device=virtual:2?profile=pixel&latency=0", "--collect-only").stdout
    header.fnmatch_lines(["replicant: virtual:2?profile=pixel*", "replicant: profile pixel: Google Pixel*"])


def test_the_header_names_the_phones(run: Run) -> None:
    run(PASSING).stdout.fnmatch_lines(["replicant: virtual?latency=0 (another phone: --replicant-device=*"])


def test_a_launched_app_is_reset_or_left(run: Run) -> None:
    source = """
    def test_one(mobile):
        mobile.launch("dev.replicant.shop").expect_screen("Sign in")

    def test_two(mobile):
        assert (mobile.current_app.app == "dev.replicant.shop") is {left}
    """
    run(source.format(left=False), ini="replicant_reset = stop\n").assert_outcomes(passed=2)
    run(source.format(left=True), ini="replicant_reset = none\n").assert_outcomes(passed=2)


def test_an_app_that_is_not_installed(run: Run) -> None:
    result = run("""
    def test_unknown(mobile):
        mobile.launch("dev.replicant.shoop")
    """)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        ["E*UsageError: dev.replicant.shoop is not installed*Near names*dev.replicant.shop*"]
    )
