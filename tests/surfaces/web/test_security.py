"""Who may talk to the page: nobody by another name, from another site, or without a token."""

import re
import socket
import threading
import time

import pytest
import uvicorn
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from steelyard.surfaces.web.door.guard import POLICY, TOKEN_HEADER
from steelyard.surfaces.web.door.tokens import new_launch, signature

EVIL_HOSTS = [
    "evil.example",
    "evil.example:8377",
    "127.0.0.1",
    "127.0.0.1:80",
    "127.0.0.1:8377.evil.example",
    "127.0.0.1:8377@evil.example",
    "localhost.evil.example:8377",
    "0.0.0.0:8377",
    "[::]:8377",
    "",
]
ADDRESSES = ["/", "/evaluate", "/static/app.js", "/open?launch=x", "/session", "/nothing"]


@pytest.mark.parametrize("host", EVIL_HOSTS)
@pytest.mark.parametrize("path", ADDRESSES)
def test_a_request_for_another_host_is_refused_everywhere(client, host, path):
    answer = client.get(path, headers={"Host": host})
    assert answer.status_code == 403
    assert "--allow-host" in answer.text


@pytest.mark.parametrize(
    "host", ["127.0.0.1:8377", "localhost:8377", "[::1]:8377", "LOCALHOST:8377"]
)
def test_the_names_of_this_machine_are_let_in(client, host):
    assert client.get("/session", headers={"Host": host}).status_code == 200


def test_a_host_that_was_allowed_is_let_in(here):
    here.access.hosts = ("stats.lab.example",)
    client = here.client()
    assert client.get("/session", headers={"Host": "stats.lab.example"}).status_code == 200
    assert client.get("/session", headers={"Host": "other.lab.example"}).status_code == 403


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:9999"},
        {"Origin": "file://"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
@pytest.mark.parametrize(
    ("method", "path"), [("POST", "/answers/plan"), ("POST", "/files"), ("DELETE", "/files/ab")]
)
def test_what_another_site_sends_is_refused_even_with_cookie_and_token(
    client, method, path, headers
):
    assert client.request(method, path, json={}, headers=headers).status_code == 403


def test_another_site_can_open_a_link_but_load_nothing_from_here(client):
    link = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    loaded = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}
    assert client.get("/evaluate", headers=link).status_code == 200
    assert client.get("/evaluate", headers=loaded).status_code == 403
    assert client.get("/static/app.js", headers=loaded).status_code == 403


def test_our_own_page_may_send(client):
    headers = {"Origin": "http://127.0.0.1:8377", "Sec-Fetch-Site": "same-origin"}
    answer = client.post("/answers/plan", json={"state": []}, headers=headers)
    assert answer.status_code == 200


@pytest.mark.parametrize(
    "path", ["/", "/evaluate", "/compare", "/plan", "/download/plan/result.json"]
)
def test_without_a_cookie_a_page_says_what_to_type(here, path):
    client = here.client(let_in=False)
    answer = client.get(path, headers={"Accept": "text/html"})
    assert answer.status_code == 401
    assert "steelyard serve --url" in answer.text
    assert client.get(path).json()["refused"].endswith("steelyard serve --url")


@pytest.mark.parametrize("cookie", ["", "0" * 64, "é"])
def test_a_wrong_cookie_is_no_cookie(here, cookie):
    client = here.client(let_in=False)
    value = cookie.encode("utf-8").decode("latin-1")
    headers = {"Cookie": f"{here.access.cookie}={value}".encode("latin-1")}
    assert client.get("/evaluate", headers=headers).status_code == 401


def test_a_change_needs_the_token_of_the_page_too(here):
    assert here.client(token=False).post("/answers/plan", json={}).status_code == 401
    stale = here.client(token=False)
    stale.headers[TOKEN_HEADER] = "0" * 64
    answer = stale.post("/answers/plan", json={})
    assert answer.status_code == 401
    assert "Load it again" in answer.json()["refused"]


