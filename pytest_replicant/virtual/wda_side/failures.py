"""Failures of a command, as WebDriverAgent reports them."""

from __future__ import annotations

STATUS = {
    "element not visible": 400,
    "invalid argument": 400,
    "invalid coordinates": 400,
    "invalid element state": 400,
    "invalid selector": 400,
    "invalid session id": 404,
    "no such alert": 404,
    "no such element": 404,
    "stale element reference": 404,
    "unknown command": 404,
    "timeout": 408,
    "session not created": 500,
    "unable to capture screen": 500,
    "unknown error": 500,
    "unsupported operation": 500,
}
"""Each error by its W3C name, with the status of its answer."""


class WdaError(Exception):
    """An answer with ``error`` and ``message`` for its value; ``error`` is one of ``STATUS``."""

    def __init__(self, error: str, message: str) -> None:
        super().__init__(f"{error}: {message}")
        self.error = error
        self.message = message

    @property
    def status(self) -> int:
        return STATUS[self.error]


def invalid_argument(message: str) -> WdaError:
    return WdaError("invalid argument", message)


def invalid_selector(message: str) -> WdaError:
    return WdaError("invalid selector", message)


def unknown_error(message: str) -> WdaError:
    return WdaError("unknown error", message)


def no_alert() -> WdaError:
    return WdaError(
        "no such alert", "An attempt was made to operate on a modal dialog when one was not open"
    )


def no_element(using: str, value: str) -> WdaError:
    return WdaError(
        "no such element", f"unable to find an element using '{using}', value '{value}'"
    )


def no_session() -> WdaError:
    return WdaError("invalid session id", "Session does not exist")


def stale(identity: str) -> WdaError:
    return WdaError(
        "stale element reference",
        f'The element identified by "{identity}" is either not present or it has expired from '
        "the internal "
        "cache. Try to find it again",
    )


def crashed(bundle_id: str) -> WdaError:
    """The session's own app is gone although no client terminated it."""
    return WdaError(
        "invalid element state",
        f"The application under test with bundle id '{bundle_id}' is not running, possibly crashed",
    )


def not_installed(bundle_id: str) -> WdaError:
    return WdaError(
        "unknown error",
        'Error Domain=FBSOpenApplicationServiceErrorDomain Code=1 "The request to open '
        f'"{bundle_id}" failed." '
        f"UserInfo={{NSUnderlyingError=0x600003a1c2d0 {{Error "
        "Domain=FBSOpenApplicationErrorDomain Code=4 "
        f'"Application info provider (FBSApplicationLibrary) returned nil for "{bundle_id}"" '
        f"UserInfo={{BSErrorCodeDescription=NotFound}}}}, NSLocalizedFailureReason=Application "
        f'"{bundle_id}" '
        "is not installed.}",
    )


def no_snapshot(bundle_id: str) -> WdaError:
    """What the accessibility service says of a tree that is too deep, or of an app that is not
    ready."""
    return WdaError(
        "unknown error",
        "Error Domain=com.apple.dt.XCTest.XCTFuture Code=1000 "
        '"Failed to get matching snapshots: Error kAXErrorIllegalArgument getting snapshot for '
        "element "
        f"<AXUIElementRef of application {bundle_id}>"
        '" UserInfo={NSLocalizedDescription=Failed to get matching snapshots: Error '
        "kAXErrorIllegalArgument "
        "getting snapshot for element}",
    )
