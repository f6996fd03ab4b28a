"""What falls short of its claim says so in the answer itself."""

import json
from typing import get_args

import numpy as np
import pytest

import steelyard
from certificates import CERTIFICATES
from certificates.public import SAID_BY
from steelyard.counts import Confusion, Grouped, ScoreTable
from steelyard.measures import auc, average_precision, cluster_bootstrap, detection_rate_at, mcc
from steelyard.results import Caveat
from steelyard.results.estimates import ShortfallCode
from steelyard.results.shortfalls import SHORTFALLS
from steelyard.uncertainty.values.student import ValueCaveat
from tests.typed import type_words

SHORT = {name for name, one in CERTIFICATES.items() if one.falls_short}
TOTALS = "--correct S=19,T=14 --tested 20"
BY_COMMAND = {
    "wald-share": "evaluate calls.csv --method wald",
    "wald-difference": f"compare {TOTALS} --pairing independent --method wald-difference",
    "kappa-ase1": "evaluate calls.csv --kappa-method ase1",
    "precision-bootstrap": "roc scores.csv --positive a --score p --cluster writer",
    "band-bootstrap": "roc scores.csv --positive a --score p --band bootstrap",
    "rare-items": "evaluate vectors.csv --vector v=v_{class}",
    "threshold-interval": "threshold scores.csv --positive a --score p --by max-sum",
    "threshold-unknown": "threshold few.csv --positive a --score p --by max-sum",
    "threshold-by-few": "threshold scores.csv --positive a --score p --by sensitivity",
    "clusters-ignored": "compare calls.csv --cluster writer --method mcnemar-exact",
    "unlike-clusters": (
        "compare calls.csv --cluster writer --measure specificity --positive a --systems S,T"
    ),
    "unlike-weights": "compare calls.csv --weight heavy",
    "few-scores": "compare tied.csv --positive a --score p,q",
    "few-readers": (
        "compare study.csv --item case --reader who --positive a --score p,q --method delong"
    ),
    "large-sample-test": "compare scores.csv --positive a --score p,q --method delong",
    "mcnemar-midp": "compare calls.csv --method mcnemar-midp",
    "mcnemar-asymptotic": "compare calls.csv --method mcnemar-asymptotic",
    "score-sparse": f"compare {TOTALS} --pairing independent --method score",
    "chance-of-same": "compare calls.csv --margin 0.6",
    "best-uniform": "compare calls.csv --cluster writer",
    "gate-clusters": (
        "gate calls.csv --candidate S --baseline T --cluster writer --positive a "
        '--require "F1 not worse by 0.5"'
    ),
}
"""What is typed to be told of each."""
MORE = {
    "wald-difference": "compare calls.csv --method wald-difference-paired",
    "large-sample-test": "compare calls.csv --method bootstrap --measure balanced\xa0accuracy",
    "chance-of-same": "compare calls.csv --margin 0.6 --method posterior-equivalence",
    "best-uniform": "compare calls.csv --method posterior-best",
    "wald-between": "compare calls.csv --method wald --using order=item",
}
BY_CAMPAIGN = {
    "belief-rule": ("best >= 0.9 or n >= 50", "loss <= 0.005 or n >= 50"),
    "wald-between": ("wald(1.0, 2.5) or n >= 50",),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("said")
    rng = np.random.default_rng(1)
    truth = rng.permutation(np.repeat(["a", "b"], [35, 45]))
    wrong = np.where(truth == "a", "b", "a")
    calls = {
        "S": np.where(rng.random(80) < 0.9, truth, wrong),
        "T": np.where(rng.random(80) < 0.7, truth, wrong),
    }
    scores = {name: ((truth == "a") + rng.normal(0, 0.8, 80)).round(6) for name in "pq"}
    writers = np.arange(80) // 5
    heavy = np.where(np.arange(80) % 10, 1, 3)
    _write(made / "calls.csv", truth=truth, **calls, writer=writers, heavy=heavy)
    _write(made / "scores.csv", truth=truth, **scores, writer=writers)
    _write(
        made / "study.csv",
        who=np.arange(80) % 4,
        case=np.arange(80) // 4,
        truth=np.repeat(truth[:20], 4),
        **scores,
    )
    _write(made / "few.csv", truth=truth[:12], p=scores["p"][:12])
    _write(made / "tied.csv", truth=truth, **{k: (v > 0.5) * 1.5 for k, v in scores.items()})
    chance = np.clip(scores["p"], 0.05, 0.95).round(3)
    _write(made / "vectors.csv", truth=truth, v_a=chance, v_b=(1 - chance).round(3))
    return made


def _write(path, **columns):
    rows = zip(*columns.values(), strict=True)
    lines = [",".join(["item", *columns])]
    lines += [",".join(map(str, [place, *row])) for place, row in enumerate(rows)]
    path.write_text("\n".join(lines) + "\n")


def test_every_certificate_that_falls_short_names_what_says_so():
    assert set(SAID_BY) == SHORT
    for name, said in SAID_BY.items():
        if said.endswith("()"):
            room, _, function = said[:-2].partition(".")
            words = getattr(getattr(steelyard, room), function).__doc__
            assert "docs/reference/certificates.md" in words, f"{name}: {said}"
        else:
            known = {*SHORTFALLS, *get_args(ValueCaveat), "nobody is offered it"}
            assert said in known, name


def test_every_code_has_its_sentence_and_a_way_to_be_told():
    assert set(get_args(ShortfallCode)) == set(SHORTFALLS)
    told = {*BY_COMMAND, *MORE, *BY_CAMPAIGN, *BY_CALL}
    assert told == set(SHORTFALLS)


def _start(code):
    """Give the words up to what is filled in."""
    return max(SHORTFALLS[code].partition("{")[0], SHORTFALLS[code].rpartition("}")[2], key=len)


@pytest.mark.parametrize(("code", "typed"), [*BY_COMMAND.items(), *MORE.items()])
def test_the_answer_says_it_as_text_and_as_json(folder, code, typed):
    words = _words(typed)
    # What does not fit into six lines of small print stands behind --details.
    shown = type_words([*words, "--details"], folder=folder)
    assert _start(code).strip(" ;") in " ".join(shown.out.split()), shown.out + shown.err
    if code in {"chance-of-same", "band-bootstrap"} and "posterior" not in typed:
        return  # words of the answer itself, beside its numbers
    kept = type_words([*words, "--json"], folder=folder).out
    assert json.dumps(_start(code), ensure_ascii=False)[1:-1] in kept


def _words(typed):
    import shlex

    return [word.replace("\xa0", " ") for word in shlex.split(typed)]


@pytest.mark.parametrize(
    ("code", "rule"), [(code, rule) for code, rules in BY_CAMPAIGN.items() for rule in rules]
)
def test_a_campaign_says_it_with_every_status(tmp_path, folder, code, rule):
    type_words(["campaign", "new", "c.db", "--systems", "S,T", "--stop", rule], folder=tmp_path)
    words = ["campaign", "add", "c.db", folder / "calls.csv", "--systems", "S,T"]
    shown = type_words([*words], folder=tmp_path)
    assert SHORTFALLS[code] in " ".join(shown.out.split()), shown.out + shown.err


RNG = np.random.default_rng(0)
TABLE = ScoreTable.from_scores(RNG.normal(1, 1, 12).tolist(), RNG.normal(0, 1, 15).tolist())
PARTS = {str(g): Confusion.from_matrix([[9 - g, 1 + g], [1, 9]]) for g in range(6)}
BY_CALL = {
    "auc-bootstrap": lambda: auc(TABLE, rng=RNG, resamples=50),
    "rate-bootstrap": lambda: detection_rate_at(
        TABLE, false_alarm_rate="0.2", method="bootstrap", rng=RNG, resamples=50
    ),
    "precision-bootstrap": lambda: average_precision(TABLE, rng=RNG, resamples=50),
    "cluster-bootstrap": lambda: cluster_bootstrap(
        Grouped.from_parts("patient", PARTS), mcc, rng=RNG, repetitions=50
    ),
}
"""Measures that are drawn again only where Python is asked to."""


@pytest.mark.parametrize("code", BY_CALL)
def test_a_number_that_is_drawn_again_on_demand_says_it(code):
    assert code in {Caveat.code_of(one) for one in BY_CALL[code]().caveats}