def test_an_old_token_lets_nobody_in(here):
    client = here.client()
    assert client.get("/evaluate").status_code == 200
    here.access.token = "another-token-that-is-long-enough-to-be-one"
    assert client.get("/evaluate").status_code == 401
    assert client.post("/answers/plan", json={}).status_code == 401


def test_a_cookie_of_one_port_opens_no_other(here):
    session = here.access.session()
    here.access.port = 9000
    assert here.access.session() != session
    assert here.access.cookie == "steelyard-9000"


def test_a_launch_link_works_once_and_becomes_a_cookie(here):
    client = here.client(let_in=False)
    launch = here.access.launch()
    answer = client.get(f"/open?launch={launch}&next=/plan%3Frates%3D0.9")
    assert answer.status_code == 303
    assert answer.headers["location"] == "/plan?rates=0.9"
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert here.access.token not in cookie
    assert client.get("/evaluate").status_code == 200
    again = here.client(let_in=False).get(f"/open?launch={launch}")
    assert again.status_code == 401
    assert "used already" in again.json()["refused"]


@pytest.mark.parametrize(
    ("path", "status", "said"),
    [
        ("/nothing", 404, "There is nothing at this address."),
        ("/download/plan/nothing.json", 404, "There is nothing at this address."),
        ("/download/suites/result.json", 422, "There is nothing to take along yet."),
    ],
)
def test_a_person_gets_a_refusal_as_a_page_and_a_script_as_json(here, path, status, said):
    client = here.client()
    seen = client.get(path, headers={"Accept": "text/html"})
    read = client.get(path, headers={"Accept": "application/json"})
    assert seen.status_code == read.status_code == status
    assert said in seen.text
    assert 'href="/evaluate"' in seen.text
    assert seen.headers["content-type"].startswith("text/html")
    assert said in read.json()["refused"]


def test_a_rig_without_a_token_hears_how_to_get_one(here):
    answer = here.client(let_in=False, token=False).post("/api/campaigns/radar/results", json={})
    assert answer.status_code == 401
    assert "--issue-token campaign:NAME" in answer.json()["refused"]


def test_a_launch_link_grows_old(here, monkeypatch):
    launch = here.access.launch()
    later = time.time() + 61
    monkeypatch.setattr(time, "time", lambda: later)
    assert here.client(let_in=False).get(f"/open?launch={launch}").status_code == 401


def test_a_launch_link_is_made_by_the_owner_for_one_port_and_one_time(here):
    known = new_launch(here.access.token, port=here.access.port)
    end, nonce, signed = known.split(".")
    forged = [
        new_launch("another-token-that-is-long-enough-to-be-one", port=here.access.port),
        new_launch(here.access.token, port=here.access.port + 1),
        f"{int(end) + 5}.{nonce}.{signed}",
        f"{end}.{nonce}x.{signed}",
        f"{end}.{nonce}.",
        "",
        "..",
    ]
    client = here.client(let_in=False)
    for launch in forged:
        assert client.get("/open", params={"launch": launch}).status_code == 401
    assert client.get("/open", params={"launch": known}).status_code == 303


def test_a_page_that_led_here_is_led_on_by_ours_or_the_cookie_would_not_be_sent(here):
    client = here.client(let_in=False)
    answer = client.get(
        "/open",
        params={"launch": here.access.launch(), "next": '/plan?rates="><script>'},
        headers={"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"},
    )
    assert answer.status_code == 200
    assert here.access.cookie in answer.headers["set-cookie"]
    assert "url=/plan?rates=&quot;&gt;&lt;script&gt;" in answer.text


def test_a_server_proves_to_its_owner_who_it_is_and_the_token_is_never_sent(here):
    client = here.client(let_in=False, token=False)
    nonce = "n" * 20
    proof = client.get("/identity", params={"nonce": nonce}).json()["proof"]
    assert proof == signature(here.access.token, f"identity:{nonce}", port=here.access.port)
    assert proof not in {here.access.session(), here.access.page_token()}
    assert client.get("/identity").status_code == 400


