"""The built-in policies, in the order in which they are asked: losses, obstructions, another look,
another way, another target, and the same once more."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import TYPE_CHECKING, get_args

from pluggy import HookimplMarker

from ..drivers import PermissionAnswer, SystemDialogs
from ..errors import (
    UNANSWERED,
    DeviceError,
    DeviceOffline,
    DeviceTimeout,
    ProtocolError,
    ReplicantError,
    what_happened,
)
from ..model import (
    Element,
    Failure,
    FailureClass,
    Recovery,
    RecoveryState,
    RecoveryStrategy,
    Remedy,
    Selector,
    ancestors,
    one_line,
    quoted,
)
from ..snapshots import Snapshot, mask_numbers
from ..snapshots.identity.cards import says_the_same

if TYPE_CHECKING:
    from ..session import RecoveryContext

LOST: dict[type[DeviceError], str] = {
    DeviceOffline: "the connection to the phone was lost",
    DeviceTimeout: "the phone did not answer in time",
    ProtocolError: "the phone's answer could not be used",
}
"""Errors that a new connection may fix. A phone that is busy, absent or unable stays so."""
HOME = re.compile(r"launcher[^.]*$|\.(?:home|trebuchet|springboard)$", re.IGNORECASE)
"""Packages of home screens, by the names that makers give them."""
ANSWERS: dict[str, tuple[PermissionAnswer, ...]] = {
    "deny": ("deny",),
    "allow": ("allow", "allow_once"),
}
"""Answers by the setting ``permission_prompts``, the first that the prompt offers. "leave" answers
nothing."""
CLOSES = frozenset(
    {
        "cancel",
        "close",
        "dismiss",
        "don't show again",
        "don’t show again",
        "got it",
        "later",
        "no thanks",
    }
    | {"no, thanks", "not now", "skip"}
)
"""Labels, in lower case, of buttons that only close what they are on."""
CLOSES_ALONE = frozenset(
    {"ok", "okay", "done"}
    | {
        "aceptar",
        "d'acord",
        "tamam",
        "ок",
        "οκ",
        "حسنًا",
        "אישור",
        "ठीक है",
        "ตกลง",
        "확인",
        "确定",
        "確定",
    }
)
"""The same if there is no other button; next to one they are the other choice. Android's word for
it, in other languages (AOSP ``core/res/res/values-*/strings.xml``, ``ok``)."""

_ASKS = "?？؟;՞"  # question marks, the Greek one among them
_MOST_BUTTONS = 3  # of a message; more are on a page, a menu or the notification shade


CALLED_SO = re.compile(r"snack_?bar|toast", re.IGNORECASE)
"""Classes and ids of passing messages."""
_LOWEST = 0.6  # of the screen's height: a passing message begins below that
_HIGHEST = 0.2  # of the screen's height: and is no higher than that
_MOST_ACTIONS = 1
ENOUGH = 3
"""Traits of ``_shared`` that a successor shares with the element that was printed, at least."""
MARGIN = 2
"""Traits by which it leads everything else on the screen."""
_SEARCHED = ("ELEMENT_NOT_FOUND", "STALE_REFERENCE")  # their candidates are near misses
_ANYBODYS = {"", "android"}  # ids that every dialog may have do not say which one is meant
_LONGEST_SAID = 80  # characters of a dialog in a reason


@dataclass(frozen=True)
class Case:
    """A failure as the policies judge it: each is a method that returns its answer, None for none.
    The others are evidence: only facts that can be seen, and no assumptions. ``snapshot`` is the
    screen on which it failed, ``known`` are the system's dialogs."""

    session: RecoveryContext
    failure: Failure
    state: RecoveryState
    snapshot: Snapshot
    known: SystemDialogs

    # --- losses -----------------------------------------------------------------------------------

    def reconnect(self) -> Recovery | None:
        """The phone went offline, did not answer in time or answered nonsense: reconnects, and
        looks again."""
        error = self.failure.error
        for kind, trouble in LOST.items():
            if isinstance(error, kind) and error.recoverable:
                reason = f"{trouble} ({type(error).__name__}: {one_line(what_happened(error))})"
                return Recovery("state_refresh", (Remedy.reconnect(),), reason=reason)
        return None

    def app_crash(self) -> Recovery | None:
        """The app died: starts it again and repeats the step. Only where the test allows
        ``relaunch``, and where the step cannot have taken effect already."""
        failure = self.failure
        if not failure.app or "relaunch" not in self.session.settings.allow:
            return None
        if not failure.idempotent and (failure.sent or failure.check):
            return None  # its effect before it died is not known, and must not happen twice
        reason = self._stopped() or self._left()
        return (
            Recovery("step_back", (Remedy.relaunch(failure.app),), reason=reason)
            if reason
            else None
        )

    def _stopped(self) -> str:
        """Evidence from the system's crash dialog. It names an app by its label; one still in front
        did not crash."""
        app, dialog = self.failure.app, self._dialog()
        if self._first_of(self.known.close_buttons, dialog) is None or self._is_about(dialog):
            return ""
        in_front = any(node.package == app for node in self.snapshot.nodes)
        if in_front or self._first_of(self.known.wait_buttons, dialog) is not None:
            return ""
        return (
            f"the system says that an app stopped ({self._says(dialog)}), and {app} is not in front"
        )

    def _left(self) -> str:
        """Evidence from the home screen: the app is known to have died, or the step's element is a
        part of it. A test that went home on purpose looks for something else there, and a question
        in its name may have the app right behind."""
        failure, front = self.failure, self.snapshot.app
        asks = self.known.from_home_screen and self.snapshot.dialog is not None
        if asks or front == failure.app or HOME.search(front) is None:
            return ""
        died = self._death()
        if died:
            return f"{failure.app} died ({died}), and the home screen ({front}) is in front"
        element = self._meant() or failure.element  # of a check, the element of its action
        if not element and isinstance(failure.target, Selector):
            element = self.session.last_resolved(failure.target)
        in_the_app = element is not None and element.package == failure.app
        if in_the_app or (failure.starts_app and failure.code == "NAVIGATION_NO_CHANGE"):
            went = f"{failure.app} was in front and is gone"
            return f"{went}: the home screen ({front}) is there instead"
        return ""

    def _death(self) -> str:
        """Cause of its death in this test; "" for none known. An app that did not answer for a
        while may live."""
        app = self.failure.app
        try:
            if self.session.died_unexpectedly(app):
                return "it is not running any more; this platform does not report why"
            deaths = [crash for crash in self.session.crashes(app) if crash.kind != "anr"]
        except UNANSWERED:  # the phone reports no crashes
            return ""
        return one_line(deaths[-1].summary) if deaths else ""

    # --- obstructions -----------------------------------------------------------------------------

    def anr_dialog(self) -> Recovery | None:
        """The system asks whether to wait for an app that does not respond: waits, and looks
        again."""
        dialog = self._dialog()
        wait = self._first_of(self.known.wait_buttons, dialog)
        said = "the system said that an app does not respond ({}); given more time"
        return self._tapping(wait, dialog, said)

    def permission_prompt(self) -> Recovery | None:
        """A permission prompt is in the way: answers it as ``permission_prompts`` says ("deny"
        unless set), and looks again. A prompt that the test itself is about is left alone."""
        wanted = ANSWERS.get(self.session.settings.permission_prompts, ())
        if self.failure.action_type == "answer_permission":
            return None
        prompt, offered = self._prompt(), self.known.permission_buttons
        buttons = [each for answer in wanted for each in offered.get(answer, ())]
        button = self._first_of(buttons, prompt)
        said = "a permission prompt was in the way: {}, answered {}"
        return self._tapping(button, prompt, said, "the system asked for a permission")

    def system_dialog(self) -> Recovery | None:
        """A message of the system's own is in the way, with exactly one button that only closes it:
        closes it, and looks again. Never a dialog of the app under test, never a choice between
        two, nor one that says that an app crashed or hangs: a fact for the report, that no button
        may take away."""
        snapshot, known = self.snapshot, self.known
        if snapshot.loading or self._prompt():  # it would be cancelled; another policy answers
            return None
        dialog = self._dialog()
        about_apps = (*known.wait_buttons, *known.close_buttons)
        if any(one in dialog for each in about_apps for one in snapshot.match(each)):
            return None
        said = "a message of the system was in the way: {}, closed by {}"
        return self._tapping(self._button(dialog), dialog, said)

    def _tapping(
        self, button: Element | None, dialog: Collection[Element], said: str, nothing: str = ""
    ) -> Recovery | None:
        """Taps the button of a dialog, unless it is to be left alone. ``said`` has places for what
        the dialog says, else ``nothing``, and for the button."""
        if not button or self._is_about(dialog):
            return None
        reason = said.format(self._says(dialog) or nothing, quoted(button.label))
        return Recovery("state_refresh", (Remedy.tap(button),), reason=reason)

    def _button(self, dialog: Collection[Element]) -> Element | None:
        """The button that closes it, by its label, or, in any language, by its id, which declines
        an offer. "OK" under a question is an answer: "Delete?"."""
        button = _closing_button(dialog) or self._first_of(self.known.declining_buttons, dialog)
        if not button or _word(button) not in CLOSES_ALONE:
            return button
        packages = {element.package for element in dialog}
        texts = [node.words for node in self.snapshot.nodes if node.package in packages]
        said = "".join((*texts, self.snapshot.dialog or ""))
        return None if set(_ASKS) & set(said) else button

    def keyboard(self) -> Recovery | None:
        """The on-screen keyboard covers the target: hides it, and looks again."""
        keyboard, blocker = self.snapshot.keyboard, self.failure.blocker
        if keyboard is None or self.failure.check:
            return None  # a check need not be about the element of its action
        if blocker and not keyboard.contains(blocker.center):
            return None  # something else covers it
        element = self._meant()
        if not element or not keyboard.contains(element.center):
            return None
        reason = f"the on-screen keyboard lay over {element.describe()}"
        return Recovery("state_refresh", (Remedy.hide_keyboard(),), reason=reason)

    def toast(self) -> Recovery | None:
        """A passing message, such as a snackbar, lies over the target: waits until it is gone, and
        looks again."""
        blocker, check, nodes = self.failure.blocker, self.failure.check, self.snapshot.nodes
        if not blocker or (check and check.proves_absence):
            return None
        if nodes[blocker.index : blocker.index + 1] != (blocker.node,):
            return None  # of another screen
        if not self._is_passing(blocker):
            return None
        reason = f"a passing message lay over the target: {blocker.describe()}"
        return Recovery("state_refresh", (Remedy.wait_gone(blocker),), reason=reason)

    def _is_passing(self, blocker: Element) -> bool:
        """Whether the largest part of the screen around it that is no higher than a bar is a bar
        near the bottom that says something and offers at most one thing. It is called a snackbar,
        or hovers over the screen; a part of a panel, or a bar that reaches both sides or the lower
        edge of the screen, stays."""
        snapshot, (width, height) = self.snapshot, self.snapshot.size
        around = (blocker.node, *ancestors(snapshot.nodes, blocker.node))
        bars = list(takewhile(lambda node: node.bounds.height <= height * _HIGHEST, around))
        if not bars:
            return False
        bar, inside = bars[-1], snapshot.below(bars[-1])
        if (
            bar.bounds.top < height * _LOWEST
            or sum(one.clickable for one in inside) > _MOST_ACTIONS
        ):
            return False
        parts = (bar, *inside)
        if not any(one.text and not one.clickable for one in parts):
            return False
        if any(one.states.scrollable or one.states.editable for one in parts):
            return False
        if any(CALLED_SO.search(f"{one.class_name} {one.resource_id}") for one in parts):
            return True
        high = snapshot.nodes[bar.parent].bounds.height if bar.parent >= 0 else height
        hovers = bar.bounds.left > 0 and bar.bounds.right < width and bar.bounds.bottom < height
        return hovers and bar.bounds.width * 2 > width and high * 2 > height

    # --- another look, another way ----------------------------------------------------------------

    def drift(self) -> Recovery | None:
        """The screen was not steady, was loading, or could not be read now and then: looks again,
        once."""
        failure, snapshot = self.failure, self.failure.snapshot
        if failure.error is not None:
            return None
        if snapshot is not None and snapshot.loading:
            reason = "the screen was still loading"
        elif not failure.steady:
            reason = "the screen was still changing: no two reads in a row agreed on it"
        elif failure.failed_reads:
            reads = "1 read" if failure.failed_reads == 1 else f"{failure.failed_reads} reads"
            reason = f"the screen could not be read all of the time ({reads} failed)"
        else:
            return None
        return Recovery("state_refresh", reason=reason)

    def flaky(self) -> Recovery | None:
        """An action did not take, and there is another way. It types a text with missing characters
        key by key, or sets a control in its next mode."""
        failure, tried = self.failure, self.state.attempted.count("retry_adjustment")
        if not failure.retryable:
            return None
        if failure.code == "CONTROL_CONVERGENCE_FAILED":  # it says whether a further mode is left
            params = {"mode": "next", "turn": tried + 1}
            reason = "the control did not reach its value in this mode; another one is left"
        elif failure.code == "ACTION_REJECTED" and failure.other_way and not tried:
            params = dict(failure.other_way)
            reason = "the text did not arrive whole; typed key by key instead"
        else:
            return None
        return Recovery("retry_adjustment", params=params, reason=reason)

    # --- another target, and the same once more ---------------------------------------------------

    def stale(self) -> Recovery | None:
        """A ref is stale: resolves it again if the screen was not steady. Else takes the one
        element of its name in its place or row, if nothing else comes near. "Gone" stays a possible
        answer."""
        if self.failure.code != "STALE_REFERENCE":
            return None
        if not self.failure.steady:
            reason = "the ref was looked up on a screen that was changing"
            return Recovery("re_resolve", reason=reason)
        was = self._meant()
        if not was or (now := _successor(was, self.snapshot)) is None:
            return None
        place = "row" if was.row_title else "place"
        reason = (
            f"{was.describe()} was rebuilt: {now.describe()} alone has its name and its {place}"
        )
        return Recovery("re_resolve", target=now, reason=reason)

    def semantics(self) -> Recovery | None:
        """A control contradicts the role derived for it: resolves it once more by the platform's
        own report alone."""
        reason = (
            "the control did not behave as its role promises; resolved by the platform's own report"
        )
        return Recovery("re_resolve", params={"semantics": "raw"}, reason=reason)

    def ambiguous(self) -> Recovery | None:
        """A selector fits several elements, and meant one of them alone earlier in this test, on
        this screen: takes that one. Without that it stays ambiguous: two candidates are never a
        choice. Nor is one in a window that came over the other's: what was meant there before need
        not be meant now."""
        failure, target = self.failure, self.failure.target
        if failure.code != "AMBIGUOUS_TARGET" or failure.two_places:
            return None
        if not isinstance(target, Selector) or target.any_of or target.has_not:
            return None  # what those meant before says nothing of now
        before = self.session.last_resolved(target)
        traits = before.printed_on if before and not before.fragile else None
        if not before or traits is None or traits.differ(self.snapshot.traits):
            return None
        located = self.snapshot.locate(before)
        chosen = located.element
        if located.verdict not in ("same", "moved") or chosen not in failure.candidates:
            return None
        meant = chosen.describe()
        reason = f"the same selector meant {meant} alone earlier in this test, on this screen"
        return Recovery("alternate_candidate", target=chosen, reason=reason)

    def mismatch(self) -> Recovery | None:
        """A check does not hold on a steady screen, and the test allows ``step_back``: repeats its
        action, once. The session then makes sure that nothing has changed, or that doing it twice
        does no harm."""
        failure = self.failure
        if failure.check and failure.check.denies_effect:
            return None
        if not failure.steady or self.snapshot.loading or failure.error is not None:
            return None
        if "step_back" not in self.session.settings.allow:
            return None
        reason = "the check did not hold, and this test allows its action to be repeated"
        return Recovery("step_back", reason=reason)

    # --- the screen in front ----------------------------------------------------------------------

    def _dialog(self) -> list[Element]:
        """Elements listed in the system's windows. Those of the app under test are the product,
        however they are called. Where the system asks in the home screen's name, only windows
        marked as dialogs count."""
        if self.known.from_home_screen and self.snapshot.dialog is None:
            return []
        packages = self.known.packages - {self.failure.app}
        return [one for one in self.snapshot.elements if one.package in packages]

    def _prompt(self) -> list[Element]:
        """The question whether an app may do something; empty if none is up."""
        # which is heavy, and loaded wherever a policy is asked
        from ..session import permission_prompt

        return permission_prompt(self.known, self.snapshot, {self.failure.app})

    def _first_of(self, buttons: Iterable[Selector], among: Collection[Element]) -> Element | None:
        """The button of the first selector that finds any; None if that one finds several."""
        for button in buttons:
            found = [element for element in self.snapshot.match(button) if element in among]
            if found:
                return _the_one(found)
        return None

    def _is_about(self, dialog: Collection[Element]) -> bool:
        """Whether to leave a dialog alone: the test means it, or the check would come true by its
        removal, or is not about the screen."""
        failure, check = self.failure, self.failure.check
        targets = [failure.target]
        if check:
            if check.proves_absence or not check.about_screen:
                return True
            targets += check.absent
        packages, ids = set[str](), set[str]()
        for one in dialog:
            packages.add(one.package)
            ids.update((one.package, one.resource_id.partition(":")[0]))
        found = () if failure.code in _SEARCHED else failure.candidates
        if any(one and one.package in packages for one in (self._meant(), *found)):
            return True
        return any(self._names(each, packages, ids - _ANYBODYS) for each in targets)

    def _names(self, target: object, packages: set[str], ids: set[str]) -> bool:
        """Whether a target names such an id, or finds something in these packages' windows."""
        if not isinstance(target, Selector):
            return False
        for each in (target, target.android, target.ios):
            if each and (each.resource_id or "").partition(":")[0] in ids:
                return True
        with suppress(ReplicantError):  # an anchor in it that is not on this screen
            return any(one.package in packages for one in self.snapshot.match_labels(target))
        return False

    def _says(self, dialog: Collection[Element]) -> str:
        """Quoted title of a dialog, else its first text; "" if it has none."""
        packages, said = {element.package for element in dialog}, self.snapshot.dialog or ""
        for node in self.snapshot.nodes:
            if not said and not node.clickable and node.package in packages:
                said = node.text or ""
        return quoted(said[:_LONGEST_SAID]) if said else ""

    def _meant(self) -> Element | None:
        """The element that was meant, as last seen; None if that is not known. A near miss of a
        search is not meant, nor is an action's element by a check of something else."""
        failure, check = self.failure, self.failure.check
        if isinstance(failure.target, Element):
            return failure.target
        if check and not check.about_acted:
            return None
        near_miss = failure.code in _SEARCHED and failure.element in failure.candidates
        return None if near_miss else failure.element


