"""Where the server listens."""

import asyncio
import socket
from concurrent.futures import ThreadPoolExecutor

import pytest

from steelyard.errors import RequestError
from steelyard.surfaces.web.serving import Serving, _listen


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
