"""The command that serves: what it says, what it refuses, and that it really answers."""

import http.client
import json
import os
import re
import signal
import subprocess
import sys
from contextlib import contextmanager

import pytest

from steelyard.surfaces.web.door.guard import TOKEN_HEADER
from steelyard.surfaces.web.door.tokens import signature
from tests.ports import free_port


@contextmanager
def served(folder, *words, **environment):
    port = free_port()
    command = [sys.executable, "-m", "steelyard", "serve", *map(str, words), "--no-browser"]
    running = subprocess.Popen(
        [*command, "--port", str(port), "--state", str(folder)],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "STEELYARD_TOKEN": "", **environment},
    )
    said = [running.stderr.readline()]
    while "Stop with" not in said[-1] and said[-1]:
        said.append(running.stderr.readline())
    try:
        yield port, "".join(said), running
    finally:
        running.send_signal(signal.SIGINT)
        running.wait()
        running.stderr.close()


def get(port, path, **headers):
    wire = http.client.HTTPConnection("127.0.0.1", port, timeout=600)
    wire.request("GET", path, headers=headers)
    answer = wire.getresponse()
    text = answer.read().decode()
    wire.close()
    return answer, text


def test_the_link_it_prints_opens_the_page_once(tmp_path, data, type_command):
    with served(tmp_path, data / "wdbc_scores.csv") as (port, said, running):
        path = re.search(r"http://127\.0\.0\.1:\d+(/open\S+)", said)[1]
        answer, _ = get(port, path)
        assert answer.status == 303
        cookie = answer.headers["set-cookie"].partition(";")[0]
        answer, page = get(port, answer.headers["location"], Cookie=cookie)
        assert answer.status == 200
        assert "wdbc_scores.csv" in page
        assert get(port, path)[0].status == 401
        assert get(port, "/evaluate", Host="evil.example")[0].status == 403
        again = type_command("serve", "--url", "--port", port, "--state", tmp_path)
        assert get(port, again.out.strip().partition(str(port))[2])[0].status == 303
        other = type_command("serve", "--url", "--port", port, "--state", tmp_path / "other")
        assert other.code == 2
        assert "does not know this token" in other.words
        taken = type_command("serve", "--no-browser", "--port", port, "--state", tmp_path)
        assert "cannot be used" in taken.words
    assert running.returncode in {0, 130, -signal.SIGINT}


def test_a_server_that_is_told_to_end_leaves_no_temporary_file(tmp_path, data):
    scratch = tmp_path / "tmp"
    scratch.mkdir()
    state = tmp_path / "state"
    with served(state, data / "wdbc_scores.csv", TMPDIR=str(scratch)) as (port, said, running):
        path = re.search(r"http://127\.0\.0\.1:\d+(/open\S+)", said)[1]
        answer, _ = get(port, path)
        cookie = answer.headers["set-cookie"].partition(";")[0]
        key = answer.headers["location"].rpartition("=")[2]
        token = signature((state / "token").read_text().strip(), "page", port=port)
        wire = http.client.HTTPConnection("127.0.0.1", port, timeout=600)
        asked = json.dumps({"state": [["data", key], ["positive", "malignant"]]})
        wire.request("POST", "/answers/evaluate", asked, {"Cookie": cookie, TOKEN_HEADER: token})
        assert wire.getresponse().status == 200
        wire.close()
        made = list(scratch.iterdir())
        assert made, "the database has a folder"
        assert {one.stat().st_mode & 0o077 for one in made} == {0}
        running.terminate()
        assert running.wait() == 143
    assert list(scratch.iterdir()) == []


def test_a_rig_gets_a_token_that_can_be_listed_and_revoked(type_command, tmp_path):
    state = ("--state", tmp_path)
    issued = type_command("serve", "--issue-token", "campaign:radar", *state)
    assert issued.code == 0
    assert len(issued.out.strip()) > 43
    listed = type_command("serve", "--list-tokens", *state)
    assert "campaign:radar" in listed.out
    assert issued.out.strip() not in listed.out
    assert (
        "Revoked 1 token." in type_command("serve", "--revoke-token", "campaign:radar", *state).out
    )
    assert type_command("serve", "--revoke-token", "campaign:radar", *state).code == 2
    assert type_command("serve", "--issue-token", "radar", *state).code == 2


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.1.5", "::"])
def test_other_machines_are_let_in_only_when_that_is_said(type_command, tmp_path, host):
    told = type_command("serve", "--host", host, "--state", tmp_path)
    assert told.code == 2
    assert "--remote" in told.words
    assert "ssh -L" in told.words


def test_a_file_that_is_not_there_is_refused_before_anything_starts(type_command, tmp_path):
    told = type_command("serve", "nowhere.csv", "--state", tmp_path)
    assert told.code == 1
    assert "no such file" in told.words


def test_no_server_no_link(type_command, tmp_path):
    told = type_command("serve", "--url", "--port", free_port(), "--state", tmp_path)
    assert told.code == 2
    assert "Start it: steelyard serve" in told.words
