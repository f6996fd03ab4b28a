"""The local page in a real browser: from a dropped file to a shared link and a saved report."""

import re
import socket
import threading
import time
from importlib.resources import files
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
import uvicorn

from steelyard.surfaces.report import save_content
from steelyard.surfaces.web.app import make_app
from steelyard.surfaces.web.app_state import AppState
from steelyard.surfaces.web.door.guard import Access
from steelyard.surfaces.web.door.tokens import TokenBook, new_token
from steelyard.surfaces.web.uploads import Uploads
from tests.real.shapes import draw, submissions

DATA = Path(str(files("steelyard") / "data"))
RULES = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
SEEN = ((1280, "light"), (1280, "dark"), (390, "light"))
EVIL = "<img src=x onerror=document.title='taken'>"
READY = "body[data-ready=true]"
DRAWN = "body[data-ready=true][data-drawn=true]"


class Served:
    """A page that really listens; it can be stopped and started again on its port."""

    def __init__(self, folder):
        self.folder = folder
        self.token = new_token()
        self.port = 0
        self.start()

    def start(self):
        listening = socket.socket()
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(("127.0.0.1", self.port))
        self.port = listening.getsockname()[1]
        self.access = Access(token=self.token, port=self.port, book=TokenBook(self.folder))
        app_state = AppState(folder=self.folder, uploads=Uploads(self.folder))
        app = make_app(app_state, self.access)
        self.server = uvicorn.Server(uvicorn.Config(app, log_level="critical", lifespan="off"))
        self.listening = listening
        self.thread = threading.Thread(
            target=self.server.run, kwargs={"sockets": [listening]}, daemon=True
        )
        self.thread.start()
        while not self.server.started:
            time.sleep(0.01)

    def stop(self):
        self.server.should_exit = True
        self.server.force_exit = True
        self.thread.join()
        self.listening.close()

    def link(self, path="/evaluate"):
        return f"http://127.0.0.1:{self.port}/open?launch={self.access.launch()}&next={path}"


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    running = Served(tmp_path_factory.mktemp("state"))
    yield running
    running.stop()


@pytest.fixture
def come(chromium, served):
    """Open the page as a user who was let in, and note all that the browser says and asks."""
    opened, said, asked = [], [], []

    def go(path="/evaluate", *, width=1280, look="light", let_in=True):
        context = chromium.new_context(
            viewport={"width": width, "height": 900}, color_scheme=look, accept_downloads=True
        )
        context.set_default_timeout(600_000)  # a busy machine is no reason to fail
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        opened.append(context)
        page = context.new_page()
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("request", lambda request: asked.append(request.url))
        if let_in:
            page.goto(served.link())
        if path != "/evaluate" or not let_in:
            page.goto(f"http://127.0.0.1:{served.port}{path}")
        page.said, page.asked = said, asked
        return page

    yield go
    for context in opened:
        context.close()
    outside = [
        one
        for one in asked
        if not one.startswith((f"http://127.0.0.1:{served.port}/", "data:", "blob:"))
    ]
    assert outside == []
    assert [one for one in said if "401" not in one and "ERR_CONNECTION" not in one] == []


def drop(page, *paths):
    """Drop files the way a hand does: with a DataTransfer on the drop zone."""
    carried = page.evaluate_handle(
        """(files) => {
          const carried = new DataTransfer();
          for (const [text, name] of files) carried.items.add(new File([text], name));
          return carried;
        }""",
        [[path.read_text(), path.name] for path in paths],
    )
    page.dispatch_event("#drop", "drop", {"dataTransfer": carried})


