"""Every chart draws, in every look, the same bytes each time, and names from data stay text."""

import importlib.util
import json
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
import vl_convert

import steelyard as sy
from steelyard.display import figures
from steelyard.display.figures import Chart
from steelyard.errors import RequestError

spec = importlib.util.spec_from_file_location("gallery", Path(__file__).parent / "gallery.py")
gallery = importlib.util.module_from_spec(spec)
sys.modules["gallery"] = gallery
spec.loader.exec_module(gallery)
GALLERY = gallery.GALLERY

EVIL = (
    "<script>alert(1)</script>",
    "\"quoted\" & 'single'",
    "]]>--><!--",
    "line\u2028and\u2029paragraph\x00\x1b[31m",
    "{{ 7*7 }} ${datum} javascript:alert(1)",
    "",
    "\ufffe\uffff",
)


def texts(svg):
    return [element.text or "" for element in ElementTree.fromstring(svg).iter()]


STEPS = 'WARN Dropping "fit-y" because spec has discrete height.\n'
"""Said of every chart with a row a system, though only the width was to be fitted."""


@pytest.mark.parametrize("name", GALLERY)
def test_every_chart_compiles_without_a_warning(name, capfd):
    spec = GALLERY[name]().spec()
    assert vl_convert.vegalite_to_vega(spec, vl_version="6.4", show_warnings=True)["marks"]
    assert capfd.readouterr().err in {"", STEPS}


@pytest.mark.parametrize("look", ["light", "dark"])
@pytest.mark.parametrize("name", GALLERY)
def test_every_chart_draws_the_same_bytes_again_and_names_itself(name, look):
    chart = GALLERY[name]()
    drawn = chart.svg(look=look)
    assert GALLERY[name]().svg(look=look) == drawn
    root = ElementTree.fromstring(drawn)
    assert root.get("role") == "img"
    assert root.get("aria-label") == chart.summary
    assert chart.title in texts(drawn)


@pytest.mark.parametrize("name", GALLERY)
def test_a_specification_is_plain_data_without_addresses_and_colours_come_from_the_look(name):
    chart = GALLERY[name]()
    body = json.dumps(chart.body, allow_nan=False)
    assert json.loads(body) == json.loads(json.dumps(chart.body))
    for word in ("http", "url", "#0", "#1", "#f", "var("):
        assert word not in body
    assert chart.spec(look="light")["config"] != chart.spec(look="dark")["config"]


@pytest.mark.parametrize("name", GALLERY)
def test_a_phone_gets_a_picture_of_its_own_width(name):
    root = ElementTree.fromstring(GALLERY[name]().svg(width=330))
    assert float(root.get("width")) <= 331


@pytest.mark.parametrize("name", GALLERY)
def test_altair_takes_every_chart_and_its_schema_finds_no_fault(name):
    taken = GALLERY[name]().to_altair()
    drawn = taken.to_dict(validate=True)
    assert drawn.get("spec", drawn)["layer"]


@pytest.mark.parametrize("name", GALLERY)
def test_every_chart_has_words_under_the_pointer_within_its_frame(name):
    _, hints = GALLERY[name]().hinted_svg(width=560)
    assert hints
    assert all(-0.02 <= place <= 1.02 for one in hints for place in (one.x, one.y))
    assert all("\n" in one.words or ": " in one.words for one in hints)


@pytest.mark.parametrize("evil", EVIL, ids=range(len(EVIL)))
def test_names_from_data_stay_text(evil):
    curve = ([0.0, 0.2, 1.0], [0.0, 0.7, 1.0])
    pair = (evil, "b", 0.1, 0.05, 0.15, "different")
    charts = [
        figures.roc_chart({evil: curve, "b": curve}, points={evil: (0.2, 0.7)}),
        figures.confusion_chart([evil, "b"], [[1, 2], [3, 4]]),
        figures.forest_chart([pair]),
        figures.pair_matrix_chart([evil, "b"], [pair]),
        figures.best_chart({evil: 0.9, "b": 0.1}),
        figures.interval_chart([(evil, 0.9, 0.8, 0.95)]),
        figures.score_histogram([0.1, 0.9], {evil: [1, 2], "b": [2, 1]}),
        figures.threshold_chart([0.1, 0.9], {evil: [0.1, 0.2]}, marks={evil: 0.5}),
        figures.critical_difference_chart({evil: 1.0, "b": 2.0}, [(evil, "b")]),
    ]
    for chart in charts:
        svg = chart.svg()
        assert "<script" not in svg
        tags = {element.tag.rpartition("}")[2] for element in ElementTree.fromstring(svg).iter()}
        assert tags - {"clipPath"} <= {
            "svg",
            "g",
            "path",
            "rect",
            "line",
            "circle",
            "text",
            "tspan",
            "defs",
        }
        assert not set("\u2028\u2029\x00\x1b\ufffe\uffff") & set(svg)


