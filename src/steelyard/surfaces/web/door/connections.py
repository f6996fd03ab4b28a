"""Connections that say nothing: each has seconds to ask, and makes room when there are too many.

uvicorn waits for the first request of a connection without an end, so that a thousand connections
which never ask would use up the files that a process may open, and nobody else would be heard.
"""

import asyncio
from collections import OrderedDict
from typing import Any, ClassVar

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

__all__ = ["HEADER_SECONDS", "MOST", "MOST_OF_ONE", "GuardedProtocol"]

HEADER_SECONDS = 10.0
"""A request has so long from its first byte, or from the connection, to the end of its headers."""
BODY_SECONDS = 30.0
"""A body that is being sent may pause for so long."""
MOST, MOST_OF_ONE = 400, 200
"""Connections at a time, of all peers and of one; a browser opens six."""


class GuardedProtocol(H11Protocol):
    """Closes what keeps silent; of too many, the one that has been silent longest goes first."""

    silent: ClassVar[OrderedDict["GuardedProtocol", str]] = OrderedDict()
    """Connections from which something is expected, with their peers, the longest silent first."""
    peers: ClassVar[dict[str, int]] = {}

    _deadline: asyncio.TimerHandle | None = None
    _expects_header = False
    _peer: str | None = None
    """Whom this connection is counted for; None before, and as soon as it is given up."""

    def connection_made(self, transport: Any) -> None:  # noqa: ANN401
        """Count the connection, and make room for it."""
        super().connection_made(transport)
        self._peer = peer = self.client[0] if self.client else ""
        self.peers[peer] = self.peers.get(peer, 0) + 1
        self._listen()
        if self.peers[peer] > MOST_OF_ONE:
            self._make_room(peer)
        if sum(self.peers.values()) > MOST:
            self._make_room(None)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._forget()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take what was sent; start the clock again unless these are headers in small pieces."""
        super().data_received(data)
        self._listen()

    def on_response_complete(self) -> None:
        """Wait for the next request; uvicorn's own clock runs until its first byte."""
        super().on_response_complete()
        if self.conn.their_state is h11.IDLE and not self.transport.is_closing():
            self._expect(self.timeout_keep_alive + 1.0)

    def _listen(self) -> None:
        """Expect what is missing: headers by a fixed time, each piece of a body after a pause."""
        if self.conn.their_state is h11.IDLE:
            if not self._expects_header:
                self._expect(HEADER_SECONDS)
                self._expects_header = True
        elif self.conn.their_state is h11.SEND_BODY:
            self._expect(BODY_SECONDS)
        else:
            self._hear()

    def _expect(self, seconds: float) -> None:
        self._hear()
        if self._peer is None:
            return
        self.silent[self] = self._peer
        self._deadline = self.loop.call_later(seconds, self.transport.abort)

    def _hear(self) -> None:
        """Expect nothing: the request is whole, or the connection is gone."""
        self._expects_header = False
        self.silent.pop(self, None)
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _forget(self) -> None:
        """Count this connection no longer."""
        self._hear()
        peer, self._peer = self._peer, None
        if peer is not None:
            self.peers[peer] -= 1
            if not self.peers[peer]:
                del self.peers[peer]

    def _make_room(self, peer: str | None) -> None:
        """Close the longest silent connection, of one peer or of all; this one at the last."""
        gone = next((one for one, known in self.silent.items() if peer in {None, known}), self)
        # Not counted from now on: the loop tells of the loss later, after hundreds that wait may
        # have come, each of which would close another one for the same room.
        gone._forget()
        gone.transport.abort()
