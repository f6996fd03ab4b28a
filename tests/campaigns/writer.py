"""A program that forks writers to a ledger, which note down what was acknowledged.

It reads a task a line, as JSON, and answers with the number of the process that took it: imports
are paid for once, and a writer starts in a few milliseconds.
"""

import json
import os
import resource
import signal
import sys
import threading
import traceback

from steelyard.campaigns.ledger import Ledger
from steelyard.campaigns.recording import Answer, record_results
from steelyard.errors import LedgerError

__all__: list[str] = []


def batch(writer, number, items):
    """Results that depend on nothing but these numbers."""
    return [
        Answer(f"{writer}-{number}-{place}", system, (number + place * 7 + bit) % 3 > 0)
        for place in range(items)
        for bit, system in enumerate(("a", "b"))
    ]


def append(ledger, task, noted, writer):
    """Append batch after batch as one writer; a line is noted after each that was acknowledged."""
    for number in range(task["first"], task["first"] + task["batches"]):
        key = f"{writer}-{number}"
        record_results(ledger, "x", batch(writer, number, task["items"]), key=key)
        os.write(noted, f"{key}\n".encode())


def write(task):
    """Write what a task says, beside others of the same process where it says so."""
    if task.get("user"):
        os.setuid(task["user"])
    if task.get("room"):
        resource.setrlimit(resource.RLIMIT_FSIZE, (task["room"], task["room"]))
    noted = os.open(task["notes"], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    try:
        ledger = Ledger(task["where"])
        others = [
            threading.Thread(target=append, args=(ledger, task, noted, f"{task['writer']}{n}"))
            for n in range(task.get("beside", 0))
        ]
        for one in others:
            one.start()
        append(ledger, task, noted, task["writer"])
    except LedgerError as error:
        os.write(noted, f"refused {error.code} {error}\n".encode())
    except Exception:
        told = traceback.format_exc().replace("\n", " | ")
        os.write(noted, f"refused by an error that has no words: {told}\n".encode())


def main():
    """Fork a writer for every line."""
    import psycopg  # noqa: F401

    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the children
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            try:
                write(json.loads(line))
            finally:
                os._exit(0)
        print(child, flush=True)


if __name__ == "__main__":
    main()
