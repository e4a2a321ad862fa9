"""Why a locator is not changed: every refusal has a code for programs, a reason, and what to do
next."""

from __future__ import annotations

from typing import Literal

Code = Literal[
    "gone", "two candidates", "another screen", "dialog", "claim", "another cause", "no pass",
    "it is there", "no literal", "no source", "source changed", "shared literal", "not proven",
]  # fmt: skip
NEXT: dict[Code, str] = {
    "gone": "check whether the app still has it; if it does, write a locator of what stands for it "
    "now",
    "two candidates": "say which one is meant: narrow the locator by row_with=, within= or role=",
    "another "
    "screen": "look at the steps before: the test did not get to the screen on which it was found",
    "dialog": "close the dialog in the test, or answer the prompt, before this step",
    "claim": "decide whether the app or the expectation is wrong; an expectation is never changed "
    "by this command",
    "another cause": "replicant triage shows what failed it",
    "no pass": "name a report in which this step passed: --older REPORT",
    "it is there": "give the step more time, or scroll to the element first",
    "no literal": "write the locator in the call, or as NAME = by(...) in the same file, and "
    "change it by hand",
    "no source": "name the folder in which the tests were run: --root DIR",
    "source changed": "run the test again, then heal the new report",
    "shared literal": "give this call a locator of its own, then heal again",
    "not proven": "choose a locator by hand: replicant snapshot --selectors proposes some",
}


class Refusal(Exception):
    """A locator that is left as it is. ``why`` is one sentence without its full stop."""

    def __init__(self, code: Code, why: str) -> None:
        super().__init__(why)
        self.code = code
        self.why = why

    @property
    def next(self) -> str:
        return NEXT[self.code]
