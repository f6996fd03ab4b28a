"""Campaigns typed on the command line."""

import json
import os
import pty
import signal
import subprocess
import sys
from contextlib import suppress

import pytest
from click.testing import CliRunner

from steelyard.results import read_result
from steelyard.surfaces.cli.commands.campaign import frame
from steelyard.surfaces.cli.entry import steelyard


@pytest.fixture
def typed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def run(*words, code=0):
        ended = CliRunner().invoke(steelyard, ["campaign", *words], standalone_mode=True)
        assert ended.exit_code == code or (code and ended.exception), ended.output
        return ended

    return run


def other(label):
    return "y" if label == "x" else "x"


@pytest.fixture
def batches(tmp_path):
    for day, rows in {"monday": range(4), "tuesday": range(4, 9)}.items():
        lines = [
            "id,truth,cnn,svm",
            *(f"{n},{t},{t},{t if n == 1 else other(t)}" for n in rows for t in "xy"[n % 2]),
        ]
        (tmp_path / f"{day}.csv").write_text("\n".join(lines) + "\n")


NEW = ("new", "radar.db", "--systems", "cnn,svm", "--stop", "best >= 0.99 or n >= 100")


def test_a_campaign_walks_from_new_to_stop(typed, batches):
    said = typed(*NEW)
    assert "What 'best >= 0.99 or n >= 100' does, up to 100 items" in said.output
    assert "started radar in radar.db" in said.output
    assert "Go on: after 4 items cnn leads" in typed("add", "radar.db", "monday.csv").output
    said = typed("add", "radar.db", "tuesday.csv", "--chart", "path.svg")
    assert "Stop: cnn is the best with probability 0.99" in said.output
    assert "wrote path.svg" in said.output
    assert "there is nothing to test" in typed("next", "radar.db").output
    history = typed("history", "radar.db").output
    assert "monday.csv" in history
    assert "radar is sound: 3 entries and 18 results" in typed("verify", "radar.db").output
    assert typed("status", "radar.db").output.startswith("Stop testing: cnn wins")


def test_json_is_the_result_itself(typed, batches):
    said = typed(*NEW, "--not-simulated", "--json").stdout
    assert read_result(said).kind == "campaign"
    for words, kind in (
        (("add", "radar.db", "monday.csv"), "campaign"),
        (("status", "radar.db"), "campaign"),
        (("next", "radar.db"), "campaign-next"),
        (("history", "radar.db"), "campaign-history"),
        (("simulate", "radar.db", "--rates", "0.9,0.8"), "campaign-rule"),
        (("verify", "radar.db"), "campaign-check"),
        (("close", "radar.db"), "campaign"),
    ):
        assert read_result(typed(*words, "--json").stdout).kind == kind


def test_a_file_that_grew_a_correction_and_a_system_that_leaves(typed, batches, tmp_path):
    typed(*NEW[:3], "cnn,svm", "--stop", "n >= 100", "--not-simulated")
    typed("add", "radar.db", "monday.csv")
    grown = (tmp_path / "monday.csv").read_text() + "77,x,x,x\n"
    (tmp_path / "monday.csv").write_text(grown)
    refused = typed("add", "radar.db", "monday.csv", code=1)
    assert "are in the ledger already" in str(refused.exception)
    assert "after 5 items" in typed("add", "radar.db", "monday.csv", "--repeated", "skip").output
    (tmp_path / "mended.csv").write_text("item,svm\n77,0\n")
    assert (
        "as entry 3: 1 result"
        in typed("add", "radar.db", "mended.csv", "--correct", "--outcome", "svm").output
    )
    left = typed("close", "radar.db", "--system", "svm", "--reason", "withdrawn")
    assert "only one system is left" in left.output


