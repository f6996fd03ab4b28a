"""Long work is done beside the server and told about; equal questions are worked out once."""

import threading
import time

import pytest

from steelyard.errors import RequestError
from steelyard.surfaces.web import jobs
from steelyard.surfaces.web.jobs import JobQueue


def test_equal_questions_are_worked_out_once():
    shop, done = JobQueue(), []
    begun = [shop.start({"a": 1}, lambda progress: done.append(1)) for _ in range(3)]
    for job in begun:
        job.future.result(5)
    assert len(done) == 1
    assert shop.find({"a": 1}) is begun[0]
    assert shop.find({"a": 2}) is None
    shop.close()


def test_a_failure_is_an_answer_for_a_minute_and_then_tried_again(monkeypatch):
    shop, tries = JobQueue(), []

    def fail(progress):
        tries.append(1)
        raise ValueError

    for _ in range(3):
        with pytest.raises(ValueError):
            shop.start("x", fail).future.result(60)
    assert len(tries) == 1
    later = time.monotonic() + jobs.REFUSED_FOR + 1
    monkeypatch.setattr(time, "monotonic", lambda: later)
    with pytest.raises(ValueError):
        shop.start("x", fail).future.result(60)
    assert len(tries) == 2
    shop.close()


def test_a_refusal_that_takes_long_reaches_the_page(client, monkeypatch):
    from steelyard.surfaces.web.pages import plan as plan_page

    tries = []

    def refuse(app_state, state, progress):
        tries.append(1)
        time.sleep(2 * jobs.SOON)
        message = "These rates cannot be planned for."
        raise RequestError(message)

    monkeypatch.setattr(plan_page, "find", refuse)
    body = {"state": [["rates", "0.9,0.8"]], "width": 500}
    job = client.post("/answers/plan", json=body).json()["job"]
    while not client.get(f"/answers/plan/{job}", params={"rates": "0.9,0.8"}).json()["ready"]:
        time.sleep(0.02)
    assert "cannot be planned for" in str(client.post("/answers/plan", json=body).json())
    assert len(tries) == 1


def test_a_page_hears_how_far_long_work_is(client, here, monkeypatch):
    from steelyard.surfaces.web.pages import plan as plan_page

    go = threading.Event()
    find = plan_page.find

    def slow(app_state, state, progress):
        progress(None)
        go.wait(600)
        return find(app_state, state, progress)

    monkeypatch.setattr(plan_page, "find", slow)
    body = {"state": [["rates", "0.9,0.8"]], "width": 500}
    first = client.post("/answers/plan", json=body).json()
    assert "1 passes" in first["said"]
    address = f"/answers/plan/{first['job']}"
    assert client.get(address, params={"rates": "0.9,0.8"}).json()["ready"] is False
    assert client.get(address, params={"rates": "0.9,0.7"}).status_code == 404
    go.set()
    while not client.get(address, params={"rates": "0.9,0.8"}).json()["ready"]:
        time.sleep(0.02)
    assert "test" in client.post("/answers/plan", json=body).json()["html"]


def test_an_answer_is_drawn_once_for_all_who_look_at_it_alike(ask, here, tmp_path, monkeypatch):
    from steelyard.surfaces.web.pages import evaluate

    drawn = []
    show = evaluate.show
    monkeypatch.setattr(evaluate, "show", lambda *given: drawn.append(given) or show(*given))
    path = tmp_path / "rows.csv"
    path.write_text("truth,a\n1,0.9\n0,0.2\n1,0.7\n0,0.8\n", encoding="utf-8")
    asked = {"data": here.uploads.register(str(path), (str(path),)).key, "positive": "1"}
    assert ask("evaluate", **asked) == ask("evaluate", **asked)
    assert len(drawn) == 1
    ask("evaluate", **asked, at="0.5")
    ask("evaluate", 320, **asked)
    assert len(drawn) == 3
    path.write_text("truth,a\n1,0.9\n0,0.2\n1,0.7\n0,0.1\n", encoding="utf-8")
    ask("evaluate", **asked)
    assert len(drawn) == 4


def test_answers_as_they_are_sent_are_kept_up_to_a_number_of_bytes(monkeypatch):
    monkeypatch.setattr("steelyard.surfaces.web.jobs.MOST_DRAWN", 25)
    jobs, made = JobQueue(), []
    for key in ["a", "b", "a", "c", "a", "b"]:
        jobs.draw(key, lambda key=key: made.append(key) or b"0123456789")
    assert made == ["a", "b", "c", "b"]
    jobs.close()
