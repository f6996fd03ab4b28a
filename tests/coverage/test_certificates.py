"""Every certificate in its short form, and what the long form found before."""

from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binom

from certificates import CERTIFICATES, FAMILIES
from certificates.__main__ import main
from certificates.campaigns import PLAYED, calculated_winners, dropped_in_races
from certificates.declaration import Certificate, Found
from certificates.experiments import (
    averaged,
    covered,
    covering,
    covering_share,
    covering_two,
    rejecting,
    rejecting_two,
)
from certificates.keeping import is_kept, keep, kept, kept_found
from certificates.multiplicity import closed_values
from certificates.search import Search, Space
from steelyard.comparison import closed_by_averaging, fisher_exact, start_race
from steelyard.uncertainty import difference_interval, wilson_interval

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("name", CERTIFICATES)
def test_the_claim_is_borne_out_in_the_short_form(name):
    one = CERTIFICATES[name]
    stored = kept(one.family).get(name)
    found = one.run(short=True, worst=None if stored is None else kept_found(stored).cell)
    assert one.borne_out(found), found
    # A search goes where data are scarce, and counts what is defined there.
    assert found.undefined <= one.short / 50 or found.draws >= one.short / 4


@pytest.mark.parametrize("family", FAMILIES)
def test_the_long_form_was_run_as_declared_and_bore_every_claim_out(family):
    stored = kept(family)
    declared = {name: one for name, one in CERTIFICATES.items() if one.family == family}
    assert set(stored) == set(declared), "run `make certificates`"
    for name, one in declared.items():
        assert is_kept(one), f"{name} was declared anew: run `make certificates`"
        assert one.borne_out(kept_found(stored[name])), name
        assert set(stored[name]["versions"]) == {"steelyard", "numpy", "scipy", "python"}


@pytest.mark.parametrize("name", CERTIFICATES)
def test_what_falls_short_is_told_where_users_choose_it(name):
    one = CERTIFICATES[name]
    page = (DOCS / "explanation" / f"{one.page}.md").read_text(encoding="utf-8")
    assert bool(one.note) == (one.falls_short is not None)
    if one.falls_short:
        assert "../reference/certificates.md" in page


def fixed(share, **more):
    return Certificate(
        name="a",
        family="f",
        claim="95 %",
        setting="",
        page="",
        experiment=lambda draws, seed: Found(share=share, draws=draws, hits=round(share * draws)),
        **more,
    )


def test_a_share_outside_its_range_is_noticed():
    assert fixed(0.95).borne_out(fixed(0.95).run())
    assert not fixed(0.90).borne_out(fixed(0.90).run())
    assert not fixed(0.99).borne_out(fixed(0.99).run())
    short = fixed(0.90, falls_short=(0.89, 0.91))
    assert short.borne_out(short.run())
    assert not fixed(0.95, falls_short=(0.89, 0.91)).borne_out(fixed(0.95).run())
    exact = Found(share=0.9499)
    assert exact.within(0.94, 0.96)
    assert not exact.within(0.95, 0.96)


def test_a_search_finds_the_worst_cell_between_the_values_of_its_grid():
    space = Space(axes={"n": (10, 40, 160), "rate": (0.1, 0.5, 0.9)})
    dip = Search(
        space=space,
        trial=lambda cell, draws, rng: Found(
            share=0.95 - 0.1 * np.exp(-((cell["rate"] - 0.3) ** 2) * 100) * (cell["n"] < 50)
        ),
        seek="lowest",
    )
    found = dip(1000, 1)
    assert found.share < 0.86
    assert found.cell is not None
    assert found.cell["rate"] == pytest.approx(0.3, abs=0.06)
    assert found.cell["n"] == round(found.cell["n"]) < 50


