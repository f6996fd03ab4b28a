"""While tests run nothing leaves this machine, and a test that tries fails."""

import socket
import subprocess
import sys
import urllib.request

import pytest

OUTSIDE = ("192.0.2.1", "2001:db8::1", "registry.invalid", "8.8.8.8")
BLOCKED = "tests may not leave this machine"


@pytest.mark.parametrize("host", OUTSIDE)
def test_names_and_addresses_outside_are_not_even_looked_up(host):
    with pytest.raises(RuntimeError, match=BLOCKED):
        socket.getaddrinfo(host, 443)
    with pytest.raises(RuntimeError, match=BLOCKED):
        socket.create_connection((host, 443), timeout=1)
    with pytest.raises(RuntimeError, match=BLOCKED):
        urllib.request.urlopen(f"http://[{host}]/" if ":" in host else f"http://{host}/")


@pytest.mark.parametrize("kind", [socket.SOCK_STREAM, socket.SOCK_DGRAM])
def test_a_socket_of_its_own_does_not_get_out(kind):
    with socket.socket(socket.AF_INET, kind) as made:
        with pytest.raises(RuntimeError, match=BLOCKED):
            made.connect(("192.0.2.1", 9))
        with pytest.raises(RuntimeError, match=BLOCKED):
            made.connect_ex(("192.0.2.1", 9))
        if kind == socket.SOCK_DGRAM:
            with pytest.raises(RuntimeError, match=BLOCKED):
                made.sendto(b"x", ("192.0.2.1", 9))


def test_loopback_is_open():
    with socket.create_server(("127.0.0.1", 0)) as listening:
        with socket.create_connection(("localhost", listening.getsockname()[1])) as near:
            assert near.getpeername()[0] == "127.0.0.1"


def test_a_python_that_a_test_starts_does_not_get_out_either():
    said = "import socket; socket.create_connection(('192.0.2.1', 9), timeout=1)"
    ended = subprocess.run(
        [sys.executable, "-c", said], capture_output=True, text=True, check=False
    )
    assert ended.returncode == 1
    assert BLOCKED in ended.stderr


def test_the_main_job_needs_no_network():
    ended = subprocess.run(
        [sys.executable, "-m", "steelyard", "demo"], capture_output=True, text=True, check=False
    )
    assert (ended.returncode, ended.stderr) == (0, "")
