"""Ledgers in both databases."""

import pytest

from steelyard.campaigns.ledger import Ledger

__all__: list[str] = []


@pytest.fixture(params=["sqlite", "postgresql"])
def where(request, tmp_path):
    """The address of an empty ledger."""
    if request.param == "sqlite":
        return str(tmp_path / "ledger.db")
    return request.getfixturevalue("server").database()


@pytest.fixture
def ledger(where):
    """An empty ledger."""
    made = Ledger(where, create=True)
    yield made
    made.close()


@pytest.fixture
def file_ledger(tmp_path):
    """An empty ledger in a file."""
    made = Ledger(str(tmp_path / "ledger.db"), create=True)
    yield made
    made.close()
