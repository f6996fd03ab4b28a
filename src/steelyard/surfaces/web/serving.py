"""Start the server, tell where it is, open the browser; find one that runs already."""

import json
import signal
import socket
import threading
import urllib.error
import urllib.request
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from steelyard.errors import RequestError
from steelyard.surfaces.web.security import Access

__all__ = ["PORT", "Serving", "serve", "serving_link"]

PORT = 8377
PATIENCE = 30
"""Seconds to wait for a server that is still loading what it draws with."""
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


def serve(app: Any, access: Access, serving: Serving, *, say: Callable[[str], None]) -> None:  # noqa: ANN401
    """Serve until interrupted."""
    import uvicorn

    listening = _listen(serving)
    link = launch_link(access, serving)
    say(f"Steelyard is at {link}")
    say("The link opens the page once; for another one type: steelyard serve --url")
    if not serving.local:
        say(
            f"Warning: {serving.host} can be reached from other machines, and what is sent is not "
            "encrypted. Whoever has the token can read the files. Prefer ssh -L."
        )
    say("Stop with Ctrl+C.")
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        date_header=False,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=2,
    )
    server = uvicorn.Server(config)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if serving.browser:
        threading.Timer(0.2, lambda: webbrowser.open(link)).start()
    with suppress(KeyboardInterrupt):
        server.run(sockets=[listening])


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
    """Ask a server that runs for a link that opens its page once."""
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/launch",
        method="POST",
        headers={"Authorization": f"Bearer {token}"},
    )
    try:
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(
            request, timeout=PATIENCE
        ) as answer:
            launch = json.load(answer)["launch"]
    except urllib.error.HTTPError as error:
        error.close()
        message = (
            f"What runs on port {port} does not know this token. Name the --state or --token-file "
            "that it was started with."
        )
        raise RequestError(message, code="other-server") from None
    except (OSError, ValueError, KeyError):
        message = f"No Steelyard runs on port {port}. Start it: steelyard serve"
        raise RequestError(message, code="not-running") from None
    return f"http://127.0.0.1:{port}/open?launch={launch}"
