"""Run as a program: what the manifest of an APK says, as JSON. apk-info ends a process that uses it
in two threads, and a phone may share its process with a driver that reads packages."""

from __future__ import annotations

import json
import sys


def main(path: str) -> None:
    """Raises for a file that is no APK."""
    from apk_info import APK

    apk = APK(path)
    activities = apk.get_main_activities()
    facts = {
        "package": apk.get_package_name() or "",
        "label": apk.get_application_label() or "",
        "version_name": apk.get_version_name() or "",
        "version_code": apk.get_version_code() or 0,
        "activity": activities[0] if activities else "",
        "permissions": sorted({*apk.get_permissions(), *apk.get_permissions_sdk23()}),
        "min_sdk": apk.get_min_sdk_version() or 1,
        "target_sdk": apk.get_target_sdk_version() or apk.get_min_sdk_version() or 1,
    }
    print(json.dumps(facts))  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1])
