"""What every room shares: frozen values and the table of verbs; time, which is handed in; our own
files by the types of their values; how front doors load late. For pytest: PYTEST_DONT_REWRITE."""

# mypy: implicit-reexport
from __future__ import annotations

from .lazy_names import lazy_names

TYPE_CHECKING = False  # as type checkers read it; the module typing would be half of this import

if TYPE_CHECKING:
    from .aliases import AnyDict, AnyMapping, Strings
    from .calls import (
        Parted,
        PublicMethods,
        ReplicantError,
        UsageError,
        did_you_mean,
        joined_frames,
        public,
        public_methods,
        their_frames,
        what_happened,
        wrong_call,
    )
    from .clock import Clock, ManualClock, SharedClock, SystemClock, come_true
    from .codec import WrongSchema, convert, decode, encode, json_schema
    from .descriptions import STATES, TEXTS, Screen, Secret, by, wrong_type
    from .element import (
        Anchor,
        AuditIssue,
        Card,
        Element,
        Elements,
        Family,
        Neighbour,
        Neighbours,
        Node,
        Nodes,
        NodeText,
        Picture,
        Point,
        Rect,
        RoleName,
        ScreenTraits,
        States,
        Twins,
        ValueRange,
        ancestors,
        grouped,
        is_ref,
        joined,
        leading,
    )
    from .failure import (
        FAILURE_CLASSES,
        LONGEST_SCREEN,
        MOST_ADVICE,
        NOTHING_MORE,
        RESOLVING,
        Advice,
        Allowance,
        AppText,
        CheckFacts,
        ElementRecord,
        Explanation,
        Failure,
        FailureClass,
        FailureCode,
        FailureRecord,
        Hindrance,
        Line,
        ObstacleRecord,
        Owner,
        PermissionPrompts,
        Proposals,
        Recovery,
        RecoveryMode,
        RecoveryState,
        RecoveryStrategy,
        Remedy,
        RemedyKind,
        Stage,
        TerminalFailure,
        Undecided,
        headline,
        lines_for_agent,
        opening,
        screen_text,
        spans,
        text_for_page,
        text_for_terminal,
        written,
    )
    from .json_values import plain
    from .quoting import (
        as_dotted,
        bare,
        composed,
        first_line,
        normal,
        one_line,
        quoted,
        shortened,
        shown_name,
    )
    from .secret import (
        MASK,
        SHORT,
        Redactor,
        compiled,
        is_credential,
        names_a_credential,
        without_values,
    )
    from .selector import (
        SELECTOR_KEYWORDS,
        SURROUNDINGS,
        HasSelector,
        Selector,
        SelectorKeywords,
        combined,
        described,
        selector_from,
        source,
        unbound,
        with_texts,
        written_keyword,
    )
    from .test_trace import (
        BROKEN,
        HEALTHY,
        TRACE_SCHEMA,
        UNSOUND,
        VERDICTS,
        DeathRecord,
        DiffRecord,
        LogRecord,
        Phase,
        RaisedError,
        ReplayVerdict,
        Screenshot,
        ShownElement,
        SnapshotRecord,
        StoredAttachment,
        StoredPicture,
        StoredSnapshot,
        TestFacts,
        TestOutcome,
        TestTrace,
        TraceEvent,
        TraceFile,
    )
    from .trace import (
        LOOK,
        LOOK_NAME,
        ActionResult,
        ActionTarget,
        ActionTrace,
        Attachment,
        CheckOutcome,
        CheckRecord,
        LooksRecord,
        MaskRecord,
        Read,
        RecoveryRecord,
        StepResult,
        TraceStep,
    )
    from .verbs import NO_VERB, TABLE, VERBS, Verb, verb_of

__getattr__, __dir__ = lazy_names(__name__)
