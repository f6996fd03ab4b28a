"""Leaderboards: entries of runs, ranked by the scores of their items and over problems."""

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np

from steelyard._version import __version__
from steelyard.comparison import (
    bayesian_signed_rank,
    compact_letters,
    friedman,
    nemenyi,
    rank_cliques,
    rank_sets,
)
from steelyard.counts import VectorRule
from steelyard.errors import FileUnreadable, NotComparable, RequestError, check_share, counted
from steelyard.results import (
    AlgorithmPair,
    CellDetail,
    CellScore,
    Estimate,
    InputRecord,
    Leaderboard,
    OverProblems,
    Provenance,
    RankedAlgorithm,
    SignedRankChance,
)
from steelyard.suites.harness.cells import Cell, read_cell
from steelyard.suites.harness.runs import Run
from steelyard.suites.problems.item_files import read_table
from steelyard.suites.problems.problem import Problem, leaks
from steelyard.suites.problems.suite_files import Suite, content_hash
from steelyard.suites.problems.vectors import Vectors
from steelyard.suites.standings.item_scores import (
    Difference,
    ProblemScores,
    score_difference,
    score_problem,
    suite_score,
)
from steelyard.uncertainty import FEW_CLUSTERS, holm

__all__ = [
    "FEWEST",
    "NULL",
    "ROPE",
    "Entry",
    "build_leaderboard",
    "cell_detail",
    "list_changes",
    "mean_ranks",
    "over_problems",
    "run_entries",
]

