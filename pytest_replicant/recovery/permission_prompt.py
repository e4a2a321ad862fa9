"""The system asks for a permission that the test did not expect to be asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..model import Failure, Recovery, RecoveryState, Remedy, quoted
from .evidence import first_of, hookimpl, is_about, permission_prompt, says, screen_of

if TYPE_CHECKING:
    from ..drivers import PermissionAnswer
    from ..session import RecoveryContext

ANSWERS: dict[str, tuple[PermissionAnswer, ...]] = {"deny": ("deny",), "allow": ("allow", "allow_once")}
"""Answers by the setting ``permission_prompts``, the first that the prompt offers. "leave" answers nothing."""


@hookimpl(trylast=True)
def pytest_replicant_recover(session: RecoveryContext, failure: Failure, state: RecoveryState) -> Recovery | None:
    """A permission prompt is in the way: answers it as ``permission_prompts`` says ("deny" unless set), and looks
    again. A prompt that the test itself is about is left alone."""
    snapshot = screen_of(failure)
    wanted = ANSWERS.get(session.settings.permission_prompts, ())
    if snapshot is None or not wanted or failure.action_type == "answer_permission":
        return None
    known = session.system_dialogs
    prompt = permission_prompt(known, snapshot, failure)
    buttons = [each for answer in wanted for each in known.permission_buttons.get(answer, ())]
    button = first_of(snapshot, buttons, prompt)
    if button is None or is_about(failure, snapshot, prompt):
        return None
    asked = says(snapshot, prompt) or "the system asked for a permission"
    reason = f"a permission prompt was in the way: {asked}, answered {quoted(button.label)}"
    return Recovery("state_refresh", before=(Remedy.tap(button),), reason=reason, policy="permission_prompt")
