"""The report in a real browser: it asks nobody, complains of nothing, and everyone can use it."""

from importlib.resources import files
from pathlib import Path

import pytest

from steelyard.journey.reporting import report_content
from steelyard.surfaces.report import report_html

DATA = Path(str(files("steelyard") / "data"))
EVIL = "</script><img src=x onerror=alert(1)>\"'&]]>\u2028"
RULES = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")


def odd_columns():
    truth = [EVIL, "b", "<b>c</b>"] * 20
    return {
        "truth": truth,
        f"sys {EVIL}": [truth[(k + (k % 7 == 0)) % 60] for k in range(60)],
        "<svg onload=alert(2)>": [truth[(k + (k % 5 == 0)) % 60] for k in range(60)],
    }


MADE = {
    "labels": lambda: report_content(DATA / "digits_labels.csv"),
    "scores": lambda: report_content(DATA / "wdbc_scores.csv", positive="1"),
    "odd names": lambda: report_content(odd_columns()),
}


@pytest.fixture(scope="module")
def reports(tmp_path_factory):
    folder = tmp_path_factory.mktemp("reports")
    paths = {}
    for name, make in MADE.items():
        paths[name] = folder / f"{name.replace(' ', '-')}.html"
        title = EVIL if name == "odd names" else None
        paths[name].write_text(report_html(make(), title=title, command="steelyard report"))
    return paths


@pytest.mark.parametrize("name", MADE)
def test_a_report_asks_for_nothing_but_itself_and_complains_of_nothing(reports, visit, name):
    seen = visit(reports[name])
    seen.page.wait_for_load_state("networkidle")
    assert [one for one in seen.asked if not one.startswith("data:")] == [reports[name].as_uri()]
    assert seen.said == []


@pytest.mark.parametrize(("width", "look"), [(1280, "light"), (1280, "dark"), (390, "light")])
@pytest.mark.parametrize("name", MADE)
def test_axe_finds_nothing_and_nothing_runs_over_the_edge(reports, visit, name, width, look):
    from axe_playwright_python.sync_playwright import Axe

    page = visit(reports[name], width=width, look=look).page
    options = {"runOnly": {"type": "tag", "values": list(RULES)}, "resultTypes": ["violations"]}
    found = Axe().run(page, options=options)
    told = [
        (one["id"], [node["html"][:120] for node in one["nodes"][:3]])
        for one in found.response["violations"]
    ]
    assert told == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_names_from_data_are_shown_and_never_run(reports, visit):
    page = visit(reports["odd names"]).page
    assert page.evaluate("document.querySelectorAll('img').length") == 0
    assert page.evaluate("document.querySelectorAll('script:not([type])').length") == 1
    assert page.evaluate("document.querySelectorAll('[onload], [onerror]').length") == 0
    assert "<svg onload=alert(2)>" in page.inner_text("main")
    assert page.title().startswith("</script><img src=x")


def test_values_stand_under_the_pointer_and_under_the_arrow_keys(reports, visit):
    page = visit(reports["scores"]).page
    drawing = page.locator("[data-picture=roc] .wide svg")
    drawing.scroll_into_view_if_needed()
    box = drawing.bounding_box()
    tip = page.locator("#hint")
    assert not tip.is_visible()
    for height in range(2, 60):
        page.mouse.move(box["x"] + box["width"] * 0.3, box["y"] + box["height"] * height / 100)
        page.wait_for_timeout(50)
        if tip.is_visible():
            break
    assert tip.is_visible()
    assert "detection rate: " in tip.inner_text()
    page.mouse.move(box["x"] + box["width"] * 0.7, box["y"] + box["height"] * 0.6)
    tip.wait_for(state="hidden")
    page.locator("[data-picture=systems] .wide").focus()
    page.keyboard.press("ArrowDown")
    assert "AUC: 0.9" in tip.inner_text()
    page.keyboard.press("Escape")
    assert not tip.is_visible()


