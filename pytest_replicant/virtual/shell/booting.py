"""What the shell can do while Android is still starting: adb answers by then, and the system services do not."""

from __future__ import annotations

from .call import Call, CommandFailed

_SERVICES = {
    "am": "activity",
    "appops": "appops",
    "content": "content",
    "ime": "input_method",
    "input": "input",
    "monkey": "activity",
    "pm": "package",
    "settings": "settings",
    "svc": "power",
    "wm": "window",
}
_PROGRAMS = ("app_process", "app_process32", "app_process64", "uiautomator")
NO_SERVICE = 20  # the exit code of `cmd` for a service that is not there


def check_services(call: Call) -> None:
    """Raises ``CommandFailed`` where the command needs a service that does not run yet."""
    if call.phone.boot.completed:
        return
    service = _SERVICES.get(call.name) or (call.words[0] if call.name in ("cmd", "dumpsys") and call.words else "")
    if call.name == "dumpsys" and service:
        raise CommandFailed(f"Can't find service: {service}", 0)
    if service:
        raise CommandFailed(f"cmd: Can't find service: {service}", NO_SERVICE)
    if call.name in _PROGRAMS:
        raise CommandFailed(
            "java.lang.NullPointerException: Attempt to invoke interface method 'android.os.IBinder "
            "android.app.IUiAutomationConnection.asBinder()' on a null object reference\nAborted",
            134,
        )
