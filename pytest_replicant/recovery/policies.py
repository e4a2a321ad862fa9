"""The built-in policies, in the order in which they are asked: losses, obstructions, another look,
another way, another target, and the same once more."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import TYPE_CHECKING, TypeAlias, get_args

from pluggy import HookimplMarker

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
    AnyDict,
    Element,
    Failure,
    FailureClass,
    Node,
    Recovery,
    RecoveryState,
    RecoveryStrategy,
    Remedy,
    Selector,
    ancestors,
    one_line,
    quoted,
)
from ..snapshots import mask_numbers
from ..snapshots.identity.cards import says_the_same

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from ..drivers import PermissionAnswer, SystemDialogs
    from ..session import RecoveryContext
    from ..snapshots import Snapshot

_Answers: TypeAlias = "Callable[[RecoveryContext, Failure, RecoveryState], Recovery | None]"


@dataclass(frozen=True)
class Policy:
    """A built-in policy, which is a plugin: what ``answers``, by what strategy, and to which
    classes of failures. One that answers ``once`` does not where its strategy was tried already."""

    answers: _Answers
    strategy: RecoveryStrategy
    classes: tuple[FailureClass, ...] = get_args(FailureClass)
    once: bool = False

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
        if failure.failure_class not in self.classes or (
            self.once and self.strategy in state.attempted
        ):
            return None
        answer = self.answers(session, failure, state)
        return replace(answer, policy=self.name) if answer is not None else None


LOST: dict[type[DeviceError], str] = {
    DeviceOffline: "the connection to the phone was lost",
    DeviceTimeout: "the phone did not answer in time",
    ProtocolError: "the phone's answer could not be used",
}
"""Errors that a new connection may fix. A phone that is busy, absent or unable stays so."""


def reconnect(session: RecoveryContext, failure: Failure, state: RecoveryState) -> Recovery | None:
    """The phone went offline, did not answer in time or answered nonsense: reconnects, and looks
    again."""
    error = failure.error
    trouble = next((words for kind, words in LOST.items() if isinstance(error, kind)), "")
    if not trouble or not getattr(error, "recoverable", True):
        return None
    reason = f"{trouble} ({type(error).__name__}: {one_line(what_happened(error))})"
    return Recovery("state_refresh", before=(Remedy.reconnect(),), reason=reason)


HOME = re.compile(r"launcher[^.]*$|\.(?:home|trebuchet|springboard)$", re.IGNORECASE)
"""Packages of home screens, by the names that makers give them."""


def app_crash(session: RecoveryContext, failure: Failure, state: RecoveryState) -> Recovery | None:
    """The app died: starts it again and repeats the step. Only where the test allows ``relaunch``,
    and where the step cannot have taken effect already."""
    snapshot = _screen_of(failure)
    if snapshot is None or not failure.app or "relaunch" not in session.settings.allow:
        return None
    if not failure.idempotent and (failure.sent or failure.check is not None):
        return None  # its effect before it died is not known, and must not happen twice
    reason = _stopped(session, failure, snapshot) or _left(session, failure, snapshot)
    if not reason:
        return None
    return Recovery("step_back", before=(Remedy.relaunch(failure.app),), reason=reason)


def _stopped(session: RecoveryContext, failure: Failure, snapshot: Snapshot) -> str:
    """Evidence from the system's crash dialog. It names an app by its label; one still in front did
    not crash."""
    known = session.system_dialogs
    dialog = _of_packages(known, snapshot, known.packages, failure)
    if _first_of(snapshot, known.close_buttons, dialog) is None or _is_about(
        failure, snapshot, dialog
    ):
        return ""
    in_front = any(node.package == failure.app for node in snapshot.nodes)
    if in_front or _first_of(snapshot, known.wait_buttons, dialog) is not None:
        return ""
    return (
        f"the system says that an app stopped ({_says(snapshot, dialog)}), and {failure.app} is "
        "not in front"
    )


def _left(session: RecoveryContext, failure: Failure, snapshot: Snapshot) -> str:
    """Evidence from the home screen: the app is known to have died, or the step's element is a part
    of it. A test that went home on purpose looks for something else there."""
    if snapshot.app == failure.app or not _is_home(session.system_dialogs, snapshot):
        return ""
    died = _death(session, failure.app)
    if died:
        return f"{failure.app} died ({died}), and the home screen ({snapshot.app}) is in front"
    element = _meant(failure) or failure.element  # of a check, the element of its action
    if element is None and isinstance(failure.target, Selector):
        element = session.last_resolved(failure.target)
    in_the_app = element is not None and element.package == failure.app
    if not (in_the_app or (failure.starts_app and failure.code == "NAVIGATION_NO_CHANGE")):
        return ""
    return (
        f"{failure.app} was in front and is gone: the home screen ({snapshot.app}) is there instead"
    )


def _is_home(known: SystemDialogs, snapshot: Snapshot) -> bool:
    """Whether the home screen is shown, and not a question in its name with the app right
    behind."""
    asks = known.from_home_screen and snapshot.dialog is not None
    return not asks and HOME.search(snapshot.app) is not None


def _death(session: RecoveryContext, app: str) -> str:
    """Cause of its death in this test; "" for none known. An app that did not answer for a while
    may live."""
    try:
        if session.died_unexpectedly(app):
            return "it is not running any more; this platform does not report why"
        deaths = [crash for crash in session.crashes(app) if crash.kind != "anr"]
    except UNANSWERED:  # the phone reports no crashes
        return ""
    return one_line(deaths[-1].summary) if deaths else ""


def anr_dialog(session: RecoveryContext, failure: Failure, state: RecoveryState) -> Recovery | None:
    """The system asks whether to wait for an app that does not respond: waits, and looks again."""
    snapshot = _screen_of(failure)
    if snapshot is None:
        return None
    known = session.system_dialogs
    dialog = _of_packages(known, snapshot, known.packages, failure)
    wait = _first_of(snapshot, known.wait_buttons, dialog)
    if wait is None or _is_about(failure, snapshot, dialog):
        return None
    reason = (
        f"the system said that an app does not respond ({_says(snapshot, dialog)}); given more time"
    )
    return Recovery("state_refresh", before=(Remedy.tap(wait),), reason=reason)


ANSWERS: dict[str, tuple[PermissionAnswer, ...]] = {
    "deny": ("deny",),
    "allow": ("allow", "allow_once"),
}
"""Answers by the setting ``permission_prompts``, the first that the prompt offers. "leave" answers
nothing."""


def permission_prompt(
    session: RecoveryContext, failure: Failure, state: RecoveryState
) -> Recovery | None:
    """A permission prompt is in the way: answers it as ``permission_prompts`` says ("deny" unless
    set), and looks again. A prompt that the test itself is about is left alone."""
    snapshot = _screen_of(failure)
    wanted = ANSWERS.get(session.settings.permission_prompts, ())
    if snapshot is None or not wanted or failure.action_type == "answer_permission":
        return None
    known = session.system_dialogs
    prompt = _permission_prompt_on(known, snapshot, failure)
    buttons = [each for answer in wanted for each in known.permission_buttons.get(answer, ())]
    button = _first_of(snapshot, buttons, prompt)
    if button is None or _is_about(failure, snapshot, prompt):
        return None
    asked = _says(snapshot, prompt) or "the system asked for a permission"
    reason = f"a permission prompt was in the way: {asked}, answered {quoted(button.label)}"
    return Recovery("state_refresh", before=(Remedy.tap(button),), reason=reason)


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


def system_dialog(
    session: RecoveryContext, failure: Failure, state: RecoveryState
) -> Recovery | None:
    """A message of the system's own is in the way, with exactly one button that only closes it:
    closes it, and looks again. Never a dialog of the app under test, never a choice between two."""
    snapshot = _screen_of(failure)
    if snapshot is None or snapshot.loading:  # a running operation would be cancelled, not closed
        return None
    known = session.system_dialogs
    asks = _permission_prompt_on(known, snapshot, failure)  # which another policy answers
    dialog = [] if asks else _of_packages(known, snapshot, known.packages, failure)
    button = None if _is_about_apps(known, snapshot, dialog) else _button(known, snapshot, dialog)
    if button is None or _is_about(failure, snapshot, dialog):
        return None
    reason = (
        f"a message of the system was in the way: {_says(snapshot, dialog)}, closed by "
        f"{quoted(button.label)}"
    )
    return Recovery("state_refresh", before=(Remedy.tap(button),), reason=reason)


def _button(
    known: SystemDialogs, snapshot: Snapshot, dialog: Collection[Element]
) -> Element | None:
    """The button that closes it, by its label, or, in any language, by its id, which declines an
    offer. "OK" under a question is an answer: "Delete?"."""
    button = _closing_button(dialog) or _first_of(snapshot, known.declining_buttons, dialog)
    packages = {element.package for element in dialog}
    texts = [node.words for node in snapshot.nodes if node.package in packages]
    asks = any(mark in text for text in (*texts, snapshot.dialog or "") for mark in _ASKS)
    return None if button is not None and _word(button) in CLOSES_ALONE and asks else button


def _closing_button(dialog: Collection[Element]) -> Element | None:
    """The one button that only closes it; None if there is none, or a choice."""
    if any(element.states.scrollable or element.states.editable for element in dialog):
        return None  # a page of settings, a shade, a question: no message
    buttons = [element for element in dialog if element.node.clickable]
    if len(buttons) > _MOST_BUTTONS:
        return None
    return _the_one(_closing(buttons))


def _closing(buttons: list[Element]) -> list[Element]:
    words = [_word(button) for button in buttons]
    if len(words) == 1 and words[0] in CLOSES_ALONE:
        return buttons
    closing = [button for button, word in zip(buttons, words, strict=True) if word in CLOSES]
    is_choice = len(buttons) > 1 and [_word(each) for each in closing] == [
        "cancel"
    ]  # as of "Open in “Shop”?"
    return [] if is_choice else closing


def _word(button: Element) -> str:
    return button.label.strip(" .!").casefold()


def _is_about_apps(known: SystemDialogs, snapshot: Snapshot, dialog: Collection[Element]) -> bool:
    """Whether it says that an app crashed or hangs: a fact for the report, that no button may take
    away."""
    return any(
        e in dialog
        for each in (*known.wait_buttons, *known.close_buttons)
        for e in snapshot.match(each)
    )


def keyboard(session: RecoveryContext, failure: Failure, state: RecoveryState) -> Recovery | None:
    """The on-screen keyboard covers the target: hides it, and looks again."""
    snapshot = _screen_of(failure)
    if snapshot is None or snapshot.keyboard is None or failure.check is not None:
        return None  # a check need not be about the element of its action
    if failure.blocker is not None and not snapshot.keyboard.contains(failure.blocker.center):
        return None  # something else covers it
    element = _meant(failure)
    if element is None or not snapshot.keyboard.contains(element.center):
        return None
    reason = f"the on-screen keyboard lay over {element.describe()}"
    return Recovery("state_refresh", before=(Remedy.hide_keyboard(),), reason=reason)


CALLED_SO = re.compile(r"snack_?bar|toast", re.IGNORECASE)
"""Classes and ids of passing messages."""

_LOWEST = 0.6  # of the screen's height: a passing message begins below that
_HIGHEST = 0.2  # of the screen's height: and is no higher than that
_MOST_ACTIONS = 1


def toast(session: RecoveryContext, failure: Failure, state: RecoveryState) -> Recovery | None:
    """A passing message, such as a snackbar, lies over the target: waits until it is gone, and
    looks again."""
    snapshot, blocker = _screen_of(failure), failure.blocker
    if (
        snapshot is None
        or blocker is None
        or (failure.check is not None and failure.check.proves_absence)
    ):
        return None
    if (
        not 0 <= blocker.index < len(snapshot.nodes)
        or snapshot.nodes[blocker.index] != blocker.node
    ):
        return None  # of another screen
    bar = _bar_of(snapshot, blocker)
    if bar is None or not _is_passing(snapshot, bar):
        return None
    reason = f"a passing message lay over the target: {blocker.describe()}"
    return Recovery("state_refresh", before=(Remedy.wait_gone(blocker),), reason=reason)


def _is_passing(snapshot: Snapshot, bar: Node) -> bool:
    """A bar near the bottom that says something and offers at most one thing. It is called a
    snackbar, or hovers over the screen; a part of a panel, or a bar that reaches both sides or the
    lower edge of the screen, stays."""
    width, height = snapshot.size
    inside = snapshot.below(bar)
    if not any(node.text and not node.clickable for node in (bar, *inside)):
        return False
    if sum(node.clickable for node in inside) > _MOST_ACTIONS:
        return False
    if any(node.states.scrollable or node.states.editable for node in (bar, *inside)):
        return False
    if bar.bounds.top < height * _LOWEST:
        return False
    called_so = any(
        CALLED_SO.search(f"{node.class_name} {node.resource_id}") for node in (bar, *inside)
    )
    around = snapshot.nodes[bar.parent].bounds.height if bar.parent >= 0 else height
    hovers = bar.bounds.left > 0 and bar.bounds.right < width and bar.bounds.bottom < height
    return called_so or (hovers and bar.bounds.width * 2 > width and around * 2 > height)


def _bar_of(snapshot: Snapshot, blocker: Element) -> Node | None:
    """The largest part of the screen around the blocking element that is no higher than a bar."""
    highest = snapshot.size[1] * _HIGHEST
    around = (blocker.node, *ancestors(snapshot.nodes, blocker.node))
    bars = list(takewhile(lambda node: node.bounds.height <= highest, around))
    return bars[-1] if bars else None


def drift(session: RecoveryContext, failure: Failure, state: RecoveryState) -> Recovery | None:
    """The screen was not steady, was loading, or could not be read now and then: looks again,
    once."""
    if failure.error is not None:
        return None
    reason = _drifted(failure)
    return Recovery("state_refresh", reason=reason) if reason else None


def _drifted(failure: Failure) -> str:
    snapshot = _screen_of(failure)
    if snapshot is not None and snapshot.loading:
        return "the screen was still loading"
    if not failure.steady:
        return "the screen was still changing: no two reads in a row agreed on it"
    if failure.failed_reads:
        reads = "1 read" if failure.failed_reads == 1 else f"{failure.failed_reads} reads"
        return f"the screen could not be read all of the time ({reads} failed)"
    return ""


def flaky(session: RecoveryContext, failure: Failure, state: RecoveryState) -> Recovery | None:
    """An action did not take, and there is another way. It types a text with missing characters key
    by key, or sets a control in its next mode."""
    if not failure.retryable:
        return None
    tried = state.attempted.count("retry_adjustment")
    params: AnyDict
    if (
        failure.code == "CONTROL_CONVERGENCE_FAILED"
    ):  # the failure says whether a further mode is left
        params = {"mode": "next", "turn": tried + 1}
        reason = "the control did not reach its value in this mode; another one is left"
    elif failure.code == "ACTION_REJECTED" and failure.other_way and not tried:
        params, reason = (
            dict(failure.other_way),
            "the text did not arrive whole; typed key by key instead",
        )
    else:
        return None
    return Recovery("retry_adjustment", params=params, reason=reason)


ENOUGH = 3
"""Traits of ``_shared`` that a successor shares with the element that was printed, at least."""
MARGIN = 2
"""Traits by which it leads everything else on the screen."""


def stale(session: RecoveryContext, failure: Failure, state: RecoveryState) -> Recovery | None:
    """A ref is stale: resolves it again if the screen was not steady. Else takes the one element of
    its name in its place or row, if nothing else comes near. "Gone" stays a possible answer."""
    snapshot = _screen_of(failure)
    if failure.code != "STALE_REFERENCE" or snapshot is None:
        return None
    if not failure.steady:
        return Recovery("re_resolve", reason="the ref was looked up on a screen that was changing")
    was = _meant(failure)
    if was is None or (now := _successor(was, snapshot)) is None:
        return None
    place = "row" if was.row_title else "place"
    reason = f"{was.describe()} was rebuilt: {now.describe()} alone has its name and its {place}"
    return Recovery("re_resolve", target=now, reason=reason)


def _successor(was: Element, snapshot: Snapshot) -> Element | None:
    """The element that replaced another, under its name but with another class or id. Never one
    that the refs have judged already: the same class, id and name is the element itself, or known
    not to be."""
    screen = was.printed_on
    if was.fragile or not was.name or screen is None or screen.differ(snapshot.traits):
        return None
    if snapshot.locate(was).verdict not in ("gone", "replaced"):
        return None
    fitting = [
        each for each in snapshot.elements if each.name == was.name and _in_context(was, each)
    ]
    if len(fitting) != 1 or _kind(fitting[0]) == _kind(was) or not _does_the_same(was, fitting[0]):
        return None
    best = _shared(was, fitting[0])
    rivals = [
        each for each in snapshot.elements if each is not fitting[0] and _does_the_same(was, each)
    ]
    others = max((_shared(was, each) for each in rivals), default=0)
    return fitting[0] if best >= ENOUGH and best - others >= MARGIN else None


def _kind(element: Element) -> tuple[str, str]:
    return element.resource_id, element.class_name


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


def semantics(session: RecoveryContext, failure: Failure, state: RecoveryState) -> Recovery | None:
    """A control contradicts the role derived for it: resolves it once more by the platform's own
    report alone."""
    reason = (
        "the control did not behave as its role promises; resolved by the platform's own report"
    )
    return Recovery("re_resolve", params={"semantics": "raw"}, reason=reason)


UNTOUCHED = frozenset({"same", "moved"})
"""Verdicts of an element that did not change."""


def ambiguous(session: RecoveryContext, failure: Failure, state: RecoveryState) -> Recovery | None:
    """A selector fits several elements, and meant one of them alone earlier in this test, on this
    screen: takes that one. Without that it stays ambiguous: two candidates are never a choice. Nor
    is one in a window that came over the other's: what was meant there before need not be meant
    now."""
    snapshot = _screen_of(failure)
    if failure.code != "AMBIGUOUS_TARGET" or snapshot is None:
        return None
    if failure.two_places or not isinstance(failure.target, Selector):
        return None
    if failure.target.any_of or failure.target.has_not:  # what it meant before says nothing of now
        return None
    before = session.last_resolved(failure.target)
    chosen = None if before is None else _again(before, snapshot)
    if chosen is None or chosen not in failure.candidates:
        return None
    reason = (
        f"the same selector meant {chosen.describe()} alone earlier in this test, on this screen"
    )
    return Recovery("alternate_candidate", target=chosen, reason=reason)


def _again(before: Element, snapshot: Snapshot) -> Element | None:
    """The element of then on the screen of now, if nothing about it is in doubt."""
    traits = before.printed_on
    if before.fragile or traits is None or traits.differ(snapshot.traits):
        return None
    located = snapshot.locate(before)
    if located.element is None or located.verdict not in UNTOUCHED:
        return None
    return located.element


def mismatch(session: RecoveryContext, failure: Failure, state: RecoveryState) -> Recovery | None:
    """A check does not hold on a steady screen, and the test allows ``step_back``: repeats its
    action, once. The session then makes sure that nothing has changed, or that doing it twice does
    no harm."""
    if failure.check is not None and failure.check.denies_effect:
        return None
    snapshot = _screen_of(failure)
    if snapshot is None or not failure.steady or snapshot.loading or failure.error is not None:
        return None
    if "step_back" not in session.settings.allow:
        return None
    reason = "the check did not hold, and this test allows its action to be repeated"
    return Recovery("step_back", reason=reason)


POLICIES = (
    Policy(reconnect, "state_refresh"),
    Policy(app_crash, "step_back"),
    Policy(anr_dialog, "state_refresh"),
    Policy(permission_prompt, "state_refresh"),
    Policy(system_dialog, "state_refresh"),
    Policy(keyboard, "state_refresh"),
    Policy(toast, "state_refresh"),
    Policy(drift, "state_refresh", once=True),
    Policy(flaky, "retry_adjustment", ("ExecutionFailure", "ControlConvergenceFailure")),
    Policy(stale, "re_resolve", ("TargetResolutionFailure",), once=True),
    Policy(semantics, "re_resolve", ("SemanticMismatchFailure",), once=True),
    Policy(ambiguous, "alternate_candidate", ("TargetResolutionFailure",), once=True),
    Policy(mismatch, "step_back", ("VerificationFailure",), once=True),
)
"""In the order in which they are asked."""


# --- evidence in a failure: only facts that can be seen, and no assumptions -----------------------

_SEARCHED = ("ELEMENT_NOT_FOUND", "STALE_REFERENCE")  # their candidates are near misses
_ANYBODYS = {"", "android"}  # ids that every dialog may have do not say which one is meant
_LONGEST_SAID = 80  # characters of a dialog in a reason


def _screen_of(failure: Failure) -> Snapshot | None:
    """The screen on which it failed; None if nothing could be read."""
    snapshot: Snapshot | None = failure.snapshot
    return snapshot


def _of_packages(
    known: SystemDialogs, snapshot: Snapshot, packages: Collection[str], failure: Failure
) -> list[Element]:
    """Elements listed in these packages' windows. Those of the app under test are the product,
    however they are called. Where the system asks in the home screen's name, only windows marked as
    dialogs count."""
    own = failure.app
    if known.from_home_screen and snapshot.dialog is None:
        return []
    return [e for e in snapshot.elements if e.package in packages and e.package != own]


def _permission_prompt_on(
    known: SystemDialogs, snapshot: Snapshot, failure: Failure
) -> list[Element]:
    """The question whether an app may do something; empty if none is up."""
    from ..session import (
        permission_prompt as shown,
    )  # which is heavy, and loaded wherever a policy is asked

    return shown(known, snapshot, {failure.app})


def _the_one(elements: Iterable[Element]) -> Element | None:
    """The only one that may be enabled; None for several, since two are never a choice."""
    found = [element for element in elements if element.states.enabled is not False]
    return found[0] if len(found) == 1 else None


def _first_of(
    snapshot: Snapshot, buttons: Iterable[Selector], among: Collection[Element]
) -> Element | None:
    """The button of the first selector that finds any; None if that one finds several."""
    for button in buttons:
        found = [element for element in snapshot.match(button) if element in among]
        if found:
            return _the_one(found)
    return None


def _is_about(failure: Failure, snapshot: Snapshot, dialog: Collection[Element]) -> bool:
    """Whether to leave a dialog alone: the test means it, or the check would come true by its
    removal, or is not about the screen."""
    if failure.check is not None and (
        failure.check.proves_absence or not failure.check.about_screen
    ):
        return True
    packages, ids = {e.package for e in dialog}, {e.resource_id.partition(":")[0] for e in dialog}
    found = () if failure.code in _SEARCHED else failure.candidates
    if any(each is not None and each.package in packages for each in (_meant(failure), *found)):
        return True
    absent = failure.check.absent if failure.check is not None else ()
    named = [target for target in (failure.target, *absent) if isinstance(target, Selector)]
    if any(
        name.partition(":")[0] in (packages | ids) - _ANYBODYS
        for each in named
        for name in _ids(each)
    ):
        return True
    return any(_finds(snapshot, target, packages) for target in named)


def _finds(snapshot: Snapshot, target: Selector, packages: Collection[str]) -> bool:
    try:
        return any(element.package in packages for element in snapshot.match_labels(target))
    except ReplicantError:  # an anchor in it that is not on this screen
        return False


def _says(snapshot: Snapshot, dialog: Collection[Element]) -> str:
    """Quoted title of a dialog, else its first text; "" if it has none."""
    packages = {element.package for element in dialog}
    texts = (
        node.text
        for node in snapshot.nodes
        if node.text and not node.clickable and node.package in packages
    )
    said = snapshot.dialog or next(texts, "")
    return quoted(said[:_LONGEST_SAID]) if said else ""


def _meant(failure: Failure) -> Element | None:
    """The element that was meant, as last seen; None if that is not known. A near miss of a search
    is not meant, nor is an action's element by a check of something else."""
    if isinstance(failure.target, Element):
        return failure.target
    near_miss = failure.code in _SEARCHED and failure.element in failure.candidates
    other = failure.check is not None and not failure.check.about_acted
    return None if near_miss or other else failure.element


def _ids(selector: Selector) -> Iterator[str]:
    for each in (selector, selector.android, selector.ios):
        if each is not None and each.resource_id:
            yield each.resource_id