def test_the_draws_that_chose_a_cell_do_not_judge_it():
    # In all cells the claim holds alike: the worst of many draws is luck, and must not be kept.
    space = Space(axes={"n": tuple(range(1, 200))}, fixed=frozenset({"n"}))

    def trial(cell, draws, rng):
        hits = int(rng.binomial(draws, 0.95))
        return Found(share=hits / draws, draws=draws, hits=hits)

    found = Search(space=space, trial=trial, seek="lowest")(4000, 3)
    assert found.within(0.95, 0.95)
    assert found.more["cells"] == 199


def test_a_trial_that_sums_all_outcomes_is_made_once_in_each_cell():
    tried = []

    def trial(cell, draws, rng):
        tried.append(tuple(cell.items()))
        return Found(share=abs(cell["rate"] - 0.4))

    space = Space(axes={"rate": (0.1, 0.5, 0.9)})
    found = Search(space=space, trial=trial, seek="lowest", rounds=5)(1000, 1)
    assert len(tried) == len(set(tried)) == found.more["cells"]
    assert found.cell["rate"] == pytest.approx(0.4, abs=0.03)


def test_a_cell_without_a_defined_draw_is_not_the_worst():
    def trial(cell, draws, rng):
        defined = draws if cell["n"] > 1 else 0
        return Found(share=0.9 if defined else 0.0, draws=defined, hits=round(0.9 * defined))

    space = Space(axes={"n": (1, 2)}, fixed=frozenset({"n"}))
    assert Search(space=space, trial=trial, seek="lowest")(1000, 1).cell == {"n": 2}


def test_spots_outside_the_grid_are_always_tried():
    space = Space(axes={"n": (1, 2)}, fixed=frozenset({"n"}))
    search = Search(
        space=space,
        trial=lambda cell, draws, rng: Found(share=1 / cell["n"]),
        seek="lowest",
        spots=({"n": 99},),
    )
    assert search(100, 1).cell == {"n": 99}


def test_the_short_form_of_a_search_tries_the_worst_cell_known():
    space = Space(axes={"n": (1, 2)})
    search = Search(
        space=space, trial=lambda cell, draws, rng: Found(share=cell["n"] / 2), seek="lowest"
    )
    one = Certificate(
        name="a", family="f", claim="", setting="", page="", experiment=search, allowed=(0.0, 1.0)
    )
    assert one.run(short=True, worst={"n": 2}).share == 1.0
    assert one.run().cell == {"n": 1}


def test_the_ways_of_trying_count_what_they_say():
    single = covered(lambda x: wilson_interval(x, 50), lambda r: int(r.binomial(50, 0.9)), 0.9)
    assert single(400, 1) == single(400, 1)
    assert single(4000, 1).within(0.93, 0.98)
    draw = lambda cell, rng: float(rng.random())  # noqa: E731
    rng = np.random.default_rng(1)
    assert rejecting(lambda p: p, draw)({}, 4000, rng).within(0.05, 0.05)
    half = rejecting(lambda p: None if p < 0.5 else p, draw)({}, 100, rng)
    assert (half.draws + half.undefined, half.hits) == (100, 0)
    assert half.undefined


def test_sums_over_all_outcomes_are_those_of_the_binomial():
    rng = np.random.default_rng(1)
    one = covering_share(wilson_interval)
    chances = binom.pmf(range(11), 10, 0.9)
    held = [low <= 0.9 <= high for low, high in (wilson_interval(x, 10) for x in range(11))]
    assert one({"n": 10, "share": 0.9}, 0, rng).share == pytest.approx(chances @ held)
    mean = averaged(one, "share", (0.5, 0.9))({"n": 10}, 0, rng)
    assert mean.more["lowest"] <= mean.share
    cell = {"m": 12, "n": 7, "p": 0.8, "q": 0.3}
    two = covering_two(difference_interval, lambda p, q: p - q)(cell, 0, rng).share
    drawn = covering(
        lambda x, y: difference_interval((x, 12), (y, 7)),
        lambda cell, rng, draws: rng.binomial((12, 7), (0.8, 0.3), size=(draws, 2)),
        lambda cell: 0.5,
    )
    assert drawn(cell, 20_000, rng).within(two, two)
    size = rejecting_two(lambda one, two: fisher_exact(one, two).p_value)
    assert 0 < size({"m": 12, "n": 7, "p": 0.4}, 0, rng).share <= 0.05


