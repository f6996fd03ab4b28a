"""The application: pages, answers, files and downloads behind one guard."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from html import escape
from typing import Any
from urllib.parse import unquote

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from steelyard.errors import SteelyardError
from steelyard.surfaces.web.app_state import AppState
from steelyard.surfaces.web.asking import State, read_state
from steelyard.surfaces.web.campaign_api import (
    MOST_BATCH,
    START,
    add_batch,
    campaign_routes,
    refusal_state,
)
from steelyard.surfaces.web.door.guard import Access, Gate, Refusal, say_refusal, wants_page
from steelyard.surfaces.web.door.tokens import same_text
from steelyard.surfaces.web.pages.frame import PAGES, begin, find_work, page_html
from steelyard.surfaces.web.static_files import static_file

__all__ = ["make_app"]

UPLOADS = "/files"
LONGEST_NONCE = 200


def make_app(
    app_state: AppState, access: Access, *, extra_routes: Sequence[BaseRoute] = ()
) -> Gate:
    """Put the pages behind the guard; ``extra_routes`` of other rooms stand behind it as well.

    Routes for machines say in ``access.scopes`` which tokens open them, see
    :class:`steelyard.surfaces.web.door.guard.Access`.
    """
    batches = {f"{START}{name}/results": MOST_BATCH for name in app_state.campaigns.names()}
    access.bodies = {**access.bodies, **batches, UPLOADS: app_state.most_bytes}
    access.scopes = {START: "campaign", **access.scopes}

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        del app
        yield
        app_state.jobs.close()

    app = Starlette(
        routes=[*_routes(), *campaign_routes(), *extra_routes],
        exception_handlers={
            SteelyardError: _refuse,
            Refusal: _turn_away,
            HTTPException: _not_here,
        },
        lifespan=lifespan,
    )
    app.state.app_state, app.state.access = app_state, access
    return Gate(app, access)


def _routes() -> list[BaseRoute]:
    pages = [Route(f"/{name}", _page, methods=["GET"], name=name) for name in PAGES]
    return [
        Route("/", _home, methods=["GET"]),
        Route("/favicon.ico", _icon, methods=["GET"]),
        Route("/static/{name}", _static, methods=["GET"]),
        Route("/open", _open, methods=["GET"]),
        Route("/login", _login, methods=["POST"]),
        Route("/identity", _identity, methods=["GET"]),
        Route("/session", _session, methods=["GET"]),
        Route(UPLOADS, _keep, methods=["POST"]),
        Route(f"{UPLOADS}/{{key}}", _forget, methods=["DELETE"]),
        Route("/answers/{page}", _ask, methods=["POST"]),
        Route("/answers/{page}/{job}", _ask_again, methods=["GET"]),
        Route("/marks/{page}", _mark, methods=["GET"]),
        Route("/campaigns/batch", add_batch, methods=["POST"]),
        Route("/download/{page}/{name}", _download, methods=["GET"]),
        *pages,
    ]


async def _home(request: Request) -> Response:
    del request
    return RedirectResponse("/evaluate", 303)


async def _static(request: Request) -> Response:
    return await run_in_threadpool(
        static_file, request.path_params["name"], request.app.state.app_state.folder
    )


async def _icon(request: Request) -> Response:
    return await run_in_threadpool(static_file, "icon.svg", request.app.state.app_state.folder)


async def _open(request: Request) -> Response:
    """Turn a launch token into a cookie; the address then holds it no more."""
    access: Access = request.app.state.access
    if not access.take_launch(request.query_params.get("launch", "")):
        raise Refusal(401, "This link was used already, or is too old: each opens the page once.")
    wanted = request.query_params.get("next", "/")
    local = wanted.startswith("/") and not wanted.startswith(("//", "/\\"))
    target = wanted if local else "/"
    # A cookie that other sites cannot send is not sent either when another page led here, such as
    # the file through which the browser is opened: then our own page has to lead on.
    response: Response = RedirectResponse(target, 303)
    if request.headers.get("sec-fetch-site", "none") != "none":
        response = Response(_lead_on(target), media_type="text/html")
    _let_in(response, access)
    return response


def _lead_on(target: str) -> str:
    goes = escape(target, quote=True)
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Steelyard</title>'
        f'<meta http-equiv="refresh" content="0;url={goes}"></head>'
        f'<body><p><a href="{goes}">Open the page</a></p></body></html>'
    )


async def _login(request: Request) -> Response:
    access: Access = request.app.state.access
    given = await _json(request)
    if not same_text(str(given.get("token", "")), access.token):
        raise Refusal(401, "This is not the token of this server.")
    response = JSONResponse({"open": True})
    _let_in(response, access)
    return response


def _let_in(response: Response, access: Access) -> None:
    response.set_cookie(access.cookie, access.session(), httponly=True, samesite="strict", path="/")


async def _identity(request: Request) -> Response:
    """Answer a challenge that only the server of the owner's token can answer."""
    nonce = request.query_params.get("nonce", "")
    if not 16 <= len(nonce) <= LONGEST_NONCE:
        raise HTTPException(400)
    return JSONResponse({"proof": request.app.state.access.identity(nonce)})


