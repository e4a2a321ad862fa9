"""Whether the action changed anything."""

from __future__ import annotations

from ..verify import Claim, Look, Verdict

_UNKNOWN = Verdict(False, "what was on the screen before the action is not known", final=True)


def changed() -> Claim:
    def test(look: Look) -> Verdict:
        if look.before is None:
            return _UNKNOWN
        diff = look.snapshot.diff(look.before)
        return Verdict(not diff.empty, "the same as before the action" if diff.empty else diff.summary)

    return Claim("expect_changed", "some change", test, verifies=False)


def unchanged() -> Claim:
    def test(look: Look) -> Verdict:
        if look.before is None:
            return _UNKNOWN
        for snapshot in (*look.observer.seen, look.snapshot):  # there and back again is a change too
            diff = snapshot.diff(look.before)
            if not diff.empty:
                return Verdict(False, diff.summary)
        return Verdict(True, "unchanged")

    return Claim("expect_unchanged", "no change", test, "window")
