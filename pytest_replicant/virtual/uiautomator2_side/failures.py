"""Failures of a call, as the client receives them."""

from __future__ import annotations

PARSE_ERROR = (-32700, "JSON parse error")
INVALID_REQUEST = (-32600, "invalid request")
METHOD_NOT_FOUND = (-32601, "method not found")
PARAMS_INVALID = (-32602, "method parameters invalid")
CALL_FAILED = -32001

OBJECT_NOT_FOUND = "androidx.test.uiautomator.UiObjectNotFoundException"

REFUSED_TO_INJECT = (
    "java.lang.SecurityException: Injecting input events requires the caller (or the source of "
    "the instrumentation, if any) to have the INJECT_EVENTS permission.\n\tat "
    "android.os.Parcel.createExceptionOrNull(Parcel.java:3057)\n\tat "
    "android.app.IUiAutomationConnection$Stub$Proxy.injectInputEvent(IUiAutomationConnection.java:502)\n"
)
"""The stack in ``data``: only there does the server say why; ``message`` is the class alone
(Main.java). The words are of InputManagerService.java."""


class RpcError(Exception):
    """An answer with ``error`` in place of ``result``. ``data`` is always text: clients slice
    it."""

    def __init__(self, code: int, message: str, data: str = "") -> None:
        super().__init__(f"{message}: {data}")
        self.code = code
        self.message = message
        self.data = data


def java_exception(name: str, data: str) -> RpcError:
    """A Java exception thrown by the method; clients distinguish them by the full class name."""
    return RpcError(CALL_FAILED, name, data)


def object_not_found(what: str) -> RpcError:
    return java_exception(OBJECT_NOT_FOUND, what)


def parameters_invalid(why: str) -> RpcError:
    return RpcError(*PARAMS_INVALID, why)