def test_the_policy_stops_a_script_that_somebody_slips_in(reports, visit, tmp_path):
    spoilt = tmp_path / "spoilt.html"
    text = reports["labels"].read_text()
    spoilt.write_text(text.replace("</main>", "<script>document.title='taken'</script></main>"))
    seen = visit(spoilt)
    assert seen.page.title() != "taken"
    assert any("Content Security Policy" in one for one in seen.said)


def test_the_slider_moves_the_counts_the_point_and_the_line(reports, visit):
    page = visit(reports["scores"]).page
    before = page.inner_text("#counts")
    page.focus("#stop")
    for _ in range(25):
        page.keyboard.press("ArrowRight")
    assert page.inner_text("#counts") != before
    counts = [int(page.inner_text(f"#count-{place}").replace(",", "")) for place in range(4)]
    assert sum(counts) == 285
    hit = counts[0] / (counts[0] + counts[1])
    assert float(page.inner_text("#share-0")) == pytest.approx(hit, abs=0.0006)
    box = page.locator('[data-picture="roc"] .wide')
    left, top, wide, high = map(float, box.get_attribute("data-frame").split())
    dot = box.locator("circle.marker")
    false = counts[2] / (counts[2] + counts[3])
    assert float(dot.get_attribute("cx")) == pytest.approx(left + 0.5 + wide * false, abs=0.1)
    assert float(dot.get_attribute("cy")) == pytest.approx(top + 0.5 + high * (1 - hit), abs=0.1)
    assert "threshold" in page.inner_text("#live")


def test_the_point_lies_on_the_curve_that_is_drawn(reports, visit):
    page = visit(reports["scores"]).page
    away = page.evaluate(
        """() => {
          const svg = document.querySelector('[data-picture="roc"] .wide svg');
          const dot = svg.querySelector("circle.marker").getBoundingClientRect();
          const x = dot.x + dot.width / 2, y = dot.y + dot.height / 2;
          let least = Infinity;
          for (const path of svg.querySelectorAll("path[stroke]")) {
            const m = path.getScreenCTM();
            for (let k = 0; k <= 2000; k++) {
              const p = path.getPointAtLength(path.getTotalLength() * k / 2000).matrixTransform(m);
              least = Math.min(least, Math.hypot(p.x - x, p.y - y));
            }
          }
          return least;
        }"""
    )
    assert away < 1.5


def test_another_system_brings_its_own_scores(reports, visit):
    page = visit(reports["scores"]).page
    page.select_option("#system", "3")
    shown = page.locator(".scores:visible")
    assert shown.count() == 1
    assert shown.get_attribute("data-system") == "3"


def test_a_touch_on_the_curve_chooses_the_nearest_threshold(reports, visit):
    page = visit(reports["scores"]).page
    svg = page.locator('[data-picture="roc"] .wide svg')
    svg.scroll_into_view_if_needed()
    box = svg.bounding_box()
    page.mouse.click(box["x"] + box["width"] * 0.9, box["y"] + 20)
    assert float(page.inner_text("#share-1")) > 0.6


def test_without_javascript_everything_else_is_there(reports, visit):
    page = visit(reports["scores"], script=False).page
    assert page.locator("#controls").is_hidden()
    assert page.locator('[data-picture="roc"] .wide svg').is_visible()
    assert "The slider needs JavaScript" in page.inner_text("#thresholds")


def test_text_in_pictures_is_at_least_twelve_pixels_high_on_a_phone(reports, visit):
    page = visit(reports["scores"], width=390).page
    smallest = page.evaluate(
        """() => Math.min(...[...document.querySelectorAll(".narrow svg")]
          .filter((svg) => svg.getBoundingClientRect().width > 0)
          .map((svg) => 13 * svg.getBoundingClientRect().width / svg.viewBox.baseVal.width))"""
    )
    assert smallest >= 12


def test_on_paper_no_part_is_cut_off_and_the_ground_is_white(reports, visit):
    page = visit(reports["scores"], look="dark").page
    page.emulate_media(media="print")
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert ground == "rgb(255, 255, 255)"
    assert page.locator("header").is_hidden()
    assert page.locator('[data-picture="roc"] .narrow svg').is_visible()
    assert page.pdf(format="A4").startswith(b"%PDF")