def test_files_of_two_systems_are_dropped_together_and_their_truth_is_chosen(come, tmp_path):
    submissions(tmp_path, draw())
    page = come("/compare")
    drop(page, *(tmp_path / f"{name}.csv" for name in ("mine", "theirs", "answers")))
    page.wait_for_selector("#refused:not([hidden])")
    assert "“Truth in a file of its own”: answers.csv" in page.inner_text("#refused")
    assert page.get_attribute("#truth_file", "aria-invalid") == "true"
    drop(page, tmp_path / "mine.csv", tmp_path / "theirs.csv")
    page.wait_for_function(
        "() => document.getElementById('data').selectedOptions[0].text === 'mine.csv, theirs.csv'"
    )
    page.wait_for_selector("#refused:not([hidden])")
    page.select_option("#truth_file", label="answers.csv")
    page.wait_for_selector(DRAWN)
    assert "mine" in page.inner_text("#verdict")
    page.click("[data-copy=command]")
    page.wait_for_function(
        "() => document.getElementById('copied').textContent.includes('steelyard')"
    )
    assert page.inner_text("#copied") == "steelyard compare mine.csv theirs.csv --truth answers.csv"
    page.reload()
    page.wait_for_selector(DRAWN)
    assert (
        page.eval_on_selector("#data", "box => box.selectedOptions[0].text")
        == "mine.csv, theirs.csv"
    )
    assert axe(page) == []
    page.evaluate("document.getElementById('understanding').open = true")
    page.click("#forget")
    page.wait_for_function("() => document.getElementById('data').value === ''")
    assert page.locator("#data option", has_text="mine.csv").count() == 0


def said_in_link(url, name):
    return parse_qs(urlsplit(url).query).get(name)


def axe(page):
    from axe_playwright_python.sync_playwright import Axe

    options = {"runOnly": {"type": "tag", "values": list(RULES)}, "resultTypes": ["violations"]}
    found = Axe().run(page, options=options)
    return [
        (one["id"], [node["html"][:140] for node in one["nodes"][:3]])
        for one in found.response["violations"]
    ]


def test_from_a_dropped_file_to_a_shared_link_and_a_saved_report(come, served, tmp_path):
    page = come()
    drop(page, DATA / "wdbc_scores.csv")
    page.wait_for_selector("#refused:not([hidden])")
    assert "none was named as the positive one" in page.inner_text("#refused")
    assert page.get_attribute("#say-positive", "aria-invalid") == "true"
    page.select_option("#say-positive", "1")
    page.wait_for_selector(DRAWN)
    # The verdict is above all cards, and what had to be said is put away.
    assert page.locator("#verdict .answer").bounding_box()["y"] < 200
    assert not page.evaluate("document.getElementById('understanding').open")
    assert page.get_attribute("#say-positive", "aria-invalid") is None
    assert "logreg separates class 1 from the rest" in page.inner_text("#verdict")
    page.select_option("#shown", "svm")
    page.wait_for_function("() => new URLSearchParams(location.search).get('shown') === 'svm'")
    page.wait_for_selector(DRAWN)
    page.focus("#stop")
    before = page.inner_text("#counts")
    for _ in range(9):
        page.keyboard.press("ArrowLeft")
    counts = [int(page.inner_text(f"#count-{place}").replace(",", "")) for place in range(4)]
    assert page.inner_text("#counts") != before
    assert sum(counts) == 285
    recall = counts[0] / (counts[0] + counts[1])
    assert float(page.inner_text("#share-0")) == pytest.approx(recall, abs=6e-4)
    page.click("[data-copy=link]")  # at once: the address is not waited for
    link = page.evaluate("navigator.clipboard.readText()")
    assert "at=" in link
    assert served.token not in link
    assert "launch" not in link
    page.click("[data-copy=command]")
    page.wait_for_function(
        "() => document.getElementById('copied').textContent.includes('steelyard')"
    )
    typed = "threshold wdbc_scores.csv --positive 1 --systems svm --by fixed --threshold 0."
    assert typed in page.inner_text("#copied")
    page.click("[data-copy=python]")
    assert 'systems=["svm"], by="fixed", threshold=0.' in page.inner_text("#copied")
    with page.expect_download() as coming:
        page.click("[data-download='report.html']")
    kept = tmp_path / "report.html"
    coming.value.save_as(kept)
    begun = save_content(kept.read_text())["arguments"]
    assert (begun["shown"], f"at={begun['at']}") == ("svm", re.search(r"at=[\d.]+", link)[0])

    served.stop()
    served.start()
    again = come()
    again.goto(link)
    again.wait_for_selector(DRAWN)
    assert again.input_value("#shown") == "svm"
    shown = [int(again.inner_text(f"#count-{place}").replace(",", "")) for place in range(4)]
    assert shown == counts
    page.focus("#stop")
    page.select_option("#shown", "rf")
    page.wait_for_selector(f"{DRAWN} #shown")
    assert page.locator("#refused").is_hidden()


