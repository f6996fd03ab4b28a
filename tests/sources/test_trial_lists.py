"""Lists of trials without headers: scores, the key, and what is wrong with them."""

from dataclasses import replace

import numpy as np
import pytest

import steelyard as sy
from steelyard.errors import SteelyardError

RNG = np.random.default_rng(6)
TRIALS = [(f"e{e}", f"t{t}") for e in range(12) for t in range(10)]
TARGET = RNG.random(len(TRIALS)) < 0.4
SCORES = (RNG.normal(size=len(TRIALS)) + 2 * TARGET).round(4)


@pytest.fixture
def lists(tmp_path):
    kinds = np.where(TARGET, "target", "nontarget")
    lines = [f"{e} {t} {s}" for (e, t), s in zip(TRIALS, SCORES, strict=True)]
    (tmp_path / "ours.txt").write_text("\n".join(lines) + "\n")
    (tmp_path / "theirs.txt").write_text("\n".join(reversed(lines)).replace(" ", "\t"))
    pairs = [f"{e} {t} {k}" for (e, t), k in zip(TRIALS, kinds, strict=True)]
    (tmp_path / "key.txt").write_text("\n".join(pairs))
    vox = [f"{int(k)} {e} {t}" for (e, t), k in zip(TRIALS, TARGET, strict=True)]
    (tmp_path / "vox.txt").write_text("\n".join(vox))
    return tmp_path


def test_scores_meet_their_key_by_both_sides_of_the_trial(lists):
    found = sy.evaluate(lists / "ours.txt", truth=str(lists / "key.txt"), positive="target")
    table = {"truth": TARGET.tolist(), "s": SCORES.tolist()}
    plain = sy.evaluate(table, score="s", truth="truth")
    assert found.systems[0].area == replace(plain.systems[0].area, of="target")
    assert [one.read_as for one in found.provenance.inputs] == ["list of scores", "key of trials"]


def test_two_systems_and_a_key_with_the_kind_first_are_compared_with_both_sides_as_clusters(lists):
    data = {"ours": lists / "ours.txt", "theirs": lists / "theirs.txt"}
    found = sy.compare(data, truth=str(lists / "vox.txt"), positive="1", cluster="enrolled,tested")
    assert found.pairs[0].difference.value == 0
    assert any("12 clusters on the first side, 10 on the second" in one for one in found.caveats)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda text: text + "e99 t1 0.5\n", "line 121, 'e99 t1 0.5', is not a trial of key.txt"),
        (lambda text: text + text.splitlines()[0], "line 121, .* appears twice"),
        (lambda text: "\n".join(text.splitlines()[1:]), "no score|answer|missing|empty"),
    ],
)
def test_trials_that_do_not_fit_the_key_are_named(lists, change, words):
    path = lists / "ours.txt"
    path.write_text(change(path.read_text()))
    with pytest.raises(SteelyardError, match=words):
        sy.evaluate(path, truth=str(lists / "key.txt"), positive="target")


def test_labels_of_nought_and_one_beside_scores_are_asked_for_by_name(tmp_path):
    path = tmp_path / "scores.txt"
    order = np.argsort(~TARGET, kind="stable")  # all targets first: the first rows look alike
    path.write_text("".join(f"{int(TARGET[at])} {SCORES[at]}\n" for at in order))
    with pytest.raises(SteelyardError, match="--columns truth,score"):
        sy.evaluate(path, positive="1")
    found = sy.evaluate(path, positive="1", columns=["truth", "score"])
    assert found.systems[0].items == len(TRIALS)
