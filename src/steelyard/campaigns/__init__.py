"""Asking again while results arrive: protocol, look and ledger."""

__all__: list[str] = []