def test_a_damaged_token_lets_nobody_in_and_says_so(here):
    here.access.book.issue("campaign:radar")
    (here.access.book.folder / "0badf00d.json").write_text("{")
    answer = here.client(let_in=False, token=False).get(
        "/api/campaigns/radar", headers={"Authorization": "Bearer sy_unknown"}
    )
    assert answer.status_code == 503
    assert "is damaged" in answer.json()["refused"]


@pytest.mark.parametrize(
    "target", ["//evil.example", "https://evil.example", "/\\evil.example", "javascript:alert(1)"]
)
def test_a_launch_link_leads_nowhere_else(here, target):
    answer = here.client(let_in=False).get(
        "/open", params={"launch": here.access.launch(), "next": target}
    )
    assert answer.headers["location"] == "/"


def test_the_token_opens_the_door_by_hand(here):
    client = here.client(let_in=False, token=False)
    assert client.post("/login", json={"token": "wrong"}).status_code == 401
    assert client.post("/login", json={"token": here.access.token}).status_code == 200
    assert client.get("/evaluate").status_code == 200


@pytest.mark.parametrize(
    "path", ["/evaluate", "/static/app.css", "/static/vega-not.js", "/nothing", "/session"]
)
def test_every_answer_has_the_strict_headers(client, path):
    headers = client.get(path).headers
    assert headers["content-security-policy"] == POLICY
    assert "unsafe" not in POLICY
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cache-control"] == "no-store"
    assert headers["x-frame-options"] == "DENY"
    assert not [name for name in headers if name.startswith("access-control")]


def test_a_refusal_has_the_strict_headers_too(client):
    answer = client.get("/evaluate", headers={"Host": "evil.example"})
    assert answer.headers["content-security-policy"] == POLICY


@pytest.mark.parametrize("method", ["OPTIONS", "TRACE", "CONNECT", "PROPFIND"])
def test_methods_that_are_not_used_are_refused(client, method):
    answer = client.request(method, "/answers/plan")
    assert answer.status_code == 405
    assert "access-control-allow-origin" not in answer.headers


def test_no_address_with_an_effect_answers_to_get(client):
    for path in ("/answers/plan", "/files", "/files/ab", "/login", "/launch"):
        assert client.get(path).status_code in {404, 405}


def test_a_request_that_is_too_large_is_refused_by_its_length_and_by_its_bytes(here):
    here.app_state.most_bytes = 5000
    client = here.client()
    assert client.post("/files", content=b"a" * 6000).status_code == 413
    parts = (b"a" * 1000 for _ in range(10))
    answer = client.post("/files", content=parts)
    assert answer.status_code == 413
    assert "--most-megabytes" in answer.json()["refused"]
    assert list(here.uploads.folder.iterdir()) == []
    assert client.post("/answers/plan", content=b" " * (1 << 21)).status_code == 413


def scoped(here):
    here.access.scopes = {"/api/campaigns/": "campaign"}
    here.routes = [
        Route(
            "/api/campaigns/{rest:path}",
            lambda request: PlainTextResponse(request.scope.get("steelyard.scope", "cookie")),
            methods=["GET", "POST"],
        )
    ]
    return here.access.book.issue("campaign:radar")


def test_a_rig_reaches_its_own_campaign_and_nothing_else(here):
    token = scoped(here)
    client = here.client(let_in=False, token=False)
    client.headers["Authorization"] = f"Bearer {token}"
    answer = client.post("/api/campaigns/radar/outcomes")
    assert (answer.status_code, answer.text) == (200, "campaign:radar")
    assert client.get("/api/campaigns/radar").status_code == 200
    for path in (
        "/api/campaigns/sonar",
        "/api/campaigns/",
        "/evaluate",
        "/download/plan/result.json",
    ):
        assert client.get(path).status_code == 403
    assert client.post("/launch").status_code == 403


