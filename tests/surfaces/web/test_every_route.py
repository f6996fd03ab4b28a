"""Every address of the page, none forgotten: another host, another site, no cookie, no token."""

import pytest
from starlette.routing import Route

from steelyard.surfaces.web.app_state import AppState
from steelyard.surfaces.web.asking import page_options
from steelyard.surfaces.web.door.guard import TOKEN_HEADER, Access
from steelyard.surfaces.web.door.tokens import TokenBook, new_token
from steelyard.surfaces.web.pages.frame import PAGES
from steelyard.surfaces.web.uploads import Uploads
from tests.surfaces.web.test_pages import XSS, tags_of

OPEN = {"/session", "/identity", "/login", "/open", "/favicon.ico", "/static/{name}", "/"}
"""What a stranger may ask for: the door itself, and what it is drawn with."""


def routes(folder):
    """List method and address of every route, parameters filled in."""
    from steelyard.surfaces.web.app import make_app

    access = Access(token=new_token(), port=8377, book=TokenBook(folder))
    app = make_app(AppState(folder=folder, uploads=Uploads(folder)), access)
    found = [one for one in app.app.routes if isinstance(one, Route)]
    return [(method, one.path) for one in found for method in sorted(one.methods - {"HEAD"})]


@pytest.fixture(scope="module")
def known(tmp_path_factory):
    return routes(tmp_path_factory.mktemp("routes"))


def filled(path):
    return (
        path.replace("{page}", "plan")
        .replace("{job}", "x")
        .replace("{key}", "ab")
        .replace("{name}", "app.css" if path.startswith("/static") else "result.json")
        .replace("{campaign}", "radar")
        .replace("{path:path}", "x")
    )


def test_there_are_routes_to_try(known):
    assert len(known) > 15
    assert {method for method, _ in known} >= {"GET", "POST", "DELETE"}


def test_another_host_is_refused_at_every_address(client, known):
    for method, path in known:
        answer = client.request(method, filled(path), headers={"Host": "evil.example"})
        assert answer.status_code == 403, (method, path)


@pytest.mark.parametrize("headers", [{"Origin": "http://evil.example"}, {"Origin": "null"},
                                     {"Sec-Fetch-Site": "cross-site"}])  # fmt: skip
def test_another_site_changes_nothing_at_any_address(client, known, headers):
    for method, path in known:
        if method != "GET":
            answer = client.request(method, filled(path), json={}, headers=headers)
            assert answer.status_code == 403, (method, path)


def test_a_stranger_gets_no_further_than_the_door(here, known):
    stranger = here.client(let_in=False, token=False)
    for method, path in known:
        answer = stranger.request(method, filled(path))
        if path not in OPEN:
            assert answer.status_code == 401, (method, path)


@pytest.mark.parametrize("token", [None, "", "0" * 64, "\u00e9", "old"])
def test_a_change_needs_the_token_of_this_page_at_every_address(here, known, token, tmp_path):
    client = here.client(token=False)
    if token == "old":
        before = Access(token=new_token(), port=8377, book=TokenBook(tmp_path / "before"))
        token = before.page_token()
    headers = {} if token is None else {TOKEN_HEADER.encode(): token.encode("utf-8")}
    for method, path in known:
        if method != "GET" and path not in OPEN:
            answer = client.request(method, filled(path), json={}, headers=headers)
            assert answer.status_code in {401, 403}, (method, path)


NOT_UNDERSTOOD = [
    b"", b"{", b"[]", b"null", b"9" * 5_000, b"[" * 50_000, b'{"state":' + b"[" * 50_000,
    b'{"state":[1,2]}', b'{"state":[["data"]]}', b'{"state":[["data","x",3]]}',
    b'{"state":[["data",null]],"width":NaN}', b'{"state":{"data":1},"width":[]}',
    b'{"state":"data","token":[]}', b'{"state":[["data","\\ud800"]],"token":"\\ud800"}',
    b"\xff\xfe{}",
]  # fmt: skip


@pytest.mark.parametrize("body", NOT_UNDERSTOOD, ids=range(len(NOT_UNDERSTOOD)))
def test_a_body_that_means_nothing_is_refused_at_every_address(client, known, body):
    for method, path in known:
        if method == "POST":
            answer = client.post(
                filled(path), content=body, headers={"Content-Type": "application/json"}
            )
            assert answer.status_code < 500, (path, answer.text)


MORE_TRAVERSALS = [
    "%252e%252e%252fsecurity.py", "%c0%ae%c0%ae%c0%afsecurity.py", "....//security.py",
    "..;/security.py", "%2e%2e%00/security.py", "..%ef%bc%8fsecurity.py", "C:%5cwindows%5cwin.ini",
    "%5c%5chost%5cshare", "con", "nul.txt", "~root", "-", "*",
]  # fmt: skip


@pytest.mark.parametrize("name", MORE_TRAVERSALS)
@pytest.mark.parametrize("start", ["static", "download/plan", "answers/plan", "marks", "files"])
def test_no_spelling_of_a_path_leads_out(client, here, start, name):
    for method in ("GET", "DELETE"):
        answer = client.request(method, f"/{start}/{name}")
        assert answer.status_code in {403, 404, 405, 422}
        assert "import " not in answer.text
        assert here.access.token not in answer.text


FIELDS_OF = [
    (page, name) for page in PAGES for name in {**page_options("compare"), **page_options(page)}
]


@pytest.mark.parametrize(("page", "field"), FIELDS_OF)
def test_whatever_a_link_says_is_text_on_the_page(client, ask, page, field):
    for given in XSS[:4]:
        shell = client.get(f"/{page}", params={field: given}).text
        seen = tags_of(shell)
        assert not seen.tags & {"img", "iframe", "object", "style"}
        assert not [one for one in seen.attributes if one.startswith("on")]
        assert shell.count("<script") == shell.count('<script src="/static/')
    found = ask(page, **{field: XSS[1], "rates": "0.9,0.8"})
    assert "<img" not in found.get("html", "")


@pytest.mark.parametrize("name", XSS[:4])
def test_systems_of_a_plan_and_of_counts_are_text(ask, name):
    plain = name.replace("=", "").replace(",", "")
    plan = ask("plan", rates=f"{plain}=0.9,other=0.8", question="pair")
    counts = ask("compare", correct=f"{plain}=190,other=180", tested="200")
    for found in (plan, counts):
        seen = tags_of(found["html"])
        assert not seen.tags & {"script", "img", "iframe", "object", "style", "link"}
        assert not [one for one in seen.attributes if one.startswith("on")]
