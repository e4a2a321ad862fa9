"""No other library's error leaves a driver: each class that they define is in the table."""

from __future__ import annotations

import http.client
import importlib
import json
import pkgutil
import struct
import traceback
import warnings
from collections.abc import Iterator

import pytest

from pytest_replicant.drivers.translate import foreign_errors, translated
from pytest_replicant.errors import (
    DeviceError,
    DeviceNotFound,
    DeviceOffline,
    DeviceTimeout,
    ProtocolError,
    UsageError,
)

LIBRARIES = ("adbutils", "uiautomator2", "wda")
# Modules that need what is not installed with them (a vision library), programs, and some that no
# longer load.
NOT_IMPORTED = frozenset({"__main__", "image", "screenrecord", "pidcat", "ext"})


def defined_errors(library: str) -> Iterator[type[BaseException]]:
    package = importlib.import_module(library)
    for found in pkgutil.walk_packages(package.__path__, f"{library}.", lambda name: None):
        if NOT_IMPORTED & set(found.name.split(".")):
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what other libraries deprecate is not ours to fix
            module = importlib.import_module(found.name)
        for value in vars(module).values():
            is_own = isinstance(value, type) and value.__module__ == module.__name__
            if is_own and issubclass(value, BaseException):
                yield value


ERRORS = [error for library in LIBRARIES for error in defined_errors(library)]


def instance(kind: type[BaseException]) -> BaseException:
    """One with a message, past whatever its constructor wants."""
    error = kind.__new__(kind)
    BaseException.__init__(error, "went wrong")
    vars(error).setdefault("output", "went wrong")
    return error


def test_each_library_defines_errors_of_its_own() -> None:
    assert {error.__module__.partition(".")[0] for error in ERRORS} == set(LIBRARIES)
    assert len(ERRORS) > 20


@pytest.mark.parametrize("kind", ERRORS, ids=lambda kind: f"{kind.__module__}.{kind.__name__}")
def test_each_of_them_becomes_one_of_ours(kind: type[BaseException]) -> None:
    error = instance(kind)
    ours = translated(error, device="R5CT", doing="tap")
    assert isinstance(ours, DeviceError)
    assert ours.device == "R5CT"
    assert str(ours).startswith("tap on R5CT: went wrong")


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (TimeoutError("timed out"), DeviceTimeout),
        (ConnectionResetError("reset by peer"), DeviceOffline),
        (ConnectionRefusedError("refused"), DeviceOffline),
        (BrokenPipeError("broken pipe"), DeviceOffline),
        (OSError("no route to host"), DeviceOffline),
        (EOFError("Expected 5 bytes, got 0"), DeviceOffline),
        (http.client.BadStatusLine("???"), ProtocolError),
        (http.client.IncompleteRead(b"half"), ProtocolError),
        (json.JSONDecodeError("no JSON", "{", 1), ProtocolError),
        (UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid"), ProtocolError),
        (struct.error("unpack requires 5 bytes"), ProtocolError),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, BaseException) else None,
)
def test_what_sockets_and_parsers_raise_is_translated(
    error: Exception, kind: type[DeviceError]
) -> None:
    assert type(translated(error, device="R5CT", doing="tap")) is kind


@pytest.mark.parametrize(
    ("words", "kind", "advice"),
    [
        ("device 'R5CT' not found", DeviceNotFound, "adb devices"),
        ("no devices/emulators found", DeviceNotFound, "adb devices"),
        ("device offline", DeviceOffline, "cable"),
        (
            "device unauthorized.\nThis adb server's $ADB_VENDOR_KEYS is not set",
            DeviceOffline,
            "USB debugging",
        ),
        ("closed", DeviceOffline, "cable"),
        ("Unknown data: b''", DeviceOffline, "cable"),
        ("unknown host service", ProtocolError, "unknown host service"),
    ],
)
def test_what_adb_says_in_words_decides(words: str, kind: type[DeviceError], advice: str) -> None:
    import adbutils

    ours = translated(adbutils.AdbError(words), device="R5CT", doing="tap")
    assert type(ours) is kind
    assert advice in str(ours)
    assert "\n" not in str(ours)


def test_a_protocol_error_keeps_the_whole_exchange() -> None:
    import adbutils

    ours = translated(adbutils.AdbError("odd\nreply"), device="R5CT", doing="tap")
    assert isinstance(ours, ProtocolError)
    assert ours.exchange == "odd\nreply"


def test_theirs_is_kept_and_in_no_traceback() -> None:
    cause = ConnectionResetError("reset by peer")
    with pytest.raises(DeviceOffline) as raised, foreign_errors("R5CT", "tap"):
        raise cause
    assert raised.value.__context__ is cause
    assert "reset by peer" in str(raised.value)
    shown = "".join(traceback.format_exception(raised.value))
    assert "ConnectionResetError" not in shown


@pytest.mark.parametrize(
    "error", [UsageError("no"), DeviceTimeout("late"), KeyError("bug"), KeyboardInterrupt()]
)
def test_our_own_errors_mistakes_and_ctrl_c_pass_as_they_are(error: BaseException) -> None:
    with pytest.raises(type(error)) as raised, foreign_errors("R5CT", "tap"):
        raise error
    assert raised.value is error
