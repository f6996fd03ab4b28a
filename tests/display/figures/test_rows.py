"""Beside the rows of a chart: names that stay apart at any width, and numbers to read off."""

import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest

import steelyard as sy
from steelyard.display import figures

LONG = [
    "timm/convnext_xxlarge.clip_laion2b_soup_ft_in1k",
    "timm/convnext_xxlarge.clip_laion2b_soup_ft_in12k",
    "timm/eva02_large_patch14_448.mim_m38m_ft_in22k_in1k",
    "timm/eva02_large_patch14_448.mim_in22k_ft_in1k",
    'a "quoted" \\name\u2028 of a model that was exported',
]
PAIRS = [
    (first, second, 0.02, -0.01, 0.05, "undecided")
    for place, first in enumerate(LONG)
    for second in LONG[place + 1 :]
]
CHARTS = {
    "systems": lambda: figures.interval_chart([(name, 0.9, 0.85, 0.95) for name in LONG]),
    "pairs": lambda: figures.forest_chart(PAIRS),
    "best": lambda: figures.best_chart(dict.fromkeys(LONG, 0.2)),
    "ranks": lambda: figures.rank_chart(dict.fromkeys(LONG, (1, 5))),
    "slices": lambda: figures.slice_chart({name: [("a", 0.9, 0.8, 0.95)] for name in LONG}),
}


def texts(chart, width):
    """Give what is written, the lines of one label together."""
    root = ElementTree.fromstring(chart.svg(width=width, titled=False))
    written = ["".join(one.itertext()) for one in root.iter() if one.tag.endswith("}text")]
    return [text for text in written if text]


@pytest.mark.parametrize("width", [330, 560])
@pytest.mark.parametrize("name", CHARTS)
def test_no_two_rows_look_alike_and_no_name_is_cut_twice(name, width):
    shown = [text for text in texts(CHARTS[name](), width) if "…" in text]
    assert len(shown) == len(set(shown)) == (len(PAIRS) if name == "pairs" else len(LONG))
    for text in shown:
        assert "……" not in text


FORTY = [
    f"timm/{family}_{size}_patch14_448.{how}_in22k_ft_in1k"
    for family in ("convnextv2", "eva02", "swinv2", "vit", "tf_efficientnetv2")
    for size in ("tiny", "base", "large", "huge")
    for how in ("mim_m38m", "fcmae")
]


def test_a_wide_picture_cuts_names_at_words_as_a_narrow_one_does():
    rows = figures.rows.Rows(names=tuple((name,) for name in FORTY))
    for width in (520, 900, 960):
        shown = rows.left(width)
        assert len(set(shown)) == len(FORTY)
        # Every piece that is left is a whole word of the name, or several.
        for name, label in zip(FORTY, shown, strict=True):
            for piece in filter(None, label.split("…")):
                assert re.search(rf"(?<![^\W_]){re.escape(piece)}(?![^\W_])", name), label


@pytest.mark.parametrize("width", [330, 520])
def test_forty_systems_beside_their_leader_leave_room_for_their_intervals(width):
    leader, *others = FORTY
    pairs = [(leader, name, 0.02, 0.01, 0.03, "different") for name in others[:20]]
    chart = figures.forest_chart(pairs)
    assert chart.notes == (f"{leader} minus each of the systems named.",)
    named = [text for text in texts(chart, width) if "…" in text]
    assert len(set(named)) == 20
    spec = chart.spec(width=width)
    left, right = (chart.rows.left(width), chart.rows.right(width))
    used = 7.2 * (max(map(len, left)) + max(map(len, right)))
    assert spec["width"] - used > width / 5


def test_numbers_stand_at_the_right_of_forests_with_intervals_where_there_is_room():
    rows = [("svm", 0.98, 0.97, 0.99), ("knn", 0.5, None, None), ("guess", None, None, None)]
    chart = figures.interval_chart(rows)
    wide, narrow = texts(chart, 560), texts(chart, 330)
    assert "0.980  [0.970, 0.990]" in wide
    assert "0.980" in narrow
    assert "0.500" in narrow
    assert "undefined" in narrow
    assert "+0.020  [-0.010, +0.050]" in texts(CHARTS["pairs"](), 560)


