"""Whether the action changed anything."""

from __future__ import annotations

from ...errors import is_told
from ..verify import Claim, Look, Verdict

__tracebackhide__ = is_told


def changed() -> Claim:
    def test(look: Look) -> Verdict:
        diff = look.snapshot.diff(look.before)
        differs = look.before is not None and not diff.empty
        return Verdict(differs, diff.summary if differs else "the same as before the action")

    return Claim("expect_changed", "some change", test, verifies=False)


def unchanged() -> Claim:
    def test(look: Look) -> Verdict:
        if look.before is None:
            return Verdict(False, "what was there before is not known")
        for snapshot in (*look.observer.seen, look.snapshot):  # there and back again is a change too
            diff = snapshot.diff(look.before)
            if not diff.empty:
                return Verdict(False, diff.summary)
        return Verdict(True, "unchanged")

    return Claim("expect_unchanged", "no change", test, "window")
