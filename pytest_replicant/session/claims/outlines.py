"""Whether the screen is what an outline says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...snapshots import OutlineText, difference, read_outline
from ..verify import Claim, Look, Verdict

if TYPE_CHECKING:
    from ...snapshots import Snapshot


def outline_is(text: str) -> Claim:
    wanted = read_outline(text)

    def test(look: Look) -> Verdict:
        header, actual = _now(look.snapshot)
        found = difference(read_outline(text, header), actual)
        if found is None:
            return Verdict(True, "as expected")
        lines = [f"  {line}" for line in found.lines]
        if not any(line.startswith("-") for line in found.lines):
            lines.append('Next: write what is unexpected as well, or a line of "..." in its place.')
        return Verdict(False, found.told, more=lambda: "\n".join(lines))

    return Claim("expect_outline", f"of {wanted.count} lines" if wanted.count > 1 else "of 1 line", test)


def _now(snapshot: Snapshot) -> tuple[str, OutlineText]:
    shown = snapshot.outline()
    header = shown.split("\n", 1)[0] if snapshot.screen or snapshot.app else ""
    return header, read_outline(shown, header)
