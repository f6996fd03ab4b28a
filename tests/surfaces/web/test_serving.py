"""Where the server listens."""

import asyncio
import http.server
import signal
import socket
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from unittest import mock

import h11
import pytest

from steelyard.errors import RequestError
from steelyard.surfaces.web.door.connections import MOST_OF_ONE, GuardedProtocol
from steelyard.surfaces.web.serving import Serving, _listen, opening_file, serving_link


def test_no_answer_is_held_back_on_a_kept_connection():
    """The system may wait 40 ms for more to send; asyncio turns that off where it sees TCP."""

    async def accepted(listening):
        found = asyncio.get_running_loop().create_future()

        def connected(reader, writer):
            del reader
            found.set_result(
                writer.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
            )
            writer.close()

        async with await asyncio.start_server(connected, sock=listening):
            _, writer = await asyncio.open_connection(*listening.getsockname())
            held = await found
            writer.close()
            await writer.wait_closed()
        return held

    listening = _listen(Serving(host="127.0.0.1", port=0, browser=False))
    with ThreadPoolExecutor(1) as apart:  # a browser's event loop may run in this thread
        assert apart.submit(lambda: asyncio.run(accepted(listening))).result() == 1


def test_a_port_that_is_taken_is_refused_with_another_to_try():
    with _listen(Serving(host="127.0.0.1", port=0, browser=False)) as listening:
        port = listening.getsockname()[1]
        with pytest.raises(RequestError, match=f"--port {port + 1}"):
            _listen(Serving(host="127.0.0.1", port=port, browser=False))


def test_whatever_else_listens_at_the_port_learns_nothing_of_the_token():
    token, heard = "the-token-of-the-owner-which-is-long-enough", []

    class Thief(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            heard.append(f"{self.path} {self.headers}")
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b'{"proof": "0", "launch": "x"}')

        do_POST = do_GET

        def log_message(self, *words):
            del words

    with http.server.HTTPServer(("127.0.0.1", 0), Thief) as thief:
        threading.Thread(target=thief.handle_request, daemon=True).start()
        with pytest.raises(RequestError, match="does not know this token"):
            serving_link(token, thief.server_port)
    assert len(heard) == 1
    assert token not in heard[0]
    assert "uthorization" not in heard[0]


def test_the_browser_is_opened_through_a_file_that_nobody_else_reads(tmp_path):
    path = opening_file(tmp_path / "state", "http://127.0.0.1:1/open?launch=a&next=%22")
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert "url=http://127.0.0.1:1/open?launch=a&amp;next=%22" in path.read_text()


async def _answers(scope, receive, send):
    if scope["type"] == "lifespan":
        return
    await receive()
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"heard"})


def test_connections_that_never_ask_do_not_stop_the_page():
    """More than one peer may hold open say nothing; whoever asks is answered all the same."""
    import uvicorn

    listening = _listen(Serving(host="127.0.0.1", port=0, browser=False))
    address = listening.getsockname()
    config = uvicorn.Config(_answers, http=GuardedProtocol, log_level="error", lifespan="off")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=lambda: server.run(sockets=[listening]))
    thread.start()
    silent = []
    try:
        for place in range(MOST_OF_ONE + 40):
            silent.append(socket.create_connection(address))
            silent[-1].sendall(b"GET / HT" if place % 2 else b"")
        with socket.create_connection(address) as asking:
            asking.settimeout(600)
            asking.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            heard = b"".join(iter(lambda: asking.recv(4096), b""))
        assert b"heard" in heard
        assert sum(GuardedProtocol.peers.values()) <= MOST_OF_ONE
        silent[0].settimeout(600)
        assert silent[0].recv(1) == b"", "the first to be silent is the first to go"
    finally:
        for one in silent:
            one.close()
        server.should_exit = True
        thread.join()


def test_room_for_a_connection_is_made_once_however_many_wait_to_be_heard_of():
    """The loop accepts hundreds at a time and tells of losses later: nobody else may go."""

    class Line:
        def __init__(self):
            self.aborted = False

        def abort(self):
            self.aborted = True

    def guarded(name):
        made = GuardedProtocol.__new__(GuardedProtocol)
        made.transport, made.loop = Line(), mock.Mock()
        made.conn = mock.Mock(their_state=h11.IDLE)
        made.client = (name, 1)
        with mock.patch.object(GuardedProtocol.__bases__[0], "connection_made"):
            made.connection_made(made.transport)
        return made

    before = sum(GuardedProtocol.peers.values())
    lines = [guarded("10.0.0.9") for _ in range(3 * MOST_OF_ONE)]
    assert [one.transport.aborted for one in lines] == [True] * 2 * MOST_OF_ONE + [
        False
    ] * MOST_OF_ONE
    with mock.patch.object(GuardedProtocol.__bases__[0], "connection_lost"):
        for one in lines:
            one.connection_lost(None)
    assert sum(GuardedProtocol.peers.values()) == before
    assert not [one for one in GuardedProtocol.silent if one in lines]


STUCK = """
import sys, threading, time
from pathlib import Path
from types import SimpleNamespace
from steelyard.surfaces.web.jobs import JobQueue
from steelyard.surfaces.web.serving import Serving, serve
jobs, begun = JobQueue(), threading.Event()
jobs.start("a", lambda progress: (begun.set(), time.sleep(3600)))
begun.wait()
async def app(scope, receive, send):
    pass
app.state = SimpleNamespace(app_state=SimpleNamespace(jobs=jobs))
access = SimpleNamespace(hosts=(), launch=lambda: "x")
serving = Serving(host="127.0.0.1", port=int(sys.argv[1]), browser=False)
serve(app, access, serving, folder=Path(sys.argv[2]), say=lambda text: print(text, flush=True))
"""


def test_a_server_that_is_told_to_end_does_not_wait_for_answers_nobody_will_fetch(tmp_path):
    with _listen(Serving(host="127.0.0.1", port=0, browser=False)) as taken:
        port = taken.getsockname()[1]
    started = [sys.executable, "-c", STUCK, str(port), str(tmp_path)]
    with subprocess.Popen(started, stdout=subprocess.PIPE, text=True) as server:
        try:
            while server.stdout.readline() != "Stop with Ctrl+C.\n":
                assert server.poll() is None
            while not _hears(port):
                assert server.poll() is None
            server.send_signal(signal.SIGTERM)
            assert server.wait(300) in {0, -signal.SIGTERM, 143}
        finally:
            server.kill()


def _hears(port):
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=60) as asking:
            asking.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            return bool(asking.recv(1))
    except OSError:
        return False


def test_headers_that_come_in_small_pieces_run_out_of_time(monkeypatch):
    import uvicorn

    from steelyard.surfaces.web.door import connections

    monkeypatch.setattr(connections, "HEADER_SECONDS", 0.3)
    listening = _listen(Serving(host="127.0.0.1", port=0, browser=False))
    config = uvicorn.Config(_answers, http=GuardedProtocol, log_level="error", lifespan="off")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=lambda: server.run(sockets=[listening]))
    thread.start()
    try:
        with socket.create_connection(listening.getsockname()) as slow:
            slow.settimeout(0.05)
            ended = False
            while not ended:
                try:
                    slow.sendall(b"a")
                    ended = slow.recv(1) == b""
                except TimeoutError:
                    continue
                except OSError:
                    ended = True
    finally:
        server.should_exit = True
        thread.join()
    assert ended
