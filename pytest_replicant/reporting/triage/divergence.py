"""How a failed run of a test parted from its last pass, as ``trace.json`` and every report hold it."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from .comparison import Walk
from .evidence import Evidence, evidence_of
from .wording import no_pass, sentence

if TYPE_CHECKING:
    from ...model import Redactor
    from .recorded_run import RecordedRun


@dataclass(frozen=True)
class Divergence:
    """``sentence`` says it, ``step`` is the anchor in the trace page of this run, "" where no step of it is meant.
    ``baseline`` says which pass it was compared with, "" where none was at hand."""

    sentence: str
    step: str = ""
    baseline: str = ""
    evidence: tuple[Evidence, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """As ``trace.json`` holds it."""
        evidence = [{"kind": one.kind, "text": one.text, "lines": list(one.lines)} for one in self.evidence]
        return {**asdict(self), "evidence": evidence}

    def redacted(self, redactor: Redactor) -> Divergence:
        """The pass was written with the secrets that were known then; there may be more by now."""
        evidence = tuple(
            replace(one, text=redactor.text(one.text), lines=tuple(map(redactor.text, one.lines)))
            for one in self.evidence
        )
        sentence, baseline = redactor.text(self.sentence), redactor.text(self.baseline)
        return replace(self, sentence=sentence, baseline=baseline, evidence=evidence)


def compared(then: RecordedRun | None, now: RecordedRun, *, missing: str = "") -> Divergence:
    """``missing`` says why there is no pass to compare with, where that is known."""
    if then is None:
        return Divergence(no_pass(missing))
    walk = Walk(then, now)
    finding = walk.first_difference()
    evidence = tuple(evidence_of(walk, finding))
    step = "" if finding.now is None else now.steps[finding.now].id
    text = sentence(walk, finding, evidence)
    return Divergence(text, step, f"{then.origin} ({then.started_at})".strip(), evidence)