NULL = "null"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A line of the leaderboard: a name, and the cells of one algorithm of one run."""

    name: str
    run: Run
    algorithm: str

    def cell(self, problem: str) -> Cell:
        """Find the cell of a problem."""
        return next(
            cell
            for cell in self.run.cells
            if (cell.algorithm, cell.problem) == (self.algorithm, problem)
        )

    def vectors(self, problem: Problem) -> Vectors:
        """Read the vectors of a cell that is ok, in the order of the test items."""
        target = self.run.target(self.algorithm, problem.id)
        table = read_table(target / "out.parquet", texts={"id": "item"}, numbers=problem.names)
        if read_cell(target, key=self.cell(problem.id).key) is None:
            raise FileUnreadable.for_change(str(target))
        return np.column_stack([np.asarray(table[name]) for name in problem.names])


def run_entries(run: Run) -> tuple[Entry, ...]:
    """List the algorithms of a run."""
    return tuple(Entry(name=name, run=run, algorithm=name) for name, _ in run.record.algorithms)


def list_changes(old: Run, new: Run, *, names: tuple[str, str]) -> tuple[Entry, ...]:
    """List the algorithms that changed between two runs, both versions, and what looks at nothing.

    Versions are told apart by the name of their run: ``lbp@old``, ``lbp@new``.
    """
    before, after = dict(old.record.algorithms), dict(new.record.algorithms)
    changed = [name for name in after if name in before and before[name] != after[name]]
    if not changed:
        message = (
            f"No algorithm of {names[1]!r} differs from the one of that name in {names[0]!r}. "
            "Change an algorithm and run it under a new name: steelyard suite run --name NEW"
        )
        raise NotComparable(message, code="nothing-changed")
    base = [Entry(name=name, run=new, algorithm=name) for name in (NULL,) if name in after]
    return (
        *base,
        *(
            Entry(name=f"{name}@{label}", run=run, algorithm=name)
            for name in changed
            for run, label in ((old, names[0]), (new, names[1]))
        ),
    )


SHOWN = 4000
"""Characters of the end of a log that a detail carries."""


def cell_detail(board: Leaderboard, run: Run, *, algorithm: str, problem: str) -> CellDetail:
    """Find a cell of a run, with the ends of its logs."""
    known = [name for name, _ in run.record.algorithms]
    if algorithm not in known:
        raise RequestError.for_choice(name="algorithm", given=algorithm, choices=known)
    if problem not in board.problems:
        raise RequestError.for_choice(name="problem", given=problem, choices=board.problems)
    where = (algorithm, problem)
    cell = next(one for one in run.cells if (one.algorithm, one.problem) == where)
    scored = next(one for one in board.cells if (one.algorithm, one.problem) == where)
    logs = [
        (run.target(*where) / name).read_bytes()[-SHOWN:].decode(errors="replace")
        for name in ("stdout", "stderr")
    ]
    return CellDetail(
        suite=board.suite,
        version=board.version,
        cell=scored,
        exit_code=cell.exit_code,
        key=cell.key,
        protections=cell.protections,
        output=logs[0],
        log=logs[1],
    )


FEWEST = 5
"""Fewer problems are not taken for a sample of anything."""

ROPE = 0.01
"""Differences of the L2 score below this count as practically none."""


def mean_ranks(table: Mapping[str, Sequence[float]]) -> dict[str, float]:
    """Mean over problems of the rank of each algorithm; 1 is best.

    Examples
    --------
    >>> mean_ranks({"A": [0.9, 0.8], "B": [0.7, 0.9]})
    {'A': 1.5, 'B': 1.5}
    """
    found = friedman(table).ranks
    return dict(zip(found.systems, found.ranks, strict=True))


def over_problems(table: Mapping[str, Sequence[float]], *, alpha: float, seed: int) -> OverProblems:
    """Take the problems for a sample: Friedman, Nemenyi, and signed ranks against the leader."""
    tested, apart = friedman(table), nemenyi(table, alpha=alpha)
    leader = max(table, key=lambda name: sum(table[name]))
    chances = []
    for second in table:
        if second == leader:
            continue
        differences = [a - b for a, b in zip(table[leader], table[second], strict=True)]
        rng = np.random.default_rng(seed)
        found = bayesian_signed_rank(differences, rope=ROPE, rng=rng, draws=20_000)
        chances.append(
            SignedRankChance(
                second=second, worse=found.above, alike=found.inside, better=found.below
            )
        )
    return OverProblems(
        problems=len(next(iter(table.values()))),
        p_value=tested.f_p_value,
        critical_difference=apart.critical_difference,
        cliques=rank_cliques(mean_ranks(table), apart.critical_difference),
        leader=leader,
        rope=ROPE,
        chances=tuple(chances),
    )


Counted = Literal["own", "null", "none"]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Question:
    """What is asked of the scores."""

    level: float
    alpha: float
    seed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ranking:
    """Pairs and the ranks they leave open, for the algorithms that are ranked."""

    pairs: tuple[AlgorithmPair, ...]
    ranks: Mapping[str, tuple[int, int]]
    letters: Mapping[str, str]


def build_leaderboard(
    suite: Suite,
    entries: Sequence[Entry],
    *,
    level: float = 0.95,
    alpha: float = 0.05,
    seed: int = 0,
) -> Leaderboard:
    """Score the cells of every entry and put the entries in order.

    Parameters
    ----------
    suite
        The suite that was run; its policy for failures holds.
    entries
        Lines of the leaderboard, null among them.
    level
        Coverage of the intervals.
    alpha
        Family-wise error rate of the decisions that make the ranks.
    seed
        Seed of the Bayesian comparison over problems.
    """
    for name, value in (("level", level), ("alpha", alpha)):
        check_share(name, value)
    question = _Question(level=level, alpha=alpha, seed=seed)
    parts = [_score_problem(suite, problem, entries) for problem in suite.read_problems()]
    whole = [e.name for e in entries if all(e.name in part.scores for part in parts)]
    ranking = _rank(parts, whole, question)
    table = {
        name: [suite_score([part], name, "spherical", level=level).value or 0.0 for part in parts]
        for name in whole
    }
    over = (
        over_problems(table, alpha=alpha, seed=seed)
        if len(parts) >= FEWEST and len(whole) > 1
        else None
    )
    means = mean_ranks(table) if over is not None else {}
    lines = [_line(entry, parts, ranking, means.get(entry.name), level) for entry in entries]
    cells = [
        _cell_score(entry, part, ranks, level)
        for part in parts
        for ranks in [_rank([part], [e.name for e in entries if e.name in part.scores], question)]
        for entry in entries
    ]
    groups = {group for part in parts for group in part.groups}
    return Leaderboard(
        suite=suite.id,
        version=suite.version,
        failures=suite.failures,
        level=level,
        alpha=alpha,
        problems=tuple(part.problem for part in parts),
        items=sum(part.codes.size for part in parts),
        groups=len(groups),
        algorithms=tuple(sorted(lines, key=_place)),
        cells=tuple(cells),
        pairs=ranking.pairs,
        over_problems=over,
        provenance=_provenance(suite, question),
        caveats=_caveats(suite, entries, parts, len(groups)),
    )


def _place(line: RankedAlgorithm) -> tuple[bool, float, str]:
    return line.lowest is None, -(line.score.value or 0.0), line.algorithm


def _score_problem(suite: Suite, problem: Problem, entries: Sequence[Entry]) -> ProblemScores:
    """Score one problem; a failed cell takes the vectors of null, or none at all."""
    vectors = {
        entry.name: entry.vectors(problem)
        for entry in entries
        if entry.cell(problem.id).state == "ok"
    }
    if suite.failures == "null" and NULL in vectors:
        vectors = {entry.name: vectors.get(entry.name, vectors[NULL]) for entry in entries}
    return score_problem(problem, vectors, weight=suite.weights[problem.id])


def _rank(parts: Sequence[ProblemScores], names: Sequence[str], question: _Question) -> _Ranking:
    scores = {
        name: suite_score(parts, name, "spherical", level=question.level).value or 0.0
        for name in names
    }
    order = sorted(names, key=lambda name: -scores[name])
    pairs = list(combinations(order, 2))
    found = [score_difference(parts, *pair, level=question.level) for pair in pairs]
    adjusted = holm([one.p_value for one in found]) if found else ()
    made = tuple(
        _pair(pair, one, p, question.alpha)
        for pair, one, p in zip(pairs, found, adjusted, strict=True)
    )
    decisions = {(one.first, one.second): one.different for one in made}
    sets = rank_sets(order, [scores[name] for name in order], decisions=decisions)
    return _Ranking(
        pairs=made,
        ranks={one.system: (one.lowest, one.highest) for one in sets},
        letters=compact_letters(order, decisions=decisions),
    )


def _pair(pair: tuple[str, str], found: Difference, adjusted: float, alpha: float) -> AlgorithmPair:
    return AlgorithmPair(
        first=pair[0],
        second=pair[1],
        difference=found.estimate,
        p_value=found.p_value,
        adjusted=adjusted,
        different=adjusted < alpha and found.estimate.value != 0,
    )


def _line(
    entry: Entry,
    parts: Sequence[ProblemScores],
    ranking: _Ranking,
    mean_rank: float | None,
    level: float,
) -> RankedAlgorithm:
    cells = [entry.cell(part.problem) for part in parts]
    done = [part for part in parts if entry.name in part.scores]
    ranks = ranking.ranks.get(entry.name)
    return RankedAlgorithm(
        algorithm=entry.name,
        score=_score(done, entry.name, "spherical", level),
        winner=_score(done, entry.name, "winner", level),
        brier=_score(done, entry.name, "brier", level),
        log=_score(done, entry.name, "log", level),
        lowest=ranks[0] if ranks else None,
        highest=ranks[1] if ranks else None,
        letters=ranking.letters.get(entry.name, ""),
        mean_rank=mean_rank,
        cells=len(cells),
        failed=sum(cell.state != "ok" for cell in cells),
        seconds=round(sum(cell.seconds for cell in cells), 3),
    )


def _score(parts: Sequence[ProblemScores], name: str, rule: VectorRule, level: float) -> Estimate:
    if not parts:
        return Estimate(measure="L2 score", value=None, reason="no cell of it ended well")
    return suite_score(parts, name, rule, level=level)


def _cell_score(entry: Entry, part: ProblemScores, ranking: _Ranking, level: float) -> CellScore:
    cell = entry.cell(part.problem)
    known = entry.name in part.scores
    whose: Counted = "own" if cell.state == "ok" else "null" if known else "none"
    rules: dict[VectorRule, float | None] = {}
    for rule in ("winner", "brier", "log"):
        rules[rule] = suite_score([part], entry.name, rule, level=level).value if known else None
    lowest, highest = ranking.ranks.get(entry.name, (None, None))
    return CellScore(
        algorithm=entry.name,
        problem=part.problem,
        state=cell.state,
        reason=cell.reason,
        counted=whose,
        score=suite_score([part], entry.name, "spherical", level=level) if known else None,
        winner=rules["winner"],
        brier=rules["brier"],
        log=rules["log"],
        lowest=lowest,
        highest=highest,
        seconds=cell.seconds,
        cpu_seconds=cell.cpu_seconds,
        memory=cell.memory,
        alone=cell.alone,
    )


def _provenance(suite: Suite, question: _Question) -> Provenance:
    """Name the suite by the hashes of its problems as they are now."""
    folders = [suite.folder / "problems" / one.id for one in suite.problems]
    whole = hashlib.sha256("".join(map(content_hash, folders)).encode()).hexdigest()
    size = sum(path.stat().st_size for one in folders for path in one.rglob("*") if path.is_file())
    return Provenance(
        version=__version__,
        inputs=(
            InputRecord(
                name=f"{suite.id}@{suite.version}",
                sha256=whole,
                bytes=size,
                read_as=counted(len(folders), "problem"),
            ),
        ),
        settings=(("level", f"{question.level:g}"), ("alpha", f"{question.alpha:g}")),
        seed=question.seed,
    )


def _caveats(
    suite: Suite, entries: Sequence[Entry], parts: Sequence[ProblemScores], groups: int
) -> tuple[str, ...]:
    cells = [entry.cell(part.problem) for entry in entries for part in parts]
    ran = [cell for cell in cells if cell.protections]
    tests: tuple[tuple[bool, str], ...] = (
        (
            groups < FEW_CLUSTERS,
            f"only {groups} groups of items: intervals are too short, ranks too certain",
        ),
        (
            any("answers hidden" not in cell.protections for cell in ran),
            "this system could not hide the answers from some algorithms",
        ),
        (
            any("no network" not in cell.protections for cell in ran),
            "this system could not close the network to some algorithms",
        ),
        (
            any("still root" in cell.protections for cell in ran),
            "some algorithms ran as root, since nobody else can reach their program: they could "
            "read every file of root but the suite; run suites as another user",
        ),
        (
            any(not cell.alone for cell in cells),
            "cells ran beside one another, so their times say little",
        ),
        (
            _uneven(suite),
            "class weights are not in proportion to the class sizes somewhere, so reporting true "
            "probabilities is not the best strategy there",
        ),
    )
    return (*suite.caveats, *_about_leaks(suite), *(text for found, text in tests if found))


def _about_leaks(suite: Suite) -> list[str]:
    """Say of each problem with groups on both sides that its scores flatter."""
    shared = {problem.id: len(leaks(problem)) for problem in suite.read_problems()}
    return [
        f"{name}: {counted(number, 'group', 'have')} training and test items, so scores flatter "
        "every algorithm"
        for name, number in shared.items()
        if number
    ]


def _uneven(suite: Suite) -> bool:
    for problem in suite.read_problems():
        sizes = Counter(problem.answers().classes)
        total = sum(sizes.values())
        if any(abs(problem.weights[c] - sizes[c] / total) > 1e-3 for c in problem.names):
            return True
    return False
