"""Programs go by codes; words are for people and may be mended."""

import ast
from pathlib import Path

import steelyard as sy
from steelyard.measures import likelihood_ratio_positive
from steelyard.results import Caveat
from steelyard.results.calibration import calibration_faults
from steelyard.results.comparison.data import MEASURE_NAMES

SOURCE = Path(sy.__file__).parent
SENTENCES = {"answer", "caveats", "notes", "primary", "sentence"}


def looked_for(tree):
    """List the lines that look for a text inside a sentence, or inside each of several."""
    for node in ast.walk(tree):
        loops = getattr(node, "generators", [])
        held = {
            loop.target.id
            for loop in loops
            if isinstance(loop.target, ast.Name)
            and isinstance(loop.iter, ast.Attribute)
            and loop.iter.attr in SENTENCES
        }
        for one in ast.walk(node) if held else [node]:
            if not isinstance(one, ast.Compare) or not isinstance(one.ops[0], ast.In | ast.NotIn):
                continue
            inside = one.comparators[0]
            named = isinstance(inside, ast.Name) and inside.id in held
            owned = isinstance(inside, ast.Attribute) and inside.attr in SENTENCES
            text = isinstance(one.left, ast.Constant) and isinstance(one.left.value, str)
            if (named and text) or (owned and text):
                yield one.lineno


def test_no_module_looks_for_words_inside_a_sentence():
    found = [
        f"{path.relative_to(SOURCE)}:{line}"
        for path in sorted(SOURCE.rglob("*.py"))
        for line in looked_for(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert found == []


def test_a_search_for_words_would_be_found():
    bad = "kept = tuple(one for one in thin.caveats if 'limit' in one)\n'McNemar' in found.primary"
    assert list(looked_for(ast.parse(bad))) == [2, 1]


def test_a_ratio_without_an_upper_limit_says_so_by_code():
    table = sy.Confusion.from_matrix([[10, 0], [0, 10]], classes=["ship", "sea"])
    ratio = likelihood_ratio_positive(table, of="ship")
    assert [Caveat.code_of(one) for one in ratio.caveats] == ["about-limits"]


def test_every_measure_and_every_fault_has_its_words():
    assert MEASURE_NAMES == {"accuracy": "accuracy", "auc": "AUC"}
    rows = {"truth": [0, 1] * 50, "p": [0.05, 0.95] * 40 + [0.95, 0.05] * 10}
    found = sy.calibration(rows, truth="truth", positive=1, score=["p"])
    faults = calibration_faults(found.classes[0])
    assert faults == ("overconfident",)
    assert f"are {faults[0]}" in found.sentence()