def test_a_judges_columns_are_chosen_in_turn_and_claims_stand_one_a_line(come):
    page = come("/compare")
    drop(page, DATA / "judged_answers.csv")
    for box in ("#more-values", "#more-judge"):
        page.wait_for_selector(f"{READY} {box}", state="attached")
        page.evaluate("box => { document.querySelector(box).open = true; }", box)
    for place, name in enumerate(("a", "b"), 1):
        page.check(f"input[name=value][value='{name}.grade']")
        page.wait_for_selector(f"{READY} #say-judge-{place}")
    assert page.is_disabled("#say-judge-2")
    page.select_option("#say-judge-1", "a.judge")
    page.wait_for_selector(f"{READY} #say-judge-2:not([disabled])")
    page.select_option("#say-judge-2", "b.judge")
    page.wait_for_selector(DRAWN)
    assert said_in_link(page.url, "judge") == ["a.judge", "b.judge"]
    assert "70 with labels of people" in page.inner_text("#verdict")
    # Another list of what people labelled has other columns of a judge.
    page.evaluate("document.getElementById('understanding').open = true")
    page.uncheck("input[name=value][value='b.grade']")
    page.wait_for_function("() => !new URLSearchParams(location.search).has('judge')")
    page.goto(page.url.partition("/compare")[0] + "/gate")
    page.wait_for_selector(READY)
    page.select_option("#data", label="Digits, 6 systems")
    page.fill("#candidate", "svm")
    page.click("#claim")
    page.keyboard.type("accuracy at least 0.9")
    page.keyboard.press("Enter")
    page.wait_for_selector("#verdict .answer")
    page.keyboard.type("recall of 8 at least 0.5")
    page.keyboard.press("Tab")
    page.wait_for_function("() => document.querySelector('#verdict').textContent.includes('of 8')")
    assert said_in_link(page.url, "claim") == ["accuracy at least 0.9", "recall of 8 at least 0.5"]


def test_what_a_refusal_spells_is_one_click_away_and_paper_cuts_no_drawing(come):
    page = come()
    drop(page, DATA / "wdbc_scores.csv")
    page.wait_for_selector(".offers button")
    assert page.locator(".offers button").all_inner_texts() == ["Set “Positive class” to 1"]
    assert page.locator(".examples").is_hidden()
    page.click(".offers button")
    page.wait_for_selector(DRAWN)
    assert page.locator("#refused").is_hidden()
    assert "positive=1" in page.url
    page.go_back()
    page.wait_for_selector("#refused:not([hidden])")
    page.go_forward()
    page.wait_for_selector(DRAWN)
    page.set_viewport_size({"width": 700, "height": 900})  # about a sheet of paper
    page.emulate_media(media="print")
    cut = page.evaluate(
        """() => [...document.querySelectorAll(".drawing")].filter((box) =>
             box.querySelector("svg").getBoundingClientRect().right >
             box.getBoundingClientRect().right + 1).map((box) => box.dataset.drawing)"""
    )
    assert cut == []


