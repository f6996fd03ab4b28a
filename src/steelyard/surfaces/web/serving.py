"""Start the server, tell where it is, open the browser; find one that runs already."""

import atexit
import http.client
import json
import os
import secrets
import shutil
import socket
import sys
import threading
import urllib.error
import urllib.request
import webbrowser
from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any, NoReturn
from urllib.parse import quote

from steelyard.errors import RequestError
from steelyard.surfaces.web.door.guard import Access
from steelyard.surfaces.web.door.tokens import (
    LAUNCH_SECONDS,
    new_launch,
    new_token,
    private_folder,
    same_text,
    signature,
    write_private,
)

__all__ = ["PORT", "Serving", "opening_file", "serve", "serving_link"]

PORT = 8377
PATIENCE = 30
"""Seconds to wait for a server that is still loading what it draws with."""
LONGEST_ANSWER = 1 << 16
LOOPBACK = ("127.0.0.1", "localhost", "::1")


@dataclass(frozen=True, slots=True, kw_only=True)
class Serving:
    """Where the server listens, and whether a browser is opened."""

    host: str
    port: int
    browser: bool
    page: str = "/evaluate"

    @property
    def local(self) -> bool:
        """Tell whether only this machine can reach it."""
        return self.host in LOOPBACK


def serve(
    app: Any,  # noqa: ANN401
    access: Access,
    serving: Serving,
    *,
    folder: Path,
    say: Callable[[str], None],
) -> None:
    """Serve until interrupted; ``folder`` is where files lie that only the owner can read."""
    import uvicorn

    listening = _listen(serving)
    link = launch_link(access, serving)
    say(f"Steelyard is at {link}")
    say(
        f"The link opens the page once, within {LAUNCH_SECONDS} seconds; for another one type: "
        "steelyard serve --url"
    )
    if not serving.local:
        say(
            f"Warning: {serving.host} can be reached from other machines, and what is sent is not "
            "encrypted. Whoever has the token can read the files. Prefer ssh -L."
        )
    say("Stop with Ctrl+C.")
    from steelyard.surfaces.web.door.connections import GuardedProtocol

    config = uvicorn.Config(
        app,
        http=GuardedProtocol,
        log_level="warning",
        access_log=False,
        server_header=False,
        date_header=False,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=2,
    )
    server = uvicorn.Server(config)
    if serving.browser:
        threading.Timer(0.2, _open_browser, (access, serving, folder)).start()
    code: object = 0
    try:
        server.run(sockets=[listening])
    except KeyboardInterrupt:
        pass
    except SystemExit as ended:
        code = ended.code
    if app.app.state.app_state.jobs.busy():
        _leave(folder, code)
    if code:
        sys.exit(code)  # type: ignore[arg-type]


def _leave(folder: Path, code: object) -> NoReturn:
    """End without waiting for answers that nobody will fetch; Python would wait for them all."""
    from steelyard.engines.local import remove_scratch

    remove_scratch()
    shutil.rmtree(folder / "opening", ignore_errors=True)
    os._exit(code if isinstance(code, int) else 1)


def launch_link(access: Access, serving: Serving) -> str:
    """Make a link that opens the page once."""
    name = "127.0.0.1" if serving.local or not access.hosts else access.hosts[0]
    shown = name if ":" in name else f"{name}:{serving.port}"
    return f"http://{shown}/open?launch={access.launch()}&next={quote(serving.page)}"


def _listen(serving: Serving) -> socket.socket:
    """Take the port before anything is said about it.

    The protocol is named: of a socket without it, asyncio does not know that it is one of TCP, and
    lets the system hold small packets back, 40 ms for each answer on a kept connection.
    """
    family = socket.AF_INET6 if ":" in serving.host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((serving.host, serving.port))
        listening.listen(64)
    except OSError as error:
        listening.close()
        message = (
            f"Port {serving.port} cannot be used ({error.strerror or error}). If Steelyard runs "
            f"there already, type: steelyard serve --url. Else choose another: --port "
            f"{serving.port + 1}"
        )
        raise RequestError(message, code="port-taken") from None
    return listening


def serving_link(token: str, port: int) -> str:
    """Make a link to a server that runs, once it has proved that it is the owner's.

    The token is never sent: whatever else may listen at the port learns nothing by being asked.
    """
    nonce = new_token()
    address = f"http://127.0.0.1:{port}/identity?nonce={nonce}"
    try:
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(address, timeout=PATIENCE) as answer:
            proof = json.loads(answer.read(LONGEST_ANSWER))["proof"]
    except urllib.error.HTTPError as error:
        error.close()
        raise _other_server(port) from None
    except (OSError, http.client.HTTPException, ValueError, KeyError, TypeError, RecursionError):
        message = f"No Steelyard runs on port {port}. Start it: steelyard serve"
        raise RequestError(message, code="not-running") from None
    if not same_text(str(proof), signature(token, f"identity:{nonce}", port=port)):
        raise _other_server(port)
    return f"http://127.0.0.1:{port}/open?launch={new_launch(token, port=port)}"


def _other_server(port: int) -> RequestError:
    message = (
        f"What runs on port {port} does not know this token. Name the --state or --token-file "
        "that it was started with."
    )
    return RequestError(message, code="other-server")


def opening_file(folder: Path, link: str) -> Path:
    """Write a page that leads to a link, for its owner alone.

    Everybody on a machine can read with which words a browser was started; so these name a file
    that nobody else can read, and not the link.
    """
    path = private_folder(folder / "opening") / f"{secrets.token_hex(8)}.html"
    goes = escape(link, quote=True)
    write_private(
        path,
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Steelyard</title>'
        f'<meta http-equiv="refresh" content="0;url={goes}"></head>'
        f'<body><p><a href="{goes}">Open the page</a></p></body></html>',
    )
    return path


def _open_browser(access: Access, serving: Serving, folder: Path) -> None:
    """Open the page in the browser; the file that leads there is gone when its link is too old."""
    path = opening_file(folder, launch_link(access, serving))
    gone = threading.Timer(LAUNCH_SECONDS, lambda: path.unlink(missing_ok=True))
    gone.daemon = True
    gone.start()
    atexit.register(lambda: path.unlink(missing_ok=True))
    webbrowser.open(path.as_uri())