async def _session(request: Request) -> Response:
    """Tell the page at the door whether its browser has been let in."""
    access: Access = request.app.state.access
    held = request.cookies.get(access.cookie, "")
    return JSONResponse({"open": same_text(held, access.session())})


async def _page(request: Request) -> Response:
    app_state: AppState = request.app.state.app_state
    name = request.scope["path"].strip("/")
    token = request.app.state.access.page_token()
    html = await run_in_threadpool(page_html, name, request.query_params, app_state, token=token)
    return Response(html, media_type="text/html")


async def _keep(request: Request) -> Response:
    app_state: AppState = request.app.state.app_state
    name = unquote(request.headers.get("x-file-name", "unnamed"))
    kept = await app_state.uploads.keep(name, request.stream())
    return JSONResponse({"data": kept.key, "name": kept.name, "bytes": kept.bytes()})


async def _forget(request: Request) -> Response:
    request.app.state.app_state.uploads.forget(request.path_params["key"])
    return JSONResponse({"forgotten": True})


async def _ask(request: Request) -> Response:
    """Begin to answer; what takes a moment only is answered at once."""
    given = await _json(request)
    state = _settle(request, _pairs(given))
    return await _answer(request, state, given)


async def _ask_again(request: Request) -> Response:
    """Look how far an answer is; this starts nothing that was not begun."""
    state = _settle(request, request.query_params.multi_items())
    app_state: AppState = request.app.state.app_state
    job = await run_in_threadpool(find_work, app_state, state)
    if job is None or job.name != request.path_params["job"]:
        raise HTTPException(404)
    done = job.future.done()
    return JSONResponse({"ready": done, "said": "" if done else job.progress.said()})


async def _mark(request: Request) -> Response:
    """Tell whether what is looked at has changed; the page asks every few seconds."""
    state = _settle(request, request.query_params.multi_items())
    app_state: AppState = request.app.state.app_state
    return JSONResponse({"mark": await run_in_threadpool(PAGES[state.page].mark, app_state, state)})


async def _answer(request: Request, state: State, given: dict[str, Any]) -> Response:
    app_state: AppState = request.app.state.app_state
    page = PAGES[state.page]
    try:
        job = await run_in_threadpool(begin, app_state, state)
        given_width = given.get("width")
        width = given_width if isinstance(given_width, int) else 560
        if job is None:
            return JSONResponse(await run_in_threadpool(page.show, app_state, state, None, width))
        ready, found = await app_state.jobs.answer(job)
        if not ready:
            return JSONResponse({"job": job.name, "said": job.progress.said()})
        key = (job.name, width, tuple(sorted(state.viewed.items())))
        drawn = await run_in_threadpool(
            app_state.jobs.draw,
            key,
            lambda: bytes(JSONResponse(page.show(app_state, state, found, width)).body),
        )
    except SteelyardError as error:
        said = await run_in_threadpool(page.refuse, app_state, state, error)
        return JSONResponse(said)
    return Response(drawn, media_type="application/json")


async def _download(request: Request) -> Response:
    from steelyard.surfaces.web.pages.downloads import download

    state = _settle(request, request.query_params.multi_items())
    name = request.path_params["name"]
    return await run_in_threadpool(download, request.app.state.app_state, state, name)


def _settle(request: Request, pairs: list[tuple[str, str]]) -> State:
    """Read what was asked, with the settings beside the file where it says nothing."""
    app_state: AppState = request.app.state.app_state
    return app_state.settle(read_state(_page_of(request), pairs))


def _page_of(request: Request) -> str:
    page: str = request.path_params["page"]
    if page not in PAGES:
        raise HTTPException(404)
    return page


def _pairs(given: dict[str, Any]) -> list[tuple[str, str]]:
    state = given.get("state")
    pairs = state if isinstance(state, list) else []
    if not all(isinstance(one, list) and len(one) == 2 for one in pairs):
        raise HTTPException(400)
    return [(str(name), str(value)) for name, value in pairs]


async def _json(request: Request) -> dict[str, Any]:
    try:
        given = await request.json()
    except (ValueError, RecursionError):
        raise HTTPException(400) from None
    if not isinstance(given, dict):
        raise HTTPException(400)
    return given


async def _refuse(request: Request, error: Exception) -> Response:
    assert isinstance(error, SteelyardError)
    status = refusal_state(error) if request.scope["path"].startswith(START) else 422
    if wants_page(request.scope):
        return say_refusal(Refusal(status, str(error)), request.scope)
    return JSONResponse({"refused": str(error), "code": error.code}, status_code=status)


async def _turn_away(request: Request, error: Exception) -> Response:
    """Let the guard find the words, as for requests that never came this far."""
    assert isinstance(error, Refusal)
    return say_refusal(error, request.scope)


async def _not_here(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    words = {404: "There is nothing at this address.", 400: "This request was not understood."}
    message = words.get(error.status_code, "This is not done here.")
    return say_refusal(Refusal(error.status_code, message), request.scope)
