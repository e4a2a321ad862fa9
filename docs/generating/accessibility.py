"""``docs/reference/accessibility.md``, from the rules themselves."""

from __future__ import annotations

from pytest_replicant.accessibility import RULES, Rule
from pytest_replicant.accessibility.rules import LINK_WORDS, ROLE_WORDS

from .wording import markdown

HEAD = """\
# Rules of accessibility

`mobile.accessibility_findings()` goes by all of them. `expect_no_accessibility_findings()` fails by those of the
second column, and by any that its `rules=` names: [how to use them](../how-to/accessibility.md).

A rule fails tests by default if at least 30 of its findings on real screens were judged by hand, and 95 % of
these are right: [the figures](../how-to/accessibility.md#how-right-they-are). Of sources, ATF is Google's
Accessibility Test Framework for Android.

| rule | fails tests | judged by | on |
|---|---|---|---|
"""
NEEDS = {
    "hierarchy": "hierarchy",
    "picture": "hierarchy and screenshot",
    "ocr": "screenshot, by the extra `[ocr]`",
    "phone": "the phone",
}
TAIL = """
## What they go by

- **The app alone**: elements of its own package. Bars, keyboards, and windows of the system or of other apps are
  left out. A keyboard's keys are none of them. So the 32 dp that Google's framework allows keys never apply.
- **Elements that act, and are enabled**. Disabled ones are left out everywhere, also by contrast.
- **Whole elements**: at the edge of a scroller, over the edge of the screen, or where its box cuts something off,
  more of an element may lie beyond. No size and no contrast is judged there.
- **Sizes in dp or points**, by the density that the phone says, `wm density` included. Without one, `touch-target`
  is not run. It leaves out the rows of an iPhone's lists. A heading is one too, and nothing says which act.
- **Contrast** by the two dominant colours in the box of the element, with WCAG's formula. There is no verdict
  if there are others.
- **Large text** (18 sp or points, 14 if it is bold) by the height and the strokes of the letters on the
  picture. No hierarchy says its size. Only Latin, Greek and Cyrillic letters are measured. Other text counts as
  large.
- **Words** for roles in some fifteen languages, as for `button`: {words}. Links are known by {links} texts.

Google's framework checks more that no dump shows: text sizes in sp, the order of traversal, links in a text.
"""


def page() -> str:
    """The whole page."""
    parts = [HEAD, *(_row(rule) for rule in RULES.values()), "\n"]
    parts += ["".join(_section(rule) for rule in RULES.values())]
    tail = TAIL.format(words=", ".join(ROLE_WORDS["button"][:6]), links=len(LINK_WORDS))
    return "".join([*parts, tail.lstrip("\n")])


def _row(rule: Rule) -> str:
    phones = " and ".join({"android": "Android", "ios": "iPhone"}[each] for each in rule.platforms)
    fails = "yes" if rule.fails else "no"
    return f"| `{rule.name}` | {fails} | {NEEDS[rule.needs]} | {phones} |\n"


def _section(rule: Rule) -> str:
    source = rule.source.replace("Google, Accessibility Test Framework for Android", "ATF")
    texts = (
        f"{rule.says[0].upper()}{rule.says[1:]}.",
        f"Source: {source}.",
        f"Missed or misjudged: {rule.cannot_see}.",
    )
    return f"## `{rule.name}`\n\n" + "".join(f"{markdown(text)}\n" for text in texts)
