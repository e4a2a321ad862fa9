"""The accessibility of the screen: its findings now, and the check that there are none, a
baseline's apart."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from ...drivers import Capability
from ...errors import UNANSWERED, DeviceError, UsageError, did_you_mean, how_to_install
from ...model import Explanation, HasSelector, Selector, decode, encode, one_line, unbound
from ..arguments import as_selector
from ..reachability import hides_the_app
from ..recording.secret_fields import without_secrets
from ..stabilize.reads import read_now
from ..step import SessionContext
from .check import Check, CheckInput, Verdict, undecided, verdict

if TYPE_CHECKING:
    from ...accessibility import Audit, Finding
    from ...model import AuditIssue
    from ...snapshots import Snapshot

Ignored: TypeAlias = "str | Selector | HasSelector | tuple[str, Selector | HasSelector]"
"""A rule, elements, or elements for one rule: ``"touch-target"``, ``by(...)``, ``("touch-target",
by(...))``."""

KIND = "expect_no_accessibility_findings"
_MOST_LINES = 12  # findings in a message
_LONGEST = 300  # characters of one of them
_NO_OCR = f"it needs OCR. Next: {how_to_install('ocr')}"
_NOT_ASKED = "a check asks the phone for it where rules= names it; accessibility_findings() does"
_NOT_IN_CHECKS = (
    "recognised text is no proof, and no check waits for it; accessibility_findings() runs it"
)


@dataclass(frozen=True)
class Wanted:
    """What a call asks for: ``rules`` by name, None for all. ``ignored`` are pairs of a rule, ""
    for all of them, and the elements that it is not to speak of, None for all of them."""

    rules: frozenset[str] | None
    ignored: tuple[tuple[str, Selector | None], ...]

    def fails(self, rule: str) -> bool:
        """Whether a finding of this rule fails a check: of those that were asked for each one
        does."""
        from ...accessibility import RULES

        if self.rules is not None:
            return rule in self.rules
        return rule not in RULES or RULES[rule].fails

    def skips(self, rule: str) -> bool:
        """Whether a rule is to be ignored for all elements, so that it need not be run."""
        return (rule, None) in self.ignored

    def kept(self, found: Sequence[Finding], snapshot: Snapshot) -> list[Finding]:
        """The findings that are not to be ignored."""

        @cache  # looked for once, and only where a finding of that rule is there
        def refs(meant: Selector) -> set[str]:
            return {one.ref for one in snapshot.match_labels(meant)}

        kept = list(found)
        for rule, meant in self.ignored:
            for one in kept:
                if rule in ("", one.rule) and (meant is None or one.ref in refs(meant)):
                    kept = [each for each in kept if each is not one]
        return kept


def wanted_of(kind: str, context: SessionContext, rules: object, ignore: object) -> Wanted:
    """The arguments of a call. Raises ``UsageError`` for a rule that there is not, and for no
    element."""
    named = None
    if rules is not None:
        if not isinstance(rules, Collection) or isinstance(rules, str) or not rules:
            raise UsageError(
                f'{kind}(rules={rules!r}): give a list of rules, such as ["missing-label"]'
            )
        named = frozenset(_rule(kind, "rules", name) for name in rules)
    given = [ignore] if isinstance(ignore, str) or isinstance(unbound(ignore), Selector) else ignore
    if isinstance(given, tuple) and len(given) == 2 and not isinstance(given[1], (str, tuple)):
        given = [given] if isinstance(given[0], str) else given  # a pair
    if not isinstance(given, (list, tuple)):
        raise UsageError(f"{kind}(ignore={ignore!r}): give a list of rules and of by(...)")
    return Wanted(named, tuple(_ignored(kind, context, one) for one in given))


def _ignored(kind: str, context: SessionContext, given: object) -> tuple[str, Selector | None]:
    if isinstance(given, str):
        return _rule(kind, "ignore", given), None
    rule, meant = given if isinstance(given, tuple) and len(given) == 2 else ("", given)
    return _rule(kind, "ignore", rule) if rule else "", context.as_recorded(
        as_selector(kind, meant, {})
    )


def _rule(kind: str, name: str, given: object) -> str:
    from ...accessibility import RULES

    if not isinstance(given, str) or given not in RULES:
        meant = did_you_mean(str(given), RULES, form='"{}"')
        raise UsageError(
            f"{kind}({name}=...): there is no rule {given!r}.{meant} There are: {', '.join(RULES)}."
        )
    return given


# --- the audit of a screen ------------------------------------------------------------------------


def audit_of(context: SessionContext, snapshot: Snapshot, wanted: Wanted, *, checks: bool) -> Audit:
    """Audits a screen that was just read by its hierarchy and a picture of it; unless it ``checks``
    it, by the texts that are drawn on that as well, if the extra for that is installed, and with
    crops. No secret is in what it says, nor in its crops. Raises ``DeviceError`` if there is no
    picture, and a rule that was named needs it."""
    from ...accessibility import RULES, findings
    from ...vision import drawn_texts, has_ocr

    redactor = context.recorder.redactor
    rules = frozenset(name for name in wanted.rules or RULES if not wanted.skips(name))
    asked = any(RULES[rule].needs == "ocr" for rule in rules)
    png, no_picture, read = None, "", None
    try:
        png = context.picture(snapshot)
    except DeviceError as error:
        if any(rule.needs == "picture" and wanted.fails(name) for name, rule in RULES.items()):
            raise
        no_picture = f"there is no screenshot: {one_line(str(error), _LONGEST)}"
    if png is not None and asked and not checks:
        read = without_secrets(drawn_texts(png), redactor) if has_ocr() else None
    issues, why_not = _issues_of_phone(context, snapshot, wanted, checked=checks)
    found = findings(
        snapshot,
        density=context.driver.info.to_dict()["density"],
        picture=png,
        texts=read,
        rules=rules,
        why={
            "ocr": _NOT_IN_CHECKS if checks else _NO_OCR,
            "phone": why_not,
            "picture": no_picture,
        },
        issues=issues,
        crops=not checks,
    )
    kept, text = [], redactor.text
    for one in wanted.kept(found.findings, snapshot):
        message, label, screen, key = map(text, (one.message, one.label, one.screen, one.key))
        hidden = replace(one, message=message, label=label, screen=screen, key=key)
        kept.append(replace(hidden, locator=text(one.locator, code=True)))
    return replace(found, findings=tuple(kept))


def _issues_of_phone(
    context: SessionContext, snapshot: Snapshot, wanted: Wanted, *, checked: bool
) -> tuple[Sequence[AuditIssue] | None, str]:
    """What the phone's own audit says of the screen, else None and why it says nothing. A check
    asks for it where the test names its rule: it takes seconds, and fails nothing by default."""
    from ...accessibility import APPLE_RULE

    asked = not checked if wanted.rules is None else APPLE_RULE in wanted.rules
    if snapshot.platform != "ios" or not asked or wanted.skips(APPLE_RULE):
        return None, _NOT_ASKED if checked else ""
    driver = context.driver
    if Capability.AUDIT not in driver.capabilities:
        came = "it came with iOS 17 and WebDriverAgent of Xcode 15"
        return None, f"{came}; this is iOS {driver.info.os_version}"
    try:
        issues = driver.accessibility_audit()
    except UNANSWERED as error:  # which says nothing of the screen
        return None, one_line(str(error), _LONGEST)
    if read_now(context).snapshot.fingerprint != snapshot.fingerprint:
        return None, "the screen changed while the phone looked at it"
    return issues, ""


# --- the check ------------------------------------------------------------------------------------


class NoFindings:
    """The check that no rule which fails a test speaks against the screen, a baseline's findings
    apart. Where the baseline is to be written, it holds as soon as two reads show the same
    findings."""

    def __init__(self, context: SessionContext, wanted: Wanted, baseline: object) -> None:
        """Raises ``UsageError`` for a baseline that is missing, or none."""
        self._context, self._wanted = context, wanted
        self._file = _Baseline.of(context, baseline)
        self._known = self._file.known()
        self._seen: list[Finding] | None = None  # on the last read

    def check(self) -> Check:
        rules = "" if self._wanted.rules is None else f" of {', '.join(sorted(self._wanted.rules))}"
        return Check(
            KIND,
            f"none{rules}{f' but those in {self._file.shown}' if self._file.shown else ''}",
            problem="accessibility",
            verifies=False,
            proves_absence=True,
            test=self._judged,
        )

    def keep(self) -> None:
        """Has the findings of the last read written to the baseline, where this run writes it."""
        if self._file.updates:
            self._file.propose(self._seen or [])

    def _judged(self, look: CheckInput) -> Verdict:
        if not look.now:
            return undecided("of a screen of the past there is no picture")
        doubt = _unfinished(self._context, look.snapshot)
        if doubt:
            return undecided(doubt)
        audit = audit_of(self._context, look.snapshot, self._wanted, checks=True)
        for rule in sorted(self._wanted.rules or ()):
            if rule in audit.not_run:
                return undecided(f"{rule} was not run: {audit.not_run[rule]}")
        if not audit.ran:
            return undecided("none of these rules is about screens of this platform")
        failing = [one for one in audit.findings if self._wanted.fails(one.rule)]
        new = [one for one in failing if one.key not in self._known]
        facts = {"findings": [str(one) for one in audit.findings], "rules": list(audit.ran)}
        observed = replace(audit, findings=tuple(new)).summary
        if len(failing) > len(new):
            observed += f"; in the baseline: {len(failing) - len(new)}"
        if len(audit.findings) > len(failing):
            observed += f"; reported alone: {len(audit.findings) - len(failing)}"
        held = not new
        if self._file.updates:
            before, self._seen = self._seen, failing
            held = before is not None and [one.key for one in before] == [
                one.key for one in failing
            ]
        lines = [f"  {one_line(str(one), _LONGEST)}" for one in new[:_MOST_LINES]]
        if len(new) > _MOST_LINES:
            lines.append(f"  … {len(new) - _MOST_LINES} more …")
        return verdict(held, observed, facts, more=Explanation(tuple(lines)))


def _unfinished(context: SessionContext, snapshot: Snapshot) -> str:
    """Why the screen cannot be judged as a whole; "" if it can."""
    if snapshot.limit:
        return snapshot.limit
    if snapshot.app in context.driver.system_dialogs.packages and snapshot.app != context.app:
        return f"a window of {snapshot.app} is in front, and not the app"
    if snapshot.platform == "ios" and hides_the_app(snapshot):
        return "a dialog of the system is in front, and not the app"
    if not snapshot.elements:
        return "there is no element on this screen"
    return "the screen is loading, and may still bring more" if snapshot.loading else ""


@dataclass(frozen=True)
class _File:
    """What a baseline holds: the message of each known finding by its key."""

    findings: Mapping[str, str]


@dataclass(frozen=True)
class _Baseline:
    """A file of findings that are known. ``updates``: this run writes it."""

    context: SessionContext
    path: Path
    shown: str
    updates: bool

    @classmethod
    def of(cls, context: SessionContext, given: object) -> _Baseline:
        """That of no file if none is given. Raises ``UsageError`` for anything but the path of a
        JSON file."""
        if given is None:
            return cls(context, Path(), "", updates=False)
        if not isinstance(given, (str, Path)) or Path(given).suffix != ".json":
            raise UsageError(
                f'{KIND}(baseline={given!r}): give the path of a JSON file, as "accessibility.json"'
            )
        files = context.baselines
        if files is None:
            return cls(context, Path(given), str(given), updates=False)
        path = files.folder("accessibility").parent.parent / given  # next to the file of the test
        return cls(context, path, files.shown(path), files.updates("accessibility"))

    def known(self) -> Mapping[str, str]:
        """What the file holds. Raises ``UsageError`` for one that is missing, unless it is to be
        written, for one that cannot be read, and for one that is no baseline."""
        try:
            return _read(self.path.read_bytes(), self.shown) if self.shown else {}
        except FileNotFoundError:
            if self.updates:
                return {}
            raise UsageError(
                f"{KIND}: there is no baseline {self.shown}. Next: run this test once with "
                "--replicant-update=accessibility, and look at what that wrote"
            ) from None
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or error
            raise UsageError(f"{KIND}: the baseline {self.shown} cannot be read: {why}") from None

    def propose(self, found: Sequence[Finding]) -> None:
        """Has these findings added to the file when the test has ended green."""
        new = {one.key: one.message for one in found}

        def make(present: bytes | None) -> bytes:
            known = {**(_read(present, self.shown) if present else {}), **new}
            return encode(_File(dict(sorted(known.items()))), indent=1)

        if self.context.baselines is not None:
            self.context.baselines.propose(self.path, make)


def _read(data: bytes, shown: str) -> Mapping[str, str]:
    try:
        file = decode(_File, data)
    except ValueError as error:
        raise UsageError(f"{KIND}: {shown} is no baseline: {error}") from None
    return file.findings
