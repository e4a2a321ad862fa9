"""Failures of every kind on an ordinary screen, with nothing about them that a policy could go by."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from ...errors import DeviceBusy
from ...model import FAILURE_CLASSES, Failure, Selector
from ...snapshots import Snapshot

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...model import FailureCode

APP = "com.example.orders"
_CHECKS = ("VERIFICATION_FAILED", "EXPECT_STATE_MISMATCH")

_ROW = (
    '<node class="android.view.ViewGroup" package="{app}" bounds="[0,{top}][1080,{end}]">'
    '<node class="android.widget.TextView" package="{app}" text="Order {number}" bounds="[0,{top}][800,{end}]"/>'
    '<node class="android.widget.Button" package="{app}" text="Open" clickable="true" enabled="true"'
    ' bounds="[800,{top}][1080,{end}]"/></node>'
)
_ANDROID = (
    '<hierarchy rotation="0"><node class="android.widget.FrameLayout" package="{app}" bounds="[0,0][1080,2400]">'
    '<node class="android.widget.Toolbar" package="{app}" bounds="[0,0][1080,200]">'
    '<node class="android.widget.TextView" package="{app}" text="Orders" bounds="[0,0][800,200]"/></node>'
    "{rows}"
    '<node class="android.widget.EditText" package="{app}" resource-id="{app}:id/note" hint="Note" text=""'
    ' clickable="true" enabled="true" bounds="[0,2000][1080,2150]"/>'
    '<node class="android.widget.Button" package="{app}" resource-id="{app}:id/send" text="Send" clickable="true"'
    ' enabled="true" bounds="[0,2200][1080,2350]"/></node></hierarchy>'
)
_IOS = (
    '<AppiumAUT><XCUIElementTypeApplication type="XCUIElementTypeApplication" name="Orders" bundleId="{app}"'
    ' enabled="true"'
    ' visible="true" x="0" y="0" width="390" height="844"><XCUIElementTypeButton type="XCUIElementTypeButton"'
    ' name="Send" label="Send" enabled="true" visible="true" x="0" y="700" width="390" height="50"/>'
    "</XCUIElementTypeApplication></AppiumAUT>"
)


@lru_cache(maxsize=1)
def _screens() -> tuple[Snapshot, Snapshot]:
    rows = "".join(
        _ROW.format(app=APP, number=number, top=200 + 150 * number, end=350 + 150 * number) for number in range(3)
    )
    android = Snapshot.parse(_ANDROID.format(app=APP, rows=rows), "android", id="s7", size=(1080, 2400))
    return android, Snapshot.parse(_IOS.format(app=APP), "ios", id="s8", scale=3.0)


def battery() -> Iterator[Failure]:
    """Every code: with all that is usually known, with an ordinary error besides, on an iPhone, with nothing."""
    android, iphone = _screens()
    for code in FAILURE_CLASSES:
        whole = _failure(code, android)
        yield whole
        yield _failure(code, android, element=False)
        yield _failure(code, iphone, element=False)
        yield _failure(code, None, element=False)
        yield Failure(code, f"{code}  another run holds it", error=DeviceBusy("another run holds it"))


def _failure(code: FailureCode, snapshot: Snapshot | None, *, element: bool = True) -> Failure:
    check = code in _CHECKS
    alike = tuple(each for each in snapshot.elements if each.label == "Open") if snapshot else ()
    found = code in ("AMBIGUOUS_TARGET", "ELEMENT_NOT_FOUND", "STALE_REFERENCE")
    return Failure(
        code,
        f"{code}  it failed",
        candidates=alike if found else (),
        stage="verify" if check else "resolve",
        action_type="expect_visible" if check else "tap",
        target=Selector(text="Open" if code == "AMBIGUOUS_TARGET" else "Send it"),
        element=snapshot.find(text="Send") if snapshot is not None and element else None,
        snapshot=snapshot,
        app=APP,
        sent=check,
    )
