"""The check that something is seen: in the hierarchy, or else in two pictures that agree. Never that it is not."""

from __future__ import annotations

from ...errors import UndecidableText
from ...model import Explanation, Selector
from ..arguments import describe
from ..drawn import DrawnElement, ImageSelector
from ..photos import drawn_on, nearest_drawn, photograph
from ..step import SessionContext, StageFailed
from .absence import describe_matches
from .check import Check, Failed, Held, Verdict, undecided

_STILL = 0.5
"""Share of what was found that lies where it was found in the picture before."""


def drawn(target: Selector) -> Check:
    """It is in the hierarchy, or two pictures in a row show it in one place."""
    before: list[DrawnElement] = []

    def ask(context: SessionContext) -> Verdict:
        snapshot = context.observer.read().snapshot
        try:
            found = [] if isinstance(target, ImageSelector) else snapshot.match_labels(target)
        except UndecidableText as error:
            return undecided(error.why)
        if found:
            facts = {"source": "hierarchy", "matches": len(found)}
            return Held(f"{describe_matches(found)} in the hierarchy", facts=facts, snapshot=snapshot)
        shot = photograph(context)
        last = list(before)
        before.clear()
        try:
            seen = drawn_on(context, shot, target)
        except StageFailed as failed:  # of within=
            why = f"where to look: {failed.what}"
            return Failed(why, problem="missing", snapshot=shot.snapshot)
        before[:] = seen
        facts = {"source": "picture", "matches": len(seen)}
        if not seen:
            why = "in no element of the hierarchy, and not seen in a picture"
            more = Explanation(nearest_drawn(context, shot, target))
            return Failed(why, facts=facts, problem="missing", more=more, snapshot=shot.snapshot)
        if last and not any(_agree(one, now) for one in last for now in seen):
            return Failed("seen in pictures, each time in another place", facts=facts, snapshot=shot.snapshot)
        surest = max(seen, key=lambda one: one.confidence)
        facts["confidence"] = round(surest.confidence, 2)
        return Held(f"by picture: {surest.describe()}", facts=facts, snapshot=shot.snapshot)

    named = None if isinstance(target, ImageSelector) else target
    return Check("expect_visible", f"{describe(target)} (picture)", problem="missing", ask=ask, target=named)


def _agree(one: DrawnElement, now: DrawnElement) -> bool:
    return one.bounds.intersect(now.bounds).area >= _STILL * min(one.bounds.area, now.bounds.area)
