"""The page and the campaigns over HTTP under many clients at once, on this machine only.

python benchmarks/load.py                          100 clients for a minute, then 10,000 requests
python benchmarks/load.py --write benchmarks/load.json
python benchmarks/load.py --clients 10 --seconds 3 --requests 300

Ends by itself. Exit code 1 where a request failed, a result was lost or memory grew.
"""

import argparse
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from statistics import median
from typing import Any

__all__ = ["Load", "main", "measure"]

DATA = Path(str(files("steelyard") / "data" / "wdbc_scores.csv"))
GROWTH = 24.0
"""MiB that a server may grow over all requests of the second part, caches and threads included."""


@dataclass
class Load:
    """What was found: times by kind of request, failures, results sent and kept, memory."""

    clients: int
    seconds: float
    times: dict[str, list[float]] = field(default_factory=dict)
    failed: list[str] = field(default_factory=list)
    sent: int = 0
    kept: int = 0
    requests: int = 0
    memory: list[float] = field(default_factory=list)

    @property
    def grown(self) -> float:
        """MiB between the median of the first three tenths of the requests and of the last."""
        if len(self.memory) < 6:
            return self.memory[-1] - self.memory[0] if self.memory else 0.0
        return median(self.memory[-3:]) - median(self.memory[:3])

    def rows(self) -> list[dict[str, Any]]:
        """Give a row for each kind of request."""
        return [
            {
                "request": kind,
                "count": len(spent),
                **{name: _at(spent, share) for name, share in SHARES.items()},
            }
            for kind, spent in sorted(self.times.items())
        ]

    def good(self) -> bool:
        """Tell whether nothing failed, nothing was lost and memory stayed."""
        return not self.failed and self.sent == self.kept and self.grown < GROWTH


SHARES = {"p50": 0.5, "p95": 0.95, "p99": 0.99, "max": 1.0}


def _at(spent: Sequence[float], share: float) -> float:
    ordered = sorted(spent)
    return round(1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))], 1)


@dataclass
class Site:
    """A running server and what opens it."""

    port: int
    cookie: str
    page_token: str
    rig_token: str
    data: str
    process: "subprocess.Popen[str]"

    def memory(self) -> float:
        """Resident memory of the server in MiB."""
        text = Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        found = re.search(r"VmRSS:\s+(\d+) kB", text)
        return int(found[1]) / 1024 if found else 0.0


@contextmanager
def served(folder: Path) -> Iterator[Site]:
    """Serve a file and a campaign on a port of its own, and stop afterwards."""
    from steelyard.journey.campaigns.campaign import Campaign

    ledger = folder / "rig.db"
    Campaign.create(ledger, systems=["cnn", "svm"], stop="n >= 100000000")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    base = [sys.executable, "-m", "steelyard", "serve"]
    state = ["--state", str(folder / "state")]
    rig = subprocess.run(
        [*base, "--issue-token", "campaign:rig", *state], check=True, capture_output=True, text=True
    ).stdout.strip()
    running = subprocess.Popen(
        [*base, str(DATA), "--campaign", f"rig={ledger}", "--no-browser", "--port", str(port), *state],  # noqa: E501
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "STEELYARD_TOKEN": ""},
    )  # fmt: skip
    said = ""
    while "Stop with" not in said:
        line = running.stderr.readline() if running.stderr else ""
        if not line:
            raise RuntimeError(said)
        said += line
    reader = threading.Thread(target=_drained, args=(running,), daemon=True)
    reader.start()
    try:
        yield _opened(port, said, rig, running)
    finally:
        running.send_signal(signal.SIGINT)
        running.wait(600)
        reader.join(600)
        if running.stderr:
            running.stderr.close()


def _drained(running: "subprocess.Popen[str]") -> None:
    for _ in running.stderr or ():
        pass


def _opened(port: int, said: str, rig: str, running: "subprocess.Popen[str]") -> Site:
    """Open the page as a browser does, and find the token that its own requests carry."""
    link = re.search(r"http://127\.0\.0\.1:\d+(/open\S+)", said)
    wire = http.client.HTTPConnection("127.0.0.1", port, timeout=600)
    wire.request("GET", link[1] if link else "/")
    answer = wire.getresponse()
    answer.read()
    cookie = str(answer.headers["set-cookie"]).partition(";")[0]
    wire.request("GET", "/evaluate", headers={"Cookie": cookie})
    page = wire.getresponse().read().decode()
    wire.close()
    token = re.search(r'name="steelyard-token" content="([^"]+)"', page)
    data = re.search(r'<option value="([0-9a-f]{64})"', page)
    if token is None or data is None:
        message = "the page holds no token or no file"
        raise RuntimeError(message)
    return Site(
        port=port, cookie=cookie, page_token=token[1], rig_token=rig, data=data[1], process=running
    )