def test_a_name_in_html_cannot_close_the_script():
    chart = figures.best_chart({"</script><script>alert(1)</script>": 1.0, "b\u2028": 0.0})
    page = chart.html()
    assert page.count("<script type") == 1
    assert "alert(1)</script>" not in page
    assert "unsafe" not in page
    assert "\u2028" not in page.partition("<body>")[2].partition("</script>")[0]


def test_names_that_look_the_same_stay_two_series():
    chart = figures.best_chart({"svm": 0.5, "svm ": 0.3, "svm\n": 0.2})
    shown = [text for text in texts(chart.svg()) if text.startswith("svm")]
    assert sorted(shown) == ["svm", "svm (2)", "svm (3)"]


@pytest.mark.parametrize("suffix", figures.SUFFIXES)
def test_a_chart_is_saved_as_its_name_says(tmp_path, suffix):
    target = tmp_path / f"chart{suffix}"
    target.write_text("old")
    assert GALLERY["best"]().save(target) == target
    starts = {
        ".svg": b"<svg",
        ".png": b"\x89PNG",
        ".pdf": b"%PDF",
        ".html": b"<!doc",
        ".json": b"{",
    }
    assert target.read_bytes().startswith(starts[suffix])
    assert [path.name for path in tmp_path.iterdir()] == [target.name]


def test_a_chart_that_cannot_be_written_leaves_the_old_file_whole(tmp_path, monkeypatch):
    target = tmp_path / "chart.svg"
    target.write_text("old")

    def full(self, other):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match="No space"):
        GALLERY["best"]().save(target)
    assert target.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["chart.svg"]


def test_an_ending_that_no_chart_has_is_refused(tmp_path):
    with pytest.raises(RequestError, match=r"\.svg, \.png, \.pdf, \.html, \.json"):
        GALLERY["best"]().save(tmp_path / "chart.bmp")


def test_a_notebook_gets_specification_picture_and_words():
    bundle = GALLERY["best"]()._repr_mimebundle_()
    assert set(bundle) == {"application/vnd.vegalite.v6+json", "text/html", "text/plain"}
    assert bundle["text/html"].startswith("<svg")


def test_a_notebook_without_the_part_that_draws_gets_the_specification(monkeypatch):
    """IPython asks for every form that the bundle does not have, one by one."""
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    chart = GALLERY["best"]()
    assert set(chart._repr_mimebundle_()) == {"application/vnd.vegalite.v6+json", "text/plain"}
    assert chart._repr_html_() is None
    shown = sy.ConfusionMatrixDisplay.from_predictions(["a", "b", "b"], ["a", "b", "a"])
    assert "<svg" not in shown._repr_html_()


def test_numbers_that_cannot_be_drawn_are_refused():
    with pytest.raises(RequestError, match="cannot be drawn"):
        figures.roc_chart({"a": ([0.0, float("nan")], [0.0, 1.0])})
    with pytest.raises(RequestError, match="as many of one"):
        figures.roc_chart({"a": ([0.0, 1.0], [0.0])})
    with pytest.raises(RequestError, match="light, dark, print, page"):
        GALLERY["best"]().spec(look="neon")


def test_a_missing_altair_names_the_line_to_type(monkeypatch):
    monkeypatch.setitem(sys.modules, "altair", None)
    with pytest.raises(RequestError, match=r'pip install "steelyard\[notebook\]"'):
        GALLERY["best"]().to_altair()


def test_a_resized_chart_keeps_its_proportions():
    chart = GALLERY["roc"]()
    wide = chart.sized(1200)
    assert isinstance(wide, Chart)
    assert wide.height == pytest.approx(2 * chart.height, abs=30)
    assert wide.spec()["width"] == 1200
