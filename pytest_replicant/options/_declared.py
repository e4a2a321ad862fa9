"""What is declared to pytest: every option and ini key, with its default and what it is for."""

from __future__ import annotations

import pytest

from ._choices import RECOVERIES, SCREENSHOTS, TRACES

INI: dict[str, tuple[str, str]] = {
    "replicant_action_timeout": ("5", "seconds until an action's target must be actionable"),
    "replicant_expect_timeout": ("5", "seconds until a check must hold"),
    "replicant_device_timeout": ("60", "seconds until a phone must be ready"),
    "replicant_stabilize_window": ("1.0", "seconds within which two reads of the screen should agree"),
    "replicant_stabilize_interval": ("0.15", "seconds from one read's request to the next"),
    "replicant_stabilize_quiet": ("0.3", "seconds for which a screen that shows no change is watched"),
    "replicant_app": ("", "the app under test: an id, or the path of a package; --replicant-app wins"),
    "replicant_app_permissions": (
        "grant",
        "what a package that is installed may: grant it all, or ask on the screen",
    ),
    "replicant_animations": ("off", "animations of an Android phone while it is used: off, or keep as they are"),
    "replicant_lease_timeout": ("600", "seconds to wait for a phone that another test or another run holds"),
    "replicant_requeue": ("on", "a test whose phone was lost runs once more on another one: on or off"),
    "replicant_build": ("", "a command that is run before the first test; --replicant-build wins"),
    "replicant_build_timeout": ("1800", "seconds that the build may take"),
    "replicant_avd_snapshot": ("", "the snapshot that an emulator is started from; none is a cold boot"),
    "replicant_avd_timeout": ("300", "seconds until an emulator must be ready"),
    "replicant_unverified": ("warn", "a test that ends on an action nobody checked: ignore, warn or fail"),
    "replicant_vacuous": ("warn", "a check that already held before its action: ignore, warn or fail"),
    "replicant_crash": ("fail", "a crash of an app that the test launched: fail, warn or ignore"),
    "replicant_permission_prompts": (
        "deny",
        "how recovery answers a permission prompt that is in the way: deny, allow or leave",
    ),
    "replicant_ci": ("auto", "tell a CI system that is found about the run, in its own words: auto or off"),
    "replicant_reset": (
        "stop",
        "what happens to launched apps after a test: none, stop or clear; snapshot loads an emulator's snapshot",
    ),
    "replicant_output": ("replicant-report", "where traces and reports go; --replicant-output wins"),
    "replicant_trace": ("on", "traces are kept: on, off or retain-on-failure; --replicant-trace wins"),
    "replicant_screenshot": ("on", "pictures are kept: on, off or only-on-failure; --replicant-screenshot wins"),
    "replicant_recovery": ("allow", "off, report, allow or fail; --replicant-recovery wins"),
    "replicant_max_artifacts_mb": ("2048", "megabytes that the files of one run may take; 0 is no bound"),
}


def register(parser: pytest.Parser) -> None:
    """Declares every option and ini key."""
    group = parser.getgroup("replicant", "mobile tests (pytest-replicant)")
    _register_phones(group)
    _register_app(group)
    _register_reports(group)
    parser.addini("replicant_devices", "phones, one URI a line; --replicant-device wins", type="linelist")
    parser.addini(
        "replicant_redact",
        "regular expressions, one a line: what they match is in no report, as if it were a Secret",
        type="linelist",
    )
    for name, (default, text) in INI.items():
        parser.addini(name, text, default=default)


def _register_phones(group: pytest.OptionGroup) -> None:
    group.addoption(
        "--replicant-device",
        action="append",
        metavar="URI",
        default=None,
        help="which phone: virtual (default), android (every attached one), android:SERIAL, "
        "adb://HOST:PORT/SERIAL; virtual:ios; ios:URL with the URL of an iPhone's WebDriverAgent, such as "
        "ios:http://127.0.0.1:8100; virtual:N and virtual:ios:N are N phones; repeat it for a pool of phones",
    )
    group.addoption(
        "--replicant-matrix",
        action="store_true",
        default=False,
        help="run each test once on every --replicant-device, instead of on whichever is free",
    )
    group.addoption(
        "--replicant-shard",
        metavar="I/N",
        default=None,
        help="run the I-th of N parts of the tests, split by how long they took before",
    )
    group.addoption(
        "--replicant-avd",
        action="append",
        metavar="NAME",
        default=None,
        help="boot this Android virtual device and use it; stopped again at the end; repeat it for several",
    )


def _register_app(group: pytest.OptionGroup) -> None:
    group.addoption(
        "--replicant-app",
        metavar="PATH",
        default=None,
        help="the app under test: an apk, ipa or app, installed where the phone does not have it yet; or the id "
        "of one that is installed",
    )
    group.addoption(
        "--replicant-build",
        metavar="CMD",
        default=None,
        help="a command that builds the app before the first test, such as './gradlew assembleDebug'",
    )


def _register_reports(group: pytest.OptionGroup) -> None:
    group.addoption(
        "--replicant-output",
        metavar="DIR",
        default=None,
        help="where traces and reports go (default: replicant-report)",
    )
    group.addoption(
        "--replicant-trace",
        choices=TRACES,
        default=None,
        help="keep the trace of every test, of none, or of those that fail or were recovered (default: on)",
    )
    group.addoption(
        "--replicant-screenshot",
        choices=SCREENSHOTS,
        default=None,
        help="keep screenshots of every test, of none, or of those that fail or were recovered (default: on)",
    )
    group.addoption(
        "--replicant-recovery",
        choices=RECOVERIES,
        default=None,
        help="what becomes of a failure that a policy can mend: it stands (off), stands and the trace says what "
        "would have been done (report), the test goes on and ends as recovered (allow), or goes on and fails all "
        "the same (fail); default: allow",
    )
    group.addoption(
        "--replicant-baseline",
        metavar="DIR",
        default=None,
        help="reports of earlier runs, such as a downloaded artifact: a failure is compared with the last pass of "
        "its test in there (default: with the pass that pytest's cache holds)",
    )
