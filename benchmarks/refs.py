"""Do refs survive what happens on real screens, and do they ever land on another element?

``python -m benchmarks refs`` needs real captures (see ``captures``). With ``--split tune`` or ``test`` it measures
one part; ``--quick`` takes a few captures of each repository; ``--show jitter_5 --count 20`` prints uses of a ref
that went wrong instead of tables: look at the tuning part only.
"""

from __future__ import annotations

import argparse
from collections import Counter
from typing import TYPE_CHECKING

from . import figures, runs
from .captures import NO_CORPUS, SPLITS, captures, corpus, needed_corpus
from .mutations import MUTATIONS
from .peers import PEERS
from .scoring import ELEMENTS, OURS, SYSTEMS, Scores, Tally, score, upper_bound
from .table import Table, percent

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .captures import Capture, Split

MOST = 60  # captures of one repository, so that no app outweighs all others
QUICK = 3
SEEDS = 2  # of each mutation
_MARGIN = 0.005
COUNTED = ("geometric", "structural")  # what a ref is expected to survive


_EXPLAINED = """Every ref of a capture is used on the capture as changed by each mutation. *Demanded*: of the
uses whose element survives, those where abstaining is right. An oracle of its own, which reads the raw
hierarchies, finds nothing that distinguishes the element from another. The others are decidable. *Retention*:
decidable uses that reach their element; *abstained*: those that reach nothing. *Mistaken*: of all uses, those
that reach another element, or any where the true one is gone. *Hijacked*: those of them that share neither
resource id nor class and label with it. At most: with 95 % confidence. All systems name the same elements. Ours
are used through a session's own observer and resolve: *replicant* by the ref as printed, *replicant, element*
by the element that was found earlier.
"""


def measure() -> list[Table]:
    needed_corpus()
    measured = [*(table for split in SPLITS for table in tables(split)), runs.table(SPLITS)]
    return [headline(measured[0]), *measured]


def headline(totals: Table) -> Table:
    """What counts of the first table: changes of layout, captures kept apart."""
    shown = ("refs of", "uses", "demanded", "retention", "abstained", "mistaken", "hijacked", "hijacked at most")
    columns = [totals.columns.index(name) for name in shown]
    rows = tuple(tuple(row[column] for column in columns) for row in totals.rows if row[0] == " + ".join(COUNTED))
    return Table("refs_headline", "Refs in short", "python -m benchmarks refs", shown, rows)


def tables(split: Split, most: int = MOST, seeds: int = SEEDS) -> list[Table]:
    sample, left_out = captures(split, most)
    scores = score(sample, seeds=seeds)
    return [totals(split, scores, sample, left_out), by_mutation(split, scores), by_system(split, scores)]


def totals(split: Split, scores: Scores, sample: Sequence[Capture], left_out: Counter[str]) -> Table:
    rows = []
    for group in (COUNTED, ("content",), ("bait",)):
        for system in SYSTEMS:
            tally = scores.total(system, group)
            rows.append((" + ".join(group), system, *_figures(tally), *_bounds(tally)))
    repositories = len({capture.repository for capture in sample})
    peers = ". ".join(f"*{peer.key}*: {peer.says}" for peer in PEERS)
    explained = _EXPLAINED.replace("\n", " ").strip()
    outside = ", ".join(f"{count} {why}" for why, count in sorted(left_out.items())) or "none"
    return Table(
        f"refs_{split}",
        f"Refs on changed screens, {_NAMES[split]}",
        f"python -m benchmarks refs --split {split}",
        (
            "changes", "refs of", *_COLUMNS, "mistaken at most", "hijacked at most",
        ),
        tuple(rows),
        f"{len(sample)} captures of {repositories} repositories. Left out: {outside}. {explained} {peers}.",
        detail=split != "test",
    )  # fmt: skip


def by_mutation(split: Split, scores: Scores) -> Table:
    rows = []
    for mutation in MUTATIONS:
        tally = scores.by[mutation.name, OURS]
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


def by_system(split: Split, scores: Scores) -> Table:
    systems = (OURS, *(peer.key for peer in PEERS))
    rows = []
    for mutation in MUTATIONS:
        tallies = {system: scores.by[mutation.name, system] for system in systems}
        rows.append(
            (mutation.group, mutation.name, *map(_short, tallies.values()), ", ".join(better(tallies)) or "-")
        )
    return Table(
        f"refs_{split}_systems",
        f"Retention / abstained / mistaken uses by system, {_NAMES[split]}",
        f"python -m benchmarks refs --split {split}",
        ("group", "mutation", *systems, "better than ours"),
        tuple(rows),
        f"Better than ours: retains over {_MARGIN:.1%} more.",
        detail=True,
    )