def _closing_button(dialog: Collection[Element]) -> Element | None:
    """The one button that only closes it; None if there is none, or a choice."""
    if any(element.states.scrollable or element.states.editable for element in dialog):
        return None  # a page of settings, a shade, a question: no message
    buttons = [element for element in dialog if element.node.clickable]
    if len(buttons) == 1 and _word(buttons[0]) in CLOSES_ALONE:
        return _the_one(buttons)
    closing = [button for button in buttons if _word(button) in CLOSES]
    if len(buttons) > _MOST_BUTTONS:
        return None
    if len(buttons) > 1 and [*map(_word, closing)] == ["cancel"]:  # as of "Open in “Shop”?"
        return None
    return _the_one(closing)


def _word(button: Element) -> str:
    return button.label.strip(" .!").casefold()


def _the_one(elements: Iterable[Element]) -> Element | None:
    """The only one that may be enabled; None for several, since two are never a choice."""
    found = [element for element in elements if element.states.enabled is not False]
    return found[0] if len(found) == 1 else None


def _successor(was: Element, snapshot: Snapshot) -> Element | None:
    """The element that replaced another, under its name but with another class or id. Never one
    that the refs have judged already: the same class, id and name is the element itself, or known
    not to be."""
    screen = was.printed_on
    if was.fragile or not was.name or not screen or screen.differ(snapshot.traits):
        return None
    if snapshot.locate(was).verdict not in ("gone", "replaced"):
        return None
    fitting = [
        each for each in snapshot.elements if each.name == was.name and _in_context(was, each)
    ]
    now = fitting[0] if len(fitting) == 1 else was
    is_alike = (now.resource_id, now.class_name) == (was.resource_id, was.class_name)
    if is_alike or not _does_the_same(was, now):
        return None
    rivals = [each for each in snapshot.elements if each is not now and _does_the_same(was, each)]
    best, others = _shared(was, now), max((_shared(was, each) for each in rivals), default=0)
    return now if best >= ENOUGH and best - others >= MARGIN else None


