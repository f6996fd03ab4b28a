"""The guard at the door: who may ask, from where, and what an answer may do in a browser.

A server on 127.0.0.1 is reached by every page that the browser of its user has open. So each
request must name this server as its host (a page that was rebound by DNS cannot), must come with
a cookie that other sites cannot send, and, when it changes something, with a token that only our
own pages can read.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from steelyard.errors import RequestError
from steelyard.surfaces.web.door.tokens import (
    LAUNCH_SECONDS,
    TokenBook,
    new_launch,
    same_text,
    signature,
)

__all__ = [
    "HEADERS",
    "POLICY",
    "TOKEN_HEADER",
    "Access",
    "Gate",
    "Refusal",
    "hosts_for",
    "say_refusal",
    "wants_page",
]

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-store",
}
TOKEN_HEADER = "X-Steelyard-Token"
SAFE = frozenset({"GET", "HEAD"})
METHODS = SAFE | {"POST", "PUT", "PATCH", "DELETE"}
TITLES = {
    400: "Not understood",
    401: "This browser has not been let in yet",
    403: "Not allowed",
    404: "Nothing is here",
    405: "Not allowed",
    413: "Too large",
}
NOT_LET_IN = "This browser has not been let in yet. Type in a terminal: steelyard serve --url"
NO_TOKEN = (
    "No token was sent. Expected: Authorization: Bearer TOKEN. Issue one with: steelyard serve "
    "--issue-token campaign:NAME"
)
SMALL_BODY = 1 << 20
LOCAL = ("127.0.0.1", "localhost", "[::1]")


class Refusal(Exception):
    """A request that is turned away, and the words for it."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message


@dataclass(slots=True, kw_only=True)
class Access:
    """The rules of one running server.

    ``hosts`` are further names under which it may be asked for. ``public`` are paths, or
    beginnings of paths that end in ``/``, which need no cookie; ``scopes`` maps beginnings of paths
    to the kind of bearer token that opens them: with ``{"/api/campaigns/": "campaign"}``, a token
    of ``campaign:radar`` opens ``/api/campaigns/radar`` and what lies under it, nothing else.
    ``bodies`` allows larger requests at some paths.
    """

    token: str
    port: int
    book: TokenBook
    hosts: tuple[str, ...] = ()
    public: tuple[str, ...] = (
        "/static/",
        "/favicon.ico",
        "/open",
        "/login",
        "/session",
        "/identity",
    )
    scopes: Mapping[str, str] = field(default_factory=dict)
    bodies: Mapping[str, int] = field(default_factory=dict)
    launches: dict[str, float] = field(default_factory=dict)

    @property
    def cookie(self) -> str:
        """Name the cookie; cookies know no ports, so that the name has to."""
        return f"steelyard-{self.port}"

    def session(self) -> str:
        """Give the value of the cookie; another token makes another value."""
        return signature(self.token, "cookie", port=self.port)

    def page_token(self) -> str:
        """Give what our pages send along when they change something."""
        return signature(self.token, "page", port=self.port)

    def launch(self) -> str:
        """Draw a token that opens the page once, within a minute."""
        return new_launch(self.token, port=self.port)

    def take_launch(self, given: str) -> bool:
        """Use a launch token up; it never works again."""
        words, _, signed = given.rpartition(".")
        ends = words.partition(".")[0]
        expected = signature(self.token, f"launch:{words}", port=self.port)
        if not same_text(signed, expected) or not ends.isdecimal():
            return False
        now = time.time()
        self.launches = {one: end for one, end in self.launches.items() if end > now}
        fresh = now < int(ends) <= now + LAUNCH_SECONDS and words not in self.launches
        self.launches[words] = float(ends)
        return fresh

    def identity(self, nonce: str) -> str:
        """Prove to its owner that this is the server that holds the token."""
        return signature(self.token, f"identity:{nonce}", port=self.port)

    def list_hosts(self) -> frozenset[str]:
        """List the values of ``Host`` that name this server."""
        named = [f"{name}:{self.port}" for name in (*LOCAL, *self.hosts)]
        bare = [*self.hosts, *(LOCAL if self.port == 80 else ())]
        return frozenset(one.lower() for one in (*named, *bare))


