"""Tokens: long, private, kept as hashes, revocable."""

import pytest

from steelyard.errors import RequestError
from steelyard.surfaces.web.tokens import TokenBook, session_token


def test_the_token_is_drawn_once_and_kept_where_only_its_owner_reads(tmp_path):
    first = session_token(tmp_path, environment={})
    assert len(first) >= 43
    assert session_token(tmp_path, environment={}) == first
    assert (tmp_path / "token").stat().st_mode & 0o777 == 0o600
    assert tmp_path.stat().st_mode & 0o777 == 0o700
    assert session_token(tmp_path, renew=True, environment={}) != first


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
    assert token not in book.path.read_text()
    assert token[3:] not in book.path.read_text()
    assert book.path.stat().st_mode & 0o777 == 0o600
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