def test_a_revoked_token_is_refused_at_once(here):
    token = scoped(here)
    client = here.client(let_in=False, token=False)
    client.headers["Authorization"] = f"Bearer {token}"
    assert client.get("/api/campaigns/radar").status_code == 200
    type(here.access.book)(here.folder).revoke("campaign:radar")
    assert client.get("/api/campaigns/radar").status_code == 401


@pytest.mark.parametrize("given", ["", "Bearer", "Bearer x", "Basic abc", "Bearer sy_" + "A" * 43])
def test_a_wrong_bearer_is_refused_even_with_a_cookie(here, given):
    scoped(here)
    client = here.client()
    answer = client.get("/api/campaigns/radar", headers={"Authorization": given})
    assert answer.status_code == 401


def test_pages_of_other_rooms_stand_behind_the_same_guard(here):
    scoped(here)
    assert here.client(let_in=False).get("/api/campaigns/radar").status_code == 401
    assert here.client(token=False).post("/api/campaigns/radar").status_code == 401
    assert here.client().post("/api/campaigns/radar").text == "cookie"


def test_a_socket_of_another_kind_is_closed(here):
    from starlette.websockets import WebSocketDisconnect

    client = here.client()
    with pytest.raises(WebSocketDisconnect), client.websocket_connect("/evaluate"):
        pass


@pytest.fixture
def raw(here):
    """Serve for real, to send bytes that no client library would send."""
    config = uvicorn.Config(here.app(), log_level="error", lifespan="off")
    server = uvicorn.Server(config)
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    here.access.port = listening.getsockname()[1]
    thread.start()
    while not server.started:
        time.sleep(0.01)

    def send(*lines):
        with socket.create_connection(("127.0.0.1", here.access.port), timeout=600) as wire:
            wire.sendall("\r\n".join([*lines, "Connection: close", "", ""]).encode("latin-1"))
            return b"".join(iter(lambda: wire.recv(65536), b"")).decode("latin-1")

    yield send
    server.should_exit = True
    thread.join()
    listening.close()


def status(text):
    found = re.match(r"HTTP/1.1 (\d+)", text)
    return int(found[1]) if found else None


def test_raw_requests_without_a_host_or_with_two_are_refused(raw, here):
    mine = f"Host: 127.0.0.1:{here.access.port}"
    cookie = f"Cookie: {here.access.cookie}={here.access.session()}"
    assert status(raw("GET /evaluate HTTP/1.1", mine, cookie)) == 200
    assert status(raw("GET /evaluate HTTP/1.1", cookie)) in {400, 403}
    assert status(raw("GET /evaluate HTTP/1.1", mine, "Host: evil.example", cookie)) in {400, 403}
    assert status(raw("GET /evaluate HTTP/1.1", "Host: evil.example", cookie)) == 403
    absolute = raw("GET http://evil.example/evaluate HTTP/1.1", "Host: evil.example", cookie)
    assert status(absolute) in {400, 403, 404}


TRAVERSALS = [
    "/static/../security.py",
    "/static/..%2fsecurity.py",
    "/static/%2e%2e/security.py",
    "/static/%2e%2e%2fsecurity.py",
    "/static/..%5c..%5csecurity.py",
    "/static/..\\security.py",
    "/static//etc/passwd",
    "/static/%2fetc%2fpasswd",
    "/static/app.css%00.js",
    "/static/",
    "/download/plan/../../token",
    "/download/evaluate/..%2f..%2ftoken",
    "/download/..%2f/result.json",
    "/answers/..%2fplan/x",
]


@pytest.mark.parametrize("path", TRAVERSALS)
def test_no_path_leads_out_of_the_list(raw, here, path):
    mine = f"Host: 127.0.0.1:{here.access.port}"
    cookie = f"Cookie: {here.access.cookie}={here.access.session()}"
    answer = raw(f"GET {path} HTTP/1.1", mine, cookie)
    assert status(answer) == 404
    assert here.access.token not in answer
