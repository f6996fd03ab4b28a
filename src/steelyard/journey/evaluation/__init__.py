"""How good is each system? The walk of ``evaluate``."""

__all__: list[str] = []