class Client:
    """One client with a connection of its own, which is kept open."""

    def __init__(self, site: Site, number: int, load: Load) -> None:
        self.site, self.number, self.load = site, number, load
        self.wire = http.client.HTTPConnection("127.0.0.1", site.port, timeout=600)
        self.turn = 0
        self.sent = 0

    def ask(self, kind: str, method: str, path: str, body: Any = None, **headers: str) -> Any:  # noqa: ANN401
        """Send one request, note its time; anything but 200 is a failure."""
        start = time.monotonic()
        try:
            text = None if body is None else json.dumps(body)
            more = {} if body is None else {"Content-Type": "application/json"}
            self.wire.request(method, path, body=text, headers={**headers, **more})
            answer = self.wire.getresponse()
            content = answer.read()
        except OSError as error:
            self.load.failed.append(f"{kind}: {error!r}")
            self.wire.close()
            return None
        self.load.times.setdefault(kind, []).append(time.monotonic() - start)
        if answer.status != 200:
            self.load.failed.append(f"{kind}: {answer.status} {content[:200]!r}")
            return None
        return content

    def step(self) -> None:
        """Do what comes next: read the page, ask it, report a result, ask how it stands."""
        self.turn += 1
        rig = {"Authorization": f"Bearer {self.site.rig_token}"}
        browser = {"Cookie": self.site.cookie, "X-Steelyard-Token": self.site.page_token}
        what = (self.number + self.turn) % 4
        if what == 0:
            self.ask("page", "GET", "/evaluate", **browser)
        elif what == 1:
            state = [["data", self.site.data], ["positive", "1"]]
            body = {"state": state, "width": 560}
            self.ask("answer", "POST", "/answers/evaluate", body, **browser)
        elif what == 2:
            item = f"c{self.number}-{self.turn}"
            results = [
                {"item": item, "system": one, "right": one == "cnn"} for one in ("cnn", "svm")
            ]
            body = {"results": results, "key": item}
            if self.ask("report a result", "POST", "/api/campaigns/rig/results", body, **rig):
                self.sent += 1
        else:
            self.ask("status", "GET", "/api/campaigns/rig/status", **rig)

    def until(self, end: float) -> None:
        """Go on until the time is over."""
        while time.monotonic() < end:
            self.step()
        self.load.sent += self.sent
        self.sent = 0


def measure(*, clients: int, seconds: float, requests: int) -> Load:
    """Let the clients loose together, then send more requests and watch the memory."""
    load = Load(clients=clients, seconds=seconds, requests=requests)
    with tempfile.TemporaryDirectory() as name, served(Path(name)) as site:
        everyone = [Client(site, number, load) for number in range(clients)]
        end = time.monotonic() + seconds
        threads = [threading.Thread(target=one.until, args=(end,)) for one in everyone]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        _watch(site, load, everyone[: min(8, clients)], requests)
        for one in everyone:
            one.wire.close()
        load.kept = _kept(site)
    return load


def _watch(site: Site, load: Load, some: Sequence[Client], requests: int) -> None:
    """Send further requests in ten parts, and note the memory after each."""
    apart = Load(clients=len(some), seconds=0)
    for one in some:
        one.load = apart
    for _ in range(10):
        threads = [
            threading.Thread(target=_turns, args=(one, requests // (10 * len(some))))
            for one in some
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        load.memory.append(site.memory())
    load.failed += apart.failed
    load.sent += sum(one.sent for one in some)


def _turns(client: Client, number: int) -> None:
    for _ in range(number):
        client.step()


def _kept(site: Site) -> int:
    """Ask the campaign how many items it has."""
    last = Client(site, 0, Load(clients=1, seconds=0))
    said = last.ask(
        "status", "GET", "/api/campaigns/rig/status", Authorization=f"Bearer {site.rig_token}"
    )
    last.wire.close()
    return int(json.loads(said)["result"]["items"])


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print the table, write it where told."""
    parser = argparse.ArgumentParser(description="Load the page and the campaigns over HTTP.")
    parser.add_argument("--clients", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--requests", type=int, default=10_000)
    parser.add_argument("--write", type=Path, help="file for the figures, as JSON")
    chosen = parser.parse_args(arguments)
    load = measure(clients=chosen.clients, seconds=chosen.seconds, requests=chosen.requests)
    said = {
        "clients": load.clients,
        "seconds": load.seconds,
        "rows": load.rows(),
        "failed": len(load.failed),
        "sent": load.sent,
        "kept": load.kept,
        "requests": load.requests,
        "memory_mib": [round(one, 1) for one in load.memory],
        "machine": f"{os.cpu_count()} cores, load average {os.getloadavg()[1]:.0f}",
    }
    print(json.dumps(said, indent=1))
    for one in load.failed[:10]:
        print(one, file=sys.stderr)
    if chosen.write is not None:
        chosen.write.write_text(json.dumps(said, indent=1) + "\n", encoding="utf-8")
    return 0 if load.good() else 1


if __name__ == "__main__":
    raise SystemExit(main())
