"""No network beyond this machine while tests run: a hook that Python asks before every socket.

``tests/conftest.py`` loads it, and lays this folder into the path of every Python that a test
starts, where it is loaded under the name that Python looks for by itself.
"""

import ipaddress
import socket
import sys

__all__ = ["NetworkBlocked", "is_near"]

ASKED = {"socket.connect": 1, "socket.sendto": 1, "socket.sendmsg": 1}
"""Events that carry an address, and where it stands."""
NAMES = {"socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyname_ex"}


class NetworkBlocked(RuntimeError):
    """A test tried to leave this machine."""


def is_near(host):
    """Tell whether a host is this machine: a loopback address, or one of its own names."""
    if host is None:
        return True
    name = (host.decode() if isinstance(host, bytes) else str(host)).partition("%")[0]
    if name.lower() in {"", "localhost", socket.gethostname().lower()}:
        return True
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified


def _hook(event, arguments):
    if event in NAMES:
        host = arguments[0]
    elif event in ASKED and isinstance(arguments[ASKED[event]], tuple):
        host = arguments[ASKED[event]][0]
    else:
        return
    if not is_near(host):
        message = f"{event} to {host!r}: tests may not leave this machine"
        raise NetworkBlocked(message)


if not getattr(sys, "steelyard_guarded", False):
    sys.steelyard_guarded = True
    sys.addaudithook(_hook)
