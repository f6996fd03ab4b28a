"""A program that forks writers to a ledger, which note down what was acknowledged.

It reads a task a line, as JSON, and answers with the number of the process that took it: imports
are paid for once, and a writer starts in a few milliseconds.
"""

import json
import os
import resource
import signal
import sys
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


def write(task):
    """Append batch after batch; a line is noted after each that was acknowledged."""
    if task.get("user"):
        os.setuid(task["user"])
    if task.get("room"):
        resource.setrlimit(resource.RLIMIT_FSIZE, (task["room"], task["room"]))
    noted = os.open(task["notes"], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    try:
        ledger = Ledger(task["where"])
        for number in range(task["first"], task["first"] + task["batches"]):
            answers = batch(task["writer"], number, task["items"])
            key = f"{task['writer']}-{number}"
            record_results(ledger, "x", answers, key=key)
            os.write(noted, f"{key}\n".encode())
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
