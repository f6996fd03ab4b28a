"""Tokens: long, private, kept as hashes, revocable."""

import subprocess
import sys

import pytest

from steelyard.errors import RequestError
from steelyard.surfaces.web.door.tokens import TokenBook, private_folder, session_token


def test_the_token_is_drawn_once_and_kept_where_only_its_owner_reads(tmp_path):
    first = session_token(tmp_path, environment={})
    assert len(first) >= 43
    assert session_token(tmp_path, environment={}) == first
    assert (tmp_path / "token").stat().st_mode & 0o777 == 0o600
    assert session_token(tmp_path, renew=True, environment={}) != first


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o606])
def test_a_kept_token_that_others_can_read_opens_nothing_more(tmp_path, mode):
    first = session_token(tmp_path, environment={})
    (tmp_path / "token").chmod(mode)
    with pytest.raises(RequestError, match=r"can be read by others.*--new-token") as refused:
        session_token(tmp_path, environment={})
    assert refused.value.code == "token-exposed"
    assert session_token(tmp_path, renew=True, environment={}) != first
    assert (tmp_path / "token").stat().st_mode & 0o777 == 0o600


def test_a_token_comes_from_a_file_or_the_environment(tmp_path):
    file = tmp_path / "mine"
    file.write_text("f" * 40 + "\n")
    named = {"STEELYARD_TOKEN": "e" * 40}
    assert session_token(tmp_path, file=file, environment=named) == "f" * 40
    assert session_token(tmp_path, environment=named) == "e" * 40
    assert not (tmp_path / "token").exists()


@pytest.mark.parametrize(
    "weak", ["short", "a" * 31, "has spaces in it and is quite long, too", "é" * 40]
)
def test_a_weak_token_is_refused_with_a_way_to_make_one(tmp_path, weak):
    with pytest.raises(RequestError, match="import secrets"):
        session_token(tmp_path, environment={"STEELYARD_TOKEN": weak})


def test_a_token_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(RequestError, match="nowhere"):
        session_token(tmp_path, file=tmp_path / "nowhere", environment={})


def test_only_the_hash_of_an_issued_token_is_kept(tmp_path):
    book = TokenBook(tmp_path)
    token = book.issue("campaign:radar")
    (kept,) = book.folder.iterdir()
    assert token not in kept.read_text()
    assert token[3:] not in kept.read_text()
    assert kept.stat().st_mode & 0o777 == 0o600
    assert book.folder.stat().st_mode & 0o777 == 0o700
    assert book.scope_of(token) == "campaign:radar"
    assert book.scope_of(token + "x") is None
    assert TokenBook(tmp_path).scope_of(token) == "campaign:radar"


def test_a_token_is_revoked_by_its_name_or_its_scope(tmp_path):
    book = TokenBook(tmp_path)
    first, second, other = (book.issue(one) for one in ("campaign:a", "campaign:a", "campaign:b"))
    assert book.revoke(book.tokens()[0].name) == 1
    assert book.scope_of(first) is None
    assert book.revoke("campaign:a") == 1
    assert book.scope_of(second) is None
    assert book.scope_of(other) == "campaign:b"
    with pytest.raises(RequestError, match="--list-tokens"):
        book.revoke("campaign:a")


@pytest.mark.parametrize(
    "scope", ["", "radar", "campaign:", "campaign:../x", "Campaign:x", "a:b c"]
)
def test_a_scope_names_a_kind_and_a_thing(tmp_path, scope):
    with pytest.raises(RequestError, match="campaign:radar"):
        TokenBook(tmp_path).issue(scope)


ISSUE = """
import sys
from pathlib import Path
from steelyard.surfaces.web.door.tokens import TokenBook
book = TokenBook(Path(sys.argv[1]))
for _ in range(5):
    kept = book.issue(f"campaign:kept-{sys.argv[2]}")
    gone = book.issue(f"campaign:gone-{sys.argv[2]}")
    book.revoke(f"campaign:gone-{sys.argv[2]}")
    print(kept, gone)
"""


def test_tokens_issued_and_revoked_at_once_by_many_are_all_kept_and_all_gone(tmp_path):
    running = [
        subprocess.Popen(
            [sys.executable, "-c", ISSUE, str(tmp_path), str(one)],
            stdout=subprocess.PIPE,
            text=True,
        )
        for one in range(4)
    ]
    pairs = [line.split() for one in running for line in one.communicate()[0].splitlines()]
    assert len(pairs) == 20
    book = TokenBook(tmp_path)
    assert all(str(book.scope_of(kept)).startswith("campaign:kept-") for kept, _ in pairs)
    assert {book.scope_of(gone) for _, gone in pairs} == {None}
    assert len(book.tokens()) == 20


def test_tokens_of_an_earlier_version_go_on_and_can_be_revoked(tmp_path):
    token = TokenBook(tmp_path).issue("campaign:radar")
    (kept,) = (tmp_path / "tokens").iterdir()
    (tmp_path / "tokens.json").write_text(f"[{kept.read_text()}]")
    kept.unlink()
    book = TokenBook(tmp_path)
    assert book.scope_of(token) == "campaign:radar"
    book.revoke("campaign:radar")
    assert TokenBook(tmp_path).scope_of(token) is None
    assert not (tmp_path / "tokens.json").exists()


@pytest.mark.parametrize("content", ["", "{", "[1, 2]", '{"a": 1}', "[" * 100_000, "null", '"x"'])
def test_a_damaged_file_of_tokens_is_said_in_words(tmp_path, content):
    (tmp_path / "tokens.json").write_text(content)
    with pytest.raises(RequestError, match="issue-token"):
        TokenBook(tmp_path)
    book = TokenBook(tmp_path)
    book.issue("campaign:radar")
    (book.folder / "0badf00d.json").write_text(content)
    with pytest.raises(RequestError, match=r"0badf00d\.json is damaged"):
        book.scope_of("sy_anything")


def test_a_folder_that_is_there_keeps_its_mode_and_one_that_others_write_to_is_refused(tmp_path):
    state = tmp_path / "state"
    state.mkdir(mode=0o755)
    state.chmod(0o755)
    session_token(state, environment={})
    assert state.stat().st_mode & 0o777 == 0o755
    assert (state / "token").stat().st_mode & 0o777 == 0o600
    state.chmod(0o777)
    with pytest.raises(RequestError, match="chmod 700"):
        session_token(state, renew=True, environment={})
    assert private_folder(tmp_path / "new").stat().st_mode & 0o777 == 0o700
