"""A port of this machine that nobody listens at."""

import socket

__all__ = ["free_port"]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
