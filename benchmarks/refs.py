"""Do refs survive what happens on real screens, and do they ever land on another element?

``python -m benchmarks refs`` needs real captures (see ``captures``). With ``--split tune`` or
``test`` it measures one part; ``--quick`` takes a few captures of each repository; ``--show
jitter_5 --count 20`` prints uses of a ref that went wrong instead of tables: look at the tuning
part only.
"""

from __future__ import annotations

import argparse
from collections import Counter
from typing import TYPE_CHECKING

from . import figures, runs
from .captures import NO_CORPUS, SPLITS, captures, corpus, needed_corpus
from .mutations import MUTATIONS
from .scoring import Scores, Tally, score, upper_bound
from .table import Table, percent

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .captures import Split

MOST = 60  # captures of one repository, so that no app outweighs all others
QUICK = 3
SEEDS = 2  # of each mutation
COUNTED = ("geometric", "structural")  # what a ref is expected to survive


_EXPLAINED = """Every ref of a capture is used on the capture as changed by each mutation. *Demanded*: of the
uses whose element survives, those where abstaining is right. An oracle of its own, which reads the raw
hierarchies, finds nothing that distinguishes the element from another. The others are decidable. *Retention*:
decidable uses that reach their element; *abstained*: those that reach nothing. *Mistaken*: of all uses, those
that reach another element, or any where the true one is gone. *Hijacked*: those of them that share neither
resource id nor class and label with it. At most: with 95 % confidence. Refs are used through a session's own
observer and resolve.
"""


def measure() -> list[Table]:
    needed_corpus()
    return tables(SPLITS)


def tables(splits: Sequence[Split], most: int = MOST, seeds: int = SEEDS) -> list[Table]:
    totals: list[tuple[object, ...]] = []
    details: list[Table] = []
    notes = [_EXPLAINED.replace("\n", " ").strip()]
    for split in splits:
        sample, left_out = captures(split, most)
        scores = score(sample, seeds=seeds)
        for group in (COUNTED, ("content",), ("bait",)):
            tally = scores.total(group)
            bounds = [
                f"{upper_bound(count, tally.uses):.3%}"
                for count in (tally.mistaken, tally.hijacked)
            ]
            totals.append((split, " + ".join(group), *_figures(tally), *bounds))
        outside = ", ".join(f"{count} {why}" for why, count in sorted(left_out.items())) or "none"
        repositories = len({capture.repository for capture in sample})
        notes.append(
            f"{split}: {len(sample)} captures of {repositories} repositories. Left out: {outside}."
        )
        details.append(by_mutation(split, scores))
    columns = ("captures", "changes", *_COLUMNS, "mistaken at most", "hijacked at most")
    note = " ".join(notes)
    changed = Table(
        "refs", "Refs on changed screens", "python -m benchmarks refs", columns, tuple(totals), note
    )
    return [changed, *details, runs.table(splits)]


def by_mutation(split: Split, scores: Scores) -> Table:
    rows = []
    for mutation in MUTATIONS:
        tally = scores.by[mutation.name]
        same = percent(tally.same_ref, tally.surviving)
        rows.append((mutation.group, mutation.name, mutation.says, *_figures(tally), same))
    return Table(
        f"refs_{split}_mutations",
        f"Refs by mutation, {_NAMES[split]}",
        f"python -m benchmarks refs --split {split}",
        (
            "group", "mutation", "what happens", *_COLUMNS, "same ref printed",
        ),
        tuple(rows),
        detail=True,
    )  # fmt: skip


_NAMES = {"test": "captures kept apart", "tune": "captures for tuning"}


_COLUMNS = ("uses", "surviving", "demanded", "retention", "abstained", "mistaken", "hijacked")


def _figures(tally: Tally) -> tuple[object, ...]:
    retention = percent(tally.kept, tally.decidable, 2)
    abstained = percent(tally.abstained, tally.decidable, 2)
    return (
        tally.uses,
        tally.surviving,
        tally.demanded,
        retention,
        abstained,
        tally.mistaken,
        tally.hijacked,
    )


def alone(arguments: Sequence[str]) -> list[Table]:
    """What ``python -m benchmarks refs`` with options does."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks refs", description=__doc__)
    parser.add_argument("--split", choices=SPLITS, help="one part (default: both)")
    parser.add_argument(
        "--quick", action="store_true", help=f"at most {QUICK} captures of a repository"
    )
    parser.add_argument(
        "--record", action="store_true", help="record figures.json for the test that compares"
    )
    parser.add_argument(
        "--show",
        metavar="MUTATION",
        help="print uses that went wrong; also 'all', 'sequences'",
    )
    parser.add_argument(
        "--outcome", help="only these: abstained, mistaken, hijacked, demanded, elsewhere"
    )
    parser.add_argument("--count", type=int, default=20, help="how many to print (default 20)")
    options = parser.parse_args(arguments)
    splits: tuple[Split, ...] = (options.split,) if options.split else SPLITS
    if corpus() is None:
        parser.error(NO_CORPUS)
    most, seeds = (QUICK, 1) if options.quick else (MOST, SEEDS)
    if options.record:
        figures.record()
        return []
    if options.show:
        for split in splits:
            show(split, most, seeds, options.show, options.outcome, options.count)
        return []
    return tables(splits, most, seeds)


def show(split: Split, most: int, seeds: int, name: str, outcome: str | None, count: int) -> None:
    """Prints what went wrong, spread over the captures, and how often each reason was given. Where
    abstaining is right nothing did: that is printed where it is asked for."""
    if name == "sequences":
        cases = runs.walk(split).cases
    else:
        mutations = [mutation for mutation in MUTATIONS if name in ("all", mutation.name)]
        cases = score(captures(split, most)[0], mutations, seeds=seeds).cases
    wanted = (outcome,) if outcome else ("abstained", "mistaken", "hijacked", "elsewhere")
    cases = [case for case in cases if case.outcome in wanted]
    step = max(len(cases) // count, 1)
    for case in cases[::step][:count]:
        print(f"{case.outcome} in {case.mutation} of {case.capture}")
        print(f"    was {case.element}\n    now {case.resolved}\n    {case.why}")
    print(f"{len(cases)} cases:")
    counted = Counter((case.outcome, case.why.partition(":")[0]) for case in cases)
    for (kind, verdict), number in counted.most_common():
        print(f"    {number:5} {kind}: {verdict}")