def _short(tally: Tally) -> str:
    shares = (percent(part, tally.decidable) for part in (tally.kept, tally.abstained))
    return f"{' / '.join(shares)} / {tally.mistaken}"


def better(tallies: Mapping[str, Tally]) -> list[str]:
    """The systems that retain more than ours, by more than the margin."""
    ours = tallies[OURS]
    peers = {peer.key: tallies[peer.key] for peer in PEERS}
    return [key for key, tally in peers.items() if tally.retention - ours.retention > _MARGIN]


_NAMES = {"test": "captures kept apart", "tune": "captures for tuning", "contributed": "captures that were sent"}


_COLUMNS = ("uses", "surviving", "demanded", "retention", "abstained", "mistaken", "hijacked")


def _figures(tally: Tally) -> tuple[object, ...]:
    retention = percent(tally.kept, tally.decidable, 2)
    abstained = percent(tally.abstained, tally.decidable, 2)
    return tally.uses, tally.surviving, tally.demanded, retention, abstained, tally.mistaken, tally.hijacked


def _bounds(tally: Tally) -> tuple[str, str]:
    mistaken, hijacked = upper_bound(tally.mistaken, tally.uses), upper_bound(tally.hijacked, tally.uses)
    return f"{mistaken:.3%}", f"{hijacked:.3%}"


def alone(arguments: Sequence[str]) -> list[Table]:
    """What ``python -m benchmarks refs`` with options does."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks refs", description=__doc__)
    parser.add_argument("--split", choices=(*SPLITS, "contributed"), help="one part (default: both of the corpus)")
    parser.add_argument("--quick", action="store_true", help=f"at most {QUICK} captures of a repository")
    parser.add_argument(
        "--seeds", type=int, metavar="N", help=f"do each mutation N times (default {SEEDS}; quick: 1)"
    )
    parser.add_argument("--record", action="store_true", help="record figures.json for the test that compares")
    parser.add_argument(
        "--show",
        metavar="MUTATION",
        help="print uses that went wrong; also 'all', 'sequences'",
    )
    parser.add_argument("--element", action="store_true", help="of kept elements instead of refs")
    parser.add_argument("--outcome", help="only these: abstained, mistaken, hijacked, demanded, elsewhere")
    parser.add_argument("--count", type=int, default=20, help="how many to print (default 20)")
    options = parser.parse_args(arguments)
    splits: tuple[Split, ...] = (options.split,) if options.split else SPLITS
    if corpus() is None and "contributed" not in splits:
        parser.error(NO_CORPUS)
    most, seeds = (QUICK, 1) if options.quick else (MOST, SEEDS)
    seeds = options.seeds or seeds
    if options.record:
        figures.record()
        return []
    if options.show:
        for split in splits:
            system = ELEMENTS if options.element else OURS
            show(split, most, seeds, options.show, options.outcome, options.count, system)
        return []
    return [*(table for split in splits for table in tables(split, most, seeds)), runs.table(splits)]


def show(split: Split, most: int, seeds: int, name: str, outcome: str | None, count: int, system: str) -> None:
    """Prints what went wrong, spread over the captures, and how often each reason was given. Where abstaining is
    right nothing did: that is printed where it is asked for."""
    if name == "sequences":
        cases = runs.walk(split).cases
    else:
        mutations = [mutation for mutation in MUTATIONS if name in ("all", mutation.name)]
        cases = score(captures(split, most)[0], mutations, peers=(), seeds=seeds).cases
    wanted = (outcome,) if outcome else ("abstained", "mistaken", "hijacked", "elsewhere")
    cases = [case for case in cases if case.system == system and case.outcome in wanted]
    step = max(len(cases) // count, 1)
    for case in cases[::step][:count]:
        print(f"{case.system}: {case.outcome} in {case.mutation} of {case.capture}")
        print(f"    was {case.element}\n    now {case.resolved}\n    {case.why}")
    print(f"{len(cases)} cases:")
    counted = Counter((case.outcome, case.why.partition(":")[0]) for case in cases)
    for (kind, verdict), number in counted.most_common():
        print(f"    {number:5} {kind}: {verdict}")