def test_the_export_goes_to_a_file_or_to_the_screen(typed, batches, tmp_path):
    typed(*NEW, "--not-simulated")
    typed("add", "radar.db", "monday.csv")
    lines = typed("export", "radar.db").stdout.splitlines()
    typed("export", "radar.db", "-o", "radar.jsonl")
    assert (tmp_path / "radar.jsonl").read_text().splitlines() == lines
    assert json.loads(lines[0])["campaign"] == "radar"
    assert "could not be written" in typed("export", "radar.db", "-o", "no/x", code=1).output


def test_a_changed_ledger_ends_with_exit_code_1(typed, batches):
    import sqlite3

    typed(*NEW, "--not-simulated")
    typed("add", "radar.db", "monday.csv")
    with sqlite3.connect("radar.db") as connection:
        connection.execute("UPDATE steelyard_result SET correct = 1 - correct WHERE item = '2'")
    connection.close()
    ended = typed("verify", "radar.db", code=1)
    assert ended.exit_code == 1
    assert "radar was changed: entry 1: its results are not those" in ended.output


def test_costs_priors_and_rates_are_read_or_refused(typed):
    words = ("new", "r.db", "--systems", "a,b", "--stop", "n >= 9", "--pairing", "independent")
    typed(*words, "--cost", "a=2,b=0.5", "--prior", "a=9:1", "--not-simulated")
    protocol = json.loads(typed("export", "r.db").stdout.splitlines()[0])["protocol"]
    assert protocol["costs"] == [2.0, 0.5]
    assert protocol["priors"] == [[9.0, 1.0], [1.0, 1.0]]
    assert "nor one number" in typed(*words, "--cost", "much", code=2).output
    assert "not a list of rates" in typed("simulate", "r.db", "--rates", "x", code=2).output


def test_watch_needs_a_terminal(typed):
    typed(*NEW, "--not-simulated")
    assert "draws on a terminal" in typed("watch", "radar.db", code=2).output


def test_a_frame_shows_the_path_and_the_bound(typed, batches):
    from steelyard.journey import Campaign

    typed(*NEW, "--not-simulated")
    typed("add", "radar.db", "monday.csv")
    shown = frame(Campaign.open("radar.db").status(), 60, 24)
    assert "●" in shown
    assert "─" in shown
    assert max(map(len, shown.splitlines())) <= 60


def test_watch_follows_on_a_terminal_and_ends_with_ctrl_c(typed, batches):
    typed(*NEW, "--not-simulated")
    typed("add", "radar.db", "monday.csv")
    main, side = pty.openpty()
    line = [sys.executable, "-m", "steelyard", "campaign", "watch", "radar.db", "--every", "0.2"]
    with subprocess.Popen(line, stdout=side, stderr=side, stdin=side, close_fds=True) as child:
        os.close(side)
        seen = b""
        while b"after 4 items" not in seen:
            seen += os.read(main, 4096)
        child.send_signal(signal.SIGINT)
        with suppress(OSError):  # so a terminal ends whose other side was closed
            while read := os.read(main, 4096):
                seen += read
        assert child.wait() == 0
    os.close(main)
    assert b"after 4 items" in seen
    assert b"stopped watching; the campaign goes on" in seen
    assert seen.count(b"\x1b[?25l") == seen.count(b"\x1b[?25h") == 1


def test_a_campaign_is_written_as_one_file(typed, batches, tmp_path):
    typed(*NEW, "--not-simulated")
    typed("add", "radar.db", "monday.csv")
    assert "wrote campaign.html" in typed("report", "radar.db", "--campaigns", "0").stderr
    assert "What the rule really does" not in (tmp_path / "campaign.html").read_text()
    typed("report", "radar.db", "-o", "whole.html")
    html = (tmp_path / "whole.html").read_text()
    assert "What the rule really does" in html
    assert "Go on: after 4 items" in html
    refused = typed("report", "radar.db", "-o", "none/campaign.html", "--campaigns", "0", code=1)
    assert "none/campaign.html" in str(refused.exception) + refused.output
