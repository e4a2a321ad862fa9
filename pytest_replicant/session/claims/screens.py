"""Which screen it is."""

from __future__ import annotations

import re

from ...errors import UsageError, is_told
from ...model.screen import Screen
from ..targets import check_selector
from ..verify import Claim, Look, Verdict

__tracebackhide__ = is_told


def screen_is(wanted: str | re.Pattern[str] | Screen) -> Claim:
    if isinstance(wanted, Screen):
        if not wanted.has:
            raise UsageError(f'expect_screen(Screen("{wanted.name}")): has=[by(...)] must say what is on it')
        for selector in (*wanted.has, *wanted.lacks):
            check_selector("expect_screen", selector)
        return Claim("expect_screen", wanted.name, lambda look: _described_screen(look, wanted))
    if not isinstance(wanted, (str, re.Pattern)) or wanted == "":
        raise UsageError(f"expect_screen({wanted!r}): give a title, an activity, a pattern or a Screen")
    if isinstance(wanted, re.Pattern) and wanted.search("") is not None:
        raise UsageError(f"expect_screen({wanted.pattern!r}): the pattern fits every screen")
    expected = wanted if isinstance(wanted, str) else f"/{wanted.pattern}/"
    return Claim("expect_screen", expected, lambda look: _named_screen(look, wanted))


def _named_screen(look: Look, wanted: str | re.Pattern[str]) -> Verdict:
    title = look.snapshot.title
    if title and _is_name(title, wanted):
        return Verdict(True, title)
    activity = look.observer.activity_of(look.snapshot) if look.now else ""
    short = activity.rsplit(".", 1)[-1]
    bare = short.removesuffix("Activity")
    names = [name for name in (activity, short, bare) if name]
    held = any(_is_name(name, wanted) for name in names)
    shown = f"{title} ({short})" if title and short else title or short or "a screen without title or activity"
    return Verdict(held, shown)


def _is_name(name: str, wanted: str | re.Pattern[str]) -> bool:
    return name == wanted if isinstance(wanted, str) else wanted.search(name) is not None


def _described_screen(look: Look, screen: Screen) -> Verdict:
    missing = [item.describe() for item in screen.has if not look.snapshot.match_labels(item)]
    extra = [item.describe() for item in screen.lacks if look.snapshot.match_labels(item)]
    if not missing and not extra:
        return Verdict(True, screen.name)
    told = [f"missing {item}" for item in missing] + [f"should not show {item}" for item in extra]
    return Verdict(False, f"{look.snapshot.screen or 'a screen'}: {'; '.join(told)}")