class Gate:
    """The middleware that keeps the rules for every route, whoever wrote it."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self.app = app
        self.access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or say why not."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return
        sender = _with_headers(send)
        try:
            self._check(scope)
            counted = _count_body(receive, self._largest(scope["path"]), scope["path"])
            await self.app(scope, counted, sender)
        except Refusal as refusal:
            await say_refusal(refusal, scope)(scope, receive, sender)

    def _check(self, scope: Scope) -> None:
        headers = Headers(scope=scope)
        self._check_host(headers)
        if scope["method"] not in METHODS:
            raise Refusal(405, "This method is not used here.")
        self._check_sender(headers, changes=scope["method"] not in SAFE)
        self._check_length(headers, scope["path"])
        if self._is_public(scope["path"]):
            return
        self._authenticate(headers, scope)

    def _check_host(self, headers: Headers) -> None:
        given = headers.getlist("host")
        if len(given) != 1 or given[0].lower() not in self.access.list_hosts():
            shown = ", ".join(given) or "no host"
            raise Refusal(
                403,
                f"This server was asked for as {shown!r}, which is not one of its names. If that "
                "is meant, for example behind a proxy, start it with: steelyard serve "
                "--allow-host NAME",
            )

    def _check_sender(self, headers: Headers, *, changes: bool) -> None:
        """Turn away what another site has sent, whatever it carries."""
        site = headers.get("sec-fetch-site")
        if site == "cross-site" and (changes or headers.get("sec-fetch-mode") != "navigate"):
            raise Refusal(403, "This request was sent by another site.")
        if changes and site not in {None, "same-origin", "none"}:
            raise Refusal(403, "This request was sent by another site.")
        origin = headers.get("origin")
        if origin is None:
            return
        parts = urlsplit(origin)
        if parts.scheme not in {"http", "https"} or (
            parts.netloc.lower() not in self.access.list_hosts()
        ):
            raise Refusal(403, "This request was sent by a page of another origin.")

    def _check_length(self, headers: Headers, path: str) -> None:
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > self._largest(path):
            raise Refusal(413, _too_large(self._largest(path), path))

    def _largest(self, path: str) -> int:
        return self.access.bodies.get(path, SMALL_BODY)

    def _is_public(self, path: str) -> bool:
        return any(
            path == one or (one.endswith("/") and path.startswith(one))
            for one in self.access.public
        )

    def _authenticate(self, headers: Headers, scope: Scope) -> None:
        bearer = headers.get("authorization")
        if bearer is not None:
            self._check_bearer(bearer, scope)
            return
        cookies = cookie_parser(headers.get("cookie", ""))
        if not same_text(cookies.get(self.access.cookie, ""), self.access.session()):
            raise Refusal(401, "")
        if scope["method"] in SAFE:
            return
        if not same_text(headers.get(TOKEN_HEADER, ""), self.access.page_token()):
            raise Refusal(
                401, "The page is older than the server. Load it again; its link keeps its state."
            )

    def _check_bearer(self, given: str, scope: Scope) -> None:
        kind, _, token = given.partition(" ")
        if kind.lower() != "bearer" or not token:
            raise Refusal(401, "Expected: Authorization: Bearer TOKEN.")
        if same_text(token, self.access.token):
            scope["steelyard.scope"] = "owner"
            return
        try:
            held = self.access.book.scope_of(token)
        except RequestError as damaged:
            raise Refusal(503, str(damaged)) from None
        if held is None:
            raise Refusal(401, "This token is not known, or was revoked.")
        needed = self._find_scope(scope["path"])
        if needed is None or held not in {needed, f"{needed.partition(':')[0]}:*"}:
            raise Refusal(403, f"A token of {held} does not open this address.")
        scope["steelyard.scope"] = held

    def _find_scope(self, path: str) -> str | None:
        for start, kind in self.access.scopes.items():
            if path.startswith(start):
                return f"{kind}:{path.removeprefix(start).partition('/')[0]}"
        return None


def _with_headers(send: Send) -> Send:
    async def sender(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers[name] = value
        await send(message)

    return sender


def _count_body(receive: Receive, largest: int, path: str) -> Receive:
    """Stop a body that grows beyond what is allowed, whatever its length was said to be."""
    seen = 0

    async def receiver() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        if seen > largest:
            raise Refusal(413, _too_large(largest, path))
        return message

    return receiver


def _too_large(largest: int, path: str) -> str:
    if path.startswith("/api/"):
        return (
            f"This batch is larger than the {largest >> 20} MiB that are taken at once. Nothing "
            "was recorded; send smaller batches, each with a key of its own."
        )
    return (
        f"This is larger than the {largest >> 20} MiB that the page takes. Name the file when you "
        "start (steelyard serve FILE), or allow more with --most-megabytes."
    )


def wants_page(scope: Scope) -> bool:
    """Tell whether a person looks at the answer, and not a script."""
    accepted = Headers(scope=scope).get("accept", "")
    return "text/html" in accepted and scope["method"] in SAFE


def say_refusal(refusal: Refusal, scope: Scope) -> Response:
    """Answer with words: a page for a browser that wants one, JSON for everything else."""
    message = refusal.message or (NO_TOKEN if scope["path"].startswith("/api/") else NOT_LET_IN)
    close = {"Connection": "close"} if refusal.status == 413 else {}
    if wants_page(scope):
        body = _page(refusal, message)
        return Response(body, refusal.status, headers=close, media_type="text/html")
    answer = {"refused": message, "status": refusal.status}
    return JSONResponse(answer, refusal.status, headers=close)


def _page(refusal: Refusal, message: str) -> str:
    """Write the page for somebody at the door; the sign-in form stands where it can help."""
    script = ""
    form = ""
    if refusal.status == 401:
        script = '<script src="/static/door.js" defer></script>'
        form = (
            "<p>It opens the page in this browser, or prints a link to paste here. On another "
            "machine, type it there and forward the port with ssh.</p>"
            '<form id="door"><label for="token">Or paste the token '
            "(<code>STEELYARD_TOKEN</code>, or the file you named)</label>"
            '<input id="token" type="password" autocomplete="off" required>'
            '<button type="submit">Open</button></form>'
            '<p id="said" role="status"></p>'
        )
        told = "<p>Type in a terminal:</p><pre><code>steelyard serve --url</code></pre>"
    else:
        told = '<p><a href="/evaluate">Back to the first page</a></p>'
    known = refusal.message if refusal.status == 401 else message
    said = f"<p>{escape(known)}</p>" if known else ""
    title = TITLES.get(refusal.status, "This was refused")
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title} · Steelyard</title>"
        '<link rel="icon" href="/static/icon.svg"><link rel="stylesheet" href="/static/app.css">'
        f'{script}</head><body><main id="main" class="door"><h1>{title}</h1>'
        f"{said}{told}{form}</main></body></html>\n"
    )


def hosts_for(names: Sequence[str]) -> tuple[str, ...]:
    """Take names as they are typed, without a scheme and without a path."""
    return tuple(name.removeprefix("http://").removeprefix("https://").strip("/") for name in names)