def test_each_side_of_an_interval_can_be_judged_alone():
    draw = lambda cell, rng, draws: rng.binomial(20, 0.9, size=(draws, 1))  # noqa: E731
    shares = {
        side: covering(lambda x: wilson_interval(x, 20), draw, lambda cell: 0.9, side)(
            {}, 4000, np.random.default_rng(2)
        ).share
        for side in ("either", "low", "high")
    }
    assert shares["either"] == pytest.approx(shares["low"] + shares["high"] - 1)
    none = covering(lambda x: None, draw, lambda cell: 0.9)({}, 50, np.random.default_rng(2))
    assert (none.draws, none.undefined) == (0, 50)


def test_the_worst_cells_that_are_kept_are_listed_without_a_run(capsys):
    assert main(["--only", "differences: difference, wald", "--worst"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("differences: difference, wald: 0.0955")
    assert "worst of" in said


def test_a_finished_certificate_is_kept_until_it_is_declared_anew(tmp_path):
    one = fixed(0.95, seed=3)
    assert not is_kept(one, tmp_path)
    keep(one, one.run(), {"a"}, tmp_path)
    assert is_kept(one, tmp_path)
    assert kept_found(kept("f", tmp_path)["a"]) == one.run()
    assert not is_kept(fixed(0.95, seed=4), tmp_path)
    assert not is_kept(fixed(0.95, seed=3, long=5000), tmp_path)
    assert is_kept(fixed(0.95, seed=3, allowed=(0.9, 1.0)), tmp_path), "judged anew, not run anew"
    other = Certificate(**{**{f: getattr(one, f) for f in Certificate.__slots__}, "name": "b"})
    keep(other, one.run(), {"b"}, tmp_path)
    assert list(kept("f", tmp_path)) == ["b"], "what is no longer declared is dropped"


def test_a_second_run_finds_all_finished_and_runs_none(capsys):
    assert main(["--only", "proportions: wilson", "--workers", "1"]) == 0
    said = capsys.readouterr().err
    assert "2 certificates, 2 finished before" in said
    assert "wilson, at its lowest: 0.8315" in said
    assert "worst of" in said


def test_races_side_by_side_drop_whom_a_race_alone_drops():
    patterns = np.random.default_rng(1).choice(
        8, p=[0.1, 0.3, 0.1, 0.1, 0.05, 0.1, 0.05, 0.2], size=(200, 8)
    )
    dropped = dropped_in_races(patterns, 3)
    assert dropped.any()
    for place, path in enumerate(patterns.T.tolist()):
        alone = start_race("ABC")
        for pattern in path:
            alone = alone.update(pattern)
        assert [name in alone.dropped for name in "ABC"] == dropped[place].tolist()


def test_rows_of_e_values_are_closed_as_one_row_is():
    rows = np.random.default_rng(2).lognormal(0, 2, size=(50, 6))
    found = closed_values(rows)
    for row, closed in zip(rows.tolist(), found, strict=True):
        assert closed == pytest.approx(closed_by_averaging(row), rel=1e-12)


def test_a_campaign_is_compared_with_what_was_calculated_of_its_rule():
    # Values of the exact calculation before it was shared with the certificates.
    known = {"best >= 0.975": 0.3297, "loss <= 0.005": 0.9667, "wald(1.0, 2.5)": 0.0407}
    for rule, winners in known.items():
        found = calculated_winners(rule, 300, 0.2, step=PLAYED[rule])
        assert found == pytest.approx(winners, abs=1e-4)