def test_recipes_and_touches_move_the_point_on_the_curve(come):
    page = come()
    drop(page, DATA / "wdbc_scores.csv")
    page.wait_for_selector("#say-positive")
    page.select_option("#say-positive", "1")
    page.wait_for_selector(DRAWN)
    page.click("[data-method=lowest-positive]")
    assert page.inner_text("#share-0") == "1.000"
    assert page.get_attribute("[data-method=lowest-positive]", "aria-pressed") == "true"
    away = page.evaluate(
        """() => {
          const box = document.querySelector('[data-drawing=roc]');
          const dot = box.querySelector("circle.marker").getBoundingClientRect();
          const x = dot.x + dot.width / 2, y = dot.y + dot.height / 2;
          let least = Infinity;
          for (const path of box.querySelectorAll(".mark-line path")) {
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
    curve = page.locator("[data-drawing=roc] svg")
    curve.scroll_into_view_if_needed()
    frame = curve.bounding_box()
    page.mouse.click(frame["x"] + 60, frame["y"] + frame["height"] / 2)
    assert page.inner_text("#share-0") != "1.000"


def test_the_comparison_moves_with_the_prior_and_the_margin(come):
    page = come("/compare?correct=S%3D190,T%3D194&tested=200")
    page.wait_for_selector(DRAWN)
    first = page.inner_text("#verdict .answer")
    page.fill("#prior", "S=900:10,T=1:1")
    page.keyboard.press("Enter")
    page.wait_for_function(
        "before => document.querySelector('#verdict .answer').textContent !== before", arg=first
    )
    assert "prior=S%3D900%3A10" in page.url
    page.focus("#margin")
    page.keyboard.press("End")
    page.wait_for_function("() => new URLSearchParams(location.search).get('margin') === '0.1'")
    page.wait_for_selector(DRAWN)
    assert page.locator("[data-drawing=posterior] svg").is_visible()


def test_from_an_example_to_a_plan_in_two_clicks_and_back_undoes_what_was_set(come):
    page = come("/compare", width=390)
    page.click(".examples .button >> nth=0")
    page.wait_for_selector(DRAWN)
    headline = page.inner_text("#verdict .headline")
    assert headline == "Ship none yet: svm and knn3 are tied."
    assert page.locator("#verdict .headline").bounding_box()["y"] < 200
    # A setting that cannot be keeps the answer, says that it is old, and marks the field.
    page.click("#understanding > summary")
    page.fill("#say-threshold", "high")
    page.press("#say-threshold", "Tab")
    page.wait_for_selector("#refused:not([hidden])")
    page.wait_for_selector("#verdict.kept .headline")
    assert page.inner_text("#verdict .headline") == headline
    assert page.get_attribute("#say-threshold", "aria-invalid") == "true"
    assert axe(page) == []
    # A browser notes every refusal of a server.
    assert [one for one in page.said if "422" not in one] == []
    page.said.clear()
    page.go_back()
    page.wait_for_selector(DRAWN)
    assert page.is_hidden("#refused")
    page.evaluate("document.getElementById('margin').value = 0.1")
    page.dispatch_event("#margin", "change")
    page.wait_for_function(
        "before => document.querySelector('#verdict .headline').textContent !== before",
        arg=headline,
    )
    page.go_back()
    page.wait_for_selector(DRAWN)
    assert page.inner_text("#verdict .headline") == headline
    assert page.input_value("#margin") == "0"
    page.click(".next .button")
    page.wait_for_selector(DRAWN)
    assert page.input_value("#rates .name >> nth=0") == "svm"
    assert page.inner_text("#verdict .headline").startswith("Test ")


def test_the_plan_moves_with_its_sliders(come):
    page = come("/plan")
    page.wait_for_selector(DRAWN)
    first = page.inner_text(".tile .large")
    page.focus(".rate:nth-child(2) .value")
    for _ in range(10):
        page.keyboard.press("ArrowLeft")
    page.wait_for_function(
        "before => document.querySelector('.tile .large').textContent !== before", arg=first
    )
    page.select_option("#question", "width")
    page.wait_for_function(
        "() => document.querySelector('#verdict .answer').textContent.includes('wide')"
    )
    assert page.locator("[data-dial=power]").is_hidden()
    assert "width=0.05" in page.url
    with page.expect_download() as coming:
        page.click("[data-download='result.json']")
    assert coming.value.suggested_filename == "plan.json"


@pytest.mark.parametrize(
    ("name", "width", "look"),
    [
        *((name, *seen) for name in ("evaluate", "compare", "plan") for seen in SEEN),
        ("calibration", 1280, "dark"),
        ("targeting", 390, "light"),
    ],
)
def test_axe_finds_nothing_and_nothing_runs_over_the_edge(come, served, name, width, look):
    uploads = Uploads(served.folder)
    key = uploads.register(str(DATA / "wdbc_scores.csv"), ("wdbc_scores.csv",)).key
    served.server.config.app.app.state.app_state.uploads = uploads
    path = "/plan" if name == "plan" else f"/{name}?data={key}&positive=1&systems=rf&systems=svm"
    page = come(path, width=width, look=look)
    page.wait_for_selector(DRAWN)
    assert axe(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    if width == 390:
        smallest = page.evaluate(
            """() => Math.min(...[...document.querySelectorAll("[data-drawing] svg text")]
              .map((text) => parseFloat(getComputedStyle(text).fontSize)))"""
        )
        assert smallest >= 12


def test_from_an_example_to_an_answer_in_one_click_on_every_page_of_one_question(come):
    page = come("/gate", width=390)
    page.click(".examples .button")
    page.wait_for_selector("#verdict .headline")
    assert page.inner_text("#verdict .headline") == "svm may be shipped."
    assert page.input_value("#require") == "not worse by 0.01"
    page.fill("#require", "better by 0.05")
    page.press("#require", "Tab")
    page.wait_for_function("() => document.querySelector('.headline').textContent[0] === 'D'")
    assert page.inner_text("#verdict .headline") == "Do not ship svm."
    page.go_back()
    page.wait_for_selector("#verdict .headline")
    assert page.inner_text("#verdict .headline") == "svm may be shipped."
    assert axe(page) == []


def test_on_a_phone_no_interval_and_no_verdict_is_cut(come, tmp_path):
    names = [f"timm/eva02_large_patch14_448.mim_{kind}_ft_in22k_in1k" for kind in ("a", "b", "c")]
    said = [("ab"[n % 2], "ab"[(n % 7 + n) % 2], "ab"[(n % 5 + n) % 2]) for n in range(60)]
    lines = [f"i{n},{','.join((*row, row[0]))}" for n, row in enumerate(said)]
    file = tmp_path / "long.csv"
    file.write_text("\n".join([f"id,truth,{','.join(names)}", *lines]))
    page = come("/compare", width=390)
    drop(page, file)
    page.wait_for_selector("#verdict .headline")
    page.wait_for_selector(DRAWN)
    assert page.locator(".scroll").count() >= 2
    over = page.evaluate(
        "() => [...document.querySelectorAll('.scroll')].map((b) => b.scrollWidth - b.clientWidth)"
    )
    assert max(over) <= 1
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.locator("td.verdict").first.is_visible()


def test_from_a_table_of_right_and_wrong_to_a_verdict_in_one_click(come, tmp_path):
    lines = [f"i{n},{n % 9 > 0:d},{n % 7 > 0:d},{n % 2}" for n in range(90)]
    file = tmp_path / "right.csv"
    file.write_text("\n".join(["item,a,b,c", *lines]))
    page = come("/compare")
    drop(page, file)
    page.wait_for_selector("#refused:not([hidden])")
    assert page.get_attribute("#say-outcome-1", "aria-invalid") == "true"
    assert page.is_visible("#all-outcome")
    page.click("#all-outcome")
    page.wait_for_selector("#verdict .headline")
    assert page.locator("#verdict .headline").bounding_box()["y"] < 200
    assert said_in_link(page.url, "outcome") == ["a", "b", "c"]


def test_the_door_says_what_to_type_and_takes_the_token(come, served):
    page = come("/plan", let_in=False)
    assert "steelyard serve --url" in page.inner_text("main")
    assert axe(page) == []
    page.fill("#token", "wrong")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.getElementById('said').textContent.length > 0")
    page.fill("#token", served.token)
    page.keyboard.press("Enter")
    page.wait_for_selector(READY)
    assert page.title().startswith("Plan")


def test_names_from_data_are_shown_and_never_run(come, tmp_path):
    odd = tmp_path / f"{EVIL.replace('/', '')}.csv"
    rows = [f'"{EVIL}","{EVIL if k % 4 else "b"}","{EVIL if k % 3 else "b"}"' for k in range(40)]
    odd.write_text("\n".join([f'truth,"{EVIL}","s2 {EVIL}"', *rows, '"b","b","b"']))
    page = come()
    drop(page, odd)
    page.wait_for_selector(DRAWN)
    assert EVIL[:20] in page.inner_text("#verdict")  # its middle is left out where it is long
    assert page.evaluate("document.querySelectorAll('img, [onerror]').length") == 0
    page.goto(page.url.replace("/evaluate", "/compare"))
    page.wait_for_selector(DRAWN)
    assert page.evaluate("document.querySelectorAll('img, [onerror]').length") == 0
    assert page.title() == "Compare · Steelyard"
