"""A saved chart in a real browser: drawn by Vega, without eval, without a request."""

import pytest

from steelyard.display import figures


@pytest.fixture(scope="module")
def page_path(tmp_path_factory):
    chart = figures.roc_chart(
        {"<b>svm</b>": ([0, 0.1, 1], [0, 0.8, 1]), "knn": ([0, 0.3, 1], [0, 0.7, 1])}
    )
    return chart.save(tmp_path_factory.mktemp("charts") / "roc.html")


def test_a_chart_is_drawn_by_the_bundle_without_eval_and_without_a_request(visit, page_path):
    seen = visit(page_path)
    seen.page.wait_for_selector("body[data-drawn=true]")
    assert seen.page.locator("#chart svg").is_visible()
    assert [one for one in seen.asked if not one.startswith("data:")] == [page_path.as_uri()]
    assert seen.said == []
    assert page_path.stat().st_size < 1_100_000


def test_the_value_under_the_pointer_is_shown_as_text(visit, page_path):
    page = visit(page_path).page
    page.wait_for_selector("body[data-drawn=true]")
    assert page.locator("#tip").is_hidden()
    told = []
    for symbol in page.locator("#chart svg .mark-symbol.role-mark path").all():
        symbol.hover(force=True)
        told.append(page.inner_text("#tip"))
    assert "system: <b>svm</b>\nfalse-alarm rate: 0.100\ndetection rate: 0.800" in told
    assert page.evaluate("document.querySelectorAll('#tip b').length") == 0
