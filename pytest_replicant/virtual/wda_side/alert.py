"""The alert on the screen: what it says, and its buttons."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import Literal

from ..renderers.xcuitest import XCElement
from .agent import Agent
from .class_chain import find_chain
from .failures import WdaError, no_alert
from .touch import press_now

ALERTS = ("Alert", "Sheet")
FIELDS = ("TextField", "SecureTextField", "SearchField", "TextView")
Answer = Literal["accept", "dismiss"]


@dataclass(frozen=True)
class Alert:
    """``element`` is an Alert or a Sheet, SpringBoard's or an app's."""

    element: XCElement

    @property
    def text(self) -> str:
        """Title and message, a line each."""
        inside_buttons = {id(each) for button in self.buttons for each in button.walk()}
        texts = (
            each
            for each in self.element.walk()
            if each.type == "StaticText" and id(each) not in inside_buttons
        )
        return "\n".join(text.label for text in texts if text.label)

    @property
    def buttons(self) -> list[XCElement]:
        return [each for each in self.element.walk() if each.type == "Button"]

    @property
    def labels(self) -> list[str]:
        return [button.label or "" for button in self.buttons]

    @property
    def field(self) -> XCElement:
        """The only one to type in. Raises ``WdaError`` if there is none, or more than one."""
        fields = [each for each in self.element.walk() if each.type in FIELDS]
        if len(fields) != 1:
            raise WdaError(
                "unsupported operation",
                f"The alert contains {len(fields)} input fields; one is needed",
            )
        return fields[0]

    def named(self, name: str) -> XCElement:
        """Raises ``WdaError`` if no button is called so."""
        for button in self.buttons:
            if name in (button.label, button.name):
                return button
        known = ", ".join(self.labels)
        raise WdaError(
            "invalid element state",
            f"Failed to find button with label '{name}' for alert: {self.text!r}; there are: "
            f"{known}",
        )

    def meant(self, answer: Answer) -> XCElement:
        """Of an alert, the last button accepts and the first one dismisses; of a sheet it is the
        other way round. What they say does not count."""
        if not self.buttons:
            raise WdaError("invalid element state", "The alert has no buttons")
        last = (answer == "accept") == (self.element.type == "Alert")
        return self.buttons[-1 if last else 0]


def alert_now(agent: Agent) -> Alert:
    """Raises ``WdaError`` if there is none."""
    found = _find_now(agent)
    if found is None:
        raise no_alert()
    return found


def _find_now(agent: Agent) -> Alert | None:
    alerts = [
        each for each in agent.alert_tree_now().walk() if each.type in ALERTS and each.visible
    ]
    return Alert(alerts[-1]) if alerts else None


def answer_now(agent: Agent, answer: Answer, name: str | None = None) -> None:
    """Taps the button of that name, or the one that the settings or its place make the answer."""
    alert = alert_now(agent)
    button = (
        alert.named(name)
        if name is not None
        else _chosen(agent, alert, answer) or alert.meant(answer)
    )
    press_now(agent, button.frame.center)


def _chosen(agent: Agent, alert: Alert, answer: Answer) -> XCElement | None:
    """By the class chain that the settings may have for it; one that finds nothing, or is none,
    does not count."""
    chain = agent.settings[f"{answer}AlertButtonSelector"]
    try:
        return next(iter(find_chain(chain, alert.element)), None) if chain else None
    except WdaError:
        return None


def answer_by_default_now(agent: Agent) -> None:
    """What the setting ``defaultAlertAction`` does with any alert that comes up."""
    action = agent.settings["defaultAlertAction"].lower()
    if action not in ("accept", "dismiss") or agent.session is None:
        return
    with contextlib.suppress(WdaError):  # the app may be gone: the next request for it reports that
        alert = _find_now(agent)
        if alert is not None and alert.buttons:
            answer_now(agent, action)