def test_a_slice_has_a_mark_for_each_system_that_has_a_number():
    chart = figures.slice_chart(
        {
            "day": [("svm", 0.9, 0.8, 0.95), ("knn", 0.8, 0.7, 0.9)],
            "night": [("svm", None, None, None), ("knn", 0.6, None, None)],
        }
    )
    assert chart.summary == "Slices: accuracy of 2 systems in 2 slices."
    lines, dots = chart.spec()["layer"]
    assert [(row["row"], row["series"]) for row in dots["data"]["values"]] == [
        ("day", "svm"),
        ("day", "knn"),
        ("night", "knn"),
    ]
    assert len(lines["data"]["values"]) == 2


def test_whole_numbers_have_a_bar_each_around_them():
    chart = figures.score_histogram([1, 2, 5], {"a": [1, 2, 1]}, group="system", whole=True)
    bars = chart.spec()["layer"][0]["data"]["values"]
    assert [(bar["low"], bar["high"], bar["items"]) for bar in bars if bar["items"] != "0"] == [
        (0.5, 1.5, "1"),
        (1.5, 2.5, "2"),
        (4.5, 5.5, "1"),
    ]
    assert {bar["range"] for bar in bars} == set("12345")


def test_many_ranks_have_marks_that_can_be_read():
    marks = {
        last: figures.rank_chart({f"s{n}": (n, n) for n in range(1, last + 1)}).body["layer"][0][
            "encoding"
        ]["x"]["axis"]["values"]
        for last in (3, 12, 40, 100)
    }
    assert marks[3] == [1, 2, 3]
    assert marks[12] == list(range(1, 13))
    assert marks[40] == [1, *range(5, 41, 5)]
    assert marks[100] == [1, *range(10, 101, 10)]


def test_of_many_systems_those_that_may_be_the_best_have_a_bar():
    right = {f"s{n:02}": [int(k % 40 >= 2 * n) for k in range(120)] for n in range(15)}
    found = sy.compare({"item": [str(k) for k in range(120)], **right}, outcome=list(right))
    chart = found.charts()["best"]()
    assert chart.notes == ("12 of 15 systems are drawn.",)
    assert chart.summary.startswith("Probability of being the best: s00 ")


def test_long_names_above_a_matrix_are_letters_and_no_two_columns_look_alike():
    names = [f"eva02_large_patch14_448.mim_{kind}_ft_in22k_in1k" for kind in "abcdef"]
    pairs = [
        (first, second, 0.1, 0.05, 0.15, "different")
        for place, first in enumerate(names)
        for second in names[place + 1 :]
    ]
    for width in (340, 640):
        drawn = figures.pair_matrix_chart(names, pairs).svg(width=width)
        assert "rotate(-40" not in drawn
        assert all(re.search(rf">\s*{letter}\s*<", drawn) for letter in "ABCDEF")
    short = figures.pair_matrix_chart(["svm", "knn"], [("svm", "knn", 0.1, 0.0, 0.2, "different")])
    assert not re.search(r">\s*A\s*<", short.svg())
    many = [f"class_{number:02d}_of_thirty" for number in range(30)]
    table = [[int(row == column) for column in many] for row in many]
    assert re.search(r">\s*(29|30)\s*<", figures.confusion_chart(many, table).svg())


TICK = re.compile(r'text-anchor="(\w+)" transform="translate\(([\d.-]+),16\)"[^>]*>([^<]+)<')
SHIFT = {"start": 0, "middle": 0.5, "end": 1}


@pytest.mark.parametrize("width", [300, 340, 420, 560])
def test_numbers_below_an_axis_do_not_touch(width):
    pairs = [("beta", "alpha", 0.135, -0.01, 0.28, "undecided")]
    for chart in (
        figures.interval_chart([("a", 0.86, 0.815, 0.92), ("b", 0.88, 0.83, 0.919)]),
        figures.forest_chart(pairs),
    ):
        ends = [
            (float(x) - 7.5 * len(text) * SHIFT[anchor], 7.5 * len(text))
            for anchor, x, text in TICK.findall(chart.svg(width=width, titled=False))
        ]
        assert len(ends) >= 2
        assert all(x + wide < later for (x, wide), (later, _) in pairwise(sorted(ends)))