def _in_context(was: Element, now: Element) -> bool:
    """In a row of the same title that says nothing else, numbers apart: lists of events name one
    thing many times. Outside of rows, where it was, on a card that says nothing else and not under
    the next number: if each card has ids of its own, the control of another one was not rebuilt."""
    if was.package != now.package or was.row_title != now.row_title:
        return False
    if was.row_title:
        before, after = ({mask_numbers(label) for label in each.row} for each in (was, now))
        return before <= after or after <= before
    same_but_numbers = mask_numbers(was.resource_id) == mask_numbers(now.resource_id)
    next_one = was.resource_id != now.resource_id and same_but_numbers
    return _overlap(was, now) and says_the_same(was.card, now.card) and not next_one


def _does_the_same(was: Element, now: Element) -> bool:
    """A heading called "Save" is no successor of the button."""
    one, other = was.node, now.node
    return one.clickable == other.clickable and bool(one.states.editable) == bool(
        other.states.editable
    )


def _shared(was: Element, now: Element) -> int:
    """The number of traits in common, of id, class, name, row and place; the row, as context,
    counts twice."""
    return sum(
        (
            was.resource_id == now.resource_id != "",
            was.class_name == now.class_name,
            was.name == now.name,
            2 * (was.row_title == now.row_title != ""),
            _overlap(was, now),
        )
    )


