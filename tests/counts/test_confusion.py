"""What was called, against what was true."""

import copy
import dataclasses
import pickle
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steelyard.counts import SCALE, Binary, Confusion, Exclusion, WeightSums
from steelyard.errors import CountsError

rows = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abcd")))


def counted(pairs, classes=None):
    return Confusion.from_cells(Counter(pairs), classes=classes)


tables = rows.map(counted)


@given(tables, tables, tables)
def test_shards_may_be_merged_in_any_order(a, b, c):
    assert a + b == b + a
    assert (a + b) + c == a + (b + c)


@given(rows, st.integers(0, 50))
def test_merged_shards_equal_the_count_of_the_whole(pairs, cut):
    assert counted(pairs[:cut]) + counted(pairs[cut:]) == counted(pairs)


@given(rows)
def test_every_fold_adds_up_to_the_rows(pairs):
    table = counted(pairs, classes=list("abcd"))
    assert table.total == len(pairs) == sum(table.true_totals().values())
    assert table.total == sum(table.called_totals().values()) == int(table.matrix().sum())
    assert table.right == sum(t == c for t, c in pairs) == int(table.matrix().trace())


@given(rows)
def test_one_class_against_the_rest_agrees_with_counting_rows(pairs):
    table = counted(pairs, classes=list("abcd"))
    for name, cells in table.each_against_rest().items():
        assert cells == table.against_rest(name)
        assert cells.tp == sum(t == c == name for t, c in pairs)
        assert cells.positives == sum(t == name for t, _ in pairs)
        assert cells.called == sum(c == name for _, c in pairs)
        assert cells.negatives + cells.positives == cells.total == len(pairs)


@given(rows, st.permutations("abcd"))
def test_renaming_classes_renames_the_cells_and_nothing_else(pairs, names):
    new = dict(zip("abcd", names, strict=True))
    renamed = counted([(new[t], new[c]) for t, c in pairs])
    expected = Confusion.from_cells({(new[t], new[c]): n for t, c, n in counted(pairs).cells})
    assert renamed == expected


@given(rows, st.permutations("abcd"))
def test_the_matrix_follows_the_order_of_the_classes(pairs, order):
    table = counted(pairs, classes=order)
    again = Confusion.from_matrix(table.matrix(), classes=order)
    assert again == table


def test_a_matrix_of_numpy_numbers_becomes_python_ints():
    table = Confusion.from_matrix(np.array([[8, 2], [1, 9]], dtype=np.float32), classes=["a", "b"])
    assert table.cells == (("a", "a", 8), ("a", "b", 2), ("b", "a", 1), ("b", "b", 9))
    assert all(type(n) is int for _, _, n in table.cells)


@pytest.mark.parametrize("cell", [-1, 0.5, float("nan"), float("inf"), True, "3", None])
def test_a_matrix_with_a_cell_that_is_no_count_is_refused(cell):
    with pytest.raises(CountsError) as refusal:
        Confusion.from_matrix([[1, cell], [1, 1]])
    assert refusal.value.code == "count-not-whole"


@pytest.mark.parametrize("matrix", [[], [[1, 2]], [[1, 2], [3]], [1, 2], [[1], [2]]])
def test_a_matrix_that_is_not_square_is_refused(matrix):
    with pytest.raises(CountsError) as refusal:
        Confusion.from_matrix(matrix)
    assert refusal.value.code == "not-square"


@pytest.mark.parametrize(
    ("classes", "code"),
    [(["a"], "not-square"), (["a", "a"], "class-twice"), (["1", 1.0], "class-twice")],
)
def test_classes_that_do_not_fit_the_matrix_are_refused(classes, code):
    with pytest.raises(CountsError) as refusal:
        Confusion.from_matrix([[1, 2], [3, 4]], classes=classes)
    assert refusal.value.code == code


def test_huge_counts_are_refused():
    with pytest.raises(CountsError) as refusal:
        Confusion.from_binary(tp=2**53, fp=1, fn=0, tn=0)
    assert refusal.value.code == "count-too-large"


@pytest.mark.parametrize(
    ("cells", "classes", "code"),
    [
        ((("a", "b", 1),), ("a",), "class-unknown"),
        ((("a", 3, 1),), ("a",), "class-unknown"),
        ((("a", "a", 1), ("a", "a", 1)), ("a",), "cell-twice"),
        ((), ("a", "a"), "class-twice"),
        ((), ("a", 3), "name-type"),
    ],
)
def test_cells_that_contradict_the_classes_are_refused(cells, classes, code):
    with pytest.raises(CountsError) as refusal:
        Confusion(classes=classes, cells=cells)
    assert refusal.value.code == code


def test_unknown_classes_are_named_in_the_refusal():
    with pytest.raises(CountsError, match=r"No class 'z' in this table\. Classes: 0, 1"):
        Confusion.from_matrix([[1, 2], [3, 4]]).against_rest("z")


def test_cells_given_in_any_order_make_equal_tables():
    one = Confusion(classes=("a", "b"), cells=(("b", "a", 1), ("a", "b", 2), ("a", "a", 0)))
    two = Confusion(classes=("a", "b"), cells=(("a", "b", 2), ("b", "a", 1)))
    assert one == two
    assert hash(one) == hash(two)


def test_weights_travel_with_their_cells():
    weights = {("a", "b"): WeightSums(SCALE, SCALE)}
    one = Confusion.from_cells({("a", "b"): 1}, weights=weights)
    assert (one + one).weights == (("a", "b", WeightSums(2 * SCALE, 2 * SCALE)),)
    with pytest.raises(CountsError) as refusal:
        one + Confusion.from_cells({("a", "b"): 1})
    assert refusal.value.code == "weights-mixed"


def test_exclusions_add_up_when_tables_do():
    one = Confusion.from_cells({}, excluded=[Exclusion(reason="no truth", rows=2)])
    assert (one + one).excluded == (Exclusion(reason="no truth", rows=4),)


def test_copies_and_pickles_are_equal():
    table = Confusion.from_matrix([[8, 2], [1, 9]])
    assert copy.deepcopy(table) == pickle.loads(pickle.dumps(table)) == table
    assert dataclasses.replace(table, classes=("1", "0")).matrix().tolist() == [[9, 1], [2, 8]]


def test_a_hundred_thousand_classes_stay_sparse():
    size = 100_000
    names = [str(number) for number in range(size)]
    table = Confusion.from_cells({(n, names[i * 7 % size]): 2 for i, n in enumerate(names)})
    folded = (table + table).each_against_rest()
    assert folded["1"] == Binary(tp=0, fp=4, fn=4, tn=4 * size - 8)
    assert table.classes == tuple(names)
    with pytest.raises(CountsError, match="76,294 MB"):
        table.matrix()


def test_binary_takes_numpy_counts_and_refuses_others():
    assert Binary(tp=np.int64(1), fp=2, fn=3, tn=4) == Binary(tp=1, fp=2, fn=3, tn=4)
    assert type(Binary(tp=np.int64(1), fp=2, fn=3, tn=4).tp) is int
    with pytest.raises(CountsError):
        Binary(tp=-1, fp=0, fn=0, tn=0)