def _overlap(was: Element, now: Element) -> bool:
    return not was.bounds.intersect(now.bounds).is_empty


@dataclass(frozen=True)
class Policy:
    """A built-in policy, which is a plugin: what ``answers``, by what strategy, to which classes of
    failures, and whether it ``needs_screen``. One that answers ``once`` does not where its strategy
    was tried already."""

    answers: Callable[[Case], Recovery | None]
    strategy: RecoveryStrategy
    classes: tuple[FailureClass, ...] = get_args(FailureClass)
    once: bool = False
    needs_screen: bool = True

    @property
    def name(self) -> str:
        return self.answers.__name__

    @property
    def plugin_name(self) -> str:
        """The name to switch it off by: ``-p no:replicant-recover-toast``."""
        return f"replicant-recover-{self.name.replace('_', '-')}"

    @HookimplMarker("pytest")(trylast=True)
    def pytest_replicant_recover(
        self, session: RecoveryContext, failure: Failure, state: RecoveryState
    ) -> Recovery | None:
        screen = failure.snapshot
        if failure.failure_class not in self.classes or (self.needs_screen and screen is None):
            return None
        answer = self.answers(Case(session, failure, state, screen, session.system_dialogs))
        if not answer or (self.once and self.strategy in state.attempted):
            return None
        return replace(answer, policy=self.name)


POLICIES = (
    Policy(Case.reconnect, "state_refresh", needs_screen=False),
    Policy(Case.app_crash, "step_back"),
    Policy(Case.anr_dialog, "state_refresh"),
    Policy(Case.permission_prompt, "state_refresh"),
    Policy(Case.system_dialog, "state_refresh"),
    Policy(Case.keyboard, "state_refresh"),
    Policy(Case.toast, "state_refresh"),
    Policy(Case.drift, "state_refresh", once=True, needs_screen=False),
    Policy(
        Case.flaky,
        "retry_adjustment",
        ("ExecutionFailure", "ControlConvergenceFailure"),
        needs_screen=False,
    ),
    Policy(Case.stale, "re_resolve", ("TargetResolutionFailure",), once=True),
    Policy(
        Case.semantics, "re_resolve", ("SemanticMismatchFailure",), once=True, needs_screen=False
    ),
    Policy(Case.ambiguous, "alternate_candidate", ("TargetResolutionFailure",), once=True),
    Policy(Case.mismatch, "step_back", ("VerificationFailure",), once=True),
)
"""In the order in which they are asked."""
